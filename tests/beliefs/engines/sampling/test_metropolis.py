"""Chains of swaps reach every deal, in proportion to its weight, and say when they do not."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from sleuth import Choice, Deal, Model, infer
from sleuth.beliefs.engines.sampling.cards import Cards, open_cards
from sleuth.beliefs.engines.sampling.convergence import effective_samples, split_rhat
from sleuth.beliefs.engines.sampling.distances import support_distance
from sleuth.beliefs.engines.sampling.metropolis import diagnose
from sleuth.beliefs.engines.sampling.starts import StartBudget, find_worlds
from sleuth.beliefs.engines.sampling.swaps import UNIFORMS, walk
from sleuth.errors import CostError, SettingsError
from sleuth.models.kernels.kernel import plain

from ..games import assert_close, cheat, clue_game, everything, exact, mystery, p_value


def run(cards: Cards, uniform: Any, every: int, kernel: Any = walk) -> Any:
    """Deals of one chain, every so many proposals."""
    start = find_worlds(cards, 1, np.random.default_rng(0))
    assert start is not None
    kept = np.zeros((len(uniform) // every, cards.count), dtype=np.int8)
    factors = cards.problem.factor_count
    kernel(start[0].astype(np.int64), cards.moves, cards.log_table, factors, uniform, every, kept)
    return kept


def chi_square(uniform: Any) -> float:
    """How well a chain driven by these numbers fits the exact posterior of a mystery."""
    deal, given = mystery()
    oracle = exact(Model(deal), given)
    kept = run(open_cards(oracle.problem), uniform, 60)
    values = oracle.model.value_of(everything(deal), kept)
    place = {value: number for number, value in enumerate(everything(deal).values)}
    counts = np.bincount([place[value] for value in values], minlength=len(place))
    return p_value(counts / len(kept), oracle.distribution(everything(deal)), len(kept))


def test_a_chain_fits_the_exact_posterior() -> None:
    uniform = np.random.default_rng(5).random((600_000, UNIFORMS))
    assert chi_square(uniform) > 1e-3


def test_accepting_too_readily_is_caught() -> None:
    uniform = np.random.default_rng(5).random((600_000, UNIFORMS))
    uniform[:, -1] *= 0.7
    assert chi_square(uniform) < 1e-6


def test_moves_that_are_not_as_likely_as_their_reverse_are_caught() -> None:
    kind = Choice("kind", {"p": 0.5, "q": 0.3, "r": 0.2})
    cards = open_cards(Model(kind).problem)

    def fit(uniform: Any) -> float:
        counts = np.bincount(run(cards, uniform, 10)[:, 0], minlength=3)
        return p_value(counts / counts.sum(), kind.prior, counts.sum())

    uniform = np.random.default_rng(5).random((200_000, UNIFORMS))
    assert fit(uniform) > 1e-3
    # Of the other two values, the one that comes first is now proposed more often.
    uniform[:, 1:4] *= 0.9
    assert fit(uniform) < 1e-6


def test_compiled_and_plain_python_agree() -> None:
    deal, given = clue_game(3, 4)
    cards = open_cards(exact(Model(deal), given).problem)
    uniform = np.random.default_rng(1).random((400, UNIFORMS))
    assert (run(cards, uniform, 10) == run(cards, uniform, 10, plain(walk))).all()


@pytest.mark.parametrize("own_hand", [True, False])
def test_all_answers_of_a_clue_game_are_within_sampling_error(own_hand: bool) -> None:
    deal, given = clue_game(8, 8, own_hand=own_hand)
    answer = infer(Model(deal), given, method="metropolis")
    diagnostics = answer.diagnostics
    assert diagnostics.converged
    assert diagnostics.rhat is not None
    assert 1.0 <= diagnostics.rhat < 1.05
    assert_close(answer, exact(Model(deal), given))
    assert math.isnan(answer.log_evidence)
    assert "no estimate of the log evidence" in diagnostics.notes[0]


def test_deals_that_no_single_swap_connects_are_all_reached() -> None:
    # Sizes by category leave only cycles of three: each of three cards is one slot further.
    deal = Deal([*"abc"], holders={"x": 1, "y": 1, "z": 1})
    given = [deal.lacks("x", "a"), deal.lacks("y", "b"), deal.lacks("z", "c")]
    answer = infer(Model(deal), given, method="metropolis", samples=2_000)
    assert answer.marginal(deal.holder_of("a")) == pytest.approx({"y": 0.5, "z": 0.5}, abs=0.05)


def test_pairs_that_must_move_together_are_all_reached() -> None:
    deal = Deal([*"abcdefgh"], holders={"x": 4, "y": 4})
    given = [deal.count("x", [*pair]).among([0, 2]) for pair in ("ab", "cd", "ef", "gh")]
    answer = infer(Model(deal), given, method="metropolis", samples=4_000)
    assert_close(answer, exact(Model(deal), given))


def test_chains_that_never_meet_are_reported() -> None:
    # Four cards must move together: no proposal does that.
    deal = Deal([f"card {n}" for n in range(16)], holders={"x": 8, "y": 8})
    cards = [*deal.items]
    given = [deal.count("x", cards[k : k + 8]).among([0, 8]) for k in (0, 8)]
    diagnostics = infer(Model(deal), given, method="metropolis", chains=8).diagnostics
    assert diagnostics.rhat == math.inf
    assert diagnostics.converged is False
    assert "chains disagree" in diagnostics.notes[-1]


def test_what_varies_in_the_last_draw_alone_hides_no_chains_that_are_stuck() -> None:
    problem = Model(Choice("value", [*"abc"])).problem
    chains = np.zeros((2, 5, 1), dtype=np.int8)
    chains[1] = 1
    chains[1, -1] = 2
    found = diagnose(problem, chains, acceptance=0.1)
    assert found.rhat == math.inf
    assert not found.converged


def test_every_chain_needs_samples() -> None:
    with pytest.raises(SettingsError, match="at least 4 samples"):
        infer(Model(Deal([*"ab"], holders={"x": 2})), method="metropolis", samples=10, chains=4)


def test_rhat_and_effective_samples_of_known_series() -> None:
    rng = np.random.default_rng(3)
    independent = rng.standard_normal((4, 2_000, 3))
    assert split_rhat(independent) == pytest.approx(1.0, abs=0.01)
    assert (effective_samples(independent) > 6_000).all()
    apart = independent + np.arange(4)[:, None, None]
    assert (split_rhat(apart) > 1.4).all()
    assert (effective_samples(apart) < 20).all()
    # An autoregressive series of coefficient r is worth (1 - r) / (1 + r) of its draws.
    series = np.zeros((4, 5_000, 1))
    for step in range(1, 5_000):
        series[:, step] = 0.8 * series[:, step - 1] + rng.standard_normal((4, 1))
    assert effective_samples(series)[0] == pytest.approx(20_000 * 0.2 / 1.8, rel=0.2)


def test_distances_count_the_cards_that_must_move() -> None:
    deal = Deal([*"abcdef"], holders={"x": 3, "y": 3})
    problem = exact(Model(deal), [deal.count("x", [*"abc"]).equals(3)]).problem
    cards = open_cards(infer(Model(deal), method="card_by_card").problem)
    found = support_distance(cards.allowed, problem.arrays, 100)
    assert found.tolist() == [3, 2, 1, 0]


def test_annealing_finds_what_search_was_not_allowed_to() -> None:
    model, given = cheat()
    cards = open_cards(exact(model, given).problem)
    deal, more = clue_game(5, 10, own_hand=False)
    for each in (cards, open_cards(exact(Model(deal), more).problem)):
        only_annealing = StartBudget(tries=0, nodes=0, last_nodes=60, anneals=5)
        found = find_worlds(each, 5, np.random.default_rng(1), only_annealing)
        assert found is not None
        assert (each.log_weights(found) > -math.inf).all()


def test_no_deal_found_is_not_the_same_as_none_there() -> None:
    deal = Deal([*"abcdef"], holders={"ann": 3, "bob": 3})
    pairs = [deal.count("ann", [*pair]).equals(1).observed() for pair in ("ab", "bc")]
    problem = exact(Model(deal), pairs).problem
    third = deal.count("ann", [*"ac"]).equals(1).observed()
    contradictory = open_cards(
        problem.with_factors(
            [(None, third.feature.base.additive(problem.layout), third.base_table())]
        )
    )
    rng = np.random.default_rng(0)
    assert find_worlds(contradictory, 1, rng) is None
    with pytest.raises(CostError, match="it may contradict itself"):
        find_worlds(contradictory, 1, rng, StartBudget(tries=1, nodes=0, last_nodes=0))
