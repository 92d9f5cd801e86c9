"""People who play Cheat, simulated: a population of bluffers, each with habits of their own.

No records of people playing Cheat are public. These stand in for them: parameters are drawn for
each player from one of two populations. The steady people were set so that players among themselves
lie, take and call about as often as the paper's people did (40-48 % of claims are lies, 20-24 % of
moves are takes, about 10.5 % are calls), and so that a forest that was shown 20,000 of them tells a
lie from a true claim with an AUC of about 0.82. They hardly react, and lie to agents more than the
paper's people did. Those who react lie less when the other's calls are right, less after they were
caught, and call more after the other was; each as strongly as they are drawn. How they lie, take,
call and bear grudges on average was set so that they do what the paper's people did, among
themselves and against its agents. `benchmarks/cheat/population.py` measures all of it.

What a bluffer does next is a matter of chance: each legal action has a utility, and they take it
with a probability that grows with it (a softmax). Everything they go by is in their information
set: their hand, what was claimed and shown, how often who was caught in the match. How long they
take is lognormal.
"""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ....data.checks import whole_number
from ....data.errors import SettingsError, nearest
from ...kernels.kernel import kernel
from ...kernels.randomness import uniform
from ..counting import chance_to_hold
from ..rules import legal, neighbour
from ..state import CALL, CLAIM, TAKE, count_of
from .tallies import ACTED, CALLED, CAUGHT, RIGHT, SHOWN, SHOWN_LIES, lately, smoothed, tally_all

#: Name, mean and standard deviation of every parameter of the steady people, and what it does.
POPULATION: Final[tuple[tuple[str, float, float, str], ...]] = (
    ("lie", -1.62, 0.5, "utility of a lie with one card, against a true claim with one"),
    ("greed", 0.4, 0.3, "utility of each further card of a true claim"),
    ("boldness", -0.65, 0.4, "utility of each further card of a lie"),
    ("take", -0.88, 0.4, "utility of taking a card"),
    ("need", -0.2, 0.4, "change of a lie's utility when nothing true can be claimed"),
    ("caution", 0.04, 0.02, "less utility of a lie for each card on the pile"),
    ("plenty", 0.14, 0.06, "more utility of a lie for each card over six in hand, up to ten"),
    ("memory", 0.4, 0.4, "less utility of a lie about a rank claimed since the last call"),
    ("call", -1.58, 0.6, "utility of a call of a claim that is as likely as not"),
    ("doubt", 0.35, 0.3, "how much a call depends on the chance to hold the cards"),
    ("count", 0.25, 0.2, "more utility of a call for each further card claimed"),
    ("risk", 0.02, 0.02, "less utility of a call for each card on the pile"),
    ("last stand", 2.5, 1.0, "more utility of a call when the claimant has no cards left"),
    ("shame", 1.2, 1.0, "less utility of a lie, by how often the player was caught, above 0.2"),
    ("learning", 1.5, 1.5, "more utility of a call, by the other's known lies, above 0.45"),
    ("pace", 1.6, 0.35, "mean log seconds of a turn"),
    ("tell", 0.2, 0.15, "more log seconds of a lie"),
    ("thought", 0.25, 0.2, "more log seconds when nothing true can be claimed, and for calls"),
    ("spread", 0.40, 0.10, "standard deviation of log seconds"),
    ("sting", 0.0, 0.0, "less utility of a lie, the fresher it is that the player was caught"),
    ("grudge", 0.0, 0.0, "more utility of a call, the fresher it is that the other was caught"),
    ("wariness", 0.0, 0.0, "less utility of a lie, by how often the other's calls were right"),
)  # fmt: skip
NAMES: Final = tuple(name for name, *_ in POPULATION)
STEADY: Final = "steady"
REACTING: Final = "reacting"
#: What is otherwise of those who react: mean and standard deviation.
REACT: Final = {
    "lie": (-1.3, 0.5),
    "take": (-0.65, 0.4),
    "plenty": (0.08, 0.04),
    "shame": (1.5, 1.0),
    "learning": (0.5, 0.5),
    "sting": (1.2, 0.6),
    "call": (-1.5, 0.6),
    "grudge": (0.5, 0.25),
    "wariness": (6.0, 2.0),
}
#: Share of players who learn and are ashamed; the others always play alike.
ADAPTING: Final = {STEADY: 0.4, REACTING: 1.0}

(
    LIE, GREED, BOLDNESS, TAKING, NEED, CAUTION, PLENTY, MEMORY, CALLING, DOUBT, COUNT, RISK,
    LAST_STAND, SHAME, LEARNING, PACE, TELL, THOUGHT, SPREAD, STING, GRUDGE,
    WARINESS,
) = range(len(POPULATION))  # fmt: skip

Parameters = NDArray[np.float64]
"""float64[len(POPULATION)] of one player"""


@dataclass(frozen=True, eq=False)
class Bluffers:
    """Simulated players.

    Attributes:
        parameters: float64[players, len(POPULATION)], in the order of ``NAMES``.
        seed: What they were drawn from.
        population: Of which population they are.
    """

    parameters: NDArray[np.float64]
    seed: int
    population: str = STEADY

    def __len__(self) -> int:
        return len(self.parameters)

    def named(self, player: int) -> dict[str, float]:
        """A player's parameters by their names."""
        return dict(zip(NAMES, self.parameters[player].tolist(), strict=True))


