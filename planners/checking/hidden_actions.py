"""Actions that a viewer does not see, followed: what they see must not depend on them.

Beside the play that is looked at, others are played in which somebody took another action, of which
the viewer observes the same. As long as the viewer goes on observing the same, they have seen the
same, so their views must be the same bytes. That needs no belief: it also finds what a mask leaves
and what no ``fill`` ever writes, such as a vote that lies in the state before it is counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...models.game import OVER, SPECTATOR, States
from ...models.play import Play, viewer_name
from .guarded_kernels import ConformanceError, GuardedKernels
from .hidden_reads import different_fields

#: Other actions that are tried at each move, and plays that are followed beside the true one.
TRIED: Final = 2
FOLLOWED: Final = 6


@dataclass(frozen=True)
class _Beside:
    """A play that one viewer cannot tell from the true one.

    Attributes:
        viewer: Who.
        states: Its state.
        mover: Who did something else in it.
        action: What.
        instead: In place of which.
    """

    viewer: int
    states: States
    mover: int
    action: int
    instead: int


class HiddenActions:
    """Follows plays that differ from one in an action that somebody does not see.

    Args:
        kernels: Those of the game.
        rng: Chooses the other actions.
    """

    def __init__(self, kernels: GuardedKernels, rng: np.random.Generator) -> None:
        self._kernels = kernels
        self._game = kernels.game
        self._rng = rng
        self._beside: list[_Beside] = []

    def follow(self, play: Play, action: int, where: str) -> None:
        """Look at a move of the play that is about to be made.

        Raises:
            ConformanceError: A viewer observes the same in two plays, and sees a difference.
        """
        before, mover = play.truth(), play.player
        after = self._moved(play, before, action, where)
        told = {
            viewer: self._observed(after, action, mover, viewer, where)
            for viewer in (*range(self._game.players), SPECTATOR)
        }
        beside, self._beside = self._beside, []
        for each in beside:
            if int(each.states[0].player) != mover or action not in self._legal(each.states, where):
                continue
            moved = self._moved(play, each.states, action, where)
            if self._observed(moved, action, mover, each.viewer, where) == told[each.viewer]:
                self._keep(
                    _Beside(each.viewer, moved, each.mover, each.action, each.instead), after, where
                )
        others = [other for other in play.legal().tolist() if other != action]
        for other in self._rng.permutation(others)[:TRIED].tolist():
            moved = self._moved(play, before, other, where)
            for viewer, observation in told.items():
                if viewer == mover or len(self._beside) >= FOLLOWED:
                    continue
                if self._observed(moved, other, mover, viewer, where) == observation:
                    self._keep(_Beside(viewer, moved, mover, other, action), after, where)

    def _keep(self, other: _Beside, truth: States, where: str) -> None:
        """Compares the views, and goes on following a play that can go on."""
        masked, view = (
            self._kernels.call("mask", states, where=where, viewer=other.viewer).states
            for states in (other.states, truth)
        )
        if masked.tobytes() != view.tobytes():
            game, fields = self._game, different_fields(masked, view)
            named = ", ".join(map(repr, fields))
            raise ConformanceError(
                "alike",
                f"{viewer_name(game.roles, other.viewer)} observes the same whether"
                f" {game.roles[other.mover]} does {game.action_name(other.instead)!r} or"
                f" {game.action_name(other.action)!r}, but sees a difference in {named}",
                where=where,
                value=other.instead,
                hint="let mask hide it for as long as they do not know it; if they may know it, let"
                " observe tell them",
                kernel="mask",
                fields=fields,
            )
        if int(other.states[0].player) != OVER and len(self._beside) < FOLLOWED:
            self._beside.append(other)

    def _moved(self, play: Play, states: States, action: int, where: str) -> States:
        seed = (play.seed, len(play.actions) + 1)
        return self._kernels.call("apply", states, where=where, seed=seed, action=action).states

    def _observed(self, states: States, action: int, mover: int, viewer: int, where: str) -> int:
        called = self._kernels.call(
            "observe", states, where=where, action=action, mover=mover, viewer=viewer
        )
        return int(called.result)

    def _legal(self, states: States, where: str) -> list[int]:
        called = self._kernels.call("legal", states, where=where)
        return called.written[: max(int(called.result), 0)].tolist()
