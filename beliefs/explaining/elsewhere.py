"""The holder of an item, for evidence that cannot be true since others are said to have it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np

from ..language.deal_features import Count, HolderOf
from ..language.evidence import Evidence, Merge, Reveal, Split, unit_of
from ..language.variables import Deal
from ..modelling.history import Step
from ..modelling.model import Model


def elsewhere(model: Model, history: Sequence[Step], units: Collection[str | int]) -> str:
    """A hint that names who has an item which one of some observations says is with others.

    It is read off what was declared as known and what was revealed, and is empty where that does
    not say it, or items were moved since.
    """
    moved = {step.deal for step in history if isinstance(step, (Split, Merge))}
    shown: list[Reveal] = []
    for step in history:
        if isinstance(step, (Evidence, Reveal)) and unit_of(step) in units:
            for deal, item, holders in _claims(model, step):
                if deal.name in moved:
                    continue
                copies = deal.items[item]
                for holder, contents in deal.known.items():
                    if holder not in holders and contents.get(item) == copies:
                        return f"{item!r} is with {holder!r}, as known= of {deal.name!r} declares"
                for other in shown:
                    there = other.deal == deal.name and other.holder not in holders
                    if there and other.contents.get(item) == copies:
                        return f"{item!r} was revealed with {other.holder!r}"
        if isinstance(step, Reveal):
            shown.append(step)
    return ""


def _claims(model: Model, step: Evidence | Reveal) -> Iterator[tuple[Deal, str, tuple[str, ...]]]:
    """Deal, item and holders, for each item of which an observation says these holders have one."""
    about = step if isinstance(step, Reveal) else step.feature
    if not isinstance(about, (Reveal, HolderOf, Count)):
        return
    deal = model.variable(about.deal)
    assert isinstance(deal, Deal)
    if isinstance(step, Reveal):
        yield from (
            (deal, item, (step.holder,)) for item, number in step.contents.items() if number
        )
        return
    possible = np.flatnonzero(step.table)
    if isinstance(about, HolderOf):
        yield deal, about.item, tuple(about.values[place] for place in possible)
    elif isinstance(about, Count) and possible.size:
        copies = sum(deal.items[item] for item in about.items)
        for item in about.items:
            # Without it they could not have so many.
            if possible[0] > copies - deal.items[item]:
                yield deal, item, about.holders
