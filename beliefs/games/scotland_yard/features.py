"""Features for a model of Mr. X's moves: those of all their actions, from every station.

They use what everybody knows and one hypothetical station, and nothing else.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ....models.kernels.kernel import kernel
from ....models.scotland_yard.advice.move_filtering import wastes_black
from ....models.scotland_yard.possible_stations import (
    count_possible,
    is_possible,
    spread,
    total_distance,
)
from ....models.scotland_yard.public_state import even_chances
from ....models.scotland_yard.rules import may_double, moves_from
from ....models.scotland_yard.state import BLACK, HIDER, STATIONS
from ...arrays.problem import Floats

#: What is known of an action, in the order of its weights. "Near" is how many moves the nearest
#: detective is away from the station it leads to.
FEATURES: Final = (
    "near 1",
    "near 2",
    "near 3",
    "near 4",
    "second nearest",
    "average distance",
    "farther from the nearest",
    "as far as he can get",
    "detectives who can come",
    "can be caught",
    "can be caught, list is long",
    "near 2, list is long",
    "can be caught, shown",
    "near 2, shown",
    "onward moves",
    "bus leaves",
    "underground leaves",
    "ferry leaves",
    "underground leaves, shown",
    "bus",
    "underground",
    "black",
    "length of the list",
    "last ticket of its kind",
    "black fares left",
    "black, wasted",
    "black, just shown",
    "black, shown next time",
    "double",
    "double, can be caught",
    "double, safe without",
    "double, shown",
    "double, shown next time",
    "safe onward moves",
    "safe onward moves, can be caught",
    "distance to the list",
    "distance to the list, shown",
    "detectives within two",
    "near 3, shown",
    "as far from the list as he can get",
    "distance to the list, list is long",
)
COUNT: Final = len(FEATURES)

# Rows of the context of a state, by station.
_NEAR: Final = 0
_SECOND: Final = 1
_AVERAGE: Final = 2
_COMING: Final = 3
_ONWARD: Final = 4
_SAFE: Final = 5
_LISTED: Final = 6
_WITHIN: Final = 7
_ROWS: Final = 8
#: Distances are told apart up to this one.
_FAR: Final = 5.0

#: A learned model never says that a move has less chance.
FLOOR: Final = 1e-6


@kernel(allocates=False)
def _surroundings(state: Any, tables: Any, codes: Any, context: Any) -> None:
    """Distances of every station, who can come there, and moves from there; codes are scratch."""
    board = tables.board[0]
    count = tables.rules[0].seekers
    for station in range(1, STATIONS + 1):
        near = 99.0
        second = 99.0
        total = 0.0
        within = 0.0
        for seeker in range(1, count + 1):
            away = float(board.distance[state.stations[seeker], station])
            total += away
            if away <= 2.0:
                within += 1.0
            if away < near:
                second = near
                near = away
            elif away < second:
                second = away
        context[_NEAR, station] = near
        context[_SECOND, station] = min(second, _FAR)
        context[_AVERAGE, station] = total / count
        context[_WITHIN, station] = within
        context[_COMING, station] = 0.0
        onward = moves_from(state, HIDER, station, tables, codes)
        context[_ONWARD, station] = np.log1p(float(onward))
    for seeker in range(1, count + 1):
        here = state.stations[seeker]
        for ticket in range(3):
            if state.tickets[seeker, ticket] > 0:
                for move in range(board.first[here, ticket], board.first[here, ticket + 1]):
                    context[_COMING, board.target[move]] += 1.0
    listed = float(max(1, count_possible(state)))
    for station in range(1, STATIONS + 1):
        safe = 0.0
        for ticket in range(4):
            if state.tickets[HIDER, ticket] > 0:
                for move in range(board.first[station, ticket], board.first[station, ticket + 1]):
                    if context[_COMING, board.target[move]] == 0.0:
                        safe += 1.0
        context[_SAFE, station] = np.log1p(safe)
        context[_LISTED, station] = float(total_distance(state, station, tables)) / listed / _FAR


@kernel(allocates=False)
def _lengths(state: Any, scratch: Any, tables: Any, lengths: Any) -> None:
    """Log of the length of the list of possible stations after each ticket, 0 for one station."""
    for ticket in range(4):
        lengths[ticket] = 0.0
        if tables.rules[0].reveals[state.turn + 1] == 0:
            for word in range(len(state.possible)):
                scratch.possible[word] = state.possible[word]
            for seeker in range(len(state.stations)):
                scratch.stations[seeker] = state.stations[seeker]
            spread(scratch, ticket, tables)
            lengths[ticket] = np.log(max(1.0, float(count_possible(scratch))))


@kernel(allocates=False)
def _described(
    state: Any,
    move: int,
    double: int,
    best: float,
    farthest: float,
    safe: int,
    wasted: int,
    tables: Any,
    context: Any,
    lengths: Any,
    row: Any,
) -> None:
    """The features of one action.

    Args:
        best: How far from the nearest detective they can get.
        farthest: How far from all possible stations the hider can get, on average.
        safe: 1 if one of their moves that wastes nothing leads to where no detective can come.
        wasted: 1 if a black fare would not make the hider harder to find.
        row: Made the features, shape (features,).
    """
    board = tables.board[0]
    reveals = tables.rules[0].reveals
    ticket = board.ticket[move]
    target = board.target[move]
    near = context[_NEAR, target]
    coming = context[_COMING, target]
    caught = 1.0 if coming > 0.0 else 0.0
    second = 1.0 if near == 2.0 else 0.0
    shown = 1.0 if reveals[state.turn + 1] == 1 else 0.0
    later = 1.0 if state.turn + 2 < len(reveals) and reveals[state.turn + 2] == 1 else 0.0
    length = lengths[ticket] / 5.0
    black = 1.0 if ticket == BLACK else 0.0
    left = float(state.tickets[HIDER, ticket])
    kind = board.kind[target]
    row[0] = 1.0 if near == 1.0 else 0.0
    row[1] = second
    row[2] = 1.0 if near == 3.0 else 0.0
    row[3] = 1.0 if near == 4.0 else 0.0
    row[4] = context[_SECOND, target] / _FAR
    row[5] = context[_AVERAGE, target] / _FAR
    row[6] = near - context[_NEAR, board.origin[move]]
    row[7] = 1.0 if near == best else 0.0
    row[8] = coming
    row[9] = caught
    row[10] = caught * length
    row[11] = second * length
    row[12] = caught * shown
    row[13] = second * shown
    row[14] = context[_ONWARD, target]
    row[15] = 1.0 if kind == 1 else 0.0
    row[16] = 1.0 if kind == 2 else 0.0
    row[17] = 1.0 if kind == 3 else 0.0
    row[18] = row[16] * shown
    row[19] = 1.0 if ticket == 1 else 0.0
    row[20] = 1.0 if ticket == 2 else 0.0
    row[21] = black
    row[22] = length
    row[23] = 1.0 if left == 1.0 else 0.0
    row[24] = black * left / 5.0
    row[25] = black * wasted
    row[26] = black if state.turn > 0 and state.surfaced_turn == state.turn else 0.0
    row[27] = black * later
    row[28] = float(double)
    row[29] = double * caught
    row[30] = float(double * safe)
    row[31] = double * shown
    row[32] = double * later
    row[33] = context[_SAFE, target]
    row[34] = context[_SAFE, target] * caught
    row[35] = context[_LISTED, target]
    row[36] = context[_LISTED, target] * shown
    row[37] = context[_WITHIN, target]
    row[38] = row[2] * shown
    row[39] = 1.0 if context[_LISTED, target] == farthest else 0.0
    row[40] = context[_LISTED, target] * length


@kernel(allocates=False)
def describe(
    state: Any, station: int, tables: Any, context: Any, lengths: Any, codes: Any, rows: Any
) -> int:
    """The features of all actions the hider would have at a station.

    Args:
        state: What everybody knows when it is the hider's turn.
        station: Where the hider may be.
        context, lengths: Of the state, by `_surroundings` and `_lengths`.
        codes: Made the codes of their actions, shape (most actions,).
        rows: Made their features, shape (most actions, features).

    Returns:
        How many actions there are.
    """
    board = tables.board[0]
    kinds = 2 if may_double(state, tables) else 1
    wasted = 1 if wastes_black(state, station, tables) else 0
    best = -1.0
    farthest = -1.0
    safe = 0
    count = moves_from(state, HIDER, station, tables, codes)
    for place in range(count):
        target = board.target[codes[place]]
        best = max(best, context[_NEAR, target])
        farthest = max(farthest, context[_LISTED, target])
        black = board.ticket[codes[place]] == BLACK
        if context[_COMING, target] == 0.0 and (not black or wasted == 0):
            safe = 1
    for double in range(kinds):
        for place in range(count):
            move = codes[place]
            codes[double * count + place] = move + double * board.moves
            _described(
                state,
                move,
                double,
                best,
                farthest,
                safe,
                wasted,
                tables,
                context,
                lengths,
                rows[double * count + place],
            )
    return count * kinds


@kernel
def _prepared(state: Any, scratch: Any, tables: Any) -> Any:
    """Context and lengths of a state, and room for the codes and features of any station."""
    board = tables.board[0]
    context = np.zeros((_ROWS, STATIONS + 1))
    lengths = np.zeros(4)
    most = 0
    for station in range(1, STATIONS + 1):
        most = max(most, board.first[station, 4] - board.first[station, 0])
    codes = np.zeros(2 * most, dtype=np.int32)
    rows = np.zeros((2 * most, COUNT))
    _surroundings(state, tables, codes, context)
    _lengths(state, scratch, tables, lengths)
    return context, lengths, codes, rows


@kernel
def all_chances(
    state: Any, scratch: Any, tables: Any, weights: Floats, even: float, chances: Floats
) -> None:
    """P(action | station) for every action from every possible station.

    Args:
        state: What everybody knows when it is the hider's turn.
        scratch: A state that is overwritten.
        weights: Of the features, shape (features,).
        even: How much of the chance all actions have alike.
        chances: Made the chances, shape (2 * moves,); from stations where they cannot be, all
            actions are equally likely.
    """
    board = tables.board[0]
    context, lengths, codes, rows = _prepared(state, scratch, tables)
    scores = np.zeros(len(codes))
    even_chances(state, tables, chances)
    doubles = may_double(state, tables)
    for move in range(board.moves):
        chances[board.moves + move] = chances[move] if doubles else 0.0
    for station in range(1, STATIONS + 1):
        if not is_possible(state, station):
            continue
        count = describe(state, station, tables, context, lengths, codes, rows)
        highest = -np.inf
        for place in range(count):
            scores[place] = 0.0
            for feature in range(COUNT):
                scores[place] += weights[feature] * rows[place, feature]
            highest = max(highest, scores[place])
        total = 0.0
        for place in range(count):
            scores[place] = np.exp(scores[place] - highest)
            total += scores[place]
        for place in range(count):
            share = (1.0 - even) * scores[place] / total + even / count
            chances[codes[place]] = max(share, FLOOR)


@kernel
def described_actions(state: Any, station: int, scratch: Any, tables: Any) -> Any:
    """Codes and features of the actions at one station, for training.

    Returns:
        int32[actions] and float64[actions, features].
    """
    context, lengths, codes, rows = _prepared(state, scratch, tables)
    count = describe(state, station, tables, context, lengths, codes, rows)
    return codes[:count], rows[:count]
