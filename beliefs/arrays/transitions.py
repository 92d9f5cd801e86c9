"""Transitions of a `Walk`: for every position, what can follow it and with which weight."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple, Protocol, cast, runtime_checkable

import numpy as np

from ...data.checks import is_number
from ...data.errors import EvidenceError, nearest
from .layout import Floats, Integers

#: Most steps of a table, from each position to each that can follow.
MOST_STEPS: Final = 10_000_000

#: What follows one position: positions that are equally likely, or a weight for each.
Followers = Mapping[Any, float] | Iterable[Any]


@runtime_checkable
class SparseTable(Protocol):
    """A sparse table of SciPy, or anything else that can become one by rows."""

    def tocsr(self) -> Any: ...


class Rows(NamedTuple):
    """A sparse table by rows (CSR), as kernels take it; its arrays are those of a `Transition`."""

    starts: Integers
    targets: Integers
    weights: Floats


@dataclass(frozen=True, eq=False)
class Transition:
    """Weights of the steps from position to position, as a sparse table by rows (CSR).

    Rows may sum to one (the probability of each next position), to less (the probability of
    what was seen and of the next position), or to anything: they are weights.

    Attributes:
        starts: Entries of row ``i`` are ``starts[i]:starts[i + 1]``, shape (positions + 1,).
        targets: Place of the position a step leads to, ascending in a row, shape (entries,).
        weights: Weight of the step, positive, shape (entries,).
    """

    starts: Integers
    targets: Integers
    weights: Floats

    def __post_init__(self) -> None:
        for array in (self.starts, self.targets, self.weights):
            array.setflags(write=False)

    @property
    def positions(self) -> int:
        """Number of positions."""
        return self.starts.shape[0] - 1

    @property
    def rows(self) -> Rows:
        """The table for kernels."""
        return Rows(self.starts, self.targets, self.weights)

    @cached_property
    def sources(self) -> Integers:
        """Place of the position every entry starts from, shape (entries,)."""
        return np.repeat(np.arange(self.positions), np.diff(self.starts))

    @cached_property
    def dense(self) -> Floats:
        """The table with its zeros, shape (positions, positions)."""
        table = np.zeros((self.positions, self.positions))
        table[self.sources, self.targets] = self.weights
        return table

    @cached_property
    def least(self) -> float:
        """The least weight of a step."""
        return float(self.weights.min(initial=math.inf))

    @cached_property
    def reversed(self) -> Transition:
        """The same weights by the position a step leads to."""
        order = np.argsort(self.targets, kind="stable")
        starts = np.zeros(self.positions + 1, dtype=np.int64)
        np.cumsum(np.bincount(self.targets, minlength=self.positions), out=starts[1:])
        return Transition(starts, self.sources[order], self.weights[order])

    def lookup(self, before: Integers, after: Integers) -> Floats:
        """Weight of the step between pairs of places, 0 where there is none; shape (pairs,)."""
        cells = self.sources * self.positions + self.targets
        wanted = before * self.positions + after
        place = np.minimum(np.searchsorted(cells, wanted), cells.shape[0] - 1)
        return np.where(cells[place] == wanted, self.weights[place], 0.0)

    def times(self, factors: Floats) -> Transition:
        """The same steps with every weight multiplied; shape of ``factors``: (entries,)."""
        return self.weighing(self.weights * factors)

    def weighing(self, weights: Floats) -> Transition:
        """The same steps with other weights, shape (entries,), but for those of weight 0."""
        if weights.all():
            return Transition(self.starts, self.targets, weights)
        kept = weights > 0.0
        starts = np.zeros_like(self.starts)
        np.cumsum(np.bincount(self.sources[kept], minlength=self.positions), out=starts[1:])
        return Transition(starts, self.targets[kept], weights[kept])

    @cached_property
    def _key(self) -> tuple[bytes, bytes, bytes]:
        return (self.starts.tobytes(), self.targets.tobytes(), self.weights.tobytes())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Transition) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


#: Everything that `Walk.transition` takes.
TransitionLike = (
    Transition
    | Mapping[Any, Followers]
    | Callable[[Any], Followers]
    | Floats
    | Sequence[Sequence[float]]
    | SparseTable
    | tuple[Any, Any, Any]
)


def from_rows(starts: Any, targets: Any, weights: Any, size: int, *, where: str) -> Transition:
    """A transition from the three arrays of a sparse table by rows; entries of one cell add up.

    Raises:
        EvidenceError: The arrays do not fit each other, or a weight is negative or not finite.
    """
    _refuse_steps(_entries(weights), where)
    try:
        first = np.array(starts, dtype=np.int64)
        to = np.array(targets, dtype=np.int64)
        values = np.array(weights, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise EvidenceError("the weights of a step are not numbers", where=where) from error
    fits = (
        first.shape == (size + 1,)
        and to.ndim == 1
        and to.shape == values.shape
        and int(first[0]) == 0
        and int(first[-1]) == to.shape[0]
        and bool((np.diff(first) >= 0).all())
        and (to.size == 0 or (int(to.min()) >= 0 and int(to.max()) < size))
    )
    if not fits:
        raise EvidenceError(
            f"a sparse table by rows of {size} positions was expected",
            where=where,
            value=(first.shape, to.shape, values.shape),
            hint="give (starts, targets, weights) with places of positions, as SciPy's CSR has",
        )
    with np.errstate(over="ignore"):
        total = float(values.sum())
    wrong = ~(np.isfinite(values) & (values >= 0.0))
    if wrong.any():
        raise EvidenceError(
            "weights of steps must be finite and not negative",
            where=where,
            value=float(values[wrong.argmax()]),
        )
    if not math.isfinite(total):
        raise EvidenceError(
            "the weights of a step add up to more than any number",
            where=where,
            value=float(values.max()),
            hint="divide all of them by the largest; only how they compare counts",
        )
    if not values.any():
        raise EvidenceError("the weights of a step are zero everywhere", where=where)
    cell = np.repeat(np.arange(size), np.diff(first)) * size + to
    cells, place = np.unique(cell, return_inverse=True)
    summed = np.bincount(place, weights=values).astype(np.float64)
    cells, summed = cells[summed > 0.0], summed[summed > 0.0]
    begin = np.zeros(size + 1, dtype=np.int64)
    np.cumsum(np.bincount(cells // size, minlength=size), out=begin[1:])
    return Transition(begin, cells % size, summed)


def tabulate_transition(
    table: Any, positions: Sequence[Any], places: Mapping[Any, int], *, where: str
) -> Transition:
    """A transition from whatever a user wrote; see `Walk.transition`.

    Raises:
        EvidenceError: A position is unknown, the table has another shape, or a weight is
            negative or not finite, or all are zero.
    """
    size = len(positions)
    if isinstance(table, Transition):
        if table.positions != size:
            raise EvidenceError(
                f"this transition is not one of {size} positions",
                where=where,
                value=table.positions,
            )
        return table
    if isinstance(table, SparseTable):
        sparse = table.tocsr()
        if tuple(sparse.shape) != (size, size):
            raise EvidenceError(
                f"a table of {size} by {size} was expected", where=where, value=sparse.shape
            )
        return from_rows(sparse.indptr, sparse.indices, sparse.data, size, where=where)
    if isinstance(table, Mapping) or callable(table):
        return _from_followers(table, positions, places, where)
    if isinstance(table, tuple) and len(cast("tuple[Any, ...]", table)) == 3:
        first, targets, weights = cast("tuple[Any, Any, Any]", table)
        # The rows of a table of three positions have three entries, and these starts four.
        if np.shape(first) == (size + 1,):
            return from_rows(first, targets, weights, size, where=where)
    _refuse_steps(size * size, where)
    try:
        dense = np.array(table, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise EvidenceError(
            "this is no transition",
            where=where,
            value=cast(object, table),
            hint="give {position: [next, ...]}, {position: {next: weight}}, or a table",
        ) from error
    if dense.shape != (size, size):
        raise EvidenceError(
            f"a table of {size} by {size} was expected", where=where, value=dense.shape
        )
    starts = np.arange(size + 1) * size
    targets = np.tile(np.arange(size), size)
    return from_rows(starts, targets, dense.ravel(), size, where=where)


def _from_followers(
    table: Any, positions: Sequence[Any], places: Mapping[Any, int], where: str
) -> Transition:
    if isinstance(table, Mapping):
        rows = cast("Mapping[Any, Followers]", table)
        for position in rows:
            _place(position, places, where)
        given: Iterable[Any] = (rows.get(position, ()) for position in positions)
    else:
        given = map(cast("Callable[[Any], Followers]", table), positions)
    starts, targets, weights = [0], list[int](), list[float]()
    for position, followers in zip(positions, given, strict=True):
        if isinstance(followers, Mapping):
            for target, weight in cast("Mapping[Any, float]", followers).items():
                if not is_number(weight):
                    raise EvidenceError(
                        f"the weight of a step from {position!r} to {target!r} is not a number",
                        where=where,
                        value=weight,
                    )
                targets.append(_place(target, places, where))
                weights.append(float(weight))
        else:
            if isinstance(followers, str) or not isinstance(followers, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise EvidenceError(
                    f"what follows {position!r} is no list of positions",
                    where=where,
                    value=followers,
                    hint="write [next, ...] or {next: weight}",
                )
            found: dict[int, Any] = {}
            for target in followers:
                place = _place(target, places, where)
                if place in found:
                    raise EvidenceError(
                        f"a position follows {position!r} twice",
                        where=where,
                        value=target,
                        hint="for unequal chances write {next: weight}",
                    )
                found[place] = target
            targets.extend(found)
            weights.extend(1.0 / len(found) for _ in found)
        _refuse_steps(len(targets), where)
        starts.append(len(targets))
    return from_rows(starts, targets, weights, len(positions), where=where)


def _entries(weights: Any) -> int:
    """The number of weights given, before they are copied."""
    try:
        return len(weights)
    except TypeError:
        return 0  # this is no list, as is said where it is read


def _refuse_steps(count: int, where: str) -> None:
    """Refuse a table of more steps than are kept.

    Raises:
        EvidenceError: There are more.
    """
    if count > MOST_STEPS:
        raise EvidenceError(
            f"a table has at most {MOST_STEPS:,} steps",
            where=where,
            value=count,
            hint="name only the positions that can follow: {position: [next, ...]}",
        )


def _place(position: Any, places: Mapping[Any, int], where: str) -> int:
    try:
        return places[position]
    except (KeyError, TypeError):
        raise EvidenceError(
            "unknown position",
            where=where,
            value=position,
            hint=nearest(position, [str(known) for known in places]),
        ) from None
