"""What an analysis of a game of Cheat finds: claims, decisions, and hidden hands."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...beliefs.posterior import entropy_bits
from ...data.checks import CERTAIN
from ...models.cheat.state import CALL
from ..kit.analysis import Valued
from ..kit.records.timeline import Known

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


@dataclass(frozen=True, kw_only=True)
class ValuedTurn:
    """A moment at which a player decided, and what a search thinks of it.

    Attributes:
        turn: The turn that was to be made, from 1.
        by: Who decided.
        rank: The rank that claims are one above or below.
        claim: The turn of the claim that could be called; None if there was none.
        made: The code of what they did; None where the record ends.
        best: The code of what the search would do.
        options: All legal actions by their codes, the best first.
    """

    turn: int
    by: int
    rank: int
    claim: int | None
    made: int | None
    best: int
    options: Mapping[int, Valued]

    @property
    def call(self) -> float | None:
        """What the call was worth, where there was one to make."""
        return self._worth(CALL)

    @property
    def otherwise(self) -> float | None:
        """What the best of what is no call was worth."""
        return self._worth(next((code for code in self.options if code != CALL), None))

    @property
    def lost(self) -> float | None:
        """How much more the best action is worth than what was done; None if not known."""
        made, best = self._worth(self.made), self._worth(self.best)
        return None if made is None or best is None else max(best - made, 0.0)

    @property
    def clearly(self) -> bool:
        """Whether the best action is better than what was done beyond the search's own doubt."""
        made, best = self._option(self.made), self._option(self.best)
        if made is None or best is None or made.interval is None or best.interval is None:
            return False
        return best.interval[0] > made.interval[1]

    def _option(self, action: int | None) -> Valued | None:
        return None if action is None else self.options.get(action)

    def _worth(self, action: int | None) -> float | None:
        option = self._option(action)
        return None if option is None else option.value


@dataclass(frozen=True, eq=False, kw_only=True)
class Hand:
    """What one viewer could know of a hand that is hidden from them.

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
        """How many cards of each rank there are on average; shape (ranks,)."""
        return self.counts @ np.arange(self.counts.shape[1], dtype=float)

    @property
    def entropy_bits(self) -> float:
        """Entropies of how many cards of each rank there are, summed."""
        return sum(entropy_bits(shares) for shares in self.counts)

    @property
    def any(self) -> Floats:
        """P(there is at least one card of a rank); shape (ranks,)."""
        return np.subtract(1.0, self.counts[:, 0])


@dataclass(frozen=True, kw_only=True)
class Learned:
    """How much truer or falser than predicted a player's claims turned out, in the end.

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


@dataclass(frozen=True, kw_only=True)
class Moment(Known):
    """What was known after one turn; the entropy sums those of how many cards of each rank there
    are in a hidden hand, which is an upper bound.

    Attributes:
        viewer: Who looked at hidden hands; None where nobody did.
    """

    viewer: int | None


@dataclass(frozen=True)
class Score:
    """How good probabilities were, over claims of which the truth is known.

    Attributes:
        claims: How many those are.
        log_loss: Average of -log2 of what the truth had, in bits; at most 20 for each.
        brier: Average of the squared error.
    """

    claims: int
    log_loss: float
    brier: float

    @staticmethod
    def of(judged: Iterable[tuple[float | None, bool | None]]) -> Score | None:
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
        return Score(len(given), sum(losses) / len(given) + 0.0, sum(errors) / len(given))

    def to_json(self) -> dict[str, object]:
        """The score as plain values."""
        return {"claims": self.claims, "log_loss_bits": self.log_loss, "brier": self.brier}
