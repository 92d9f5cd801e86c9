"""Lines that are led through what a player has seen: how likely a line is to be one of them.

Lisy, Lanctot and Bowling (2015), section 4. A led line is drawn as a whole up to the decision at
hand, and as any other from there on. Whether a line that was not led is of the same kind shows in
what the player came to know on it.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any

import numpy as np

from ....models.kernels.kernel import kernel
from ....models.kernels.randomness import below, uniform
from .known import begin, deal
from .memory import ITERATIONS, Memory, Target, WalkNumbers, WalkRules


@kernel(allocates=False, inline="late", inner=True)
def share_led(numbers: WalkNumbers, target: Target, follows: bool) -> float:
    """The share of lines that are led: none where nothing says through what.

    Args:
        numbers: The share that is wanted.
        target: The lines that are led.
        follows: Whether the others follow a rival.
    """
    lines = len(target.rival) if follows else len(target.starts)
    return numbers.targeted if lines > 0 else 0.0


@kernel(allocates=False, inline="late", inner=True)
def begin_line(
    rules: WalkRules,
    tables: Any,
    numbers: WalkNumbers,
    memory: Memory,
    target: Target,
    random: Any,
    follows: bool,
    share: float,
) -> int:
    """Begin a line: one that is led, in a share of all, or else with a deal.

    Returns:
        The number of the led line; -1 where it is none.
    """
    line = np.int64(-1)
    if share > 0.0 and uniform(random) < share:
        line = np.int64(led_line(target, follows, random))
        memory.states[0] = target.starts[line]
    else:
        deal(rules, tables, numbers, memory, random)
    begin(rules, tables, memory)
    if share > 0.0:
        begin_led(target, memory, follows)
    return line


@kernel(allocates=False, inline="late", inner=True)
def led_line(target: Target, follows: bool, random: Any) -> int:
    """The number of a line, each equally likely, or by how likely a rival did what was seen."""
    if not follows:
        return below(random, len(target.starts))
    wanted = uniform(random) * target.rival[len(target.rival) - 1]
    low, high = np.int64(0), np.int64(len(target.rival) - 1)
    while low < high:
        middle = (low + high) // 2
        if target.rival[middle] > wanted:
            high = middle
        else:
            low = middle + 1
    return low


@kernel(allocates=False, inline="late", inner=True)
def plies_of(target: Target, line: int) -> int:
    """The number of actions of a line."""
    plies = np.int64(target.actions.shape[1])
    while plies > 0 and target.actions[line, plies - 1] < 0:
        plies -= 1
    return plies


@kernel(allocates=False, inline="late", inner=True)
def begin_led(target: Target, memory: Memory, follows: bool) -> None:
    """Write of the start of a line whether the player has seen it, and how likely it is if led.

    Args:
        target: The lines that are led.
        memory: Where it stands.
        follows: Whether the others follow a rival.
    """
    memory.seen[0] = 0
    memory.fits[0] = 0
    memory.guided[0] = 0.0
    if memory.known[0, target.player] == target.known[0]:
        memory.fits[0] = 1
        memory.guided[0] = target.rival_scale if follows else target.scales[0]


@kernel(allocates=False, inline="late", inner=True)
def stay_led(target: Target, memory: Memory, ply: int, likely: float) -> None:
    """Write the same of the ply below one, whose action was drawn with a probability.

    With all that the player has seen, the line is at the decision: an action that makes it their
    move is never hidden from them, since they see whose move it is.
    """
    below = ply + 1
    memory.seen[below] = memory.seen[ply]
    memory.fits[below] = memory.fits[ply]
    memory.guided[below] = memory.guided[ply]
    if memory.fits[ply] == 0:
        return
    seen = memory.seen[ply]
    if seen + 1 >= len(target.known):
        memory.guided[below] *= likely
        return
    known = memory.known[below, target.player]
    if known == target.known[seen + 1]:
        memory.seen[below] = seen + 1
        memory.guided[below] *= target.scales[seen + 1] / target.scales[seen]
    elif known != target.known[seen]:
        memory.fits[below] = 0
        memory.guided[below] = 0.0


@kernel(allocates=False, inline="late", inner=True)
def trembling(
    numbers: WalkNumbers, target: Target, memory: Memory, ply: int, chance: float, count: int
) -> float:
    """The probability that an action counts with: on the way to the decision at hand it trembles.

    Regret matching gives most actions exactly nothing, and which ones changes from iteration to
    iteration. So what somebody did would mostly be what nobody does, and the policy at the decision
    would be learned from the few iterations in which it is not. Therefore the policy is mixed with
    the even one on the way (Farina, Kroer and Sandholm 2017, "Regret minimization in
    behaviorally-constrained zero-sum games"): at first wholly, and less with more iterations.
    Elsewhere the action counts as the policy says.

    Args:
        numbers: After how many iterations the tremble has halved.
        target: The lines that are led.
        memory: Where the line stands, and how many iterations there were.
        ply: The ply of the action.
        chance: The probability that the policy gives it.
        count: How many legal actions there are.
    """
    if numbers.trembles == 0.0 or not on_the_way(target, memory, ply):
        return chance
    tremble = numbers.trembles / (numbers.trembles + float(memory.counters[ITERATIONS]))
    return (1.0 - tremble) * chance + tremble / count


@kernel(allocates=False, inline="late", inner=True)
def uneven(target: Target) -> bool:
    """True if more actions fit what the player has seen on the way in some lines than in others."""
    return target.scales[0] != target.scales[len(target.scales) - 1]


@kernel(allocates=False, inline="late", inner=True)
def on_the_way(target: Target, memory: Memory, ply: int) -> bool:
    """True if a line is one that the player has seen, and has not come to the decision yet."""
    return memory.fits[ply] != 0 and memory.seen[ply] + 1 < len(target.known)
