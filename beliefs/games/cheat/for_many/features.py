"""Features of a claim at a table of many, to a player who may call it: 29 numbers, for predictors.

All of them are computed from what that player knows at that moment, by one kernel, in training, in
play and within a search: what counting says, what is at stake, and the habits of the claimant so
far, which everybody has seen in this game and earlier ones of the match.
"""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from .....data.errors import EvidenceError
from .....models.cheat.for_many.people.chances import count_cards
from .....models.cheat.for_many.people.tallies import (
    CALLED,
    CARDS,
    CAUGHT,
    CLAIMED,
    CLEARED,
    COUNTS,
    RIGHT,
    SHOWN,
    SHOWN_LIES,
    Counts,
    lately,
    no_many_counts,
    smoothed,
    tally_all,
)
from .....models.cheat.for_many.state import (
    DESCENDING,
    MOST_PLAYERS,
    NEAR,
    NOBODY,
    claimant_of,
    count_of,
    packed_count,
    rank_of,
)
from .....models.game import SPECTATOR
from .....models.kernels.kernel import kernel
from .....models.play import View

#: Name of each feature and what it says.
FEATURES: Final[tuple[tuple[str, str], ...]] = (
    ("impossible", "1 if the viewer can place too many cards of the rank for it to be true"),
    ("unseen", "cards of the rank that the viewer cannot place"),
    ("known", "cards of the rank that the viewer knows the claimant to have had"),
    ("chance", "P(the claimant had the cards), by counting, all hands alike"),
    ("count", "cards claimed"),
    ("share", "cards claimed, of all cards of a rank"),
    ("own", "cards of the rank that the viewer holds"),
    ("own on pile", "cards of the rank that the viewer has laid on the pile"),
    ("claimed", "cards claimed of the rank on the pile, before this claim"),
    ("own hand", "cards of the viewer"),
    ("other hand", "cards of the claimant, after the claim"),
    ("smallest hand", "cards of the player who has fewest"),
    ("pile", "cards on the pile"),
    ("wins", "1 if the claimant has no cards left"),
    ("before", "players who are asked before the viewer"),
    ("after", "players who are asked after the viewer"),
    ("rank", "place of the rank in the order, from 0"),
    ("choices", "ranks that could have been claimed"),
    ("since call", "claims on the pile"),
    ("turn", "claims of the game"),
    ("lie rate", "lies, of the claimant's claims in the match that everybody has seen"),
    ("caught rate", "how often the claimant was caught, of their claims in the match"),
    ("doubted rate", "how often the claimant was called, of their claims in the match"),
    ("usual count", "cards that the claimant usually claims"),
    ("more", "cards claimed, less those"),
    ("call success", "how often the viewer was right, of their calls in the match"),
    ("other's success", "how often the claimant was right, of their calls in the match"),
    ("lately", "how fresh it is that the claimant was caught in this game"),
    ("seconds", "how long the claimant took; not a number if that is not known"),
)
NAMES: Final = tuple(name for name, _ in FEATURES)
COUNT: Final = len(FEATURES)


@dataclass(frozen=True, eq=False)
class ManyChallenge:
    """A player's knowledge of a claim that can be called; nothing else comes into its features.

    Attributes:
        view: Their view of the game.
        before: What everybody could count in earlier games of the match; int32[MOST_PLAYERS,
            COUNTS], in the turn order of this game.
        seconds: How long the claimant took, if that is known.
    """

    view: View
    before: Counts
    seconds: float | None = None

    def __post_init__(self) -> None:
        state = self.view.states[0]
        if self.view.game.name != "cheat_for_many" or self.view.over or state.claimant == NOBODY:
            raise EvidenceError("there is no claim to judge in this view", value=self.view)
        if self.view.viewer in (SPECTATOR, int(state.claimant)):
            raise EvidenceError(
                "a claim is judged by a player who may call it",
                value=self.view,
                hint=f"take the view of another than {SPECTATOR} and {int(state.claimant)}",
            )
        if self.before.shape != (MOST_PLAYERS, COUNTS):
            raise EvidenceError("counts have a row for each player", value=self.before.shape)


