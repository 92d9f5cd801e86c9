"""People who play Cheat at a table of many, simulated: a population of bluffers, each with habits.

No records of people playing this game are public. These stand in for them, as in the game for two
(`models/cheat/people`): what a bluffer does next is a matter of chance, and they take an action
with a probability that grows with its utility to them (a softmax). All that they go by is in their
information set: their hand, what was claimed and shown, how often who was caught in the match. How
long they take is lognormal. The means are ours: about half of all claims are lies, and more than a
third is called (`benchmarks/cheat/for_many_training.py`).
"""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from .....data.checks import whole_number
from ....kernels.kernel import kernel
from ....kernels.randomness import uniform
from ...people.population import choose
from ..rules import legal, may_claim
from ..state import CALL, MOST_CLAIMED, count_in, count_of, rank_in, true_in
from .chances import count_cards
from .tallies import CALLED, CAUGHT, CLAIMED, RIGHT, SHOWN, SHOWN_LIES, lately, smoothed, tally_all

#: Name, mean and standard deviation of every parameter, and what it does.
MANY_HABITS: Final[tuple[tuple[str, float, float, str], ...]] = (
    ("lie", -2.2, 1.3, "utility of a claim without a true card, against one with one true card"),
    ("padding", -2.4, 1.2, "utility of a claim with true and false cards, against the same"),
    ("greed", 0.9, 0.4, "utility of each further true card"),
    ("boldness", -0.9, 0.5, "utility of each further false card"),
    ("caution", 0.05, 0.03, "less utility of each false card, for each card on the pile"),
    ("plenty", 0.06, 0.03, "more utility of each false card, for each card over eight in hand"),
    ("finish", 0.5, 0.4, "more utility of each card, where the hand has at most four"),
    ("call", -4.4, 0.8, "utility of a call of a claim that is as likely as not"),
    ("doubt", 1.2, 0.6, "how much a call depends on the chance that the claimant had the cards"),
    ("certain", 2.5, 1.0, "more utility of a call of what cannot be true"),
    ("count", 0.6, 0.3, "more utility of a call for each further card claimed"),
    ("risk", 0.03, 0.02, "less utility of a call for each card on the pile"),
    ("last stand", 2.0, 0.8, "more utility of a call when the claimant has no cards left"),
    ("crowd", 0.2, 0.15, "less utility of a call for each player who is asked later"),
    ("shame", 1.0, 0.7, "less utility of a lie, by how often the player was caught"),
    ("learning", 1.5, 1.0, "more utility of a call, by the claimant's lies that were seen"),
    ("sting", 0.5, 0.3, "less utility of a lie, the fresher it is that the player was caught"),
    ("grudge", 0.5, 0.3, "more utility of a call, the fresher it is that the claimant was caught"),
    ("modesty", 1.0, 0.6, "less utility of a call, by how often the player's calls were wrong"),
    ("pace", 1.6, 0.35, "mean log seconds of a turn"),
    ("tell", 0.2, 0.15, "more log seconds of a lie"),
    ("thought", 0.25, 0.2, "more log seconds when nothing true can be claimed, and for calls"),
    ("spread", 0.40, 0.10, "standard deviation of log seconds"),
)  # fmt: skip
NAMES: Final = tuple(name for name, *_ in MANY_HABITS)
(
    LIE, PADDING, GREED, BOLDNESS, CAUTION, PLENTY, FINISH, CALLING, DOUBT, CERTAIN, COUNT, RISK,
    LAST_STAND, CROWD, SHAME, LEARNING, STING, GRUDGE, MODESTY, PACE, TELL, THOUGHT, SPREAD,
) = range(len(MANY_HABITS))  # fmt: skip
#: What is a size has no other sign.
_SIZES: Final = (
    CAUTION, PLENTY, FINISH, DOUBT, CERTAIN, COUNT, RISK, LAST_STAND, CROWD, SHAME, LEARNING, STING,
    GRUDGE, MODESTY,
)  # fmt: skip
#: Most actions of a player: claims of every rank in every shape.
MOST_ACTIONS: Final = 13 * MOST_CLAIMED * (MOST_CLAIMED + 3) // 2

Parameters = NDArray[np.float64]
"""float64[len(MANY_HABITS)] of one player"""


@dataclass(frozen=True, eq=False)
class ManyBluffers:
    """Simulated players.

    Attributes:
        parameters: float64[players, len(MANY_HABITS)], in the order of ``NAMES``.
        seed: What they were drawn from.
    """

    parameters: NDArray[np.float64]
    seed: int

    def __len__(self) -> int:
        return len(self.parameters)

    def named(self, player: int) -> dict[str, float]:
        """A player's parameters by their names."""
        return dict(zip(NAMES, self.parameters[player].tolist(), strict=True))


def bluffers(players: int, *, seed: int) -> ManyBluffers:
    """Players drawn from the population; more of them begin with the same ones.

    Args:
        players: How many.
        seed: The same seed, the same players.
    """
    count = whole_number(players, "players", least=1)
    means, spreads = np.array([usual for _, *usual, _ in MANY_HABITS]).T
    drawn = means + spreads * np.random.default_rng([seed, 1]).standard_normal(
        (count, len(MANY_HABITS))
    )
    for place in _SIZES:
        drawn[:, place] = np.maximum(drawn[:, place], 0.0)
    drawn[:, SPREAD] = np.maximum(drawn[:, SPREAD], 0.1)
    return ManyBluffers(drawn, seed)


