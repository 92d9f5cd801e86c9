"""Paranoid alpha-beta: the player who decides against all others together.

They, and their allies, maximise what they get; everybody else minimises it (Sturtevant and Korf
2000, "On pruning techniques for multi-player games"). Lines are cut off by alpha-beta (Knuth and
Moore 1975) and looked at in a good order: the principal line of the depth before, killer moves
(Akl and Newborn 1977), then the history heuristic (Schaeffer 1989).

>>> from sleuth.models.play import Play
>>> from sleuth.models.small.tic_tac_toe import tic_tac_toe
>>> from sleuth.planners.look_ahead.alpha_beta import AlphaBeta
>>> from sleuth.planners.look_ahead.limits import Limits
>>> game = tic_tac_toe()
>>> play = Play.new(game, seed=0)
>>> found = AlphaBeta(game).decide(play.view(0), limits=Limits())
>>> found.value, found.solved, len(found.line)
(0.0, True, 9)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...models.game import Game
from ...models.games import GameEntry
from .deepening import MOST_WORLDS, Deepening


class AlphaBeta(Deepening):
    """Paranoid alpha-beta over one game. Compiles at first use, once per machine.

    Args:
        game: The game, or its entry.
        allies: Players who maximise what the player who decides gets, beside themselves; None for
            the members of their team.
        evaluate: Kernel (state, player, tables) -> float: about what the player will get, in the
            game's units, where a line is broken off. None: the middle of what they can get.
        worlds: Most states drawn from the belief where something is hidden; values are averaged
            over them, see `deepening`.
        gives_up: Whether a line that is lost counts as lost; False values its end by the
            evaluation, see `deepening`.
        prune: Whether to leave out lines that cannot change the result; False to measure.
        killers: Whether to try moves first that cut off another node at the same ply.
        history: Whether to order moves by how much they cut off so far.

    Raises:
        SettingsError: If an ally does not exist, or nothing says what lost lines are worth.
    """

    def __init__(
        self,
        game: Game | GameEntry,
        *,
        allies: Sequence[int] | None = None,
        evaluate: Any = None,
        worlds: int = MOST_WORLDS,
        gives_up: bool = True,
        prune: bool = True,
        killers: bool = True,
        history: bool = True,
    ) -> None:
        super().__init__(
            game,
            allies=allies,
            evaluate=evaluate,
            worlds=worlds,
            gives_up=gives_up,
            prune=prune,
            killers=killers,
            history=history,
        )
