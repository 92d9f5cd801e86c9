"""Saboteur as a search imagines it that looks further than a turn: others do more than matters.

After a round of turns no two games look alike to a player, so nothing could be said of what they
may know then. Here a player sees of the others only which goals are known when it is their turn
again, and of a card that they draw nothing: it is what decides what there is to learn.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..game import HIDDEN, Game
from ..kernels.kernel import kernel
from .rules import SEEN, sees_goal
from .state import GOALS, SAY_NOTHING


@kernel(allocates=False)
def observe_goals(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    """`rules.observe` without hands, and of others nothing but the goals, at the viewer's turn."""
    if mover != viewer and state.player != viewer:
        return HIDDEN
    goals = 0
    for goal in range(GOALS):
        if sees_goal(state, viewer, goal, tables):
            goals |= (1 + state.goals[goal]) << 2 * goal
    return (action if mover == viewer else SAY_NOTHING) + SEEN * goals


def as_it_is(game: Game) -> Game:
    """The game itself."""
    return game


def goals_alone(game: Game) -> Game:
    """The game in which players see of each other only what becomes known of the goals."""
    return replace(game, observe=observe_goals)
