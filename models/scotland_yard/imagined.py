"""Scotland Yard as a search imagines it: the same rules, without what only takes time there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..game import Game
from ..play import View
from . import rules
from .state import stations_of

#: In the settings' ``tracks``: the list stays as it is, and ``total_distance`` is by a belief.
BELIEVED: Final = 2


def searching(
    game: Game, *, doubles: bool = False, tracks: bool = False, alone: bool = False
) -> Game:
    """The game as a search imagines it: the same rules, without what only takes time there.

    Args:
        game: Scotland Yard.
        doubles: Whether the hider can announce double moves below the root.
        tracks: Whether the list of possible stations is kept up to date at every ply; else it
            stays as it was at the root.
        alone: Whether no detective moves but the one who searches; `begin` says who that is.
            Where the hider searches, all of them move.

    Returns:
        A game of its own tables, also for `freeze`.

    >>> from sleuth.games.scotland_yard import scotland_yard, searching
    >>> game = scotland_yard(seekers=2)
    >>> searching(game).name, searching(game) is game
    ('scotland_yard', False)
    """
    settings: Any = game.tables.rules.copy()
    row = settings[0]
    row.tracks = tracks
    row.alone = 0
    row.total_distance = 0
    return replace(
        game,
        tables=game.tables._replace(rules=settings),
        legal=rules.legal if doubles else rules.single_moves,
        apply=rules.apply_alone if alone else rules.apply,
    )


def believing(game: Game) -> Game:
    """The game as `searching` imagines it, with seekers who go by a belief.

    Its policy `playouts.greedy_total` plays by that, as it is at the root: who begins a search
    writes to ``total_distance`` what the belief says.
    """
    made = searching(game)
    made.tables.rules[0].tracks = BELIEVED
    return made


def believed(game: Game) -> bool:
    """True if a game was made by `believing`."""
    return bool(game.tables.rules[0].tracks == BELIEVED)


def freeze(game: Game, possible: NDArray[np.int32]) -> None:
    """Tell a game made by `searching` where the hider can be at the root.

    Its policy `playouts.greedy_total` plays by this list from now on.

    Args:
        game: Changed: its tables' ``total_distance``.
        possible: int32[WORDS], the field ``possible`` of the root's state.
    """
    listed = list(stations_of(possible))
    distance = game.tables.board[0].distance
    game.tables.rules[0].total_distance = distance[:, listed].sum(axis=1, dtype=np.int32)


def begin(game: Game, view: View) -> None:
    """Tell a game made by `searching` from where it is searched, and by whom.

    Args:
        game: Changed: its tables' ``total_distance``, as by `freeze`, and ``alone``.
        view: What the player to move sees.
    """
    freeze(game, view.states[0].possible)
    game.tables.rules[0].alone = view.player
