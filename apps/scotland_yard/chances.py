"""A detective's chances: what every move that could be made would tell and threaten."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...beliefs.posterior import Posterior, entropy_bits
from ...models.game import Game, States, legal_actions
from ...models.scotland_yard.events import role
from ...models.scotland_yard.state import STATIONS, TICKETS

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class DetectiveMove:
    """A move that a detective could make, and what it would tell and threaten.

    Attributes:
        ticket: What it costs.
        to: Where it leads.
        capture: Probability that Mr. X is there.
        gain_bits: Expected drop of the entropy of Mr. X's station, by seeing if they are there.
        threat: Probability that Mr. X is one move of this detective away from there, if not
            there.
        possible: How many stations Mr. X could still be at, if not there.
    """

    ticket: str
    to: int
    capture: float
    gain_bits: float
    threat: float
    possible: int

    @property
    def pressure(self) -> float:
        """Probability that Mr. X is where it leads, or one move of this detective away."""
        return self.capture + (1.0 - self.capture) * self.threat


@dataclass(frozen=True)
class DetectiveTurn:
    """A detective's turn: the move they made beside all they could have made.

    Attributes:
        event: The number of the event.
        number: How many moves Mr. X had made.
        seeker: The detective, from 1.
        station: Where they stood.
        made: Their move.
        moves: All their moves, in the order of tickets and stations; `made` is one of them.
    """

    event: int
    number: int
    seeker: int
    station: int
    made: DetectiveMove
    moves: tuple[DetectiveMove, ...]

    @cached_property
    def telling(self) -> DetectiveMove:
        """The move that would have told most on average; their own if none tells more."""
        return max(self.moves, key=lambda move: (round(move.gain_bits, 12), move == self.made))

    @cached_property
    def catching(self) -> DetectiveMove:
        """The move that was likeliest to catch Mr. X; their own if none is likelier."""
        return max(self.moves, key=lambda move: (round(move.capture, 12), move == self.made))

    @cached_property
    def threatening(self) -> DetectiveMove:
        """The move after which they are likeliest to be next to Mr. X, or upon them."""
        return max(self.moves, key=lambda move: (round(move.pressure, 12), move == self.made))

    def to_json(self) -> Mapping[str, object]:
        """As plain values."""
        return {
            "event": self.event,
            "by": role(self.seeker),
            "from": self.station,
            "moves": [
                {
                    "ticket": each.ticket,
                    "to": each.to,
                    "made": each == self.made,
                    "capture": each.capture,
                    "information_gain_bits": each.gain_bits,
                    "threat": each.threat,
                    "possible": each.possible,
                }
                for each in self.moves
            ],
        }


def shares(posterior: Posterior) -> Floats:
    """The probability of every station; shape (stations + 1,), 0 is no station."""
    (walk,) = posterior.model.walks
    found = np.zeros(STATIONS + 1)
    for station, probability in posterior.marginal(walk.at()).items():
        found[station] = probability
    return found


def turn_of(
    game: Game, states: States, stations: Floats, *, event: int, made: int
) -> DetectiveTurn:
    """The turn of the detective whose turn it is, judged by what was known before it.

    Args:
        game: The game.
        states: What everybody knows, in an array of one.
        stations: How likely every station is.
        event: The number of the event.
        made: The move that was made.
    """
    state: Any = states[0]
    codes: list[int] = legal_actions(game, states).tolist()
    moves = tuple(move_of(game, states, stations, code) for code in codes)
    seeker = int(state.player)
    return DetectiveTurn(
        event=event,
        number=int(state.turn),
        seeker=seeker,
        station=int(state.stations[seeker]),
        made=moves[codes.index(made)],
        moves=moves,
    )


def move_of(game: Game, states: States, stations: Floats, code: int) -> DetectiveMove:
    """A move of the detective whose turn it is.

    Args:
        game: The game.
        states: What everybody knows, in an array of one.
        stations: How likely every station is.
        code: The move.
    """
    state: Any = states[0]
    board = game.tables.board[0]
    ticket, to = int(board.ticket[code]), int(board.target[code])
    near = _reachable(board, to, ticket, state.tickets[int(state.player)].tolist())
    return valued_move(stations, TICKETS[ticket], to, near)


def valued_move(stations: Floats, ticket: str, to: int, near: Sequence[int]) -> DetectiveMove:
    """A move by what is known.

    Args:
        stations: How likely every station is.
        ticket: What the move costs.
        to: Where it leads.
        near: Stations one move further.
    """
    capture = float(stations[to])
    missed = 1.0 - capture
    beside = float(stations[[station for station in near if station != to]].sum())
    return DetectiveMove(
        ticket=ticket,
        to=to,
        capture=capture,
        # Whether Mr. X is there is all that the move tells about their station.
        gain_bits=entropy_bits(np.array([capture, max(missed, 0.0)])),
        threat=min(beside / missed, 1.0) if missed > 1e-12 else 0.0,
        possible=int(np.count_nonzero(stations)) - (capture > 0.0),
    )


def _reachable(board: Any, station: int, spent: int, tickets: Sequence[int]) -> list[int]:
    """Stations one move from a station, with the tickets left after one was spent."""
    found: set[int] = set()
    for ticket, count in enumerate(tickets):
        if count - (ticket == spent) > 0:
            first, last = board.first[station, ticket], board.first[station, ticket + 1]
            found.update(board.target[first:last].tolist())
    return sorted(found)
