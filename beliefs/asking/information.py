"""The information of questions: entropy, expected gain, and screening of many on samples."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Final

import numpy as np

from ...data.errors import CostError, join_hints
from ..arrays.layout import Additive, Floats, Integers
from ..arrays.problem import Problem
from ..engines.abilities import Gaining, Joining
from ..engines.base import Solution, Worlds, card_sites
from ..engines.listed import bits_of
from ..language.features import Condition, Counted, TupleOf
from ..language.quantities import Quantity
from ..language.questions import Question
from ..language.sums import SumOf
from .listing import for_gain, gains_in_worlds, gains_of_list, pairs_in_worlds
from .many_questions import Questions

#: Most numbers in one table of a question and what it is about: where the deals could be listed,
#: and where they are too many for that.
FEW_CELLS = 1 << 12
MOST_CELLS = 1 << 24
#: What can be said of a question whose gain cannot be computed.
NO_MORE: Final = "it tells no more than the entropy of what is asked, posterior.entropy(feature)"


def entropy_bits(shares: Floats) -> float:
    """Entropy of a distribution, in bits."""
    return max(0.0, bits_of(shares))


def gains(
    problem: Problem, solution: Solution, questions: Sequence[Question], about: Quantity
) -> Floats:
    """Expected drop of the entropy of a feature by each question, in bits; shape (questions,).

    Raises:
        CostError: The feature and a question have too many values together, and too many deals
            are left to list them.
    """
    if isinstance(questions, Questions):
        if about.large and _follows(questions.feature, _told(about)):
            about = questions.feature
        return questions.gains(*_pairs(problem, solution, about, questions.feature))
    if about.large and decides(about, questions):
        return gains_of_answers(problem, solution, questions)
    try:
        return _gains_together(problem, solution, questions, about)
    except CostError as error:
        if decides(about, questions):
            return gains_of_answers(problem, solution, questions)
        error.reword(hint=join_hints(error.hint, NO_MORE))
        raise


def decides(about: Quantity, questions: Sequence[Question]) -> bool:
    """True if what all questions are asked of are functions of a feature, as they are made, and
    have their values in tables.
    """
    told = _told(about)
    return all(not asked.feature.large and _follows(asked.feature, told) for asked in questions)


def _told(about: Quantity) -> set[Quantity]:
    """The features whose values a value of this one tells, other than those made of them."""
    if isinstance(about, TupleOf):
        return {each for part in about.parts for each in _told(part)}
    return {about}


def _follows(feature: Quantity, told: Set[Quantity]) -> bool:
    if feature in told:
        return True
    parts: Sequence[Quantity] = ()
    if isinstance(feature, (TupleOf, SumOf)):
        parts = feature.parts
    elif isinstance(feature, Counted):
        parts = feature.conditions
    elif isinstance(feature, Condition):
        parts = (feature.of,)
    return bool(parts) and all(_follows(part, told) for part in parts)


def gains_of_answers(problem: Problem, solution: Solution, questions: Sequence[Question]) -> Floats:
    """Bits that each question tells about any feature that decides what it is asked of.

    Given that feature nothing else bears on the answer, so it tells as much about it as about what
    is asked: the entropy of the answer, without the part that is chance. Shape (questions,).
    """
    features = [asked.feature.base.additive(problem.layout) for asked in questions]
    joints = (
        solution.joints(features)
        if isinstance(solution, Joining)
        else map(solution.joint, features)
    )
    found = np.zeros(len(questions))
    for place, (asked, joint) in enumerate(zip(questions, joints, strict=True)):
        of, table = asked.feature, asked.table
        shares = np.bincount(of.project, weights=joint, minlength=of.value_count)
        logs = np.log2(table, where=table > 0.0, out=np.zeros_like(table))
        chance = float(-(shares @ (table * logs)).sum())
        found[place] = max(entropy_bits(shares @ table) - chance, 0.0)
    return found


def _gains_together(
    problem: Problem, solution: Solution, questions: Sequence[Question], about: Quantity
) -> Floats:
    """The gains of questions from the joint of what they are asked of and what they are about."""
    if about.large or any(asked.feature.large for asked in questions):
        return gains_in_worlds(problem, solution, questions, about)
    from ..engines.partial_deals.graph import few_deals, too_many_values

    additive = about.base.additive(problem.layout)
    prepared = [for_gain(asked, problem.layout) for asked in questions]
    if isinstance(solution, Gaining):
        return solution.gains(additive, about.project, prepared)
    size = additive.size * max((entry.feature.size for entry in prepared), default=0)
    if size > FEW_CELLS:
        # To look for the deals of a walk, the tables of all its steps would be packed and kept.
        lists = solution.exact and (problem.walk_problem is None or size > MOST_CELLS)
        listed = few_deals(problem) if lists else None
        if listed is not None:
            return listed.gains(additive, about.project, prepared)
        if size > MOST_CELLS:
            raise too_many_values(size)
    bases = [entry.feature for entry in prepared]
    return np.array(
        [
            _gain(solution, about, additive, asked, base)
            for asked, base in zip(questions, bases, strict=True)
        ]
    )


def _pairs(
    problem: Problem, solution: Solution, about: Quantity, feature: Quantity
) -> tuple[Integers, Integers, Floats]:
    """The values two features can have together, by their places, and each pair's probability."""
    from ..engines.partial_deals.gains import combine

    if about.large:
        return pairs_in_worlds(problem, solution, about, feature)
    asked = feature.base.additive(problem.layout)
    if about == feature:
        shares = np.bincount(
            feature.project, weights=solution.joint(asked), minlength=feature.value_count
        ).astype(np.float64)
        places = np.flatnonzero(shares)
        return places, places, shares[places]
    additive = about.base.additive(problem.layout)
    if additive.size * asked.size <= MOST_CELLS:
        joint = solution.joint(combine(additive, asked))
        cells = np.flatnonzero(joint)
        first, second = np.divmod(cells, asked.size)
        return about.project[first], feature.project[second], joint[cells]
    return pairs_in_worlds(problem, solution, about, feature)