def bluffers(players: int, *, seed: int, population: str = STEADY) -> Bluffers:
    """Players drawn from a population.

    Args:
        players: How many.
        seed: The same seed, the same players; more of them begin with the same ones, and those of
            another population are as far from its means.
        population: ``"steady"``, or ``"reacting"``, from whom the package's predictors have
            learned.

    Raises:
        SettingsError: There is no such population.
    """
    count = whole_number(players, "players", least=1)
    if population not in ADAPTING:
        raise SettingsError(
            "no such population", value=population, hint=nearest(population, ADAPTING)
        )
    own = REACT if population == REACTING else {}
    means, spreads = np.array([own.get(name, usual) for name, *usual, _ in POPULATION]).T
    parts = (np.random.default_rng([seed, part]) for part in (1, 3))
    sizes = STING, len(POPULATION) - STING
    draws = [rng.standard_normal((count, size)) for rng, size in zip(parts, sizes, strict=True)]
    drawn = means + spreads * np.hstack(draws)
    # What is a size has no other sign, and a spread of nothing would be no spread.
    for place in (
        CAUTION, PLENTY, MEMORY, DOUBT, COUNT, RISK, LAST_STAND, SHAME, LEARNING, STING, GRUDGE,
        WARINESS,
    ):  # fmt: skip
        drawn[:, place] = np.maximum(drawn[:, place], 0.0)
    drawn[:, SPREAD] = np.maximum(drawn[:, SPREAD], 0.1)
    adapts = np.random.default_rng([seed, 2]).random(count) < ADAPTING[population]
    drawn[~adapts, SHAME] = 0.0
    drawn[~adapts, LEARNING] = 0.0
    return Bluffers(drawn, seed, population)


@kernel(allocates=False)
def is_stuck(state: Any, tables: Any) -> bool:
    """True if the player to move has nothing true to claim."""
    hand = state.hands[state.player]
    higher, lower = neighbour(state.rank, 0, tables), neighbour(state.rank, 1, tables)
    return hand[higher] == 0 and hand[lower] == 0


@kernel(allocates=False)
def utilities(
    state: Any, actions: Any, count: int, tables: Any, habits: Any, counts: Any, values: Any
) -> None:
    """Write how much a bluffer likes each of their legal actions.

    Args:
        state: The state; only what the player to move knows is read.
        actions: int32; the legal codes stand in front.
        count: How many there are.
        tables: The game's.
        habits: float64[len(POPULATION)], the player's parameters.
        counts: int32[2, COUNTS], what was seen of the match before and in this game.
        values: float64[ACTIONS], written for the first ``count``.
    """
    mover = state.player
    other = 1 - mover
    size = state.sizes[mover]
    stuck = is_stuck(state, tables)
    caught = smoothed(counts[mover, CAUGHT], counts[mover, ACTED] // 2 + 3)
    lie = (
        habits[LIE]
        - habits[CAUTION] * state.pile
        + habits[PLENTY] * (min(size, 16) - 6)
        - habits[SHAME] * 5.0 * (caught - 0.2)
        - habits[STING] * lately(state, mover, tables)
        - habits[WARINESS] * (smoothed(counts[other, RIGHT], counts[other, CALLED]) - 0.5)
    )
    if stuck:
        lie += habits[NEED]
    for place in range(count):
        action = actions[place]
        if action == CALL:
            value = habits[CALLING] - habits[RISK] * state.pile
            value += habits[DOUBT] * (0.5 - chance_to_hold(state, mover, tables)) * 2.0
            claimed = count_of(state.log[state.turn - 1]) - 1
            value += habits[COUNT] * claimed
            lies = smoothed(counts[other, SHOWN_LIES], counts[other, SHOWN])
            value += habits[LEARNING] * (lies - 0.45)
            value += habits[GRUDGE] * lately(state, other, tables)
            if state.sizes[other] == 0:
                value += habits[LAST_STAND]
        elif action == TAKE:
            value = habits[TAKING]
        else:
            cards = (action - CLAIM) % 4
            lower = (action - CLAIM) // 8
            rank = neighbour(state.rank, lower, tables)
            if (action - CLAIM) // 4 % 2 == 0:
                value = habits[GREED] * cards
            else:
                value = lie + habits[BOLDNESS] * cards
                if state.claimed[mover, rank] > 0:
                    value -= habits[MEMORY]
        values[place] = value


@kernel(allocates=False)
def choose(values: Any, count: int, random: Any) -> int:
    """A place below ``count``, each with a probability in proportion to exp(value)."""
    most = values[0]
    for place in range(1, count):
        most = max(most, values[place])
    total = 0.0
    for place in range(count):
        total += math.exp(values[place] - most)
    drawn = uniform(random) * total
    for place in range(count):
        drawn -= math.exp(values[place] - most)
        if drawn < 0.0:
            return place
    return count - 1


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
) -> int:
    """The action of a bluffer, from what they know.

    Args:
        state: The state; only what the player to move knows is read.
        tables: The game's.
        habits: float64[len(POPULATION)], the player's parameters.
        before: int32[2, COUNTS], of earlier games of the match.
        random: A generator.
        codes, values: int32[ACTIONS] and float64[ACTIONS], to work with.
        counts: int32[2, COUNTS], to work with.
    """
    tally_all(state, tables, before, counts)
    count = legal(state, tables, codes)
    utilities(state, codes, count, tables, habits, counts, values)
    return codes[choose(values, count, random)]


@kernel(allocates=False)
def seconds_for(state: Any, action: int, tables: Any, habits: Any, random: Any) -> float:
    """The seconds a bluffer takes for an action, from the state before it."""
    value = habits[PACE]
    if action == CALL or (is_stuck(state, tables) and action != TAKE):
        value += habits[THOUGHT]
    if action >= CLAIM and (action - CLAIM) // 4 % 2 == 1:
        value += habits[TELL]
    # Box and Muller (1958).
    radius = math.sqrt(-2.0 * math.log(1.0 - uniform(random)))
    value += habits[SPREAD] * radius * math.cos(2.0 * math.pi * uniform(random))
    return math.exp(value)
