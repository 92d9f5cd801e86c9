"""Questions: a feature, what can be answered, and how likely each answer is."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, TypeGuard, cast

import numpy as np
from numpy.typing import NDArray

from ...data.checks import listed
from ...data.errors import EvidenceError, join_hints
from ..arrays.layout import Floats, Integers, Layout
from .evidence import Evidence
from .features import Feature, FeatureLike, as_feature
from .likelihoods import MOST_VALUES, refuse_many, some_of

#: Most questions that are valued together.
MOST_QUESTIONS: Final = 10_000_000
#: Most probabilities in the table of a question.
MOST_CELLS: Final = 20_000_000

_BY_VALUE: Final = "{value: {outcome: chance, ...}, ...}"
_A_LIST: Final = "write [Question(feature, ...), ...], or hand over belief.questions(view)"

Chances = Callable[[Any], Mapping[Any, float]] | Mapping[Any, Mapping[Any, float]]

#: Most values that a feature may come to have for which answers are kept.
MOST_GROWN = 1_000


@dataclass(frozen=True, eq=False)
class AnswerTable:
    """P(outcome | value), checked: shape (values, outcomes), rows sum to one.

    Questions that differ in words only share one.
    """

    chances: Floats

    def __post_init__(self) -> None:
        self.chances.setflags(write=False)

    @property
    def shape(self) -> tuple[int, int]:
        """Values, and outcomes."""
        return self.chances.shape[0], self.chances.shape[1]

    def column(self, outcome: int) -> Floats:
        """P(outcome | value) of one outcome, shape (values,)."""
        return self.chances[:, outcome]

    def rows(self, places: Sequence[int]) -> AnswerTable:
        """The answers for some of the values."""
        return AnswerTable(self.chances[list(places)])

    @cached_property
    def sparse(self) -> tuple[Integers, Floats]:
        """Per value, the outcomes that can follow (-1 ends the list) and their chances."""
        width = int((self.chances > 0.0).sum(axis=1).max())
        order = np.argsort(self.chances <= 0.0, axis=1, kind="stable")[:, :width]
        chances = np.take_along_axis(self.chances, order, axis=1)
        return np.where(chances > 0.0, order, -1), chances


@dataclass(frozen=True, eq=False)
class Codes:
    """Answers that follow from the value: the number of its outcome, shape (values,)."""

    codes: Integers
    outcomes: int

    def __post_init__(self) -> None:
        self.codes.setflags(write=False)

    @property
    def shape(self) -> tuple[int, int]:
        """Values, and outcomes."""
        return self.codes.shape[0], self.outcomes

    @property
    def chances(self) -> Floats:
        """P(outcome | value), shape (values, outcomes): zeros and ones."""
        return (self.codes[:, None] == np.arange(self.outcomes)[None, :]).astype(np.float64)

    def column(self, outcome: int) -> Floats:
        """P(outcome | value) of one outcome, shape (values,)."""
        return (self.codes == outcome).astype(np.float64)

    def rows(self, places: Sequence[int]) -> Codes:
        """The answers for some of the values."""
        return Codes(self.codes[list(places)], self.outcomes)

    @property
    def sparse(self) -> tuple[Integers, Floats]:
        """Per value, the outcome that follows, and its chance, which is 1."""
        codes = self.codes.astype(np.int64)[:, None]
        return codes, np.ones(codes.shape)


@dataclass(frozen=True, eq=False, init=False)
class Question:
    """Something that can be asked, with P(outcome | value) for every value of a feature.

    Args:
        feature: What the answer depends on.
        answers: For a value, the probability of every outcome it can lead to, as a function of the
            value or a mapping that has them all; or a table of shape (values, outcomes) together
            with ``outcomes``; or, where the value decides the answer, the number of its outcome for
            each value, an array of whole numbers of shape (values,), together with ``outcomes``.
        outcomes: The outcomes, in the order of the table's columns.
        name: What is asked, for people.

    Attributes:
        grown: What a function answers to each value, with those that the feature may come to have.

    Raises:
        EvidenceError: A row is missing, negative, NaN, or does not sum to one.

    >>> from sleuth import Choice, Model, Question, infer
    >>> weather = Choice("weather", {"rain": 0.25, "sun": 0.75})
    >>> chances = {"rain": {"wet": 0.9, "dry": 0.1}, "sun": {"wet": 0.1, "dry": 0.9}}
    >>> grass = Question(weather, chances, name="is the grass wet?")
    >>> today = infer(Model(weather))
    >>> round(today.information_gain(grass, about=weather), 3)
    0.412
    >>> {k: round(p, 2) for k, p in today.observe(grass.observed("wet")).marginal(weather).items()}
    {'rain': 0.75, 'sun': 0.25}
    >>> grass.about(Choice("yesterday", ["rain", "sun"]), ["wet", "dry"], name="was it wet?")
    <Question 'was it wet?', 2 outcomes>
    """

    feature: Feature
    outcomes: tuple[Any, ...]
    answers: AnswerTable | Codes
    name: str
    grown: Mapping[Any, Mapping[Any, float]]

    def __init__(
        self,
        feature: FeatureLike,
        answers: Chances | Floats | Integers | Sequence[Sequence[float]] | AnswerTable | Codes,
        outcomes: Sequence[Any] | None = None,
        *,
        name: str = "",
    ) -> None:
        of = as_feature(feature)
        name = name or of.describe()
        if _numbers_outcomes(answers):
            answers = _coded(answers, outcomes_of(outcomes or ()), name)
        known = outcomes_of(outcomes if outcomes is not None else ())
        if isinstance(answers, (AnswerTable, Codes)):
            table = None
        elif callable(answers) or isinstance(answers, Mapping):
            known, table = _tabulated(answers, of, known, f"answers of {name}")
        else:
            table = _as_table(answers, f"answers of {name}")
            if outcomes is None:
                raise EvidenceError(
                    "name the outcomes of the table",
                    where=f"answers of {name}",
                    value=table.shape,
                    hint="write outcomes=[...], one for each column",
                )
        given = answers if table is None else table
        shape: tuple[int, ...] = getattr(given, "shape", ())
        if len(set(known)) != len(known):
            raise EvidenceError("an outcome is named twice", value=known)
        if shape != (of.value_count, len(known)):
            raise EvidenceError(
                f"the table of {name} must have one row for each of "
                f"{of.value_count} values and one column for each of {len(known)} outcomes",
                value=shape,
            )
        grown = _grown(answers, of)
        if table is not None:
            answers = _checked(table, of, name)
        object.__setattr__(self, "grown", grown)
        object.__setattr__(self, "feature", of)
        object.__setattr__(self, "outcomes", known)
        object.__setattr__(self, "answers", answers)
        object.__setattr__(self, "name", name)

    @property
    def table(self) -> Floats:
        """P(outcome | value), shape (values, outcomes)."""
        return self.answers.chances

    def __repr__(self) -> str:
        return f"<Question {self.name!r}, {len(self.outcomes)} outcomes>"

    def observed(
        self,
        outcome: Any,
        *,
        because: str = "",
        id: str | None = None,
        event: int | None = None,
    ) -> Evidence:
        """The evidence that this question was answered so."""
        if outcome not in self.outcomes:
            raise EvidenceError(
                f"{self.name!r} has no such outcome",
                value=outcome,
                hint=f"its outcomes are {', '.join(str(known) for known in self.outcomes[:8])}",
            )
        column = self.answers.column(self.outcomes.index(outcome))
        note = because or f"{self.name}: {outcome}"
        return Evidence(self.feature, column, because=note, id=id, event=event)

    def about(self, feature: FeatureLike, outcomes: Sequence[Any], *, name: str) -> Question:
        """The same table about another feature with as many values and outcomes."""
        feature = as_feature(feature)
        if feature.value_count != self.feature.value_count or len(outcomes) != len(self.outcomes):
            raise EvidenceError("the other feature has another number of values", value=name)
        return Question(feature, self.answers, outcomes, name=name)

    def on(self, layout: Layout) -> Question:
        """The same question, with what depends on the present holders filled in.

        >>> from sleuth import Deal, Model, Question, infer
        >>> cards = Deal({"ace": 2, "king": 2}, holders={"you": 3, "table": 1})
        >>> belief = infer(Model(cards), [cards.split("you", "claim 1", 1)])
        >>> asked = Question(cards.count("claim 1", "ace"), lambda count: {count: 1.0})
        >>> len(asked.table), len(asked.on(belief.problem.layout).table)
        (3, 2)
        """
        if not (self.feature.late or layout.order):
            return self
        feature = self.feature.on(layout)
        if feature is self.feature:
            return self
        if not self.feature.has_all(feature):
            if all(value in self.grown for value in feature.values):
                rows = {value: self.grown[value] for value in feature.values}
                return Question(feature, rows, name=self.name)
            value = next(each for each in feature.values if each not in self.feature.places)
            raise EvidenceError(
                f"the question {self.name!r} has no answer for a value that "
                f"{self.feature.describe()} may have now",
                value=value,
                hint=self.feature.advice(value)
                or "make the question by a function of the value, which says all answers",
            )
        rows = [self.feature.places[value] for value in feature.values]
        return Question(feature, self.answers.rows(rows), self.outcomes, name=self.name)


#: Several questions: in order, or by what asks each.
Asked = Iterable[Question] | Mapping[Any, Question]


def _as_table(answers: Any, where: str) -> Floats:
    """Rows of numbers as an array.

    Raises:
        EvidenceError: They are none.
    """
    found: Floats | None = None
    cause: Exception | None = None
    try:
        found = np.array(answers, dtype=np.float64)
    except (TypeError, ValueError) as error:
        cause = error
    if found is None or not found.ndim:
        raise EvidenceError(
            "a table of probabilities was expected",
            where=where,
            value=answers,
            hint=f"write {_BY_VALUE}, a function of the value that gives its {{outcome: chance}}, "
            "or rows of numbers and outcomes=[...]",
        ) from cause
    return found


def _tabulated(
    answers: Chances, of: Feature, known: tuple[Any, ...], where: str
) -> tuple[tuple[Any, ...], Floats]:
    """The outcomes, and P(outcome | value) by a function, or a mapping, of the value."""
    refuse_cells(of.value_count, len(known))
    if isinstance(answers, Mapping):
        by_value = cast("Mapping[Any, Mapping[Any, float]]", answers)
        _refuse_other_values(by_value, of, where)
        answers = by_value.__getitem__
    rows: list[Mapping[Any, float]] = []
    named: dict[Any, None] = {}
    for value in of.values:
        row = answers(value)
        if not isinstance(row, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise EvidenceError(
                "the answers to a value are a mapping from outcomes to probabilities",
                where=f"{where}, {value!r}",
                value=row,
                hint=f"write {_BY_VALUE}, or a function of the value that gives its "
                "{outcome: chance}; {outcome: 1.0} is an answer that is certain",
            )
        rows.append(row)
        if not known:
            named.update(dict.fromkeys(rows[-1]))
            # Refused before the next row is asked for.
            refuse_cells(of.value_count, len(named))
    known = known or tuple(named)
    places = {outcome: place for place, outcome in enumerate(known)}
    table = np.zeros((len(rows), len(known)))
    for row, chances in enumerate(rows):
        for outcome, chance in chances.items():
            if outcome not in places:
                raise EvidenceError("an outcome is not among those named", value=outcome)
            table[row, places[outcome]] = _chance(chance)
    return known, table


def _grown(answers: Any, of: Feature) -> Mapping[Any, Mapping[Any, float]]:
    """The answers of a function, also for the values that a feature may come to have.

    There are none where it cannot say them, or where these are very many.
    """
    if not callable(answers) or not 0 < len(of.further) <= MOST_GROWN:
        return {}
    answer = cast("Callable[[Any], Mapping[Any, float]]", answers)
    with contextlib.suppress(Exception):
        # Whatever a function does with values that are not there yet is no error of its own.
        return {value: dict(answer(value)) for value in (*of.values, *of.further)}
    return {}


def _refuse_other_values(answers: Mapping[Any, Any], of: Feature, where: str) -> None:
    """Refuse a mapping that is not one of all values of a feature.

    Raises:
        EvidenceError: It lacks a value, or has one that the feature does not have.
    """
    refuse_many(of.value_count)
    for value in answers:
        if value not in of.places:
            raise EvidenceError(
                f"{of.describe()} has no such value",
                where=where,
                value=value,
                hint=join_hints(
                    f"its values are {some_of(of.values)}; write {_BY_VALUE}", of.advice(value)
                ),
            )
    for value in of.values:
        if value not in answers:
            raise EvidenceError(
                f"no answer is given for a value of {of.describe()}",
                where=where,
                value=value,
                hint=f"write {_BY_VALUE} for each of {some_of(of.values)}",
            )


def asked_of(given: Asked, where: str) -> Sequence[Question]:
    """Questions that were handed over, in their order; of a mapping its values.

    Raises:
        EvidenceError: Something else than questions.
    """
    if isinstance(given, Mapping):
        given = cast("Mapping[Any, Question]", given).values()
    if isinstance(given, (Question, str)) or not isinstance(cast(object, given), Iterable):
        raise EvidenceError(
            "several questions are given as a list",
            where=where,
            value=cast(object, given),
            hint=_A_LIST,
        )
    words = f"at most {MOST_QUESTIONS:,} questions are asked together"
    asked = listed(given, MOST_QUESTIONS, words, error=EvidenceError, where=where)
    for each in asked:
        if not isinstance(each, Question):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise EvidenceError("not a question", where=where, value=each, hint=_A_LIST)
    return asked


def outcomes_of(outcomes: Iterable[Any]) -> tuple[Any, ...]:
    """The outcomes of a question.

    Raises:
        EvidenceError: There are more than any table has.
    """
    words = f"a question has at most {MOST_VALUES:,} outcomes"
    return tuple(listed(outcomes, MOST_VALUES, words, error=EvidenceError))


def refuse_cells(values: int, outcomes: int) -> None:
    """Refuse a table of more probabilities than are kept.

    Raises:
        EvidenceError: It would be larger.
    """
    if values * outcomes > MOST_CELLS:
        raise EvidenceError(
            f"the table of a question has at most {MOST_CELLS:,} probabilities, one for each value "
            "and outcome",
            value=values * outcomes,
            hint="where the value decides the answer, give the number of its outcome for each",
        )


def _numbers_outcomes(answers: Any) -> TypeGuard[Integers]:
    if not isinstance(answers, np.ndarray):
        return False
    array = cast("NDArray[Any]", answers)
    return array.ndim == 1 and array.dtype.kind in "iu"


def _coded(codes: Integers, outcomes: tuple[Any, ...], name: str) -> Codes:
    """Answers that the value decides.

    Raises:
        EvidenceError: No outcomes are named, or a number is none of theirs.
    """
    if not outcomes:
        raise EvidenceError("name the outcomes that are numbered", value=name)
    wrong = (codes < 0) | (codes >= len(outcomes))
    if wrong.any():
        raise EvidenceError(
            f"{name} has outcomes numbered from 0 to {len(outcomes) - 1}",
            value=int(codes[int(wrong.argmax())]),
        )
    return Codes(codes.copy(), len(outcomes))


def _checked(table: Floats, of: Feature, name: str) -> AnswerTable:
    """A table of probabilities by the values of a feature.

    Raises:
        EvidenceError: A row is negative, NaN, or does not sum to one.
    """
    if not (np.isfinite(table) & (table >= 0.0)).all():
        raise EvidenceError(f"probabilities of {name} must be finite and not negative")
    off = np.abs(table.sum(axis=1) - 1.0)
    if (off > 1e-9).any():
        row = int(off.argmax())
        raise EvidenceError(
            f"the outcomes of {name} must sum to one; for the value {of.values[row]!r} they do not",
            value=float(table[row].sum()),
        )
    return AnswerTable(table)


def _chance(chance: object) -> float:
    if isinstance(chance, (int, float, np.floating, np.integer)):
        return float(chance)  # pyright: ignore[reportUnknownArgumentType]
    raise EvidenceError("a probability was expected", value=chance)
