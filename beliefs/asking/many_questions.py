"""Thousands of questions about one feature, whose answers are computed when they are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, overload

import numpy as np

from ...data.errors import EvidenceError, shorten
from ...data.tables import html_note, html_shown, html_table
from ..arrays.layout import Floats, Integers
from ..engines.listed import bits_of, total_by_place
from ..language.features import Feature, FeatureLike, as_feature
from ..language.likelihoods import refuse_many
from ..language.questions import MOST_QUESTIONS, Question, outcomes_of

#: Most questions that a notebook lists.
MOST_SHOWN: Final = 10
#: Numbers that are held at once while many questions are valued.
CELLS: Final = 1 << 20

#: For the number of a question and the places of some values, the number of each outcome.
Coder = Callable[[int, Integers], Integers]


class Questions(Sequence[Question]):
    """Questions about one feature whose value decides the answer.

    Nothing is computed for a value that is ruled out, and no table is kept. Each element is a
    `Question` of its own.

    Args:
        feature: What all answers depend on.
        answers: The number of the outcome by question and value: an array of whole numbers, shape
            (questions, values); or a function of a question's number and an array of places in
            ``feature.values`` that gives the numbers of the outcomes there.
        outcomes: The outcomes, in the order of their numbers.
        names: What each question asks, for people.

    Raises:
        EvidenceError: The shapes do not fit, numbers are not whole, or an outcome is named twice.

    >>> import numpy as np
    >>> from sleuth import Choice, Model, Questions, infer
    >>> number = Choice("number", range(1, 9))
    >>> halves = Questions(
    ...     number,
    ...     lambda question, places: (places < question).astype(int),
    ...     outcomes=("no", "yes"),
    ...     names=[f"at most {limit}?" for limit in range(9)],
    ... )
    >>> ((best, gain),) = infer(Model(number)).best_questions(halves, about=number, n=1)
    >>> best.name, gain
    ('at most 4?', 1.0)
    >>> halves.codes(2, np.arange(8)).tolist(), halves.some(np.array([4, 2])).names
    ([1, 1, 0, 0, 0, 0, 0, 0], ['at most 4?', 'at most 2?'])
    """

    def __init__(
        self,
        feature: FeatureLike,
        answers: Coder | Integers,
        outcomes: Sequence[Any],
        names: Sequence[str],
    ) -> None:
        self.feature: Feature = as_feature(feature)
        refuse_many(self.feature.value_count)
        self.outcomes = outcomes_of(outcomes)
        self.names = names
        if len(names) > MOST_QUESTIONS:
            raise EvidenceError(
                f"at most {MOST_QUESTIONS:,} questions are asked together", value=len(names)
            )
        if len(set(self.outcomes)) != len(self.outcomes):
            raise EvidenceError("an outcome is named twice", value=self.outcomes)
        self._table: Integers | None = None
        if not callable(answers):
            table = np.asarray(answers)
            if table.dtype.kind not in "iu":
                raise EvidenceError(
                    "answers are given by the numbers of their outcomes, which are whole numbers",
                    value=str(table.dtype),
                    hint="write an array of integers, or a function that gives one",
                )
            if table.shape != (len(names), self.feature.value_count):
                raise EvidenceError(
                    f"answers have one row for each of {len(names)} questions and one column for "
                    f"each of {self.feature.value_count} values",
                    value=table.shape,
                )
            self._table = table
            self._answers: Coder = lambda number, places: table[number, places]
        else:
            self._answers = answers

    def __len__(self) -> int:
        return len(self.names)

    def _repr_html_(self) -> str:
        left = len(self.names) - MOST_SHOWN
        rows = [(name,) for name in self.names[:MOST_SHOWN]]
        outcomes = shorten(", ".join(map(str, self.outcomes)), 80)
        table = html_table(("",), rows, caption=f"{len(self.names):,} questions")
        more = [html_note(f"and {left:,} more")] if left > 0 else []
        return html_shown(table, *more, html_note(f"answers: {outcomes}"))

    @overload
    def __getitem__(self, index: int) -> Question: ...
    @overload
    def __getitem__(self, index: slice) -> list[Question]: ...
    def __getitem__(self, index: int | slice) -> Question | list[Question]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        number = range(len(self))[index]
        codes = self.codes(number, np.arange(self.feature.value_count))
        return Question(self.feature, codes, self.outcomes, name=str(self.names[number]))

    def __iter__(self) -> Iterator[Question]:
        return (self[number] for number in range(len(self)))

    def some(self, numbers: Integers) -> Questions:
        """Some of them, by their numbers."""
        chosen: list[int] = numbers.tolist()
        names = [self.names[number] for number in chosen]
        answers = self._answers
        found = self._table
        if found is not None:
            return Questions(self.feature, found[numbers], self.outcomes, names)
        return Questions(
            self.feature,
            lambda number, places: answers(chosen[number], places),
            self.outcomes,
            names,
        )

    def codes(self, number: int, places: Integers) -> Integers:
        """The number of the outcome of a question for some values, by their places.

        Raises:
            EvidenceError: The function gave something else.
        """
        found = np.asarray(self._answers(number, places))
        if found.shape != places.shape or found.dtype.kind not in "iu":
            raise EvidenceError(
                f"answers of {self.names[number]!r} must be one whole number for each value",
                value=found.shape,
            )
        least, most = int(found.min(initial=0)), int(found.max(initial=0))
        if least < 0 or most >= len(self.outcomes):
            raise EvidenceError(
                f"answers of {self.names[number]!r} are numbered from 0 to "
                f"{len(self.outcomes) - 1}",
                value=least if least < 0 else most,
            )
        return found

    def _codes_of(self, numbers: range, places: Integers) -> Integers:
        """The numbers of the outcomes of several questions, shape (questions, places)."""
        if self._table is not None:
            found = self._table[numbers.start : numbers.stop][:, places]
            if found.min(initial=0) >= 0 and found.max(initial=0) < len(self.outcomes):
                return found
        return np.stack([self.codes(number, places) for number in numbers])

    def gains(self, about: Integers, places: Integers, shares: Floats) -> Floats:
        """Bits that each question tells about something; shape (questions,).

        Args:
            about: For each pair that is possible, of what it is about and the feature, the number
                of the first one's value; shape (pairs,).
            places: The place of the feature's value, shape (pairs,).
            shares: How likely each pair is, shape (pairs,).

        >>> import numpy as np
        >>> from sleuth import Choice, Questions
        >>> who = Choice("who", ["ann", "bob", "cid", "dot"])
        >>> table = np.array([[0, 0, 1, 1], [0, 0, 0, 0]])
        >>> asked = Questions(who, table, outcomes=("no", "yes"), names=["cid or dot?", "nobody?"])
        >>> places = np.arange(4)
        >>> asked.gains(about=places, places=places, shares=np.full(4, 0.25)).tolist()
        [1.0, 0.0]
        """
        different, at = np.unique(places, return_inverse=True)
        values, about = np.unique(about, return_inverse=True)
        uncertain = bits_of(total_by_place(about, shares))
        # Where each pair has another value, an outcome says of it all that it can say.
        alone = values.shape[0] == about.shape[0]
        count, pairs = len(self.outcomes), len(shares)
        together = max(1, CELLS // max(pairs, count * (1 if alone else len(values))))
        found = np.zeros(len(self))
        for first in range(0, len(self), together):
            numbers = range(first, min(first + together, len(self)))
            codes = self._codes_of(numbers, different)[:, at].astype(np.int64)
            told = _bits_by_row(codes, count, shares)
            if not alone:
                cells = about * count + codes
                told += uncertain - _bits_by_row(cells, len(values) * count, shares)
            found[first : numbers.stop] = np.maximum(told, 0.0)
        return found


def _bits_by_row(places: Integers, count: int, shares: Floats) -> Floats:
    """Entropy of the place in every row, in bits.

    Args:
        places: The place of each pair, shape (rows, pairs), from 0 to ``count`` - 1.
        count: How many places there are.
        shares: How likely each pair is.
    """
    rows = len(places)
    cells = places + count * np.arange(rows)[:, np.newaxis]
    weights = np.broadcast_to(shares, places.shape).ravel()
    totals = np.bincount(cells.ravel(), weights=weights, minlength=rows * count)
    totals = totals.reshape(rows, count)
    return -(totals * np.log2(np.where(totals > 0.0, totals, 1.0))).sum(axis=1)


class ByCode(Mapping[int, Question]):
    """Questions by the codes of the actions that ask them: what a belief may call its questions.

    Args:
        asked: The questions.
        codes: The code of each action, in the order of the questions; None for their numbers.
    """

    def __init__(self, asked: Questions, codes: Sequence[int] | None = None) -> None:
        self.asked = asked
        self.codes: Sequence[int] = range(len(asked)) if codes is None else codes
        self._places = {code: place for place, code in enumerate(self.codes)}

    def __getitem__(self, code: int) -> Question:
        return self.asked[self._places[code]]

    def __iter__(self) -> Iterator[int]:
        return iter(self.codes)

    def __len__(self) -> int:
        return len(self.codes)
