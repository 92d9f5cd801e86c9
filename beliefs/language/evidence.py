"""All that can be observed: evidence on features, and moves by which holders come and go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..arrays.transitions import Transition
from .features import Condition
from .features import Evidence as Evidence
from .features import Prediction as Prediction


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
Observation = Evidence | Prediction | Condition | Move


def unit_of(evidence: Any) -> str | int:
    """What `explain` answers with: the event where there is one, else the id."""
    if evidence.event is not None:
        return evidence.event
    return evidence.id or evidence.because
