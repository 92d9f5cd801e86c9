"""All that can be observed: evidence on features, and moves by which holders come and go."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from typing import Any, Final, TypeVar

import numpy as np

from ...data.checks import is_number
from ...data.errors import EvidenceError
from ..arrays.layout import Floats, Layout
from ..arrays.transitions import Transition
from .likelihoods import check_table
from .quantities import Quantity

#: What to write instead of what is no evidence.
OBSERVE: Final = (
    "observe conditions, deal.holds(...), feature.weigh(...), question.observed(outcome), moves, "
    "or {name of a choice: its value}"
)


@dataclass(frozen=True, eq=False)
class Evidence:
    """Something observed, as weights on the values of a feature.

    Attributes:
        feature: What it is about.
        table: Weight of every value, shape (values,); zeros are hard.
        because: A sentence a person can read.
        id: Name for `retract`, `explain` and errors. Where none is given it is None until the
            evidence is observed; `Posterior.evidence` has the names.
        event: Number of the event it came from; `explain` then answers with events.
        prediction: The prediction it was made of; `retract` sets that against its baseline anew.
        beyond: Weights of values that the feature may come to have, as far as they were said.

    Args:
        checked: The table was checked already and belongs to nobody else.

    >>> from sleuth import Deal, Evidence, Model, infer
    >>> cards = Deal({"ace": 2, "king": 2}, holders={"me": 2, "you": 2})
    >>> bet = Evidence(cards.count("you", "ace"), [0.1, 0.5, 0.9], because="you bet")
    >>> bet.hard, bet.named("bet 1").id, bet.base_table().tolist()
    (False, 'bet 1', [0.1, 0.5, 0.9])
    >>> round(infer(Model(cards), [bet]).probability(cards.all_of("you", "ace")), 2)
    0.3
    """

    feature: Quantity
    table: Floats
    because: str = ""
    id: str | None = None
    event: int | None = None
    prediction: Prediction | None = None
    beyond: tuple[float, ...] = ()
    checked: InitVar[bool] = False

    def __post_init__(self, checked: bool) -> None:
        if not checked:
            object.__setattr__(self, "table", check_table(self.feature, _weights(self)))
        self.table.setflags(write=False)

    @property
    def hard(self) -> bool:
        """True if it rules anything out."""
        return bool((self.table == 0.0).any())

    def on(self, layout: Layout) -> Evidence:
        """The same evidence, with what depends on the present holders filled in.

        >>> from sleuth import Deal, Model, infer
        >>> cards = Deal({"ace": 2, "king": 2}, holders={"you": 3, "table": 1})
        >>> belief = infer(Model(cards), [cards.split("you", "claim 1", 1)])
        >>> seen = cards.lacks("claim 1", "ace", because="a king lies open")
        >>> seen.table.tolist(), seen.on(belief.problem.layout).table.tolist()
        ([1.0, 0.0, 0.0], [1.0, 0.0])
        """
        if not (self.feature.late or layout.order):
            return self
        feature = self.feature.on(layout)
        if feature is self.feature:
            return self
        table = self.table
        if feature.values is not self.feature.values:
            table = np.array(carried(self.feature, table.tolist(), self.beyond, feature))
        made = Evidence(
            feature, table, self.because, self.id, self.event, self.prediction, checked=True
        )
        if self.beyond:
            refuse_never(made)
        return made

    def named(self, id: str) -> Evidence:
        """The same evidence under another id."""
        return Evidence(
            self.feature,
            self.table,
            self.because,
            id,
            self.event,
            self.prediction,
            self.beyond,
            checked=True,
        )

    def base_table(self) -> Floats:
        """Weights by index of the additive feature, shape (base.size,)."""
        if self.feature.base is self.feature:
            return self.table
        return self.table[self.feature.project]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Evidence) and (
            (self.feature, self.because, self.id, self.event)
            == (other.feature, other.because, other.id, other.event)
            and np.array_equal(self.table, other.table)
        )

    def __hash__(self) -> int:
        return hash((self.feature, self.table.tobytes(), self.id, self.event))


def refuse_never(evidence: Evidence) -> None:
    """Refuse evidence that cannot be true with the present holders, and could with larger ones.

    Raises:
        EvidenceError: No value that the feature can have now has a weight.
    """
    if not evidence.table.any():
        values = evidence.feature.values
        raise EvidenceError(
            f"it can never be true as the holders are now: {evidence.feature.describe()} is "
            f"{values[0]} to {values[-1]}",
            value=evidence.because or evidence.id,
            hint="merge into the holder what it took first, or correct the number",
        )


Entry = TypeVar("Entry")


def carried(
    feature: Quantity, entries: Sequence[Entry], beyond: Sequence[Entry], present: Quantity
) -> tuple[Entry, ...]:
    """The entries of a feature's values, for the values that it has now.

    Args:
        feature: What it was said of.
        entries: For every value of it.
        beyond: For the further values that it may come to have, as far as it was said.
        present: The feature on the present holders.

    Raises:
        EvidenceError: It was not said for a value that it may have now.
    """
    found: list[Entry] = []
    for value in present.values:
        place = feature.places.get(value)
        if place is not None:
            found.append(entries[place])
            continue
        extra = feature.extra(value)
        if extra >= len(beyond):
            raise EvidenceError(
                f"what was said of {feature.describe()} does not say it for this value, which it "
                "may have now",
                value=value,
                hint=feature.advice(value)
                or "say it with a function of the value, or of every value that it may have",
            )
        found.append(beyond[extra])
    return tuple(found)


def _weights(of: Evidence) -> Floats:
    """The table of evidence on a feature, as numbers."""
    if not isinstance(of.feature, Quantity):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise EvidenceError(
            "evidence is about a feature",
            value=of.feature,
            hint="write choice.value(), deal.count(...), deal.which(...) or walk.at(), or let "
            "feature.weigh(...) make the evidence",
        )
    try:
        return np.array(of.table, dtype=np.float64)
    except (TypeError, ValueError):
        raise EvidenceError(
            f"the weights of {of.feature.describe()} are not numbers",
            value=of.table,
            hint="give a weight for each value, as in [0.2, 0.8]",
        ) from None


@dataclass(frozen=True)
class Prediction:
    """A predictor's probability of a condition, to be set against a baseline when observed."""

    condition: Quantity
    p: float
    given: float | str = "counting"
    trust: float = 1.0
    floor: float = 1e-6
    because: str = ""
    id: str | None = None
    event: int | None = None

    def __post_init__(self) -> None:
        if not is_number(self.p) or not 0.0 <= self.p <= 1.0:
            raise EvidenceError("a prediction is a probability", value=self.p)
        if not is_number(self.trust) or not 0.0 <= self.trust <= 1.0:
            raise EvidenceError("trust is an exponent in [0, 1]", value=self.trust)
        if not is_number(self.floor) or not 0.0 < self.floor < 0.5:
            raise EvidenceError("the floor of a prediction is in (0, 0.5)", value=self.floor)
        if isinstance(self.given, str):
            if self.given != "counting":
                raise EvidenceError(
                    "unknown baseline", value=self.given, hint="'counting', or a probability"
                )
        elif not is_number(self.given) or not 0.0 <= self.given <= 1.0:
            raise EvidenceError("a baseline is a probability", value=self.given)

    def against(self, baseline: float) -> Evidence:
        """The evidence, given the baseline's probability; all ones where that is 0 or 1."""
        ratio = 1.0
        if 1e-12 < baseline < 1.0 - 1e-12:
            p = min(max(self.p, self.floor), 1.0 - self.floor)
            log_odds = math.log(p) - math.log1p(-p) - math.log(baseline) + math.log1p(-baseline)
            ratio = math.exp(self.trust * log_odds)
        table = np.array([1.0, ratio])
        return Evidence(self.condition, table, self.because, self.id, self.event, self)


