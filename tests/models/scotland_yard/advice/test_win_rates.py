"""Win rates that were measured, by the round and the number of possible stations."""

from __future__ import annotations

import pytest

from sleuth import Play
from sleuth.games.scotland_yard import scotland_yard, stations_of
from sleuth.models.scotland_yard.advice import win_rates
from sleuth.models.scotland_yard.advice.win_rates import FEW, cell_of, win_rate
from sleuth.models.scotland_yard.state import HIDER


def test_a_rate_comes_with_its_games_and_is_that_of_its_cell() -> None:
    game = scotland_yard()
    play, said = Play.new(game, seed=3), 0
    while not play.over:
        if play.player != HIDER:
            state = play.view(1).states[0]
            found = win_rate(state, game.settings)
            if found is not None:
                said += 1
                (low, high), turn = found.interval, int(state.turn)
                assert found.games >= FEW
                assert 0.0 <= low <= found.rate <= high <= 1.0
                assert found.rounds[0] <= turn <= (found.rounds[1] or turn)
                count = len(stations_of(state.possible))
                assert found.possible[0] <= count <= (found.possible[1] or count)
        play.apply(int(play.legal()[0]))
    assert said


def test_other_settings_and_too_few_games_have_no_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    game = scotland_yard()
    play = Play.new(game, seed=3)
    play.apply(int(play.legal()[0]))
    state = play.view(1).states[0]
    assert win_rate(state, game.settings) is not None
    assert win_rate(state, scotland_yard(seekers=4).settings) is None
    cell = cell_of(state)
    few = {
        "settings": win_rates._table()["settings"],  # pyright: ignore[reportPrivateUsage]
        "cells": [{"round": cell[0], "possible": cell[1], "games": FEW - 1, "won": FEW - 1}],
    }
    monkeypatch.setattr(win_rates, "_table", lambda: few)
    assert win_rate(state, game.settings) is None
