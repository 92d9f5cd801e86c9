"""A record of Scotland Yard from one viewer's eyes: where Mr. X could be after every move."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final, cast

import numpy as np

from ...beliefs.games.scotland_yard.play import ScotlandYardBelief
from ...beliefs.posterior import Posterior
from ...data.checks import known_name
from ...data.errors import plain_name
from ...data.progress import Tell
from ...models.game import OVER, States
from ...models.play import PlayRecord
from ...models.scotland_yard.board import board
from ...models.scotland_yard.events import HIDER_NAME as HIDER_ROLE
from ...models.scotland_yard.events import HiderMove, role, seeker_name
from ...models.scotland_yard.record.record import ScotlandYardRecord
from ...models.scotland_yard.record.replay import game_of, start_states
from ...models.scotland_yard.record.seen import SPECTATOR
from ...models.scotland_yard.rules import DOUBLED, SHOWN
from ...models.scotland_yard.state import HIDER, THE_SEEKERS, TICKETS
from ...planners.matches.winning import WinningChances
from ..kit.analysis.moments import Moment, TimelineAnalysis
from ..kit.analysis.transcript import Standpoint, Transcript
from ..kit.answers.values import Paragraph, Statements
from .chances import DetectiveTurn, Floats, shares, turn_of
from .picture import counted_chances, likeliest
from .words import HIDER_NAME, describe
from .yard_map import yard_map

#: All detectives: they see the same.
SEEKERS: Final = "seekers"
#: What says how likely each possible station is, if nothing else is asked for: the belief's usual.
LIKELIHOOD: Final = ScotlandYardBelief().likelihood
#: What is hidden.
STATION: Final = "station of Mr. X"


@dataclass(frozen=True, kw_only=True, eq=False)
class Whereabouts:
    """The place of everybody after one event, or their possible places.

    Attributes:
        by: Who moved: 0 for Mr. X, else the detective's number; None before the first.
        turn: How many moves Mr. X has made.
        ticket: The ticket of Mr. X, if the move was theirs.
        seekers: Where the detectives stand.
        shown: Where Mr. X was seen at this event; None if they were not.
        stations: How likely every possible station is; shape (stations + 1,), 0 is no station.
        truth: Where Mr. X was; None where the viewer does not know.
        chances: What the detective could have done whose move it was.
    """

    by: int | None
    turn: int
    ticket: str | None
    seekers: tuple[int, ...]
    shown: int | None
    stations: Floats
    truth: int | None
    chances: DetectiveTurn | None

    @cached_property
    def possible(self) -> int:
        """The number of stations Mr. X can be at."""
        return int(np.count_nonzero(self.stations))

    @cached_property
    def ranked(self) -> tuple[tuple[int, float], ...]:
        """All possible stations with their probabilities, descending."""
        order = np.argsort(-self.stations, kind="stable")[: self.possible]
        return tuple((int(station), float(self.stations[station])) for station in order)

    @property
    def known(self) -> int | None:
        """Mr. X's station, if the viewer knows it or everybody saw it."""
        return self.shown if self.truth is None else self.truth

    @property
    def truth_probability(self) -> float | None:
        """The probability of the station where Mr. X was; None where that is not known."""
        return None if self.truth is None else float(self.stations[self.truth])

    @property
    def surprise(self) -> float | None:
        """-log2 of what the true station had; None where it is not known."""
        share = self.truth_probability
        if share is None:
            return None
        return -math.log2(share) if share > 0.0 else math.inf

    def to_json(self) -> Mapping[str, object]:
        """As plain values."""
        truth = None
        if self.truth is not None:
            truth = {"station": self.truth, "probability": self.truth_probability}
        return {
            "by": None if self.by is None else role(self.by),
            "turn": self.turn,
            "ticket": self.ticket,
            "seekers": list(self.seekers),
            "shown": self.shown,
            "possible": self.possible,
            "stations": {str(station): share for station, share in self.ranked},
            "truth": truth,
        }


