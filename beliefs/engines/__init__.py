"""Inference engines, one per file, each declaring what it can do and what it costs."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from ...data.errors import SettingsError, nearest
from ..problem import MOST_PLACES, Problem
from .base import Cost, Engine, Unsupported

#: Every engine, exact ones first; the registry is explicit, nothing is discovered.
NAMES = (
    "enumeration",
    "card_by_card",
    "hand_families",
    "type_counting",
    "forward_filter",
    "pgmpy",
    "rejection",
    "likelihood_weighting",
    "metropolis",
    "particles",
    "loopy_bp",
)
EXACT = NAMES[:6]
APPROXIMATE = NAMES[6:]
#: Engines that follow a walk of any number of positions; worlds of the others are int8.
WALKING = ("forward_filter", "particles")


def engine(name: str) -> Engine:
    """The engine called ``name``; ``-`` and ``_`` are the same.

    Raises:
        SettingsError: There is no such engine.
    """
    word = name.replace("-", "_") if isinstance(name, str) else name  # pyright: ignore[reportUnnecessaryIsInstance]
    if not isinstance(word, str) or word not in NAMES:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise SettingsError("unknown method", value=name, hint=nearest(word, ("auto", *NAMES)))
    return _engine(word)


def cost_of(chosen: Engine, problem: Problem) -> Cost | Unsupported:
    """What an engine says of a problem; most of them cannot follow a walk over a large graph."""
    wide = problem.layout.slot_count > MOST_PLACES
    if wide and (chosen.name not in WALKING or problem.trail is None):
        return Unsupported(
            f"it takes at most {MOST_PLACES} positions and places together; one Walk with "
            f"Choices may have more for {' and '.join(WALKING)}"
        )
    return chosen.cost(problem)


@cache
def _engine(word: str) -> Engine:
    module = "pgmpy_backend" if word == "pgmpy" else word
    return import_module(f".{module}", __package__).ENGINE
