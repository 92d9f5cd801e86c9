"""Parts of an analysis of any game: the moments of a record, what was open and what was done.

The terminal, the JSON and the page show what stands here and compute nothing of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeVar, runtime_checkable

from ....beliefs.engines.base import EXACT, Diagnostics
from ..number_words import bits
from ..proving import Proven
from .moved import BeliefShift, finite

#: Most values of one hidden thing that the JSON lists; the rest is one number.
MOST_VALUES: Final = 12
#: Most values that pictures choose from, so that one that becomes likely is drawn from the start.
MOST_DRAWN: Final = 256

#: What a game adds to every moment, and to the whole; None where it adds nothing.
Detail = TypeVar("Detail")
Findings = TypeVar("Findings")


@runtime_checkable
class DetailJson(Protocol):
    """A game's additions to a moment, and what stands in the JSON of it."""

    def to_json(self) -> Mapping[str, object]:
        """Keys that the moment's own get; one that it has itself is said by this."""
        ...


@runtime_checkable
class FindingsJson(Protocol):
    """A game's additions to an analysis, and what stands in the JSON of it."""

    def to_json(self, analysis: AnyAnalysis, /) -> Mapping[str, object]:
        """Keys that the analysis' own get; one that it has itself is said by this."""
        ...


@dataclass(frozen=True)
class HiddenFeature:
    """Something hidden, as a belief sees it at one moment.

    Attributes:
        name: What the belief calls it.
        entropy_bits: Its entropy.
        shares: Its likeliest values with their probabilities, descending; at most `MOST_VALUES`.
        values: How many values are possible.
        drawn: As ``shares``, but at most `MOST_DRAWN` of them, for pictures.
    """

    name: str
    entropy_bits: float
    shares: tuple[tuple[str, float], ...]
    values: int
    drawn: tuple[tuple[str, float], ...]

    def to_json(self) -> dict[str, object]:
        """As plain values."""
        return {
            "name": self.name,
            "entropy_bits": self.entropy_bits,
            "possible_values": self.values,
            "marginal": dict(self.shares),
        }


@dataclass(frozen=True)
class QuestionValue:
    """A question that a legal action asks.

    Attributes:
        action: The action in words.
        gain_bits: The expected information about what is hidden.
    """

    action: str
    gain_bits: float


@dataclass(frozen=True)
class ActionValue:
    """The value a search gives a legal action.

    Attributes:
        action: The action in words.
        value: The mean return in the game's own units; None where it was never tried.
        interval: The 95 % confidence interval of the value, where there is one.
        visits: How many simulations began with it.
    """

    action: str
    value: float | None
    interval: tuple[float, float] | None
    visits: int

    def to_json(self) -> dict[str, object]:
        """As plain values."""
        interval = None if self.interval is None else list(self.interval)
        return {
            "action": self.action,
            "value": self.value,
            "interval": interval,
            "visits": self.visits,
        }


@dataclass(frozen=True, kw_only=True)
class ViewerTurn:
    """A move of the viewer beside what else could have been done, judged by what they knew then.

    Attributes:
        made: The action in words.
        gain_bits: What it asked, as expected information; None where actions ask nothing.
        best_questions: The legal questions that would have told most, descending.
        value: What a search says of the action; None where no search was wanted.
        best: The action that the search prefers.
        alternatives: How many actions were legal.
    """

    made: str
    gain_bits: float | None
    best_questions: tuple[QuestionValue, ...]
    value: ActionValue | None
    best: ActionValue | None
    alternatives: int

    @property
    def loss(self) -> float | None:
        """The loss of the action against the best one, by the search; at least 0."""
        if self.value is None or self.best is None:
            return None
        if self.value.value is None or self.best.value is None:
            return None
        return max(0.0, self.best.value - self.value.value)

    @property
    def within_chance(self) -> bool:
        """True if the search's intervals of the action and of the best one share values.

        Also where one of the two has no interval.
        """
        one, best = (each and each.interval for each in (self.value, self.best))
        return one is None or best is None or best[0] <= one[1]

    @property
    def best_words(self) -> str:
        """The search's preference to the move, with its value; a tie where it is one.

        Empty where nothing was valued.
        """
        if self.best is None or self.best.value is None:
            return ""
        if self.best.action == self.made:
            return "the same"
        said = f"{self.best.action}, {bits(self.best.value)}"
        return f"{said}: not told apart" if self.within_chance else said

    def to_json(self) -> dict[str, object]:
        """As plain values."""
        return {
            "made": self.made,
            "legal_actions": self.alternatives,
            "gain_bits": self.gain_bits,
            "best_questions": [
                {"action": each.action, "gain_bits": each.gain_bits} for each in self.best_questions
            ],
            "value": None if self.value is None else self.value.to_json(),
            "best": None if self.best is None else self.best.to_json(),
            "loss": self.loss,
        }