@dataclass(frozen=True, kw_only=True, eq=False)
class HuntFindings:
    """The findings for a whole game of Scotland Yard.

    Attributes:
        whose: Whose view it is, in words.
        told: Whether the viewer knows where Mr. X was.
        likelihood: The model of Mr. X's moves.
        won: ``"hider"`` or ``"seekers"``; None for a game that is not over.
        reveals: Numbers of Mr. X's moves after which they show themselves.
        turns: The detectives' turns, in order.
        hider_moves: The moments right after Mr. X's moves.
    """

    whose: str
    told: bool
    likelihood: str
    won: str | None
    reveals: tuple[int, ...]
    turns: tuple[DetectiveTurn, ...]
    hider_moves: tuple[Moment[Whereabouts], ...]

    @cached_property
    def truth_loss_bits(self) -> float | None:
        """Average over Mr. X's moves of -log2 of what the true station had; None if not known."""
        known = [moment.detail.surprise for moment in self.hider_moves]
        losses = [loss for loss in known if loss is not None]
        return sum(losses) / len(losses) if losses else None

    def to_json(self, analysis: HuntAnalysis, /) -> Mapping[str, object]:
        """As plain values."""
        return {
            "likelihood": self.likelihood,
            "won": self.won,
            "turns": [turn.to_json() for turn in self.turns],
            "truth_log_loss_bits": self.truth_loss_bits,
        }


HuntMoment = Moment[Whereabouts]
HuntAnalysis = TimelineAnalysis[Whereabouts, HuntFindings]


