"""Clue as a race: who knows accuses rightly, who does not passes."""

from __future__ import annotations

import numpy as np
import pytest

from sleuth import Play
from sleuth.games.clue import PASS, clue_table
from sleuth.kit import generator
from sleuth.models.clue.game import ACCUSE, SHOW
from sleuth.models.clue.imagined.race import KNOWING, ROUNDS, begin, race
from sleuth.models.game import legal_actions

GAME = clue_table(players=3)


def suggested(knows: float, seed: int = 1):
    """A race after the first suggestion and what was shown, all knowing with this chance."""
    game = race(GAME)
    game.tables.knows[:] = knows
    states, random = game.initial(seed), generator(seed)
    for _ in range(2):
        action = legal_actions(game, states)[0]
        game.apply(states[0], int(action), game.tables, random)
    return game, states


def test_who_knows_accuses_rightly_and_wins() -> None:
    game, states = suggested(1.0)
    assert states[0].stage == KNOWING
    (action,) = legal_actions(game, states).tolist()
    assert ACCUSE <= action < PASS
    me = int(states[0].player)
    game.apply(states[0], action, game.tables, generator(1))
    assert states[0].winner == me


def test_who_does_not_know_passes() -> None:
    game, states = suggested(0.0)
    assert legal_actions(game, states).tolist() == [PASS]
    game.apply(states[0], PASS, game.tables, generator(1))
    assert states[0].player == 1
    assert legal_actions(game, states).max() < SHOW


def test_as_many_know_as_the_tables_say() -> None:
    known = [suggested(0.3, seed)[1][0].stage == KNOWING for seed in range(1, 801)]
    assert abs(np.mean(known) - 0.3) < 0.06


def test_the_fewer_bits_are_open_the_sooner_one_knows() -> None:
    game, view = race(GAME), Play.new(GAME, seed=1).view(0)
    soon = []
    for bits in (6.5, 4.5, 2.2, 1.0, 0.0):
        begin(game, view, np.array([[bits, 4.5, 4.5]]))
        mine = game.tables.knows[0]
        assert mine.shape == (ROUNDS,)
        assert (np.diff(mine) >= 0.0).all()
        soon.append(float(mine[0]))
        assert (game.tables.knows[1] == game.tables.knows[2]).all()
    assert soon == sorted(soon)
    assert soon[-1] == 1.0


def test_worlds_count_equally_as_long_as_nobody_knows() -> None:
    """Half knows at once in one of two worlds; what is left are those of the other one."""
    game, view = race(GAME), Play.new(GAME, seed=1).view(0)
    begin(game, view, np.array([[5.5, 0.0, 0.0], [5.5, 5.5, 0.0]]))
    mine, theirs, certain = game.tables.knows[:3]
    assert theirs[0] == pytest.approx((1.0 + mine[0]) / 2)
    assert theirs[1:] == pytest.approx(mine[1:])
    assert (certain == 1.0).all()
