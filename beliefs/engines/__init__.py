"""Inference engines, in a folder for each idea; each declares what it can do and what it costs."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Final

from ...data.errors import SettingsError, nearest
from ..arrays.problem import MOST_PLACES, Problem, has_walked
from .base import Cost, Engine, Unsupported

#: Where every engine is, exact ones first; the registry is explicit, nothing is discovered.
MODULES: Final[dict[str, str]] = {
    "enumeration": "enumeration",
    "card_by_card": "partial_deals.card_by_card",
    "type_counting": "copies.type_counting",
    "forward_filter": "walks.forward_filter",
    "symmetry": "symmetry.interchangeable",
    "junction_tree": "junction.junction_tree",
    "exact_cover": "placements.exact_cover",
    "deal_filter": "deal_filter",
    "pgmpy": "networks.pgmpy_backend",
    "rejection": "sampling.rejection",
    "likelihood_weighting": "sampling.likelihood_weighting",
    "metropolis": "sampling.metropolis",
    "gibbs": "sequential.gibbs",
    "particles": "sampling.particles",
    "loopy_bp": "networks.loopy_bp",
}
NAMES: Final = tuple(MODULES)
EXACT = NAMES[: NAMES.index("rejection")]
APPROXIMATE = NAMES[len(EXACT) :]
#: Engines of earlier versions, and what answers the same now.
GONE: Final = {"hand_families": "card_by_card"}
#: Engines that follow a walk of any number of positions.
WALKING = ("forward_filter", "particles")
#: Engines that take any number of values: they list worlds, take a model apart, or read it value
#: by value.
LISTING = ("enumeration", "junction_tree", "exact_cover", "pgmpy", "deal_filter")
#: Engines that put places of deals together, however many there are.
LUMPING = ("symmetry",)


def engine(name: str) -> Engine:
    """The engine called ``name``; ``-`` and ``_`` are the same.

    Raises:
        SettingsError: There is no such engine.
    """
    word = name.replace("-", "_") if isinstance(name, str) else name  # pyright: ignore[reportUnnecessaryIsInstance]
    if not isinstance(word, str) or word not in NAMES:  # pyright: ignore[reportUnnecessaryIsInstance]
        if word in tuple(GONE):
            hint = f"it is gone; {GONE[word]!r} answers the same"
        else:
            hint = nearest(word, ("auto", *NAMES))
        raise SettingsError("unknown method", value=name, hint=hint)
    return _engine(word)


def is_wide(problem: Problem) -> bool:
    """True if the places and values of a problem are more than most engines have columns for."""
    return problem.layout.place_count > MOST_PLACES


def cost_of(chosen: Engine, problem: Problem) -> Cost | Unsupported:
    """The cost of a problem to an engine; most of them cannot follow a walk over a large graph."""
    if problem.contents is not None and chosen.name != "deal_filter":
        return Unsupported(
            "it needs all evidence of the past, and what no longer matters was forgotten as "
            "holders came and went; name it when the belief is made, or take 'deal_filter'"
        )
    exact = (*WALKING, "junction_tree") if problem.walk_problem is not None else LISTING
    lumps = chosen.name in LUMPING and problem.layout.has_deals
    able = chosen.name in exact or lumps or (not chosen.exact and _draws(problem))
    if is_wide(problem) and not able:
        return Unsupported(
            f"it takes at most {MOST_PLACES} positions, values and places together; more are for "
            f"{', '.join(exact[:-1])} and {exact[-1]}"
        )
    return chosen.cost(problem)


def _draws(problem: Problem) -> bool:
    """True if approximate engines take any number of values: where no walk has taken a step."""
    return problem.walk_problem is None and not has_walked(problem.layout)


@cache
def _engine(word: str) -> Engine:
    return import_module(f".{MODULES[word]}", __package__).ENGINE
