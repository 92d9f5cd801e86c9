"""Exact inference by hands: every hand a holder can have, combined over disjoint sets of cards.

All weights on one holder's hand are folded into its list of hands once, so the cost does not
depend on how many clauses there are. Holders are then combined by a dynamic programme over the
sets of cards used so far; a factor that ties two holders makes them one party.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ....data.errors import CostError
from ...arrays.problem import Additive, Flags, Floats, Integers, Narrowed, Problem
from ...arrays.scaling import LEAST_WEIGHT, MOST_KEPT_SPREAD
from ..abilities import Gaining, Listing
from ..base import EXACT, Cost, Diagnostics, EngineOptions, GainQuestion, Unsupported, Worlds
from ..listed import Listed
from ..partial_deals.arrays import rescale
from ..partial_deals.graph import Graph, build, narrow
from .hand_kernels import add_party, before_party, draw_hands, hand_weights, list_hands

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
        scores: Weight of each hand, or its logarithm to base two; shape (hands,).
        before, after: The same by used items before the party and after it.
        support: Sets of items that can have been used before it.
        strong: Whether scores are logarithms, because weights would leave the floats.
    """

    slots: Integers
    hands: Flags
    masks: Integers
    scores: Floats
    before: Floats = field(default_factory=lambda: np.zeros(0))
    support: Integers = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    after: Floats = field(default_factory=lambda: np.zeros(0))
    strong: bool = False

    @cached_property
    def shares(self) -> Floats:
        """Probability of every hand, shape (hands,)."""
        found = self.weighed
        if self.strong:
            found = _beside(found, float(found.max()))
        return found / found.sum()

    @cached_property
    def weighed(self) -> Floats:
        """Weight of all deals with every hand, shape (hands,)."""
        return hand_weights(
            self.before, self.after, self.support, self.masks, self.scores, self.strong
        )

    def index(self, delta: Integers) -> Integers:
        """The addition of every hand to an index, shape (hands,).

        Args:
            delta: What a free item adds in each slot, shape (items, all slots).
        """
        return index_of_hands(self.hands, self.slots, delta)


def index_of_hands(hands: Flags, slots: Integers, delta: Integers) -> Integers:
    """The addition of hands of some slots to an index; see `Party.index`."""
    index = np.zeros(hands.shape[0], dtype=np.int64)
    for place, slot in enumerate(slots):
        index += (hands == place + 1) @ delta[:, slot]
    return index


@dataclass(frozen=True, eq=False)
class Opened:
    """The part of a problem that narrowing leaves open.

    Attributes:
        free: Sites that can still be in several slots; bit k of a mask is ``free[k]``.
        fixed: Slot of every site that cannot move, -1 for the free ones; shape (sites,).
        allowed: 1 where a free site may be in a slot, shape (items, slots).
    """

    free: Integers
    fixed: Integers
    allowed: Flags

    @staticmethod
    def after(allowed: Flags) -> Opened:
        """The open part where sites may be in these slots, shape (sites, slots)."""
        single = allowed.sum(axis=1) == 1
        free = np.flatnonzero(~single)
        fixed = np.where(single, allowed.argmax(axis=1), -1)
        return Opened(free, fixed, np.ascontiguousarray(allowed[free]))

    def parted(self, feature: Additive) -> tuple[int, Integers]:
        """The addition of fixed sites, and the delta of the free items, shape (items, slots)."""
        settled = self.fixed[feature.sites]
        rows = np.flatnonzero(settled >= 0)
        base = int(feature.delta[rows, settled[rows]].sum())
        delta = np.zeros((self.free.shape[0], feature.delta.shape[1]), dtype=np.int64)
        rows = np.flatnonzero(settled < 0)
        delta[np.searchsorted(self.free, feature.sites[rows])] = feature.delta[rows]
        return base, delta

    def capacity(self, problem: Problem) -> Integers:
        """Places of every slot that no fixed site takes."""
        slots = np.arange(problem.layout.slot_count)
        return problem.layout.capacity - (self.fixed[:, None] == slots).sum(axis=0)


