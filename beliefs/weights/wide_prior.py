"""What a declaration of very many values says before any evidence: its parts are independent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...data.errors import CostError
from ..arrays.layout import Bools, Floats, Integers, make_layout
from ..arrays.problem import Problem
from ..engines.base import Solution, Worlds
from ..engines.partial_deals.graph import build


@dataclass(frozen=True, eq=False)
class SingleSite:
    """A choice, or where a walk starts.

    Attributes:
        site: Its site.
        slots: The slots of its values.
        weights: The prior weight of each.
    """

    site: int
    slots: Integers
    weights: Floats


@dataclass(frozen=True, eq=False)
class WidePrior:
    """Deals without evidence, and values that are drawn beside them.

    Attributes:
        problem: The declaration.
        limited: Slots of holders.
        dealt: Cards of deals, by their numbers.
        deals: Their solution; None where nothing is dealt.
        singles: Everything else.
    """

    problem: Problem
    limited: Integers
    dealt: Integers
    deals: Solution | None
    singles: Sequence[SingleSite]

    @property
    def log_weight(self) -> float:
        """Log of the total weight; minus infinity when nothing can be dealt so."""
        found = 0.0 if self.deals is None else self.deals.log_weight
        return found + sum(float(np.log(each.weights.sum())) for each in self.singles)

    def draw(self, count: int, rng: np.random.Generator) -> Worlds:
        """Exact worlds, shape (count, cards)."""
        cards = self.problem.layout.card_sites
        worlds = np.zeros((count, cards.shape[0]), dtype=np.int32)
        if self.deals is not None:
            worlds[:, self.dealt] = self.limited[self.deals.draw(count, rng)]
        for each in self.singles:
            shares = each.weights / each.weights.sum()
            worlds[:, cards == each.site] = rng.choice(each.slots, size=(count, 1), p=shares)
        return worlds  # pyright: ignore[reportReturnType]  # wide worlds need more than a byte


def wide_prior(problem: Problem) -> WidePrior:
    """The solution of a declaration without evidence.

    Raises:
        CostError: The deals are too large to be dealt from exactly.
    """
    layout = problem.layout
    is_limited: Bools = np.asarray(layout.capacity >= 0)
    limited: Integers = np.flatnonzero(is_limited)
    of_deal: Bools = np.asarray(layout.allowed[:, is_limited].any(axis=1))
    weights: dict[int, Floats] = {
        int(additive.sites[0]): table[additive.delta[0]] for additive, table in problem.factors()
    }
    singles: list[SingleSite] = []
    for site in np.flatnonzero(~of_deal).tolist():
        slots: Integers = np.flatnonzero(layout.allowed[site])
        every: Floats = weights.get(site, np.ones(layout.slot_count))
        singles.append(SingleSite(site, slots, every[slots]))
    sites: Integers = np.flatnonzero(of_deal)
    deals: Solution | None = None
    if sites.size:
        deals = build(
            Problem.empty(
                make_layout(
                    layout.copies.take(sites),
                    layout.capacity.take(limited),
                    layout.allowed.take(sites, axis=0).take(limited, axis=1),
                    tuple(layout.site_names[site] for site in map(int, sites)),
                    tuple(layout.slot_names[slot] for slot in map(int, limited)),
                )
            )
        )
        if deals is None:
            raise CostError("the declaration is too large to be dealt from exactly")
    dealt: Integers = np.flatnonzero(of_deal[layout.card_sites])
    return WidePrior(problem, limited, dealt, deals, singles)
