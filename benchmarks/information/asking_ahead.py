"""Questions asked one step ahead or two, by what a belief says they tell: all values are played.

`AskingAhead` chooses the questions.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sleuth import Choice, Feature, Model, Posterior, Questions, infer
from sleuth.search import AskingAhead

Places = NDArray[np.int64]
#: A question, where these values are possible, all equally likely.
Asks = Callable[[Places], int]


class Asker:
    """Who asks about a value by what a belief says, and guesses it in the end.

    Args:
        table: The number of the answer by question and value. The first questions are guesses: each
            is right at the value of its number.
        outcomes: How many answers there are.
        bit, looked_into, later: As `AskingAhead` has them. Of the questions that promise just as
            much one stands for all.
    """

    def __init__(
        self,
        table: NDArray[Any],
        outcomes: int,
        *,
        bit: float,
        looked_into: int = 20,
        later: int = 200,
    ) -> None:
        self.table, self.outcomes = table, range(outcomes)
        self.one = AskingAhead(steps=1, bit=bit)
        self.two = AskingAhead(
            steps=2, bit=bit, looked_into=looked_into, later=later, one_of_equals=True
        )
        self.bits = AskingAhead(steps=1, bit=None)
        self.names = [str(number) for number in range(len(table))]

    def greedy(self, left: Places) -> int:
        """The question that tells most; of equals one that may be right."""
        return self._asked(self.bits, left)

    def one_step(self, left: Places) -> int:
        """The cheapest question one step ahead."""
        return self._asked(self.one, left)

    def two_steps(self, left: Places) -> int:
        """The cheapest question two steps ahead."""
        return self._asked(self.two, left)

    def belief(self, left: Places) -> tuple[Posterior, Questions, Feature]:
        """What is known where these values are possible, what can be asked, and about what."""
        value = Choice("value", left.tolist())
        asked = Questions(value.value(), self.table[:, left], self.outcomes, self.names)
        return infer(Model(value), method="enumeration"), asked, value.value()

    def _asked(self, planner: AskingAhead, left: Places) -> int:
        belief, asked, value = self.belief(left)
        guesses = {number: number for number in left.tolist()}
        return planner.choose(belief, asked, about=value, right=guesses).code


def needed(table: NDArray[Any], asks: Asks) -> Places:
    """How many questions each value takes until it is guessed: all are followed together."""
    found = np.zeros(table.shape[1], np.int64)
    waiting = [(np.arange(table.shape[1]), 1)]
    while waiting:
        left, number = waiting.pop()
        question = asks(left)
        answers = table[question, left]
        for answer in np.unique(answers):
            then = left[answers == answer]
            if len(then) == 1 and then[0] == question:
                found[question] = number
            else:
                waiting.append((then, number + 1))
    return found


def interval(numbers: Sequence[float]) -> dict[str, Any]:
    """The mean of some numbers of guesses, and its 95 % interval."""
    mean, half = statistics.fmean(numbers), 1.96 * statistics.stdev(numbers) / len(numbers) ** 0.5
    return {"guesses": mean, "interval": [mean - half, mean + half]}
