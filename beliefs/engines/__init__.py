"""Inference engines, one per file, each declaring what it can do and what it costs."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from ...data.errors import SettingsError, nearest
from .base import Engine

#: Every engine, exact ones first; the registry is explicit, nothing is discovered.
NAMES = (
    "enumeration",
    "card_by_card",
    "hand_families",
    "type_counting",
    "pgmpy",
    "rejection",
    "likelihood_weighting",
    "metropolis",
    "particles",
    "loopy_bp",
)
EXACT = NAMES[:5]
APPROXIMATE = NAMES[5:]


def engine(name: str) -> Engine:
    """The engine called ``name``; ``-`` and ``_`` are the same.

    Raises:
        SettingsError: There is no such engine.
    """
    word = name.replace("-", "_") if isinstance(name, str) else name  # pyright: ignore[reportUnnecessaryIsInstance]
    if not isinstance(word, str) or word not in NAMES:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise SettingsError("unknown method", value=name, hint=nearest(word, ("auto", *NAMES)))
    return _engine(word)


@cache
def _engine(word: str) -> Engine:
    module = "pgmpy_backend" if word == "pgmpy" else word
    return import_module(f".{module}", __package__).ENGINE