class HuntTranscript(Transcript[Whereabouts, HuntFindings]):
    """A recorded game as a viewer saw it. Mr. X knows where they are; all others see the same.

    Args:
        record: The record.
        observer: A viewer; None for Mr. X where their stations are known, else the spectator.
        likelihood: How likely the moves of Mr. X are taken to be: a name that the belief knows.
        seed: Carried along.

    Attributes:
        belief: What says where Mr. X is.
        seen: What everybody saw.
        truth: Where Mr. X was before the first move and after every one, if that is the viewer;
            else empty.

    Raises:
        RecordError: The record does not say where Mr. X was, whose view was asked for.
        SettingsError: There is no such viewer or likelihood.
    """

    game = "scotland_yard"
    about = f"where {HIDER_NAME} is"

    def __init__(
        self,
        record: ScotlandYardRecord,
        observer: str | None = None,
        likelihood: str = LIKELIHOOD,
        *,
        seed: int = 0,
    ) -> None:
        self.viewer = _viewer(observer, record)
        own = record.seen_by(seeker_name(1) if self.viewer == SEEKERS else self.viewer)
        truth: list[int] = []
        if own.is_hider:
            assert own.hider is not None, "Mr. X knows the start"
            truth.append(own.hider)
            for each in own.events:
                moved = isinstance(each.event, HiderMove) and each.event.to is not None
                truth.append(cast(int, each.event.to) if moved else truth[-1])
        self.truth, self.seen = tuple(truth), record.seen_by(SPECTATOR)
        self.sha256, self.seed = own.digest, seed
        self.belief = ScotlandYardBelief(likelihood)
        self.name, self.source = record.name, record.source
        self.title = record.name or "A game of Scotland Yard"
        self.events = len(self.seen.observations)
        self._rules = game_of(self.seen.settings)
        self._hunt = self.belief.hunt(self._rules.tables)
        self._start = start_states(self._rules, self.seen.seekers, None)
        last: Any = self._states(self.events)[0]
        self._won = None
        if last.player == OVER:
            self._won = "seekers" if last.won == THE_SEEKERS else "hider"
        ends = {"seekers": " The detectives have won.", "hider": f" {HIDER_NAME} got away."}
        self.heading = (f"This is {self._whose}.{ends.get(self._won or '', '')}",)

    @property
    def prelude(self) -> Sequence[str]:
        """Whose view it is, and not who has won."""
        return (f"This is {self._whose}.",)

    def standpoints(self) -> Iterator[Standpoint[Whereabouts]]:
        """The public knowledge before the first move and after every one."""
        before: tuple[States, Posterior] | None = None
        for number in range(self.events + 1):
            states = self._states(number)
            posterior = self.belief.posterior(self.seen.until(number))
            (walk,) = posterior.model.walks
            yield Standpoint(
                text=self._text(number),
                posterior=posterior,
                hidden={STATION: walk.at()},
                detail=partial(self._whereabouts, number, states, posterior, before),
            )
            before = states, posterior

    def findings(
        self, timeline: Sequence[HuntMoment], last: Standpoint[Whereabouts], tell: Tell
    ) -> HuntFindings:
        """The end of the game, and the detectives' turns."""
        turns = [moment.detail.chances for moment in timeline]
        marked = self._rules.tables.rules[0].reveals
        return HuntFindings(
            whose=self._whose,
            told=bool(self.truth),
            likelihood=self.belief.likelihood,
            won=self._won,
            reveals=tuple(int(number) for number in np.flatnonzero(marked)),
            turns=tuple(turn for turn in turns if turn is not None),
            hider_moves=tuple(moment for moment in timeline if moment.detail.by == HIDER),
        )

    def openness(self, now: Standpoint[Whereabouts]) -> float:
        """The number of stations that are possible."""
        assert now.posterior is not None
        return float(np.count_nonzero(shares(now.posterior)))

    def rows(self, now: Standpoint[Whereabouts]) -> Iterator[tuple[str, str, float]]:
        """The possible stations in their order."""
        assert now.posterior is not None
        found = shares(now.posterior)
        for station in found.nonzero()[0].tolist():
            yield STATION, str(station), float(found[station])

    def scene(self, now: Standpoint[Whereabouts]) -> Statements:
        """The board."""
        found = now.detail()
        pieces = {station: str(number) for number, station in enumerate(found.seekers, start=1)}
        if found.known is not None:
            pieces.setdefault(found.known, "X")
        shares = dict(found.ranked)
        edition = board(self._rules.settings["edition"])
        return [yard_map(edition, pieces, shares, shares=shares), Paragraph(likeliest(shares))]

    def winning_chances(self, number: int) -> WinningChances | None:
        """As it was counted in matches between programs."""
        return counted_chances(self._states(number)[0], self._rules)

    def reason(self, posterior: Posterior, unit: str | int) -> str:
        """A move in words."""
        return self._text(unit) if isinstance(unit, int) else super().reason(posterior, unit)

    def _text(self, number: int) -> str:
        if not number:
            return "before the first move"
        mover, observation = self.seen.observations[number - 1]
        turn = int(self._states(number)[0].turn)
        return describe(mover, observation, turn, self._rules.tables)

    @property
    def _whose(self) -> str:
        if self.truth:
            return f"what everybody could know, beside where {HIDER_NAME} was"
        if self.viewer == SPECTATOR:
            return "what a spectator could know"
        return "what the detectives could know"

    def _states(self, count: int) -> States:
        """The state as everybody saw it after so many moves."""
        return self._hunt.states(self._start, self.seen.observations[:count])

    def _whereabouts(
        self,
        number: int,
        states: States,
        posterior: Posterior,
        before: tuple[States, Posterior] | None,
    ) -> Whereabouts:
        state: Any = states[0]
        by = ticket = shown = chances = None
        if before is not None:
            by, observation = self.seen.observations[number - 1]
            shown = observation // SHOWN or None
            if by == HIDER:
                ticket = TICKETS[observation % SHOWN % DOUBLED]
            else:
                known = shares(before[1])
                chances = turn_of(
                    self._rules, before[0], known, event=number, made=observation % SHOWN
                )
        return Whereabouts(
            by=by,
            turn=int(state.turn),
            ticket=ticket,
            seekers=tuple(state.stations[1 : self._rules.players].tolist()),
            shown=shown,
            stations=shares(posterior),
            truth=self.truth[number] if self.truth else None,
            chances=chances,
        )


def read(value: object) -> ScotlandYardRecord:
    """The record of a game, in either of the two forms, that was read from JSON."""
    if isinstance(value, dict) and "actions" in cast("dict[object, object]", value):
        return ScotlandYardRecord.from_play(PlayRecord.from_json(cast(object, value)))
    return ScotlandYardRecord.from_json(cast(object, value))


def _viewer(observer: str | None, record: ScotlandYardRecord) -> str:
    if observer is None:
        return HIDER_ROLE if record.kind == "full" else SPECTATOR
    known = {plain_name(name): name for name in (*record.viewers(), SEEKERS)}
    word = plain_name(observer)
    if word == HIDER_ROLE and word not in known:
        return record.seen_by(word).viewer  # which says why it cannot be
    return known[known_name(word, known, "viewer", where="observer")]
