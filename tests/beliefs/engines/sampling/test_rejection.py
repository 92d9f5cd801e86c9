"""Rejection keeps worlds in proportion to their evidence, and admits when it keeps none."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sleuth import Choice, Deal, Model, infer, together
from sleuth.errors import CostError

from ..games import assert_close, clue_game, exact


def test_the_share_it_accepts_is_the_probability_of_hard_evidence() -> None:
    # One of two cards in a hand of two out of six: 1 - C(4,2)/C(6,2) = 0.6.
    deal = Deal([*"abcdef"], holders={"me": 2, "table": 4})
    answer = infer(Model(deal), [deal.holds_any("me", ["a", "b"])], method="rejection", seed=1)
    assert answer.diagnostics.acceptance == pytest.approx(0.6, abs=0.02)
    assert answer.diagnostics.effective_samples == 10_000
    assert answer.log_evidence == pytest.approx(math.log(0.6), abs=0.02)


def test_all_answers_of_a_clue_game_are_within_sampling_error() -> None:
    deal, given = clue_game(3, 4)
    answer = infer(Model(deal), given, method="rejection", samples=2_000)
    oracle = exact(Model(deal), given)
    assert_close(answer, oracle)
    assert answer.log_evidence == pytest.approx(oracle.log_evidence, abs=0.2)


def test_fewer_worlds_than_wanted_are_said_to_be_fewer() -> None:
    deal, given = clue_game(3, 7)
    answer = infer(Model(deal), given, method="rejection", samples=1_000)
    kept = answer.diagnostics.effective_samples
    assert kept is not None
    assert 0 < kept < 1_000
    assert "of 100,000 drawn worlds fitted" in answer.diagnostics.notes[0]
    assert_close(answer, exact(Model(deal), given))


def test_strong_evidence_is_refused_and_not_guessed() -> None:
    deal = Deal([f"card {n}" for n in range(30)], holders={"x": 15, "y": 15})
    cards = [*deal.items]
    given = [deal.count("x", cards[k : k + 3]).among([0, 3]) for k in range(0, 30, 3)]
    with pytest.raises(CostError, match="drew 1,000 worlds and the evidence fitted none"):
        infer(Model(deal), given, method="rejection", samples=10)


def test_a_network_is_drawn_parents_first() -> None:
    rain = Choice("rain", {True: 0.2, False: 0.8})
    sprinkler, wet = Choice("sprinkler", [True, False]), Choice("wet", [True, False])
    tables = [
        together(rain.value(), sprinkler.value()).weigh([0.01, 0.99, 0.4, 0.6]),
        together(rain.value(), sprinkler.value(), wet.value()).weigh(
            [0.99, 0.01, 0.8, 0.2, 0.9, 0.1, 0.0, 1.0], exact=True
        ),
    ]
    model = Model(rain, sprinkler, wet)
    prior = infer(model, tables, method="rejection")
    assert prior.diagnostics.acceptance == 1.0
    answer = prior.observe(wet.equals(True))
    # Textbook value (Russell and Norvig's garden): P(rain | wet grass) = 0.3577.
    assert answer.probability(rain.equals(True)) == pytest.approx(0.3577, abs=0.02)
    worlds = answer.sample(100, np.random.default_rng(0))
    assert {world["wet"] for world in worlds} == {True}
