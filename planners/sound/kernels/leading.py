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
from .memory import Memory, Target


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
def begin_led(target: Target, memory: Memory, some: bool, follows: bool) -> None:
    """Write of the start of a line whether the player has seen it, and how likely it is if led.

    Args:
        target: The lines that are led.
        memory: Where it stands.
        some: Whether any line is led.
        follows: Whether the others follow a rival.
    """
    memory.seen[0] = 0
    memory.fits[0] = 0
    memory.guided[0] = 0.0
    if some and memory.known[0, target.player] == target.known[0]:
        memory.fits[0] = 1
        memory.guided[0] = target.rival_scale if follows else target.scale


@kernel(allocates=False, inline="late", inner=True)
def stay_led(target: Target, memory: Memory, ply: int, likely: float) -> None:
    """Write the same of the ply below one, whose action was drawn with a probability."""
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
    elif known != target.known[seen]:
        memory.fits[below] = 0
        memory.guided[below] = 0.0
