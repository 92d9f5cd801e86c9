"""A policy for a whole game, made better from some moments on and nowhere easier to exploit.

>>> from sleuth import exploitability
>>> from sleuth.equilibria import GameTree, equilibrium, resolve
>>> tree = GameTree("leduc_poker")
>>> before = equilibrium(tree, iterations=5)
>>> after = resolve(tree, before, begins=lambda seen: seen.stage == 1, iterations=50)
>>> [round(exploitability(tree, each).exploitability, 1) for each in (before, after)]
[1.4, 0.5]
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....data.progress import Tell, silent
from ...small_games.exploitability import GameTree, Policy
from .gadgets import ITERATIONS, RESOLVING, SHARE, resolution
from .subgames import Begins, subgames


def resolve(
    tree: GameTree,
    policy: Policy,
    *,
    begins: Begins,
    gadget: str = RESOLVING,
    share: float = SHARE,
    iterations: int = ITERATIONS,
    mend: bool = True,
    progress: Tell = silent,
) -> dict[int, NDArray[np.float64]]:
    """A policy with every subgame from some moments on solved anew, each by itself, for both.

    Args:
        tree: A two-player zero-sum game, written out.
        policy: The policy so far of both players.
        begins: Whether a subgame begins, as of `subgames`.
        gadget, share, iterations, mend: As of `resolution`.
        progress: Told after every subgame.

    Raises:
        SettingsError: As `subgames` and `resolution`.
        UnsupportedError: As these.

    >>> from sleuth import exploitability
    >>> from sleuth.equilibria import GameTree, resolve
    >>> tree = GameTree("kuhn_poker")
    >>> made = resolve(tree, tree.uniform_policy(), begins=lambda seen: seen.moves == 1)
    >>> round(exploitability(tree, made).exploitability, 3)  # of coins it is 0.458
    0.125
    """
    found = dict(policy)
    parts = subgames(tree, policy, begins=begins)
    for number, subgame in enumerate(parts, 1):
        for player in range(2):
            found |= resolution(
                subgame,
                policy,
                player,
                gadget=gadget,
                share=share,
                iterations=iterations,
                mend=mend,
            ).policy
        progress("solving subgames", number, len(parts))
    return found
