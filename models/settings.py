"""What games make of their settings: one record of tables for kernels, and the kernels themselves.

A game that keeps its rules as kernels in a module of their own hands them over by `rules_of`.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, Final

import numpy as np

#: The kernels that every game has, by their names in `Game` and in a module of rules.
RULES: Final = ("start", "legal", "apply", "observe", "returns", "mask", "fill")


def one_record(fields: Any) -> Any:
    """A record of these fields, all zero, in an array of one: as kernels are handed tables."""
    return np.zeros(1, dtype=np.dtype((np.record, fields))).view(np.recarray)


def rules_of(module: ModuleType) -> dict[str, Any]:
    """The kernels of a module of rules, as a `Game` takes them."""
    return {name: getattr(module, name) for name in RULES}
