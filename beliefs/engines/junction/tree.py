"""The junction tree of an elimination: cliques, and the separators between them.

After Lauritzen and Spiegelhalter, "Local computations with probabilities on graphical structures"
(1988); cliques that lie in another are left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from .elimination import EliminationOrder, members


@dataclass(frozen=True, eq=False)
class JunctionTree:
    """Cliques in an order in which every one stands after its parent.

    Attributes:
        sizes: Number of values of every variable.
        rank: Place of every variable among the axes of all tables: what is eliminated last stands
            first.
        cliques: Variables of every clique, in the order of their ranks.
        parent: The clique that each hangs on; -1 for a root.
        shared: How many of its first variables a clique shares with its parent.
        home: The clique in which every variable is among those that its parent lacks.
    """

    sizes: tuple[int, ...]
    rank: tuple[int, ...]
    cliques: tuple[tuple[int, ...], ...]
    parent: tuple[int, ...]
    shared: tuple[int, ...]
    home: tuple[int, ...]

    @cached_property
    def shapes(self) -> tuple[tuple[int, ...], ...]:
        """Shape of every clique's table."""
        return tuple(tuple(self.sizes[each] for each in clique) for clique in self.cliques)

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The cliques that hang on each."""
        found: list[list[int]] = [[] for _ in self.cliques]
        for clique, above in enumerate(self.parent):
            if above >= 0:
                found[above].append(clique)
        return tuple(map(tuple, found))

    @cached_property
    def depth(self) -> tuple[int, ...]:
        """Cliques above each."""
        found: list[int] = []
        for above in self.parent:
            found.append(0 if above < 0 else found[above] + 1)
        return tuple(found)

    @property
    def entries(self) -> float:
        """Numbers in the tables of all cliques."""
        return float(sum(math.prod(shape) for shape in self.shapes))

    def separator(self, clique: int) -> tuple[int, ...]:
        """The variables that a clique shares with its parent."""
        return self.cliques[clique][: self.shared[clique]]

    def holding(self, scope: Sequence[int]) -> int | None:
        """The clique that holds all of these variables and is the deepest such; None if none does.

        If any clique holds them all, the home of the one that is eliminated first does.
        """
        clique = self.home[max(scope, key=self.rank.__getitem__)]
        return clique if set(scope) <= set(self.cliques[clique]) else None

    def place(self, clique: int, scope: Sequence[int]) -> tuple[int, ...]:
        """The shape by which a table of some variables is spread over that of a clique.

        Args:
            clique: The clique.
            scope: Some of its variables, in the order of their ranks.
        """
        inside = set(scope)
        return tuple(self.sizes[each] if each in inside else 1 for each in self.cliques[clique])


def junction_tree(sizes: Sequence[int], elimination: EliminationOrder) -> JunctionTree:
    """The tree of an elimination."""
    count = len(sizes)
    rank = [0] * count
    step_of = [0] * count
    for step, variable in enumerate(elimination.order):
        rank[variable] = count - 1 - step
        step_of[variable] = step
    cliques: list[list[int]] = []
    parent: list[int] = []
    shared: list[int] = []
    clique_of = [0] * count
    # From the last step on, so that what a clique hangs on is there already.
    for step in range(count - 1, -1, -1):
        variable, near = elimination.order[step], [*members(elimination.cliques[step])]
        above = clique_of[min(near, key=step_of.__getitem__)] if near else -1
        if above >= 0 and len(cliques[above]) == len(near):
            # The clique above lies in this one.
            cliques[above].append(variable)
            clique_of[variable] = above
            continue
        near.sort(key=rank.__getitem__)
        clique_of[variable] = len(cliques)
        cliques.append([*near, variable])
        parent.append(above)
        shared.append(len(near))
    return JunctionTree(
        tuple(sizes),
        tuple(rank),
        tuple(map(tuple, cliques)),
        tuple(parent),
        tuple(shared),
        tuple(clique_of),
    )
