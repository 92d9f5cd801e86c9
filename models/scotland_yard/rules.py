"""The rules of Scotland Yard as kernels; what they mean is in `docs/scotland_yard/index.md`."""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final

from ..game import HIDDEN, OVER
from ..kernels.kernel import kernel
from ..kernels.randomness import below
from .possible_stations import exclude, only, spread
from .state import (
    BITS,
    BLACK,
    HIDER,
    LIST_KEPT,
    MOST_ROUNDS,
    NOBODY,
    STATIONS,
    THE_HIDER,
    THE_SEEKERS,
    WORDS,
)

#: What those who do not see the hider see of their move is its ticket, and this more if it is the
#: first half of a double move. Seekers' moves are seen as their codes.
DOUBLED: Final = 4
#: An observation has this times the hider's station in it when they show themselves.
SHOWN: Final = 10_000


@kernel(allocates=False, inline="late")
def occupied(state: Any, station: int) -> bool:
    """True if a detective stands at a station."""
    return (
        state.stations[1] == station
        or state.stations[2] == station
        or state.stations[3] == station
        or state.stations[4] == station
        or state.stations[5] == station
    )


@kernel(allocates=False)
def can_move(state: Any, player: int, station: int, tables: Any) -> bool:
    """True if a player at a station has a ticket to a station without a detective."""
    board = tables.board[0]
    for ticket in range(4):
        if state.tickets[player, ticket] > 0:
            for move in range(board.first[station, ticket], board.first[station, ticket + 1]):
                if not occupied(state, board.target[move]):
                    return True
    return False


@kernel(allocates=False, inline="late")
def moves_from(state: Any, player: int, station: int, tables: Any, actions: Any) -> int:
    """The moves that a player would have at a station, without double moves.

    Args:
        actions: Made their codes, in order.

    Returns:
        How many there are.
    """
    board = tables.board[0]
    count = 0
    for ticket in range(4):
        if state.tickets[player, ticket] > 0:
            for move in range(board.first[station, ticket], board.first[station, ticket + 1]):
                if not occupied(state, board.target[move]):
                    actions[count] = move
                    count += 1
    return count


