"""Orders of elimination, and the trees that they make."""

from __future__ import annotations

import itertools
import math

from hypothesis import given
from hypothesis import strategies as st

from sleuth.beliefs.engines.junction.elimination import best_elimination
from sleuth.beliefs.engines.junction.tree import JunctionTree, junction_tree

SCOPES = st.lists(
    st.lists(st.integers(0, 9), min_size=1, max_size=4, unique=True).map(sorted), max_size=12
)


def grid(side: int) -> list[list[int]]:
    """The edges of a square grid."""
    across = [[side * y + x, side * y + x + 1] for y in range(side) for x in range(side - 1)]
    down = [[side * y + x, side * (y + 1) + x] for y in range(side - 1) for x in range(side)]
    return across + down


def tree_of(sizes: list[int], scopes: list[list[int]]) -> JunctionTree:
    return junction_tree(sizes, best_elimination(sizes, scopes))


def test_known_graphs_have_their_known_widths() -> None:
    chain = [[n, n + 1] for n in range(99)]
    circle = [*chain, [0, 99]]
    complete = [[one, other] for one, other in itertools.combinations(range(7), 2)]
    assert best_elimination([2] * 100, chain).width == 1
    assert best_elimination([2] * 100, circle).width == 2
    assert best_elimination([2] * 7, complete).width == 6
    assert best_elimination([2] * 25, grid(5)).width == 5
    assert best_elimination([2] * 64, []).width == 0


def test_a_variable_of_many_values_is_kept_out_of_large_tables() -> None:
    # Two ways to cut a circle of four: through the pair of large variables, or of small ones.
    sizes = [50, 2, 50, 2]
    found = best_elimination(sizes, [[0, 1], [1, 2], [2, 3], [0, 3]])
    assert found.largest <= 200.0 + 1e-9


@given(SCOPES, st.lists(st.integers(2, 4), min_size=10, max_size=10))
def test_a_tree_holds_every_table_and_each_variable_in_one_connected_part(
    scopes: list[list[int]], sizes: list[int]
) -> None:
    tree = tree_of(sizes, scopes)
    assert sorted(
        itertools.chain(*(tree.cliques[c][tree.shared[c] :] for c in range(len(tree.cliques))))
    ) == list(range(10))
    for scope in scopes:
        clique = tree.holding(scope)
        assert clique is not None
        assert set(scope) <= set(tree.cliques[clique])
    for number, (clique, above) in enumerate(zip(tree.cliques, tree.parent, strict=True)):
        assert list(clique) == sorted(clique, key=tree.rank.__getitem__)
        assert above < number
        if above >= 0:
            # Running intersection: what is shared with all before is shared with the parent.
            before = set(itertools.chain(*tree.cliques[:number]))
            assert set(clique) & before == set(tree.separator(number)) <= set(tree.cliques[above])
            assert not set(clique) <= set(tree.cliques[above])
            assert not set(tree.cliques[above]) <= set(clique)
    entries = sum(math.prod(sizes[each] for each in clique) for clique in tree.cliques)
    assert tree.entries == entries <= best_elimination(sizes, scopes).entries + 1e-6
