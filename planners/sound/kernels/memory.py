"""The memory of walks from the deal: the kernels, numbers and arrays that they get.

The statistics are a `Tree` of the search (`search.kernels.tree`), whose nodes are the players'
information sets. Of an edge ``values`` hold the regrets, or the sum of credits where a selection
of bandits is at work; ``squares`` the sums of the policies, or nothing; ``best`` the baselines.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....models.game import Game
from ....models.state_fields import words_of

# What walks answer.
DONE: Final = 0
#: The statistics should grow first.
NO_ROOM: Final = 1
#: A game went on after ``max_depth`` actions.
TOO_DEEP: Final = 2
#: A policy took an action that is not there.
BAD_POLICY: Final = 3
#: One walk came to more decisions than it may.
TOO_WIDE: Final = 4

#: Decisions that one walk of external sampling may come to, unless less is said.
MOST_STEPS: Final = 20_000_000

# Places in `Memory.counters`.
ITERATIONS: Final = 0
STEPS: Final = 1

_SEED: Final = 0x50A11


class WalkRules(NamedTuple):
    """The kernels that walks call.

    Attributes:
        start, legal, apply, observe, returns, mask, key: Those of `Game`.
        tail: The playout policy beyond what is in memory, and that of a rival.
        select: See `search.kernels.selection.uct`; for walks that choose as bandits.
    """

    start: Any
    legal: Any
    apply: Any
    observe: Any
    returns: Any
    mask: Any
    key: Any
    tail: Any
    rival: Any
    select: Any


class WalkNumbers(NamedTuple):
    """The constants of walks.

    Attributes:
        by_key: 1 where information sets are those of the game's own ``key``, else 0.
        zero_sum: 1 where two players play for one sum, so that what one expects says what the
            other does; else 0.
        exploration: How often the player that improves takes any action, in outcome sampling.
        regret_power, average_power: An iteration t counts t**power in the regrets, and in the
            average policy.
        step: How far a baseline moves to what was met last; 0 for no baselines.
        lowest, scale: The return that counts as 0 for a bandit, and one over the spread.
        hero, share: The player whose others follow the rival, in what share of the iterations in
            which that player improves; -1 for nobody.
        public, tries: The key of what everybody sees of the start, and how many deals are drawn
            until one looks so; 0 for any deal.
        targeted: Share of lines that are led through what a player has seen.
        trembles: Iterations after which policies tremble half as much on the way to the decision at
            hand, see `leading.trembling`; 0 for no tremble.
        most_steps: Decisions that one walk of external sampling may come to.
        settings: float64[], for the selection.
    """

    by_key: int
    zero_sum: int
    exploration: float
    regret_power: float
    average_power: float
    step: float
    lowest: float
    scale: float
    hero: int
    share: float
    public: np.uint64
    tries: int
    targeted: float
    trembles: float
    most_steps: int
    settings: NDArray[np.float64]


class Target(NamedTuple):
    """Lines through what a player has seen. T lines of N actions; K things that they came to know.

    Attributes:
        player: Whose they are.
        starts: A record array [T], the states that the lines start from.
        actions: int64[T, N], the actions that were done, as each line has them; after the last
            one of a shorter line -1.
        listed: int64[T, N], the same as ``legal`` lists them, see `Game.listed`.
        told: int64[T, N], the same as those remember them that did them: the player as they did
            it, the others as listed.
        known: uint64[K], the player's keys from the start to now.
        scales: float64[K], one over the probability of all starts and hidden actions that fit what
            they had seen, after so much of it; of the actions nobody's choice counts.
        rival: float64[T], added up from the first line on, how likely a rival did what the others
            did; empty where that is not known: then no line of the rival's is led.
        rival_scale: One over the probability of all starts, and of the rival doing what fits.
    """

    player: int
    starts: Any
    actions: NDArray[np.int64]
    listed: NDArray[np.int64]
    told: NDArray[np.int64]
    known: NDArray[np.uint64]
    scales: NDArray[np.float64]
    rival: NDArray[np.float64]
    rival_scale: float


class Memory(NamedTuple):
    """The arrays of walks. D is the most actions of a game, M the most legal, P the players.

    Attributes:
        states: A record array [D + 1], the states of a line.
        words: int32[D + 1, W], the same memory as whole numbers.
        scratch: A record array [1], for what a player sees.
        scratch_words: int32[W], the same memory.
        salt: uint64[2, W], random numbers for keys.
        sights: uint64[P], the keys of what each player sees at the start.
        known: uint64[D + 1, P], what each player has seen.
        actions: int32[M].
        nodes, blocks, counts, choices, movers, kinds: int64[D + 1], of the line.
        policies, utilities: float64[D + 1, M].
        values: float64[D + 1].
        reach: float64[D + 1, P], how likely each player's own policy leads there. External sampling
            has one number of all but the player that improves, in the first place.
        sampled: float64[D + 1], how likely the line was to be drawn so far, chance apart. External
            sampling has how likely it was if it was not led.
        fits, seen: int64[D + 1], 1 while the line is one that a player has seen, and how much they
            have seen of it.
        guided: float64[D + 1], how likely the line was to be drawn so far, if it was led.
        visits, means, available, bias: float64[M], for a selection.
        returns: float64[P].
        counters: int64[2], iterations so far and decisions that walks came to.
    """

    states: Any
    words: NDArray[np.int32]
    scratch: Any
    scratch_words: NDArray[np.int32]
    salt: NDArray[np.uint64]
    sights: NDArray[np.uint64]
    known: NDArray[np.uint64]
    actions: NDArray[np.int32]
    nodes: NDArray[np.int64]
    blocks: NDArray[np.int64]
    counts: NDArray[np.int64]
    choices: NDArray[np.int64]
    movers: NDArray[np.int64]
    kinds: NDArray[np.int64]
    policies: NDArray[np.float64]
    utilities: NDArray[np.float64]
    values: NDArray[np.float64]
    reach: NDArray[np.float64]
    sampled: NDArray[np.float64]
    fits: NDArray[np.int64]
    seen: NDArray[np.int64]
    guided: NDArray[np.float64]
    visits: NDArray[np.float64]
    means: NDArray[np.float64]
    available: NDArray[np.float64]
    bias: NDArray[np.float64]
    returns: NDArray[np.float64]
    counters: NDArray[np.int64]


def salt_of(game: Game) -> NDArray[np.uint64]:
    """uint64[2, W], the random numbers of a game's keys: the same in every process."""
    width = game.state.itemsize // 4
    random = np.random.default_rng((_SEED, width))
    low = random.integers(1, 2**32, (2, width), dtype=np.uint64)
    return np.ascontiguousarray(low | np.uint64(1))


