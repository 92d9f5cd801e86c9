"""Features of a claim to the one who may call it: 21 numbers, for predictors.

Bitan and Kraus (2018), section 4.7, use 21 features and name four of them: rounds played, response
time, how often the claimant was caught, how often they took a card. The others here are ours. All
of them are computed from what the challenger knows at that moment, by one kernel, in training, in
play and within a search.
"""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ....data.errors import EvidenceError
from ....models.cheat.counting import chance_to_hold, unseen_cards
from ....models.cheat.people.tallies import (
    ACTED,
    CALLED,
    CAUGHT,
    COUNTS,
    RIGHT,
    SHOWN,
    SHOWN_LIES,
    TOOK,
    Counts,
    no_counts,
    smoothed,
    tally_all,
)
from ....models.cheat.state import CLAIM, count_of, is_claim, mover_of, public_of
from ....models.kernels.kernel import kernel
from ....models.play import View

#: Name of each feature and what it says.
FEATURES: Final[tuple[tuple[str, str], ...]] = (
    ("impossible", "1 if the challenger can place too many cards of the rank for it to be true"),
    ("unseen", "cards of the rank that the challenger cannot place"),
    ("known", "cards of the rank that the claimant took up and had not claimed since"),
    ("chance", "P(the claimant held the cards), by counting alone"),
    ("count", "cards claimed"),
    ("lower", "1 if the claim is one lower, 0 if higher"),
    ("repeated", "1 if the claimant has claimed the rank before since the last call"),
    ("caught on rank", "how often the claimant was caught on the rank in this game"),
    ("mine", "1 if the challenger has claimed the rank since the last call"),
    ("own hand", "cards of the challenger"),
    ("other hand", "cards of the claimant, after the claim"),
    ("pile", "cards on the pile"),
    ("deck", "cards of the deck"),
    ("wins", "1 if the claimant has no cards left"),
    ("caught rate", "how often the claimant was caught, of their lies until the last call"),
    ("take rate", "how often the claimant took a card, of their moves in the match"),
    ("lie rate", "lies of the claimant's claims that were turned up in the match"),
    ("call success", "how often the challenger was right, of their calls in the match"),
    ("since call", "turns since the last call"),
    ("turn", "turns of the game"),
    ("seconds", "how long the claimant took; not a number if that is not known"),
)
NAMES: Final = tuple(name for name, _ in FEATURES)
COUNT: Final = len(FEATURES)


@dataclass(frozen=True, eq=False)
class Challenge:
    """A player's knowledge when they may call a claim; nothing else comes into its features.

    Attributes:
        view: Their view of the game.
        before: What everybody could count in earlier games of the match; int32[2, COUNTS].
        seconds: How long the claimant took, if that is known.
    """

    view: View
    before: Counts
    seconds: float | None = None

    def __post_init__(self) -> None:
        state = self.view.states[0]
        claimed = state.turn > 0 and is_claim(state.log[state.turn - 1])
        if self.view.game.name != "cheat" or self.view.over or not claimed:
            raise EvidenceError("there is no claim to judge in this view", value=self.view)
        if self.view.viewer != self.view.player:
            raise EvidenceError(
                "a claim is judged by the player who may call it",
                value=self.view,
                hint=f"take the view of player {self.view.player}",
            )
        if self.before.shape != (2, COUNTS):
            raise EvidenceError("counts have a row for each player", value=self.before.shape)


def features(challenge: Challenge) -> NDArray[np.float64]:
    """The features of a claim; float64[21], in the order of ``NAMES``.

    >>> from sleuth import Play, game
    >>> from sleuth.games.cheat import Challenge, features, no_counts
    >>> play = Play.new(game("cheat"), seed=21)
    >>> play.apply(2)  # one card of the rank above, as claimed
    >>> found = features(Challenge(play.view(1), no_counts()))
    >>> found.shape, found[4].item()  # one card was claimed
    ((21,), 1.0)
    """
    row = np.empty(COUNT)
    seconds = np.nan if challenge.seconds is None else challenge.seconds
    view = challenge.view
    feature_row(view.states[0], challenge.before, seconds, view.game.tables, no_counts(), row)
    return row


@kernel(allocates=False)
def feature_row(
    state: Any, before: Any, seconds: float, tables: Any, counts: Any, row: Any
) -> None:
    """Write the features of the claim just made, as the player to move sees it.

    Args:
        state: True or masked for the player to move: what is hidden from them is not read.
        before: int32[2, COUNTS], of earlier games of the match.
        seconds: How long the claimant took, or not a number.
        tables: The game's.
        counts: int32[2, COUNTS], to work with.
        row: float64[21], written.
    """
    challenger = state.player
    logged = state.log[state.turn - 1]
    claimant = mover_of(logged)
    rank = state.rank
    count = count_of(logged)
    tally_all(state, tables, before, counts)
    unseen = unseen_cards(state, challenger, rank, tables)
    row[0] = 1.0 if count > unseen else 0.0
    row[1] = unseen
    row[2] = state.collected_before
    row[3] = chance_to_hold(state, challenger, tables)
    row[4] = count
    row[5] = (public_of(logged) - CLAIM) // 4
    row[6] = 1.0 if state.claimed[claimant, rank] > 1 else 0.0
    row[7] = state.caught[claimant, rank]
    row[8] = 1.0 if state.claimed[challenger, rank] > 0 else 0.0
    row[9] = state.sizes[challenger]
    row[10] = state.sizes[claimant]
    row[11] = state.pile
    row[12] = state.left
    row[13] = 1.0 if state.sizes[claimant] == 0 else 0.0
    # "#caught / #cheat" of the paper: lies are known until the last call, which turned them up.
    row[14] = smoothed(counts[claimant, CAUGHT], counts[claimant, SHOWN_LIES])
    # The claim itself is no part of what came before it.
    row[15] = smoothed(counts[claimant, TOOK], counts[claimant, ACTED] - 1)
    row[16] = smoothed(counts[claimant, SHOWN_LIES], counts[claimant, SHOWN])
    row[17] = smoothed(counts[challenger, RIGHT], counts[challenger, CALLED])
    row[18] = state.turn - state.since
    row[19] = state.turn
    row[20] = seconds
