"""Few actions first: how many of a root's are open to a search, and in which order they are opened.

A search that tries each of hundreds of actions a handful of times knows nothing of any. Progressive
widening (Coulom 2007, "Computing Elo ratings of move patterns in the game of Go"; Chaslot et al.
2008, "Progressive strategies for Monte-Carlo tree search") opens the promising ones first and
more of them as simulations are made.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from ...data.checks import is_number
from ...data.errors import SettingsError
from ...models.game import Game
from ...models.kernels.randomness import generator
from .kernels.tree import ABSENT, EDGES, Tree

if TYPE_CHECKING:
    from .objective import Objective

#: Open from the start: one alone would have no rival.
FIRST: Final = 2
#: How often a prior or a playout policy is asked which action is promising.
ASKED: Final = 512
# What the seed of an order is for, beside those of worlds (1) and simulations (2).
_ORDER: Final = 3


@dataclass(frozen=True, kw_only=True)
class Widening:
    """The number of actions open at the root after n simulations: ``factor * n ** power``.

    Attributes:
        factor: How many after the first.
        power: How fast they become more: 0 never, 1 with every simulation.
        least_actions: At a root with fewer than this all are open from the start.
        least_visits: The same where that many simulations for each action are planned.

    Raises:
        SettingsError: A number is out of its range.

    >>> from sleuth.search import Widening
    >>> widening = Widening(factor=2.0, least_actions=10)
    >>> widening.active(actions=324, planned=1_000), widening.active(actions=5, planned=1_000)
    (True, False)
    >>> [widening.open(simulations) for simulations in (0, 10, 100)]
    [2, 7, 21]
    >>> widening.lasts(10, most=1_000)  # until then so many are open
    12
    """

    factor: float = 1.0
    power: float = 0.5
    least_actions: int = 64
    least_visits: float = 30.0

    def __post_init__(self) -> None:
        for name, good, known in (
            ("factor", self.factor, "a number > 0"),
            ("power", self.power, "a number from 0 to 1"),
            ("least_actions", self.least_actions, "a number >= 0"),
            ("least_visits", self.least_visits, "a number >= 0"),
        ):
            if (
                not is_number(good)
                or not 0 <= good
                or (name == "factor" and not 0 < good < math.inf)
                or (name == "power" and good > 1)
            ):
                raise SettingsError(f"{name} must be {known}", value=good, where="Widening")

    def active(self, actions: int, planned: int | None) -> bool:
        """True if a root with so many actions is widened, in a tree of so many simulations.

        Args:
            actions: At the root.
            planned: Simulations, as far as they are known; None if there may be any number.
        """
        if actions <= FIRST or actions < self.least_actions:
            return False
        return planned is None or planned < self.least_visits * actions

    def open(self, simulations: int) -> int:
        """The number of actions the next simulation chooses among, after so many."""
        return max(FIRST, math.ceil(self.factor * (simulations + 1) ** self.power - 1e-9))

    def lasts(self, simulations: int, most: int) -> int:
        """Until how many simulations, at most ``most``, no more actions are opened than now."""
        now = self.open(simulations)
        low, high = simulations + 1, most
        if low >= high or self.open(high - 1) == now:
            return high
        while low < high:
            middle = (low + high) // 2
            if self.open(middle) > now:
                high = middle
            else:
                low = middle + 1
        return low


USUAL_WIDENING: Final = Widening()


def opening_order(
    game: Game,
    objective: Objective,
    actions: NDArray[np.int32],
    states: Any,
    *seeds: int,
    prior: Any = None,
    policy: Any = None,
) -> NDArray[np.int64]:
    """The places of a root's actions, the most promising first; equally promising ones at random.

    Promising is what tells most, where the objective knows exactly; else what the search's prior
    says on average over the states drawn from the belief; else what its playout policy does there
    most often.

    Args:
        game: The game.
        objective: What is maximised.
        actions: The root's, at least one.
        states: Drawn from the belief.
        seeds: For what is equally promising.
        prior: As in `Options`.
        policy: As in `Options`.
    """
    rng = np.random.default_rng([*(seed & 0xFFFF_FFFF_FFFF_FFFF for seed in seeds), _ORDER])
    if objective.exact:
        promise = np.array([objective.exact.get(int(action), 0.0) for action in actions])
    elif prior is not None:
        promise = _prior(game, prior, actions, states)
    else:
        promise = _habit(game, policy or game.policy, actions, states, generator(*seeds, _ORDER))
    shuffled = rng.permutation(len(actions))
    return shuffled[np.argsort(-np.nan_to_num(promise[shuffled]), kind="stable")]


def _prior(game: Game, prior: Any, actions: NDArray[np.int32], states: Any) -> NDArray[np.float64]:
    total, one = np.zeros(len(actions)), np.zeros(game.max_actions)
    for state in states[:ASKED]:
        prior(state, actions, len(actions), game.tables, one)
        total += one[: len(actions)]
    return total


def _habit(
    game: Game, policy: Any, actions: NDArray[np.int32], states: Any, random: NDArray[np.uint64]
) -> NDArray[np.float64]:
    taken = np.zeros(len(actions))
    for number in range(ASKED):
        state = states[number % len(states)]
        place = int(policy(state, actions, len(actions), game.tables, random))
        if place < len(taken):  # fewer actions may be searched than are legal
            taken[place] += 1
    return taken


def reserve_roots(tree: Tree, actions: NDArray[np.int32], roots: int = 1) -> None:
    """Give the roots of a tree without edges those of all their actions, in this order.

    They stand in one block each then, of which the open ones are the beginning.
    """
    count = len(actions)
    for root in range(roots):
        block = root * count
        tree.actions[block : block + count] = actions
        tree.block_count[block] = count
        tree.block_next[block] = ABSENT
        tree.blocks[root] = block
    tree.used[EDGES] = roots * count
