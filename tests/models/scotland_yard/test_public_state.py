"""What everybody saw of a game is enough to know all that is public in it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sleuth import SPECTATOR, Play
from sleuth.games.scotland_yard import scotland_yard
from sleuth.models.scotland_yard import HIDER
from sleuth.models.scotland_yard.public_state import (
    even_chances,
    followed,
    public_start,
    stuck_stations,
)
from sleuth.models.scotland_yard.state import THE_HIDER, THE_SEEKERS

SETTINGS: dict[str, dict[str, Any]] = {
    "classic": {},
    "few tickets": {
        "seeker_tickets": (0, 5, 5),
        "hider_tickets": (3, 0, 0),
        "black_fares": 0,
        "double_moves": 3,
    },
    "many double moves": {"seekers": 5, "rounds": 12, "double_moves": 9, "black_fares": 9},
}


@pytest.mark.parametrize("name", SETTINGS)
def test_the_public_state_follows_from_what_everybody_saw(name: str) -> None:
    game = scotland_yard(**SETTINGS[name])
    endings: set[tuple[int, bool]] = set()
    for seed in range(80):
        play, rng = Play.new(game, seed=seed), np.random.default_rng(seed)
        states = public_start(play.seen_by(seed % game.players).start)
        assert states.tobytes() == play.view(SPECTATOR).data
        while not play.over:
            play.apply(int(rng.choice(play.legal())))
            event = play.seen_by(SPECTATOR).events[-1].event
            before = states.tobytes()
            after = followed(states, event.mover, event.observation, game.tables)
            assert states.tobytes() == before
            assert after.tobytes() == play.view(SPECTATOR).data
            states = after
        state = play.truth()[0]
        endings.add((int(state.won), bool(state.captor > 0)))
    expected = {(THE_SEEKERS, False)} if name == "few tickets" else {(THE_HIDER, False)}
    assert endings >= {(THE_SEEKERS, True), *expected}


def test_even_chances_are_one_over_the_number_of_legal_actions() -> None:
    game = scotland_yard(double_moves=1)
    board = game.tables.board[0]
    met: set[bool] = set()
    for seed in range(10):
        play, rng = Play.new(game, seed=seed), np.random.default_rng(seed)
        while not play.over:
            if play.player == HIDER:
                state = play.view(SPECTATOR).states[0]
                chances = np.zeros(int(board.moves))
                even_chances(state, game.tables, chances)
                legal = play.legal()
                met.add(bool((legal >= board.moves).any()))
                here = board.origin[: len(chances)] == play.truth()[0].stations[HIDER]
                expected = np.zeros(2 * len(chances))
                expected[legal] = 1.0 / len(legal)
                assert chances[here] == pytest.approx(expected[: len(chances)][here])
            play.apply(int(rng.choice(play.legal())))
    assert met == {True, False}


def test_he_is_shut_in_where_detectives_stand_on_all_that_his_tickets_reach() -> None:
    game = scotland_yard(black_fares=0, hider_tickets=(1, 0, 0))
    states = public_start(Play.new(game, seed=0).seen_by(SPECTATOR).start)
    # From 18 taxis go to 8, 31 and 43, and nothing else goes from there.
    states[0].stations[1:] = [8, 31, 43, 100, 150]
    assert stuck_stations(states, game.tables) == [18]
    states[0].stations[3] = 44
    assert stuck_stations(states, game.tables) == []
    states[0].tickets[HIDER] = 0
    assert len(stuck_stations(states, game.tables)) == 199
