"""Smooth UCT: now and then the average of what was done so far, instead of what looks best now.

Heinrich and Silver (2015), "Smooth UCT search in computer poker". Best answers to best answers run
in circles; to mix in averages, as in fictitious play, calms them. The paper searches whole games
from the deal, and there averages come near an equilibrium (`WholeGameSearch`). In a search from one
decision they do not: what led there is not searched, so its bluffs are never called to account.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any

import numpy as np

from ....models.kernels.kernel import kernel
from ....models.kernels.randomness import below, uniform
from .selection import LEAST_BEST, MOST_BEST, SLOWING, SPREADS, uct


@kernel(allocates=False)
def smooth_uct(
    visits: Any,
    means: Any,
    available: Any,
    bias: Any,
    count: int,
    passed: int,
    settings: Any,
    random: Any,
) -> int:
    """With chance eta_N what `uct` takes, else an action as often as it was taken here so far.

    eta_N = max(gamma, eta / (1 + d sqrt(N))), N being how often the node was passed (Heinrich and
    Silver 2015, section 3; Bitan and Kraus 2018, section 4.6, where one passage swaps the two).
    Of the numbers of `selection.Mixing`, gamma is ``least``, eta ``most`` and d ``slowing``.
    The frequencies are those of the actions that are legal now, scaled to add up to 1; or, with
    ``spread``, what was taken of others is shared out evenly.
    """
    best = settings[MOST_BEST] / (1.0 + settings[SLOWING] * np.sqrt(float(passed)))
    best = max(best, settings[LEAST_BEST])
    taken = 0.0
    for i in range(count):
        taken += visits[i]
    if taken == 0.0 or uniform(random) < best:
        return uct(visits, means, available, bias, count, passed, settings, random)
    # The node was passed once more than all its actions were taken: it is being passed now.
    others = float(passed) - 1.0 - taken
    if settings[SPREADS] != 0.0 and others > 0.0 and uniform(random) * (taken + others) >= taken:
        return below(random, count)
    wanted = uniform(random) * taken
    last = 0
    for i in range(count):
        if visits[i] > 0.0:
            last = i
            wanted -= visits[i]
            if wanted < 0.0:
                return i
    return last
