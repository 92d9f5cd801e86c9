"""The notebook: who may hold which card, as a table shaded by probability."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....models.clue.cards import CASE_FILE, FACE_DOWN, FACE_UP
from ...kit.number_words import percent
from ...kit.pages.markup import Html, element, join, listed
from ..findings import left_over_at
from ..words import size_of

if TYPE_CHECKING:
    from ...kit.proving import Proven
    from ..findings import ClueAnalysis


def notebook(analysis: ClueAnalysis) -> Html:
    """The table card x holder after the last event; certain cells link to their reasons."""
    certain = {(each.name, each.value): each for each in analysis.proven}
    players = analysis.findings.seen.players
    holders = [CASE_FILE, *players, *left_over_at(analysis.findings.seen)]
    columns = join(element("col", class_="who") for _ in holders)
    bodies = [
        element(
            "tbody",
            element(
                "tr",
                element("th", kind + "s", scope="rowgroup", colspan=len(holders) + 1),
                class_="kind",
            ),
            *(
                element(
                    "tr",
                    element("th", card, scope="row"),
                    *(_cell(analysis, card, who, certain.get((card, who))) for who in holders),
                )
                for card in cards
            ),
        )
        for kind, cards in analysis.findings.edition.categories.items()
    ]
    return element(
        "div",
        element(
            "table",
            element("caption", "Probability of every card being with every holder, in percent"),
            element("colgroup", element("col", class_="what"), columns),
            element("thead", element("tr", element("td"), *(_head(analysis, w) for w in holders))),
            *bodies,
            class_="notebook",
        ),
        class_="scroll",
    )


def _head(analysis: ClueAnalysis, who: str) -> Html:
    seen = analysis.findings.seen
    sizes = {
        CASE_FILE: "3",
        FACE_UP: str(len(seen.face_up)),
        FACE_DOWN: str(seen.left_over),
        **{player: size_of(seen, player) for player in seen.players},
    }
    of_viewer = seen.is_player and who == seen.viewer
    classes = ["file"] if who == CASE_FILE else ["viewer"] if of_viewer else []
    title = f"{who}: {sizes[who]} cards" + (", the viewer" if of_viewer else "")
    return element(
        "th",
        element("span", element("bdi", who), element("small", f" {sizes[who]}"), class_="head"),
        scope="col",
        title=title,
        class_=" ".join(classes) or None,
    )


def _cell(analysis: ClueAnalysis, card: str, who: str, certainty: Proven | None) -> Html:
    probability = analysis.findings.marginals[card].get(who, 0.0)
    classes = ["file"] if who == CASE_FILE else []
    if certainty is not None:
        known = not certainty.events
        classes += ["sure", "known"] if known else ["sure"]
        why = "known from the start" if known else f"by {_events(certainty.events)}"
        mark = element("a", "\N{CHECK MARK}", href=f"#why-{_slug(card)}")
        return _shaded(mark, f"{card} is certainly with {who}, {why}", classes, 1.0)
    if probability == 0.0:
        word = "certainly not" if analysis.exact else "never drawn"
        return _shaded(Html("\N{MIDDLE DOT}"), f"{card}, {who}: {word}", [*classes, "never"], None)
    title = f"{card}, {who}: {percent(probability, 2)} %"
    return _shaded(percent(probability), title, classes, probability)


def _shaded(content: object, title: str, classes: list[str], shade: float | None) -> Html:
    return element(
        "td",
        content,
        title=title,
        class_=" ".join(classes) or None,
        style=None if shade is None else f"--p:{shade:.3f}",
    )


def _events(numbers: tuple[int, ...]) -> str:
    noun = "event" if len(numbers) == 1 else "events"
    return f"{noun} {listed(numbers)}"


def _slug(card: str) -> str:
    return card.replace(" ", "-")
