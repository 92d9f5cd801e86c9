"""Paranoid alpha-beta: the player who decides against all others together.

He, and his allies, maximise what he gets; everybody else minimises it (Sturtevant and Korf 2000,
"On pruning techniques for multi-player games"). Lines are cut off by alpha-beta (Knuth and Moore
1975) and looked at in a good order: the principal line of the depth before, killer moves (Akl and
Newborn 1977), then the history heuristic (Schaeffer 1989).

>>> from sleuth.models.play import Play
>>> from sleuth.models.tic_tac_toe import tic_tac_toe
>>> from sleuth.planners.alpha_beta import AlphaBeta
>>> from sleuth.planners.look_ahead import Limits
>>> game = tic_tac_toe()
>>> play = Play.new(game, seed=0)
>>> found = AlphaBeta(game).decide(play.view(0), limits=Limits())
>>> found.value, found.solved, len(found.line)
(0.0, True, 9)
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..models.game import Game
from ..models.play import View
from .compiled import Say
from .deepening import MOST_WORLDS, Deepening, kinds_of, team_of
from .determinization import Draw
from .look_ahead import Limits, LookAhead
from .star_minimax import MAXIMISE


class AlphaBeta:
    """Paranoid alpha-beta over one game. Compiles at first use, once per machine.

    Args:
        game: The game.
        allies: Players who maximise what the player who decides gets, beside himself; None for
            the members of his team.
        evaluate: Kernel (state, player, tables) -> float: about what the player will get, in the
            game's units, where a line is broken off. None: the middle of what he can get.
        worlds: Most states drawn from the belief where something is hidden; values are averaged
            over them, see `deepening`.
        prune: Whether to leave out lines that cannot change the result; False to measure.
        killers: Whether to try moves first that cut off another node at the same ply.
        history: Whether to order moves by how much they cut off so far.

    Raises:
        SettingsError: If an ally does not exist.
    """

    def __init__(
        self,
        game: Game,
        *,
        allies: Sequence[int] | None = None,
        evaluate: Any = None,
        worlds: int = MOST_WORLDS,
        prune: bool = True,
        killers: bool = True,
        history: bool = True,
    ) -> None:
        kinds_of(game, allies=(allies or (), MAXIMISE))

        def kinds(player: int) -> NDArray[np.int8]:
            mates = team_of(game, player) if allies is None else allies
            return kinds_of(game, allies=(mates, MAXIMISE), viewer=([player], MAXIMISE))

        self.game = game
        self._search = Deepening(
            game,
            kinds=kinds,
            evaluate=evaluate,
            worlds=worlds,
            prune=prune,
            killers=killers,
            history=history,
        )

    def warm(self, say: Say | None = None) -> None:
        """Compile what the search needs, or load it.

        Args:
            say: Told what is going on, only if something has to be compiled.
        """
        self._search.warm(say)

    def decide(
        self,
        view: View,
        draw: Draw | None = None,
        limits: Limits | None = None,
        *,
        seed: int = 0,
        stop: threading.Event | None = None,
        actions: Sequence[int] | None = None,
    ) -> LookAhead:
        """Look ahead from what the player to move sees. Ctrl-C answers with what is known so far.

        Args:
            view: What he sees.
            draw: Draws what is hidden from his belief; None where nothing is.
            limits: How far to look; None for one second.
            seed: What is drawn depends on it.
            stop: Set from another thread, it ends the search.
            actions: The legal actions to choose from now; None for all.

        Raises:
            SettingsError: It is not his move, or something is hidden and nothing drawn.
        """
        limits = limits or Limits(seconds=1.0)
        return self._search.decide(view, draw, limits, seed=seed, stop=stop, actions=actions)
