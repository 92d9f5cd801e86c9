"""Where Mr. X could be after every move of a recorded game, and what the detectives' moves told.

The one computation behind the command's text, its JSON and the HTML report: none of them
computes anything of its own.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...beliefs.posterior import Posterior, entropy_bits
from ...data.version import version
from ...models.game import OVER, Game, States, legal_actions
from ...models.scotland_yard.events import role
from ...models.scotland_yard.rules import DOUBLED, SHOWN
from ...models.scotland_yard.state import HIDER, STATIONS, THE_SEEKERS, TICKETS
from ..kit.records.timeline import Known, Timeline
from .recorded import Hunted
from .words import describe

Floats = NDArray[np.float64]
Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many steps are done, and how many there are."""

#: Likeliest stations that are named for every moment.
LEADING: Final = 5


@dataclass(frozen=True)
class Step:
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


@dataclass(frozen=True)
class Turn:
    """A detective's turn: the move they made beside all they could have made.

    Attributes:
        event: The number of the event.
        seeker: The detective, from 1.
        station: Where they stood.
        made: Their move.
        steps: All their moves, in the order of tickets and stations; `made` is one of them.
    """

    event: int
    seeker: int
    station: int
    made: Step
    steps: tuple[Step, ...]

    @cached_property
    def telling(self) -> Step:
        """The move that would have told most on average; their own if none tells more."""
        return max(self.steps, key=lambda step: (round(step.gain_bits, 12), step == self.made))

    @cached_property
    def catching(self) -> Step:
        """The move that was likeliest to catch Mr. X; their own if none is likelier."""
        return max(self.steps, key=lambda step: (round(step.capture, 12), step == self.made))

    @cached_property
    def threatening(self) -> Step:
        """The move after which they are likeliest to be next to Mr. X, or upon them."""
        return max(self.steps, key=lambda step: (round(self.pressure(step), 12), step == self.made))

    @staticmethod
    def pressure(step: Step) -> float:
        """Probability that Mr. X is where a move leads, or one move of this detective away."""
        return step.capture + (1.0 - step.capture) * step.threat


@dataclass(frozen=True, kw_only=True)
class Moment(Known):
    """What was known after one event; the entropy is that of Mr. X's station.

    Attributes:
        by: Who moved: 0 for Mr. X, else the detective's number; None before the first.
        turn: How many moves Mr. X has made.
        ticket: The ticket of Mr. X, if the move was theirs.
        seekers: Where the detectives stand.
        shown: Where Mr. X was seen at this event; None if they were not.
        stations: How likely every possible station is; shape (stations + 1,), 0 is no station.
        truth: Where Mr. X was; None where the viewer does not know.
    """

    by: int | None
    turn: int
    ticket: str | None
    seekers: tuple[int, ...]
    shown: int | None
    stations: Floats
    truth: int | None

    @cached_property
    def possible(self) -> int:
        """How many stations Mr. X can be at."""
        return int(np.count_nonzero(self.stations))

    @cached_property
    def ranked(self) -> tuple[tuple[int, float], ...]:
        """All possible stations with their probabilities, descending."""
        order = np.argsort(-self.stations, kind="stable")[: self.possible]
        return tuple((int(station), float(self.stations[station])) for station in order)

    @property
    def known(self) -> int | None:
        """Where Mr. X was, if the viewer knows or everybody saw it."""
        return self.shown if self.truth is None else self.truth

    @property
    def truth_probability(self) -> float | None:
        """How likely the station was where Mr. X was; None where that is not known."""
        return None if self.truth is None else float(self.stations[self.truth])


@dataclass(frozen=True, kw_only=True, eq=False)
class Analysis(Timeline[Moment]):
    """A whole analysed game.

    Attributes:
        hunted: The game as the viewer saw it.
        likelihood: The model of Mr. X's moves.
        turns: The detectives' turns, in order.
        won: ``"hider"`` or ``"seekers"``; None for a game that is not over.
    """

    hunted: Hunted
    likelihood: str
    turns: tuple[Turn, ...]
    won: str | None

    @property
    def reveals(self) -> tuple[int, ...]:
        """Numbers of Mr. X's moves after which they show themselves."""
        marked = self.hunted.game.tables.rules[0].reveals
        return tuple(int(number) for number in np.flatnonzero(marked))

    @cached_property
    def hider_moves(self) -> tuple[Moment, ...]:
        """The moments right after Mr. X's moves."""
        return tuple(moment for moment in self.timeline if moment.by == HIDER)

    @cached_property
    def truth_loss_bits(self) -> float | None:
        """Average over Mr. X's moves of -log2 of what the true station had; None if not known."""
        found = [moment.truth_probability for moment in self.hider_moves]
        known = [share for share in found if share is not None]
        if not known:
            return None
        return sum(-math.log2(share) if share > 0.0 else math.inf for share in known) / len(known)

    def to_json(self) -> dict[str, object]:
        """The analysis as ``sleuth analyse --json`` prints it."""
        return {
            "game": "scotland_yard",
            "viewer": self.hunted.viewer,
            "method": self.method,
            "likelihood": self.likelihood,
            "events": self.events,
            "won": self.won,
            "timeline": [_moment_json(moment) for moment in self.timeline],
            "turns": [_turn_json(turn) for turn in self.turns],
            "truth_log_loss_bits": self.truth_loss_bits,
            "version": self.version,
            "seed": self.seed,
            "record_sha256": self.hunted.digest,
        }