def many_features(challenge: ManyChallenge) -> NDArray[np.float64]:
    """The features of a claim; float64[29], in the order of ``NAMES``.

    >>> from sleuth import Play
    >>> from sleuth.games.cheat import ManyChallenge, many_features, no_many_counts
    >>> play = Play.new("cheat_for_many", seed=3)
    >>> play.apply(play.legal()[0])  # one ace, it is said
    >>> found = many_features(ManyChallenge(play.view(1), no_many_counts()))
    >>> found.shape, found[4].item(), found[3].round(2).item()  # claimed; P(they had it)
    ((29,), 1.0, 0.56)
    """
    row = np.empty(COUNT)
    seconds = np.nan if challenge.seconds is None else challenge.seconds
    view = challenge.view
    write_features(view.states, view.viewer, challenge.before, seconds, view.game.tables, row)
    return row


@kernel
def write_features(
    states: Any, viewer: int, before: Any, seconds: float, tables: Any, row: Any
) -> None:
    """Write the features of the last claim; see `feature_row`."""
    counts = np.zeros(before.shape, dtype=np.int32)
    feature_row(states[0], viewer, before, seconds, tables, counts, np.zeros(3), row)


@kernel(allocates=False)
def feature_row(
    state: Any,
    viewer: int,
    before: Any,
    seconds: float,
    tables: Any,
    counts: Any,
    found: Any,
    row: Any,
) -> None:
    """Write the features of the last claim, as a player sees it who is not the claimant.

    Args:
        state: True or masked for the viewer: what is hidden from them is not read.
        viewer: The player.
        before: int32[MOST_PLAYERS, COUNTS], of earlier games of the match.
        seconds: How long the claimant took, or not a number.
        tables: The game's.
        counts: int32[MOST_PLAYERS, COUNTS], to work with.
        found: float64[3], to work with; see `count_cards`.
        row: float64[29], written.
    """
    rules = tables.rules[0]
    last = state.turn - 1
    logged = state.log[last]
    claimant, rank, count = claimant_of(logged), rank_of(logged), count_of(logged)
    players = rules.players
    tally_all(state, tables, before, counts)
    count_cards(state, viewer, tables, found)
    row[0] = 1.0 if count > found[0] + found[1] else 0.0
    row[1] = found[0]
    row[2] = found[1]
    row[3] = found[2]
    row[4] = count
    row[5] = count / rules.copies
    row[6] = state.hands[viewer, rank]
    row[7] = 0.0
    row[8] = 0.0
    for turn in range(state.since, last):
        if claimant_of(state.log[turn]) == viewer:
            row[7] += packed_count(state.cards[turn], rank)
        if rank_of(state.log[turn]) == rank:
            row[8] += count_of(state.log[turn])
    row[9] = state.sizes[viewer]
    row[10] = state.sizes[claimant]
    row[11] = state.sizes[0]
    for player in range(1, players):
        row[11] = min(row[11], state.sizes[player])
    row[12] = state.pile
    row[13] = 1.0 if state.sizes[claimant] == 0 else 0.0
    row[14] = (viewer - claimant + players) % players - 1
    row[15] = (claimant - viewer + players) % players - 1
    row[16] = rank
    row[17] = rules.ranks
    if rules.order <= DESCENDING:
        row[17] = 1
    elif rules.order == NEAR:
        row[17] = min(3, rules.ranks)
    row[18] = state.turn - state.since
    row[19] = state.turn
    row[20] = smoothed(counts[claimant, SHOWN_LIES], counts[claimant, SHOWN])
    # The claim itself is no part of what came before it.
    claims = counts[claimant, CLAIMED] - 1
    called = counts[claimant, CAUGHT] + counts[claimant, CLEARED]
    row[21] = smoothed(counts[claimant, CAUGHT], claims)
    row[22] = smoothed(called, claims)
    row[23] = (counts[claimant, CARDS] - count + 4.0) / (claims + 2.0)
    row[24] = count - row[23]
    row[25] = smoothed(counts[viewer, RIGHT], counts[viewer, CALLED])
    row[26] = smoothed(counts[claimant, RIGHT], counts[claimant, CALLED])
    row[27] = lately(state, claimant)
    row[28] = seconds


def counted(earlier: tuple[View, ...], viewer: int) -> Counts:
    """The counts somebody could make in the earlier games of a match.

    Args:
        earlier: Their ends, as they saw them.
        viewer: The seat that they have now: the others sit in the same order behind them.

    Returns:
        int32[MOST_PLAYERS, COUNTS], rows by the seats of now.
    """
    from .....models.cheat.for_many.people.tallies import tally

    counts = no_many_counts()
    for view in earlier:
        mine, players = no_many_counts(), view.game.players
        tally(view.states[0], view.game.tables, mine)
        moved = np.roll(mine[:players], viewer - view.viewer, axis=0)
        counts[:players] += moved
    return counts
