"""The worth of measuring in a row: a tree over the outcomes, or profits that add up.

Every cell offers questions about something hidden. A leg is the way to a cell and one question
there; its reward is w_B * B - w_D * D, with the expected drop of entropy in bits as the benefit B
and the expected turns of the way as D. (The paper's cost of measuring, w_J * J, is 0 in Clue.)

- **exact**: after a leg the posterior is another for every outcome, and the next leg is chosen by
  it. The expected reward is that of a tree over questions and outcomes.
- **additive**: every cell's best question keeps the gain it has now, and is asked at most once.
  Gains do not add up, so this promises too much; but it needs no tree.

Source: "Clue as a treasure hunt" (2013), section 4.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ....beliefs.arrays.layout import Floats
from ....beliefs.language.features import FeatureLike
from ....beliefs.language.questions import Question
from ....beliefs.posterior import Posterior
from ....data.checks import whole_number
from ....data.errors import SettingsError
from .routes import best_route
from .ways import priced


@dataclass(frozen=True, kw_only=True)
class Weights:
    """The weights of what counts.

    Attributes:
        benefit: w_B, for a bit of entropy.
        distance: w_D, for a turn.

    >>> from sleuth.games.clue import Weights
    >>> Weights(benefit=2.0).distance
    0.05
    """

    benefit: float = 1.0
    distance: float = 0.05

    def __post_init__(self) -> None:
        for name, value in (("benefit", self.benefit), ("distance", self.distance)):
            if not 0.0 <= value < float("inf"):
                raise SettingsError("a weight is 0 or more", where=name, value=value)


@dataclass(frozen=True, kw_only=True)
class Breadth:
    """The part of the tree that is looked at.

    Attributes:
        cells: Cells that a leg after the first may lead to, and the first where more legs follow:
            those that promise most by what is known at the start.
        questions: Questions in each after which the next legs are thought through: those that tell
            most.
        valued: Questions in each that are valued exactly: those that tell most in a sample of what
            may be. The others count as if they told nothing.
    """

    cells: int = 3
    questions: int = 2
    valued: int = 3

    def __post_init__(self) -> None:
        whole_number(self.cells, "cells", least=1)
        whole_number(self.questions, "questions", least=1)
        whole_number(self.valued, "valued", least=1)


#: Everything is looked at.
ALL = Breadth(cells=1_000, questions=1_000_000, valued=1_000_000)


@dataclass(frozen=True)
class Leg:
    """The next measurement, and what it is worth as a beginning.

    Attributes:
        cell: Where it is made.
        question: The place of the question among those of the cell.
        gain: What it tells by itself, in bits.
        value: The reward of this leg and those after it, as expected.
        legs: How many legs the value looks ahead.
    """

    cell: int
    question: int
    gain: float
    value: float
    legs: int


class _OutOfTime(Exception):
    """The time is over."""


Path = frozenset[tuple[int, int, int]]
"""What was answered on the way: cell, question and outcome, in no order."""


Estimate = Callable[[Posterior, Sequence[int]], Sequence[Floats]]
"""For some cells, by what is known: about what each question there tells, in bits."""


@dataclass
class Measuring:
    """Questions by cells, and the costs of ways between them.

    Attributes:
        cells: For each cell the questions that can be asked there.
        about: The feature whose uncertainty counts.
        between: Turns from each cell to each other, shape (cells, cells); infinite where no way
            leads, and from a cell to itself.
        weights: What counts how much.
        breadth: How much of the tree is looked at.
        estimate: About what each question of some cells tells, in bits, to choose those that are
            valued; None for an estimate that any question has, and that takes longer.
    """

    cells: Sequence[Sequence[Question]]
    about: FeatureLike
    between: Floats
    weights: Weights = field(default_factory=Weights)
    breadth: Breadth = field(default_factory=Breadth)
    estimate: Estimate | None = None

    def first_legs(
        self,
        posterior: Posterior,
        from_here: Floats,
        horizon: int,
        *,
        exact: bool = True,
        seconds: float | None = None,
    ) -> list[Leg]:
        """The cells that can be reached, the best first.

        The first leg is made in any case, every later one only if it is worth more than its way.

        Args:
            posterior: What is known.
            from_here: Turns to each cell, shape (cells,); infinite where it must not be entered.
            horizon: How many legs are thought ahead.
            exact: Whether the benefit follows the outcomes, or is additive.
            seconds: How long to think, all in all. What looks one leg ahead is always there; what
                was looked at deeper in this time stands before it. None for as long as it takes.

        Raises:
            SettingsError: There is no leg in the horizon.
        """
        horizon = whole_number(horizon, "horizon", least=1)
        start = time.monotonic()
        end = np.inf if seconds is None else start + seconds
        every = range(len(self.cells))
        gains = _gains(posterior, self, every)
        looked = time.monotonic() - start
        ways = {cell: float(from_here[cell]) for cell in every if np.isfinite(from_here[cell])}
        first = {cell: self._one_leg(cell, gains[cell], way) for cell, way in ways.items()}
        if not exact:
            profits = np.array([each.max() for each in gains.values()])
            return best_first([self._added(leg, profits, horizon) for leg in first.values()])
        promise = {cell: float(each.max()) for cell, each in gains.items()}
        # Later legs lead to fewer cells, and each answer leaves less to be looked at.
        tree = _Tree(self, promise, end, looked * min(self.breadth.cells / len(self.cells), 1.0))
        promising = [leg.cell for leg in best_first(first.values())][: self.breadth.cells]
        try:
            for legs in range(2, horizon + 1):
                for cell in promising:
                    first[cell] = tree.leg(
                        posterior, frozenset(), cell, gains[cell], ways[cell], legs
                    )
        except _OutOfTime:
            pass
        return best_first(first.values())

    def _one_leg(self, cell: int, gains: Floats, way: float) -> Leg:
        best = int(gains.argmax())
        return Leg(cell, best, float(gains[best]), self.reward(gains[best], way), 1)

    def _added(self, leg: Leg, profits: Floats, horizon: int) -> Leg:
        """A leg and the best route through other cells after it."""
        others = [cell for cell in range(len(self.cells)) if cell != leg.cell]
        ways = self.between[np.ix_(others, others)].copy()
        np.fill_diagonal(ways, 0.0)
        route = best_route(
            self.weights.benefit * profits[others],
            priced(self.between[leg.cell, others], self.weights.distance),
            priced(ways, self.weights.distance),
            most=horizon - 1,
        )
        return Leg(leg.cell, leg.question, leg.gain, leg.value + route.value, horizon)

    def reward(self, gain: float, way: float) -> float:
        """The reward of a leg."""
        return float(self.weights.benefit * gain - self.weights.distance * way)


@dataclass
class _Tree:
    """The tree over outcomes below the first legs.

    Attributes:
        measuring: What it is about.
        promise: What each cell's best question tells by what is known at the start, in bits.
        end: When the time is over.
        longest: Seconds that a look at one answer has taken at most; there must be time for it.
        posteriors: What is known after answers, whatever their order.
        gains: What each question of some cells tells then, by the answers and the cell left.
    """

    measuring: Measuring
    promise: dict[int, float]
    end: float
    longest: float = 0.0
    posteriors: dict[Path, Posterior] = field(default_factory=dict[Path, Posterior])
    gains: dict[tuple[Path, int], dict[int, Floats]] = field(
        default_factory=dict[tuple[Path, int], dict[int, Floats]]
    )

    def leg(
        self, known: Posterior, path: Path, cell: int, gains: Floats, way: float, legs: int
    ) -> Leg:
        """The best question in a cell, with what may follow."""
        order = np.argsort(-gains, kind="stable")[: self.measuring.breadth.questions]
        best: Leg | None = None
        for place in order[: 1 if legs == 1 else None].tolist():
            gain = float(gains[place])
            value = self.measuring.reward(gain, way)
            if legs > 1:
                value += self._after(known, path, cell, place, legs - 1)
            if best is None or value > best.value:
                best = Leg(cell, place, gain, value, legs)
        assert best is not None, "a cell has questions"
        return best

    def _after(self, known: Posterior, path: Path, cell: int, place: int, legs: int) -> float:
        """The worth of the legs after a question, before it is answered."""
        question = self.measuring.cells[cell][place]
        chances = known.distribution(question.feature) @ question.table
        worth = 0.0
        for outcome in np.flatnonzero(chances > 0.0).tolist():
            start = time.monotonic()
            if start + self.longest > self.end:
                raise _OutOfTime
            later = path | {(cell, place, outcome)}
            after = self.posteriors.get(later)
            if after is None:
                said = question.observed(question.outcomes[outcome], id=f"leg {len(later)}")
                after = self.posteriors[later] = known.observe(said)
            worth += float(chances[outcome]) * self._best(after, later, cell, legs)
            if legs == 1:
                self.longest = max(self.longest, time.monotonic() - start)
        return worth

    def _best(self, known: Posterior, path: Path, at: int, legs: int) -> float:
        """The worth of the next legs; nothing, if none is worth its way."""
        ways = self.measuring.between[at]
        gains = self.gains.get((path, at))
        if gains is None:
            gains = self.gains[path, at] = _gains(known, self.measuring, self._promising(at))
        legs_of = [
            self.leg(known, path, cell, each, float(ways[cell]), legs)
            for cell, each in gains.items()
        ]
        return max([0.0, *(leg.value for leg in legs_of)])

    def _promising(self, at: int) -> list[int]:
        """The cells that the next leg from a cell may lead to."""
        ways = self.measuring.between[at]
        cells = [cell for cell in self.promise if np.isfinite(ways[cell])]
        cells.sort(key=lambda cell: -self.measuring.reward(self.promise[cell], float(ways[cell])))
        return cells[: self.measuring.breadth.cells]


def best_first(legs: Iterable[Leg]) -> list[Leg]:
    """Legs in order: what was looked at deepest, then what is worth most, then by gain."""
    return sorted(legs, key=lambda leg: (-leg.legs, -round(leg.value, 12), -leg.gain, leg.cell))


def _gains(known: Posterior, measuring: Measuring, cells: Iterable[int]) -> dict[int, Floats]:
    """The bits each question of some cells tells by itself; 0 for those that are not valued.

    All are screened together, and valued together.
    """
    wanted, most = [*cells], measuring.breadth.valued
    groups = [measuring.cells[cell] for cell in wanted]
    if measuring.estimate is None or most >= max(map(len, groups), default=0):
        kept = known.promising(groups, about=measuring.about, keep=most)
    else:
        about = measuring.estimate(known, wanted)
        kept = [np.argsort(-each, kind="stable")[:most].tolist() for each in about]
    questions = [
        group[place] for group, places in zip(groups, kept, strict=True) for place in places
    ]
    valued: Floats = known.information_gain(questions, about=measuring.about)
    found: dict[int, Floats] = {}
    start = 0
    for cell, group, places in zip(wanted, groups, kept, strict=True):
        found[cell] = np.zeros(len(group))
        found[cell][places] = valued[start : start + len(places)]
        start += len(places)
    return found
