"""Pictures of a game of Cheat: how likely every claim was, and hidden hands over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ...kit.number_words import percent
from ...kit.pages.chart import event_numbers, levels, picture
from ...kit.pages.frame import Frame
from ...kit.pages.markup import Html, element, join
from ..findings import CheatFindings, Hand
from ..words import claimed

_ROW: Final = 17.0
#: Shade of what is barely expected: it must stand out from what is ruled out.
_LEAST_SHADE: Final = 0.06
#: Below this width of a field the true numbers are left out.
_ROOM: Final = 9.0


@dataclass(frozen=True)
class ClaimMark:
    """A claim in the picture.

    Attributes:
        turn: Of the game, from 1.
        words: Who claims what.
        probability: P(it is true), which says how high the mark is.
        true: Whether it was; None where nobody knows.
        called: Whether it was called.
    """

    turn: int
    words: str
    probability: float
    true: bool | None
    called: bool


def marks_of(found: CheatFindings) -> list[ClaimMark]:
    """The marks of the claims of a game for two."""
    return [
        ClaimMark(
            claim.turn,
            f"{found.recorded.name_of(claim.by)} claims {claimed(claim.rank, claim.count)}",
            claim.probability,
            claim.true,
            bool(claim.called),
        )
        for claim in found.claims
    ]


def claims_chart(
    marks: Sequence[ClaimMark], kinds: Sequence[str], *, width: float, height: float, class_: str
) -> Html:
    """Every claim as a mark, as high as it was likely to be true; with hover titles.

    Args:
        marks: The claims.
        kinds: What the turns of the game were; a ``"call"`` has a line.
        width, height, class_: Of the picture.
    """
    turns = len(kinds)
    frame = Frame(width, height, turns, left=46.0, bottom=30.0)
    return picture(
        frame,
        "How likely every claim was to be true, over the turns of the game",
        f"chart claims {class_}",
        levels(frame, (0.0, 0.25, 0.5, 0.75, 1.0), "{:.0%}".format),
        event_numbers(frame, frame.height - 10, 26.0),
        _calls(frame, kinds),
        join(_mark(frame, mark) for mark in marks),
    )


def key() -> Html:
    """The key to the marks of the claims."""
    parts = (
        ("true", "it was true"),
        ("lie", "it was a lie"),
        ("open", "nobody knows"),
        ("true called", "it was called"),
    )
    return element(
        "ul",
        *(
            element(
                "li",
                element("svg", _sign(9.0, 9.0, kind), viewBox="0 0 18 18", aria_hidden="true"),
                text,
            )
            for kind, text in parts
        ),
        element("li", element("i", class_="pile"), "the pile was turned up"),
        class_="legend",
    )


def _calls(frame: Frame, kinds: Sequence[str]) -> Html:
    floor = frame.y(0.0)
    return join(
        element("line", x1=frame.x(turn), x2=frame.x(turn), y1=frame.top, y2=floor, class_="reveal")
        for turn, kind in enumerate(kinds, start=1)
        if kind == "call"
    )


def _mark(frame: Frame, claim: ClaimMark) -> Html:
    kind = "open" if claim.true is None else "true" if claim.true else "lie"
    kind += " called" if claim.called else ""
    was = {None: "", True: "; it was true", False: "; it was a lie"}[claim.true]
    said = (
        f"turn {claim.turn}, {claim.words}: {percent(claim.probability)} %{was}"
        f"{', and was called' if claim.called else ''}"
    )
    x, y = frame.x(claim.turn), frame.y(claim.probability)
    return element("g", element("title", said), _sign(x, y, kind))


def _sign(x: float, y: float, kind: str) -> Html:
    """A disc for a true claim, a cross for a lie, with a ring where it was called."""
    parts: list[Html] = []
    if "lie" in kind:
        path = f"M{x - 4:.1f} {y - 4:.1f}l8 8m0 -8l-8 8"
        parts.append(element("path", d=path, class_="lie"))
    else:
        parts.append(
            element("circle", cx=x, cy=y, r=3.8, class_="open" if "open" in kind else "true")
        )
    if "called" in kind:
        parts.append(element("circle", cx=x, cy=y, r=7.2, class_="ring"))
    return join(parts)


def hand_strips(found: CheatFindings, hands: Sequence[Hand], *, width: float, class_: str) -> Html:
    """One strip a rank: the darker, the more cards were to be expected; dots are what there was.

    Args:
        found: The game.
        hands: Of one viewer and one hidden hand, in their order.
        width: Of the picture.
        class_: Of the picture.
    """
    ranks = found.recorded.ranks
    most = float(max(hands[0].counts.shape[1] - 1, 1))
    height = len(ranks) * _ROW + 26
    turns = len(found.recorded.record.turns)
    frame = Frame(width, height, turns, left=52.0, right=16.0)
    parts: list[Html] = []
    for row, rank in enumerate(ranks):
        y = 2.0 + row * _ROW
        parts.append(element("text", rank, x=frame.left - 7, y=y + 12, text_anchor="end"))
        fields: list[Html] = []
        for place, hand in enumerate(hands):
            end = hands[place + 1].turn if place + 1 < len(hands) else turns + 1
            left, right = frame.x(hand.turn) - frame.step / 2, frame.x(end) - frame.step / 2
            fields.append(_field(hand, row, rank, (left, y, right - left), most))
        parts.append(element("g", *fields))
    return picture(
        frame,
        "How many cards of each rank were to be expected, turn by turn",
        f"strips hand {class_}",
        *parts,
        event_numbers(frame, height - 6, 26.0),
    )


def _field(hand: Hand, row: int, rank: str, box: tuple[float, float, float], most: float) -> Html:
    x, y, width = box
    expected, true = float(hand.expected[row]), None if hand.truth is None else hand.truth[row]
    if expected <= 0.0 and not true:
        return Html("")
    said = f"{rank}, after turn {hand.turn}: {expected:.1f} to be expected"
    said += "" if true is None else f", {true} there"
    shade = _LEAST_SHADE + (1.0 - _LEAST_SHADE) * min(expected / most, 1.0)
    field = element(
        "rect",
        element("title", said),
        x=x,
        y=y,
        width=max(width - 0.6, 0.6),
        height=_ROW - 1.5,
        fill_opacity=f"{shade if expected > 0.0 else 0.0:.3f}",
    )
    if not true or width < _ROOM:
        return field
    middle, gap = x + width / 2, min(4.2, (width - 2.0) / 4)
    dots = [
        element("circle", cx=middle + (n - (true - 1) / 2) * gap, cy=y + _ROW / 2 - 0.7, r=1.5)
        for n in range(true)
    ]
    return join([field, *dots])
