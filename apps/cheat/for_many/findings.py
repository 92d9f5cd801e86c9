"""Findings of an analysis of Cheat for many: claims, calls worth making, hands, and scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ....beliefs.predictors.predictor import Predictor
from ....data.checks import CERTAIN
from ....models.cheat import RANK_NAMES
from ....models.cheat.for_many.record.record import ManyCheatRecord
from ...kit.analysis.moments import AnyAnalysis, TimelineAnalysis
from ..findings import ProbabilityScore


def call_gain(chance: float, pile: int, players: int) -> float:
    """The cards that a call is expected to gain its caller on the average of the others.

    Whoever is wrong takes the pile: the claimant, which is a gain on one of the others, or the
    caller, which is a loss against all. So a call pays if the claim is less likely true than 1 to
    the number of players; but for who comes next, and for the last claim of a player.

    Args:
        chance: P(the claim is true).
        pile: Cards on the pile.
        players: How many play.
    """
    return (1.0 - chance) * pile / (players - 1) - chance * pile


@dataclass(frozen=True, kw_only=True)
class ManyClaim:
    """A claim, and what the viewer could have known of it when it could be called.

    Attributes:
        turn: Of the record, from 1.
        by: Who made it, by place in turn order.
        rank, count: What was claimed.
        own: Whether it is the viewer's; of those nothing is to be known.
        counting: P(it is true), by counting cards alone: as if any cards were laid down alike.
        predicted: The same by the predictor alone; None without one.
        probability: The same by all that was known; None of the viewer's own.
        pile: Cards on the pile, the claimed ones included.
        last: Whether it left its player without cards.
        asked: Whether the viewer was asked about it.
        caller: Who called it; None if nobody has.
        true: Whether it was true, as far as the record knows.
    """

    turn: int
    by: int
    rank: int
    count: int
    own: bool
    counting: float | None
    predicted: float | None
    probability: float | None
    pile: int
    last: bool
    asked: bool
    caller: int | None
    true: bool | None

    @property
    def certain(self) -> bool | None:
        """True or False where the cards alone say so."""
        if self.counting is None:
            return None
        if self.counting > 1.0 - CERTAIN:
            return True
        return False if self.counting < CERTAIN else None

    def gain(self, players: int) -> float | None:
        """See `call_gain`; None of the viewer's own claims."""
        if self.probability is None:
            return None
        return call_gain(self.probability, self.pile, players)

    def to_json(self, record: ManyCheatRecord) -> dict[str, object]:
        """The claim as plain values."""
        said: dict[str, object] = asdict(self)
        caller = None if self.caller is None else record.players[self.caller]
        return said | {
            "by": record.players[self.by],
            "rank": RANK_NAMES[self.rank],
            "caller": caller,
            "certain": self.certain,
            "call_gain": self.gain(len(record.players)),
        }


@dataclass(frozen=True, kw_only=True)
class ManyCheatDetail:
    """The additions of Cheat for many to a moment.

    Attributes:
        claim: The claim that was made; None for another turn.
    """

    claim: ManyClaim | None

    def to_json(self) -> dict[str, object]:
        """As plain values: claims have a list of their own."""
        return {}


@dataclass(frozen=True, eq=False, kw_only=True)
class ManyHand:
    """The viewer's possible knowledge of a hand in the end.

    Attributes:
        of: Whose hand it is, by place in turn order.
        size: How many cards it has.
        expected: The mean number of cards of each rank; shape (ranks,).
        any: P(there is at least one card of a rank); shape (ranks,).
        truth: How many cards of each rank it had, if the record knows.
    """

    of: int
    size: int
    expected: NDArray[np.float64]
    any: NDArray[np.float64]
    truth: tuple[int, ...] | None

    def to_json(self, record: ManyCheatRecord) -> dict[str, object]:
        """The hand as plain values."""
        names = RANK_NAMES[: len(self.expected)]
        return {
            "of": record.players[self.of],
            "size": self.size,
            "expected": dict(zip(names, map(float, self.expected), strict=True)),
            "any": dict(zip(names, map(float, self.any), strict=True)),
            "truth": None if self.truth is None else dict(zip(names, self.truth, strict=True)),
        }


@dataclass(frozen=True, kw_only=True, eq=False)
class ManyCheatFindings:
    """The additions of Cheat for many to a whole game.

    Attributes:
        record: The game.
        viewer: Whose view was taken, by place in turn order; -1 for a spectator.
        place, games: Which game of its file it is, and how many there are.
        predictor: What was predicted with; None without.
        claims: All claims, in their order.
        hands: What could be known of the others' hands in the end.
    """

    record: ManyCheatRecord
    viewer: int
    place: int
    games: int
    predictor: Predictor | None = field(repr=False)
    claims: tuple[ManyClaim, ...]
    hands: tuple[ManyHand, ...]

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.record.players)

    @cached_property
    def likely_lies(self) -> tuple[ManyClaim, ...]:
        """Claims of others that nobody called, although a call would have paid."""
        return tuple(
            each
            for each in self.claims
            if each.caller is None and (each.gain(self.players) or 0.0) > 0.0
        )

    @cached_property
    def worth_calling(self) -> tuple[ManyClaim, ...]:
        """Those of them that the viewer was asked about; also a last claim that was not sure."""
        return tuple(
            each
            for each in self.claims
            if each.asked
            and each.caller is None
            and ((each.gain(self.players) or 0.0) > 0.0 or (each.last and each.certain is not True))
        )

    @cached_property
    def against_odds(self) -> tuple[ManyClaim, ...]:
        """Claims that were called although that was not worth it, by the viewer's knowledge."""
        return tuple(
            each
            for each in self.claims
            if each.caller is not None and (each.gain(self.players) or 0.0) < 0.0 and not each.last
        )

    @cached_property
    def counting(self) -> ProbabilityScore | None:
        """The score of counting, on claims whose truth is known."""
        return ProbabilityScore.of((each.counting, each.true) for each in self.claims)

    @cached_property
    def joined(self) -> ProbabilityScore | None:
        """The score of all that was known, on the same claims."""
        return ProbabilityScore.of((each.probability, each.true) for each in self.claims)

    def to_json(self, analysis: AnyAnalysis, /) -> Mapping[str, object]:
        """As plain values."""
        record = self.record
        scores = {"counting": self.counting, "all": self.joined}
        return {
            "players": list(record.players),
            "match": record.match,
            "number": record.number,
            "place": self.place,
            "games": self.games,
            "winner": None if record.winner is None else record.players[record.winner],
            "predictor": None if self.predictor is None else dict(self.predictor.card),
            "claims": [each.to_json(record) for each in self.claims],
            "worth_calling": [each.turn for each in self.worth_calling],
            "called_against_odds": [each.turn for each in self.against_odds],
            "hands": [each.to_json(record) for each in self.hands],
            "scores": {
                name: None if score is None else score.to_json() for name, score in scores.items()
            },
        }


ManyCheatAnalysis = TimelineAnalysis[ManyCheatDetail, ManyCheatFindings]
