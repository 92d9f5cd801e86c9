"""Particles that take one variable after the other, resampled where their weights differ.

Of a resampling only who descends from whom is kept, and the variables that a later factor still
asks for; all others are put together at the end. So a step costs the same however many variables
came before.

Particles of one family are not independent. The variance of a share is estimated from the families
(Chan and Lai, 2013; Lee and Whiteley, 2018), over as many resamplings as matter (Olsson and Douc,
2019): over more of them hardly a family would be left.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ....data.errors import CostError
from ...arrays.layout import Floats, Integers
from ..base import Diagnostics, Worlds
from ..sampling.cards import Cards
from ..sampling.sampled import ROUNDING, WeightedWorlds, card_name, kish, shares, systematic
from ..sampling.starts import find_worlds
from .drawing import Drawing, drawing
from .kernels import draw_places

#: Below this share of effective particles they are resampled.
RESAMPLE = 0.5
#: Families are those of the ancestors so many resamplings before a variable was drawn.
LAG = 30
#: With fewer families than this they are those of the ancestors when it was drawn.
FEW_FAMILIES = 20
#: Particles of which some are taken for chains to begin at.
STARTS = 500


@dataclass(frozen=True, eq=False)
class Genealogy:
    """The descent of particles from each other.

    Attributes:
        count: Number of particles.
        parents: For every resampling the parent of every particle.
        drawn: How many resamplings came before each card was drawn, shape (cards,).
    """

    count: int
    parents: list[Any] = field(default_factory=list[Any])
    drawn: Any = None

    def since(self, resamplings: int) -> Integers:
        """The ancestor that every particle had after so many resamplings, shape (particles,)."""
        found: Integers = np.arange(self.count)
        for parent in reversed(self.parents[resamplings:]):
            found = parent[found]
        return found

    def families(self, card: int) -> Integers:
        """The family of every particle, as far as a card goes, shape (particles,)."""
        drawn = int(self.drawn[card])
        found = self.since(max(drawn - LAG, 0))
        if np.unique(found).shape[0] < FEW_FAMILIES:
            found = self.since(drawn)
        return np.unique(found, return_inverse=True)[1]


@dataclass(frozen=True, eq=False)
class Descendants(WeightedWorlds):
    """Weighted worlds, some of which descend from the same one.

    Attributes:
        genealogy: Who descends from whom.
    """

    genealogy: Any = None

    def effective_samples(self, numbers: Integers, sites: Integers) -> float | None:
        """The same by how much families differ."""
        genealogy: Genealogy = self.genealogy
        drawn = genealogy.drawn[np.isin(self.problem.layout.card_sites, sites)]
        if not drawn.shape[0]:
            return None
        cards = np.flatnonzero(np.isin(self.problem.layout.card_sites, sites))
        first = int(cards[drawn.argmin()])
        found = family_worth(numbers, self.weights, genealogy.families(first))
        return None if found == math.inf else found


def family_worth(numbers: Any, weights: Floats, families: Integers) -> float:
    """Independent draws that particles are worth for the worst of some values; infinity where none
    of them varies.

    Args:
        numbers: Value of every particle.
        weights: Their shares.
        families: Family of every particle, numbered from 0.
    """
    distinct, places = np.unique(numbers, return_inverse=True)
    count = int(families.max()) + 1
    fewest = math.inf
    by_family = np.bincount(families, weights=weights, minlength=count)
    few = count / (count - 1) if count > 1 else 1.0
    for place in range(distinct.shape[0]):
        has = np.where(places == place, weights, 0.0)
        share = float(has.sum())
        apart = np.bincount(families, weights=has, minlength=count) - share * by_family
        variance = few * float((apart * apart).sum())
        if share * (1.0 - share) > ROUNDING and variance > 0.0:
            fewest = min(fewest, share * (1.0 - share) / variance)
    return fewest


def filtered(source: Drawing, count: int, rng: np.random.Generator) -> Descendants:
    """Weighted worlds, ``count`` of them.

    Raises:
        CostError: No particle fits the evidence.
    """
    order = source.order.arrays
    columns, log_weights = source.begin(count, rng)
    cards = source.order.cards.count
    needed, place_of = _needed(source)
    genealogy = Genealogy(count, drawn=np.zeros(cards, dtype=np.int64))
    held: Integers = np.zeros(cards, dtype=np.int64)
    log_total = 0.0
    for first, last in source.chunks(count):
        uniform = rng.random((last - first, count))
        for place in range(first, last):
            numbers = uniform[place - first : place - first + 1]
            draw_places(columns, order, place, place + 1, False, numbers, log_weights)
            card = int(order.cards[place])
            genealogy.drawn[card] = held[card] = len(genealogy.parents)
            weights, log_mean = shares(log_weights)
            if log_mean == -math.inf:
                name = card_name(source.problem.layout, card)
                raise CostError(
                    f"all {count:,} particles were lost at {name!r}",
                    hint="take an exact method, method='gibbs' or 'metropolis', or more samples",
                )
            if kish(weights) < RESAMPLE * count:
                rows = systematic(weights, rng)
                kept = np.flatnonzero((place_of <= place) & (needed > place))
                columns[kept] = columns[kept][:, rows]
                genealogy.parents.append(rows.astype(np.int32))
                held[kept] = len(genealogy.parents)
                log_total += log_mean
                log_weights = np.zeros(count)
    weights, log_mean = shares(log_weights)
    if log_mean == -math.inf:
        raise CostError(
            f"of {count:,} deals none fitted the evidence", hint="take method='metropolis'"
        )
    _put_together(columns, held, genealogy)
    worlds: Worlds = columns.T
    fewest, worst = _worst(source, worlds, weights, genealogy)
    times = len(genealogy.parents)
    diagnostics = Diagnostics(
        effective_samples=fewest,
        effective_for=worst,
        rejuvenated=times,
        notes=(f"particles were resampled {times} times",) if times else (),
    )
    return Descendants(
        source.problem,
        worlds,
        weights,
        source.log_constant + log_total + log_mean,
        diagnostics,
        genealogy=genealogy,
    )


def _needed(source: Drawing) -> tuple[Integers, Integers]:
    """The last place at which each card is asked for, and the place of each (-1: drawn before)."""
    order = source.order.arrays
    cards = order.allowed.shape[0]
    place_of, needed = np.full((2, cards), -1, dtype=np.int64)
    place_of[order.cards] = np.arange(order.cards.shape[0])
    at: Any = np.repeat(np.arange(order.cards.size), np.diff(order.start))
    starts = order.factors.start
    lengths: Any = np.diff(starts)[order.factor]
    # Rows of each factor, one factor after the other.
    within: Any = np.arange(int(lengths.sum())) - np.repeat(lengths.cumsum() - lengths, lengths)
    rows: Any = np.repeat(starts[:-1][order.factor], lengths) + within
    np.maximum.at(needed, order.factors.site[rows], np.repeat(at, lengths))
    return needed, place_of


def _put_together(columns: Worlds, held: Integers, genealogy: Genealogy) -> None:
    """Write every card as it is in the ancestor of each particle from which it comes."""
    lineage: Integers = np.arange(genealogy.count)
    for resamplings in range(len(genealogy.parents) - 1, -1, -1):
        lineage = genealogy.parents[resamplings][lineage]
        cards = np.flatnonzero(held == resamplings)
        if cards.shape[0]:
            columns[cards] = columns[cards][:, lineage]


def _worst(
    source: Drawing, worlds: Worlds, weights: Floats, genealogy: Genealogy
) -> tuple[float, str]:
    """Draws that the particles are worth for the card that is known worst, and its name."""
    fewest, worst = 1.0 / float((weights * weights).sum()), -1
    families: dict[int, Integers] = {}
    for card in source.order.arrays.cards.tolist() + source.order.dealt.tolist():
        drawn = int(genealogy.drawn[card])
        if drawn not in families:
            families = {drawn: genealogy.families(card)}
        found = family_worth(worlds[:, card], weights, families[drawn])
        if found < fewest:
            fewest, worst = found, card
    return fewest, "" if worst < 0 else card_name(source.problem.layout, worst)


def start_worlds(cards: Cards, count: int, rng: np.random.Generator) -> Worlds | None:
    """Worlds to begin chains at, shape (count, cards); None when there is provably none.

    Raises:
        CostError: None was found, but none was proved to be impossible either.
    """
    try:
        source = drawing(cards.problem, cards, evidence=True)
        if source.log_constant == -math.inf:
            return None
        return filtered(source, max(STARTS, 2 * count), rng).draw(count, rng)
    except CostError:
        return find_worlds(cards, count, rng)
