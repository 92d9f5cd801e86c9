"""Breaks files of JSON Lines in the ways that disks, editors and people do, for fuzz tests."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from ...models.cheat.record.mutate import places

EXTREMES: tuple[Any, ...] = (
    *(-1, 2, 7, 10**6, 2**31, 2**63, 2**64, 10**30, 10**400, -(10**30), 0.5, -0.0, 1.0, 1e308),
    *(float("nan"), float("inf"), float("-inf"), None, True, False, "", "1", "\ud800", [], {}),
    *([0, 1], [1, 0], [5, 0], [0] * 200, [[0]], {"0": 1}),
)


def broken_lines(content: bytes, rng: np.random.Generator) -> bytes:
    """The file after one to three changes."""
    for _ in range(int(rng.integers(1, 4))):
        kind = rng.random()
        if kind < 0.2:
            content = _flipped(content, rng)
        elif kind < 0.45:
            content = _other_lines(content, rng)
        else:
            content = _other_values(content, rng)
    return content


def _flipped(content: bytes, rng: np.random.Generator) -> bytes:
    changed = bytearray(content)
    for _ in range(int(rng.integers(1, 4))):
        if changed:
            changed[int(rng.integers(len(changed)))] = int(rng.integers(256))
    return bytes(changed)


def _other_lines(content: bytes, rng: np.random.Generator) -> bytes:
    """Lines cut off, lost, doubled or exchanged."""
    if rng.random() < 0.3:
        return content[: int(rng.integers(len(content) + 1))]
    lines = content.split(b"\n")
    place, other = (int(rng.integers(len(lines))) for _ in range(2))
    kind = rng.random()
    if kind < 0.3:
        del lines[place]
    elif kind < 0.6:
        lines.insert(other, lines[place])
    elif kind < 0.8:
        lines[place], lines[other] = lines[other], lines[place]
    else:
        lines[place] = lines[place][: int(rng.integers(len(lines[place]) + 1))]
    return b"\n".join(lines)


def _other_values(content: bytes, rng: np.random.Generator) -> bytes:
    """Values of one line replaced, lost or doubled."""
    lines = content.split(b"\n")
    place = int(rng.integers(len(lines)))
    try:
        value = json.loads(lines[place])
    except ValueError:
        return content
    found = places(value)
    if not found:
        return content
    inner, key = found[int(rng.integers(len(found)))]
    kind = rng.random()
    if kind < 0.5:
        inner[key] = EXTREMES[int(rng.integers(len(EXTREMES)))]
    elif kind < 0.65:
        if type(inner[key]) in (int, float):
            inner[key] += int(rng.integers(-2, 3))
    elif kind < 0.8:
        del inner[key]
    elif isinstance(inner, list):
        inner.insert(key, inner[key])
    elif rng.random() < 0.5:
        inner[f"{key}x"] = inner[key]
    else:  # the same key twice
        text = json.dumps(value)
        lines[place] = (text[:-1] + f", {json.dumps(key)}: 0}}").encode()
        return b"\n".join(lines)
    lines[place] = _text(value)
    return b"\n".join(lines)


def _text(value: Any) -> bytes:
    """JSON of any value: numbers of hundreds of digits too."""
    return json.dumps(value).encode()
