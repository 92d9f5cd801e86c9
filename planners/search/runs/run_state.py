"""The state of a search that has begun: its trees, and how far they are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ....models.game import Game
from ....models.play import View
from ..budget import Budget
from ..determinization import Draw
from ..kernels.work import PLIES, Worlds
from ..objective import Objective
from ..options import Options
from .branch import Branch
from .compiled import Compiled


class Searching(Protocol):
    """The parts of its `Search` that a run needs."""

    chunk: int

    @property
    def game(self) -> Game: ...
    @property
    def options(self) -> Options: ...
    @property
    def compiled(self) -> Compiled: ...
    def planned(self, budget: Budget) -> int | None: ...
    def draw_worlds(
        self, run: RunState, information: int, number: int, place: int, count: int
    ) -> Worlds: ...


@dataclass(eq=False)
class RunState:
    """A search that has begun, as it stands.

    Attributes:
        search: Its game, its options and its kernels.
        view: What the player to move sees.
        objective: What is maximised.
        seed: Of all chance in it.
        draw: Draws what is hidden.
        actions: int32[R], the actions to choose from.
        branches: Its trees.
        worlds: For trees of one world each, or of one way each: its draw and its weight.
        chances: For semi-determinization, how likely each way is.
        trust: How far players who are not always searched are trusted to follow the policy.
        seconds: Spent so far.
        interrupted: Whether somebody stopped it.
        full: Whether some tree had no room for more nodes.
    """

    search: Searching
    view: View
    objective: Objective
    seed: int
    draw: Draw
    actions: NDArray[np.int32]
    branches: list[Branch] = field(default_factory=list[Branch])
    worlds: list[tuple[Draw, float]] = field(default_factory=list[tuple[Draw, float]])
    chances: tuple[float, ...] = ()
    trust: float = 1.0
    seconds: float = 0.0
    interrupted: bool = False
    full: bool = False

    @property
    def simulations(self) -> int:
        """The number of simulations made so far."""
        return sum(branch.simulations for branch in self.branches)

    @property
    def plies(self) -> int:
        """The number of actions simulated so far."""
        return sum(int(branch.work.counters[PLIES]) for branch in self.branches)
