"""The choice of the action to try next: kernels over the numbers of the edges of one node.

All have the signature of `uct`. ``means`` hold the average credit, in [0, 1], plus what the
objective adds; ``visits`` how often each legal action was taken; ``available`` how often it could
have been; ``bias`` what the search knows beside that: an action's average over all simulations
(Progressive History), or its prior (PUCT). ``C`` and ``W`` are ``settings[0]`` and ``settings[1]``.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ....data.checks import is_number
from ....data.errors import SettingsError
from ....models.kernels.kernel import kernel
from ....models.kernels.randomness import below
from .tree import Tree

# Places in the settings of selection.
EXPLORATION: Final = 0
BIAS_WEIGHT: Final = 1
#: 1 to count, for each action, the simulations in which it was legal; 0 to count all that passed.
BY_AVAILABILITY: Final = 2
#: How often `regret_matching` takes any action.
UNIFORM_SHARE: Final = 3
#: The numbers of `Mixing`.
LEAST_BEST: Final = 4
MOST_BEST: Final = 5
SLOWING: Final = 6
SPREADS: Final = 7

_KNOWN: Final = 65_536
#: Where sqrt(ln N) and 1 / sqrt(n) of small counts begin: taking logarithms and roots anew would
#: take longer than all else in a simulation.
ROOTS: Final = SPREADS + 1
INVERSES: Final = ROOTS + _KNOWN


@dataclass(frozen=True, kw_only=True)
class Mixing:
    """The frequency of the best action in `smooth_uct`: max(least, most / (1 + slowing sqrt(N))).

    Attributes:
        least: However often the node was passed; gamma in the papers.
        most: At first; eta.
        slowing: How fast it becomes less often; d.
        spread: Whether the share of actions that are not legal now goes to the others evenly,
            instead of in proportion to what they have.

    Raises:
        SettingsError: ``least`` or ``most`` is not in [0, 1], or ``slowing`` is negative.
    """

    least: float = 0.1
    most: float = 0.9
    slowing: float = 0.0025
    spread: bool = False

    def __post_init__(self) -> None:
        for name, highest in (("least", 1.0), ("most", 1.0), ("slowing", np.inf)):
            value = getattr(self, name)
            if not (is_number(value) and 0 <= value <= highest):
                known = "a number from 0 to 1" if highest == 1.0 else "a number >= 0"
                raise SettingsError(f"{name} must be {known}", value=value, where="Mixing")


USUAL_MIXING: Final = Mixing()


def selection_settings(
    exploration: float,
    bias_weight: float,
    by_availability: bool,
    mixing: Mixing = USUAL_MIXING,
    uniform_share: float = 0.0,
) -> NDArray[np.float64]:
    """The numbers that selections get."""
    numbers = [exploration, bias_weight, float(by_availability), uniform_share]
    numbers += [mixing.least, mixing.most, mixing.slowing, float(mixing.spread)]
    assert len(numbers) == ROOTS
    return np.concatenate((numbers, _factors()))


@functools.cache
def _factors() -> NDArray[np.float64]:
    """For the counts from 0 (which stands for 1) sqrt(ln count), then 1 / sqrt(count) for all."""
    counts = np.arange(_KNOWN, dtype=np.float64)
    counts[0] = 1.0
    return np.concatenate((np.sqrt(np.log(counts)), 1.0 / np.sqrt(counts)))


@kernel(allocates=False, inline="late", inner=True)
def _upper_bound(mean: float, tries: int, visits: int, exploration: float, settings: Any) -> float:
    """UCT's score: mean + C sqrt(ln N / n), N and n being at least 1."""
    if tries < _KNOWN:
        root = settings[np.uint64(ROOTS) + np.uint64(tries)]
    else:
        root = np.sqrt(np.log(tries))
    if visits < _KNOWN:
        inverse = settings[np.uint64(INVERSES) + np.uint64(visits)]
    else:
        inverse = 1.0 / np.sqrt(visits)
    return mean + exploration * (root * inverse)


@kernel(allocates=False, inline="late", inner=True)
def _unvisited(visits: Any, count: int, random: Any) -> int:
    """One of the actions that were never taken, each equally likely; -1 if there is none."""
    found = 0
    for i in range(count):
        if visits[i] == 0:
            found += 1
    if found == 0:
        return -1
    wanted = below(random, found)
    for i in range(count):
        if visits[i] == 0:
            if wanted == 0:
                return i
            wanted -= 1
    return -1


@kernel(allocates=False)
def no_prior(state: Any, actions: Any, count: int, tables: Any, priors: Any) -> None:
    """Writes a prior >= 0 for each legal action: here equal ones. They need not add up to 1."""
    for i in range(count):
        priors[i] = 1.0


