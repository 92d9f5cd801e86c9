"""One tree of a search with all that its simulations read and write."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..models.game import Game
from .histograms import Histograms, empty_histograms
from .simulation import OBSERVER, SIMULATIONS, Numbers, Work, Worlds
from .tree import Tree, empty_tree


@dataclass(eq=False)
class Branch:
    """One tree with the states it starts from, as it grows.

    Attributes:
        worlds, tree, histograms, numbers, work, random: See `simulation`.
    """

    worlds: Worlds
    tree: Tree
    histograms: Histograms
    numbers: Numbers
    work: Work
    random: NDArray[np.uint64]

    @property
    def simulations(self) -> int:
        return int(self.work.counters[SIMULATIONS])


def empty_arguments(game: Game) -> tuple[Worlds, Tree, Histograms, Numbers, Work]:
    """The smallest arguments of `simulate` for a game, to take their types from."""
    made = Worlds(
        states=game.states(1),
        keys=np.zeros((1, game.players + 1), np.uint64),
        classes=np.zeros(1, np.int32),
    )
    numbers = Numbers(
        information=OBSERVER,
        observer=0,
        follow_depth=0,
        bias=0,
        in_place=0,
        for_himself=0,
        lowest=0.0,
        scale=1.0,
        discount=1.0,
        gain_weight=0.0,
        settings=np.zeros(4),
        searched=np.ones(game.players, np.int8),
        credits=np.eye(game.players),
        root_actions=np.zeros(1, np.int32),
        root_gain=np.zeros(1),
        epsilon=np.zeros(game.players),
    )
    return made, empty_tree(16, 16), empty_histograms(0, 1), numbers, scratch_arrays(game, 1, 1)


def scratch_arrays(game: Game, actions: int, classes: int) -> Work:
    """Scratch arrays of one branch."""
    players, most, depth = game.players, game.max_actions, game.max_depth
    return Work(
        state=game.states(1),
        keys=np.zeros(players + 1, np.uint64),
        actions=np.zeros(most, np.int32),
        edges=np.zeros(most, np.uint64),
        missing=np.zeros(most, np.int32),
        visits=np.zeros(most),
        means=np.zeros(most),
        available=np.zeros(most),
        bias=np.zeros(most),
        gains=np.zeros(most),
        path_edges=np.zeros(depth, np.uint64),
        path_players=np.zeros(depth, np.uint64),
        path_plies=np.zeros(depth, np.int64),
        played=np.zeros(depth, np.int64),
        values=np.zeros(players),
        mapped=np.zeros(players),
        history=np.zeros((players * game.action_space, 2)),
        root_visits=np.zeros((actions, classes)),
        root_values=np.zeros((actions, classes)),
        counters=np.zeros(3, np.int64),
    )
