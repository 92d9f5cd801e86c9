"""The search once more, in plain Python on dictionaries, for games given as trees.

Written from the papers and the documented order of random draws, not from the kernels: UCT with
availability counts (Cowling, Powley and Whitehouse 2012), a leaf at the first visit, its actions
at the second, random playouts, actions never taken first.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sleuth.models.small.tree_game import Payoff, TreeTurn

WORD = (1 << 64) - 1


class Xorshift:
    """Marsaglia's generator with the triple 13, 7, 17, on Python's own whole numbers."""

    def __init__(self, state: int) -> None:
        self.state = state

    def below(self, count: int) -> int:
        x = self.state
        x ^= (x << 13) & WORD
        x ^= x >> 7
        x ^= (x << 17) & WORD
        self.state = x
        return ((x >> 32) * count) >> 32


@dataclass
class PlainEdge:
    visits: int = 0
    available: int = 0
    value: float = 0.0


@dataclass
class PlainNode:
    player: int
    visits: int = 0
    edges: dict[int, PlainEdge] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {
            "player": self.player,
            "visits": self.visits,
            "edges": [[e.visits, e.available, e.value] for e in self.edges.values()],
        }


@dataclass
class PlainSearch:
    """Nodes by (who moves, the world if it is known, the actions so far).

    Attributes:
        knows: For each player whether the world is part of his nodes' keys.
        roots: How many roots there are; the world that is drawn as number n has root n % roots.
        each_leaves: Whether a player who comes to a new node leaves the tree alone.
        counts_from: The visit of a node from which on what is done there counts.
    """

    root: TreeTurn
    lowest: float
    highest: float
    random: Xorshift
    worlds: Sequence[int]
    knows: Sequence[bool]
    exploration: float = 0.7
    by_availability: bool = True
    method: str = "uct"
    bias_weight: float = 5.0
    roots: int = 1
    each_leaves: bool = False
    counts_from: int = 2
    nodes: dict[tuple[Any, ...], PlainNode] = field(default_factory=dict)
    history: dict[tuple[int, int], list[float]] = field(default_factory=dict)

    def run(self, simulations: int) -> None:
        for number in range(simulations):
            place = number % len(self.worlds)
            self.simulate(self.worlds[place], place % self.roots)

    def simulate(self, world: int, root: int = 0) -> None:
        at: TreeTurn | Payoff = self.root
        played: tuple[int, ...] = ()
        movers: list[int] = []
        path: list[tuple[int, PlainEdge]] = []
        outside: set[int] = set()
        everybody = set(range(len(self.knows)))
        while isinstance(at, TreeTurn):
            action = None
            new = None
            if at.player not in outside:
                known = world if self.knows[at.player] else None
                key = (at.player, known if played or self.roots == 1 else root, played)
                node = self.nodes.get(key)
                if node is None and played:
                    new = self.nodes[key] = PlainNode(at.player)
                node = node or self.nodes.setdefault(key, PlainNode(at.player))
                node.visits += 1
                if played and (new is not None or node.visits < self.counts_from):
                    outside |= {at.player} if self.each_leaves else everybody
                else:
                    action = self.select(node, len(at.after))
                    path.append((at.player, node.edges[action]))
            if action is None:
                action = self.random.below(len(at.after))
                if new is not None and self.counts_from == 1:
                    for legal in range(len(at.after)):
                        new.edges.setdefault(legal, PlainEdge()).available += 1
                    path.append((at.player, new.edges[action]))
            movers.append(at.player)
            played = (*played, action)
            at = at.after[action]
        row = at.values[world if len(at.values) > 1 else 0]
        credits = [(value - self.lowest) * (1 / (self.highest - self.lowest)) for value in row]
        for player, edge in path:
            edge.visits += 1
            edge.value += credits[player]
        for player, action in zip(movers, played, strict=True):
            taken = self.history.setdefault((player, action), [0.0, 0.0])
            taken[0] += 1
            taken[1] += credits[player]

    def select(self, node: PlainNode, count: int) -> int:
        for action in range(count):
            node.edges.setdefault(action, PlainEdge()).available += 1
        edges = node.edges
        if self.method == "puct":
            return self.puct(node, count)
        new = [action for action in range(count) if edges[action].visits == 0]
        if new:
            return new[self.random.below(len(new))]
        best, highest = 0, -math.inf
        for action in range(count):
            edge = edges[action]
            passes = edge.available if self.by_availability else node.visits
            mean = edge.value / edge.visits
            score = mean + self.exploration * math.sqrt(math.log(passes) / edge.visits)
            if self.method == "progressive_history":
                taken, total = self.history[node.player, action]
                score += self.bias_weight * (total / taken) / (edge.visits * (1 - mean) + 1)
            if score > highest:
                best, highest = action, score
        return best

    def puct(self, node: PlainNode, count: int) -> int:
        """Without priors: all equal; an action never taken counts as the average of the others."""
        taken = sum(node.edges[action].visits for action in range(count))
        total = 0.0
        for action in range(count):
            edge = node.edges[action]
            if edge.visits:
                total += edge.value / edge.visits * edge.visits
        best, highest = 0, -math.inf
        for action in range(count):
            edge = node.edges[action]
            passes = edge.available if self.by_availability else node.visits
            mean = edge.value / edge.visits if edge.visits else (total / taken if taken else 0.5)
            score = mean + self.exploration * (1 / count) * math.sqrt(passes) / (1 + edge.visits)
            if score > highest:
                best, highest = action, score
        return best
