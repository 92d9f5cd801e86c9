"""Breaks recorded games of Scotland Yard in all the ways people and programs do, for fuzz tests."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from ..cheat.record.mutate import broken, places

__all__ = ["broken", "mutated"]

STRANGE: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 13, 199, 200, 10**30, 0.5, 3.0, float("nan"), 1e400, "", " "),
    *("taxi", "bus", "underground", "black", "hider", "seeker 1", "seeker 5", "seeker 6", "later"),
    *("\x00", "\ud800", "x" * 5000, [], {}, [[]], [None], [1] * 9, {"seekers": 5}, {"rounds": 1}),
    *({"reveals": [1]}, {"by": "hider", "ticket": "taxi"}, {"edition": "classic"}),
)


def mutated(value: Any, rng: np.random.Generator) -> Any:
    """A copy of ``value`` (read from JSON) after one to three random changes, some of them mild."""
    value = copy.deepcopy(value)
    for _ in range(int(rng.integers(1, 4))):
        listed = places(value)
        if not listed:
            return value
        inner, key = listed[int(rng.integers(len(listed)))]
        other, from_key = listed[int(rng.integers(len(listed)))]
        kind = rng.random()
        if kind < 0.15:
            del inner[key]
        elif kind < 0.35:
            inner[key] = copy.deepcopy(STRANGE[int(rng.integers(len(STRANGE)))])
        elif kind < 0.5:
            if from_key in (other if isinstance(other, dict) else range(len(other))):
                inner[key] = copy.deepcopy(other[from_key])
        elif kind < 0.7:
            _nudge(inner, key, rng)
        elif kind < 0.9:
            _shorten(value, rng)
        elif isinstance(inner, list):
            inner.insert(key, copy.deepcopy(inner[key]))
    return value


def _nudge(inner: Any, key: Any, rng: np.random.Generator) -> None:
    """Moves a number a little, or hides it: often still a legal record."""
    if type(inner[key]) is int:
        inner[key] += int(rng.integers(-2, 3))
    elif isinstance(inner, dict) and "to" in inner:
        del inner["to"]


def _shorten(value: Any, rng: np.random.Generator) -> None:
    """Ends the game early, or hides where Mr X began."""
    if not isinstance(value, dict):
        return
    moves = value.get("moves")
    if rng.random() < 0.7 and isinstance(moves, list):
        del moves[int(rng.integers(len(moves) + 1)) :]
    else:
        value.pop("hider", None)