def analyse(hunted: Hunted, *, seed: int = 0, progress: Progress | None = None) -> Analysis:
    """Where Mr. X could be at every moment of a game.

    Args:
        hunted: The game as a viewer saw it.
        seed: Carried along.
        progress: Told how far the work has come.

    Raises:
        ContradictionError: The record cannot have happened.
    """
    total = len(hunted.events)
    timeline: list[Moment] = []
    turns: list[Turn] = []
    method = ""
    states: States | None = None
    moments = hunted.moments()
    for number in range(total + 1):
        if progress is not None and number:
            progress("observing moves", number - 1, total)
        start = time.perf_counter()
        now, posterior = next(moments)
        stations = shares(posterior)
        entropy = entropy_bits(stations)
        seconds = time.perf_counter() - start
        if number and states is not None and hunted.events[number - 1][0] != HIDER:
            turns.append(_turn(hunted, number, states, timeline[-1].stations))
        timeline.append(_moment(hunted, number, now, stations, entropy, posterior, seconds))
        states, method = now, posterior.method
    assert states is not None, "moment 0 is always there"
    state: Any = states[0]
    won = None
    if state.player == OVER:
        won = "seekers" if state.won == THE_SEEKERS else "hider"
    return Analysis(
        hunted=hunted,
        method=method,
        likelihood=hunted.likelihood,
        timeline=tuple(timeline),
        turns=tuple(turns),
        won=won,
        seed=seed,
        version=version(),
    )


def shares(posterior: Posterior) -> Floats:
    """How likely every station is; shape (stations + 1,), 0 is no station."""
    (walk,) = posterior.model.walks
    found = np.zeros(STATIONS + 1)
    for station, probability in posterior.marginal(walk.at()).items():
        found[station] = probability
    return found


def _moment(
    hunted: Hunted,
    number: int,
    states: States,
    stations: Floats,
    entropy: float,
    posterior: Posterior,
    seconds: float,
) -> Moment:
    state: Any = states[0]
    turn = int(state.turn)
    by = ticket = shown = None
    text = "before the first move"
    if number:
        by, observation = hunted.events[number - 1]
        text = describe(by, observation, turn, hunted.game.tables)
        shown = observation // SHOWN or None
        ticket = TICKETS[observation % SHOWN % DOUBLED] if by == HIDER else None
    return Moment(
        event=number,
        by=by,
        text=text,
        turn=turn,
        ticket=ticket,
        seekers=tuple(state.stations[1 : hunted.game.players].tolist()),
        shown=shown,
        stations=stations,
        entropy_bits=entropy,
        log_evidence=posterior.log_evidence,
        seconds=seconds,
        truth=hunted.truth[number] if hunted.truth else None,
    )


def _turn(hunted: Hunted, number: int, states: States, stations: Floats) -> Turn:
    """A detective's turn, judged by what was known before it."""
    state: Any = states[0]
    seeker, observation = hunted.events[number - 1]
    codes: list[int] = legal_actions(hunted.game, states).tolist()
    made = codes.index(observation % SHOWN)
    moves = tuple(step_of(hunted.game, states, stations, code) for code in codes)
    return Turn(
        event=number,
        seeker=seeker,
        station=int(state.stations[seeker]),
        made=moves[made],
        steps=moves,
    )


def step_of(game: Game, states: States, stations: Floats, code: int) -> Step:
    """What a move of the detective whose turn it is would tell and threaten.

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
    return step(stations, TICKETS[ticket], to, near)


def step(stations: Floats, ticket: str, to: int, near: Sequence[int]) -> Step:
    """What a detective's move would tell and threaten.

    Args:
        stations: How likely every station is.
        ticket: What the move costs.
        to: Where it leads.
        near: Stations one move further.
    """
    capture = float(stations[to])
    missed = 1.0 - capture
    beside = float(stations[[station for station in near if station != to]].sum())
    certain = np.array([capture, max(missed, 0.0)])
    return Step(
        ticket=ticket,
        to=to,
        capture=capture,
        # Whether Mr. X is there is all that the move tells about their station.
        gain_bits=entropy_bits(certain),
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


def _moment_json(moment: Moment) -> Mapping[str, object]:
    truth = None
    if moment.truth is not None:
        truth = {"station": moment.truth, "probability": moment.truth_probability}
    return {
        **moment.known_json(),
        "by": None if moment.by is None else role(moment.by),
        "turn": moment.turn,
        "ticket": moment.ticket,
        "seekers": list(moment.seekers),
        "shown": moment.shown,
        "possible": moment.possible,
        "stations": {str(station): share for station, share in moment.ranked},
        "truth": truth,
    }


def _turn_json(turn: Turn) -> Mapping[str, object]:
    return {
        "event": turn.event,
        "by": role(turn.seeker),
        "from": turn.station,
        "moves": [
            {
                "ticket": each.ticket,
                "to": each.to,
                "made": each == turn.made,
                "capture": each.capture,
                "information_gain_bits": each.gain_bits,
                "threat": each.threat,
                "possible": each.possible,
            }
            for each in turn.steps
        ],
    }
