"""The certain facts after the last event, and the events that prove them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....models.clue.cards import CASE_FILE, FACE_DOWN, FACE_UP
from ...kit.pages.markup import Html, element, join, listed, name
from ..words import size_of

if TYPE_CHECKING:
    from ...kit.proving import Proven
    from ..findings import ClueAnalysis


def certainties(analysis: ClueAnalysis) -> Html:
    """Per holder, the cards that are certainly there, in the order in which they became so."""
    if not analysis.proven:
        return element("p", "Nobody's cards are certain.")
    groups: list[Html] = []
    for who in (CASE_FILE, *analysis.findings.seen.players, FACE_UP, FACE_DOWN):
        found = [each for each in analysis.proven if each.value == who]
        if found:
            found.sort(key=lambda each: each.since or 0)
            title = Html(who.capitalize()) if who in (CASE_FILE, FACE_UP, FACE_DOWN) else name(who)
            groups.append(
                element(
                    "div",
                    element("h3", title, element("small", _count(analysis, who, len(found)))),
                    element("ul", *(_proof(each) for each in found)),
                    class_="file" if who == CASE_FILE else None,
                )
            )
    return element("div", *groups, class_="panels certain")


def _count(analysis: ClueAnalysis, who: str, found: int) -> str:
    if who == FACE_UP:
        return ""
    seen = analysis.findings.seen
    size = {CASE_FILE: 3, FACE_DOWN: seen.left_over, **dict(seen.hand_sizes)}[who]
    if size is None:
        return f" {found} of {size_of(seen, who)}"
    return f" all {size}" if found == size else f" {found} of {size}"


def _proof(each: Proven) -> Html:
    links = [element("a", event, href=f"#event-{event}") for event in each.events]
    noun = "event " if len(links) == 1 else "events "
    why = join([noun, listed(links), each.sooner]) if links else Html("from the start")
    return element(
        "li",
        element("span", each.name, class_="card"),
        " ",
        element("span", why, class_="why"),
        id=f"why-{each.name.replace(' ', '-')}",
    )
