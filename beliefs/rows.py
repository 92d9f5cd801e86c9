"""What a drawn world says about a feature, and worlds that are all equally likely."""

from __future__ import annotations

import numpy as np

from ..data.errors import EvidenceError
from .engines.base import Worlds, card_sites, feature_index
from .features import FeatureLike, as_feature
from .infer import infer
from .model import Model
from .posterior import Posterior
from .problem import Integers
from .variables import Choice


def places(posterior: Posterior, feature: FeatureLike, rows: Worlds) -> Integers:
    """The value that a feature has in every world, as its place in the feature's ``values``.

    Args:
        posterior: Where the worlds come from, or one with the same declaration.
        feature: What is asked about.
        rows: Worlds as `Posterior.sample_array` gives them, shape (worlds, columns).

    Returns:
        Shape (worlds,).

    Raises:
        EvidenceError: The rows have other columns than the posterior's.
    """
    wanted = as_feature(feature)
    problem = posterior.problem
    cards = card_sites(problem)
    if rows.ndim != 2 or rows.shape[1] != len(cards):
        raise EvidenceError(
            "these rows are no worlds of the posterior",
            value=rows.shape,
            hint=f"use posterior.sample_array, which gives {len(cards)} columns",
        )
    slots = np.zeros(rows.shape, dtype=np.int8)
    for column, site in enumerate(cards.tolist()):
        slots[:, column] = _slots(posterior, site)[rows[:, column]]
    index = feature_index(problem, wanted.base.additive(problem.layout), slots)
    return wanted.project[index]


def _slots(posterior: Posterior, site: int) -> Integers:
    """The slot behind every number that `sample_array` can give a site."""
    layout = posterior.problem.layout
    owner, _ = layout.site_names[site]
    found: list[int] = []
    for (name, _), slots in layout.slots.items():
        if name != owner:
            continue
        if layout.capacity[slots[0]] < 0:
            found += slots  # a choice: its values are its slots
        else:
            # A holder can have a slot for each category; to a feature they are all the same.
            found.append(slots[0])
    return np.array(found, dtype=np.int64)


def uniform(posterior: Posterior) -> Posterior:
    """The posterior in which all worlds that are possible are equally likely.

    Evidence says only what is impossible, and a `Choice` has each of its possible values equally
    often. That is what drawing worlds at random "among those consistent with what was seen" means.
    """
    variables = [
        Choice(
            variable.name,
            {
                option: float(weight > 0.0)
                for option, weight in zip(variable.options, variable.prior, strict=True)
            },
        )
        if isinstance(variable, Choice)
        else variable
        for variable in posterior.model.variables
    ]
    method = "auto" if posterior.automatic else posterior.method
    return infer(
        Model(*variables),
        posterior.past.counted().steps,
        method=method,
        approximate=posterior.approximate,
    )
