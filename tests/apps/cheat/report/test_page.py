"""The report of a game of Cheat: one page that loads nothing and holds what names it is given."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

from sleuth.games.cheat import CheatRecord, analyse, seen_in

from ..games import analysed, page, predictor, short

VOID = {"meta", "br", "input"}


class Reader(HTMLParser):
    """Reads a page strictly: every element is closed where it should be."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(tag)
        assert all(not name.startswith("on") and name not in ("src", "href") for name, _ in attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    assert not {"script", "iframe", "img", "object"} & set(reader.found)
    assert "default-src &#x27;none&#x27;" in text
    return reader


def test_a_report_loads_nothing_and_has_a_mark_for_every_claim() -> None:
    found = analysed(turns=40)
    shown = page(found)
    read(shown)
    for claim in found.findings.claims:
        assert len(re.findall(rf"<title>turn {claim.turn}, ", shown)) == 2  # wide and narrow
    assert shown.count("<tr") == len(found.findings.claims) + 1


def test_a_game_in_which_nothing_happened_has_a_report() -> None:
    read(page(analysed(turns=0)))
    assert "nobody has won" in page(analysed(turns=0))


def test_names_are_text_and_nothing_else() -> None:
    record = replace(short(turns=6), players=("<script>alert(1)</script>", 'a"b&c'))
    named = CheatRecord.from_json(record.to_json())
    shown = page(analyse(seen_in([named], None, None), predictor=predictor()))
    read(shown)
    assert "&lt;script&gt;alert(1)" in shown
    assert "nothing counted twice" in shown


def test_a_viewer_is_not_shown_the_hand_of_one_he_does_not_know() -> None:
    record = short(turns=6)
    own = [
        turn if turn.by == 1 or turn.kind == "call" else replace(turn, cards=None)
        for turn in record.turns
    ]
    partly = CheatRecord.from_json(
        replace(record, hands=(None, record.hands[1]), turns=tuple(own)).to_json()
    )
    found = analyse(seen_in([partly], None, "p1"))
    assert all(hand.truth is None for hand in found.findings.hands)
    assert "Each dot is a card that was there" not in page(found)
