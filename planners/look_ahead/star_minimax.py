"""Depth-first search of one state after the other: maximising, minimising and chance nodes.

The kernel under `alpha_beta` and `expectimax`. It walks on an explicit stack, one row of arrays
for each ply, so that it can be left after any number of nodes and taken up again.

Alpha-beta (Knuth and Moore 1975) is fail-soft; chance nodes are cut off by Ballard's Star1 (1983,
"The *-minimax search procedure for trees containing chance nodes"): what is still to come cannot
be worth more or less than the game's highest and lowest return.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...models.game import OVER, Game
from ...models.kernels.kernel import kernel

# What a player's decisions are: entries of `Settings.kinds`.
MINIMISE: Final = 0
MAXIMISE: Final = 1
CHANCE: Final = 2

# What `explore` answers.
DONE: Final = 0
PAUSED: Final = 1
TOO_DEEP: Final = 2
BAD_WEIGHTS: Final = 3

# Places in `Stack.counters`.
TASK: Final = 0
"""The state that is looked at, or comes next."""
PLY: Final = 1
"""Where in its tree the walk stands."""
INSIDE: Final = 2
"""1 when the walk has begun on this state."""
NODES: Final = 3
"""States looked at so far, over all calls."""
HORIZON: Final = 4
"""1 when some line was broken off by the depth since this was last set to 0."""

_FIRST: Final = 1e18
_KILLER: Final = 1e15


class Settings(NamedTuple):
    """The constants of a search. P players.

    Attributes:
        player: The player whose value is sought.
        lowest, highest: The least and the most they can get.
        evaluates: 1 when an evaluation is given; 0 to count broken off lines as the middle. 2 where
            it values lines that end with the least, too.
        prune: 1 to leave out what cannot change the result.
        killers: 1 to try moves first that cut off another node at the same ply.
        history: 1 to order moves by how much they cut off so far.
        kinds: int8[P], `MAXIMISE`, `MINIMISE` or `CHANCE`.
        root: int32[R], the actions to choose from at the first ply; none for all.
    """

    player: int
    lowest: float
    highest: float
    evaluates: int
    prune: int
    killers: int
    history: int
    kinds: NDArray[np.int8]
    root: NDArray[np.int32]


class Tasks(NamedTuple):
    """T states to find the values of. D is the most actions of a game.

    Attributes:
        states: A record array [T].
        values: float64[T], the answers.
        lines: int32[T, D], principal lines: read as the first to try, then written anew.
        lengths: int64[T], how long they are.
    """

    states: Any
    values: NDArray[np.float64]
    lines: NDArray[np.int32]
    lengths: NDArray[np.int64]


class Stack(NamedTuple):
    """The memory a walk writes to. D plies, M most legal actions, P players, A action codes.

    Attributes:
        states: A record array [D + 1].
        legal, shares: int32[M], float64[M]: where the game's kernels write.
        actions, scores: int32[D + 1, M], float64[D + 1, M]; scores of chance are probabilities.
        sizes, place, kind, chosen, follows: int64[D + 1]: how many actions there are, which one
            is being looked at, the kind of node, the best action, and whether the way here is the
            earlier principal line.
        alpha, beta, best, rest: float64[D + 1]; at chance ``best`` is the sum so far, and
            ``rest`` the probability of what is still to come.
        lines, lengths: int32[D + 2, D + 1], int64[D + 2]: the principal line from each ply.
        killers: int32[D + 1, 2].
        cuts: float64[P, A], the history heuristic.
        values: float64[P].
        counters: int64[5].
    """

    states: Any
    legal: NDArray[np.int32]
    shares: NDArray[np.float64]
    actions: NDArray[np.int32]
    scores: NDArray[np.float64]
    sizes: NDArray[np.int64]
    place: NDArray[np.int64]
    kind: NDArray[np.int64]
    chosen: NDArray[np.int64]
    follows: NDArray[np.int64]
    alpha: NDArray[np.float64]
    beta: NDArray[np.float64]
    best: NDArray[np.float64]
    rest: NDArray[np.float64]
    lines: NDArray[np.int32]
    lengths: NDArray[np.int64]
    killers: NDArray[np.int32]
    cuts: NDArray[np.float64]
    values: NDArray[np.float64]
    counters: NDArray[np.int64]


def empty_stack(game: Game) -> Stack:
    """Room for the longest line of a game."""
    depth, most = game.max_depth, game.max_actions
    rows = depth + 1
    return Stack(
        states=game.states(rows),
        legal=np.zeros(most, np.int32),
        shares=np.zeros(most),
        actions=np.zeros((rows, most), np.int32),
        scores=np.zeros((rows, most)),
        sizes=np.zeros(rows, np.int64),
        place=np.zeros(rows, np.int64),
        kind=np.zeros(rows, np.int64),
        chosen=np.zeros(rows, np.int64),
        follows=np.zeros(rows, np.int64),
        alpha=np.zeros(rows),
        beta=np.zeros(rows),
        best=np.zeros(rows),
        rest=np.zeros(rows),
        lines=np.zeros((rows + 1, rows), np.int32),
        lengths=np.zeros(rows + 1, np.int64),
        killers=np.full((rows, 2), -1, np.int32),
        cuts=np.zeros((game.players, game.action_space)),
        values=np.zeros(game.players),
        counters=np.zeros(5, np.int64),
    )


def empty_tasks(states: Any, depth: int) -> Tasks:
    """Tasks without answers."""
    return Tasks(
        states=states,
        values=np.zeros(len(states)),
        lines=np.zeros((len(states), depth), np.int32),
        lengths=np.zeros(len(states), np.int64),
    )


@kernel(allocates=False)
def uniform_weights(state: Any, actions: Any, count: int, tables: Any, weights: Any) -> None:
    """All legal actions equally likely."""
    for i in range(count):
        weights[i] = 1.0


@kernel(allocates=False)
def explore(
    legal_actions: Any,
    apply: Any,
    returns: Any,
    evaluate: Any,
    weigh: Any,
    tables: Any,
    tasks: Tasks,
    stack: Stack,
    settings: Settings,
    random: Any,
    depth: int,
    wanted: int,
) -> int:
    """Find the values of all tasks, or as many as ``wanted`` nodes allow.

    The first five arguments are the game's kernels ``legal``, ``apply`` and ``returns``, an
    evaluation (state, player, tables) -> float, and weights (state, actions, count, tables,
    weights) of what chance does.

    Args:
        depth: Most actions of a line.
        wanted: Nodes in all, counted in ``stack.counters``.

    Returns:
        `DONE`, `PAUSED` when there were so many nodes (call again), `TOO_DEEP` when a game went
        on for longer than it says, or `BAD_WEIGHTS`.
    """
    counters = stack.counters
    last_ply = len(stack.states) - 1
    while counters[TASK] < len(tasks.values):
        task = counters[TASK]
        if counters[INSIDE] == 0:
            counters[INSIDE] = 1
            counters[PLY] = 0
            stack.states[0] = tasks.states[task]
            stack.alpha[0] = -np.inf
            stack.beta[0] = np.inf
            stack.follows[0] = 1
        ply = counters[PLY]
        while True:
            # Look at the state at this ply.
            if counters[NODES] >= wanted:
                counters[PLY] = ply
                return PAUSED
            counters[NODES] += 1
            state = stack.states[ply]
            stack.lengths[ply] = 0
            value = 0.0
            open_node = False
            if state.player == OVER:
                returns(state, tables, stack.values)
                value = stack.values[settings.player]
                if settings.evaluates == 2 and value <= settings.lowest:
                    value = evaluate(state, settings.player, tables)
                    value = min(max(value, settings.lowest), settings.highest)
            elif ply >= last_ply:
                return TOO_DEEP
            elif ply >= depth:
                counters[HORIZON] = 1
                value = 0.5 * (settings.lowest + settings.highest)
                if settings.evaluates != 0:
                    value = evaluate(state, settings.player, tables)
                    value = min(max(value, settings.lowest), settings.highest)
            else:
                if ply == 0 and len(settings.root) > 0:
                    found = len(settings.root)
                    for i in range(found):
                        stack.legal[i] = settings.root[i]
                else:
                    found = legal_actions(state, tables, stack.legal)
                if not _open(stack, tasks, settings, weigh, tables, task, ply, found):
                    return BAD_WEIGHTS
                open_node = True
            # Hand values up until a node has something left to look at.
            while not open_node and ply > 0:
                ply -= 1
                open_node = _take(stack, settings, ply, value, depth)
                value = stack.best[ply]
            if not open_node:
                tasks.values[task] = value
                tasks.lengths[task] = stack.lengths[0]
                for i in range(stack.lengths[0]):
                    tasks.lines[task, i] = stack.lines[0, i]
                break
            _window(stack, settings, ply)
            place = stack.place[ply]
            action = np.int64(stack.actions[ply, place])
            on_line = (
                stack.follows[ply] != 0
                and ply < tasks.lengths[task]
                and tasks.lines[task, ply] == action
            )
            stack.states[ply + 1] = stack.states[ply]
            ply += 1
            stack.follows[ply] = 1 if on_line else 0
            apply(stack.states[ply], action, tables, random)
        counters[TASK] += 1
        counters[INSIDE] = 0
    return DONE


@kernel(allocates=False, inline="late")
def _open(
    stack: Stack,
    tasks: Tasks,
    settings: Settings,
    weigh: Any,
    tables: Any,
    task: int,
    ply: int,
    found: int,
) -> bool:
    """Make a node of the state at a ply: its actions in the order in which to look at them.

    Returns:
        False if the weights of chance are negative, not finite or all zero.
    """
    state = stack.states[ply]
    player = state.player
    kind = np.int64(settings.kinds[player])
    stack.kind[ply] = kind
    stack.place[ply] = 0
    stack.chosen[ply] = -1
    kept = np.int64(0)
    total = 1.0
    if kind == CHANCE:
        weigh(state, stack.legal, found, tables, stack.shares)
        total = 0.0
        for i in range(found):
            if not (stack.shares[i] >= 0.0 and stack.shares[i] < np.inf):
                return False
            total += stack.shares[i]
        if not (total > 0.0 and total < np.inf):
            return False
        stack.best[ply] = 0.0
        stack.rest[ply] = 1.0
    else:
        stack.best[ply] = -np.inf if kind == MAXIMISE else np.inf
    for i in range(found):
        action = stack.legal[i]
        score = 0.0
        if kind == CHANCE:
            score = stack.shares[i] / total
            if score == 0.0:
                continue
        else:
            if settings.history != 0:
                score = stack.cuts[player, action]
            if settings.killers != 0:
                if stack.killers[ply, 0] == action:
                    score = 2.0 * _KILLER
                elif stack.killers[ply, 1] == action:
                    score = _KILLER
            if (
                stack.follows[ply] != 0
                and ply < tasks.lengths[task]
                and tasks.lines[task, ply] == action
            ):
                score = _FIRST
        # Sorted in from behind: equal scores keep the game's order.
        place = kept
        while place > 0 and stack.scores[ply, place - 1] < score:
            stack.scores[ply, place] = stack.scores[ply, place - 1]
            stack.actions[ply, place] = stack.actions[ply, place - 1]
            place -= 1
        stack.scores[ply, place] = score
        stack.actions[ply, place] = action
        kept += 1
    stack.sizes[ply] = kept
    return True


@kernel(allocates=False, inline="late")
def _window(stack: Stack, settings: Settings, ply: int) -> None:
    """Set what the next child's value must lie between to matter."""
    if stack.kind[ply] != CHANCE:
        stack.alpha[ply + 1] = stack.alpha[ply]
        stack.beta[ply + 1] = stack.beta[ply]
        return
    share = stack.scores[ply, stack.place[ply]]
    later = stack.rest[ply] - share
    so_far = stack.best[ply]
    stack.alpha[ply + 1] = (stack.alpha[ply] - so_far - later * settings.highest) / share
    stack.beta[ply + 1] = (stack.beta[ply] - so_far - later * settings.lowest) / share