@dataclass(frozen=True)
class Split:
    """Some unseen items leave a holder and form a new one."""

    deal: str
    source: str
    holder: str
    count: int
    id = None


@dataclass(frozen=True)
class Merge:
    """Several holders become one."""

    deal: str
    holders: tuple[str, ...]
    into: str
    id = None


@dataclass(frozen=True)
class Reveal:
    """Everybody sees all that a holder has; the items stay known wherever they go."""

    deal: str
    holder: str
    contents: Mapping[str, int] = field(hash=False)
    because: str = ""
    id: str | None = None
    event: int | None = None


@dataclass(frozen=True)
class WalkStep:
    """A walk moved once.

    Attributes:
        walk: Name of the walk.
        transitions: Weights of the steps: one table, or one for each value of a choice.
        choice: Name of the choice that they depend on.
        options: Its values, in the order of the tables.
    """

    walk: str
    transitions: tuple[Transition, ...]
    choice: str | None = None
    options: tuple[Any, ...] = ()
    because: str = ""
    id: str | None = None
    event: int | None = None


Move = Split | Merge | Reveal | WalkStep


def unit_of(evidence: Any) -> str | int:
    """The unit that `explain` answers with: the event where there is one, else the id."""
    if evidence.event is not None:
        return evidence.event
    return evidence.id or evidence.because
