"""What `import sleuth` gives: its names, what they cost, and what helps who misspells one."""

from __future__ import annotations

import ast
import importlib
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

import sleuth

FRONT = Path(__file__).resolve().parents[2] / "front"
PAGES = [
    path
    for path in sorted(FRONT.glob("**/*.py"))
    if path.name == "__init__.py" or not path.name.startswith("_")
]
#: A page whose folder stands beside the face, with all that is behind it.
PAGES.append(FRONT.parent / "adapters" / "__init__.py")


#: What newcomers tried first.
GUESSES = (
    *("infer", "game", "Deal", "load", "analyse", "play_match", "check_game", "train", "compare"),
    *("Search", "__version__", "games.clue", "games.cheat", "games.scotland_yard"),
)


def pages() -> Iterator[ModuleType]:
    """The face, and every page that it leads to."""
    waiting = [sleuth]
    while waiting:
        page = waiting.pop()
        yield page
        found = [getattr(page, name) for name in page.__all__]
        waiting += [each for each in found if isinstance(each, ModuleType)]


def page_name(path: Path) -> str:
    folder = FRONT if path.is_relative_to(FRONT) else FRONT.parent
    parts = path.relative_to(folder).with_suffix("").parts
    return ".".join(("sleuth", *(part for part in parts if part != "__init__")))


def test_a_newcomers_guesses_are_names() -> None:
    for guess in GUESSES:
        found: object = sleuth
        for word in guess.split("."):
            found = getattr(found, word)


def test_every_name_leads_somewhere_and_says_what_it_is_for() -> None:
    seen = list(pages())
    assert {page.__name__ for page in seen} == {page_name(path) for path in PAGES}
    for page in seen:
        assert page.__doc__
        assert dir(page) == sorted(page.__all__)
        for name in page.__all__:
            found = getattr(page, name)
            assert found is getattr(page, name)  # looked up once
            if callable(found):
                assert found.__doc__, name


@pytest.mark.parametrize("path", PAGES, ids=page_name)
def test_editors_see_what_there_is(path: Path) -> None:
    """A page's imports for type checkers re-export all its names, each from where it is made."""
    page = importlib.import_module(page_name(path))
    for line in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(line, ast.ImportFrom) and line.col_offset:
            (alias,) = line.names
            assert alias.asname in page.__all__  # an "as" makes it public for a type checker
            assert alias.asname is not None
            made = getattr(importlib.import_module(line.module or ""), alias.name)
            assert made is getattr(page, alias.asname)


#: An import from inside the package, in a page or a program: whatever is no page of the face.
INSIDE = re.compile(
    r"^[ \t]*(?:from|import) sleuth\."
    r"(?:adapters\.|(?:apps|beliefs|data|models|planners|training)\b).*",
    re.M,
)
OF_THE_INSIDE = (
    "make_assistants.py",
    "make_engine_tables.py",
    "make_schema.py",
    "make_table_pictures.py",
)
#: What a person reads and copies, and tools of the docs; tables, schemas and the table's server
#: are of the inside.
READ = [
    path
    for pattern in (
        "README.md",
        "docs/**/*.md",
        "docs/tools/*.py",
        "examples/**/*",
        "front/**/*.md",
    )
    for path in sorted(FRONT.parent.glob(pattern))
    if path.is_file() and path.name not in OF_THE_INSIDE
]


def test_what_people_read_imports_from_the_face_alone() -> None:
    found = [
        f"{path.relative_to(FRONT.parent)}: {line.strip()}"
        for path in READ
        for line in INSIDE.findall(path.read_text("utf-8", errors="ignore"))
    ]
    assert len(READ) > 50
    assert found == []


@pytest.mark.parametrize("line", ["from sleuth.beliefs import Deal", "  import sleuth.models.game"])
def test_an_import_from_the_inside_is_found(line: str) -> None:
    assert INSIDE.search(f"text\n{line}\n")
    assert not INSIDE.search(
        "from sleuth.games import clue\nimport sleuth\nfrom sleuth import Deal"
    )


def test_the_face_is_about_as_long_as_a_page() -> None:
    found = [getattr(sleuth, name) for name in sleuth.__all__]
    assert 40 <= sum(not isinstance(each, ModuleType) for each in found) <= 60


def test_one_page_names_them_all() -> None:
    page = (FRONT.parent / "docs" / "names.md").read_text("utf-8")
    assert [name for name in sleuth.__all__ if f"`{name}`" not in page.replace("sleuth.", "")] == []


def test_a_misspelt_name_is_told_the_right_one() -> None:
    with pytest.raises(AttributeError, match="did you mean 'infer'"):
        _ = sleuth.infr  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="did you mean 'clue'"):
        _ = sleuth.games.cleu  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match=r"it is sleuth\.networks\.from_pyagrum"):
        _ = sleuth.from_pyagrum  # type: ignore[attr-defined]
    with pytest.raises(ImportError):
        exec("from sleuth import nothing_of_this_kind")
    assert not hasattr(sleuth, "__wrapped__")


PROGRAM = """
import json, sys, time
start = time.process_time()
import sleuth
first = time.process_time() - start
loaded = sorted({name.split(".")[0] for name in sys.modules})
sleuth.Deal, sleuth.infer, sleuth.Question
later = sorted({name.split(".")[0] for name in sys.modules})
print(json.dumps([first, loaded, later]))
"""


def test_importing_it_loads_next_to_nothing() -> None:
    found = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    seconds, loaded, later = json.loads(found.stdout)
    assert seconds < 0.2
    assert not {"numpy", "numba", "scipy", "pandas", "rich", "pydantic"} & set(loaded)
    assert not {"numba", "scipy", "pandas", "sklearn", "pgmpy", "matplotlib"} & set(later)


@pytest.mark.parametrize(
    "call",
    [
        lambda: sleuth.game(3),  # type: ignore[arg-type]
        lambda: sleuth.agent(3, "kuhn_poker"),  # type: ignore[arg-type]
        lambda: sleuth.train("cheat", simulate=3, modles=["logistic"]),
        lambda: sleuth.exploitability("kuhn_poker", []),  # type: ignore[arg-type]
        lambda: sleuth.check_agent("kuhn_poker", "randm", plays=1),
    ],
)
def test_what_cannot_be_done_is_a_sleuth_error(call: Callable[[], object]) -> None:
    with pytest.raises(sleuth.SleuthError):
        call()


def test_an_agent_is_checked_by_its_name() -> None:
    assert sleuth.check_agent("kuhn_poker", "random", plays=2) > 0