@kernel(allocates=False, inline="late")
def _take(stack: Stack, settings: Settings, ply: int, value: float, depth: int) -> bool:
    """Count a child's value. Returns whether the node has another child to look at."""
    place = stack.place[ply]
    action = stack.actions[ply, place]
    stack.place[ply] = place + 1
    more = place + 1 < stack.sizes[ply]
    kind = stack.kind[ply]
    if kind == CHANCE:
        share = stack.scores[ply, place]
        stack.best[ply] += share * value
        stack.rest[ply] -= share
        if place == 0:  # the line goes on with what is most likely
            _lengthen(stack, ply, action)
        if not more or settings.prune == 0:
            return more
        least = stack.best[ply] + stack.rest[ply] * settings.lowest
        most = stack.best[ply] + stack.rest[ply] * settings.highest
        if least >= stack.beta[ply]:
            stack.best[ply] = least
            return False
        if most <= stack.alpha[ply]:
            stack.best[ply] = most
            return False
        return True
    better = value > stack.best[ply] if kind == MAXIMISE else value < stack.best[ply]
    if better or stack.chosen[ply] < 0:
        stack.best[ply] = value
        stack.chosen[ply] = action
        _lengthen(stack, ply, action)
        if kind == MAXIMISE:
            stack.alpha[ply] = max(stack.alpha[ply], value)
        else:
            stack.beta[ply] = min(stack.beta[ply], value)
    if settings.prune == 0 or stack.alpha[ply] < stack.beta[ply]:
        return more
    if more:
        player = stack.states[ply].player
        left = depth - ply
        stack.cuts[player, action] += left * left
        if stack.killers[ply, 0] != action:
            stack.killers[ply, 1] = stack.killers[ply, 0]
            stack.killers[ply, 0] = action
    return False


@kernel(allocates=False, inline="late")
def _lengthen(stack: Stack, ply: int, action: int) -> None:
    """Make the line from a ply: an action, then the line from the ply after it."""
    stack.lines[ply, 0] = action
    length = stack.lengths[ply + 1]
    for i in range(length):
        stack.lines[ply, i + 1] = stack.lines[ply + 1, i]
    stack.lengths[ply] = length + 1
