"""Breaks recorded games in all the ways people and programs do, for fuzz tests."""

from __future__ import annotations

import copy
import json
from typing import Any, cast

import numpy as np

from sleuth.games.clue import CARDS

Container = dict[str, Any] | list[Any]

STRANGE: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 3, 18, 21, 10**30, 0.5, 3.0, -0.0, float("nan"), 1e400),
    *("", " ", "cf", "case file", "face up", "spectator", "notebook", "not recorded"),
    *("p1", "Miss Scarlett", "spanner", "knif", "\x00", "\ud800", "\u202e", "é" * 200, "x" * 5000),
    *([], {}, [[]], [None], {"": ""}, ["plum", "rope", "hall"], ["plum"] * 3, list(CARDS)),
    *("suggest", "accuse", "move", "has", "nothas", "oneof", "clue"),
)


def mutate(value: Any, rng: np.random.Generator, *, steps: int | None = None) -> Any:
    """A copy of ``value`` (read from JSON) after one to four random changes, some of them mild."""
    value = copy.deepcopy(value)
    for _ in range(steps or int(rng.integers(1, 5))):
        places = list(_places(value))
        if not places:
            break
        container, key = places[int(rng.integers(len(places)))]
        change = CHANGES[int(rng.integers(len(CHANGES)))]
        change(container, key, rng, value)
    return value


def mutate_text(value: Any, rng: np.random.Generator) -> bytes:
    """The JSON text of a mutated ``value``, now and then with bytes of it broken too."""
    text = json.dumps(mutate(value, rng)).encode()
    kind = rng.random()
    place = int(rng.integers(len(text)))
    if kind < 0.1:
        return text[:place]
    if kind < 0.2:
        return text[:place] + bytes(rng.integers(0, 256, size=3).tolist()) + text[place:]
    if kind < 0.25:
        depth = int(rng.integers(1, 3000))
        return text[:place] + b"[" * depth + b"]" * depth + text[place:]
    return text


def _places(value: Any) -> Any:
    """Every (container, key) in a nested value."""
    stack = [value]
    while stack:
        container = stack.pop()
        if isinstance(container, dict):
            keys: Any = list(cast("dict[str, Any]", container))
        elif isinstance(container, list):
            keys = range(len(cast("list[Any]", container)))
        else:
            continue
        for key in keys:
            yield container, key
            stack.append(container[key])


def _any_value(rng: np.random.Generator, root: Any) -> Any:
    """Something strange, a card, or a piece from elsewhere in the record."""
    kind = rng.random()
    if kind < 0.4:
        return copy.deepcopy(STRANGE[int(rng.integers(len(STRANGE)))])
    if kind < 0.6:
        return CARDS[int(rng.integers(len(CARDS)))]
    places = list(_places(root))
    if not places:
        return None
    container, key = places[int(rng.integers(len(places)))]
    return copy.deepcopy(container[key])


def _drop(container: Any, key: Any, rng: np.random.Generator, root: Any) -> None:
    del container[key]


def _replace(container: Any, key: Any, rng: np.random.Generator, root: Any) -> None:
    container[key] = _any_value(rng, root)


def _duplicate(container: Any, key: Any, rng: np.random.Generator, root: Any) -> None:
    if isinstance(container, list):
        container.insert(key, copy.deepcopy(container[key]))
    else:
        container[f"{key}{rng.integers(100)}"] = copy.deepcopy(container[key])


def _swap(container: Any, key: Any, rng: np.random.Generator, root: Any) -> None:
    keys: Any = list(container) if isinstance(container, dict) else range(len(container))
    other = keys[int(rng.integers(len(keys)))]
    container[key], container[other] = container[other], container[key]


def _misspell(container: Any, key: Any, rng: np.random.Generator, root: Any) -> None:
    """Breaks a letter of a key or of a text."""
    if isinstance(container, dict) and rng.random() < 0.5:
        container[_slip(key, rng)] = container.pop(key)
    elif isinstance(container[key], str):
        container[key] = _slip(container[key], rng)


def _nest(container: Any, key: Any, rng: np.random.Generator, root: Any) -> None:
    for _ in range(int(rng.integers(1, 400)) if rng.random() < 0.1 else 1):
        container[key] = [container[key]] if rng.random() < 0.5 else {"type": container[key]}


def _nudge(container: Any, key: Any, rng: np.random.Generator, root: Any) -> None:
    """Moves a number, or a card to another card: often still a legal record."""
    value = container[key]
    if isinstance(value, int):
        container[key] = value + int(rng.integers(-2, 3))
    elif isinstance(value, str) and value in CARDS:
        container[key] = CARDS[int(rng.integers(len(CARDS)))]


def _slip(text: str, rng: np.random.Generator) -> str:
    place = int(rng.integers(len(text) + 1))
    return text[:place] + chr(int(rng.integers(32, 127))) + text[place + int(rng.integers(2)) :]


CHANGES = (_drop, _replace, _replace, _duplicate, _swap, _misspell, _nest, _nudge, _nudge)
