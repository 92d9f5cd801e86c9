"""Exact inference by hands: every hand a holder can have, combined over disjoint sets of cards.

All weights on one holder's hand are folded into its list of hands once, so the cost does not
depend on how many clauses there are. Holders are then combined by a dynamic programme over the
sets of cards used so far; a factor that ties two holders makes them one party.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...data.errors import CostError
from ..problem import Additive, Flags, Floats, Integers, Problem
from .base import EXACT, Cost, Diagnostics, GainQuestion, Options, Unsupported, Worlds
from .card_by_card import Graph, build, narrow
from .hands import add_party, before_party, draw_hands, hand_weights, list_hands

#: Most free items: sets of cards are places in an array of 2**items numbers.
MOST_ITEMS = 22
#: Most hands one party may have.
MOST_HANDS = 3_000_000
#: Most pairs of hands and sets that are looked at for one feature across several holders.
MOST_PAIRS = 2e8


@dataclass(frozen=True, eq=False)
class Party:
    """Slots whose contents are weighed together, and the hands they can have.

    Attributes:
        slots: Slots of the party.
        hands: One past the place in ``slots`` of each free item, 0 outside; (hands, items).
        masks: Bits of the free items in each hand, shape (hands,).
        weights: Weight of each hand, shape (hands,).
    """

    slots: Integers
    hands: Flags
    masks: Integers
    weights: Floats


@dataclass(frozen=True, eq=False)
class Families:
    """All parties of a problem, combined.

    Attributes:
        free: Sites that can still be in several slots; bit k of a mask is ``free[k]``.
        fixed: Slot of every site that cannot move, -1 for the free ones; shape (sites,).
        parties: In the order in which they are combined.
        before, after: For each party, weight by used items before it and after it.
        support: For each party, the sets that can have been used before it.
    """

    problem: Problem
    free: Integers
    fixed: Integers
    parties: tuple[Party, ...]
    before: tuple[Floats, ...]
    after: tuple[Floats, ...]
    support: tuple[Integers, ...]
    log_weight: float
    exact: bool = True
    diagnostics: Diagnostics = EXACT
    cache: dict[str, Any] = field(default_factory=dict[str, Any], repr=False)

    def expected(self) -> Floats:
        """Probability of every site in every slot, shape (sites, slots)."""
        layout = self.problem.layout
        result = np.zeros((layout.site_count, layout.slot_count))
        for site, slot in enumerate(self.fixed):
            if slot >= 0:
                result[site, slot] = 1.0
        for number, party in enumerate(self.parties):
            shares = self._shares(number)
            for place, slot in enumerate(party.slots):
                result[self.free, slot] += shares @ (party.hands == place + 1)
        return result

    def joint(self, feature: Additive) -> Floats:
        """Probability of every index of a feature, shape (size,).

        A feature of one party is read off its hands. Items that matter in other parties too
        are placed in every possible way, one pass each; where that would take too long, the
        graph of partial deals answers, which is exact as well.
        """
        base, delta = self._free_part(feature)
        result = np.zeros(feature.size)
        if not self.parties:
            result[base] = 1.0
            return result
        main, outside = self._main_party(delta)
        layout = self.problem.layout
        options = [np.flatnonzero(self._allowed[item]) for item in outside]
        passes = math.prod(len(slots) for slots in options)
        if outside and passes * self._pairs > MOST_PAIRS:
            return self._graph.joint(feature)
        owner = np.full(layout.slot_count, -1)
        for number, party in enumerate(self.parties):
            owner[party.slots] = number
        for slots in itertools.product(*options):
            weights = [party.weights for party in self.parties]
            empty = False
            for number, party in enumerate(self.parties):
                keep = np.ones(party.masks.shape[0], dtype=np.bool_)
                for item, slot in zip(outside, slots, strict=True):
                    place = 0
                    if owner[slot] == number:
                        place = int(np.flatnonzero(party.slots == slot)[0]) + 1
                    keep &= party.hands[:, item] == place
                if not keep.any():
                    empty = True
                    break
                weights[number] = np.where(keep, party.weights, 0.0)
            if empty:
                continue
            offset = base + sum(
                int(delta[item, slot]) for item, slot in zip(outside, slots, strict=True)
            )
            inside = delta.copy()
            inside[outside] = 0
            party = self.parties[main]
            shares = self._shares(main) if not outside else self._restricted(main, weights)
            index = np.full(party.masks.shape[0], offset)
            for place, slot in enumerate(party.slots):
                index += (party.hands == place + 1) @ inside[:, slot]
            positive = shares > 0.0
            np.add.at(result, index[positive], shares[positive])
        return result / result.sum()

    def draw(self, count: int, rng: np.random.Generator) -> Worlds:
        """Exact worlds, never rejected; shape (count, cards)."""
        layout = self.problem.layout
        worlds = np.zeros((count, layout.site_count), dtype=np.int8)
        for site, slot in enumerate(self.fixed):
            if slot >= 0:
                worlds[:, site] = slot
        used = np.zeros(count, dtype=np.int64)
        for number, party in enumerate(self.parties):
            chosen = draw_hands(
                used, self.after[number], party.masks, party.weights, rng.random(count)
            )
            used |= party.masks[chosen]
            hands = party.hands[chosen]
            for place, slot in enumerate(party.slots):
                rows, items = np.nonzero(hands == place + 1)
                worlds[rows, self.free[items]] = slot
        return worlds

    def gains(
        self, about: Additive, about_project: Integers, questions: Sequence[GainQuestion]
    ) -> Floats:
        """Bits that each question gives about a feature, exactly, by the graph of partial deals.

        A question ties several holders together, and many at once share nearly all the work.
        """
        return self._graph.gains(about, about_project, questions)

    @property
    def _graph(self) -> Graph:
        graph = self.cache.get("graph") or build(self.problem)
        if graph is None:
            raise CostError(
                "this feature ties too many hands together for hand_families",
                hint="ask about one holder's hand, or take an approximate method",
            )
        self.cache["graph"] = graph
        return graph

    @property
    def _allowed(self) -> Flags:
        return self.cache["allowed"]

    @property
    def _pairs(self) -> float:
        return sum(
            float(support.shape[0]) * party.masks.shape[0]
            for support, party in zip(self.support, self.parties, strict=True)
        )

    def _shares(self, number: int) -> Floats:
        found = self.cache.get(f"shares {number}")
        if found is None:
            party = self.parties[number]
            found = hand_weights(
                self.before[number],
                self.after[number],
                self.support[number],
                party.masks,
                party.weights,
            )
            found = found / found.sum()
            self.cache[f"shares {number}"] = found
        return found

    def _restricted(self, main: int, weights: list[Floats]) -> Floats:
        """Weight of the main party's hands when every party has only some of its hands."""
        kept = [
            (party.masks[weight > 0.0], weight[weight > 0.0])
            for party, weight in zip(self.parties, weights, strict=True)
        ]
        size = self.before[0].shape[0]
        used = np.zeros(size)
        used[0] = 1.0
        for masks, weight in kept[:main]:
            used = add_party(used, np.flatnonzero(used), masks, weight)
        rest = np.zeros(size)
        rest[size - 1] = 1.0
        for number in range(len(kept) - 1, main, -1):
            masks, weight = kept[number]
            rest = before_party(rest, self.support[number], masks, weight)
        party = self.parties[main]
        return hand_weights(used, rest, np.flatnonzero(used), party.masks, weights[main])

    def _free_part(self, feature: Additive) -> tuple[int, Integers]:
        """What fixed sites add, and the delta of the free items, shape (items, slots)."""
        base = 0
        place = {int(site): number for number, site in enumerate(self.free)}
        delta = np.zeros((self.free.shape[0], feature.delta.shape[1]), dtype=np.int64)
        for row, site in enumerate(feature.sites):
            if self.fixed[site] >= 0:
                base += int(feature.delta[row, self.fixed[site]])
            else:
                delta[place[int(site)]] += feature.delta[row]
        return base, delta

    def _main_party(self, delta: Integers) -> tuple[int, list[int]]:
        """The party whose hands carry most of a feature, and the items that matter elsewhere."""
        best, outside = 0, list(range(delta.shape[0] + 1))
        for number, party in enumerate(self.parties):
            others = np.ones(delta.shape[1], dtype=np.bool_)
            others[party.slots] = False
            items = np.flatnonzero(((delta != 0) & others & (self._allowed == 1)).any(axis=1))
            if items.shape[0] < len(outside):
                best, outside = number, [int(item) for item in items]
        return best, outside


