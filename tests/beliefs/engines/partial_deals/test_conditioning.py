"""A graph that took evidence in, piece by piece, is as good as one built from all of it."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from sleuth import Deal, Model, Posterior, infer, together
from sleuth.beliefs.engines.partial_deals.graph import Graph
from sleuth.errors import ContradictionError

from ...strategies import Case, cases
from ..games import clue_game


def observed(model: Model, pieces: Any) -> Posterior:
    """The posterior after one piece of evidence at a time."""
    posterior = infer(model, method="card_by_card")
    for piece in pieces:
        posterior = posterior.observe(piece)
    return posterior


def graph(posterior: Posterior) -> Graph:
    assert isinstance(posterior.solution, Graph)
    return posterior.solution


def same(left: Posterior, right: Posterior, *features: Any) -> None:
    """Both say the same about everything, to 1e-12."""
    assert left.log_evidence == pytest.approx(right.log_evidence, rel=1e-12, abs=1e-12)
    assert left.solution.log_weight == pytest.approx(right.solution.log_weight, abs=1e-11)
    np.testing.assert_allclose(
        left.solution.expected(), right.solution.expected(), rtol=0, atol=1e-12
    )
    for feature in features:
        np.testing.assert_allclose(
            left.distribution(feature), right.distribution(feature), rtol=0, atol=1e-12
        )


@given(case=cases(most=6))
@settings(max_examples=150)
def test_evidence_piece_by_piece_agrees_with_enumeration(case: Case) -> None:
    try:
        oracle = infer(case.model, case.given, method="enumeration")
    except ContradictionError:
        with pytest.raises(ContradictionError):
            observed(case.model, case.given)
        return
    posterior = observed(case.model, case.given)
    assert graph(posterior).was_conditioned == bool(case.given)
    same(posterior, oracle, *case.features, together(*case.features))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("own_hand", [True, False])
def test_a_whole_game_of_clue_says_the_same_event_by_event(seed: int, own_hand: bool) -> None:
    deal, pieces = clue_game(seed, 14, own_hand=own_hand)
    model = Model(deal)
    case_file = together(*(deal.single("case file", suit) for suit in deal.categories))
    posterior = infer(model, method="card_by_card")
    for place, piece in enumerate(pieces):
        posterior = posterior.observe(piece)
        if place % 5 == 4:
            same(posterior, infer(model, pieces[: place + 1], method="card_by_card"), case_file)
    assert graph(posterior).edges <= graph(posterior).built.most_edges


def test_what_was_known_before_stays_as_it_was() -> None:
    deal, pieces = clue_game(1, 6)
    before = observed(Model(deal), pieces[:2])
    kept = [np.copy(array) for array in graph(before).deals]
    after = before.observe(pieces[2:])
    assert after.log_evidence < before.log_evidence
    for array, copy in zip(graph(before).deals, kept, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_nothing_that_no_deal_passes_through_is_kept() -> None:
    deal, pieces = clue_game(2, 8)
    for posterior in (
        observed(Model(deal), pieces),
        infer(Model(deal), pieces, method="card_by_card"),
    ):
        found = graph(posterior).deals
        assert (found.forward > 0.0).all()
        assert (found.backward > 0.0).all()
        assert set(found.choice.tolist()) == set(range(found.placed.shape[0]))
        assert (found.placed.sum(axis=1) == 1).all()


def test_what_is_drawn_does_not_depend_on_the_steps_in_which_evidence_came() -> None:
    deal, pieces = clue_game(3, 8)
    model = Model(deal)
    at_once, stepwise = infer(model, pieces, method="card_by_card"), observed(model, pieces)
    assert graph(stepwise).was_conditioned
    rng, twin = np.random.default_rng(5), np.random.default_rng(5)
    np.testing.assert_array_equal(stepwise.sample_array(100, rng), at_once.sample_array(100, twin))


def test_evidence_is_counted_once_however_often_the_arrays_are_asked_for() -> None:
    deal, pieces = clue_game(4, 7)
    model = Model(deal)
    posterior = infer(model, method="card_by_card")
    for place, piece in enumerate(pieces):
        posterior = posterior.observe(piece)
        if place % 2:
            assert posterior.problem.factor_count > 0
    twin = pickle.loads(pickle.dumps(posterior))
    expected = infer(model, pieces, method="card_by_card")
    same(posterior, expected)
    same(twin, expected)
    same(
        twin.observe(deal.holds_any("bob", ["hall", "rope"])),
        expected.observe(deal.holds_any("bob", ["hall", "rope"])),
    )


def test_tiny_weights_again_and_again_leave_what_was_possible() -> None:
    cards = Deal(["a", "b", "c"], holders={"x": 1, "y": 2})
    posterior = infer(Model(cards), method="card_by_card")
    for _ in range(150):
        posterior = posterior.observe(cards.count("x", "a").weigh([1.0, 1e-6]))
    assert posterior.probability(cards.count("x", "a").equals(1)) > 0.0
    assert posterior.observe(cards.holds("x", "a")).marginal(cards.count("x", "a")) == {1: 1.0}


def test_a_graph_that_would_grow_too_much_is_built_anew() -> None:
    deal, pieces = clue_game(5, 6)
    model = Model(deal)
    posterior = infer(model, pieces[:3], method="card_by_card")
    built = replace(graph(posterior).built, most_edges=1)
    small = replace(posterior, solution=replace(graph(posterior), built=built))
    for piece in pieces[3:]:
        assert not graph(small.observe(piece)).was_conditioned
        assert graph(posterior.observe(piece)).was_conditioned
    same(small.observe(pieces[3:]), infer(model, pieces, method="card_by_card"))


def test_a_contradiction_is_found_when_it_is_observed() -> None:
    deal, pieces = clue_game(6, 5)
    posterior = observed(Model(deal), pieces).observe(deal.lacks("bob", "hall", id="no"))
    with pytest.raises(ContradictionError) as caught:
        posterior.observe(deal.holds("bob", "hall", id="yes"))
    assert set(caught.value.evidence) == {"no", "yes"}
