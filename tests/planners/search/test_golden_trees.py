"""The compiled search builds, node by node, the tree that a plain one builds on dictionaries."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sleuth import Budget, Game, Play, Search
from sleuth.games.small import by_world, payoff, tree_game, turn
from sleuth.kit import generator
from sleuth.models.small.tree_game import TreeTurn
from sleuth.planners.search.kernels.selection import uct
from sleuth.planners.search.kernels.tree import ABSENT, NODES
from sleuth.planners.search.runs.running import Run
from sleuth.planners.viewing.tree_walk import edges_of
from sleuth.search import from_list, progressive_history, puct

from .plain_search import PlainEdge, PlainNode, PlainSearch, Xorshift
from .trees import random_game

GOLDEN = Path(__file__).parent / "golden" / "tree_search.json"
SELECTIONS = {"uct": uct, "puct": puct, "progressive_history": progressive_history}


def built(run: Run) -> dict[tuple[Any, ...], PlainNode]:
    """The nodes of the compiled search's tree, by who moves, world or None, and actions so far.

    The world of a node is told by its key only, so nodes with the same actions are numbered in
    the order in which they were made.
    """
    tree = run.branches[0].tree
    paths: dict[int, tuple[int, ...]] = {}
    owner = {edge: node for node in range(int(tree.used[NODES])) for edge in edges_of(tree, node)}
    found: dict[tuple[Any, ...], PlainNode] = {}
    for number in range(int(tree.used[NODES])):
        parent = int(tree.parents[number])
        path = () if parent == ABSENT else (*paths[owner[parent]], int(tree.actions[parent]))
        paths[number] = path
        node = PlainNode(int(tree.players[number]), int(tree.visits[number]))
        for edge in edges_of(tree, number):
            entry = node.edges.setdefault(int(tree.actions[edge]), PlainEdge())
            entry.visits = int(tree.edge_visits[edge])
            entry.available = int(tree.available[edge])
            entry.value = float(tree.values[edge])
        same = sum(1 for key in found if key[0] == node.player and key[2] == path)
        found[node.player, same, path] = node
    return found


def numbered(nodes: dict[tuple[Any, ...], PlainNode]) -> dict[tuple[Any, ...], PlainNode]:
    """The plain search's nodes in the same form."""
    found: dict[tuple[Any, ...], PlainNode] = {}
    for (player, _, path), node in nodes.items():
        same = sum(1 for key in found if key[0] == player and key[2] == path)
        found[player, same, path] = node
    return found


def both(
    root: TreeTurn, made: Game, simulations: int, *, seed: int, method: str = "uct", **options: Any
) -> tuple[Run, PlainSearch]:
    """The same search by both."""
    knowers = [bool(known) for known in made.tables.knows]
    worlds = len(made.tables.worlds)
    search = Search(
        made,
        selection=SELECTIONS[method],
        history=method == "progressive_history",
        **options,
    )
    play = Play.new(made, seed=seed)
    draw = from_list([[world] for world in range(worlds)])
    run = search.start(play.view(play.player), draw, seed=seed)
    run.extend(Budget(simulations=simulations))
    drawn = run.branches[0].worlds.states.world.tolist()
    separate = options.get("information") == "players"
    plain = PlainSearch(
        root=root,
        lowest=made.lowest,
        highest=made.highest,
        random=Xorshift(int(generator(seed, 2, 0)[0])),
        worlds=drawn,
        knows=[known and separate and worlds > 1 for known in knowers],
        exploration=search.options.exploration,
        by_availability=search.options.by_availability,
        method=method,
        bias_weight=search.options.bias_weight,
        each_leaves=search.options.leaving is not None,
        counts_from=search.options.counts_from,
    )
    plain.run(simulations)
    return run, plain


@pytest.mark.parametrize("method", list(SELECTIONS))
@pytest.mark.parametrize("by_availability", [True, False])
def test_the_tree_is_that_of_a_plain_search(method: str, by_availability: bool) -> None:
    for seed in range(6):
        root, made = random_game(seed, depth=6, players=2 + seed % 2)
        run, plain = both(
            root, made, 300, seed=seed, method=method, by_availability=by_availability
        )
        assert built(run) == numbered(plain.nodes)


