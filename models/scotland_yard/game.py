"""Scotland Yard as a game: its settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
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
from .editions import EDITIONS, edition_of
from .events import role
from .fields import fields
from .state import (
    BLACK,
    MOST_ROUNDS,
    MOST_SEEKERS,
    RULES,
    STATE,
    STATIONS,
    TAXI,
    TICKETS,
    ScotlandYardTables,
    bits_of,
    map_table,
    stations_of,
)

NAME: Final = "scotland_yard"
#: The version of the rules of each edition; the later one had no start cards of its own before.
VERSIONS: Final = {"classic": 1, "later": 2}
MOST_TICKETS: Final = 1_000


def scotland_yard(
    edition: str = "classic",
    seekers: int = MOST_SEEKERS,
    rounds: int = MOST_ROUNDS,
    reveals: Sequence[int] | None = None,
    seeker_tickets: Sequence[int] | None = None,
    hider_tickets: Sequence[int] | None = None,
    black_fares: int | None = None,
    double_moves: int | None = None,
    hider_starts: Sequence[int] | None = None,
    seeker_starts: Sequence[int] | None = None,
) -> Game:
    """The game: 1 for who wins and -1 for who loses; the detectives win or lose together.

    Nijssen and Winands (2012), whose numbers are the defaults. See `docs/scotland_yard/index.md`.

    Args:
        edition: The box: ``"classic"``, or ``"later"`` with other start cards and tickets, and
            without the taxi from 13 to 14. What follows is as in the box where nothing is given.
        seekers: 1 to 5 detectives.
        rounds: 1 to 24 moves of the hider.
        reveals: The numbers of their moves after which they show themselves; None for 3, 8, 13, 18
            and 24, as far as there are so many moves.
        seeker_tickets: How many for taxi, bus and underground each detective gets.
        hider_tickets: How many of them the hider gets.
        black_fares, double_moves: How many the hider gets.
        hider_starts, seeker_starts: The stations on their start cards; nobody starts where another
            does.

    Raises:
        SettingsError: A number is out of range, or the hider could not move at all.

    >>> from sleuth.games.scotland_yard import scotland_yard
    >>> scotland_yard(seekers=2, rounds=5).settings["reveals"]
    [3]
    """
    where, box = f"{NAME}, ", edition_of(edition)
    count = whole_number(seekers, where + "seekers", least=1, most=MOST_SEEKERS)
    last = whole_number(rounds, where + "rounds", least=1, most=MOST_ROUNDS)
    if reveals is None:
        reveals = [number for number in box.reveals if number <= last]
    shown = sorted(
        whole_number(number, where + "reveals", least=1, most=last) for number in reveals
    )
    seeker_tickets = box.seeker_tickets if seeker_tickets is None else seeker_tickets
    hider_tickets = box.hider_tickets if hider_tickets is None else hider_tickets
    black_fares = box.black_fares if black_fares is None else black_fares
    double_moves = box.double_moves if double_moves is None else double_moves
    seeker_has = [*_tickets(seeker_tickets, where + "seeker_tickets"), 0]
    blacks = whole_number(black_fares, where + "black_fares", least=0, most=MOST_TICKETS)
    doubles = whole_number(double_moves, where + "double_moves", least=0, most=MOST_TICKETS)
    hider_has = [*_tickets(hider_tickets, where + "hider_tickets"), blacks]
    cards = {
        name: list(usual) if given is None else _stations(given, where + name)
        for name, given, usual in (
            ("hider_starts", hider_starts, box.hider_starts),
            ("seeker_starts", seeker_starts, box.seeker_starts),
        )
    }
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
    row.hider_starts = bits_of(cards["hider_starts"])
    row.seeker_starts = bits_of(cards["seeker_starts"])
    row.doubles = doubles
    row.tracks = 1
    tables = ScotlandYardTables(_map_table(edition), settings)
    _check_start_cards(tables)
    return Game(
        name=NAME,
        version=VERSIONS[edition],
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
            **{name: each for name, each in cards.items() if each != list(getattr(box, name))},
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
        fields=fields(max(hider_has) + count * max(seeker_has), doubles),
        sum_of_returns=0.0 if count == 1 else None,
    )


def starts_of(game: Game) -> dict[str, list[int]]:
    """The stations on the start cards of a game, as its settings would have them."""
    rules = game.tables.rules[0]
    return {
        "hider_starts": [*stations_of(rules.hider_starts)],
        "seeker_starts": [*stations_of(rules.seeker_starts)],
    }


def earlier(version: int, settings: Mapping[str, Any]) -> Game | None:
    """The game as an earlier version had it: all editions with the start cards of the first."""
    if version >= VERSIONS.get(settings.get("edition", ""), version):
        return None
    first, others = edition_of(EDITIONS[0]), dict(settings)
    others |= {"hider_starts": first.hider_starts, "seeker_starts": first.seeker_starts}
    made = scotland_yard(**others)
    return replace(made, version=version, settings=dict(settings))


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


def _stations(given: Sequence[int], where: str) -> list[int]:
    """Stations of start cards, ascending.

    Raises:
        SettingsError: One is none, or is listed twice.
    """
    listed = sorted(whole_number(station, where, least=1, most=STATIONS) for station in given)
    if len(set(listed)) < len(listed):
        raise SettingsError("there is one card for a station", where=where, value=tuple(given))
    return listed


def _check_start_cards(tables: ScotlandYardTables) -> None:
    """Refuse start cards that do not suffice, or with which the hider can be shut in at once.

    Raises:
        SettingsError: They do not.
    """
    rules, board = tables.rules[0], tables.board[0]
    hiders, seekers = stations_of(rules.hider_starts), {*stations_of(rules.seeker_starts)}
    count = int(rules.seekers)
    if not hiders:
        raise SettingsError("the hider needs a start card", where=f"{NAME}, hider_starts")
    for start in hiders:
        if len(seekers - {start}) < count:
            raise SettingsError(
                f"{count} detectives need as many start cards that the hider has not drawn",
                where=f"{NAME}, seeker_starts",
                value=tuple(sorted(seekers)),
            )
        near = {
            int(board.target[move])
            for ticket in np.flatnonzero(rules.hider_tickets).tolist()
            for move in range(board.first[start, ticket], board.first[start, ticket + 1])
        }
        if len(near & seekers) == len(near) <= count:
            raise SettingsError(
                "the detectives could start at all stations around this one",
                where=f"{NAME}, hider_starts",
                value=start,
                hint="leave it out, or one of the cards of the detectives around it",
            )


def _most_actions(tables: ScotlandYardTables) -> int:
    """The most moves of the hider with every ticket that the hider can ever have."""
    settings = tables.rules[0]
    has = (settings.hider_tickets > 0) | (settings.seeker_tickets > 0)
    most = int((np.diff(tables.board[0].first, axis=1) * has).sum(axis=1).max())
    return 2 * most if settings.doubles > 0 and settings.rounds > 1 else most
