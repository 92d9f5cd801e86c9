"""The board of Scotland Yard as a map: stations by their numbers, and the lines between them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Final

from ...models.scotland_yard.board import StationMap
from ..kit.answers.values import Map, Spot, Track
from .words import LETTERS as TICKET_LETTERS

#: The letter before a station that one can go to.
BLACK: Final = "black"
LETTERS: Final = {ticket: letter for letter, ticket in TICKET_LETTERS.items()}
#: Who is sought, and their letter on the map.
MR_X: Final = "Mr. X"
HIDER_SIGN: Final = "X"
#: What is thin is drawn last, so that it is seen.
TRACKS: Final = (
    Track("ferry", "dashed", "cyan"),
    Track("underground", "double", "magenta", "u"),
    Track("bus", "solid", "green", "b"),
    Track("taxi", "dotted", "yellow", "t"),
)


def yard_map(
    board: StationMap,
    pieces: Mapping[int, str],
    possible: Collection[int],
    *,
    goals: Mapping[int, tuple[str, ...]] = MappingProxyType({}),
    mover: int | None = None,
    centre: int | None = None,
    shares: Mapping[int, float] = MappingProxyType({}),
) -> Map:
    """The board as it stands.

    Args:
        board: The board.
        pieces: What stands at a station: station -> a letter.
        possible: Stations where Mr. X may be.
        goals: Where the one who moves can go: station -> tickets.
        mover: The station from where they go; None if nobody moves.
        centre: The station whose surroundings are shown; None for the whole board.
        shares: How likely Mr. X is at each station; empty where nobody asks.
    """
    may = {*possible}
    spots = tuple(
        Spot(
            str(station),
            x,
            y,
            piece=pieces.get(station, ""),
            goal=_letters(goals.get(station, ())),
            colour=_colour(goals[station]) if station in goals else "",
            possible=station in may,
            share=shares.get(station),
        )
        for station, (x, y) in enumerate(board.places, start=1)
    )
    order = [track.name for track in TRACKS]
    return Map(
        "The board",
        spots,
        TRACKS if goals else tuple(Track(t.name, t.stroke, t.colour) for t in TRACKS),
        tuple((one - 1, other - 1, order.index(way)) for one, other, way in board.connections),
        None if mover is None else mover - 1,
        None if centre is None else centre - 1,
        _legend(goals, close=centre is not None),
        _signs(pieces, goals),
        MR_X,
    )


def _signs(
    pieces: Mapping[int, str], goals: Mapping[int, tuple[str, ...]]
) -> tuple[tuple[str, str], ...]:
    """The letters on a page: of pieces, and of a ticket that is no kind of line."""
    said = [
        (piece, MR_X if piece == HIDER_SIGN else "detective")
        for piece in sorted({*pieces.values()})
    ]
    if any(BLACK in tickets for tickets in goals.values()):
        said.append((LETTERS[BLACK], "black fare"))
    return tuple(said)


def _legend(goals: Mapping[int, tuple[str, ...]], *, close: bool) -> str:
    said = ["t46 you can go there"] if goals else []
    if any(BLACK in tickets for tickets in goals.values()):
        said.append("x46 by black fare only")
    said += ["[1] detective", "[X] Mr. X"]
    said.append("46? Mr. X may be there" if close else "46 or + Mr. X may be there")
    return "; ".join([*said, *([] if close else ["o a station"])])


def _letters(tickets: Collection[str]) -> str:
    return "".join(letter for ticket, letter in LETTERS.items() if ticket in tickets)


def _colour(tickets: Collection[str]) -> str:
    return next((track.colour for track in TRACKS if track.name in tickets), TRACKS[0].colour)
