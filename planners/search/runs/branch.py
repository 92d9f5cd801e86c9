"""One tree of a search with all that its simulations read and write."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....models.game import Game
from ..kernels.knowledge import Knowledge, no_knowledge
from ..kernels.tree import Tree, empty_tree
from ..kernels.work import LINE, OBSERVER, SIMULATIONS, Numbers, Work, Worlds
from ..widening import Widening


class Opening(NamedTuple):
    """The way a root is widened.

    Attributes:
        widening: How many are open when.
        actions: int32[R], in the order in which they are opened.
        gains: float64[R], `Numbers.root_gain` in that order.
    """

    widening: Widening
    actions: NDArray[np.int32]
    gains: NDArray[np.float64]


@dataclass(eq=False)
class Clocks:
    """Seconds of wall-clock time.

    Attributes:
        simulating: Spent on simulations.
        asking: Spent on asking a posterior.
    """

    simulating: float = 0.0
    asking: float = 0.0


@dataclass(eq=False)
class Branch:
    """One tree with the states it starts from, as it grows.

    Attributes:
        worlds, tree, knowledge, numbers, work, random: See `simulation`.
        opening: How the root is widened, with its actions and their gains in the order in which
            they are opened; None where all are open.
        refused: bool[E], the known rows of which the posterior has nothing to say.
        ranked: bool[E], those where it said what each question would tell, or has nothing to say.
        asked: How often it was asked.
        clocks: How long simulations and questions took.
    """

    worlds: Worlds
    tree: Tree
    knowledge: Knowledge
    numbers: Numbers
    work: Work
    random: NDArray[np.uint64]
    opening: Opening | None = None
    refused: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, np.bool_))
    ranked: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, np.bool_))
    asked: int = 0
    clocks: Clocks = field(default_factory=Clocks)

    @property
    def simulations(self) -> int:
        return int(self.work.counters[SIMULATIONS])

    def widen(self, wanted: int) -> int:
        """Open the actions that are due. Returns until how many simulations they are all.

        Args:
            wanted: The most of interest.
        """
        if self.opening is None:
            return wanted
        widening, actions, gains = self.opening
        count = min(widening.open(self.simulations), len(actions))
        if count != len(self.numbers.root_actions):
            self.numbers = self.numbers._replace(
                root_actions=actions[:count], root_gain=gains[:count]
            )
        return wanted if count == len(actions) else widening.lasts(self.simulations, wanted)


def empty_arguments(game: Game) -> tuple[Worlds, Tree, Knowledge, Numbers, Work]:
    """The smallest arguments of `simulate` for a game, to take their types from."""
    made = Worlds(
        states=game.states(1),
        keys=np.zeros((1, game.players + 1), np.uint64),
        classes=np.zeros((1, 1), np.int32),
        state=game.states(1),
        known=game.states(0),
    )
    numbers = Numbers(
        information=OBSERVER,
        observer=0,
        learners=1,
        follow_depth=0,
        bias=0,
        in_place=0,
        for_himself=0,
        lowest=0.0,
        scale=1.0,
        discount=1.0,
        horizon=0,
        gain_weight=0.0,
        gain_discount=1.0,
        telling=np.ones(game.action_space, np.uint8),
        variables=1,
        asks=0,
        settings=np.zeros(4),
        searched=np.ones(game.players),
        never_in=0,
        seldom_in=0,
        credits=np.eye(game.players),
        root_actions=np.zeros(1, np.int32),
        root_gain=np.zeros(1),
        epsilon=np.zeros(game.players),
        open_factor=0.0,
        open_power=0.0,
        roots=1,
        leaving=np.zeros(game.players, np.int64),
        counts_from=2,
        best=0,
    )
    knowledge = no_knowledge(0, 0, 0)
    return made, empty_tree(16, 16), knowledge, numbers, scratch_arrays(game, 1, 1)


def scratch_arrays(game: Game, actions: int, classes: int) -> Work:
    """Scratch arrays of one branch."""
    players, most, depth = game.players, game.max_actions, game.max_depth
    return Work(
        keys=np.zeros(players + 1, np.uint64),
        actions=np.zeros(most, np.int32),
        edges=np.zeros(most, np.uint64),
        missing=np.zeros(most, np.int32),
        visits=np.zeros(most),
        means=np.zeros(most),
        available=np.zeros(most),
        bias=np.zeros(most),
        gains=np.zeros(most),
        root_gains=np.zeros(most),
        path_edges=np.zeros(depth, np.uint64),
        path_players=np.zeros(depth, np.uint64),
        path_plies=np.zeros(depth, np.int64),
        path_nodes=np.zeros(depth, np.int64),
        path_rows=np.zeros(depth, np.int64),
        path_chances=np.zeros(depth),
        played=np.zeros(depth, np.int64),
        watched=np.zeros((depth, 3), np.int64),
        values=np.zeros(players),
        mapped=np.zeros(players),
        history=np.zeros((players * game.action_space, 2)),
        root_visits=np.zeros((actions, classes)),
        root_values=np.zeros((actions, classes)),
        counters=np.zeros(5, np.int64),
        line=np.zeros(1, LINE).view(np.recarray),
    )
