"""Asking one step ahead or two: which question is worth most, by what a belief says it tells.

One step ahead it is the one that tells most, or needs fewest questions by what it leaves open; that
is how Neuwirth (1982, "Some strategies for Mastermind") plays. Two steps ahead it is the one after
whose answers the best next questions are the best, on average: every answer is considered, so
nothing is drawn.

>>> from sleuth import Choice, Model, Question, infer
>>> from sleuth.search import AskingAhead
>>> number = Choice("number", range(8))
>>> questions = {
...     code: Question(number.value(), lambda value, least=code: {value >= least: 1.0})
...     for code in range(1, 8)
... }
>>> found = AskingAhead(steps=2).choose(infer(Model(number)), questions, about=number.value())
>>> found.code, found.gain, found.later
(4, 1.0, 1.0)
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import numpy as np

from ...beliefs.asking.many_questions import ByCode, Questions
from ...beliefs.language.features import Feature, FeatureLike, as_feature
from ...beliefs.language.likelihoods import refuse_many
from ...beliefs.language.questions import Question
from ...beliefs.posterior import Posterior, entropy_bits
from ...data.checks import CERTAIN, number_within, whole_number
from ...data.errors import SettingsError
from .later_moments import Asks, ByObserving, ByValue, Floats, Following, Integers, LaterMoment

#: Values that differ by rounding only are equal: so many digits count.
DIGITS: Final = 9
#: More questions than this are not looked into.
MOST: Final = 2**31 - 2
WHERE: Final = "AskingAhead"


@dataclass(frozen=True, kw_only=True)
class QuestionPlan:
    """The answer of `AskingAhead`.

    Attributes:
        code: The code of the action whose question is best.
        question: What it asks.
        gain: Bits that it tells at once.
        later: Bits that the best next question tells after its answers, on average; 0 one step
            ahead.
        cost: How many questions are expected to be needed, with this one; None where there are no
            guesses.
        values: By the codes that were looked into what is compared: the cost, where there is one,
            and else the bits of all steps.
    """

    code: int
    question: Question
    gain: float
    later: float
    cost: float | None
    values: Mapping[int, float]


@dataclass(frozen=True, kw_only=True)
class AskingAhead:
    """A planner of questions that looks one step ahead or two, on any posterior.

    Each question costs 1. Where some are guesses, what ends the game is the right one. One step
    ahead another question is needed unless this one is right, and `bit` more for each bit that is
    open after it. Two steps ahead the cheapest next question by that measure follows each answer.
    Without guesses, the bits of one or two questions are compared.

    Of equals the one that is best one step ahead is chosen, then, where bits are compared, one that
    may be right, then the first one.

    Attributes:
        steps: How far ahead: 1 or 2.
        bit: What a bit that is open costs later, in questions; None to compare bits, though there
            are guesses.
        looked_into: Two steps ahead: so many questions, those that are best one step ahead.
        later: So many of those that are best now are looked at after each answer, beside all
            guesses that may be right then.
        one_of_equals: Whether of those that are as good one step ahead one stands for all. It is
            right where they differ in names only, and saves time.

    Raises:
        SettingsError: A number is of the wrong kind, or out of its range.

    >>> import sleuth
    >>> from sleuth.search import AskingAhead
    >>> number = sleuth.Choice("number", range(8))
    >>> questions = {
    ...     least: sleuth.Question(number, {value: {value >= least: 1.0} for value in range(8)})
    ...     for least in range(1, 8)
    ... }
    >>> asked = AskingAhead(steps=1).choose(
    ...     sleuth.infer(sleuth.Model(number)), questions, about=number
    ... )
    >>> asked.code, asked.gain
    (4, 1.0)
    """

    steps: int = 2
    bit: float | None = 1.0 / 3.0
    looked_into: int = 20
    later: int = 200
    one_of_equals: bool = False

    def __post_init__(self) -> None:
        if whole_number(self.steps, "steps", least=1) > 2:
            raise SettingsError(
                "questions are asked one step ahead or two",
                where=WHERE,
                value=self.steps,
                hint="write steps=2; a Search with Learning(depth=...) looks further ahead",
            )
        if self.bit is not None:
            number_within(self.bit, "bit", where=WHERE)
        whole_number(self.looked_into, "looked_into", least=1, most=MOST)
        whole_number(self.later, "later", least=1, most=MOST)

    def choose(
        self,
        posterior: Posterior,
        questions: Mapping[int, Question] | Questions,
        *,
        about: FeatureLike,
        right: Mapping[int, Any] | Sequence[Any] | None = None,
        following: Following | None = None,
    ) -> QuestionPlan:
        """The best question.

        Args:
            posterior: What is known.
            questions: By the codes of actions what each asks, as a belief's ``questions(view)``
                has it; or `Questions`, whose codes are their numbers. Where all are `Questions`,
                nothing has to be observed to look two steps ahead.
            about: What is to be known.
            right: By the codes of questions that are guesses, the value of ``about`` at which each
                is right; or for each question in turn, None where it is no guess. The answer to a
                guess has to tell whether it is right.
            following: (code, answer) -> what can be asked after it, where that is not the same as
                now.

        Raises:
            SettingsError: There is nothing to ask; something is of the wrong kind; a guess is that
                of no value, or its answer does not tell whether it is right; or nothing guesses a
                value that is possible.
            EvidenceError: What is to be known, or a question, does not fit the posterior's model.
            CostError, UnsupportedError: The posterior cannot answer.
        """
        if not isinstance(cast(object, posterior), Posterior):
            raise SettingsError(
                "what is known is said by a Posterior",
                where=WHERE,
                value=posterior,
                hint="write infer(model), or belief.infer(view, seen)",
            )
        wanted = as_feature(about)
        posterior.model.check(wanted)
        refuse_many(wanted.value_count)
        asks = _asks(questions, wanted, right)
        if not len(asks):
            raise SettingsError(
                "there is nothing to ask",
                where=WHERE,
                value=questions,
                hint="give at least one question",
            )
        if following is None:
            _check_codes(right, questions)
        moment = _moment(posterior, asks, right, following)
        guessing = bool(asks.guess_of) and self.bit is not None
        if guessing:
            _check_guesses(moment)
        gains = moment.gains(asks.every)
        costs = np.round(self._costs(moment, asks.every, gains, guessing), DIGITS)
        # What a right guess saves is in the costs already; where bits are compared it is not.
        wrong = (asks.right(moment.shares) <= 0.0) & (not guessing)
        order = np.lexsort((wrong, costs))
        looked_into, later = order, np.zeros(len(asks))
        if self.steps == 2:
            if self.one_of_equals:
                first = np.concatenate([[True], np.diff(costs[order]) > 0.0])
                looked_into = order[first]
            looked_into = looked_into[: self.looked_into]
            for number in looked_into.tolist():
                needed, later[number] = self._later(moment, number, order, guessing)
                costs[number] = 1.0 + needed if guessing else -gains[number] - later[number]
            costs = np.round(costs, DIGITS)
        best = int(looked_into[np.argmin(costs[looked_into])])
        sign = 1.0 if guessing else -1.0
        return QuestionPlan(
            code=asks.codes[best],
            question=asks.questions[best],
            gain=float(gains[best]),
            later=float(later[best]),
            cost=float(costs[best]) if guessing else None,
            values={asks.codes[each]: sign * float(costs[each]) for each in looked_into.tolist()},
        )

    def _costs(
        self, moment: LaterMoment, numbers: Integers, gains: Floats, guessing: bool
    ) -> Floats:
        """The cost of some questions one step ahead; minus their bits, if only these count."""
        if not guessing or self.bit is None:
            return -gains
        right = moment.asks.right(moment.shares)[numbers]
        return 2.0 - right + self.bit * (entropy_bits(moment.shares) - gains)

    def _later(
        self, moment: LaterMoment, number: int, order: Integers, guessing: bool
    ) -> tuple[float, float]:
        """The outlook after a question: the number still needed, and bits of the next one."""
        needed = bits = 0.0
        guessed = int(moment.asks.guesses[number])
        for chance, then in moment.after(number):
            possible = np.flatnonzero(then.shares > CERTAIN)
            if len(possible) == 1 and (not guessing or possible[0] == guessed):
                continue  # all is known
            new = then.asks is not moment.asks
            if guessing and new:
                _check_guesses(then)
            if guessing and len(possible) <= 2:
                # The likelier one is guessed, and then the other one; nothing is cheaper.
                needed += chance * (2.0 - float(then.shares[possible].max()))
                bits += chance * entropy_bits(then.shares)
                continue
            if not len(then.asks):
                continue
            numbers = then.asks.every
            if not new:
                numbers = order[: self.later]
                if guessing:
                    few = [then.asks.guess_of[place] for place in possible.tolist()]
                    numbers = np.unique([*numbers, *few])
            gains = then.gains(numbers)
            costs = self._costs(then, numbers, gains, guessing)
            best = int(np.argmin(costs))
            needed += chance * float(costs[best])
            bits += chance * float(gains[best])
        return needed, bits


def _asks(
    questions: Mapping[int, Question] | Questions,
    about: Feature,
    right: Mapping[int, Any] | Sequence[Any] | None,
) -> Asks:
    """Questions with what each guesses."""
    given = cast(object, questions)
    if isinstance(given, Questions):
        given = ByCode(given)
    if not isinstance(given, Mapping):
        raise SettingsError(
            "questions are given by the codes of actions",
            where=WHERE,
            value=given,
            hint="write {code: question, ...}, belief.questions(view), or Questions(...)",
        )
    asked = cast("Mapping[int, Question]", given)
    codes = asked.codes if isinstance(asked, ByCode) else [*asked]
    guesses = _guesses(codes, about, right)
    if isinstance(asked, ByCode) and not asked.asked.feature.late:
        return Asks(codes, asked.asked, about, guesses)
    # Actions may ask the same; then the first one stands for them.
    first: dict[tuple[int, int], int] = {}
    every = [*asked.values()]
    for number, question in enumerate(every):
        if not isinstance(cast(object, question), Question):
            raise SettingsError(
                "this is no question",
                where=f"{WHERE}, code {codes[number]!r}",
                value=question,
                hint="write Question(feature, answers)",
            )
        first.setdefault((id(question), int(guesses[number])), number)
    numbers = [*first.values()]
    return Asks(
        [codes[each] for each in numbers],
        [every[each] for each in numbers],
        about,
        guesses[numbers],
    )


def _guesses(
    codes: Sequence[int], about: Feature, right: Mapping[int, Any] | Sequence[Any] | None
) -> Integers:
    """The place of the value that each question guesses, -1 for none.

    Raises:
        SettingsError: There is no such question or value.
    """
    found = np.full(len(codes), -1, dtype=np.int64)
    if right is None:
        return found
    if isinstance(right, Mapping):
        by_code = right
    else:
        listed = cast(object, right)
        if not isinstance(listed, (Sequence, np.ndarray)) or len(right) != len(codes):
            raise SettingsError(
                f"one value is needed for each of {len(codes)} questions, or None",
                where=f"{WHERE}, right",
                value=right,
                hint="write {code: value, ...} for those that are guesses",
            )
        by_code = dict(zip(codes, right, strict=True))
    numbers = {code: number for number, code in enumerate(codes)}
    for code, value in by_code.items():
        if value is None or code not in numbers:
            continue
        place = about.places.get(value) if isinstance(value, Hashable) else None
        if place is None:
            raise SettingsError(
                "no such value can be guessed",
                where=f"{WHERE}, code {code!r}",
                value=value,
                hint=f"values are {', '.join(map(repr, about.values[:8]))}",
            )
        found[numbers[code]] = place
    return found


def _check_codes(
    right: Mapping[int, Any] | Sequence[Any] | None, questions: Mapping[int, Question] | Questions
) -> None:
    """Refuse guesses that nothing asks.

    Raises:
        SettingsError: There are some.
    """
    if not isinstance(right, Mapping):
        return
    codes = range(len(questions)) if isinstance(questions, Questions) else questions
    for code in right:
        if code not in codes:
            raise SettingsError(
                "a guess has to be among the questions",
                where=f"{WHERE}, right",
                value=code,
                hint="give its question, too, or leave it out",
            )


def _moment(
    posterior: Posterior,
    asks: Asks,
    right: Mapping[int, Any] | Sequence[Any] | None,
    following: Following | None,
) -> LaterMoment:
    """The moment at which a posterior is all that is known."""
    if isinstance(asks.questions, Questions) and following is None:
        return ByValue.of(posterior, asks)

    if right is not None and not isinstance(right, Mapping):
        right = {
            code: asks.about.values[place]
            for code, place in zip(asks.codes, asks.guesses.tolist(), strict=True)
            if place >= 0
        }

    def then(code: int, answer: Any) -> Asks:
        return asks if following is None else _asks(following(code, answer), asks.about, right)

    return ByObserving(asks, posterior.distribution(asks.about), lambda: posterior, then)


def _check_guesses(moment: LaterMoment) -> None:
    """Refuse guesses that cannot end the game.

    Raises:
        SettingsError: No question guesses a value that is possible, or an answer does not tell
            whether the guess is right.
    """
    asks = moment.asks
    for place in np.flatnonzero(moment.shares > CERTAIN).tolist():
        if place not in asks.guess_of:
            raise SettingsError(
                "nothing guesses a value that is possible",
                where=WHERE,
                value=asks.about.values[place],
                hint="name its guess in right, or leave right out and compare bits",
            )
    for number in np.flatnonzero(asks.right(moment.shares) > CERTAIN).tolist():
        if not moment.tells_whether_right(number):
            raise SettingsError(
                "the answer to a guess has to tell whether it is right",
                where=f"{WHERE}, code {asks.codes[number]!r}",
                value=asks.about.values[asks.guesses[number]],
                hint="give it an answer that it has at no other value",
            )
