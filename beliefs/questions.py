"""Questions: a feature, what can be answered, and how likely each answer is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..data.errors import EvidenceError
from .evidence import Evidence
from .features import Feature, FeatureLike, as_feature
from .problem import Floats, Integers, Layout

Answers = Callable[[Any], Mapping[Any, float]]


@dataclass(frozen=True, eq=False, init=False)
class Question:
    """Something that can be asked, with P(outcome | value) for every value of a feature.

    Args:
        feature: What the answer depends on.
        answers: For a value, the probability of every outcome it can lead to; or a table of
            shape (values, outcomes) together with ``outcomes``.
        outcomes: The outcomes, in the order of the table's columns.
        name: What is asked, for people.

    Raises:
        EvidenceError: A row is negative, NaN, or does not sum to one.
    """

    feature: Feature
    outcomes: tuple[Any, ...]
    table: Floats
    name: str

    def __init__(
        self,
        feature: FeatureLike,
        answers: Answers | Floats | Sequence[Sequence[float]],
        outcomes: Sequence[Any] | None = None,
        *,
        name: str = "",
    ) -> None:
        of = as_feature(feature)
        if callable(answers):
            rows = [answers(value) for value in of.values]
            known = tuple(outcomes) if outcomes is not None else ()
            if not known:
                known = tuple(dict.fromkeys(outcome for row in rows for outcome in row))
            places = {outcome: place for place, outcome in enumerate(known)}
            table = np.zeros((len(rows), len(known)))
            for row, chances in enumerate(rows):
                for outcome, chance in chances.items():
                    if outcome not in places:
                        raise EvidenceError("an outcome is not among those named", value=outcome)
                    table[row, places[outcome]] = _chance(chance)
        else:
            try:
                table = np.array(answers, dtype=np.float64)
            except (TypeError, ValueError) as error:
                raise EvidenceError("a table of probabilities was expected") from error
            if outcomes is None:
                raise EvidenceError("name the outcomes of the table", value=table.shape)
            known = tuple(outcomes)
        if len(set(known)) != len(known):
            raise EvidenceError("an outcome is named twice", value=known)
        if table.shape != (len(of.values), len(known)):
            raise EvidenceError(
                f"the table of {name or of.describe()} must have one row for each of "
                f"{len(of.values)} values and one column for each of {len(known)} outcomes",
                value=table.shape,
            )
        if not (np.isfinite(table) & (table >= 0.0)).all():
            raise EvidenceError(
                f"probabilities of {name or of.describe()} must be finite and not negative"
            )
        off = np.abs(table.sum(axis=1) - 1.0)
        if (off > 1e-9).any():
            row = int(off.argmax())
            raise EvidenceError(
                f"the outcomes of {name or of.describe()} must sum to one; for the value "
                f"{of.values[row]!r} they do not",
                value=float(table[row].sum()),
            )
        table.setflags(write=False)
        object.__setattr__(self, "feature", of)
        object.__setattr__(self, "outcomes", known)
        object.__setattr__(self, "table", table)
        object.__setattr__(self, "name", name or of.describe())

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
        column = self.table[:, self.outcomes.index(outcome)]
        note = because or f"{self.name}: {outcome}"
        return Evidence(self.feature, column, because=note, id=id, event=event)

    def about(self, feature: Feature, outcomes: Sequence[Any], *, name: str) -> Question:
        """The same table about another feature with as many values and outcomes."""
        if feature.value_count != self.feature.value_count or len(outcomes) != len(self.outcomes):
            raise EvidenceError("the other feature has another number of values", value=name)
        twin = object.__new__(Question)
        for attribute, value in (
            ("feature", feature),
            ("outcomes", tuple(outcomes)),
            ("table", self.table),
            ("name", name),
        ):
            object.__setattr__(twin, attribute, value)
        twin.__dict__["sparse"] = self.sparse
        return twin

    def on(self, layout: Layout) -> Question:
        """The same question, with what depends on the present holders filled in."""
        if not self.feature.late:
            return self
        feature = self.feature.on(layout)
        rows = [self.feature.places[value] for value in feature.values]
        return Question(feature, self.table[rows], self.outcomes, name=self.name)

    @cached_property
    def sparse(self) -> tuple[Integers, Floats]:
        """Per value, the outcomes that can follow (-1 ends the list) and their chances."""
        width = int((self.table > 0.0).sum(axis=1).max())
        order = np.argsort(self.table <= 0.0, axis=1, kind="stable")[:, :width]
        chances = np.take_along_axis(self.table, order, axis=1)
        return np.where(chances > 0.0, order, -1), chances


def _chance(chance: object) -> float:
    if isinstance(chance, (int, float, np.floating, np.integer)):
        return float(chance)  # pyright: ignore[reportUnknownArgumentType]
    raise EvidenceError("a probability was expected", value=chance)