@dataclass(frozen=True)
class HandFamilies:
    """Hands of every holder, combined over disjoint sets of cards."""

    name: str = "hand_families"
    exact: bool = True
    summary: str = "distinct items with any weight on whole hands; cost independent of clauses"

    def cost(self, problem: Problem) -> Cost | Unsupported:
        layout = problem.layout
        if not layout.distinct:
            return Unsupported("it needs distinct items; there are identical copies")
        if (layout.capacity < 0).any():
            return Unsupported("it deals items to holders; there is a choice or a walk")
        narrowed = narrow(problem)
        if narrowed.constant == -math.inf:
            return Cost(operations=1.0)
        free = np.flatnonzero(narrowed.allowed.sum(axis=1) > 1)
        if free.shape[0] > MOST_ITEMS:
            return Unsupported(f"it holds sets of at most {MOST_ITEMS} open items in memory")
        sizes = self._sizes(problem, narrowed.allowed, narrowed.alive, free)
        if max(hands for _, hands in sizes) > MOST_HANDS:
            return Unsupported("factors tie holders into a party with too many hands")
        used, pairs = 0, 0.0
        for cards, hands in sizes:
            pairs += math.comb(free.shape[0], used) * hands
            used += cards
        return Cost(
            operations=2e5 + 2.0 * pairs + 100.0 * sum(hands for _, hands in sizes),
            bytes=2.0 ** free.shape[0] * 16,
        )

    def _sizes(
        self, problem: Problem, allowed: Flags, alive: Flags, free: Integers
    ) -> list[tuple[int, float]]:
        """Cards and (a bound on the) hands of every party, in the order of combination."""
        capacity = _free_capacity(problem, allowed, free)
        result: list[tuple[int, float]] = []
        for party in _parties(problem, allowed, alive):
            hands, cards = 1.0, 0
            for slot in party:
                candidates = int(allowed[free, slot].sum())
                hands *= math.comb(candidates, int(capacity[slot]))
                cards += int(capacity[slot])
            result.append((cards, hands))
        return sorted(result, key=lambda pair: pair[1])

    def solve(self, problem: Problem, options: Options) -> Families:
        narrowed = narrow(problem)
        if narrowed.constant == -math.inf:
            return _nothing_left(problem)
        allowed = narrowed.allowed
        single = allowed.sum(axis=1) == 1
        fixed = np.where(single, allowed.argmax(axis=1), -1)
        free = np.flatnonzero(~single)
        capacity = _free_capacity(problem, allowed, free)
        parties: list[Party] = []
        # A living factor that no party reads depends on fixed sites alone.
        constant = narrowed.constant
        unread = {int(index) for index in np.flatnonzero(narrowed.alive)}
        for slots in _parties(problem, allowed, narrowed.alive):
            if capacity[slots].sum() == 0:
                continue
            hands = list_hands(
                np.array(slots, dtype=np.int64),
                capacity[slots],
                np.ascontiguousarray(allowed[free]),
                MOST_HANDS,
            )
            weights = np.ones(hands.shape[0])
            for index in np.flatnonzero(narrowed.alive).tolist():
                reading = _reading(problem, index, slots, fixed, free, allowed, hands)
                if reading is not None:
                    weights *= reading
                    unread.discard(index)
            kept = weights > 0.0
            bits = np.int64(1) << np.arange(free.shape[0], dtype=np.int64)
            masks = (hands[kept] > 0) @ bits
            parties.append(
                Party(np.array(slots, dtype=np.int64), hands[kept], masks, weights[kept])
            )
        if any(party.masks.shape[0] == 0 for party in parties):
            return _nothing_left(problem)
        for index in unread:
            additive, table = problem.factor(index)
            settled = fixed[additive.sites]
            rows = np.flatnonzero(settled >= 0)
            weight = float(table[additive.delta[rows, settled[rows]].sum()])
            if weight == 0.0:
                return _nothing_left(problem)
            constant += math.log(weight)
        parties.sort(key=lambda party: party.masks.shape[0])
        size = 1 << free.shape[0]
        used = np.zeros(size)
        used[0] = 1.0
        before: list[Floats] = []
        support: list[Integers] = []
        scale = 0.0
        for party in parties:
            before.append(used)
            support.append(np.flatnonzero(used))
            used = add_party(used, support[-1], party.masks, party.weights)
            largest = float(used.max())
            if largest <= 0.0:
                return _nothing_left(problem)
            exponent = math.floor(math.log2(largest))
            if abs(exponent) > 64:
                used *= 2.0**-exponent
                scale += exponent
        total = float(used[size - 1])
        if total <= 0.0:
            return _nothing_left(problem)
        rest = np.zeros(size)
        rest[size - 1] = 1.0
        after: list[Floats] = []
        for number in range(len(parties) - 1, -1, -1):
            after.append(rest)
            rest = before_party(
                rest, support[number], parties[number].masks, parties[number].weights
            )
            largest = float(rest.max())
            exponent = math.floor(math.log2(largest))
            if abs(exponent) > 64:
                rest *= 2.0**-exponent
        return Families(
            problem=problem,
            free=free,
            fixed=fixed,
            parties=tuple(parties),
            before=tuple(before),
            after=tuple(reversed(after)),
            support=tuple(support),
            log_weight=math.log(total) + scale * math.log(2.0) + constant,
            cache={"allowed": np.ascontiguousarray(allowed[free])},
        )


