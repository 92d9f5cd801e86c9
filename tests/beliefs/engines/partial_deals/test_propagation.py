"""Propagation rules nothing possible out, and takes constants out exactly."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from sleuth import Choice, Deal, Model, infer
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