@kernel(allocates=False)
def is_stuck(state: Any, tables: Any) -> bool:
    """True if the player to move has nothing true to claim."""
    for rank in range(tables.rules[0].ranks):
        if state.hands[state.player, rank] > 0 and may_claim(state, rank, tables):
            return False
    return True


@kernel(allocates=False)
def doubts(state: Any, tables: Any, habits: Any, counts: Any, found: Any) -> float:
    """The utility of a call to the player who is asked; letting the claim pass has none.

    Args:
        state: The state; only what the player to move knows is read.
        tables: The game's.
        habits: float64[len(MANY_HABITS)], the player's parameters.
        counts: int32[MOST_PLAYERS, COUNTS], what was seen of the match so far.
        found: float64[3], to work with; see `count_cards`.
    """
    caller, claimant = state.player, state.claimant
    count_cards(state, caller, tables, found)
    value = habits[CALLING] + habits[DOUBT] * 2.0 * (0.5 - found[2])
    if found[2] == 0.0:
        value += habits[CERTAIN]
    value += habits[COUNT] * (count_of(state.log[state.turn - 1]) - 1)
    value -= habits[RISK] * state.pile
    players = tables.rules[0].players
    value -= habits[CROWD] * ((claimant - caller + players) % players - 1)
    if state.sizes[claimant] == 0:
        value += habits[LAST_STAND]
    lies = smoothed(counts[claimant, SHOWN_LIES], counts[claimant, SHOWN])
    value += habits[LEARNING] * (lies - 0.5)
    value += habits[GRUDGE] * lately(state, claimant)
    wrong = 1.0 - smoothed(counts[caller, RIGHT], counts[caller, CALLED])
    return value - habits[MODESTY] * (wrong - 0.5)


@kernel(allocates=False)
def claim_utilities(
    state: Any, actions: Any, count: int, tables: Any, habits: Any, counts: Any, values: Any
) -> None:
    """Write how much a bluffer likes each claim that they can make.

    Args:
        state: The state; only what the player to move knows is read.
        actions: int32; the legal codes stand in front.
        count: How many there are.
        tables: The game's.
        habits: float64[len(MANY_HABITS)], the player's parameters.
        counts: int32[MOST_PLAYERS, COUNTS], what was seen of the match so far.
        values: float64, written for the first ``count``.
    """
    mover = state.player
    caught = smoothed(counts[mover, CAUGHT], counts[mover, CLAIMED] // 2 + 3)
    shy = habits[SHAME] * (caught - 0.2) + habits[STING] * lately(state, mover)
    fair = tables.rules[0].cards / tables.rules[0].players
    each_lie = habits[PLENTY] * (min(state.sizes[mover], 2.0 * fair) - 8.0)
    each_lie -= habits[CAUTION] * min(state.pile, 20)
    for place in range(count):
        cards, true = count_in(actions[place]), true_in(actions[place])
        false = cards - true
        value = habits[GREED] * max(0, true - 1)
        if false > 0:
            value += habits[LIE] if true == 0 else habits[PADDING]
            value += habits[BOLDNESS] * (false - 1) + each_lie * false - shy
        if state.sizes[mover] <= 4:
            value += habits[FINISH] * cards
        values[place] = value


@kernel(allocates=False)
def chosen(
    state: Any,
    tables: Any,
    habits: Any,
    before: Any,
    random: Any,
    codes: Any,
    values: Any,
    counts: Any,
    found: Any,
) -> int:
    """The action of a bluffer, from what they know.

    Args:
        state: The state; only what the player to move knows is read.
        tables: The game's.
        habits: float64[len(MANY_HABITS)], the player's parameters.
        before: int32[MOST_PLAYERS, COUNTS], of earlier games of the match.
        random: A generator.
        codes, values: int32[MOST_ACTIONS] and float64[MOST_ACTIONS], to work with.
        counts: int32[MOST_PLAYERS, COUNTS], to work with.
        found: float64[3], to work with; see `count_cards`.
    """
    tally_all(state, tables, before, counts)
    count = legal(state, tables, codes)
    if codes[0] == CALL:
        values[0] = doubts(state, tables, habits, counts, found)
        values[1] = 0.0
    else:
        claim_utilities(state, codes, count, tables, habits, counts, values)
        # Of several ranks each is as good as the others but for what there is to claim of it.
        for place in range(count):
            values[place] += 0.1 * (state.hands[state.player, rank_in(codes[place])] > 0)
    return codes[choose(values, count, random)]


@kernel(allocates=False)
def seconds_for(state: Any, action: int, tables: Any, habits: Any, random: Any) -> float:
    """The seconds a bluffer takes for an action, from the state before it."""
    value = habits[PACE]
    if state.claimant >= 0:
        value += habits[THOUGHT] * (action == CALL)
    else:
        if is_stuck(state, tables):
            value += habits[THOUGHT]
        if true_in(action) < count_in(action):
            value += habits[TELL]
    # Box and Muller (1958).
    radius = math.sqrt(-2.0 * math.log(1.0 - uniform(random)))
    value += habits[SPREAD] * radius * math.cos(2.0 * math.pi * uniform(random))
    return math.exp(value)
