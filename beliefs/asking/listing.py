"""Answers from few worlds: where they can be listed, no table of all values is needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...data.errors import CostError
from ..arrays.layout import Floats, Integers, Layout
from ..arrays.problem import MOST_PLACES, Problem
from ..engines.abilities import Listing, Tallying
from ..engines.base import EngineOptions, GainQuestion, Solution, SparseAnswers, weighted_joint
from ..engines.enumeration import ENGINE, FEW_WORLDS, most_worlds
from ..engines.listed import Listed, gains_of_rows, listed_gains
from ..engines.sampling.sampled import WeightedWorlds
from ..language.deal_features import Which
from ..language.features import Condition, CountOf, TupleOf
from ..language.patterns import Pattern
from ..language.quantities import IndexOf, Quantity
from ..language.questions import Question
from .hands import hand_marginal, hands_of, pattern_marginal

if TYPE_CHECKING:
    from ..engines.symmetry.lumps import ListedKinds

#: Most worlds that are listed to ask about what has too many values for a table.
MOST_LISTED: Final = 1_000_000


def every_deal(problem: Problem, solution: Solution, *, most: int = MOST_LISTED) -> Listed | None:
    """Every deal that is left, whatever engine found them; None where there are more than ``most``,
    or nobody can list them.
    """
    from ..engines.partial_deals.graph import few_deals

    if isinstance(solution, Listed):
        return solution if solution.weights.shape[0] <= most else None
    if isinstance(solution, Listing):
        return solution.listed(most)
    if most_worlds(problem.layout) <= FEW_WORLDS:
        found = ENGINE.solve(problem, EngineOptions())
        return found if found.weights.shape[0] <= most else None
    if problem.layout.place_count > MOST_PLACES:
        return None
    return few_deals(problem, most)


def _worlds(
    problem: Problem, solution: Solution, feature: Quantity, others: Sequence[Quantity] = ()
) -> Listed | WeightedWorlds | ListedKinds:
    """Worlds that answer about features: those that were drawn, or all, or all kinds of them.

    Raises:
        CostError: There are too many.
    """
    if isinstance(solution, WeightedWorlds):
        return solution
    found = every_deal(problem, solution) or kinds_of_deals(problem, [feature, *others])
    if found is None:
        raise CostError(
            f"{feature.describe()} has too many values for a table, and too many worlds are left "
            "to list them",
            value=feature.value_count,
            hint=f"ask about fewer things together, or when at most {MOST_LISTED:,} worlds are "
            "left, or take an approximate method",
        )
    return found


def kinds_of_deals(problem: Problem, features: Sequence[Quantity]) -> ListedKinds | None:
    """Every deal, as far as features tell them apart; None where these are too many."""
    if problem.walk_problem is not None:
        return None
    from ..engines.partial_deals.graph import few_deals
    from ..engines.symmetry.interchangeable import lumps_in
    from ..engines.symmetry.lumps import ListedKinds

    leaves = [leaf.additive(problem.layout) for each in features for leaf in leaves_of(each)]
    lumps = lumps_in(problem, leaves)
    if not lumps.part.sites.size or lumps.shape[1] > MOST_PLACES:
        return None
    listed = few_deals(lumps.problem, MOST_LISTED)
    return None if listed is None else ListedKinds(lumps, listed)


def leaves_of(feature: Quantity) -> list[Quantity]:
    """The additive features that one is a function of, and no tuples of them."""
    base = feature.base
    return (
        [leaf for part in base.parts for leaf in leaves_of(part)]
        if isinstance(base, TupleOf)
        else [base]
    )


def listed_marginal(problem: Problem, solution: Solution, feature: Quantity) -> dict[Any, float]:
    """Probability of every value that a feature has in some world, in the order of its values.

    Raises:
        CostError: There are too many worlds to list them.
    """
    which = feature.of if isinstance(feature, Pattern) else feature
    if isinstance(which, Which) and solution.exact:
        hands = hands_of(problem, solution, which)
        if hands is not None and isinstance(feature, Pattern):
            return pattern_marginal(hands, feature, which)
        if hands is not None:
            if hands.count > MOST_LISTED:
                raise CostError(
                    f"{feature.describe()} has too many values to write them down",
                    value=hands.count,
                    hint="ask whether it passes a test, which(...).satisfies(test), of a count, "
                    "or of samples",
                )
            return hand_marginal(hands, which)
    counts = _counted(problem, solution, feature)
    if counts is not None:
        return counts
    found = _worlds(problem, solution, feature)
    numbers, values = feature.in_worlds(problem.layout, found.index_of)
    shares = weighted_joint(numbers, found.weights, len(values))
    return {value: share for value, share in zip(values, shares.tolist(), strict=True) if share}


def _counted(problem: Problem, solution: Solution, feature: Quantity) -> dict[Any, float] | None:
    """Probability of every value of a number of conditions, or of a condition on it; None where it
    is neither, or the solution does not count.
    """
    if isinstance(feature, Condition):
        inner = _counted(problem, solution, feature.of)
        if inner is None:
            return None
        found = {False: 0.0, True: 0.0}
        for value, share in inner.items():
            found[feature.truth[feature.of.places[value]]] += share
        return {held: share for held, share in found.items() if share}
    if not isinstance(feature, CountOf) or not isinstance(solution, Tallying):
        return None
    if any(each.large or each.late for each in feature.conditions):
        return None
    shares = solution.counts(
        [(each.base.additive(problem.layout), each.project) for each in feature.conditions]
    )
    if shares is None:
        return None
    return {number: share for number, share in enumerate(shares.tolist()) if share}


def pairs_in_worlds(
    problem: Problem, solution: Solution, about: Quantity, feature: Quantity
) -> tuple[Integers, Integers, Floats]:
    """For each world the number of one feature's value, the place of another's, and its share.

    Raises:
        CostError: There are too many worlds to list them.
    """
    found = _worlds(problem, solution, about, [feature])
    numbers, _ = about.in_worlds(problem.layout, found.index_of)
    places = _places(problem.layout, found.index_of, feature)
    return numbers, places, found.weights / found.weights.sum()


def gains_in_worlds(
    problem: Problem, solution: Solution, questions: Sequence[Question], about: Quantity
) -> Floats:
    """Bits that each question tells about a feature, shape (questions,).

    Raises:
        CostError: There are too many worlds to list them.
    """
    found = _worlds(problem, solution, about, [asked.feature for asked in questions])
    return gains_of_list(problem.layout, found.weights, found.index_of, questions, about)


def gains_of_list(
    layout: Layout,
    weights: Floats,
    index_of: IndexOf,
    questions: Sequence[Question],
    about: Quantity,
) -> Floats:
    """Bits that each question tells about a feature in some worlds, shape (questions,).

    Args:
        layout: Where they are worlds of.
        weights: Weight of every world, shape (worlds,).
        index_of: The index of a feature in every world.
        questions: What is asked.
        about: What is to be known.
    """
    if about.large:
        numbers, _ = about.in_worlds(layout, index_of)
    else:
        numbers = about.project[index_of(about.base.additive(layout))]
    if not any(asked.feature.large for asked in questions):
        prepared = [for_gain(asked, layout) for asked in questions]
        return listed_gains(weights, index_of, numbers, prepared)

    every = np.arange(len(weights))

    def rows() -> Iterator[tuple[Integers, SparseAnswers]]:
        for asked in questions:
            places = _places(layout, index_of, asked.feature)
            yield every, SparseAnswers(places, *asked.answers.sparse, len(asked.outcomes))

    return gains_of_rows(weights, numbers, rows())


def for_gain(asked: Question, layout: Layout) -> GainQuestion:
    """A question on a layout, as solutions take it that value many at once."""
    answers = SparseAnswers(asked.feature.project, *asked.answers.sparse, len(asked.outcomes))
    return GainQuestion(asked.feature.base.additive(layout), answers)


def _places(layout: Layout, index_of: IndexOf, feature: Quantity) -> Integers:
    """The place of a feature's value in every world, shape (worlds,)."""
    numbers, values = feature.in_worlds(layout, index_of)
    at: Integers = np.array([feature.places[value] for value in values], dtype=np.int64)
    return at[numbers]
