"""The case file after the last event: bars by category, the leading triples, what to ask next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...kit.number_words import bits, number, percent
from ...kit.pages.document import section
from ...kit.pages.lists import bar
from ...kit.pages.markup import Html, element
from ..words import cards
from ..worth import ESTIMATED, YARDSTICK, tied_first

if TYPE_CHECKING:
    from ..findings import ClueAnalysis

TRIPLES: Final = 8
ADVICE: Final = 5


def category_bars(analysis: ClueAnalysis) -> Html:
    """Per category, every card that may be in the case file, likeliest first."""
    shares = analysis.timeline[-1].detail.case_file
    panels: list[Html] = []
    for kind, members in analysis.findings.edition.categories.items():
        ranked = sorted(members, key=lambda card: (-shares[card], members.index(card)))
        open_ = [card for card in ranked if shares[card] > 0.0]
        out = [card for card in members if shares[card] == 0.0]
        rows = [bar(card, percent(shares[card]) + " %", shares[card]) for card in open_]
        rest = element("p", "Not: ", cards(out), class_="out") if out else Html("")
        panels.append(element("div", element("h3", kind.capitalize()), element("ul", *rows), rest))
    return element("div", *panels, class_="panels bars")


def leading_triples(analysis: ClueAnalysis) -> Html:
    """The likeliest contents; bars are relative to the first."""
    shown = analysis.findings.case_file[:TRIPLES]
    if len(analysis.findings.case_file) == 1:
        return Html("")
    rows = [
        bar(cards(triple), percent(probability, 1) + " %", probability / shown[0][1])
        for triple, probability in shown
    ]
    left = len(analysis.findings.case_file) - len(shown)
    rest = f"and {number(left, 'other possible triple')}" if left else ""
    heading = element("h3", "All together" if not left else "Likeliest together")
    note = element("p", rest, class_="out") if rest else Html("")
    return element("div", heading, element("ol", *rows), note, class_="bars triples")


def advice(analysis: ClueAnalysis) -> Html:
    """The suggestions that would be worth most after the last event."""
    shown = [each for each in analysis.findings.advised[:ADVICE] if each.bits > 0.0005]
    if not shown:
        return Html("")
    rows = [
        bar(cards(each.cards), f"{bits(each.worth)} ({each.says})", each.worth / shown[0].worth)
        for each in shown
    ]
    tied = tied_first(shown)
    ties = f" The first {tied} are worth the same." if tied > 1 else ""
    drawn = f" {ESTIMATED}" if shown[0].drawn else ""
    return section(
        "What to ask next",
        f"The suggestions that would be worth most after the last event. {YARDSTICK}{ties}{drawn}",
        element("div", element("ol", *rows), class_="bars triples"),
    )
