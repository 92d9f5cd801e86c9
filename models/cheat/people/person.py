"""A simulated person at the table: one of the population, who plays Cheat like any agent."""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

import numpy as np

from ...game import Game
from ...kernels.kernel import kernel
from ...kernels.randomness import generator
from ...play import SeenPlay, View
from ..state import ACTIONS
from .population import REACTING, Parameters, bluffers, chosen, seconds_for
from .tallies import Counts, no_counts, tally

# What draws are for.
_ACTION: Final = 1
_SECONDS: Final = 2


@dataclass(frozen=True, eq=False)
class SimulatedPerson:
    """Somebody of the population of `bluffers`.

    They know what they see, and what they saw in the earlier games of the match.

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
        states = view.states
        before = counted(seen.told.earlier, view.viewer)
        random = self._random(seen, view, _ACTION)
        return int(person_action(states, view.game.tables, self.habits, before, random))

    def took(self, view: View, seen: SeenPlay, action: int) -> float:
        """The seconds they take."""
        random = self._random(seen, view, _SECONDS)
        return float(seconds_for(view.states[0], action, view.game.tables, self.habits, random))

    def _random(self, seen: SeenPlay, view: View, purpose: int) -> Any:
        return generator(self.seed, purpose, len(seen.told.earlier), len(seen.events))


def person(
    game: Game, seed: int, name: str = "people", population: str = REACTING
) -> SimulatedPerson:
    """Somebody drawn from a population by a seed.

    Raises:
        SettingsError: There is no such population.
    """
    drawn = bluffers(1, seed=seed, population=population)
    return SimulatedPerson(drawn.parameters[0], seed, name)


def counted(earlier: tuple[View, ...], viewer: int) -> Counts:
    """The counts somebody could make in the earlier games of a match.

    Args:
        earlier: Their ends, as they saw them.
        viewer: The seat that they have now.

    Returns:
        int32[2, COUNTS], rows by the seats of now.
    """
    return _counted(earlier, viewer) if earlier else no_counts()


@lru_cache(maxsize=64)
def _counted(earlier: tuple[View, ...], viewer: int) -> Counts:
    counts = no_counts()
    for view in earlier:
        mine = no_counts()
        tally(view.states[0], view.game.tables, mine)
        counts += mine if view.viewer == viewer else mine[::-1]
    counts.setflags(write=False)
    return counts


@kernel
def person_action(states: Any, tables: Any, habits: Any, before: Any, random: Any) -> int:
    """The action of a bluffer, from their view.

    Args:
        states: An array of one.
        tables: The game's.
        habits: float64[len(POPULATION)].
        before: int32[2, COUNTS], of earlier games of the match.
        random: A generator.
    """
    codes = np.zeros(ACTIONS, dtype=np.int32)
    counts = np.zeros(before.shape, dtype=np.int32)
    return chosen(states[0], tables, habits, before, random, codes, np.zeros(ACTIONS), counts)
