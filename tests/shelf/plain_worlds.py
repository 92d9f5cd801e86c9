"""All that may have happened, by the rules alone: the oracle for beliefs of games on the shelf.

Every start is played on with every action that somebody may have taken, as likely as they are said
to take it, and what the viewer would have seen otherwise is left out. Nothing is declared here, and
nothing inferred.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sleuth import Game, Play
from sleuth.kit import generator

#: How likely each of the legal actions is that the player to move takes, from a state.
Choosing = Callable[[Any, Sequence[int]], Sequence[float]]


@dataclass(frozen=True)
class PlainWorld:
    """One course of a game, and how likely it is, up to a factor.

    Attributes:
        viewer: To whom it looks like what happened.
        weight: How likely it is.
        states: All states it went through, in arrays of one; the last one is how it stands now.
        moves: Who did what.
    """

    viewer: int
    weight: float
    states: tuple[Any, ...]
    moves: tuple[tuple[int, int], ...] = ()

    @property
    def state(self) -> Any:
        return self.states[-1][0]


def any_alike(state: Any, actions: Sequence[int]) -> Sequence[float]:
    """Whoever takes any legal action, each equally likely."""
    return [1 / len(actions)] * len(actions)


def legal_in(game: Game, states: Any) -> list[int]:
    actions = np.zeros(game.max_actions, np.int32)
    return actions[: game.legal(states[0], game.tables, actions)].tolist()


def plain_worlds(
    play: Play, viewer: int, starts: Iterable[tuple[float, Any]], choosing: Choosing = any_alike
) -> list[PlainWorld]:
    """The courses that look to a viewer like a play in which no dice are thrown on the way.

    Args:
        play: The play.
        viewer: Whose eyes.
        starts: The states that a game may begin with, in arrays of one, and how likely they are.
        choosing: How the others choose. Whatever the viewer did tells them nothing.
    """
    game, again = play.game, Play.new(play.game, seed=play.seed)

    def same(states: Any) -> bool:
        seen = game.masked(states, viewer), game.masked(again.truth(), viewer)
        return seen[0].tobytes() == seen[1].tobytes()

    worlds = [PlainWorld(viewer, weight, (states,)) for weight, states in starts if same(states)]
    for action in play.actions:
        mover = again.player
        again.apply(action)
        told = game.observe(again.truth()[0], action, mover, viewer, game.tables)
        found: list[PlainWorld] = []
        for world in worlds:
            actions = legal_in(game, world.states[-1])
            chances = choosing(world.state, actions)
            for code, chance in zip(actions, chances, strict=True):
                if mover == viewer and code != action:
                    continue
                states = world.states[-1].copy()
                game.apply(states[0], code, game.tables, generator(0))
                if game.observe(states[0], code, mover, viewer, game.tables) == told and same(
                    states
                ):
                    weight = world.weight * (1 if mover == viewer else chance)
                    moves = (*world.moves, (mover, code))
                    found.append(PlainWorld(viewer, weight, (*world.states, states), moves))
        worlds = [world for world in found if world.weight]
    return worlds


def shares(
    worlds: Iterable[PlainWorld], values: Callable[[PlainWorld], Mapping[str, Any]]
) -> dict[str, dict[Any, float]]:
    """How likely each value of each hidden thing is."""
    found: defaultdict[str, defaultdict[Any, float]] = defaultdict(lambda: defaultdict(float))
    total = 0.0
    for world in worlds:
        total += world.weight
        for name, value in values(world).items():
            found[name][value] += world.weight
    return {
        name: {value: weight / total for value, weight in each.items()}
        for name, each in found.items()
    }
