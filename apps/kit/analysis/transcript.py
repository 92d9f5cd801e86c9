"""The contract of a record that the analyst follows, from one viewer's eyes, in any notation.

See `kit.records.contract` for what a game has to do.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, cast

import numpy as np

from ....beliefs.language.evidence import Evidence
from ....beliefs.language.features import Feature
from ....beliefs.posterior import Posterior, entropy_bits
from ....data.progress import Tell
from ..answers.values import Statements
from ..display import MOST_HIDDEN, probabilities
from .moments import Detail, Findings, Moment, ViewerTurn

if TYPE_CHECKING:
    from ....planners.matches.winning import WinningChances


def _nothing() -> Any:
    return None


def _no_statements() -> Statements:
    return ()


def _unknown(feature: Feature) -> int | None:
    return None


@dataclass(frozen=True, kw_only=True, eq=False)
class Standpoint(Generic[Detail]):
    """A viewer's knowledge after one event that they saw.

    Attributes:
        text: The event in words.
        posterior: What follows from all that they saw; None where nothing is hidden.
        hidden: What is open, by name; None where nobody looks, so that it is not known how much.
        own: Whether the viewer did it.
        turn: What it was worth, where it is a move of the viewer's; computed when it is called.
        detail: What the game adds to this moment; computed when it is called.
        known: All that the viewer sees then, where there is more to show than the events.
        truth: For something hidden the place of its true value; None where the record does not
            say it.
    """

    text: str
    posterior: Posterior | None
    hidden: Mapping[str, Feature] | None = field(default_factory=dict[str, Feature])
    own: bool = False
    turn: Callable[[], ViewerTurn | None] = _nothing
    detail: Callable[[], Detail] = _nothing
    known: Callable[[], Statements] = _no_statements
    truth: Callable[[Feature], int | None] = _unknown


class Transcript(ABC, Generic[Detail, Findings]):
    """A record as one viewer saw it. Each notation has its own; the analyst knows no more of it.

    Attributes:
        game: The game's name.
        name: What a comparison of methods on it is called; None for the name of its file.
        title: What stands above all that is said of the record.
        heading: What else is said before it is analysed, in lines.
        source: Where the record comes from, if it says so.
        viewer: Whose eyes these are: a player, ``"spectator"``, or another word of the game.
        sha256: The digest of what the viewer saw.
        events: How many events there are, as far as it is known.
        agent: The agent that values decisions; None for none.
        seed: Of what is drawn at random.
        about: What the hidden things are called together, where methods are compared; their own
            names if it is empty.
        notes: What could not be computed, and why; they may come while it is followed.
    """

    game: str
    name: str | None = None
    title: str
    viewer: str
    sha256: str
    events: int
    heading: Sequence[str] = ()
    source: str | None = None
    agent: str | None = None
    seed: int = 0
    about: str = ""
    notes: Sequence[str] = ()

    @property
    def prelude(self) -> Sequence[str]:
        """The lines of the heading that the viewer knows before the first event."""
        return self.heading

    @property
    def viewers(self) -> Sequence[str]:
        """All whose eyes are taken in turn: one, but where a game shows each player's at theirs."""
        return (self.viewer,)

    @abstractmethod
    def standpoints(self) -> Iterator[Standpoint[Detail]]:
        """The viewer's knowledge before the first event and after every one that they saw.

        The time that it takes to the next one is that of the event.

        Raises:
            RecordError: The record breaks the rules; with the place.
            ContradictionError: By the belief, what was seen cannot have happened.
            CostError, UnsupportedError: The method cannot do it.
        """

    def findings(
        self, timeline: Sequence[Moment[Detail]], last: Standpoint[Detail], tell: Tell
    ) -> Findings:
        """The game's additions to the whole analysis.

        Args:
            timeline: All moments.
            last: The last standpoint.
            tell: Told how far the work has come.
        """
        return cast("Findings", None)

    def provable(self, last: Standpoint[Detail]) -> Mapping[str, Feature]:
        """The features examined for certainty in the end, by name: all that is hidden."""
        return last.hidden or {}

    def openness(self, now: Standpoint[Detail]) -> float:
        """The amount that is open, in any unit, to compare methods where it is most."""
        assert now.posterior is not None
        return sum(map(now.posterior.entropy, (now.hidden or {}).values()))

    def rows(self, now: Standpoint[Detail]) -> Iterator[tuple[str, str, float]]:
        """A moment's rows of a table: variable, value, probability, for all that is hidden."""
        for name, marginal in self.marginals(now).items():
            for value, share in self.shares((now.hidden or {})[name], marginal):
                yield name, value, share

    def marginals(self, now: Standpoint[Detail]) -> Mapping[str, Mapping[Any, float]]:
        """The possible values of everything hidden with their probabilities, by name.

        What a game leaves out of it, since it would take too long, is not shown then.
        """
        if now.posterior is None:
            return {}
        return {name: now.posterior.marginal(each) for name, each in (now.hidden or {}).items()}

    def shares(self, feature: Feature, marginal: Mapping[Any, float]) -> list[tuple[str, float]]:
        """The possible values of something hidden in words, the likeliest first."""
        found = sorted(marginal.items(), key=lambda pair: -pair[1])
        return [(self.value_name(feature, value), share) for value, share in found if share > 0.0]

    def scene(self, now: Standpoint[Detail]) -> Statements:
        """A moment as a replay shows it: what is open, drawn where the game has a board."""
        return [
            probabilities(
                name,
                dict(self.shares((now.hidden or {})[name], marginal)),
                entropy_bits(np.array([*marginal.values()])),
            )
            for name, marginal in [*self.marginals(now).items()][:MOST_HIDDEN]
        ]

    def winning_chances(self, number: int) -> WinningChances | None:
        """Each side's chance to win after so many events; None where nobody knows."""
        return None

    def value_name(self, feature: Feature, value: Any) -> str:
        """The name of a value of something hidden."""
        if not isinstance(value, tuple):
            return str(value)
        return ", ".join(str(part) for part in cast("tuple[object, ...]", value))

    def reason(self, posterior: Posterior, unit: str | int) -> str:
        """A part of a proof in words: the sentences of the evidence that it stands for."""
        said = [
            step.because
            for step in posterior.history
            if isinstance(step, Evidence) and unit in (step.event, step.id) and step.because
        ]
        return "; ".join(dict.fromkeys(said)) or str(unit)
