"""The state of Scotland Yard, and the tables its kernels get: the map as moves, and the settings.

A move is a station, a ticket and the station it leads to. Moves are numbered by station, then by
ticket, then by where they lead, so the moves of a station with one ticket stand together. A black
fare hides the transport: it is one move between two stations, whatever connects them.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .board import FERRY, Board

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

#: Stations are bits of whole numbers that stay positive: 31 to a word.
BITS: Final = 31
WORDS: Final = 7

# Everything but the hider's station, `stations[0]`, is public while the game goes on.
# `log` has the tickets of the hider's moves (-1: not made yet), `turn` counts them; `surfaced` is
# the station he showed last (0: none) after his move `surfaced_turn`; `doubling` is 1 while the
# second half of a double move is due; `captor` is the seeker who caught him (0: nobody); `possible`
# are the stations where he can be, as bits.
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


class Tables(NamedTuple):
    """The map and the settings. S stations, M moves; rows of S + 1 have one for no station.

    Attributes:
        moves: M. Codes from M are the same moves as the first half of a double move.
        first: int32[S + 1, 5]: the moves of station s with ticket t are those from
            ``first[s, t]`` to ``first[s, t + 1]``.
        origin: int32[M], where a move begins.
        target: int32[M], where it leads.
        ticket: int32[M], what it costs.
        distance: int8[S + 1, S + 1], moves from one station to another without ferries.
        kind: int32[S + 1], kinds of stations, as in `board.KINDS`.
        reach: int32[4, S + 1, WORDS], where each ticket leads from each station, as bits.
        starts: int32[], where a game can start.
        reveals: int32[MOST_ROUNDS + 1], 1 for the hider's moves after which he shows himself.
        seekers: How many detectives.
        rounds: How many moves the hider makes.
        seeker_tickets: int32[4], what each detective gets.
        hider_tickets: int32[4], what the hider gets; the last are his black fares.
        doubles: How many double moves he gets.
        tracks: 1 to keep the list of possible stations up to date, 0 to leave it as it is.
        hider_epsilon: How often the hider of a greedy playout moves at random.
        seeker_epsilon: How often its seekers do.
        total_distance: int32[S + 1], of a list of possible stations, the sum of the distances
            from a station to them; for playouts with a list that does not change.
    """

    moves: int
    first: NDArray[np.int32]
    origin: NDArray[np.int32]
    target: NDArray[np.int32]
    ticket: NDArray[np.int32]
    distance: NDArray[np.int8]
    kind: NDArray[np.int32]
    reach: NDArray[np.int32]
    starts: NDArray[np.int32]
    reveals: NDArray[np.int32]
    seekers: int
    rounds: int
    seeker_tickets: NDArray[np.int32]
    hider_tickets: NDArray[np.int32]
    doubles: int
    tracks: int
    hider_epsilon: float
    seeker_epsilon: float
    total_distance: NDArray[np.int32]


def moves_of(board: Board) -> NDArray[np.int32]:
    """int32[M, 3]: station, ticket and target of every move, in the order of their numbers."""
    rows: set[tuple[int, int, int]] = set()
    for station in range(1, board.stations + 1):
        for place in range(int(board.first[station]), int(board.first[station + 1])):
            transport, target = int(board.transport[place]), int(board.neighbour[place])
            if transport != FERRY:
                rows.add((station, transport, target))
            rows.add((station, BLACK, target))
    return np.array(sorted(rows), dtype=np.int32).reshape(-1, 3)


def map_tables(board: Board) -> dict[str, Any]:
    """The part of the tables that is the map's."""
    moves = moves_of(board)
    keys = moves[:, 0] * 4 + moves[:, 1]
    wanted = np.arange(board.stations + 1)[:, None] * 4 + np.arange(5)
    reach = np.zeros((4, board.stations + 1, WORDS), dtype=np.int32)
    for station, ticket, target in moves.tolist():
        reach[ticket, station, target // BITS] |= 1 << target % BITS
    return {
        "moves": len(moves),
        "first": np.searchsorted(keys, wanted).astype(np.int32),
        "origin": np.ascontiguousarray(moves[:, 0]),
        "target": np.ascontiguousarray(moves[:, 2]),
        "ticket": np.ascontiguousarray(moves[:, 1]),
        "distance": board.distance,
        "kind": board.kind,
        "reach": reach,
        "starts": np.array(board.starts, dtype=np.int32),
        "total_distance": np.zeros(board.stations + 1, dtype=np.int32),
    }


def stations_of(words: NDArray[np.int32]) -> tuple[int, ...]:
    """The station numbers of bits, such as ``state.possible``."""
    return tuple(
        word * BITS + bit for word in range(WORDS) for bit in range(BITS) if words[word] >> bit & 1
    )


def bits_of(stations: list[int]) -> NDArray[np.int32]:
    """int32[WORDS]: station numbers as bits."""
    words = np.zeros(WORDS, dtype=np.int32)
    for station in stations:
        words[station // BITS] |= 1 << station % BITS
    return words