@dataclass(frozen=True, eq=False)
class Families(Gaining, Listing):
    """All parties of a problem, combined.

    Attributes:
        opened: Which sites can still be in several slots.
        parties: In the order in which they are combined.
        strong: Whether their scores are logarithms to base two.
    """

    problem: Problem
    opened: Opened
    parties: tuple[Party, ...]
    log_weight: float
    strong: bool = False
    exact: bool = True
    diagnostics: Diagnostics = EXACT

    def expected(self) -> Floats:
        """Probability of every site in every slot, shape (sites, slots)."""
        layout = self.problem.layout
        result = np.zeros((layout.site_count, layout.slot_count))
        for site, slot in enumerate(self.opened.fixed):
            if slot >= 0:
                result[site, slot] = 1.0
        for party in self.parties:
            for place, slot in enumerate(party.slots):
                result[self.opened.free, slot] += party.shares @ (party.hands == place + 1)
        return result

    def joint(self, feature: Additive) -> Floats:
        """Probability of every index of a feature, shape (size,).

        A feature of one party is read off its hands. Items that matter in other parties too
        are placed in every possible way, one pass each; where that would take too long, the
        graph of partial deals answers, which is exact as well.
        """
        base, delta = self.opened.parted(feature)
        result = np.zeros(feature.size)
        if not self.parties:
            result[base] = 1.0
            return result
        main, outside = self._main_party(delta)
        layout = self.problem.layout
        options = [np.flatnonzero(self.opened.allowed[item]) for item in outside]
        passes = math.prod(len(slots) for slots in options)
        if outside and passes * self._pairs > MOST_PAIRS:
            return self._graph.joint(feature)
        owner = np.full(layout.slot_count, -1)
        for number, party in enumerate(self.parties):
            owner[party.slots] = number
        for slots in itertools.product(*options):
            scores = [party.scores for party in self.parties]
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
                scores[number] = np.where(keep, party.scores, self._nothing)
            if empty:
                continue
            offset = base + sum(
                int(delta[item, slot]) for item, slot in zip(outside, slots, strict=True)
            )
            inside = delta.copy()
            inside[outside] = 0
            party = self.parties[main]
            shares = party.shares if not outside else self._restricted(main, scores)
            index = offset + party.index(inside)
            positive = shares > 0.0
            np.add.at(result, index[positive], shares[positive])
        return result / result.sum()

    def draw(self, count: int, rng: np.random.Generator) -> Worlds:
        """Exact worlds, never rejected; shape (count, cards)."""
        layout = self.problem.layout
        worlds = np.zeros((count, layout.site_count), dtype=np.int8)
        for site, slot in enumerate(self.opened.fixed):
            if slot >= 0:
                worlds[:, site] = slot
        used = np.zeros(count, dtype=np.int64)
        for party in self.parties:
            uniform = rng.random(count)
            chosen = draw_hands(used, party.after, party.masks, party.scores, uniform, self.strong)
            used |= party.masks[chosen]
            hands = party.hands[chosen]
            for place, slot in enumerate(party.slots):
                rows, items = np.nonzero(hands == place + 1)
                worlds[rows, self.opened.free[items]] = slot
        return worlds

    def gains(
        self, about: Additive, about_project: Integers, questions: Sequence[GainQuestion]
    ) -> Floats:
        """Bits that each question gives about a feature, exactly, by the graph of partial deals.

        A question ties several holders together, and many at once share nearly all the work.
        """
        return self._graph.gains(about, about_project, questions)

    def listed(self, most: int) -> Listed | None:
        """Every deal that is left; None where there are more than ``most``."""
        return self._graph.listed(most)

    @cached_property
    def _graph(self) -> Graph:
        graph = build(self.problem)
        if graph is None:
            raise CostError(
                "this feature ties too many hands together for hand_families",
                hint="ask about one holder's hand, or take an approximate method",
            )
        return graph

    @property
    def _pairs(self) -> float:
        return sum(float(party.support.shape[0]) * party.masks.shape[0] for party in self.parties)

    def _restricted(self, main: int, scores: list[Floats]) -> Floats:
        """Weight of the main party's hands when every party has only some of its hands."""
        nothing, strong = self._nothing, self.strong
        kept = [
            (party.masks[score > nothing], score[score > nothing])
            for party, score in zip(self.parties, scores, strict=True)
        ]
        size = self.parties[0].before.shape[0]
        used = _only(0, size, strong)
        for masks, score in kept[:main]:
            used = add_party(used, np.flatnonzero(used > nothing), masks, score, strong)
        rest = _only(size - 1, size, strong)
        for number in range(len(kept) - 1, main, -1):
            masks, score = kept[number]
            rest = before_party(rest, self.parties[number].support, masks, score, strong)
        party = self.parties[main]
        support = np.flatnonzero(used > nothing)
        found = hand_weights(used, rest, support, party.masks, scores[main], strong)
        if not strong:
            return found
        return _beside(found, float(np.logaddexp2.reduce(party.weighed)))

    @property
    def _nothing(self) -> float:
        """The weight of what is impossible."""
        return -math.inf if self.strong else 0.0

    def _main_party(self, delta: Integers) -> tuple[int, list[int]]:
        """The party whose hands carry most of a feature, and the items that matter elsewhere."""
        best, outside = 0, list(range(delta.shape[0] + 1))
        for number, party in enumerate(self.parties):
            others = np.ones(delta.shape[1], dtype=np.bool_)
            others[party.slots] = False
            items = np.flatnonzero(((delta != 0) & others & (self.opened.allowed == 1)).any(axis=1))
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
        opened = Opened.after(narrowed.allowed)
        free = opened.free
        if free.shape[0] > MOST_ITEMS:
            return Unsupported(f"it holds sets of at most {MOST_ITEMS} open items in memory")
        capacity = opened.capacity(problem)
        # Cards and (a bound on the) hands of every party, in the order of combination.
        sizes = sorted(
            (
                (
                    int(capacity[slots].sum()),
                    math.prod(
                        float(math.comb(int(opened.allowed[:, slot].sum()), int(capacity[slot])))
                        for slot in slots
                    ),
                )
                for slots in _parties(problem, narrowed)
            ),
            key=lambda pair: pair[1],
        )
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

    def solve(self, problem: Problem, options: EngineOptions) -> Families:
        narrowed = narrow(problem)
        if narrowed.constant == -math.inf:
            return _nothing_left(problem)
        opened = Opened.after(narrowed.allowed)
        capacity = opened.capacity(problem)
        parties: list[Party] = []
        # A living factor that no party reads depends on fixed sites alone.
        unread = [
            (*opened.parted(additive), table)
            for index, (additive, table) in enumerate(problem.factors())
            if narrowed.alive[index]
        ]
        for slots in _parties(problem, narrowed):
            if capacity[slots].sum() > 0:
                party, unread = _party(slots, capacity, opened, unread, problem.strong)
                parties.append(party)
        # Evidence that is strong piece by piece may be less so on whole hands.
        spread = sum(float(np.ptp(party.scores)) for party in parties if party.masks.shape[0])
        strong = problem.strong and spread > MOST_KEPT_SPREAD
        log_scale = 0.0  # to base two, as scores are
        if problem.strong and not strong:
            for number, party in enumerate(parties):
                # Every hand that is left may be far less likely than one that is impossible.
                log_most = float(party.scores.max(initial=-math.inf))
                log_scale += log_most
                weights = np.exp2(party.scores - log_most)
                parties[number] = replace(party, scores=weights, strong=False)
        settled = [float(table[base]) for base, _, table in unread]
        if 0.0 in settled or any(party.masks.shape[0] == 0 for party in parties):
            return _nothing_left(problem)
        parties.sort(key=lambda party: party.masks.shape[0])
        size = 1 << opened.free.shape[0]
        nothing = -math.inf if strong else 0.0
        used = _only(0, size, strong)
        for number, party in enumerate(parties):
            support = np.flatnonzero(used > nothing)
            parties[number] = replace(party, before=used, support=support)
            used = add_party(used, support, party.masks, party.scores, strong)
            log_scale += 0.0 if strong else rescale(used, 0, size)
        total = float(used[size - 1])
        if total <= nothing:
            return _nothing_left(problem)
        rest = _only(size - 1, size, strong)
        for number, party in reversed([*enumerate(parties)]):
            parties[number] = replace(party, after=rest)
            rest = before_party(rest, party.support, party.masks, party.scores, strong)
            if not strong:
                rescale(rest, 0, size)
        log_constant = narrowed.constant + sum(math.log(weight) for weight in settled)
        log_weight = total * math.log(2.0) if strong else math.log(total)
        log_weight += log_scale * math.log(2.0) + log_constant
        return Families(problem, opened, tuple(parties), log_weight, strong)