@dataclass(frozen=True, kw_only=True)
class Moment(Generic[Detail]):
    """The viewer's knowledge after one event that they saw.

    Attributes:
        event: The number of the event; 0 is before the first.
        text: The event in words.
        entropy_bits: Entropy of what is hidden; NaN where it was not computed.
        log_evidence: Natural log of the probability of all that was seen so far; None or NaN for
            a method that does not estimate it.
        seconds: Time that observing the event and answering about it took.
        unknowns: Everything that is called hidden.
        joint: Whether the entropy is that of all of it together, which is so where it can be
            computed at every moment; else it is the sum over its parts, an upper bound.
        own: Whether the viewer did it.
        turn: Where the event is a move of the viewer: its value.
        diagnostics: How far an approximation can be trusted.
        detail: What the game adds.
    """

    event: int
    text: str
    entropy_bits: float
    log_evidence: float | None
    seconds: float
    unknowns: tuple[HiddenFeature, ...]
    joint: bool
    own: bool = False
    turn: ViewerTurn | None = None
    diagnostics: Diagnostics = EXACT
    detail: Detail

    def to_json(self) -> dict[str, object]:
        """As plain values."""
        return {
            "event": self.event,
            "text": self.text,
            "entropy_bits": finite(self.entropy_bits),
            "log_evidence": finite(self.log_evidence),
            "seconds": self.seconds,
            "entropy_is_joint": self.joint,
            "hidden": [each.to_json() for each in self.unknowns],
            "turn": None if self.turn is None else self.turn.to_json(),
            **(self.detail.to_json() if isinstance(self.detail, DetailJson) else {}),
        }


@dataclass(frozen=True, kw_only=True, eq=False)
class TimelineAnalysis(Generic[Detail, Findings]):
    """A recorded game, analysed from one viewer's eyes.

    Attributes:
        game: The game's name.
        title: What stands above all that is said of the record.
        heading: What is said of it before it is analysed, in lines.
        source: Where the record comes from, if it says so.
        viewer: A player, ``"spectator"``, or another word of the game.
        timeline: Before the first event, and after each.
        method: The engines that answered.
        seed: Seed of what was drawn at random.
        version: The version of sleuth.
        exact: Whether the engines' answers are exact.
        agent: The agent that valued decisions; None for none.
        record_sha256: The digest of what the viewer saw.
        proven: What is certain after the last event, and why.
        moved: Which observations moved the likeliest value of each hidden thing most.
        notes: What could not be computed, and how far an approximation can be trusted.
        findings: What the game adds.
    """

    game: str
    title: str
    heading: tuple[str, ...]
    source: str | None
    viewer: str
    timeline: tuple[Moment[Detail], ...]
    method: str
    seed: int
    version: str
    exact: bool
    agent: str | None
    record_sha256: str
    proven: tuple[Proven, ...]
    moved: tuple[BeliefShift, ...]
    notes: tuple[str, ...]
    findings: Findings

    @property
    def events(self) -> int:
        """The number of events."""
        return len(self.timeline) - 1

    @property
    def entropies(self) -> list[float]:
        """The bits that were open after every event."""
        return [moment.entropy_bits for moment in self.timeline]

    def told(self, event: int) -> float:
        """The bits that an event told; negative where more is open after it."""
        return self.timeline[event - 1].entropy_bits - self.timeline[event].entropy_bits

    def titles(self, left: str) -> list[str]:
        """The pictures' words on every moment; ``left`` is what bits are that nobody told."""
        said: list[str] = []
        for moment in self.timeline:
            rest = f"{bits(moment.entropy_bits)} bits {left}"
            if moment.event:
                told = bits(self.told(moment.event))
                said.append(f"event {moment.event}, {moment.text}: told {told}, {rest}")
            else:
                said.append(f"{moment.text}: {rest}")
        return said

    @property
    def turns(self) -> tuple[tuple[Moment[Detail], ViewerTurn], ...]:
        """The viewer's own moves."""
        return tuple((moment, moment.turn) for moment in self.timeline if moment.turn is not None)

    @property
    def own_events(self) -> tuple[int, ...]:
        """Numbers of the events that the viewer did."""
        return tuple(moment.event for moment in self.timeline if moment.own)

    def to_json(self) -> dict[str, object]:
        """The analysis as ``sleuth analyse --json`` prints it."""
        findings = self.findings
        return {
            "game": self.game,
            "viewer": self.viewer,
            "method": self.method,
            "exact": self.exact,
            "agent": self.agent,
            "events": self.events,
            "timeline": [moment.to_json() for moment in self.timeline],
            "certain": [
                {
                    "name": each.name,
                    "value": each.value,
                    "because": list(each.because),
                    "since": each.since,
                }
                for each in self.proven
            ],
            "influence": [each.to_json() for each in self.moved],
            "notes": list(self.notes),
            "version": self.version,
            "seed": self.seed,
            "record_sha256": self.record_sha256,
            **(findings.to_json(self) if isinstance(findings, FindingsJson) else {}),
        }


#: Whatever the game adds.
AnyAnalysis = TimelineAnalysis[Any, Any]