def memory_of(game: Game) -> Memory:
    """Arrays for the lines of a game."""
    players, most, depth = game.players, game.max_actions, game.max_depth + 1
    states, scratch = game.states(depth), game.states(1)
    return Memory(
        states=states,
        words=words_of(states),
        scratch=scratch,
        scratch_words=words_of(scratch)[0],
        salt=salt_of(game),
        sights=np.zeros(players, np.uint64),
        known=np.zeros((depth, players), np.uint64),
        actions=np.zeros(most, np.int32),
        nodes=np.zeros(depth, np.int64),
        blocks=np.zeros(depth, np.int64),
        counts=np.zeros(depth, np.int64),
        choices=np.zeros(depth, np.int64),
        movers=np.zeros(depth, np.int64),
        kinds=np.zeros(depth, np.int64),
        policies=np.zeros((depth, most)),
        utilities=np.zeros((depth, most)),
        values=np.zeros(depth),
        reach=np.ones((depth, players)),
        sampled=np.ones(depth),
        fits=np.zeros(depth, np.int64),
        seen=np.zeros(depth, np.int64),
        guided=np.zeros(depth),
        visits=np.zeros(most),
        means=np.zeros(most),
        available=np.zeros(most),
        bias=np.zeros(most),
        returns=np.zeros(players),
        counters=np.zeros(2, np.int64),
    )


def no_target(game: Game) -> Target:
    """In place of lines through what a player has seen."""
    return Target(
        player=-1,
        starts=game.states(0),
        actions=np.zeros((0, 0), np.int64),
        listed=np.zeros((0, 0), np.int64),
        told=np.zeros((0, 0), np.int64),
        known=np.zeros(0, np.uint64),
        scales=np.zeros(0),
        rival=np.zeros(0),
        rival_scale=0.0,
    )