#: A factor: what fixed sites add to its index, the delta of the free items, and its weights.
_Reading = tuple[int, Integers, Floats]


def _party(
    slots: list[int],
    capacity: Integers,
    opened: Opened,
    factors: Sequence[_Reading],
    strong: bool,
) -> tuple[Party, list[_Reading]]:
    """The hands of some slots, weighed by the factors that read them; and the other factors."""
    places = np.array(slots, dtype=np.int64)
    hands = list_hands(places, capacity[slots], opened.allowed, MOST_HANDS)
    scores = np.zeros(hands.shape[0]) if strong else np.ones(hands.shape[0])
    left: list[_Reading] = []
    for base, delta, table in factors:
        reached = np.where(opened.allowed == 1, delta, 0)
        if reached[:, slots].any():
            found = table[base + index_of_hands(hands, places, reached)]
            if strong:
                with np.errstate(divide="ignore"):
                    scores += np.log2(found)
            else:
                scores *= found
        else:
            left.append((base, delta, table))
    kept = scores > (-math.inf if strong else 0.0)
    bits = np.int64(1) << np.arange(opened.free.shape[0], dtype=np.int64)
    masks = (hands[kept] > 0) @ bits
    return Party(places, hands[kept], masks, scores[kept], strong=strong), left


def _beside(logs: Floats, log: float) -> Floats:
    """Weights beside another, from logarithms; what is possible stays so."""
    return np.where(logs > -math.inf, np.maximum(np.exp2(logs - log), LEAST_WEIGHT), 0.0)


