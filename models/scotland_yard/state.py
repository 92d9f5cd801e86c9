"""The state of Scotland Yard, and the tables its kernels get: the map as moves, and the settings.

A move is a station, a ticket and the station it leads to. Moves are numbered by station, then by
ticket, then by where they lead, so the moves of a station with one ticket stand together. A black
fare hides the transport: it is one move between two stations, whatever connects them.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .board import FERRY, StationMap
from .board import STATIONS as STATIONS

TAXI: Final = 0
BUS: Final = 1
UNDERGROUND: Final = 2
BLACK: Final = 3
TICKETS: Final = ("taxi", "bus", "underground", "black")

HIDER: Final = 0
MOST_SEEKERS: Final = 5
MOST_ROUNDS: Final = 24

# What `won` says.
NOBODY: Final = 0
THE_HIDER: Final = 1
THE_SEEKERS: Final = 2
#: Nobody yet, in a playout that leaves `possible` as it was where it began.
LIST_KEPT: Final = 3

#: Stations are bits of whole numbers that stay positive: 31 to a word.
BITS: Final = 31
WORDS: Final = 7
#: Binary digits of a distance: none is above 15.
DIGITS: Final = 4

# Everything but the hider's station, `stations[0]`, is public while the game goes on.
# `log` has the tickets of the hider's moves (-1: not made yet), `turn` counts them; `surfaced` is
# the station they showed last (0: none) after their move `surfaced_turn`; `doubling` is 1 while the
# second half of a double move is due; `captor` is the seeker who caught them (0: nobody);
# `possible` are the stations where the hider can be, as bits.
STATE: Final = np.dtype(
    [
        ("player", np.int32),
        ("stations", np.int32, (1 + MOST_SEEKERS,)),
        ("tickets", np.int32, (1 + MOST_SEEKERS, 4)),
        ("doubles", np.int32),
        ("doubling", np.int32),
        ("turn", np.int32),
        ("log", np.int32, (MOST_ROUNDS,)),
        ("surfaced", np.int32),
        ("surfaced_turn", np.int32),
        ("won", np.int32),
        ("captor", np.int32),
        ("possible", np.int32, (WORDS,)),
    ]
)


#: Room for the moves of any edition: two of every connection but ferries, and black fares.
MOST_MOVES: Final = 1_802

# The map as kernels read it. Rows of S + 1 have one for no station.
#   moves: how many there are; codes from `moves` are the same moves as the first half of a double
#     move.
#   first: the moves of station s with ticket t are those from first[s, t] to first[s, t + 1].
#   origin, target, ticket: where a move begins, where it leads, what it costs.
#   distance: moves from one station to another without ferries.
#   digits: from each station, the stations whose distance has a 1 as this binary digit, as bits, in
#     pairs of words: sums of distances to many stations are counts of bits.
#   kind: kinds of stations, as in `board.KINDS`.
#   reach: where each ticket leads from each station, as bits.
BOARD: Final = np.dtype(
    [
        ("moves", np.int32),
        ("first", np.int32, (STATIONS + 1, 5)),
        ("origin", np.int32, (MOST_MOVES,)),
        ("target", np.int32, (MOST_MOVES,)),
        ("ticket", np.int32, (MOST_MOVES,)),
        ("distance", np.int8, (STATIONS + 1, STATIONS + 1)),
        ("digits", np.int64, (STATIONS + 1, DIGITS, WORDS // 2 + 1)),
        ("kind", np.int32, (STATIONS + 1,)),
        ("reach", np.int32, (4, STATIONS + 1, WORDS)),
    ],
    align=True,
)
# The settings.
#   reveals: 1 for the numbers of the hider's moves after which they show themselves.
#   seekers, rounds: how many detectives there are, and how many moves the hider makes.
#   seeker_starts, hider_starts: the stations on the start cards of each side, as bits.
#   seeker_tickets, hider_tickets: what each detective gets, and the hider, with their black fares.
#   doubles: how many double moves they get.
#   alone: the only detective who moves, for searches that leave the others in place;
#     0 where all move.
#   tracks: 1 to keep the list of possible stations up to date, else it is left as it is.
#   total_distance: from each station the sum of the distances to all stations of a list of possible
#     ones, or to where the hider is believed to be, for playouts in which that does not change.
RULES: Final = np.dtype(
    [
        ("reveals", np.int32, (MOST_ROUNDS + 1,)),
        ("seekers", np.int32),
        ("rounds", np.int32),
        ("seeker_starts", np.int32, (WORDS,)),
        ("hider_starts", np.int32, (WORDS,)),
        ("seeker_tickets", np.int32, (4,)),
        ("hider_tickets", np.int32, (4,)),
        ("doubles", np.int32),
        ("alone", np.int32),
        ("tracks", np.int32),
        ("total_distance", np.int32, (STATIONS + 1,)),
    ],
    align=True,
)


class ScotlandYardTables(NamedTuple):
    """The map and the settings, each a record in an array of one.

    As two records they are quickly handed to a kernel; handing over a dozen arrays took most of the
    time of a playout.

    Attributes:
        board: One record of type ``BOARD``.
        rules: One record of type ``RULES``.
    """

    board: Any
    rules: Any


def moves_of(board: StationMap) -> NDArray[np.int32]:
    """int32[M, 3]: station, ticket and target of every move, in the order of their numbers."""
    rows: set[tuple[int, int, int]] = set()
    for station in range(1, board.stations + 1):
        for place in range(int(board.first[station]), int(board.first[station + 1])):
            transport, target = int(board.transport[place]), int(board.neighbour[place])
            if transport != FERRY:
                rows.add((station, transport, target))
            rows.add((station, BLACK, target))
    return np.array(sorted(rows), dtype=np.int32).reshape(-1, 3)


def map_table(board: StationMap) -> Any:
    """A map as one record of type ``BOARD``, in an array of one."""
    moves = moves_of(board)
    keys = moves[:, 0] * 4 + moves[:, 1]
    wanted = np.arange(STATIONS + 1)[:, None] * 4 + np.arange(5)
    table: Any = np.zeros(1, dtype=np.dtype((np.record, BOARD))).view(np.recarray)
    row = table[0]
    row.moves = len(moves)
    row.first = np.searchsorted(keys, wanted)
    row.origin[: len(moves)] = moves[:, 0]
    row.ticket[: len(moves)] = moves[:, 1]
    row.target[: len(moves)] = moves[:, 2]
    row.distance = board.distance
    for digit in range(DIGITS):
        for station, distances in enumerate(board.distance):
            words = bits_of(np.flatnonzero(distances >> digit & 1).tolist())
            row.digits[station, digit] = words[::2]
            row.digits[station, digit, :-1] |= words[1::2].astype(np.int64) << BITS
    row.kind = board.kind
    for station, ticket, target in moves.tolist():
        row.reach[ticket, station, target // BITS] |= 1 << target % BITS
    return table


def stations_of(words: NDArray[np.int32]) -> tuple[int, ...]:
    """The station numbers of bits, such as ``state.possible``.

    >>> import sleuth
    >>> from sleuth.games.scotland_yard import stations_of
    >>> play = sleuth.Play.new("scotland_yard", seed=1)
    >>> len(stations_of(play.truth()[0].possible))  # all starts that no detective has
    13
    """
    bits = np.asarray(words)[:, None] >> np.arange(BITS) & 1
    return tuple(np.flatnonzero(bits).tolist())


def bits_of(stations: list[int]) -> NDArray[np.int32]:
    """int32[WORDS]: station numbers as bits."""
    words = np.zeros(WORDS, dtype=np.int32)
    for station in stations:
        words[station // BITS] |= 1 << station % BITS
    return words
