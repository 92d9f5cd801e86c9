"""Scotland Yard as a game: its settings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any, Final

import numpy as np

from ...data.checks import whole_number
from ...data.errors import SettingsError
from ..game import Game
from ..settings import one_record, rules_of
from . import rules
from .advice.offered import advice
from .advice.playouts import greedy_chase
from .board import board
from .events import role
from .state import (
    BLACK,
    MOST_ROUNDS,
    MOST_SEEKERS,
    RULES,
    STATE,
    TAXI,
    TICKETS,
    ScotlandYardTables,
    map_table,
)

NAME: Final = "scotland_yard"
REVEALS: Final = (3, 8, 13, 18, 24)
#: Taxi, bus, underground.
SEEKER_TICKETS: Final = (10, 8, 4)
HIDER_TICKETS: Final = (4, 3, 3)
MOST_TICKETS: Final = 1_000


def scotland_yard(
    edition: str = "classic",
    seekers: int = MOST_SEEKERS,
    rounds: int = MOST_ROUNDS,
    reveals: Sequence[int] | None = None,
    seeker_tickets: Sequence[int] = SEEKER_TICKETS,
    hider_tickets: Sequence[int] = HIDER_TICKETS,
    black_fares: int = 5,
    double_moves: int = 2,
) -> Game:
    """The game: 1 for who wins and -1 for who loses; the detectives win or lose together.

    Nijssen and Winands (2012), whose numbers are the defaults. See `docs/scotland_yard/index.md`.

    Args:
        edition: The map: ``"classic"``, or ``"later"`` without the taxi from 13 to 14.
        seekers: 1 to 5 detectives.
        rounds: 1 to 24 moves of the hider.
        reveals: The numbers of their moves after which they show themselves; None for 3, 8, 13, 18
            and 24, as far as there are so many moves.
        seeker_tickets: How many for taxi, bus and underground each detective gets.
        hider_tickets: How many of them the hider gets.
        black_fares, double_moves: How many the hider gets.

    Raises:
        SettingsError: A number is out of range, or the hider could not move at all.

    >>> from sleuth.games.scotland_yard import scotland_yard
    >>> scotland_yard(seekers=2, rounds=5).settings["reveals"]
    [3]
    """
    where = f"{NAME}, "
    count = whole_number(seekers, where + "seekers", least=1, most=MOST_SEEKERS)
    last = whole_number(rounds, where + "rounds", least=1, most=MOST_ROUNDS)
    if reveals is None:
        reveals = [number for number in REVEALS if number <= last]
    shown = sorted(
        whole_number(number, where + "reveals", least=1, most=last) for number in reveals
    )
    seeker_has = [*_tickets(seeker_tickets, where + "seeker_tickets"), 0]
    blacks = whole_number(black_fares, where + "black_fares", least=0, most=MOST_TICKETS)
    doubles = whole_number(double_moves, where + "double_moves", least=0, most=MOST_TICKETS)
    hider_has = [*_tickets(hider_tickets, where + "hider_tickets"), blacks]
    if hider_has[TAXI] + hider_has[BLACK] == 0:
        raise SettingsError(
            "the hider needs a taxi ticket or a black fare for the first move",
            where=where + "hider_tickets",
            value=tuple(hider_tickets),
        )
    settings = one_record(RULES)
    row = settings[0]
    row.reveals[shown] = 1
    row.seekers = count
    row.rounds = last
    row.seeker_tickets = seeker_has
    row.hider_tickets = hider_has
    row.doubles = doubles
    row.tracks = 1
    tables = ScotlandYardTables(_map_table(edition), settings)
    return Game(
        name=NAME,
        version=1,
        roles=tuple(map(role, range(count + 1))),
        teams=("hider", *("seekers",) * count),
        state=STATE,
        tables=tables,
        settings={
            "edition": edition,
            "seekers": count,
            "rounds": last,
            "reveals": shown,
            "seeker_tickets": seeker_has[:BLACK],
            "hider_tickets": hider_has[:BLACK],
            "black_fares": blacks,
            "double_moves": doubles,
        },
        action_space=2 * int(tables.board[0].moves),
        max_actions=_most_actions(tables),
        # A detective moves as often as they have tickets, and not more often than the hider.
        max_depth=last + count * min(last, sum(seeker_has)),
        lowest=-1,
        highest=1,
        **rules_of(rules),
        columns=1,
        policy=greedy_chase,
        advice=advice(count + 1),
        action_name=partial(_action_name, tables),
    )


@lru_cache
def _map_table(edition: str) -> Any:
    """The map for kernels, which only read it: all games have the same."""
    return map_table(board(edition))


def _action_name(tables: ScotlandYardTables, action: int) -> str:
    board = tables.board[0]
    move = action % board.moves
    name = f"{TICKETS[board.ticket[move]]} {board.origin[move]} to {board.target[move]}"
    return f"{name}, first of two" if action >= board.moves else name


def _tickets(given: Sequence[int], where: str) -> list[int]:
    listed: list[Any] = list(given)
    if len(listed) != BLACK:
        raise SettingsError(
            "three numbers are needed", where=where, value=given, hint="taxi, bus, underground"
        )
    return [whole_number(number, where, least=0, most=MOST_TICKETS) for number in listed]


def _most_actions(tables: ScotlandYardTables) -> int:
    """The most moves of the hider with every ticket that the hider can ever have."""
    settings = tables.rules[0]
    has = (settings.hider_tickets > 0) | (settings.seeker_tickets > 0)
    most = int((np.diff(tables.board[0].first, axis=1) * has).sum(axis=1).max())
    return 2 * most if settings.doubles > 0 and settings.rounds > 1 else most
