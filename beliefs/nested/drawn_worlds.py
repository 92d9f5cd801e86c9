"""Features of a drawn world, and worlds that are all equally likely."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...data.errors import EvidenceError
from ..arrays.layout import Integers, Layout
from ..engines.base import Worlds, feature_index
from ..infer import infer
from ..language.evidence import Evidence
from ..language.features import FeatureLike, as_feature
from ..language.priors import prior_table
from ..language.variables import Choice
from ..modelling.declared import Variable
from ..modelling.model import Model
from ..posterior import Posterior
from ..telling.readout import World, column_sites, world_of


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
    index = feature_index(problem, wanted.base.additive(problem.layout), _in_slots(posterior, rows))
    return wanted.project[index]


def named_worlds(posterior: Posterior, rows: Worlds) -> list[World]:
    """Worlds by names, as `Posterior.sample` gives them.

    Raises:
        EvidenceError: The rows have other columns than the posterior's.
    """
    layout = posterior.problem.layout
    return [world_of(posterior.model, layout, row) for row in _in_slots(posterior, rows)]


def _in_slots(posterior: Posterior, rows: Worlds) -> Any:
    """Rows of `sample_array` by the slots of the layout."""
    layout = posterior.problem.layout
    cards = column_sites(layout)
    if rows.ndim != 2 or rows.shape[1] != len(cards):
        raise EvidenceError(
            "these rows are no worlds of the posterior",
            value=rows.shape,
            hint=f"use posterior.sample_array, which gives {len(cards)} columns",
        )
    slots: Any = np.zeros(rows.shape, dtype=np.int64)
    order = range(len(cards)) if layout.columns is None else layout.columns
    for column, (card, site) in enumerate(zip(order, cards.tolist(), strict=True)):
        slots[:, card] = _slots(layout, site)[rows[:, column]]
    return slots


def _slots(layout: Layout, site: int) -> Integers:
    """The slot behind every number that `sample_array` can give a site."""
    owner, _ = layout.site_names[site]
    if owner in layout.values:
        return np.array(layout.slots[(owner, owner)], dtype=np.int64)
    # A holder can have a slot for each category; to a feature they are all the same.
    holders = (holder for holder in layout.holders if holder[0] == owner)
    return np.array([layout.slots[holder][0] for holder in holders], dtype=np.int64)


def uniform(posterior: Posterior) -> Posterior:
    """The posterior in which all worlds that are possible are equally likely.

    Evidence says only what is impossible, and a `Choice` has each of its possible values equally
    often. That is what drawing worlds at random "among those consistent with what was seen" means.
    """
    variables: list[Variable] = []
    rules: list[Evidence] = []
    for variable in posterior.model.variables:
        if isinstance(variable, Choice):
            possible = variable.table > 0.0
            if variable.given is not None:
                # Which values there are still depends on the other variable.
                table = prior_table(variable)
                rules.append(replace(table, table=(table.table > 0.0).astype(float)))
            weights = possible.any(axis=0).astype(float).tolist()
            variable = Choice(variable.name, dict(zip(variable.options, weights, strict=True)))
        variables.append(variable)
    method = "auto" if posterior.automatic else posterior.method
    return infer(
        Model(*variables),
        [*rules, *posterior.past.counted().steps],
        method=method,
        approximate=posterior.approximate,
    )
