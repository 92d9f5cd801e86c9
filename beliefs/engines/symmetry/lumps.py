"""Sites and slots that nothing tells apart, put together: the smaller problem, and back again.

Two items are alike where the same places are open to them, and where they add the same to every
feature, wherever they lie; two places where the same items can be in them and add the same there.
To exchange them changes no weight, so all that matters is how many of each kind lie in each kind of
place. A deal of the small problem stands for as many deals as there are ways to share out the
places of each kind; which of the alike items are where is a matter of copies, as the small problem
counts them anyway.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...arrays.layout import Additive, Factor, Floats, Integers, make_layout
from ...arrays.problem import Problem, log_multinomial
from ..base import Worlds
from ..copies.lumping import first_places, numbered, shared_out
from ..listed import Listed
from .open_part import OpenPart


@dataclass(frozen=True, eq=False)
class Lumps:
    """The kinds of items and of places that are left.

    Attributes:
        part: What is open.
        site_lump, slot_lump: Kind of every open site and slot.
    """

    part: OpenPart
    site_lump: Integers
    slot_lump: Integers

    @property
    def key(self) -> tuple[bytes, bytes]:
        """The same for the same kinds."""
        return self.site_lump.tobytes(), self.slot_lump.tobytes()

    @property
    def alike(self) -> bool:
        """True if some items or places are alike."""
        return self.shape != self.part.allowed.shape

    @property
    def shape(self) -> tuple[int, int]:
        """Kinds of items and kinds of places."""
        return len(self._sites), len(self._slots)

    @cached_property
    def _sites(self) -> list[int]:
        return first_places(self.site_lump)

    @cached_property
    def _slots(self) -> list[int]:
        return first_places(self.slot_lump)

    @cached_property
    def problem(self) -> Problem:
        """The small problem: a site for each kind of items, a slot for each kind of places."""
        part, layout = self.part, self.part.problem.layout
        copies = np.bincount(self.site_lump, weights=part.copies).astype(np.int64)
        limited = part.capacity >= 0
        capacity = np.bincount(self.slot_lump, weights=np.where(limited, part.capacity, 0))
        capacity = np.where(limited[self._slots], capacity, -1).astype(np.int64)
        owners = [layout.site_names[site][0] for site in map(int, part.sites.take(self._sites))]
        small = make_layout(
            copies,
            capacity,
            np.ascontiguousarray(part.allowed[np.ix_(self._sites, self._slots)]),
            # Engines for copies take what has one name for one item.
            tuple((owner, str(number)) for number, owner in enumerate(owners)),
            tuple(layout.slot_names[slot] for slot in map(int, part.slots.take(self._slots))),
            {},
        )
        factors: list[Factor] = [
            (None, self.small(delta, table.shape[0]), table) for delta, table in part.weighings
        ]
        return Problem.empty(small).with_factors(factors)

    def small(self, delta: Integers, size: int) -> Additive:
        """A feature that tells none of these kinds apart, on the small problem."""
        rows = delta[np.ix_(self._sites, self._slots)]
        sites = np.flatnonzero(rows.any(axis=1))
        return Additive(sites, np.ascontiguousarray(rows[sites]), size)

    @cached_property
    def log_ways(self) -> float:
        """Log of the deals that one of the small problem stands for: places shared out."""
        capacity = self.part.capacity
        groups = [capacity[self.slot_lump == lump].tolist() for lump in range(self.shape[1])]
        return sum(log_multinomial(sum(group), group) for group in groups if len(group) > 1)

    def expected(self, small: Floats) -> Floats:
        """Expected copies of the open sites in the open slots, by those of the small problem."""
        sites = self.part.copies / self.problem.layout.copies[self.site_lump]
        capacity, whole = self.part.capacity, self.problem.layout.capacity[self.slot_lump]
        slots = np.where(capacity >= 0, capacity / whole, 1.0)
        return small[np.ix_(self.site_lump, self.slot_lump)] * sites[:, None] * slots[None, :]

    def worlds(self, small: Worlds, rng: np.random.Generator) -> Worlds:
        """Open slots of the open cards, by worlds of the small problem; shape (worlds, cards)."""
        part = self.part
        site_of_card: Integers = np.arange(len(part.copies)).repeat(part.copies)
        lump_of_card = self.site_lump[site_of_card]
        of_choice, unlimited = part.unlimited
        chosen, dealt = of_choice[site_of_card] == 1, unlimited == 0
        # Cards of the small problem stand in the order of the kinds.
        order = np.argsort(lump_of_card, kind="stable")
        from_choice = chosen[order]
        result: Any = np.empty(small.shape, dtype=np.int64)
        result[:, chosen] = np.array(self._slots)[small[:, from_choice]]
        if dealt.any():
            of_deal = ~chosen
            slots = np.flatnonzero(dealt)
            kinds, within = np.unique(self.slot_lump[slots], return_inverse=True)
            places: Any = np.searchsorted(kinds, small[:, ~from_choice])
            every = np.arange(self.shape[0])
            found = shared_out(
                places, lump_of_card[of_deal], every, within, part.capacity[slots], rng
            )
            result[:, of_deal] = slots[found]
        return result


@dataclass(frozen=True, eq=False)
class ListedKinds:
    """Every deal of the small problem; features that tell none of its kinds apart can be read.

    Attributes:
        lumps: The kinds.
        listed: The deals.
    """

    lumps: Lumps
    listed: Listed

    @property
    def weights(self) -> Floats:
        """Weight of every deal, shape (deals,)."""
        return self.listed.weights

    def index_of(self, feature: Additive) -> Integers:
        """The index of a feature in every deal, shape (deals,)."""
        base, delta = self.lumps.part.reduced(feature)
        return base + self.listed.index_of(self.lumps.small(delta, feature.size))


def lumps_of(part: OpenPart, features: Sequence[Integers] = ()) -> Lumps:
    """The kinds that evidence, and some features, leave.

    Args:
        part: What is open.
        features: What a copy of every open site adds in every open slot, for each of them.
    """
    of_choice, unlimited = part.unlimited
    lines = np.stack([part.allowed, *(delta for delta, _ in part.weighings), *features])
    rows, columns = np.moveaxis(lines, 1, 0), np.moveaxis(lines, 2, 0)
    site_lump = numbered(
        [site if of_choice[site] else row.tobytes() for site, row in enumerate(rows)]
    )
    slot_lump = numbered(
        [slot if unlimited[slot] else column.tobytes() for slot, column in enumerate(columns)]
    )
    return Lumps(part, site_lump, slot_lump)
