"""Particles follow any evidence that is possible, and say when they had to be moved."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sleuth import Evidence, Model, infer
from sleuth.beliefs.engines.base import EngineOptions
from sleuth.beliefs.engines.sampling import particles
from sleuth.beliefs.engines.sampling.sampled import systematic

from ..games import PLAYERS, assert_close, clue_deal, clue_game, exact, mystery


@pytest.mark.parametrize("own_hand", [True, False])
def test_all_answers_of_a_clue_game_are_within_sampling_error(own_hand: bool) -> None:
    deal, given = clue_game(8, 8, own_hand=own_hand)
    answer = infer(Model(deal), given, method="particles")
    oracle = exact(Model(deal), given)
    assert_close(answer, oracle)
    assert answer.log_evidence == pytest.approx(oracle.log_evidence, abs=0.2)


def adversarial(seed: int, pieces: int) -> tuple[Model, list[Evidence]]:
    """Hard evidence, all true of one deal, that each leaves few of the deals before it."""
    rng = np.random.default_rng(seed)
    deal, truth = clue_deal(rng, own_hand=False)
    given: list[Evidence] = []
    for _ in range(pieces):
        cards = [card for card in truth if rng.random() < 0.4]
        holder = str(rng.choice([*PLAYERS]))
        held = sum(truth[card] == holder for card in cards)
        given.append(deal.count(holder, cards).equals(held).observed())
    return Model(deal), given


def test_a_handful_of_particles_survives_adversarial_evidence() -> None:
    notes: list[str] = []
    for seed in range(6):
        model, given = adversarial(seed, 14)
        answer = infer(model, given, method="particles", samples=60, seed=seed)
        assert (answer.diagnostics.rejuvenated or 0) > 3
        notes += answer.diagnostics.notes
        worlds = answer.solution.draw(60, np.random.default_rng(0))
        for evidence in given:
            weights = dict(zip(evidence.feature.values, evidence.table, strict=True))
            assert all(weights[v] > 0.0 for v in model.value_of(evidence.feature, worlds))
    assert any("fitted 0 of 60 particles: it was brought in by degrees" in note for note in notes)
    assert any("particles were moved by swaps" in note for note in notes)


def test_adversarial_evidence_is_answered_well_by_many_particles() -> None:
    model, given = adversarial(1, 6)
    answer = infer(model, given, method="particles", samples=5_000)
    oracle = exact(model, given)
    assert answer.solution.expected() == pytest.approx(oracle.solution.expected(), abs=0.06)
    assert answer.log_evidence == pytest.approx(oracle.log_evidence, abs=0.3)


def test_lost_particles_begin_again_at_deals_found_by_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(particles, "TOO_FEW", 1.1)
    monkeypatch.setattr(particles, "MOST_DEGREES", 0)
    model, given = adversarial(2, 8)
    answer = infer(model, given, method="particles", samples=200)
    assert math.isnan(answer.log_evidence)
    assert any("began again at deals found by search" in n for n in answer.diagnostics.notes)
    assert (answer.solution.expected() > 0.0)[exact(model, given).solution.expected() > 0.5].all()


def test_resampling_keeps_shares_as_nearly_as_whole_numbers_can() -> None:
    weights = np.array([0.5, 0.0, 0.3, 0.2])
    rows = systematic(weights, np.random.default_rng(0))
    counts = np.bincount(rows, minlength=4)
    assert (np.abs(counts - 4 * weights) < 1.0).all()
    assert counts[1] == 0


def test_effective_samples_are_no_more_than_errors_show() -> None:
    deal, given = clue_game(8, 8, own_hand=False)
    oracle = exact(Model(deal), given)
    wanted = oracle.solution.expected()
    errors, promised = np.zeros_like(wanted), 0.0
    runs = 40
    for seed in range(runs):
        solution = particles.ENGINE.solve(oracle.problem, EngineOptions(samples=500, seed=seed))
        errors += (solution.expected() - wanted) ** 2 / runs
        promised += (solution.diagnostics.effective_samples or 0.0) / runs
    spread = wanted * (1.0 - wanted)
    effective = spread.sum() / errors.sum()
    assert promised < 2.0 * effective
    assert promised > 0.1 * effective


def test_weak_evidence_moves_nobody() -> None:
    deal, given = mystery()
    answer = infer(Model(deal), given[1:], method="particles", samples=500)
    assert answer.diagnostics.rejuvenated == 0
    assert answer.diagnostics.notes == ()
