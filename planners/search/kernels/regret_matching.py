"""Regret matching: each action as often as it is regretted that it was not always taken.

Hart and Mas-Colell (2000), "A simple adaptive procedure leading to correlated equilibrium", as a
selection: Lisy, Kovarik, Lanctot and Bosansky (2013), "Convergence of Monte Carlo tree search in
simultaneous move games"; Lisy, Lanctot and Bowling (2015), "Online Monte Carlo counterfactual
regret minimization for search in imperfect information games", section 5.1.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any

from ....models.kernels.kernel import kernel
from ....models.kernels.randomness import uniform
from .selection import UNIFORM_SHARE


@kernel(allocates=False)
def regret_matching(
    visits: Any,
    means: Any,
    available: Any,
    bias: Any,
    count: int,
    passed: int,
    settings: Any,
    random: Any,
) -> int:
    """Draws an action in proportion to its regret, if that is positive, and now and then any.

    ``bias`` holds the average credit that the action would have had if it had always been taken:
    credits less a half, each over the chance that its action was taken with, which is right on
    average however the others change meanwhile, while ``means`` are not. The regret is that less
    what was got here, times how often the action could have been taken before. With chance gamma
    (``uniform_share``) all actions are equally likely; so they are without any regret.

    Afterwards ``bias`` holds the chances: what the action is credited is divided by its own.

    >>> import sleuth
    >>> from sleuth.search import regret_matching
    >>> search = sleuth.Search("kuhn_poker", selection=regret_matching, information="players")
    >>> search.options.uniform_share
    0.2
    """
    got = 0.0
    taken = 0.0
    for i in range(count):
        got += means[i] * visits[i]
        taken += visits[i]
    usual = got / taken if taken > 0.0 else 0.0
    regrets = 0.0
    for i in range(count):
        bias[i] = max(0.0, (available[i] - 1.0) * (bias[i] - usual))
        regrets += bias[i]
    for i in range(count):
        matched = bias[i] / regrets if regrets > 0.0 else 1.0 / count
        bias[i] = settings[UNIFORM_SHARE] / count + (1.0 - settings[UNIFORM_SHARE]) * matched
    wanted = uniform(random)
    last = 0
    for i in range(count):
        if bias[i] > 0.0:
            last = i
            wanted -= bias[i]
            if wanted < 0.0:
                return i
    return last
