"""People as they are predicted: how likely they do something is how often they are drawn to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sleuth import Play
from sleuth.beliefs.games.cheat.imagined import OFFSET
from sleuth.beliefs.games.cheat.rival import predict_both, predicted_shares, rival_likelihoods
from sleuth.games.cheat import CheatBelief, cheat
from sleuth.kit import generator
from sleuth.models.game import legal_actions
from sleuth.models.kernels.kernel import kernel

GAME = cheat()


@kernel
def drawn(policy: Any, state: Any, actions: Any, tables: Any, random: Any, found: Any) -> None:
    """Count what a policy draws."""
    for _ in range(20_000):
        found[policy(state, actions, len(actions), tables, random)] += 1


@pytest.mark.parametrize("moves", [0, 3, 4, 9])
def test_shares_are_how_often_a_predicted_opponent_is_drawn_to_act(moves: int) -> None:
    play, rng = Play.new(GAME, seed=21), np.random.default_rng(moves)
    for _ in range(moves):
        legal = play.legal()
        play.apply(int(rng.choice(legal[legal > 0])))
    imagined = CheatBelief(predictor="usual").imagined(GAME)
    predict_both(imagined)
    imagined.tables.numbers[OFFSET] = 0.4
    state, actions = play.view(play.player).states[0], play.legal()
    shares, found = np.zeros(len(actions)), np.zeros(len(actions))
    predicted_shares(state, actions, len(actions), imagined.tables, shares)
    drawn(imagined.policy, state, actions, imagined.tables, generator(1), found)
    assert shares.sum() == pytest.approx(1.0)
    assert np.abs(found / found.sum() - shares).max() < 0.015


def test_how_likely_an_opponent_did_all_they_did_is_the_product_of_shares() -> None:
    belief, play = CheatBelief(predictor="usual"), Play.new(GAME, seed=3)
    for code in (2, 6, 1, 7):
        play.apply(code if code in play.legal() else int(play.legal()[-1]))
    view, seen = play.view(0), play.seen_by(0)
    rng = np.random.default_rng(1)
    found = belief.histories(belief.infer(view, seen), view, seen, 5, rng)
    assert found is not None
    imagined = belief.imagined(GAME)
    predict_both(imagined)
    likely = rival_likelihoods(imagined, found, 0)
    for place in range(5):
        states, product = found.starts[place : place + 1].copy(), 1.0
        steps = zip(found.actions[place].tolist(), found.listed[place].tolist(), strict=True)
        for code, listed in steps:
            if states[0].player == 1:
                actions = legal_actions(GAME, states)
                shares = np.zeros(len(actions))
                predicted_shares(states[0], actions, len(actions), imagined.tables, shares)
                product *= shares[actions.tolist().index(listed)]
            GAME.apply(states[0], code, GAME.tables, generator(0))
        assert likely[place] == pytest.approx(product)
    assert 0 < likely.min() < likely.max() < 1
