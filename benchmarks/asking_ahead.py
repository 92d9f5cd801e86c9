"""Questions asked one step ahead or two, by what a belief says they tell.

A guess costs one, and each bit that is open after it `BIT`. One step ahead the cheapest question is
the one that may be right or tells most. Two steps ahead it is the one after whose answers the
cheapest next questions are the cheapest, on average: every answer is considered, so nothing is
drawn.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sleuth.beliefs import Choice, Model, Questions, infer

Places = NDArray[np.int64]
#: A question, where these values are possible, all equally likely.
Asks = Callable[[Places], int]


class Asker:
    """Who asks about a value by what a belief says, and guesses it in the end.

    Args:
        table: The number of the answer by question and value. The first questions are guesses: each
            is right at the value of its number.
        outcomes: How many answers there are.
        bit: What one bit that is open costs later, in guesses; None where nothing else counts.
        looked_into: Two steps ahead: so many of the most promising questions. Of those that promise
            just as much one stands for all.
        later: So many of those that promise most now are looked at after each answer, beside all
            values that are possible then.
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
        self.table, self.outcomes, self.bit = table, range(outcomes), bit
        self.looked_into, self.later = looked_into, later
        self.names = [str(number) for number in range(len(table))]

    def greedy(self, left: Places) -> int:
        """The question that tells most; of equals one that may be right."""
        gains = np.round(self.gains(left, np.arange(len(self.table))), 9)
        right = np.isin(np.arange(len(self.table)), left)
        return int(np.lexsort((~right, -gains))[0])

    def one_step(self, left: Places) -> int:
        """The cheapest question one step ahead."""
        return int(np.argmin(np.round(self.costs(left, np.arange(len(self.table))), 9)))

    def two_steps(self, left: Places) -> int:
        """The cheapest question two steps ahead."""
        if len(left) <= 2:
            return int(left[0])
        costs = np.round(self.costs(left, np.arange(len(self.table))), 9)
        order = np.argsort(costs, kind="stable")
        different = np.concatenate([[True], np.diff(costs[order]) > 0.0])
        looked_into, later = order[different][: self.looked_into], order[: self.later]
        found = [self.cost_of_two(left, question, later) for question in looked_into.tolist()]
        return int(looked_into[np.argmin(np.round(found, 9))])

    def gains(self, left: Places, questions: Places) -> NDArray[np.float64]:
        """Bits that some questions tell, where these values are possible."""
        value = Choice("value", left.tolist())
        names = [self.names[question] for question in questions.tolist()]
        asked = Questions(value.value(), self.table[questions][:, left], self.outcomes, names)
        belief = infer(Model(value), method="enumeration")
        return belief.information_gain(asked, about=value.value())

    def costs(self, left: Places, questions: Places) -> NDArray[np.float64]:
        """Guesses that are expected to be needed with each of some questions, one step ahead."""
        bits_left = np.log2(len(left)) - self.gains(left, questions)
        return 2.0 - np.isin(questions, left) / len(left) + self.bit * bits_left

    def cost_of_two(self, left: Places, question: int, later: Places) -> float:
        """The same with a question, if the cheapest one of ``later`` follows each answer."""
        total = 1.0
        answers = self.table[question, left]
        for answer in np.unique(answers):
            then = left[answers == answer]
            if len(then) == 1:
                needed = float(then[0] != question)
            elif len(then) == 2:
                needed = 1.5
            else:
                needed = float(self.costs(then, np.unique([*later, *then])).min())
            total += len(then) / len(left) * needed
        return total


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
