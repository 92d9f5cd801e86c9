"""Move filtering: what the hider does not waste black fares and double moves on.

Nijssen and Winands (2012), section IV-F. For the hider's real moves and the root of their search.
"""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...kernels.kernel import kernel
from ...play import View
from ..board import FERRY
from ..possible_stations import only_taxis
from ..rules import can_move, may_double
from ..state import BLACK, HIDER
from .playouts import target_of

#: In so many first rounds nobody knows anyway where the hider is.
EARLY_ROUNDS: Final = 2


@kernel(allocates=False)
def threatened(state: Any, station: int, tables: Any) -> bool:
    """True if a detective can be at a station with their next move."""
    board = tables.board[0]
    for seeker in range(1, tables.rules[0].seekers + 1):
        here = state.stations[seeker]
        for ticket in range(3):
            if state.tickets[seeker, ticket] > 0:
                for move in range(board.first[here, ticket], board.first[here, ticket + 1]):
                    if board.target[move] == station:
                        return True
    return False


@kernel(allocates=False)
def wastes_black(state: Any, station: int, tables: Any) -> bool:
    """True if a black fare from a station would not make the hider harder to find now.

    In the first two rounds, when the hider must show themselves after the move, and when nothing
    but taxis leaves from all stations where the hider can be. At a station with a ferry it is never
    a waste.
    """
    if tables.board[0].kind[station] == FERRY:
        return False
    turn = state.turn + 1
    return turn <= EARLY_ROUNDS or tables.rules[0].reveals[turn] == 1 or only_taxis(state, tables)


@kernel(allocates=False)
def filtered(state: Any, actions: Any, count: int, tables: Any) -> int:
    """Keep at the front of ``actions`` those legal actions of the hider that are worth considering.

    Double moves only if every other move that is left leads to where a detective can be with their
    next move; black fares only if they are no waste, or nothing else is left. Needs a state with
    the list of possible stations up to date.

    Returns:
        How many are kept; at least one.
    """
    board = tables.board[0]
    blacks_only = True
    for place in range(count):
        if actions[place] < board.moves and board.ticket[actions[place]] != BLACK:
            blacks_only = False
    drops_black = not blacks_only and wastes_black(state, state.stations[HIDER], tables)
    kept = 0
    any_safe = False
    for place in range(count):
        action = actions[place]
        move = action - board.moves if action >= board.moves else action
        if drops_black and board.ticket[move] == BLACK:
            continue
        if action < board.moves and not any_safe:
            any_safe = not threatened(state, board.target[action], tables)
        actions[kept] = action
        kept += 1
    if not any_safe:
        return kept
    singles = 0
    for place in range(kept):
        if actions[place] < board.moves:
            actions[singles] = actions[place]
            singles += 1
    return singles


@kernel(allocates=False)
def leads_on(state: Any, move: int, tables: Any) -> bool:
    """True if the hider could make another move right after this one."""
    board = tables.board[0]
    state.tickets[HIDER, board.ticket[move]] -= 1
    found = can_move(state, HIDER, board.target[move], tables)
    state.tickets[HIDER, board.ticket[move]] += 1
    return found


@kernel(allocates=False)
def with_double(state: Any, action: int, tables: Any) -> int:
    """The hider's chosen action; as a double move where the next move could be a catch.

    Unchanged if it is safe, is one already, or they may not announce one; or if they could not
    make the second half, with which they would have lost at once.
    """
    board = tables.board[0]
    if action >= board.moves or not may_double(state, tables):
        return action
    if threatened(state, target_of(action, tables), tables) and leads_on(state, action, tables):
        return action + board.moves
    return action


def considered(view: View) -> NDArray[np.int32]:
    """Codes of the actions that the player to move may consider: all, or what `filtered` keeps.

    For a search's ``actions``.

    Args:
        view: What the player to move sees, in a game that keeps its list of possible stations.

    >>> import sleuth
    >>> from sleuth.games.scotland_yard import considered
    >>> view = sleuth.Play.new("scotland_yard", seed=1).view(0)
    >>> len(view.legal()), len(considered(view))
    (12, 3)
    """
    legal = view.legal()
    if view.player != HIDER:
        return legal
    actions = np.zeros(view.game.max_actions, dtype=np.int32)
    actions[: len(legal)] = legal
    return actions[: int(filtered(view.states[0], actions, len(legal), view.game.tables))]


def made(view: View, action: int) -> int:
    """The action made by a player to move who has chosen an action: see `with_double`.

    >>> import sleuth
    >>> from sleuth.games.scotland_yard import considered, made
    >>> view = sleuth.Play.new("scotland_yard", seed=1).view(0)
    >>> [made(view, int(action)) for action in considered(view)]
    [433, 434, 435]
    """
    if view.player != HIDER:
        return action
    return int(with_double(view.states[0], action, view.game.tables))