def _gain(
    solution: Solution, about: Quantity, additive: Additive, question: Question, base: Additive
) -> float:
    from ..engines.partial_deals.gains import combine

    joint = solution.joint(combine(additive, base)).reshape(additive.size, base.size)
    by_value = np.zeros((len(about.values), base.size))
    np.add.at(by_value, about.project, joint)
    outcomes = by_value @ question.table[question.feature.project]
    return max(
        entropy_bits(by_value.sum(axis=1))
        + entropy_bits(outcomes.sum(axis=0))
        - entropy_bits(outcomes.ravel()),
        0.0,
    )


def best(found: Floats, n: int, order: Sequence[int] | None = None) -> list[int]:
    """Places of the ``n`` largest gains, descending.

    Gains that differ by rounding only are equal, and equal ones keep their order.
    """
    first = range(found.shape[0]) if order is None else order
    ranked = sorted(
        range(found.shape[0]), key=lambda place: (-round(float(found[place]), 12), first[place])
    )
    return ranked[:n]


def screen(
    problem: Problem,
    solution: Solution,
    questions: Sequence[Question],
    about: Quantity,
    *,
    samples: int,
    seed: int,
) -> list[int]:
    """Places of the questions in the order of their estimated gains, best first.

    The estimate is the plug-in gain on sampled worlds, where every outcome enters with its
    probability, so that only the drawing of worlds is random.
    """
    layout = problem.layout
    drawn = solution.draw(samples, np.random.default_rng(seed))
    worlds, times = _distinct(drawn)
    columns = Columns(problem, worlds)
    gains = gains_of_list(layout, times, columns.index, questions, about)
    return [int(place) for place in np.argsort(-gains, kind="stable")]


def _distinct(worlds: Worlds) -> tuple[Worlds, Floats]:
    """The different ones among some worlds, and how often each is there: late in a game, few."""
    rows = np.ascontiguousarray(worlds)
    keys = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
    _, first, times = np.unique(keys, return_index=True, return_counts=True)
    return rows[first], times.astype(np.float64)


class Columns:
    """The indices of features in some worlds, a column for each card: questions share them."""

    def __init__(self, problem: Problem, worlds: Worlds) -> None:
        self.count = worlds.shape[0]
        sites = card_sites(problem)
        cards: Integers = worlds.T.astype(np.int64, order="C")
        self.cards: list[Integers] = [
            cards[sites == site] for site in range(problem.layout.site_count)
        ]
        self.kept: dict[tuple[int, bytes], Integers] = {}

    def index(self, feature: Additive) -> Integers:
        """The index of a feature in every world, shape (worlds,)."""
        total = np.zeros(self.count, dtype=np.int64)
        for site, delta in zip(feature.sites.tolist(), feature.delta, strict=True):
            key = (site, delta.tobytes())
            column = self.kept.get(key)
            if column is None:
                lies = self.cards[int(site)]
                found: Integers = delta[lies[0]] if len(lies) == 1 else delta[lies].sum(axis=0)
                column = self.kept[key] = found
            total += column
        return total
