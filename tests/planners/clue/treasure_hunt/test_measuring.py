"""What measuring in a row is worth: against brute force, and where benefits add up."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sleuth import Choice, Model, Posterior, Question, infer
from sleuth.beliefs.arrays.layout import Floats
from sleuth.errors import SettingsError
from sleuth.games.clue import Weights
from sleuth.planners.clue.treasure_hunt import ALL, Breadth, Measuring

TREASURES = 5


class Problem:
    """A treasure in one of some places, questions in cells, and ways between the cells."""

    def __init__(self, seed: int, cells: int = 3, questions: int = 2) -> None:
        rng = np.random.default_rng(seed)
        self.prior = rng.dirichlet(np.ones(TREASURES))
        self.tables = rng.dirichlet(np.full(3, 0.4), size=(cells, questions, TREASURES))
        self.from_here = rng.uniform(1.0, 4.0, cells)
        self.between = rng.uniform(1.0, 4.0, (cells, cells))
        np.fill_diagonal(self.between, np.inf)
        self.weights = Weights(benefit=1.0, distance=float(rng.uniform(0.0, 0.3)))

    def measuring(self, breadth: Breadth = ALL) -> tuple[Measuring, Posterior]:
        hidden = Choice("treasure", tuple(range(TREASURES)))
        about = hidden.value()
        prior = about.weigh(tuple(self.prior), exact=True, because="prior")
        cells = [
            [
                Question(about, table, ("a", "b", "c"), name=f"cell {cell}, question {place}")
                for place, table in enumerate(tables)
            ]
            for cell, tables in enumerate(self.tables)
        ]
        measuring = Measuring(cells, about, self.between, self.weights, breadth)
        return measuring, infer(Model(hidden), [prior])

    # -- the same by plain probabilities

    def first(self, cell: int, legs: int) -> float:
        return self._leg(self.prior, cell, self.from_here[cell], legs)

    def _leg(self, prior: Floats, cell: int, way: float, legs: int) -> float:
        return max(self._asked(prior, cell, table, legs) for table in self.tables[cell]) - (
            self.weights.distance * way
        )

    def _asked(self, prior: Floats, cell: int, table: Floats, legs: int) -> float:
        worth = self.weights.benefit * bits(prior)
        for outcome in range(table.shape[1]):
            weighed = prior * table[:, outcome]
            chance = weighed.sum()
            if chance <= 0.0:
                continue
            later = weighed / chance
            worth -= chance * self.weights.benefit * bits(later)
            if legs > 1:
                worth += chance * max(
                    0.0,
                    *(
                        self._leg(later, other, self.between[cell, other], legs - 1)
                        for other in range(len(self.tables))
                        if other != cell
                    ),
                )
        return float(worth)


def bits(chances: Floats) -> float:
    return -sum(p * math.log2(p) for p in chances.tolist() if p > 0.0)


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 100_000), st.integers(1, 3))
def test_the_tree_is_that_of_plain_probabilities(seed: int, horizon: int) -> None:
    problem = Problem(seed)
    measuring, posterior = problem.measuring()
    legs = measuring.first_legs(posterior, problem.from_here, horizon)
    assert {leg.cell for leg in legs} == {0, 1, 2}
    for leg in legs:
        assert leg.legs == horizon
        assert leg.value == pytest.approx(problem.first(leg.cell, horizon), abs=1e-9)
    assert [leg.value for leg in legs] == sorted((leg.value for leg in legs), reverse=True)


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 100_000))
def test_pruning_promises_no_more_than_everything(seed: int) -> None:
    problem = Problem(seed)
    whole, posterior = problem.measuring()
    pruned, _ = problem.measuring(Breadth(cells=2, questions=1))
    most = {leg.cell: leg.value for leg in whole.first_legs(posterior, problem.from_here, 3)}
    found = pruned.first_legs(posterior, problem.from_here, 3)
    assert [leg.legs for leg in found] == [3, 3, 1]
    for leg in found:
        assert leg.value <= most[leg.cell] + 1e-9


def added_up(problem: Problem, profits: Sequence[float], cell: int, horizon: int) -> float:
    """The best order of different cells after the first, by trying all of them."""
    others = [other for other in range(len(profits)) if other != cell]
    far = problem.weights.distance
    best = 0.0
    for count in range(1, horizon):
        for order in permutations(others, count):
            at, worth = cell, 0.0
            for other in order:
                worth += profits[other] - far * problem.between[at, other]
                at = other
            best = max(best, worth)
    return profits[cell] - far * problem.from_here[cell] + best


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 100_000), st.integers(1, 5))
def test_additive_benefits_are_the_best_route(seed: int, horizon: int) -> None:
    problem = Problem(seed, cells=4, questions=1)
    measuring, posterior = problem.measuring()
    profits = [problem._asked(problem.prior, 0, tables[0], 1) for tables in problem.tables]
    for leg in measuring.first_legs(posterior, problem.from_here, horizon, exact=False):
        assert leg.value == pytest.approx(added_up(problem, profits, leg.cell, horizon), abs=1e-9)


def test_additive_benefits_promise_too_much() -> None:
    """Two questions about the same thing overlap in what they tell."""
    problem = Problem(3)
    problem.tables[:] = np.eye(TREASURES)[:, :3] + np.array([0, 0, 0, 1, 1])[:, None] * [0, 0, 1]
    measuring, posterior = problem.measuring()
    exact = measuring.first_legs(posterior, problem.from_here, 2)
    added = measuring.first_legs(posterior, problem.from_here, 2, exact=False)
    one = measuring.first_legs(posterior, problem.from_here, 1)
    assert exact[0].value == pytest.approx(one[0].value)  # the same answer again
    assert added[0].value > exact[0].value + 0.1


def test_the_same_cell_is_not_measured_twice_in_a_row() -> None:
    """Even where only one cell tells anything: the next leg would have to lead elsewhere."""
    problem = Problem(8, cells=2, questions=1)
    problem.tables[1] = 1 / 3
    problem.tables[0] = np.random.default_rng(1).dirichlet(np.ones(3), size=(1, TREASURES))
    measuring, posterior = problem.measuring()
    one, two, three = (
        next(
            leg.value
            for leg in measuring.first_legs(posterior, problem.from_here, legs)
            if leg.cell == 0
        )
        for legs in (1, 2, 3)
    )
    assert two == pytest.approx(one)
    # By way of the other cell one may come back, where that is worth two ways.
    assert three >= two - 1e-12


def test_without_time_one_leg_is_looked_ahead() -> None:
    problem = Problem(4)
    measuring, posterior = problem.measuring()
    hasty = measuring.first_legs(posterior, problem.from_here, 3, seconds=0.0)
    greedy = measuring.first_legs(posterior, problem.from_here, 1)
    assert hasty == greedy
    assert {leg.legs for leg in hasty} == {1}


def test_closed_cells_are_left_out() -> None:
    problem = Problem(5)
    problem.from_here[1] = np.inf
    measuring, posterior = problem.measuring()
    assert {leg.cell for leg in measuring.first_legs(posterior, problem.from_here, 2)} == {0, 2}


def test_bad_settings_are_refused() -> None:
    with pytest.raises(SettingsError, match="0 or more"):
        Weights(distance=-1.0)
    with pytest.raises(SettingsError, match="cells"):
        Breadth(cells=0)
    measuring, posterior = Problem(1).measuring()
    with pytest.raises(SettingsError, match="horizon"):
        measuring.first_legs(posterior, np.ones(3), 0)
