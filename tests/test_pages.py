"""The pages of the documentation: their links lead somewhere, their records are records."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import fields
from importlib import import_module
from pathlib import Path

import pytest

from sleuth.beliefs.engines import NAMES
from sleuth.games.clue import ClueRecord, edition
from sleuth.planners.checking.belief_checks import CHECKS as BELIEF_CHECKS
from sleuth.planners.checking.conformance import CHECKS
from sleuth.search import Options

from .test_project import ORDER, python_files

ROOT = Path(__file__).resolve().parent.parent
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("**/*.md"))]
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


def anchors(page: Path) -> set[str]:
    """What GitHub makes of a page's headings."""
    headings = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    words = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {word.replace(" ", "-") for word in words}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for link in LINK.findall(page.read_text("utf-8")):
        if "://" in link:
            continue
        file, _, anchor = link.partition("#")
        target = (page.parent / file) if file else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_the_readme_leads_to_every_page() -> None:
    """Straight, but for results, parts of the search, games and methods with a page each.

    To these the pages about them lead.
    """
    linked = set(LINK.findall((ROOT / "README.md").read_text("utf-8")))
    pages = {
        page.relative_to(ROOT).as_posix()
        for page in (ROOT / "docs").glob("**/*.md")
        if page.parent.name not in ("results", "search", "shelf", "games", "methods")
    }
    assert pages <= {link.split("#")[0] for link in linked}


def test_the_page_about_the_search_leads_to_its_parts_and_names_every_option() -> None:
    page = ROOT / "docs" / "search" / "index.md"
    text = page.read_text("utf-8")
    parts = {part.name for part in page.parent.glob("*.md")} - {page.name}
    assert parts <= set(LINK.findall(text))
    assert [field.name for field in fields(Options) if f"`{field.name}`" not in text] == []


def test_the_edition_and_the_record_on_the_page_about_clue_are_such(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "clue" / "index.md").read_text("utf-8")
    box, written = re.findall(r"^```json\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    (tmp_path / "box.json").write_text(box, "utf-8")
    assert edition(str(tmp_path / "box.json")).canonical("skipper") == "captain"
    record = ClueRecord.from_json(json.loads(written))
    assert record.observer == "Ada"
    assert len(record.events) == 4


def test_every_engine_has_its_paragraph() -> None:
    text = (ROOT / "docs" / "beliefs" / "engines.md").read_text("utf-8")
    assert [name for name in NAMES if f"\n**{name}** " not in text] == []


def test_the_page_about_own_games_has_the_code_of_the_example_and_all_checks() -> None:
    text = (ROOT / "docs" / "your-own-game.md").read_text("utf-8")
    example = (ROOT / "examples" / "your_own_game.py").read_text("utf-8")
    pieces = re.findall(
        r"^((?:@kernel\n)?(?:def|class) .*?)(?=\n\n\n|\n```)", text, re.M | re.DOTALL
    )
    assert len(pieces) == 18
    # Only the faults that the page shows, an option and its question are not in the example.
    other = [piece.partition("def ")[2] for piece in pieces if piece not in example]
    names = ["returns_by_worth", "mask_for_ever", "indifferent", "of_belief", "questions"]
    assert [piece.partition("(")[0] for piece in other] == names
    for checks in (CHECKS, BELIEF_CHECKS):
        assert [name for name in checks if f"\n| {name} | {checks[name]} |" not in text] == []


# What is used is on the face, so no reader is sent to a file


#: A file of the house; those of tests, benchmarks and examples are run or read as they are.
FILE_OF_THE_HOUSE = re.compile(rf"(?<![\w/])(?:\.\./)*(?:{'|'.join(ORDER)})/[\w/]+\.py\b")
#: Of the face, such as `` `Asking` of `sleuth.kit` ``.
OF_THE_FACE = re.compile(r"`(\w+)(?:\([^`]*\))?` of\s+`(sleuth(?:\.\w+)*)`")
#: Files that a page names although nobody uses them, with why.
TO_BE_READ = {
    ("docs/beliefs/engines.md", "beliefs/engines/copies/kernels.py"): "its head has the derivation",
    ("docs/cheat/agents.md", "beliefs/games/cheat/imagined.py"): "constants that nobody sets",
}


def pages_for_users() -> list[Path]:
    """README and the pages that tell what to do; those of results and tools are of the inside."""
    inside = ROOT / "docs" / "results", ROOT / "docs" / "tools"
    found = [page for page in PAGES if ROOT / "docs" in page.parents]
    return [
        ROOT / "README.md",
        *(page for page in found if not any(each in page.parents for each in inside)),
    ]


def hints(source: str) -> Iterator[str]:
    """The texts of a module that somebody may read when it runs: all but its docstrings."""
    nodes = list(ast.walk(ast.parse(source)))
    told = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.value


def test_no_page_sends_its_reader_to_a_file_of_the_house() -> None:
    found = {
        (page.relative_to(ROOT).as_posix(), name.replace("../", ""))
        for page in pages_for_users()
        for name in FILE_OF_THE_HOUSE.findall(page.read_text("utf-8"))
    }
    assert found == set(TO_BE_READ)


def test_no_hint_sends_its_reader_to_a_file_of_the_house() -> None:
    assert [
        f"{path.relative_to(ROOT)}: {hint}"
        for path in python_files()
        if FILE_OF_THE_HOUSE.search(text := path.read_text("utf-8"))
        for hint in hints(text)
        if FILE_OF_THE_HOUSE.search(hint)
    ] == []


@pytest.mark.parametrize(
    "text, wrong",
    [
        ("`Asking` in `beliefs/games/contract.py`", True),
        ("[features](../../beliefs/games/features.py)", True),
        ("`tests/beliefs/test_kinds.py` holds it", False),
        ("`benchmarks/cheat/keys.py` compares", False),
        ("[models](models) has the rules", False),
    ],
)
def test_a_file_of_the_house_is_found(text: str, wrong: bool) -> None:
    assert (FILE_OF_THE_HOUSE.search(text) is not None) == wrong
    assert [*hints(f'"""{text}"""\nhint = "{text}"')] == [text]


def test_what_pages_say_to_be_of_the_face_is_on_it() -> None:
    found = {
        (page.name, name, module)
        for page in pages_for_users()
        for name, module in OF_THE_FACE.findall(page.read_text("utf-8"))
    }
    assert len(found) >= 12
    assert [each for each in sorted(found) if not hasattr(import_module(each[2]), each[1])] == []
