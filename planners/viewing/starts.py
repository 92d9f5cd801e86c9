"""The start of a tree, from which lines of play can be played again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..search.kernels.work import Numbers, Worlds


@dataclass(frozen=True, eq=False)
class Starts:
    """The start of a tree, and what its nodes are known by.

    Attributes:
        worlds: The states it started from.
        numbers: The numbers of its search.
        observe: What is seen in its tree, a kernel of that name.
        policy: What those do whose actions are not searched.
    """

    worlds: Worlds
    numbers: Numbers
    observe: Any
    policy: Any
