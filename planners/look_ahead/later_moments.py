"""Knowledge after an answer, for asking ahead: the values' probabilities, the questions' gains.

Where one feature decides all answers, all is read off its joint with what is to be known. Else the
posterior observes each answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ...beliefs.asking.many_questions import Questions
from ...beliefs.language.features import Feature
from ...beliefs.language.questions import Question
from ...beliefs.posterior import Posterior
from ...data.checks import CERTAIN

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: What can be asked after an answer to an action's question, by the codes of actions.
Following = Callable[[int, Any], Mapping[int, Question]]


@dataclass(frozen=True, eq=False)
class Asks:
    """The questions at one moment.

    Attributes:
        codes: The codes of the actions, shape (questions,).
        questions: What each asks.
        about: What is to be known.
        guesses: Of which of its values each is the guess, by its place; -1 for none. Shape
            (questions,).
    """

    codes: Sequence[int]
    questions: Sequence[Question]
    about: Feature
    guesses: Integers

    def __len__(self) -> int:
        return len(self.codes)

    @cached_property
    def every(self) -> Integers:
        """The numbers of all of them."""
        return np.arange(len(self))

    @cached_property
    def guess_of(self) -> dict[int, int]:
        """The number of the first guess of each value, by the value's place."""
        found: dict[int, int] = {}
        for number in np.flatnonzero(self.guesses >= 0).tolist():
            found.setdefault(int(self.guesses[number]), number)
        return found

    def right(self, shares: Floats) -> Floats:
        """The probability that each question is the right guess, shape (questions,)."""
        return np.where(self.guesses >= 0, shares[self.guesses], 0.0)


class LaterMoment(Protocol):
    """The knowledge of a player at a moment.

    Attributes:
        asks: What they can ask.
        shares: How likely each value of what is to be known is, shape (values,).
    """

    @property
    def asks(self) -> Asks: ...

    @property
    def shares(self) -> Floats: ...

    def gains(self, numbers: Integers) -> Floats:
        """Bits that some of the questions tell, by their numbers."""
        ...

    def tells_whether_right(self, number: int) -> bool:
        """True if the answer to a guess always says if it was right."""
        ...

    def after(self, number: int) -> Iterator[tuple[float, LaterMoment]]:
        """The probability of each answer to a question, and the moment after it."""
        ...


@dataclass(frozen=True, eq=False)
class ByValue:
    """One feature decides all answers: pairs of its values and of those that are to be known.

    Attributes:
        asks: What can be asked, all of it `Questions`.
        shares: How likely each value of what is to be known is, shape (values,).
        about, places: Of each pair that is possible the place of what is to be known, and that of
            what decides the answers; shape (pairs,).
        chances: How likely each pair is, shape (pairs,).
    """

    asks: Asks
    shares: Floats
    about: Integers
    places: Integers
    chances: Floats

    @staticmethod
    def of(posterior: Posterior, asks: Asks) -> ByValue:
        """The moment at which a posterior is all that is known."""
        asked, about = asks.questions, asks.about
        assert isinstance(asked, Questions)
        if asked.feature == about:
            shares = posterior.distribution(about)
            places = np.flatnonzero(shares > 0.0)
            return ByValue(asks, shares, places, places, shares[places])
        joint = posterior.joint(about, asked.feature)
        first = np.array([about.places[value] for value, _ in joint], dtype=np.int64)
        second = np.array([asked.feature.places[value] for _, value in joint], dtype=np.int64)
        chances = np.array([*joint.values()])
        return ByValue(asks, _totals(first, chances, about.value_count), first, second, chances)

    @property
    def _asked(self) -> Questions:
        assert isinstance(self.asks.questions, Questions)
        return self.asks.questions

    def gains(self, numbers: Integers) -> Floats:
        if len(numbers) == len(self.asks):
            return self._asked.gains(self.about, self.places, self.chances)
        return self._asked.some(numbers).gains(self.about, self.places, self.chances)

    def tells_whether_right(self, number: int) -> bool:
        answers = self._asked.codes(number, self.places)
        right = self.about == self.asks.guesses[number]
        return not np.isin(answers[~right], answers[right]).any()

    def after(self, number: int) -> Iterator[tuple[float, LaterMoment]]:
        answers = self._asked.codes(number, self.places)
        for answer in np.unique(answers):
            kept = answers == answer
            about, places, chances = self.about[kept], self.places[kept], self.chances[kept]
            chance = float(chances.sum())
            chances = chances / chance
            shares = _totals(about, chances, len(self.shares))
            yield chance, ByValue(self.asks, shares, about, places, chances)


def _totals(places: Integers, chances: Floats, count: int) -> Floats:
    """The probability of each of so many places."""
    return np.bincount(places, weights=chances, minlength=count).astype(np.float64)


@dataclass(frozen=True, eq=False)
class ByObserving:
    """Answers are whatever they are: the posterior observes each.

    Attributes:
        asks: What can be asked.
        shares: How likely each value of what is to be known is, shape (values,).
        known: Gives the posterior, when it is needed.
        following: What can be asked after an answer to the question of a code.
    """

    asks: Asks
    shares: Floats
    known: Callable[[], Posterior]
    following: Callable[[int, Any], Asks]

    @cached_property
    def _posterior(self) -> Posterior:
        return self.known()

    def gains(self, numbers: Integers) -> Floats:
        every = self.asks.questions
        if isinstance(every, Questions):
            asked: Sequence[Question] = every.some(numbers)
        else:
            asked = [every[int(number)] for number in numbers]
        return np.atleast_1d(self._posterior.information_gain(asked, about=self.asks.about))

    def tells_whether_right(self, number: int) -> bool:
        about = self.asks.about
        right = about.equals(about.values[self.asks.guesses[number]])
        told = self._posterior.information_gain(self.asks.questions[number], about=right)
        return told >= self._posterior.entropy(right) - CERTAIN

    def after(self, number: int) -> Iterator[tuple[float, LaterMoment]]:
        code, question = self.asks.codes[number], self.asks.questions[number]
        # What no value leads to is no answer that could be observed.
        outcomes = [
            outcome
            for place, outcome in enumerate(question.outcomes)
            if question.answers.column(place).any()
        ]
        answers = [question.observed(outcome) for outcome in outcomes]
        found = self._posterior.after_each(answers, about=self.asks.about)
        chances = found.probabilities / found.probabilities.sum()
        for place in np.flatnonzero(found.possible & (chances > 0.0)).tolist():
            then = replace(
                self,
                asks=self.following(code, outcomes[place]),
                shares=found.distributions[place],
                known=partial(self._posterior.observe, answers[place]),
            )
            yield float(chances[place]), then
