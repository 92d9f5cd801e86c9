"""Orders in which variables are eliminated, and the cliques that an order makes.

The order decides what exact inference costs. Greedy rules find good ones: the variable whose
neighbours lack the fewest edges goes first (min-fill), or those edges are weighed by the sizes of
the tables that they make (Kjaerulff, "Triangulation of graphs: algorithms giving small total
state space", 1990).
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

#: Graphs with more variables are ordered by one rule.
MOST_COMPARED = 400
#: Numbers in all tables above which nobody needs the rest of an order.
HOPELESS = 1e11


class EliminationOrder(NamedTuple):
    """An order, and the clique of every variable: itself and its neighbours when it goes.

    It ends early where its tables are hopelessly large.

    Attributes:
        order: The variables.
        cliques: Those that are left and share a table with each, itself not among them, as bits.
        entries: Numbers in the tables of all cliques together.
        largest: Numbers in the largest of them.
    """

    order: tuple[int, ...]
    cliques: tuple[int, ...]
    entries: float
    largest: float

    @property
    def width(self) -> int:
        """The most variables of a clique, less one."""
        return max((clique.bit_count() for clique in self.cliques), default=0)


def members(bits: int) -> Iterator[int]:
    """The numbers of the bits that are set, ascending."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def neighbours(count: int, scopes: Iterable[Sequence[int]]) -> list[int]:
    """For every variable, those that share a table with it, as bits."""
    found = [0] * count
    for scope in scopes:
        together = 0
        for variable in scope:
            together |= 1 << variable
        for variable in scope:
            found[variable] |= together
    return [bits & ~(1 << variable) for variable, bits in enumerate(found)]


def best_elimination(sizes: Sequence[int], scopes: Sequence[Sequence[int]]) -> EliminationOrder:
    """The cheapest elimination that the rules find.

    Args:
        sizes: Number of values of every variable.
        scopes: The variables of every table.
    """
    graph = neighbours(len(sizes), scopes)
    logs = [math.log(size) for size in sizes]
    rules = [_missing_and_weight, _weight]
    if len(sizes) > MOST_COMPARED:
        rules = rules[:1]
    found = [_eliminate(graph, logs, rule) for rule in rules]
    return min(found, key=lambda each: each.entries)


#: What a rule says of a variable: its neighbours as bits, all neighbours, and logs of sizes.
Rule = Callable[[int, int, Sequence[int], Sequence[float]], tuple[float, float]]


def _weight(
    variable: int, near: int, graph: Sequence[int], logs: Sequence[float]
) -> tuple[float, float]:
    missing, weight = _missing_and_weight(variable, near, graph, logs)
    return (0.0, weight) if missing == 0 else (weight, missing)


def _missing_and_weight(
    variable: int, near: int, graph: Sequence[int], logs: Sequence[float]
) -> tuple[float, float]:
    """Twice the edges that a variable's neighbours lack, and the log of its table's size."""
    missing, weight = 0, logs[variable]
    for other in members(near):
        missing += (near & ~graph[other]).bit_count() - 1
        weight += logs[other]
    return missing, weight


def _eliminate(graph: Sequence[int], logs: Sequence[float], rule: Rule) -> EliminationOrder:
    left = [*graph]
    count = len(left)
    scores = [rule(variable, left[variable], left, logs) for variable in range(count)]
    waiting = [(score, variable) for variable, score in enumerate(scores)]
    heapq.heapify(waiting)
    gone = [False] * count
    order: list[int] = []
    cliques: list[int] = []
    entries = largest = 0.0
    while waiting:
        score, variable = heapq.heappop(waiting)
        if gone[variable] or score != scores[variable]:
            continue
        near = left[variable]
        gone[variable] = True
        order.append(variable)
        cliques.append(near)
        size = math.exp(min(logs[variable] + sum(logs[other] for other in members(near)), 700.0))
        entries += size
        largest = max(largest, size)
        if entries > HOPELESS:
            break
        without = ~(1 << variable)
        changed = near
        for other in members(near):
            before = left[other]
            after = (before | near) & without & ~(1 << other)
            if after & ~before:
                # New edges change what those lack that see both of their ends.
                changed |= after
            left[other] = after
        for other in members(changed):
            if not gone[other]:
                score = rule(other, left[other], left, logs)
                if score != scores[other]:
                    scores[other] = score
                    heapq.heappush(waiting, (score, other))
    return EliminationOrder(tuple(order), tuple(cliques), entries, largest)
