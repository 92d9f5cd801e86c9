"""Findings of an analysis of Cheat: claims, decisions, hidden hands, and scores."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...beliefs.predictors.predictor import Predictor
from ...data.checks import CERTAIN
from ...models.cheat.state import CALL
from ..kit.analysis import ActionValue
from ..kit.analysis.moments import TimelineAnalysis, ViewerTurn
from .match_game import MatchGame

Floats = NDArray[np.float64]

#: Of a prediction that was as wrong as can be, in bits.
MOST_LOSS: Final = 20.0


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A claim, and what could have been known of it when it could be called.

    Attributes:
        turn: Of the game, from 1.
        by: Who made it.
        rank, count: What was claimed.
        judge: As whom it is judged; ``SPECTATOR`` for what everybody knew.
        held: P(its player had so many cards of the rank when they made it), by counting cards.
        counting: P(it is true), by counting cards: as if they had laid down any cards that the
            rules allow, all choices alike.
        anybody: What a predictor says of it, for either player's claims; None without one, or
            where it is not asked.
        predicted: The same of this player, by their claims that were turned up before.
        joined: Both together; None without a predictor.
        pile: Cards on the pile, the claimed ones included.
        method: The engine that counted.
        true: Whether it was true, as far as the record knows.
        called: Whether it was called; None where the record ends.
    """

    turn: int
    by: int
    rank: int
    count: int
    judge: int
    held: float
    counting: float
    anybody: float | None
    predicted: float | None
    joined: float | None
    pile: int
    method: str
    true: bool | None
    called: bool | None

    @property
    def probability(self) -> float:
        """P(it is true) by all that was known."""
        return self.counting if self.joined is None else self.joined

    @property
    def certain(self) -> bool | None:
        """True or False where the cards alone say so."""
        if self.counting > 1.0 - CERTAIN:
            return True
        return False if self.counting < CERTAIN else None

    def to_json(self, recorded: MatchGame) -> dict[str, object]:
        """The claim as plain values."""
        said: dict[str, object] = asdict(self)
        del said["judge"]
        names = {"by": recorded.name_of(self.by), "viewer": recorded.name_of(self.judge)}
        likely = {"probability": self.probability, "certain": self.certain}
        return said | names | likely | {"rank": recorded.ranks[self.rank]}


@dataclass(frozen=True, kw_only=True)
class CallDecision(ViewerTurn):
    """A moment at which a player decided, and what a search thinks of it.

    Attributes:
        number: The turn that was to be made, from 1.
        by: Who decided.
        rank: The rank that claims are one above or below.
        claim: The turn of the claim that could be called; None if there was none.
        done: The code of what they did; None where the record ends.
        chosen: The code of what the search would do.
        options: All legal actions by their codes, the best first.
    """

    number: int
    by: int
    rank: int
    claim: int | None
    done: int | None
    chosen: int
    options: Mapping[int, ActionValue]

    @property
    def call(self) -> float | None:
        """The worth of the call, where there was one to make."""
        return self.options[CALL].value if CALL in self.options else None

    @property
    def otherwise(self) -> float | None:
        """The worth of the best action that is no call."""
        return next((each.value for code, each in self.options.items() if code != CALL), None)

    def decision_json(self, recorded: MatchGame) -> dict[str, object]:
        """The decision as plain values, with all that could be done."""
        name = recorded.record.game.action_name
        return {
            "turn": self.number,
            "by": recorded.name_of(self.by),
            "claim": self.claim,
            "made": None if self.done is None else name(self.done),
            "best": name(self.chosen),
            "value": self.options[self.chosen].value,
            "call_value": self.call,
            "other_value": self.otherwise,
            "lost": self.loss,
            "clearly": not self.within_chance,
            "actions": [each.to_json() for each in self.options.values()],
        }


@dataclass(frozen=True, eq=False, kw_only=True)
class Hand:
    """One viewer's possible knowledge of a hand that is hidden from them.

    Attributes:
        turn: After which turn; 0 is before the first.
        viewer: Who looks on.
        of: Whose hand it is.
        size: How many cards it has.
        counts: P(it has so many cards of a rank); shape (ranks, suits + 1).
        truth: How many cards of each rank it had, if the record knows.
    """

    turn: int
    viewer: int
    of: int
    size: int
    counts: Floats
    truth: tuple[int, ...] | None

    @cached_property
    def expected(self) -> Floats:
        """The mean number of cards of each rank; shape (ranks,)."""
        return self.counts @ np.arange(self.counts.shape[1], dtype=float)

    @property
    def any(self) -> Floats:
        """P(there is at least one card of a rank); shape (ranks,)."""
        return np.subtract(1.0, self.counts[:, 0])

    def to_json(self, recorded: MatchGame) -> dict[str, object]:
        """The hand as plain values."""
        return {
            "turn": self.turn,
            "viewer": recorded.name_of(self.viewer),
            "of": recorded.name_of(self.of),
            "size": self.size,
            "counts": {
                rank: {
                    str(count): float(share) for count, share in enumerate(shares) if share > 0.0
                }
                for rank, shares in zip(recorded.ranks, self.counts, strict=True)
            },
            "truth": (
                None if self.truth is None else dict(zip(recorded.ranks, self.truth, strict=True))
            ),
        }


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """The difference of a player's claims from the prediction, in the end: truer or falser.

    Attributes:
        of: Whose claims they were.
        viewer: Who learned it.
        claims: How many of them were turned up, earlier games of the match included.
        log_odds: What is added to the log odds that they are true; below 0 for one who lies more.
        deviation: The standard deviation of what is still not known of it, in log odds.
    """

    of: int
    viewer: int
    claims: int
    log_odds: float
    deviation: float

    def to_json(self, recorded: MatchGame) -> dict[str, object]:
        """It as plain values."""
        said: dict[str, object] = asdict(self)
        return said | {"viewer": recorded.name_of(self.viewer), "of": recorded.name_of(self.of)}