def _only(place: int, size: int, strong: bool) -> Floats:
    """All weight, which is one, at one set of items; logarithms where evidence is strong."""
    scores = np.full(size, -math.inf if strong else 0.0)
    scores[place] = 0.0 if strong else 1.0
    return scores


def _parties(problem: Problem, narrowed: Narrowed) -> list[list[int]]:
    """Slots grouped so that every living factor reads the slots of one group only."""
    slots = problem.layout.slot_count
    leader = list(range(slots))

    def find(slot: int) -> int:
        while leader[slot] != slot:
            slot = leader[slot]
        return slot

    for index in np.flatnonzero(narrowed.alive).tolist():
        additive, _ = problem.factor(index)
        reached = (additive.delta != 0) & (narrowed.allowed[additive.sites] == 1)
        touched = np.flatnonzero(reached.any(axis=0))
        for slot in touched[1:]:
            leader[find(int(slot))] = find(int(touched[0]))
    groups: dict[int, list[int]] = {}
    for slot in range(slots):
        groups.setdefault(find(slot), []).append(slot)
    return list(groups.values())


def _nothing_left(problem: Problem) -> Families:
    opened = Opened.after(problem.layout.allowed)
    return Families(problem, opened, (), -math.inf)


ENGINE = HandFamilies()
