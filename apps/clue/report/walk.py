"""The walk on the board, in the report: a picture, the rooms, and where to step on each roll."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....models.clue.board.board import Square
from ....models.clue.board.squares import square_name
from ...kit.number_words import bits
from ...kit.pages.document import section
from ...kit.pages.markup import Html, element, join, name
from ..words import cards
from .board_picture import board_picture

if TYPE_CHECKING:
    from ..findings import ClueAnalysis, WalkPlan


def walk_section(analysis: ClueAnalysis) -> Html:
    """The last walk of the viewer with the case file open."""
    walk = analysis.findings.walk
    assert walk is not None, "there is a walk"
    event, plan = walk.standing.event, walk.plan
    ended = event == analysis.events
    when = "after the last event" if ended else f"before event {event + 1}"
    dice = "one die" if walk.standing.dice == 1 else "two dice"
    lead = (
        f"What was worth most to {analysis.viewer}, {when}, the last time that they could walk "
        f"with the case file open, by the planner of the paper, which counts bits alone. The "
        f"darker a room, the more it is worth: the bits that suggestions tell, minus "
        f"{plan.turn:g} for each turn it takes to get there, with {dice}. Rooms that "
        "promised less were looked at one suggestion ahead, the others two. The line is the way; "
        f"the ringed pawn is that of {analysis.viewer}; numbers are where to step with such a roll."
    )
    return section(
        "Where to go",
        lead,
        element("p", *_reason(walk, analysis.viewer), class_="summary"),
        element("div", board_picture(walk, analysis.viewer), class_="frame"),
        _rooms(walk),
        _rolls(walk),
    )


def _reason(walk: WalkPlan, viewer: str) -> list[object]:
    """The best way, and why."""
    plan, best = walk.plan, walk.plan.best
    between = [plan.ways.name(place) for place in plan.way[1:-1]]
    through = [place for place in between if isinstance(place, str)]
    by = f", by way of the {through[0]}" if through else ""
    passage = plan.passage
    said: list[object] = [
        "To the ",
        element("b", best.room),
        f"{by}, about {best.turns:.1f} turns away: to suggest ",
        cards(best.suggestion[:2]),
        f" there is expected to tell {bits(best.gain)} bits.",
    ]
    others = [room for room in plan.rooms if room.room != best.room and room.legs == best.legs]
    if others:
        other = others[0]
        said.append(
            f" With what may follow it is worth {bits(best.value)}; the {other.room}, "
            f"{other.turns:.1f} turns away with {bits(other.gain)} bits, is worth "
            f"{bits(other.value)}."
        )
    if passage is not None:
        said += [" ", name(viewer), f" need not roll: the secret passage leads to the {passage}."]
    return said


def _rooms(walk: WalkPlan) -> Html:
    head = element("tr", *(element("th", each) for each in ("room", "suggest")), *_heads())
    rows = [
        element(
            "tr",
            element("td", room.room),
            element("td", cards(room.suggestion[:2])),
            element("td", bits(room.gain), class_="number"),
            element("td", f"{room.turns:.1f}", class_="number"),
            element("td", bits(room.value), class_="number"),
            element("td", room.legs, class_="number"),
        )
        for room in walk.plan.rooms
    ]
    table = element(
        "table", element("thead", head), element("tbody", *rows), class_="turns walk-rooms"
    )
    return element("div", table, class_="scroll")


def _heads() -> list[Html]:
    return [element("th", each, class_="number") for each in ("bits", "turns", "worth", "ahead")]


def _rolls(walk: WalkPlan) -> Html:
    """The step for each roll that the dice can show; equal answers stand together."""
    plan = walk.plan
    said: dict[tuple[str, str], list[int]] = {}
    for roll in range(1, plan.ways.rolls.shape[0]):
        if plan.ways.rolls[roll] > 0.0:
            step = plan.step(roll)
            stays = step.place == plan.ways.name(plan.place)
            where = "stay" if stays else f"go to {_place(step.place)}"
            said.setdefault((where, step.because), []).append(roll)
    rows = [
        element(
            "li",
            element("b", ", ".join(map(str, rolls))),
            element("span", f"{where}: ", element("span", because, class_="why")),
        )
        for (where, because), rolls in said.items()
    ]
    return join([element("h3", "With a roll of"), element("ol", *rows, class_="rolls")])


def _place(place: str | Square) -> str:
    if isinstance(place, str):
        return f"the {place}"
    return square_name(place)