def with_worlds() -> tuple[TreeTurn, Game]:
    """The second player knows which world it is, and moves accordingly."""
    rng = np.random.default_rng(5)

    def end() -> Any:
        return by_world(*rng.integers(-5, 6, size=(3, 2)).astype(float).tolist())

    replies = [turn(1, turn(0, end(), end()), turn(0, end(), end()), end()) for _ in range(3)]
    root = turn(0, *replies, payoff(1, -1))
    return root, tree_game(root, worlds=[0.5, 0.25, 0.25], knows=[False, True])


@pytest.mark.parametrize("information", ["observer", "players"])
@pytest.mark.parametrize("seed", range(4))
def test_what_a_player_knows_makes_the_nodes(information: str, seed: int) -> None:
    root, made = with_worlds()
    run, plain = both(root, made, 400, seed=seed, information=information)
    found = built(run)
    assert found == numbered(plain.nodes)
    # Three nodes for the second player after an action, if his own knowledge makes them.
    same = [key for key in found if key[0] == 1 and key[2] == (0,)]
    assert len(same) == (3 if information == "players" else 1)


def in_order(run: Run) -> list[PlainNode]:
    """The nodes of the compiled search's tree, in the order in which they were made.

    Where players leave the tree one by one, actions between a node and the one before it in the
    tree can be missing, so that paths are not known.
    """
    tree, found = run.branches[0].tree, list[PlainNode]()
    for number in range(int(tree.used[NODES])):
        node = PlainNode(int(tree.players[number]), int(tree.visits[number]))
        for edge in edges_of(tree, number):
            node.edges[int(tree.actions[edge])] = PlainEdge(
                int(tree.edge_visits[edge]), int(tree.available[edge]), float(tree.values[edge])
            )
        found.append(node)
    return found


@pytest.mark.parametrize("each_leaves", [False, True])
@pytest.mark.parametrize("information", ["observer", "players"])
def test_who_leaves_the_tree_and_what_counts_there(each_leaves: bool, information: str) -> None:
    for seed in range(3):
        root, made = random_game(seed, depth=6, players=2 + seed % 2)
        leaving = np.eye(made.players) if each_leaves else None
        options: dict[str, Any] = {"leaving": leaving, "information": information}
        run, plain = both(root, made, 200, seed=seed, **options)
        assert in_order(run) == [*plain.nodes.values()]
        run, plain = both(root, made, 200, seed=seed, counts_from=1, **options)
        assert in_order(run) == [*plain.nodes.values()]
        # Every passage of a node is an action there.
        assert all(
            sum(edge.visits for edge in node.edges.values()) == node.visits
            for node in plain.nodes.values()
        )
        run, plain = both(root, made, 200, seed=seed, counts_from=4, **options)
        assert in_order(run) == [*plain.nodes.values()]
        # Below the root the first three passages are none.
        assert all(
            sum(edge.visits for edge in node.edges.values()) == max(0, node.visits - 3)
            for node in [*plain.nodes.values()][1:]
        )


def test_a_search_with_another_seed_builds_another_tree() -> None:
    root, made = random_game(0, depth=6)
    run, _ = both(root, made, 300, seed=0)
    _, other = both(root, made, 300, seed=1)
    assert built(run) != numbered(other.nodes)


def as_json(nodes: dict[tuple[Any, ...], PlainNode]) -> dict[str, Any]:
    """A tree as it is stored: by who moves, which of his nodes there, and actions so far."""
    return {
        " ".join(map(str, (player, same, "after", *path))): node.as_json()
        for (player, same, path), node in nodes.items()
    }


def test_the_tree_is_the_golden_one() -> None:
    # The file was written from the plain search: as_json(numbered(plain.nodes)).
    root, made = random_game(13, depth=4)
    run, plain = both(root, made, 60, seed=7)
    stored = json.loads(GOLDEN.read_text("utf-8"))
    assert as_json(built(run)) == stored
    assert as_json(numbered(plain.nodes)) == stored
