"""Propagation rules nothing possible out, and takes constants out exactly."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from sleuth import Choice, Deal, Evidence, Model, infer
from sleuth.beliefs.arrays.problem import Additive, Floats, Problem
from sleuth.beliefs.engines import engine
from sleuth.beliefs.engines.partial_deals.graph import narrow
from sleuth.beliefs.modelling.history import History
from sleuth.errors import ContradictionError

from ...by_hand import by_hand
from ...strategies import Case, cases


def problem_of(case: Case) -> Problem:
    return History.empty(case.model).extend(case.given, lambda *_: 0.5).problem


@given(case=cases(most=6))
@settings(max_examples=80)
def test_what_can_be_stays_allowed(case: Case) -> None:
    problem = problem_of(case)
    narrowed = narrow(problem)
    truth = by_hand(case.model, case.given)
    if narrowed.constant == -math.inf:
        assert truth.total == 0.0
        return
    assert (narrowed.allowed <= problem.layout.allowed).all()
    if truth.total == 0.0:
        return
    expected = infer(case.model, case.given, method="enumeration").solution.expected()
    assert (narrowed.allowed[expected > 0.0] == 1).all()


@given(case=cases(most=6))
@settings(max_examples=100)
def test_factors_that_became_constant_are_taken_out_with_their_weight(case: Case) -> None:
    try:
        belief = infer(case.model, case.given, method="enumeration")
    except ContradictionError:
        return
    problem = belief.problem
    narrowed = narrow(problem)
    assert math.isfinite(narrowed.constant)
    # Listing only what is allowed, with the living factors alone, leaves out just the constant.
    layout = problem.layout
    living: list[tuple[object, Additive, Floats]] = [
        (None, *problem.factor(index))
        for index in range(problem.factor_count)
        if narrowed.alive[index]
    ]
    rest = Problem.empty(replace(layout, allowed=narrowed.allowed, cache={})).with_factors(living)
    listing = engine("enumeration").solve(rest, belief.options)
    # Tables may have been scaled, which the problem remembers.
    left = listing.log_weight - rest.log_norm
    assert left + narrowed.constant == pytest.approx(belief.solution.log_weight, abs=1e-10)


@given(case=cases(most=5))
@settings(max_examples=60)
def test_going_on_from_where_it_stood_narrows_as_much(case: Case) -> None:
    history = History.empty(case.model)
    for evidence in case.given:
        history = history.extend([evidence], lambda *_: 0.5)
        narrow(history.problem)
    step, batch = narrow(history.problem), narrow(problem_of(case))
    if batch.constant == -math.inf or step.constant == -math.inf:
        assert batch.constant == step.constant
        return
    np.testing.assert_array_equal(step.allowed, batch.allowed)


def test_a_card_that_all_others_lack_is_found() -> None:
    cards = Deal(["a", "b", "c", "d"], holders={"me": 1, "you": 2, "table": 1})
    problem = infer(
        Model(cards), [cards.lacks(["me", "table"], "a"), cards.lacks("me", ["b", "c"])]
    ).problem
    allowed = narrow(problem).allowed
    assert allowed[0].tolist() == [0, 1, 0]
    # d must be mine, so it is nowhere else.
    assert allowed[3].tolist() == [1, 0, 0]


def test_a_full_hand_takes_nothing_more_and_a_needy_one_takes_all() -> None:
    cards = Deal(["a", "b", "c", "d"], holders={"me": 2, "you": 2})
    problem = infer(Model(cards), [cards.holds("me", ["a", "b"])]).problem
    narrowed = narrow(problem)
    assert narrowed.allowed.tolist() == [[1, 0], [1, 0], [0, 1], [0, 1]]
    assert not narrowed.alive.any()
    assert narrowed.constant == pytest.approx(0.0)


def test_a_contradiction_it_can_see_is_minus_infinity() -> None:
    cards = Deal(["a", "b"], holders={"me": 1, "you": 1})
    history = History.empty(Model(cards)).extend(
        [cards.holds("me", "a"), cards.holds("me", "b")], lambda *_: 0.5
    )
    assert narrow(history.problem).constant == -math.inf


def test_values_of_a_choice_are_ruled_out_with_cards() -> None:
    cards = Deal(["a", "b"], holders={"me": 1, "you": 1})
    habit = Choice("habit", ["p", "q"])
    link = habit.value().among(["p"]) | cards.holder_of("a").equals("me")
    belief = infer(Model(cards, habit), [link, cards.holds("you", "a")])
    allowed = narrow(belief.problem).allowed
    assert allowed[2].tolist() == [0, 0, 1, 0]
    assert belief.marginal(habit.value()) == {"p": 1.0}


NUMBERS = [str(number) for number in range(1, 8)]


def bids(*, below: int) -> tuple[Deal, list[Evidence]]:
    """Seven cards, four of them bid; each bid is known to be less than a number."""
    holders = {"hand": 3, **{f"turn {turn}": 1 for turn in range(1, 5)}}
    cards = Deal(NUMBERS, holders=holders)

    def told(turn: int) -> Evidence:
        bid = cards.item_of(f"turn {turn}")
        return bid.satisfies(lambda card: int(card) < below + turn).observed(because=f"{turn}")

    return cards, [told(turn) for turn in range(1, 5)]


def test_what_is_said_of_the_one_card_in_a_place_is_said_of_each_card() -> None:
    """Nothing of it is left to be kept in mind while cards are dealt one by one."""
    cards, given = bids(below=3)
    problem = infer(Model(cards), given, method="enumeration").problem
    narrowed = narrow(problem)
    assert not narrowed.alive.any()
    names = [name for _, name in problem.layout.site_names]
    places = [slot[-1] for slot in problem.layout.slot_names]
    for row, card in enumerate(names):
        for column, place in enumerate(places):
            could = place == "hand" or int(card) < 3 + int(place[-1])
            assert bool(narrowed.allowed[row, column]) == could, (card, place)


@pytest.mark.parametrize("below", [2, 3, 5])
def test_answers_stay_what_they_are_where_places_hold_one_card(below: int) -> None:
    cards, given = bids(below=below)
    likely = cards.item_of("turn 2").weigh(
        lambda card: 1 / int(card), because="a high card is rare"
    )
    model = Model(cards)
    exact, listed = (
        infer(model, [*given, likely], method=method) for method in ("card_by_card", "enumeration")
    )
    assert exact.log_evidence == pytest.approx(listed.log_evidence, abs=1e-12)
    for holder in cards.holders:
        assert exact.marginal(cards.which(holder, NUMBERS)) == pytest.approx(
            listed.marginal(cards.which(holder, NUMBERS)), abs=1e-12
        )


def test_a_place_for_one_card_that_no_card_fits_is_a_contradiction() -> None:
    cards, given = bids(below=1)  # nothing is less than 2 twice over
    never = cards.item_of("turn 1").satisfies(lambda card: int(card) == 7).observed(because="seven")
    with pytest.raises(ContradictionError):
        infer(Model(cards), [*given, never])
