"""Breaks recorded games of Cheat in all the ways people and programs do, for fuzz tests."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

STRANGE: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 4, 13, 10**30, 0.5, float("nan"), 1e400, "", " ", "ann", "bob"),
    *("ace", "king", "11", "claim", "take", "call", "\x00", "\ud800", "x" * 5000, [], {}, [[]]),
    *([None], ["8", "8"], ["ace"] * 60, {"ann": []}, {"ranks": 5}, {"false_claim": "some"}),
)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) in a nested value."""
    found: list[tuple[Any, Any]] = []
    stack = [value]
    while stack:
        inner = stack.pop()
        keys: Any = (
            list(inner)
            if isinstance(inner, dict)
            else range(len(inner))
            if isinstance(inner, list)
            else ()
        )
        for key in keys:
            found.append((inner, key))
            stack.append(inner[key])
    return found


def mutated(value: Any, rng: np.random.Generator) -> Any:
    """A copy of ``value`` (read from JSON) after one to three random changes."""
    value = copy.deepcopy(value)
    for _ in range(int(rng.integers(1, 4))):
        listed = places(value)
        if not listed:
            return value
        inner, key = listed[int(rng.integers(len(listed)))]
        kind = rng.random()
        other, from_key = listed[int(rng.integers(len(listed)))]
        if kind < 0.2:
            del inner[key]
        elif kind < 0.5:
            inner[key] = copy.deepcopy(STRANGE[int(rng.integers(len(STRANGE)))])
        elif kind < 0.7:
            if from_key in (other if isinstance(other, dict) else range(len(other))):
                inner[key] = copy.deepcopy(other[from_key])
        elif isinstance(inner, list):
            inner.insert(key, copy.deepcopy(inner[key]))
    return value


def broken(content: bytes, rng: np.random.Generator) -> bytes:
    """Bytes of a file after some of them were lost, cut off, or overwritten by others."""
    place = int(rng.integers(len(content) + 1))
    junk = bytes(rng.integers(0, 256, size=int(rng.integers(0, 4))).tolist())
    kept = content[place + int(rng.integers(0, 20)) :] if rng.random() < 0.8 else b""
    return content[:place] + junk + kept