@kernel(allocates=False)
def can_start(state: Any, player: int, station: int, tables: Any) -> bool:
    """True if a player can draw a start card with this station: nobody has drawn it."""
    settings = tables.rules[0]
    cards = settings.hider_starts if player == HIDER else settings.seeker_starts
    listed = (cards[station // BITS] >> (station % BITS)) & 1 == 1
    return listed and not occupied(state, station) and state.stations[HIDER] != station


@kernel(allocates=False)
def start(state: Any, tables: Any, random: Any) -> None:
    settings = tables.rules[0]
    for word in range(WORDS):
        state.possible[word] = settings.hider_starts[word]
    for player in range(settings.seekers + 1):
        # Each takes one of the cards that are left.
        count = 0
        for station in range(1, STATIONS + 1):
            if can_start(state, player, station, tables):
                count += 1
        pick = below(random, count)
        for station in range(1, STATIONS + 1):
            if can_start(state, player, station, tables):
                if pick == 0:
                    state.stations[player] = station
                    break
                pick -= 1
        for ticket in range(4):
            if player == HIDER:
                state.tickets[player, ticket] = settings.hider_tickets[ticket]
            else:
                state.tickets[player, ticket] = settings.seeker_tickets[ticket]
    for seeker in range(1, settings.seekers + 1):
        exclude(state, state.stations[seeker])
    for turn in range(MOST_ROUNDS):
        state.log[turn] = -1
    state.doubles = settings.doubles
    # The settings see to it that the hider can move.
    state.player = HIDER


@kernel(allocates=False)
def single_moves(state: Any, tables: Any, actions: Any) -> int:
    """The legal moves without double moves: what `legal` gives to detectives."""
    return moves_from(state, state.player, state.stations[state.player], tables, actions)


@kernel(allocates=False, inline="late")
def may_double(state: Any, tables: Any) -> bool:
    """True if the hider may announce a double move now."""
    return (
        state.player == HIDER
        and state.doubles > 0
        and state.doubling == 0
        and state.turn + 2 <= tables.rules[0].rounds
    )


@kernel(allocates=False)
def legal(state: Any, tables: Any, actions: Any) -> int:
    count = single_moves(state, tables, actions)
    if may_double(state, tables):
        for place in range(count):
            actions[count + place] = tables.board[0].moves + actions[place]
        count *= 2
    return count


@kernel(allocates=False, inline="late")
def finish(state: Any, won: int) -> None:
    """The game is over."""
    state.won = won
    state.player = OVER


@kernel(allocates=False)
def hiders_turn(state: Any, tables: Any) -> None:
    """All detectives have moved: the hider's turn, if there is another and they can move."""
    if state.turn >= tables.rules[0].rounds:
        finish(state, THE_HIDER)
    elif can_move(state, HIDER, state.stations[HIDER], tables):
        state.player = HIDER
    else:
        finish(state, THE_SEEKERS)


@kernel(allocates=False)
def next_seeker(state: Any, after: int, tables: Any) -> int:
    """The next detective who can move; 0 when there is none."""
    for seeker in range(after + 1, tables.rules[0].seekers + 1):
        if can_move(state, seeker, state.stations[seeker], tables):
            return seeker
    return 0


@kernel(allocates=False, inline="late")
def tracked(state: Any, tables: Any) -> bool:
    """True if moves change the list of possible stations."""
    return tables.rules[0].tracks == 1 and state.won != LIST_KEPT


@kernel(allocates=False, inline="late")
def hider_moved(state: Any, ticket: int, doubled: int, station: int, tables: Any) -> None:
    """Applies the public part of a move of the hider, who may show themselves at the station."""
    settings = tables.rules[0]
    state.tickets[HIDER, ticket] -= 1
    state.log[state.turn] = ticket
    state.turn += 1
    if tracked(state, tables):
        spread(state, ticket, tables)
    if settings.reveals[state.turn] == 1:
        state.surfaced = station
        state.surfaced_turn = state.turn
        if tracked(state, tables):
            only(state, station)
    state.doubles -= doubled
    state.doubling = doubled
    if doubled == 0:
        # Without a detective who can move the game is over.
        state.player = next_seeker(state, 0, tables)
        if state.player == HIDER:
            finish(state, THE_HIDER)


@kernel(allocates=False, inline="late")
def seeker_moved(state: Any, seeker: int, move: int, tables: Any) -> None:
    """A detective has moved, and the ticket goes to the hider."""
    ticket = tables.board[0].ticket[move]
    state.stations[seeker] = tables.board[0].target[move]
    state.tickets[seeker, ticket] -= 1
    state.tickets[HIDER, ticket] += 1


@kernel(allocates=False, inline="late")
def caught(state: Any, seeker: int) -> None:
    """A detective has found the hider."""
    state.captor = seeker
    finish(state, THE_SEEKERS)


@kernel(allocates=False)
def apply(state: Any, action: int, tables: Any, random: Any) -> None:
    board = tables.board[0]
    player = state.player
    move = action - board.moves if action >= board.moves else action
    target = board.target[move]
    if player == HIDER:
        doubled = 1 if action >= board.moves else 0
        state.stations[HIDER] = target
        hider_moved(state, board.ticket[move], doubled, target, tables)
        if doubled == 1 and not can_move(state, HIDER, target, tables):
            finish(state, THE_SEEKERS)
        return
    seeker_moved(state, player, move, tables)
    if target == state.stations[HIDER]:
        caught(state, player)
        return
    if tracked(state, tables):
        exclude(state, target)
    seeker = next_seeker(state, player, tables)
    if seeker > 0:
        state.player = seeker
    else:
        hiders_turn(state, tables)


@kernel(allocates=False)
def apply_alone(state: Any, action: int, tables: Any, random: Any) -> None:
    """The rules where only one detective moves, the settings' ``alone``, and the others stay.

    If they cannot move it is the hider's turn again. Where ``alone`` is 0, all move.
    """
    mover = state.player
    alone = tables.rules[0].alone
    apply(state, action, tables, random)
    if state.player == OVER or state.player == HIDER or alone == 0:
        return
    if mover == HIDER and can_move(state, alone, state.stations[alone], tables):
        state.player = alone
    else:
        hiders_turn(state, tables)


@kernel(allocates=False)
def observe(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    if viewer == HIDER:
        return action
    seen = action
    shows = state.player == OVER
    if mover == HIDER:
        seen = state.log[state.turn - 1]
        if action >= tables.board[0].moves:
            seen += DOUBLED
        shows = shows or tables.rules[0].reveals[state.turn] == 1
    return seen + SHOWN * state.stations[HIDER] if shows else seen


@kernel(allocates=False)
def mask(state: Any, viewer: int, tables: Any) -> None:
    # After a reveal everybody knows where the hider is, and finds it in `surfaced`.
    if viewer != HIDER and state.player != OVER:
        state.stations[HIDER] = HIDDEN


@kernel(allocates=False)
def fill(state: Any, world: Any, tables: Any, random: Any) -> None:
    # One column: the hider's station.
    state.stations[HIDER] = world[0]


@kernel(allocates=False)
def returns(state: Any, tables: Any, values: Any) -> None:
    won = 1.0 if state.won == THE_SEEKERS else -1.0
    values[HIDER] = -won
    for seeker in range(1, tables.rules[0].seekers + 1):
        values[seeker] = won


@kernel(allocates=False)
def own_returns(state: Any, tables: Any, values: Any) -> None:
    """Each player's own return: the captor has won and the other detectives have not.

    For a search with Coalition Reduction, which needs returns that are the winner's alone. Where
    nobody caught the hider but they could not move, all detectives have an equal part in it.

    >>> import numpy as np
    >>> from sleuth.games.scotland_yard import own_returns, scotland_yard
    >>> game, values = scotland_yard(seekers=2), np.zeros(3)
    >>> states = game.initial(1)
    >>> states[0].won, states[0].captor = 2, 1
    >>> own_returns(states[0], game.tables, values)
    >>> values.tolist()
    [-1.0, 1.0, -1.0]
    """
    settings = tables.rules[0]
    values[HIDER] = -1.0 if state.won == THE_SEEKERS else 1.0
    for seeker in range(1, settings.seekers + 1):
        values[seeker] = -1.0
        if state.won == THE_SEEKERS:
            if state.captor == seeker:
                values[seeker] = 1.0
            elif state.captor == NOBODY:
                values[seeker] = 2.0 / settings.seekers - 1.0


@kernel(allocates=False)
def spent(state: Any) -> int:
    """The number of tickets the hider has used, without black fares."""
    count = 0
    for turn in range(MOST_ROUNDS):
        if state.log[turn] >= 0 and state.log[turn] != BLACK:
            count += 1
    return count