@dataclass(frozen=True)
class ProbabilityScore:
    """The score of probabilities, over claims of which the truth is known.

    Attributes:
        claims: How many those are.
        log_loss: Average of -log2 of what the truth had, in bits; at most 20 for each.
        brier: Average of the squared error.
    """

    claims: int
    log_loss: float
    brier: float

    @staticmethod
    def of(judged: Iterable[tuple[float | None, bool | None]]) -> ProbabilityScore | None:
        """The score of probabilities, each beside what was true; None if there are none.

        Where one of the two is not known, nothing is scored.
        """
        given = [
            share if true else 1.0 - share
            for share, true in judged
            if share is not None and true is not None
        ]
        if not given:
            return None
        losses = [min(-math.log2(max(share, 2.0**-MOST_LOSS)), MOST_LOSS) for share in given]
        errors = [(1.0 - share) ** 2 for share in given]
        return ProbabilityScore(
            len(given), sum(losses) / len(given) + 0.0, sum(errors) / len(given)
        )

    def to_json(self) -> dict[str, object]:
        """The score as plain values."""
        return {"claims": self.claims, "log_loss_bits": self.log_loss, "brier": self.brier}


@dataclass(frozen=True, kw_only=True)
class CheatDetail:
    """Cheat's additions to a moment.

    Attributes:
        viewer: Who looked at hidden hands, by name; None where nobody did.
        claim: The claim that was made, if somebody judges it.
    """

    viewer: str | None
    claim: Claim | None

    def to_json(self) -> dict[str, object]:
        """As plain values; claims have a list of their own."""
        return {"viewer": self.viewer}


@dataclass(frozen=True, kw_only=True, eq=False)
class CheatFindings:
    """Cheat's additions to a whole game.

    Attributes:
        recorded: The game, and whose views were taken.
        predictor: What was predicted with; None without.
        claims: All claims that were judged, in their order.
        choices: What the players whose views were taken decided; empty without a search.
        hands: What could be known of hidden hands: at every moment, by the player to move, or by
            the one whose view was asked for; by a spectator in the end only.
        learned: What the viewers learned of each other from claims that were turned up; of nobody
            without a predictor, or if its players do not differ.
    """

    recorded: MatchGame
    predictor: Predictor | None = field(repr=False)
    claims: tuple[Claim, ...]
    choices: tuple[CallDecision, ...]
    hands: tuple[Hand, ...]
    learned: tuple[Lesson, ...]

    @cached_property
    def scored(self) -> tuple[Claim, ...]:
        """Claims on which counting and the predictor are judged.

        Their truth is known, and both rivals have an answer: the predictor, where there is one, was
        asked about them.
        """
        return tuple(
            each
            for each in self.claims
            if each.true is not None and (each.predicted is not None or not self._predicted)
        )

    @property
    def left_out(self) -> dict[str, int]:
        """The number of claims nobody is judged on, by why not."""
        known = sum(each.true is not None for each in self.claims)
        return {
            "truth_not_known": len(self.claims) - known,
            "not_predicted": known - len(self.scored),
        }

    @cached_property
    def counting(self) -> ProbabilityScore | None:
        """The score of counting."""
        return ProbabilityScore.of((each.counting, each.true) for each in self.scored)

    @cached_property
    def joined(self) -> ProbabilityScore | None:
        """The score of counting and the predictor together, on the same claims; None without."""
        if not self._predicted:
            return None
        return ProbabilityScore.of((each.joined, each.true) for each in self.scored)

    @cached_property
    def _predicted(self) -> bool:
        """True if the predictor was asked about any claim."""
        return any(each.predicted is not None for each in self.claims)

    @cached_property
    def advised(self) -> dict[int, CallDecision]:
        """The decisions in which a claim could be called, by the turn of the claim."""
        return {each.claim: each for each in self.choices if each.claim is not None}

    @cached_property
    def by_hand(self) -> list[list[Hand]]:
        """The knowledge of each hidden hand to each viewer, in the order of the turns."""
        found: dict[tuple[int, int], list[Hand]] = {}
        for hand in self.hands:
            found.setdefault((hand.viewer, hand.of), []).append(hand)
        return list(found.values())

    def to_json(self, analysis: CheatAnalysis, /) -> dict[str, object]:
        """The keys that Cheat adds."""
        recorded, record = self.recorded, self.recorded.record
        return {
            "players": list(record.players),
            "match": record.match,
            "number": record.number,
            "place": recorded.place,
            "games": recorded.games,
            "viewers": list(recorded.viewer_names),
            "predictor": None if self.predictor is None else self.predictor.card["kind"],
            "turns": len(record.turns),
            "winner": None if record.winner is None else record.players[record.winner],
            "claims": [each.to_json(recorded) for each in self.claims],
            "decisions": [each.decision_json(recorded) for each in self.choices],
            "hands": [each.to_json(recorded) for each in self.hands],
            "learned": [each.to_json(recorded) for each in self.learned],
            "scores": {
                "counting": None if self.counting is None else self.counting.to_json(),
                "joined": None if self.joined is None else self.joined.to_json(),
                "left_out": self.left_out,
            },
        }


CheatAnalysis = TimelineAnalysis[CheatDetail, CheatFindings]
