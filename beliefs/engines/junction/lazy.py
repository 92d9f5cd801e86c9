"""The answers of a large junction tree: each question sees the part that can matter to it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...arrays.layout import Additive, Floats, Integers
from ..abilities import Tallying, Weighing
from ..base import EXACT, Diagnostics, EngineOptions, Worlds
from .plan import MOST_ENTRIES, JunctionPlan, planned, refuse_wide
from .relevance import relevant
from .solution import JunctionSolution, solved

#: The share of what the whole tree costs that questions may take before it is made.
FAIR_SHARE = 0.25
#: What it takes to find the part of a question, for each variable, in numbers of a tree.
NUMBERS_PER_VARIABLE = 5_000


@dataclass(frozen=True, eq=False)
class LazyJunctionSolution(Tallying, Weighing):
    """A large junction tree of which each question sees the part that can matter to it.

    Once questions have taken a fair share of what the whole tree costs, that is made, where it can
    be afforded.

    Attributes:
        made: The whole problem.
        options: Settings for deals.
        first: The solution of what can matter to the evidence.
    """

    made: JunctionPlan
    options: EngineOptions
    first: JunctionSolution
    exact: bool = True
    diagnostics: Diagnostics = EXACT
    kept: dict[str, Any] = field(default_factory=dict[str, Any], repr=False)

    @property
    def log_evidence(self) -> float:
        """Natural log of the probability (or weight) of all evidence."""
        return self.first.log_evidence

    @property
    def log_weight(self) -> float:
        """Log of the total weight of all worlds; minus infinity when none is left."""
        return self.first.log_weight

    def whole(self) -> JunctionSolution:
        """The solution of everything.

        Raises:
            CostError: It is too wide.
        """
        found = self.kept.get("whole")
        if found is None:
            refuse_wide(self.made.elimination)
            found = self.kept["whole"] = solved(self.made, self.options)
        return found

    def expected(self) -> Floats:
        """Expected copies of every site in every slot, shape (sites, slots)."""
        if self.made.elimination.entries <= MOST_ENTRIES:
            return self.whole().expected()
        layout = self.made.parts.problem.layout
        result = np.zeros((layout.site_count, layout.slot_count))
        for site, slot in self.made.parts.fixed.items():
            result[site, slot] = 1.0
        for site, variable in self.made.parts.number.items():
            part = self._part([variable])
            result[site, self.made.parts.options[variable]] = part.marginal(variable)
        for deal in self.first.deals:
            result[deal.part.sites] = self.first.expected()[deal.part.sites]
        return result

    def joint(self, feature: Additive) -> Floats:
        """Probability of every index of a feature, shape (size,).

        Raises:
            CostError: It has too many values across the parts of the model, or what can matter to
                it is too wide.
        """
        return self._part(self.made.parts.split(feature)[1]).joint(feature)

    def counts(self, conditions: Sequence[tuple[Additive, Integers]]) -> Floats | None:
        """Probability that so many of some conditions hold; see `JunctionSolution`."""
        split = [self.made.parts.split(additive)[1] for additive, _ in conditions]
        return self._part(itertools.chain(*split)).counts(conditions)

    def draw(self, count: int, rng: np.random.Generator) -> Worlds:
        """Exact worlds, never rejected; shape (count, cards)."""
        return self.whole().draw(count, rng)

    def _part(self, wanted: Iterable[int]) -> JunctionSolution:
        """The solution of what can matter to some variables."""
        if "whole" in self.kept:
            return self.kept["whole"]
        asked = frozenset(wanted)
        found = self.kept.get(str(sorted(asked)))
        if found is None:
            part = planned(relevant(self.made.parts, asked))
            looks = NUMBERS_PER_VARIABLE * len(part.parts.sizes)
            spent = self.kept.get("spent", 0.0) + part.elimination.entries + looks
            self.kept["spent"] = spent
            entries = self.made.elimination.entries
            if entries <= MOST_ENTRIES and spent > FAIR_SHARE * (entries + looks):
                return self.whole()
            refuse_wide(part.elimination)
            found = self.kept[str(sorted(asked))] = solved(part, self.options)
        return found