@kernel(allocates=False)
def uct(
    visits: Any,
    means: Any,
    available: Any,
    bias: Any,
    count: int,
    passed: int,
    settings: Any,
    random: Any,
) -> int:
    """Upper confidence bound: mean + C sqrt(ln N / n) (Kocsis and Szepesvari 2006).

    N is how often the node was passed, or, by availability, how often the action could have been
    taken there (Cowling, Powley and Whitehouse 2012, "Information set Monte Carlo tree search").
    Actions never taken come first, in random order.
    """
    new = _unvisited(visits, count, random)
    if new >= 0:
        return new
    best = 0
    highest = -np.inf
    for i in range(count):
        tries = np.int64(available[i]) if settings[BY_AVAILABILITY] != 0.0 else passed
        score = _upper_bound(means[i], tries, np.int64(visits[i]), settings[EXPLORATION], settings)
        if score > highest:
            highest = score
            best = i
    return best


@kernel(allocates=False, inline="late", inner=True)
def uct_in_place(tree: Tree, node: int, block: int, count: int, settings: Any, random: Any) -> int:
    """The choice of `uct` when the legal actions are the edges of one block; counts them too."""
    new = np.int64(0)
    best = np.int64(0)
    highest = -np.inf
    passed = tree.visits[np.uint64(node)]
    exploration = settings[EXPLORATION]
    by_availability = settings[BY_AVAILABILITY] != 0.0
    for i in range(count):
        edge = np.uint64(block + i)
        available = tree.available[edge] + 1
        tree.available[edge] = available
        visits = tree.edge_visits[edge]
        if visits == 0:
            new += 1
        else:
            tries = available if by_availability else passed
            mean = tree.values[edge] / visits
            score = _upper_bound(mean, tries, visits, exploration, settings)
            if score > highest:
                highest = score
                best = i
    if new > 0:
        wanted = below(random, new)
        for i in range(count):
            if tree.edge_visits[np.uint64(block + i)] == 0:
                if wanted == 0:
                    return i
                wanted -= 1
    return best


@kernel(allocates=False, inline="late", inner=True)
def some_new(tree: Tree, block: int, count: int) -> bool:
    """True if some of the legal actions, which are the edges of one block, were never taken."""
    taken = np.int64(0)
    while taken < count and tree.edge_visits[np.uint64(block + taken)] != 0:
        taken += 1
    return taken < count


@kernel(allocates=False)
def progressive_history(
    visits: Any,
    means: Any,
    available: Any,
    bias: Any,
    count: int,
    passed: int,
    settings: Any,
    random: Any,
) -> int:
    """UCT plus W h / (n (1 - mean) + 1) (Nijssen and Winands 2012, equation 1).

    h is the action's average credit for its player over all simulations so far.

    >>> import sleuth
    >>> from sleuth.search import progressive_history
    >>> search = sleuth.Search("kuhn_poker", selection=progressive_history, history=True)
    >>> search.options.bias_weight
    5.0
    """
    new = _unvisited(visits, count, random)
    if new >= 0:
        return new
    best = 0
    highest = -np.inf
    for i in range(count):
        tries = np.int64(available[i]) if settings[BY_AVAILABILITY] != 0.0 else passed
        score = _upper_bound(means[i], tries, np.int64(visits[i]), settings[EXPLORATION], settings)
        # A mean with a bonus for information can be above 1.
        lost = 1.0 - min(1.0, max(0.0, means[i]))
        score += settings[BIAS_WEIGHT] * bias[i] / (visits[i] * lost + 1.0)
        if score > highest:
            highest = score
            best = i
    return best


@kernel(allocates=False)
def puct(
    visits: Any,
    means: Any,
    available: Any,
    bias: Any,
    count: int,
    passed: int,
    settings: Any,
    random: Any,
) -> int:
    """mean + C P sqrt(N) / (1 + n), P the action's prior (Silver et al. 2017, AlphaGo Zero).

    An action never taken counts as the average of those that were, so that a prior can leave
    actions untried. Without priors all are equal.

    >>> import sleuth
    >>> from sleuth.search import puct
    >>> sleuth.Search("kuhn_poker", selection=puct).options.prior is None  # all alike
    True
    """
    total = 0.0
    taken = 0
    prior = 0.0
    for i in range(count):
        prior += bias[i]
        if visits[i] > 0:
            total += means[i] * visits[i]
            taken += visits[i]
    usual = total / taken if taken > 0 else 0.5
    best = 0
    highest = -np.inf
    for i in range(count):
        passes = available[i] if settings[BY_AVAILABILITY] != 0.0 else passed
        share = bias[i] / prior if prior > 0.0 else 1.0 / count
        mean = means[i] if visits[i] > 0 else usual
        score = mean + settings[EXPLORATION] * share * np.sqrt(passes) / (1.0 + visits[i])
        if score > highest:
            highest = score
            best = i
    return best
