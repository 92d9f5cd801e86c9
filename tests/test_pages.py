"""The pages of the documentation: their links lead somewhere, their records are records."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest

from sleuth.beliefs.engines import NAMES
from sleuth.games.clue import ClueRecord
from sleuth.planners.checking.belief_checks import CHECKS as BELIEF_CHECKS
from sleuth.planners.checking.conformance import CHECKS
from sleuth.search import Options

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
    """Straight, but for results and parts of the search, to which the pages about them lead."""
    linked = set(LINK.findall((ROOT / "README.md").read_text("utf-8")))
    pages = {
        page.relative_to(ROOT).as_posix()
        for page in (ROOT / "docs").glob("**/*.md")
        if page.parent.name not in ("results", "search")
    }
    assert pages <= {link.split("#")[0] for link in linked}


def test_the_page_about_the_search_leads_to_its_parts_and_names_every_option() -> None:
    page = ROOT / "docs" / "search" / "index.md"
    text = page.read_text("utf-8")
    parts = {part.name for part in page.parent.glob("*.md")} - {page.name}
    assert parts <= set(LINK.findall(text))
    assert [field.name for field in fields(Options) if f"`{field.name}`" not in text] == []


def test_the_record_on_the_page_about_clue_is_one() -> None:
    text = (ROOT / "docs" / "clue" / "index.md").read_text("utf-8")
    (written,) = re.findall(r"^```json\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
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
