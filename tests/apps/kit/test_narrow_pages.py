"""Pages on a phone: no word is broken into letters, and what is wider than its place scrolls.

Looked at in Chromium at 390 pixels. Here it is checked what that rests on.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser

import pytest

from sleuth import Play, game
from sleuth.apps.kit.analysis.any_game import AnyGame
from sleuth.apps.kit.records.contract import AnalysisRequest
from sleuth.apps.scotland_yard.report.page import HuntPage
from sleuth.beliefs.games.registry import belief_or_none
from sleuth.games.clue import ClueRecord
from sleuth.kit import display

from ..cheat import games as cheat
from ..clue.analyses import analyse
from ..clue.analyses import html_report as clue_page
from ..games import small
from ..scotland_yard import hunts


class Tables(HTMLParser):
    """Which tables of a page stand in nothing that scrolls, and the page's rules."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.classes: list[set[str]] = []
        self.tables = 0
        self.alone: list[str] = []
        self.rules = "".join(re.findall(r"<style>(.*?)</style>", page, re.DOTALL))
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("meta", "br", "img", "rect", "circle", "path", "line", "polyline"):
            return
        own = set((dict(attrs).get("class") or "").split())
        if tag == "table":
            self.tables += 1
            if not any("scroll" in each for each in self.classes):
                self.alone.append(str(attrs))
        self.classes.append(own)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("meta", "br", "img", "rect", "circle", "path", "line", "polyline"):
            self.classes.pop()


def of_any_game() -> str:
    of = game("saboteur")
    play = Play.new(of, seed=3)
    for _ in range(3):
        play.apply(int(play.legal()[0]))
    made = AnyGame(of, belief_or_none(of), display(of))
    asked = AnalysisRequest(agent="none", observer="player 1")
    return made.analysed(play.record().to_json(), asked, lambda *_: None).html()


PAGES: dict[str, Callable[[], str]] = {
    "clue": lambda: clue_page(analyse(ClueRecord.from_json(small()).seen_by(), advice=2)),
    "cheat": lambda: cheat.page(cheat.analysed()),
    "scotland yard": lambda: HuntPage().html([hunts.analysed(2)]),
    "any game": of_any_game,
}


@pytest.mark.parametrize("kind", PAGES)
def test_words_stay_whole_and_every_table_scrolls(kind: str) -> None:
    found = Tables(PAGES[kind]())
    assert found.tables
    assert found.alone == []
    # Columns are as wide as their longest word. Where that is too much, a shadow says so.
    (body,) = re.findall(r"^body \{(.*?)^\}", found.rules, re.DOTALL | re.MULTILINE)
    assert "overflow-wrap: break-word" in body
    broken = re.findall(r"([^{}]*)\{[^{}]*(?:overflow-wrap: anywhere|word-break)", found.rules)
    assert [selector.strip() for selector in broken] == ["code"]
    scroll = next(rule for rule in re.findall(r"\.scroll \{(.*?)\}", found.rules, re.DOTALL))
    assert "overflow-x: auto" in scroll
    assert scroll.count("local") == 2
    assert scroll.count("var(--shade)") == 2
