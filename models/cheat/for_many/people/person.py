"""A simulated person at the table: one of the population, who plays like any agent."""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from ....game import Game
from ....kernels.kernel import kernel
from ....kernels.randomness import generator
from ....play import SeenPlay, View
from .population import MOST_ACTIONS, Parameters, bluffers, chosen, seconds_for
from .tallies import no_many_counts

# What draws are for.
_ACTION: Final = 1
_SECONDS: Final = 2


@dataclass(frozen=True, eq=False)
class ManyCheatPerson:
    """Somebody of the population of `bluffers`. They know what they see of the game.

    Attributes:
        habits: Their parameters.
        seed: Where their choices come from.
        name: What they are called in results.
    """

    habits: Parameters = field(repr=False)
    seed: int
    name: str = "people"

    def decide(self, view: View, seen: SeenPlay) -> int:
        """Draws the person's action: they take what they like better more often."""
        random = generator(self.seed, _ACTION, len(seen.events))
        tables = view.game.tables
        return int(person_action(view.states, tables, self.habits, no_many_counts(), random))

    def took(self, view: View, seen: SeenPlay, action: int) -> float:
        """The seconds they take."""
        random = generator(self.seed, _SECONDS, len(seen.events))
        return float(seconds_for(view.states[0], action, view.game.tables, self.habits, random))


def person(game: Game, seed: int, name: str = "people") -> ManyCheatPerson:
    """Somebody drawn from the population by a seed."""
    return ManyCheatPerson(bluffers(1, seed=seed).parameters[0], seed, name)


@kernel
def person_action(states: Any, tables: Any, habits: Any, before: Any, random: Any) -> int:
    """The action of a bluffer, from their view.

    Args:
        states: An array of one.
        tables: The game's.
        habits: float64[len(POPULATION)].
        before: int32[MOST_PLAYERS, COUNTS], of earlier games of the match.
        random: A generator.
    """
    return chosen(
        states[0], tables, habits, before, random, np.zeros(MOST_ACTIONS, dtype=np.int32),
        np.zeros(MOST_ACTIONS), np.zeros(before.shape, dtype=np.int32), np.zeros(3),
    )  # fmt: skip
