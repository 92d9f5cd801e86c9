"""Playouts of a public course framework with the newer box: every move, and how many there were.

The facts of `tests/data/scotland_yard/playouts.json` are those of the tests of a course framework
of the University of Bristol: who moved where with which tickets, and how many moves were legal.
Pieces are written as [station, taxi, bus, underground, double moves, black fares].
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sleuth import Game, Play
from sleuth.games.scotland_yard import TICKETS, scotland_yard
from sleuth.models.scotland_yard.record.replay import check_starts
from sleuth.models.scotland_yard.state import HIDER

PLAYOUTS = json.loads(
    (Path(__file__).parents[2] / "data" / "scotland_yard" / "playouts.json").read_text("utf-8")
)


def begun(told: dict[str, Any]) -> Play:
    """The game of a playout before its first move."""
    pieces = [told["hider"], *told["seekers"]]
    game = scotland_yard(
        edition="later", seekers=len(told["seekers"]), rounds=told["rounds"],
        reveals=told["reveals"], double_moves=told["hider"][4],
    )  # fmt: skip
    check_starts(game, [piece[0] for piece in told["seekers"]], told["hider"][0])
    states = game.initial(0)
    for player, (station, taxi, bus, underground, _, black) in enumerate(pieces):
        states[0].stations[player] = station
        # One detective of a playout has fewer tickets than the others.
        states[0].tickets[player] = (taxi, bus, underground, black)
    return Play.new(game, seed=0, start=states)


def turns(game: Game, states: Any) -> int:
    """The number of turns that the mover has: a double move is one for each second half."""
    state, codes = states[0], np.zeros(game.max_actions, dtype=np.int32)
    count, found = int(game.legal(state, game.tables, codes)), 0
    for code in codes[:count].tolist():
        if code < game.tables.board[0].moves:
            found += 1
            continue
        after = states.copy()
        game.apply(after[0], code, game.tables, None)
        halves = np.zeros(game.max_actions, dtype=np.int32)
        found += int(game.legal(after[0], game.tables, halves)) if after[0].player == HIDER else 0
    return found


@pytest.mark.parametrize("told", PLAYOUTS)
def test_every_move_of_a_public_playout_is_legal_among_as_many(told: dict[str, Any]) -> None:
    play = begun(told)
    board, made = play.game.tables.board[0], 0
    for player, moves, legal in told["moves"]:
        if not moves:
            # There a detective who cannot move has the one move of passing; here the turn goes on.
            assert legal == 1
            assert play.player != player
            continue
        assert play.player == player
        assert turns(play.game, play.truth()) == legal
        for place, (ticket, to) in enumerate(moves):
            here, kind = int(play.truth()[0].stations[player]), TICKETS.index(ticket)
            first, last = (int(board.first[here, kind + more]) for more in (0, 1))
            code = first + board.target[first:last].tolist().index(to)
            doubled = len(moves) == 2 and place == 0
            play.apply(code + int(board.moves) * doubled)
            made += 1
    assert made == len(play.actions) > 12


def test_the_framework_plays_without_the_taxi_that_the_newer_map_lacks() -> None:
    """With that taxi one of its counts would be two higher."""
    told = PLAYOUTS[1]
    play = begun(told)
    classic = scotland_yard(rounds=told["rounds"])
    counts: list[int] = []
    for player, moves, legal in told["moves"][:7]:
        assert play.player == player
        states = play.truth()
        counts.append(turns(classic, states) - legal)
        for place, (ticket, to) in enumerate(moves):
            doubled = len(moves) == 2 and place == 0
            name = f"{ticket} {states[0].stations[player] if not place else told_at(moves)} to {to}"
            name += ", first of two" if doubled else ""
            play.apply(next(c for c in play.legal() if play.game.action_name(int(c)) == name))
    assert counts == [0] * 6 + [2]


def told_at(moves: list[list[Any]]) -> int:
    """Where the first half of a double move led."""
    return int(moves[0][1])
