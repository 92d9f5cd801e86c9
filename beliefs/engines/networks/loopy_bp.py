"""Loopy belief propagation: marginals from messages, exact on trees, for comparison elsewhere.

The factor graph has a card (or choice) per variable, every piece of evidence, and one factor per
slot for its size. On the cycles that sizes and evidence make, the marginals are off by a few
hundredths on Clue.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....data.errors import CostError, UnsupportedError
from ...arrays.problem import Additive, Floats, Integers, Narrowed, Problem
from ...arrays.scaling import MOST_PASSING_SPREAD, spreads
from .. import is_wide
from ..base import Cost, Diagnostics, EngineOptions, Unsupported, Worlds, card_sites
from ..partial_deals.graph import Graph, build
from ..sampling.cards import Cards, cards_of, declared_cards, open_cards
from .messages import cavity, propagate_beliefs

#: Rounds of messages without damping, then with ever more.
SCHEDULE = ((0.0, 200), (0.5, 400), (0.8, 800))
#: Largest change of a message once they have settled.
TOLERANCE = 1e-12
#: A larger change is reported as a failure to converge.
SETTLED = 1e-5
#: Most elementary steps of one round of messages.
MOST_STEPS = 2e8
#: Most edges of the graph that worlds are drawn from, and draws per world that is wanted.
MOST_EDGES = 2_000_000
DRAWS_PER_SAMPLE = 200

Block = tuple[Integers, Floats]


@dataclass(frozen=True, eq=False)
class Beliefs:
    """Settled messages and the answers they give.

    Attributes:
        problem: What was asked about.
        cards: Its cards.
        graph: Evidence and sizes as factors on the cards.
        messages: From factors to cards, shape (factor rows, slots).
        marginals: Belief about every card, shape (cards, slots).
        log_weight: Log of the total weight by the Bethe approximation.
        diagnostics: Whether the messages settled.
    """

    problem: Problem
    cards: Cards
    graph: Problem
    messages: Floats
    marginals: Floats
    log_weight: float
    diagnostics: Diagnostics
    exact: bool = False
    cache: dict[Any, Any] = field(default_factory=dict[Any, Any], repr=False)

    def expected(self) -> Floats:
        """Expected copies of every site in every slot, shape (sites, slots)."""
        result = np.zeros((self.problem.layout.site_count, self.marginals.shape[1]))
        np.add.at(result, card_sites(self.problem), self.marginals)
        return result

    def joint(self, feature: Additive) -> Floats:
        """Probability of every index of a feature, shape (size,).

        The feature's cards are cut into blocks, each within one factor that tells slots apart
        where the feature does; within a block that factor's belief holds, and blocks (and cards
        in none) are taken as independent. Sums that no deal can have are left out.
        """
        feature = cards_of(self.problem, feature)
        sums, masses = np.zeros(1, dtype=np.int64), np.ones(1)
        for factor, rows in self._blocks(feature):
            more, weights = self._block(factor, feature, rows)
            sums = (sums[:, None] + more[None, :]).ravel()
            masses = (masses[:, None] * weights[None, :]).ravel()
            sums, masses = _gathered(sums, masses)
        fits = sums < feature.size
        result = np.bincount(sums[fits], weights=masses[fits], minlength=feature.size)
        total = float(result.sum())
        if total <= 0.0:
            raise UnsupportedError(
                "loopy_bp finds no possible value for this feature", hint="take an exact method"
            )
        return result / total

    def draw(self, count: int, rng: np.random.Generator) -> Worlds:
        """Valid deals by the card marginals, those that break hard evidence drawn again.

        Messages say nothing about whole deals, so beyond sizes and hard evidence the cards are
        drawn as if they were independent.

        Raises:
            UnsupportedError: Hardly any such deal fits the hard evidence.
        """
        dealer = self._dealer()
        kept: list[Worlds] = []
        found = drawn = 0
        while found < count:
            if drawn > DRAWS_PER_SAMPLE * (found + 100):
                raise UnsupportedError(
                    f"loopy_bp cannot sample here: of {drawn:,} deals drawn by its marginals "
                    f"{found:,} fitted the hard evidence",
                    hint="take method='metropolis' or 'particles'",
                )
            batch = max(1_000, 2 * (count - found))
            worlds = dealer.draw(batch, rng)
            worlds = worlds[self.cards.log_weights(worlds) > -math.inf]
            drawn += batch
            found += worlds.shape[0]
            kept.append(worlds)
        return np.concatenate(kept)[:count]

    def _dealer(self) -> Graph:
        """Deals with the right sizes, each card weighted by its marginal."""
        if "dealer" not in self.cache:
            layout = self.cards.problem.layout
            limited = layout.capacity >= 0
            factors: list[tuple[object, Additive, Floats]] = []
            for card in self.cards.movable:
                delta = np.arange(layout.slot_count)[None, :]
                feature = Additive(np.array([card]), delta, layout.slot_count)
                own = self.marginals[card]
                if limited[own > 0.0].all():
                    # Relative to the size of a slot: what is dealt at random has no weight.
                    own = own / np.maximum(layout.capacity, 1)
                factors.append((None, feature, own / own.max()))
            simple = Problem.empty(layout).with_factors(factors)
            alive = np.ones(simple.factor_count, dtype=np.int8)
            narrowed = Narrowed((self.marginals > 0.0).astype(np.int8), alive, 0.0)
            graph = build(simple, most_edges=MOST_EDGES, narrowed=narrowed)
            if graph is None:
                raise CostError(
                    "dealing by the marginals needs too large a graph",
                    hint="take method='metropolis'",
                )
            self.cache["dealer"] = graph
        return self.cache["dealer"]

    def _blocks(self, feature: Additive) -> list[tuple[int, Integers]]:
        """Rows of the feature by the factor whose belief they take; -1 for single cards."""
        open_rows = {int(card): row for row, card in enumerate(feature.sites)}
        result: list[tuple[int, Integers]] = []
        scopes = self._scopes(feature, open_rows)
        while scopes:
            ranked = [
                (-sum(row in left for row in rows), size, factor, rows)
                for left in [set(open_rows.values())]
                for factor, size, rows in scopes
            ]
            shared, _, factor, rows = min(ranked, key=lambda entry: entry[:3])
            if shared > -2:
                break
            left = set(open_rows.values())
            mine = [row for row in rows if row in left]
            result.append((factor, np.array(mine)))
            for row in mine:
                del open_rows[int(feature.sites[row])]
            scopes = [scope for scope in scopes if scope[0] != factor]
        return result + [(-1, np.array([row])) for row in open_rows.values()]

    def _scopes(self, feature: Additive, rows: dict[int, int]) -> list[tuple[int, int, list[int]]]:
        """Per factor its number of cards and the rows on which it agrees with the feature."""
        result: list[tuple[int, int, list[int]]] = []
        for factor in self._shared(feature.sites):
            own, _ = self.graph.factor(factor)
            agree = [
                rows[int(card)]
                for place, card in enumerate(own.sites)
                if int(card) in rows
                and _comparable(
                    own.delta[place], feature.delta[rows[int(card)]], self.marginals[card] > 0.0
                )
            ]
            if len(agree) > 1:
                result.append((factor, own.sites.shape[0], agree))
        return result

    def _shared(self, cards: Integers) -> list[int]:
        """Factors of at least two of these cards."""
        start, rows = _rows_by_card(self.graph)
        factor_of = np.repeat(np.arange(self.graph.factor_count), np.diff(self.graph.factor_start))
        mine = [factor_of[rows[start[card] : start[card + 1]]] for card in cards.tolist()]
        found, times = np.unique(np.concatenate(mine), return_counts=True)
        return found[times > 1].tolist()

    def _block(self, factor: int, feature: Additive, rows: Integers) -> Block:
        """Distribution of what some rows of a feature add up to, under one factor's belief."""
        key = (factor, feature.sites[rows].tobytes(), feature.delta[rows].tobytes())
        found = self.cache.get(key)
        if found is None:
            found = self._block_sums(factor, feature, rows)
            self.cache[key] = found
        return found

    def _block_sums(self, factor: int, feature: Additive, rows: Integers) -> Block:
        if factor < 0:
            card = int(feature.sites[rows[0]])
            return _gathered(feature.delta[rows[0]], self.marginals[card])
        own, table = self.graph.factor(factor)
        first = int(self.graph.factor_start[factor])
        row_of = {int(feature.sites[row]): int(row) for row in rows}
        # A state is the feature's sum and the factor's, as one number.
        states, masses = np.zeros(1, dtype=np.int64), np.ones(1)
        for place, card in enumerate(own.sites):
            belief = self._cavity(first + place, int(card))
            slots = np.flatnonzero(belief)
            row = row_of.get(int(card), -1)
            adds = feature.delta[row, slots] if row >= 0 else np.zeros_like(slots)
            inner = states % own.size
            more = inner[:, None] + own.delta[place, slots][None, :]
            steps = adds * own.size + own.delta[place, slots]
            after = (states[:, None] + steps[None, :])[more < own.size]
            masses = (masses[:, None] * belief[slots][None, :])[more < own.size]
            states, masses = _gathered(after, masses)
        return _gathered(states // own.size, masses * table[states % own.size])

    def _cavity(self, row: int, card: int) -> Floats:
        belief = np.zeros(self.marginals.shape[1])
        start, rows = _rows_by_card(self.graph)
        total = cavity(row, card, self.cards.allowed, start, rows, self.messages, belief)
        return belief / total


@dataclass(frozen=True)
class LoopyBp:
    """Belief propagation on the factor graph of cards, evidence and sizes."""

    name: str = "loopy_bp"
    exact: bool = False
    summary: str = "fast marginals, exact on trees, off by hundredths on Clue: for comparison"

    def cost(self, problem: Problem) -> Cost | Unsupported:
        graph = _with_sizes(declared_cards(problem))
        if _steps(graph) > MOST_STEPS:
            return Unsupported("some evidence has too large a table for messages")
        return Cost(operations=100.0 * _steps(graph), bytes=16.0 * graph.factor_delta.size)

    def solve(self, problem: Problem, options: EngineOptions) -> Beliefs:
        """Marginals; seed and samples do not matter."""
        cards = open_cards(problem)
        beliefs = _beliefs(problem, cards)
        if beliefs.log_weight == -math.inf:
            return beliefs
        return replace(beliefs, log_weight=beliefs.log_weight + _correction(problem))


def _beliefs(problem: Problem, cards: Cards) -> Beliefs:
    """Messages passed until they settle."""
    if cards.impossible:
        return _nothing_left(problem, cards)
    graph, scale = _scaled(_with_sizes(cards))
    by_row = np.repeat(spreads(graph.arrays), np.diff(graph.factor_start))
    # Evidence on one card multiplies its messages by all these weights.
    if np.bincount(graph.factor_site, weights=by_row, minlength=1).max() > MOST_PASSING_SPREAD:
        raise UnsupportedError(
            "loopy_bp multiplies the weights of this evidence to less than double precision holds",
            hint="take an exact method, or method='metropolis' or 'particles'",
        )
    start, rows = _rows_by_card(graph)
    wide = is_wide(problem)
    order = _leaves_first(graph) if wide else np.arange(graph.factor_count)
    allowed = cards.allowed
    messages = allowed[graph.factor_site] / allowed[graph.factor_site].sum(axis=1, keepdims=True)
    rounds, change, log_weight = 0, 0.0, -math.inf
    for damping, most in SCHEDULE:
        made, change, log_weight = propagate_beliefs(
            allowed,
            graph.factor_start,
            graph.factor_site,
            graph.factor_delta,
            graph.table_start,
            graph.table,
            start,
            rows,
            order,
            wide,
            messages,
            damping,
            most,
            TOLERANCE,
        )
        rounds += made
        if change <= SETTLED or log_weight == -math.inf:
            break
    if log_weight == -math.inf:
        return _nothing_left(problem, cards)
    marginals = np.zeros(allowed.shape)
    for card in range(cards.count):
        marginals[card] /= cavity(-1, card, allowed, start, rows, messages, marginals[card])
    settled = change <= SETTLED
    notes = ["in joints and samples, what shares no evidence is taken as independent"]
    if not settled:
        notes.append(f"messages still changed by {change:.1e} after {rounds} rounds")
    return Beliefs(
        problem,
        cards,
        graph,
        messages,
        marginals,
        log_weight + cards.constant + scale,
        Diagnostics(converged=settled, notes=tuple(notes)),
    )


def _correction(problem: Problem) -> float:
    """By how much the Bethe approximation misses the number of deals without any evidence.

    Sizes alone put it off; taken out once and for all, the log evidence starts at zero.
    """
    cache = problem.layout.cache
    if is_wide(problem) and not (problem.layout.capacity >= 0).any():
        return 0.0
    if "bethe_correction" not in cache:
        empty = Problem.empty(problem.layout)
        graph = build(empty, most_edges=MOST_EDGES)
        off = _beliefs(empty, open_cards(empty)).log_weight
        cache["bethe_correction"] = 0.0 if graph is None else graph.log_weight - off
    return cache["bethe_correction"]


def _with_sizes(cards: Cards) -> Problem:
    """The evidence, and a factor for the size of every slot that still has a choice.

    All sizes but one imply the last; leaving out the largest breaks the most cycles.
    """
    layout = cards.problem.layout
    group_of = cards.groups[0]
    loose = group_of >= 0
    sizes: dict[int, list[Additive]] = {}
    for slot in range(layout.slot_count):
        inside = cards.allowed[:, slot] == 1
        members = np.flatnonzero(inside & loose)
        if layout.capacity[slot] < 0 or members.shape[0] == 0:
            continue
        size = int(layout.capacity[slot]) - int((inside & ~loose).sum())
        delta = np.zeros((members.shape[0], layout.slot_count), dtype=np.int64)
        delta[:, slot] = 1
        group = int(group_of[members[0]])
        sizes.setdefault(group, []).append(Additive(members, delta, size + 1))
    factors: list[tuple[object, Additive, Floats]] = []
    for group in sizes.values():
        largest = max(group, key=lambda feature: (feature.sites.shape[0], feature.size))
        for feature in group:
            if feature is not largest:
                factors.append((None, feature, np.eye(feature.size)[-1]))
    return cards.problem.with_factors(factors)


def _scaled(problem: Problem) -> tuple[Problem, float]:
    """Tables whose largest weight is one, and the log of what was taken out."""
    largest = (
        np.maximum.reduceat(problem.table, problem.table_start[:-1])
        if len(problem.table)
        else np.ones(0)
    )
    table = problem.table / np.repeat(largest, np.diff(problem.table_start))
    return problem.anew(table=table), float(np.log(largest).sum())


def _rows_by_card(problem: Problem) -> tuple[Integers, Integers]:
    rows = np.argsort(problem.factor_site, kind="stable")
    start = np.searchsorted(problem.factor_site[rows], np.arange(problem.layout.site_count + 1))
    return start, rows


def _leaves_first(problem: Problem) -> Integers:
    """Factors in an order in which a tree is done by one round from its leaves, and one back.

    One after the other those are taken that share no more than one card with the others that are
    left; what then hangs together in circles stays as it was declared.
    """
    start, rows = _rows_by_card(problem)
    factor_start, site = problem.factor_start.tolist(), problem.factor_site.tolist()
    factor_of = np.repeat(np.arange(problem.factor_count), np.diff(problem.factor_start))
    left = np.diff(start).tolist()
    shared = [0] * problem.factor_count
    for row, card in enumerate(site):
        shared[factor_of[row]] += left[card] > 1
    waiting = deque(factor for factor, count in enumerate(shared) if count < 2)
    done = dict.fromkeys(waiting)
    while waiting:
        factor = waiting.popleft()
        for card in site[factor_start[factor] : factor_start[factor + 1]]:
            left[card] -= 1
            if left[card] == 1:
                for other in factor_of[rows[start[card] : start[card + 1]]].tolist():
                    shared[other] -= 1
                    if other not in done and shared[other] < 2:
                        done[other] = None
                        waiting.append(other)
    rest = [factor for factor in range(problem.factor_count) if factor not in done]
    return np.array([*done, *rest], dtype=np.int64)


def _steps(problem: Problem) -> float:
    lengths = np.diff(problem.factor_start).astype(np.float64)
    return float((lengths * np.diff(problem.table_start)).sum()) * problem.layout.slot_count


def _comparable(one: Integers, other: Integers, slots: NDArray[np.bool_]) -> bool:
    """True if one set of steps tells slots apart wherever the other does, or the reverse."""
    pairs = set(zip(one[slots].tolist(), other[slots].tolist(), strict=True))
    kinds = len({pair[0] for pair in pairs}), len({pair[1] for pair in pairs})
    return len(pairs) == max(kinds) and min(kinds) > 1


def _gathered(sums: Integers, masses: Floats) -> Block:
    """Equal sums added up, impossible ones left out."""
    distinct, place = np.unique(sums, return_inverse=True)
    mass = np.bincount(place, weights=masses, minlength=distinct.shape[0]).astype(np.float64)
    return distinct[mass > 0.0], mass[mass > 0.0]


def _nothing_left(problem: Problem, cards: Cards) -> Beliefs:
    nothing = np.zeros((cards.count, problem.layout.slot_count))
    return Beliefs(problem, cards, cards.problem, nothing, nothing, -math.inf, Diagnostics())


ENGINE = LoopyBp()
