"""The usual play after an action in a search: lines that some state drawn can be led along.

A tree keeps of a node only the edge by which it was first reached. What comes after an edge is
therefore found by playing on from the states that the search began with.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...models.game import HIDDEN, OVER, Game, legal_actions
from ...models.kernels.randomness import generator, mix
from ..search.kernels.tree import NODES, Tree
from ..search.kernels.work import EVERYTHING, KEY, OBSERVER, PLAYERS, Numbers
from .starts import Starts
from .tree_walk import Edge, TreeWalk

#: Plies of a principal line.
LONGEST_LINE: Final = 8
#: States that are played on from.
MOST_STARTS: Final = 256
#: The seed of what chance a game has on the way.
_CHANCE: Final = 11


@dataclass(eq=False)
class _Place:
    """One state on its way, with what each player, and at the end everybody, knows there."""

    states: Any
    keys: NDArray[np.uint64]
    random: NDArray[np.uint64]

    @property
    def player(self) -> int:
        return int(self.states[0].player)


def principal_lines(walk: TreeWalk, actions: Sequence[int]) -> tuple[tuple[str, ...], ...]:
    """For each action at the root: it, and the most visited actions after it.

    Every line can be played to its end in one of the states that the search began with. Where
    those lead to different nodes, it goes on with the node that most of them lead to.
    """
    lines: list[tuple[str, ...]] = []
    for action in actions:
        edge = next((edge for edge in walk.root.edges if edge.action == action), None)
        if edge is None or not edge.visits:
            lines.append(())
        elif walk.starts is None:
            lines.append((_name(walk.game, edge.player, edge.action),))
        else:
            lines.append(_line(walk, walk.starts, edge))
    return tuple(lines)


def _line(walk: TreeWalk, starts: Starts, first: Edge) -> tuple[str, ...]:
    game, nodes = walk.game, _nodes(walk.tree)
    places = _places(game, starts)
    player, action, line = first.player, first.action, list[str]()
    while len(line) < LONGEST_LINE:
        line.append(_name(game, player, action))
        places = [place for place in places if _moved(game, starts, place, action)]
        if not places:
            break
        (player, places) = _most(places, [place.player for place in places])
        if not starts.numbers.searched[player]:
            (action, places) = _most(places, [_policy(game, starts, place) for place in places])
            continue
        known = [nodes.get(_key(game, starts.numbers, place), -1) for place in places]
        if max(known) < 0:
            break
        (node, places) = _most(
            [place for place, found in zip(places, known, strict=True) if found >= 0],
            [found for found in known if found >= 0],
        )
        legal = [set(legal_actions(game, place.states).tolist()) for place in places]
        edges = [edge for edge in walk.node(node).edges if edge.visits]
        edge = next((edge for edge in edges if any(edge.action in each for each in legal)), None)
        if edge is None:
            break
        action = edge.action
        places = [place for place, each in zip(places, legal, strict=True) if action in each]
    return tuple(line)


def _most(places: Iterable[_Place], values: Sequence[int]) -> tuple[int, list[_Place]]:
    """The value that most places have, and those places."""
    best = Counter(values).most_common(1)[0][0]
    return best, [place for place, value in zip(places, values, strict=True) if value == best]


def _name(game: Game, player: int, action: int) -> str:
    return f"{game.roles[player]}: {game.action_name(action)}"


def _nodes(tree: Tree) -> dict[int, int]:
    """The nodes that have actions, by their keys."""
    count = int(tree.used[NODES])
    found = np.flatnonzero(tree.blocks[:count] >= 0).tolist()
    return {int(tree.keys[node]): node for node in found}


def _places(game: Game, starts: Starts) -> list[_Place]:
    states, keys = starts.worlds.states, starts.worlds.keys
    return [
        _Place(
            game.states_of(states[number : number + 1].tobytes()),
            keys[min(number, len(keys) - 1)].copy(),
            generator(_CHANCE, number),
        )
        for number in range(min(len(states), MOST_STARTS))
    ]


def _moved(game: Game, starts: Starts, place: _Place, action: int) -> bool:
    """Carry out an action and what is seen of it; whether the game goes on."""
    state, mover = place.states[0], place.player
    game.apply(state, action, game.tables, place.random)
    if place.player == OVER:
        return False
    for viewer in range(game.players):
        seen = int(starts.observe(state, action, mover, viewer, game.tables))
        if seen != HIDDEN:
            place.keys[viewer] = mix(place.keys[viewer], seen)
            place.keys[game.players] = mix(place.keys[game.players], seen)
    return True


def _policy(game: Game, starts: Starts, place: _Place) -> int:
    legal = legal_actions(game, place.states)
    return int(legal[starts.policy(place.states[0], legal, len(legal), game.tables, place.random)])


def _key(game: Game, numbers: Numbers, place: _Place) -> int:
    """The key of the node below the root that a state stands at, as `simulate` makes it."""
    mover = place.player
    if numbers.information == OBSERVER:
        key = place.keys[numbers.observer]
    elif numbers.information == PLAYERS:
        key = place.keys[mover]
    elif numbers.information == EVERYTHING:
        key = place.keys[game.players]
    else:
        assert numbers.information == KEY
        key = mix(np.uint64(0), int(game.key(place.states[0], mover, game.tables)))
    return int(np.uint64(key) ^ np.uint64(mover))
