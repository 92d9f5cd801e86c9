"""What `import sleuth` gives: its names, what they cost, and what helps who misspells one."""

from __future__ import annotations

import ast
import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
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
    parts = path.relative_to(FRONT).with_suffix("").parts
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
def test_editors_see_the_names_that_there_are(path: Path) -> None:
    """The imports for type checkers are those of the table, from where it says."""
    told: dict[str, str] = {}
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.If):
            for line in node.body:
                assert isinstance(line, ast.ImportFrom)
                assert [alias.asname for alias in line.names] == [line.names[0].name]
                told[line.names[0].name] = line.module or ""
    page = importlib.import_module(page_name(path))
    names = [name for name in page.__all__ if not isinstance(getattr(page, name), ModuleType)]
    modules = set(page.__all__) - set(names)
    assert set(told) - modules == set(names) - ({"names"} if page is sleuth.games else set())
    assert all(told[name] == page.__name__ for name in modules)
    for name in set(told) - modules:
        assert getattr(importlib.import_module(told[name]), name) is getattr(page, name)


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
