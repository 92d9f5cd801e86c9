"""How many guesses Mastermind takes, over all codes."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .asking_ahead import Asker, interval, needed

#: What a bit is worth, in guesses: about what one more bit costs later.
BIT = 0.33
#: Mean number of guesses that is published: greedy entropy (Neuwirth 1982), the least worst case
#: (Knuth 1976) and the optimum (Koyama and Lai 1993).
PUBLISHED = {"greedy_entropy": 4.415, "worst_case": 4.476, "optimum": 4.340}


def answers(pegs: int = 4, colours: int = 6) -> NDArray[np.int64]:
    """The answer to each code by each hidden one: 5 times the black marks, for four pegs, and the
    white ones."""
    codes = np.array(list(product(range(colours), repeat=pegs)))
    black = (codes[:, None, :] == codes[None, :, :]).sum(axis=2)
    counts = (codes[:, :, None] == np.arange(colours)).sum(axis=1)
    both = np.minimum(counts[:, None, :], counts[None, :, :]).sum(axis=2)
    return (pegs + 1) * black + both - black


def measured(*, quick: bool, seed: int) -> dict[str, Any]:
    """The mean number of guesses two steps ahead, its interval, the worst, and of how many codes.

    All codes are played and nothing is drawn: the mean is exact. Greedy entropy stands beside it.
    """
    table = answers(3, 4) if quick else answers()
    asker = Asker(table, int(table.max()) + 1, bit=BIT, later=len(table))
    guesses = needed(table, asker.two_steps)
    return {
        **interval(guesses.tolist()),
        "games": len(guesses),
        "worst": int(guesses.max()),
        "greedy_entropy": float(needed(table, asker.greedy).mean()),
        "published": PUBLISHED,
    }
