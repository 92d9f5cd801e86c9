"""The worlds of a posterior as a list: every one where they are few, else some that are drawn."""

from __future__ import annotations

from typing import Final

import numpy as np

from ...data.errors import CostError
from ..arrays.layout import Floats
from ..engines.base import Worlds
from ..posterior import Posterior

#: Worlds that are listed without being asked for more.
MOST_LISTED: Final = 10_000


def every_world(posterior: Posterior, *, most: int = MOST_LISTED) -> tuple[Worlds, Floats] | None:
    """All worlds that are possible, and how likely each is; see `Posterior.worlds`.

    None where there are more than ``most``.
    """
    try:
        return posterior.worlds(most=most)
    except CostError:
        return None


def drawn_worlds(
    posterior: Posterior, count: int, rng: np.random.Generator
) -> tuple[Worlds, Floats]:
    """So many worlds of a posterior, each with the same weight."""
    return posterior.sample_array(count, rng), np.full(count, 1.0 / count)