def _free_capacity(problem: Problem, allowed: Flags, free: Integers) -> Integers:
    capacity = problem.layout.capacity.copy()
    fixed = np.ones(allowed.shape[0], dtype=np.bool_)
    fixed[free] = False
    return capacity - allowed[fixed].sum(axis=0)


def _parties(problem: Problem, allowed: Flags, alive: Flags) -> list[list[int]]:
    """Slots grouped so that every living factor reads the slots of one group only."""
    slots = problem.layout.slot_count
    leader = list(range(slots))

    def find(slot: int) -> int:
        while leader[slot] != slot:
            slot = leader[slot]
        return slot

    for index in range(problem.factor_count):
        if not alive[index]:
            continue
        first, last = int(problem.factor_start[index]), int(problem.factor_start[index + 1])
        rows = (problem.factor_delta[first:last] != 0) & (
            allowed[problem.factor_site[first:last]] == 1
        )
        touched = np.flatnonzero(rows.any(axis=0))
        for slot in touched[1:]:
            leader[find(int(slot))] = find(int(touched[0]))
    groups: dict[int, list[int]] = {}
    for slot in range(slots):
        groups.setdefault(find(slot), []).append(slot)
    return list(groups.values())


def _reading(
    problem: Problem,
    index: int,
    slots: list[int],
    fixed: Integers,
    free: Integers,
    allowed: Flags,
    hands: Flags,
) -> Floats | None:
    """Weight of each of a party's hands under a factor; None if it does not read this party."""
    additive, table = problem.factor(index)
    base = 0
    place = {int(site): number for number, site in enumerate(free)}
    total = np.zeros(hands.shape[0], dtype=np.int64)
    mine = False
    for row, site in enumerate(additive.sites):
        if fixed[site] >= 0:
            base += int(additive.delta[row, fixed[site]])
            continue
        item = place[int(site)]
        for number, slot in enumerate(slots):
            if additive.delta[row, slot] != 0 and allowed[site, slot] == 1:
                mine = True
                total += (hands[:, item] == number + 1) * additive.delta[row, slot]
    return table[total + base] if mine else None


def _nothing_left(problem: Problem) -> Families:
    none = np.zeros(0, dtype=np.int64)
    return Families(problem, none, none, (), (), (), (), -math.inf)


ENGINE = HandFamilies()
