"""`Walk`: a hidden position that moves in steps, its feature `At`, and the move `WalkStep`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np

from ...data.checks import listed, whole_number
from ...data.errors import DeclarationError, EvidenceError, nearest
from ..arrays.layout import Additive, Layout, steps_taken, walk_sites
from ..arrays.transitions import Transition, TransitionLike, tabulate_transition
from .evidence import Evidence, WalkStep
from .features import Feature, Valued
from .priors import normalised, prior_weight
from .variables import Choice

#: Most positions: worlds of walks are arrays of int16.
MOST_POSITIONS = 30_000


@dataclass(frozen=True, init=False)
class Walk(Valued):
    """A position on a graph that moves in steps; it stands for where it is now, `at()`.

    Where it is before the first step is known only by ``start``; every `step` that is observed
    moves it once, and positions are counted by the steps taken so far.

    Args:
        name: Name of the variable.
        positions: Every position.
        start: Where it starts: positions that are equally likely, or a mapping from position to
            prior weight (0 for those left out). By default anywhere.

    Raises:
        DeclarationError: A position is named twice or unknown, or a prior is no weight.

    >>> from sleuth import Model, Walk, infer
    >>> thief = Walk("thief", ["dock", "inn", "church"], start=["dock", "church"])
    >>> street = thief.transition({"dock": ["inn"], "inn": ["dock", "church"], "church": ["inn"]})
    >>> belief = infer(Model(thief), [thief.step(street), thief.step(street)])
    >>> belief = belief.observe(thief.not_at("dock", because="the dock is guarded"))
    >>> belief.marginal(thief.at())
    {'church': 1.0}
    >>> belief.marginal(thief.at(step=0))
    {'dock': 0.5, 'church': 0.5}
    >>> seen = thief.weigh({"dock": 0.1, "inn": 0.1, "church": 0.4}, because="a shadow")
    >>> belief.observe(seen).marginal(thief), thief.value() is thief.at(), thief.values[0]
    ({'church': 1.0}, True, 'dock')
    >>> belief.probability(thief.equals("church")), thief.describe()
    (1.0, 'at(thief)')
    """

    name: str
    positions: tuple[Any, ...]
    start: tuple[float, ...]

    def __init__(
        self,
        name: str,
        positions: Iterable[Any],
        start: Mapping[Any, float] | Iterable[Any] | None = None,
    ) -> None:
        where = f"walk {name!r}"
        if not isinstance(name, str) or not name:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise DeclarationError("a walk needs a name", where=where, value=name)
        if isinstance(positions, (str, set, frozenset)) or not isinstance(positions, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise DeclarationError(
                "positions are a list, in an order that is theirs", where=where, value=positions
            )
        count = f"a walk has 1 to {MOST_POSITIONS:,} positions"
        known = tuple(listed(positions, MOST_POSITIONS, count, error=DeclarationError, where=where))
        try:
            places = {position: place for place, position in enumerate(known)}
        except TypeError:
            raise DeclarationError(
                "a position must be hashable", where=where, value=known
            ) from None
        if not known:
            raise DeclarationError(count, where=where, value=0)
        if len(places) != len(known):
            raise DeclarationError("a position is given twice", where=where, value=known)
        weights = [0.0] * len(known)
        if start is None:
            weights = [1.0] * len(known)
        elif isinstance(start, str) or not isinstance(start, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise DeclarationError(
                "a start is a list of positions, or a prior of them", where=where, value=start
            )
        else:
            prior = cast("Mapping[Any, float]", start) if isinstance(start, Mapping) else None
            for position in start:
                if position not in places:
                    raise DeclarationError(
                        "unknown position",
                        where=where,
                        value=position,
                        hint=nearest(position, [str(other) for other in known]),
                    )
                weight = 1.0 if prior is None else prior[position]
                weights[places[position]] = prior_weight(position, weight, where)
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "positions", known)
        object.__setattr__(self, "start", normalised(weights, where))

    @cached_property
    def _present(self) -> At:
        return At(self.name, self.positions, None)

    @property
    def _places(self) -> Mapping[Any, int]:
        return self._present.places

    # -- features

    def value(self) -> At:
        """The place now, as `at()` says it."""
        return self._present

    def at(self, *, step: int | None = None) -> At:
        """The place now; with ``step``, the place after so many steps (0: the start)."""
        if step is None:
            return self._present
        return At(self.name, self.positions, whole_number(step, "step", least=0))

    # -- evidence

    def seen_at(self, position: Any, *, step: int | None = None, **notes: Any) -> Evidence:
        """It is at this position now, or was after so many steps.

        >>> from sleuth import Model, Walk, infer
        >>> street = {"dock": ["inn"], "inn": ["dock", "church"], "church": ["inn"]}
        >>> thief = Walk("thief", street)
        >>> belief = infer(Model(thief), [thief.step(street), thief.seen_at("dock")])
        >>> belief.marginal(thief.at(step=0))
        {'inn': 1.0}
        """
        table = np.zeros(len(self.positions))
        table[self._place(position)] = 1.0
        return Evidence(self.at(step=step), table, **notes, checked=True)

    def not_at(self, positions: Any, *, step: int | None = None, **notes: Any) -> Evidence:
        """It is at none of these positions now: one position, or a list or set of them."""
        table = np.ones(len(self.positions))
        # A tuple may be one position, such as a pair of coordinates.
        several = isinstance(positions, Iterable) and not isinstance(positions, str)
        named: Iterable[Any] = (cast(object, positions),)
        if several and not self._known(cast(object, positions)):
            named = cast("Iterable[Any]", positions)
        for position in named:
            table[self._place(position)] = 0.0
        if not table.any():
            raise EvidenceError(f"walk {self.name!r} can be nowhere else than at one of these")
        return Evidence(self.at(step=step), table, **notes, checked=True)

    # -- moves

    def transition(self, table: TransitionLike) -> Transition:
        """A table of steps, checked once, to be used for any number of steps.

        Args:
            table: ``{position: [next, ...]}`` with equally likely next positions,
                ``{position: {next: weight}}`` (positions left out have no way on), a function of
                the position that gives either, a dense table of shape (positions, positions), or
                a sparse one: anything with ``tocsr``, or (starts, targets, weights) by rows.

        Raises:
            EvidenceError: A position is unknown, the shape is wrong, or a weight is negative or
                not finite, or all are zero.
        """
        return tabulate_transition(
            table, self.positions, self._places, where=f"a step of {self.name!r}"
        )

    def step(
        self,
        transition: TransitionLike | Mapping[Any, TransitionLike],
        *,
        by: Choice | None = None,
        because: str = "",
        id: str | None = None,
        event: int | None = None,
    ) -> WalkStep:
        """It moved once.

        Args:
            transition: Weights of the steps, see `transition`; with ``by`` a mapping from every
                value of that choice to its own table.
            by: The choice (which type of player is this) that the weights depend on.
            because: A sentence a person can read.
            id: Name for `explain`; made from ``because`` when absent.
            event: Number of the event it came from.

        Raises:
            EvidenceError: A table is no transition, or a value of the choice has none.

        >>> from sleuth import Choice, Model, Walk, infer
        >>> thief = Walk("thief", ["dock", "inn"], start=["dock"])
        >>> hurt = Choice("hurt", [True, False])
        >>> stays, runs = {"dock": ["dock"], "inn": ["inn"]}, {"dock": ["inn"], "inn": ["dock"]}
        >>> moved = thief.step({True: stays, False: runs}, by=hurt, because="a night")
        >>> infer(Model(thief, hurt), [moved, thief.seen_at("inn")]).marginal(hurt)
        {False: 1.0}
        """
        if by is None:
            tables = (self.transition(cast("TransitionLike", transition)),)
            return WalkStep(self.name, tables, None, (), because, id, event)
        if not isinstance(transition, Mapping):
            raise EvidenceError(
                f"a step by {by.name!r} needs a table for each of its values",
                value=transition,
                hint="write {value: transition, ...}",
            )
        given = cast("Mapping[Any, Any]", transition)
        for value in given:
            if value not in by.options:
                raise EvidenceError(f"the choice {by.name!r} has no such value", value=value)
        for value in by.options:
            if value not in given:
                raise EvidenceError(
                    f"a step by {by.name!r} lacks a table for one of its values", value=value
                )
        tables = tuple(self.transition(given[value]) for value in by.options)
        return WalkStep(self.name, tables, by.name, by.options, because, id, event)

    # -- checks

    def _known(self, position: Any) -> bool:
        try:
            return position in self._places
        except TypeError:
            return False

    def _place(self, position: Any) -> int:
        if not self._known(position):
            raise EvidenceError(
                "unknown position",
                value=position,
                hint=nearest(position, [str(known) for known in self.positions]),
            )
        return self._places[position]


@dataclass(frozen=True)
class At(Feature):
    """The place of a walk now, or after so many steps; values are positions."""

    one_place = True

    walk: str
    positions: tuple[Any, ...]
    step: int | None

    @cached_property
    def values(self) -> tuple[Any, ...]:
        return self.positions

    @cached_property
    def late(self) -> bool:
        return self.step is None

    def on(self, layout: Layout) -> At:
        if self.step is not None:
            return self
        key = (At, self.walk, self.positions)
        found = layout.cache.get(key)
        if found is None:
            step = steps_taken(layout, self.walk)
            found = layout.cache[key] = At(self.walk, self.positions, step)
        return found

    def describe(self) -> str:
        return f"at({self.walk})" if self.step is None else f"at({self.walk}, step={self.step})"

    def _additive(self, layout: Layout) -> Additive:
        taken = steps_taken(layout, self.walk)
        step = taken if self.step is None else self.step
        if step > taken:
            raise EvidenceError(
                f"walk {self.walk!r} has taken only {taken} steps so far",
                value=step,
                hint="observe walk.step(...) first; at() is the present position",
            )
        slots = layout.slots[(self.walk, self.walk)]
        if len(slots) != self.size:
            raise EvidenceError(
                f"the walk {self.walk!r} of this model has other positions", value=self.size
            )
        delta = np.zeros((1, layout.slot_count), dtype=np.int64)
        delta[0, list(slots)] = np.arange(self.size)
        return Additive(np.array(walk_sites(layout, self.walk)[step : step + 1]), delta, self.size)
