"""Situations of Scotland Yard made by hand, and the names of moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sleuth import Game, Play
from sleuth.games.scotland_yard import TICKETS, scotland_yard
from sleuth.models.scotland_yard import HIDER
from sleuth.models.scotland_yard.state import bits_of

GAME = scotland_yard()


def situation(
    hider: int,
    seekers: Sequence[int],
    *,
    game: Game = GAME,
    player: int = HIDER,
    turn: int = 0,
    tickets: Mapping[int, Sequence[int]] | None = None,
    doubles: int = 2,
    possible: Sequence[int] | None = None,
) -> Play:
    """A game that goes on from somewhere; tickets are those of the start where none are given."""
    states = game.initial(0)
    state = states[0]
    state.player = player
    state.stations[:] = 0
    state.stations[: 1 + len(seekers)] = (hider, *seekers)
    state.turn = turn
    state.doubles = doubles
    for who, held in (tickets or {}).items():
        state.tickets[who] = held
    state.possible[:] = bits_of(list(possible or [hider]))
    return Play.new(game, seed=1, start=states)


def codes(game: Game = GAME) -> dict[str, int]:
    """The codes of all actions by their names."""
    return {game.action_name(code): code for code in range(game.action_space)}


CODES = codes()


def do(play: Play, *names: str) -> Play:
    """Make moves by their names, such as ``"taxi 1 to 8"``."""
    for name in names:
        play.apply(CODES[name])
    return play


def names(play: Play) -> set[str]:
    """The legal actions by their names."""
    return {play.game.action_name(int(code)) for code in play.legal()}


def state_of(play: Play) -> Any:
    return play.truth()[0]


def held(play: Play, player: int) -> dict[str, int]:
    return dict(zip(TICKETS, state_of(play).tickets[player].tolist(), strict=True))


def all_tickets(state: Any) -> int:
    """Taxi, bus and underground tickets of everybody, and those the hider has used."""
    return int(state.tickets[:, :3].sum() + np.isin(state.log, [0, 1, 2]).sum())
