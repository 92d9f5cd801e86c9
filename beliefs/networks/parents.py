"""Features of choices as tables that have an axis for each of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...data.errors import CostError, UnsupportedError
from ..arrays.layout import Integers, Layout
from ..language.deal_features import Value
from ..language.features import together
from ..language.quantities import Quantity
from ..language.variables import Choice, choice_of
from ..modelling.model import Model

#: Most numbers in a table that somebody did not write down as one.
MOST_NUMBERS = 100_000


def parents_of(feature: Quantity, layout: Layout) -> tuple[tuple[str, ...], Integers] | None:
    """The variables that a feature is about, and the number of its value for each of theirs.

    Args:
        feature: About variables as they are at the start.
        layout: Where they stand.

    Returns:
        Names of choices or walks, and the places among the feature's values, with an axis for the
        values of each; None where it is about a deal, or that would be more than `MOST_NUMBERS`.
    """
    parts: tuple[Any, ...] = getattr(feature, "parts", (feature,))
    names: tuple[str, ...] = tuple(part.choice for part in parts if isinstance(part, Value))
    if len(names) == len(parts) == len(set(names)):
        sizes = [part.size for part in parts]
        return names, np.arange(math.prod(sizes)).reshape(sizes)
    if feature.large:
        return None
    additive = feature.base.additive(layout)
    names = tuple(layout.site_names[int(site)][0] for site in additive.sites)
    if len(set(names)) < len(names) or not all(name in layout.values for name in names):
        return None
    sizes = [layout.values[name] for name in names]
    if math.prod(sizes) > MOST_NUMBERS:
        return None
    numbers: Integers = np.zeros((), dtype=np.int64)
    for name, adds, size in zip(names, additive.delta, sizes, strict=True):
        first = layout.slots[(name, name)][0]
        numbers = numbers[..., None] + adds[first : first + size]
    return names, feature.project[numbers]


def nodes_of(model: Model) -> tuple[dict[str, Choice], dict[str, tuple[str, ...]]]:
    """The choices of a model by name, each with a table that its parents' values together count
    the rows of, and the names of these parents.

    Raises:
        UnsupportedError: A variable is no choice.
        CostError: A table would have more than `MOST_NUMBERS` numbers.
    """
    known: dict[str, Choice] = {}
    for variable in model.variables:
        if not isinstance(variable, Choice):
            raise UnsupportedError(
                "a network is made of choices alone",
                value=variable.name,
                hint="to_bif writes small declarations of any kind, with marks of what is observed",
            )
        known[variable.name] = variable
    choices: dict[str, Choice] = {}
    parents: dict[str, tuple[str, ...]] = {}
    for name, choice in known.items():
        choices[name], parents[name] = choice, ()
        if choice.given is not None:
            found = parents_of(choice.given, model.layout)
            most = max(MOST_NUMBERS, choice.table.size)
            if found is None or found[1].size * len(choice.options) > most:
                raise CostError(
                    f"a table of {name!r} given all that it depends on would have more than "
                    f"{MOST_NUMBERS:,} numbers",
                    value=choice.given.describe(),
                    hint="let it depend on fewer variables, or put a choice between them",
                )
            parents[name], numbers = found
            values = [known[parent].value() for parent in parents[name]]
            given = together(*values) if len(values) > 1 else values[0]
            if given != choice.given:
                table = choice.table[numbers]
                choices[name] = choice_of(name, choice.options, table, given)
    return choices, parents
