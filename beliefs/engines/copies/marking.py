"""A deal of identical copies as *cells* (one item in one slot), counted by inclusion-exclusion.

The weight of a deal is a product of tables, one per cell, on how many copies of the item are in
the slot. In the binomial basis a table is ``g(n) = sum over j of a_j * C(n, j)``, with a_j its
finite differences at 0. ``C(n, j)`` counts the ways to mark j of the n copies, so the total
weight is a sum over numbers of marked copies, and marked copies leave everything else free:

    number of deals = (N - J)! / product over slots of (capacity - marked there)!
                      * product over items of copies! / (unmarked copies)! / product of j!

with J the copies marked in all. That is a dynamic programme over items; its state is J and what
has been marked in the slots that later items use too. The terms alternate in sign, so all of it
is done in whole numbers (weights are floats, which are whole numbers over a power of two), and
nothing cancels.

A copy that can only be in some of the open slots (a card that was seen and then went back into a
hand) is *bound*: it is placed slot by slot like a marked one, until all of its kind are placed.
Evidence about an earlier hand may count only some kinds of copies of an item, so tables say which.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ....data.errors import UnsupportedError

#: Most steps of one sum over the deals: some seconds.
MOST_STEPS = 1_000_000

#: Number of the group and of the slot.
Cell = tuple[int, int]
#: The kind of a group's copies that are not bound; other kinds are places in its `bound`.
FREE = -1
#: Copies placed or marked, the value so far, what slots that come again have taken, and of the
#: group at hand the copies that are marked and the bound ones that are placed.
State = tuple[int, int, tuple[int, ...], int, tuple[int, ...]]
#: Copies marked, bound copies placed, and what is added to the value.
Option = tuple[int, tuple[int, ...], int]


@dataclass(frozen=True)
class Bound:
    """Copies of an item that can only be in some of the open slots."""

    site: int
    copies: int
    slots: frozenset[int]


@dataclass(frozen=True)
class Table:
    """Weights of a cell: ``weights[n]`` for n copies of the counted kinds, in whole numbers."""

    kinds: frozenset[int]
    weights: tuple[int, ...]

    def at(self, count: int, extra: tuple[int, ...]) -> int:
        """The weight of so many free copies and bound ones."""
        total = sum(extra[kind] for kind in self.kinds if kind >= 0)
        if FREE in self.kinds:
            total += count
        return self.weights[total] if total < len(self.weights) else 0


@dataclass(frozen=True)
class Group:
    """All copies of one item that are not yet known to be somewhere.

    Attributes:
        name: Variable and item.
        sites: Sites whose copies can be in every open slot of the deal.
        copies: Number of their copies.
        bound: The other copies.
        tables: For a slot, the weights of how many copies are there.
    """

    name: tuple[str, str]
    sites: tuple[int, ...]
    copies: int
    bound: tuple[Bound, ...]
    tables: Mapping[int, tuple[Table, ...]]

    @property
    def total(self) -> int:
        return self.copies + sum(bound.copies for bound in self.bound)

    def support(self) -> set[int]:
        """Slots in which it matters how many copies are there."""
        return set(self.tables).union(*(bound.slots for bound in self.bound))


@dataclass(frozen=True)
class Mark:
    """Multiply every deal by how many of some copies are in a slot.

    Attributes:
        cell: Group and slot.
        kind: Which of the group's copies are meant.
    """

    cell: Cell
    kind: int = FREE


@dataclass(frozen=True)
class OpenDeal:
    """The part of one deal that is still open.

    Attributes:
        groups: Items with copies that are not placed.
        capacity: Room that is left in every open slot.
    """

    groups: tuple[Group, ...]
    capacity: Mapping[int, int]

    @property
    def size(self) -> int:
        return sum(self.capacity.values())

    def special(self) -> set[int]:
        """Slots that any group's weight depends on."""
        return set[int]().union(*(group.support() for group in self.groups))

    def total(self) -> int:
        """Weight of all deals, times the product of the factorials of the capacities."""
        return self.sums({}, None).get(0, 0)

    def sums(self, labels: Mapping[Cell, Mapping[int, int]], mark: Mark | None) -> dict[int, int]:
        """Weight of all deals by the value of a linear feature.

        Args:
            labels: What one copy of each kind adds to the value in a cell.
            mark: What every deal is multiplied by.

        Returns:
            For every value its weight, times the product of the factorials of the capacities.

        Raises:
            UnsupportedError: It would take too many steps.
        """
        support: dict[int, set[int]] = {}
        for number, group in enumerate(self.groups):
            slots = group.support() | {slot for at, slot in labels if at == number}
            if mark is not None and mark.cell[0] == number:
                slots.add(mark.cell[1])
            if slots:
                support[number] = slots
        order = sorted(support, key=lambda number: (-len(support[number]), number))
        last = {slot: place for place, number in enumerate(order) for slot in support[number]}
        states: dict[tuple[int, int, tuple[int, ...]], int] = {(0, 0, ()): 1}
        still: list[int] = []
        work = 0
        for place, number in enumerate(order):
            group = self.groups[number]
            copies = tuple(bound.copies for bound in group.bound)
            start: tuple[int, ...] = (0,) * len(copies)
            inner: dict[State, int] = {
                (*state, 0, start): weight for state, weight in states.items()
            }
            for slot in sorted(support[number], key=lambda slot: (last[slot], slot)):
                marked = mark if mark is not None and mark.cell == (number, slot) else None
                steps = labels.get((number, slot), {})
                options = self._options(group, slot, steps, marked)
                index = still.index(slot) if slot in still else -1
                closes = last[slot] == place
                if index < 0 and not closes:
                    still.append(slot)
                elif closes and index >= 0:
                    del still[index]
                work += len(inner) * len(options)
                if work > MOST_STEPS:
                    raise UnsupportedError(
                        "type_counting would need too many steps for this",
                        hint="ask with method='card_by_card'",
                    )
                inner = self._step(group, copies, slot, options, index, closes, inner)
            states = {}
            for (count, value, used, _, placed), weight in inner.items():
                if placed == copies:
                    key = (count, value, used)
                    states[key] = states.get(key, 0) + weight
        result: dict[int, int] = {}
        size = self.size
        for (count, value, _), weight in states.items():
            result[value] = result.get(value, 0) + weight * math.factorial(size - count)
        return {value: weight for value, weight in result.items() if weight}

    def _step(
        self,
        group: Group,
        copies: tuple[int, ...],
        slot: int,
        options: Mapping[Option, int],
        index: int,
        closes: bool,
        states: Mapping[State, int],
    ) -> dict[State, int]:
        """All states after one more slot of a group."""
        capacity = self.capacity[slot]
        result: dict[State, int] = {}
        for (count, value, used, marked, placed), weight in states.items():
            before = used[index] if index >= 0 else 0
            for (free, extra, step), factor in options.items():
                taken = free + sum(extra)
                ways = math.perm(capacity - before, taken) * math.comb(group.copies - marked, free)
                for total, done, more in zip(copies, placed, extra, strict=True):
                    ways *= math.comb(total - done, more)
                if not ways:
                    continue
                if closes:
                    after = used[:index] + used[index + 1 :] if index >= 0 else used
                elif index >= 0:
                    after = (*used[:index], before + taken, *used[index + 1 :])
                else:
                    after = (*used, taken)
                where = tuple(map(sum, zip(placed, extra, strict=True)))
                key = (count + taken, value + step, after, marked + free, where)
                result[key] = result.get(key, 0) + weight * factor * ways
        return result

    def _options(
        self, group: Group, slot: int, steps: Mapping[int, int], mark: Mark | None
    ) -> dict[Option, int]:
        """Ways to mark copies in a slot: how many, bound ones, what they add, and the factor."""
        tables = group.tables.get(slot, ())
        most = min(group.copies, self.capacity[slot])
        ranges = [
            range(min(bound.copies, self.capacity[slot]) + 1) if slot in bound.slots else range(1)
            for bound in group.bound
        ]
        # Free copies that nothing depends on need not be marked.
        plain = (
            not any(FREE in table.kinds for table in tables)
            and not steps.get(FREE)
            and (mark is None or mark.kind != FREE)
        )
        result: dict[Option, int] = {}
        for extra in itertools.product(*ranges):
            added = sum(steps.get(kind, 0) * count for kind, count in enumerate(extra))
            factor = extra[mark.kind] if mark is not None and mark.kind != FREE else 1
            for count in range(1 if plain else most + 1):
                weight = factor * math.prod(table.at(count, extra) for table in tables)
                if mark is not None and mark.kind == FREE:
                    weight *= count
                if not weight:
                    continue
                value = added + steps.get(FREE, 0) * count
                # The table that is 1 at `count` alone, in the binomial basis.
                for chosen in range(count, 1 if plain else most + 1):
                    sign = -1 if (chosen - count) % 2 else 1
                    term = sign * math.comb(chosen, count) * weight
                    key = (chosen, extra, value)
                    result[key] = result.get(key, 0) + term
        return {key: factor for key, factor in result.items() if factor}

    def after(self, number: int, kind: int, slot: int) -> OpenDeal:
        """The open part once one more copy of some kind is known to be in a slot."""
        group = self.groups[number]
        tables = dict(group.tables)
        if slot in tables:
            tables[slot] = tuple(
                replace(table, weights=table.weights[1:]) if kind in table.kinds else table
                for table in tables[slot]
            )
        if kind == FREE:
            group = replace(group, copies=group.copies - 1, tables=tables)
        else:
            entry = group.bound[kind]
            entry = replace(entry, copies=entry.copies - 1)
            parts = (*group.bound[:kind], entry, *group.bound[kind + 1 :])
            group = replace(group, bound=parts, tables=tables)
        groups = (*self.groups[:number], group, *self.groups[number + 1 :])
        return OpenDeal(groups, {**self.capacity, slot: self.capacity[slot] - 1})

    def without(self, number: int) -> OpenDeal:
        """The open part once all copies of a group are known."""
        group = replace(self.groups[number], copies=0, bound=(), tables={})
        return replace(self, groups=(*self.groups[:number], group, *self.groups[number + 1 :]))

    def steps(self) -> float:
        """An estimate of the steps that `total` takes."""
        special = [group for group in self.groups if group.support()]
        users = Counter(slot for group in special for slot in group.support())
        shared = [slot for slot, number in users.items() if number > 1]
        open_states = 1.0
        for slot in shared:
            most = sum(group.total for group in special if slot in group.support())
            open_states *= min(self.capacity[slot], most) + 1.0
        steps = 0.0
        count = 0
        for group in special:
            most = sum(min(group.total, self.capacity[slot]) for slot in group.support())
            count = min(count + min(group.total, most), self.size)
            parts = math.prod(bound.copies + 1.0 for bound in group.bound)
            for slot in group.support():
                options = (min(group.total, self.capacity[slot]) + 1.0) * parts
                steps += (count + 1.0) * parts * options * open_states
        return steps
