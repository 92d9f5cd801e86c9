"""Players in kernels: whose turn is next while some are out, and who has won."""

from __future__ import annotations

from typing import Any

from .kernel import kernel


@kernel(allocates=False)
def next_in(out: Any, player: int) -> int:
    """The next player in turn who is not out; the same one if nobody else is left.

    >>> import numpy as np
    >>> from sleuth.kit import next_in
    >>> next_in(np.array([0, 1, 1, 0]), 0), next_in(np.array([0, 1, 1, 1]), 0)
    (3, 0)
    """
    for step in range(1, len(out)):
        other = (player + step) % len(out)
        if not out[other]:
            return other
    return player


@kernel(allocates=False)
def win_or_draw(values: Any) -> None:
    """Scores become returns: 1 for the best, or 0 for all who share it, and -1 for the others.

    >>> import numpy as np
    >>> from sleuth.kit import win_or_draw
    >>> values = np.array([3.0, 7.0, 7.0])
    >>> win_or_draw(values)
    >>> values.tolist()
    [-1.0, 0.0, 0.0]
    """
    best, shared = values[0], 0
    for player in range(len(values)):
        shared = 1 if values[player] > best else shared + (values[player] == best)
        best = max(best, values[player])
    for player in range(len(values)):
        values[player] = -1.0 if values[player] < best else 1.0 if shared == 1 else 0.0
