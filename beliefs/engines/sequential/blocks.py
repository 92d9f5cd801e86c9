"""Blocks of variables that change together, since some of them determine each other.

A variable that is a function of others cannot change while they stay, nor they while it stays. So
the variables of a factor that forbids some of their values form a block, with whatever is a
function of them, as far as a block has few enough values.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ...arrays.layout import Additive, Floats, Integers
from ..sampling.cards import Cards
from .order import distributions
from .scanning import MOST_IN_BLOCK, MOST_LEAVES, BlockArrays

#: Most combinations of values of a factor that are looked at one by one.
MOST_COMBINATIONS = 1 << 20
#: Most combinations of values of a factor that are tried each time its block is drawn.
MOST_TRIED = 1 << 12


@dataclass(frozen=True, eq=False)
class Blocks:
    """All blocks of some cards.

    Attributes:
        arrays: The blocks, as the kernel takes them.
        torn: Factors that forbid values, but have too many for one block.
    """

    arrays: BlockArrays
    torn: Integers


@dataclass(frozen=True)
class _Rule:
    """A factor that forbids some values of its open choices.

    Attributes:
        cards: Those choices.
        fits: Whether they have few enough values for one block.
        result: The one that is a function of the others; -1 where there is none.
    """

    cards: tuple[int, ...]
    fits: bool
    result: int


def blocks_of(cards: Cards) -> Blocks:
    """The blocks of the open choices of some cards."""
    is_open = (cards.choices == 1) & (cards.allowed.sum(axis=1) > 1)
    rules: list[_Rule] = []
    torn: list[int] = []
    child_of, _ = distributions(cards)
    for factor, (additive, table) in enumerate(cards.problem.factors()):
        if (table > 0.0).all():
            continue
        rule = _rule(cards, additive, table, is_open, int(child_of[factor]))
        if rule is None:
            continue
        rules.append(rule)
        if not rule.fits:
            torn.append(factor)
    results: dict[int, list[int]] = {}
    for rule in rules:
        if rule.result >= 0:
            for card in rule.cards:
                if card != rule.result:
                    results.setdefault(card, []).append(rule.result)
    values = cards.allowed.sum(axis=1)
    found: list[tuple[int, ...]] = []
    for rule in rules:
        if rule.fits:
            found.append(_with_results(rule.cards, results))
            continue
        for pair in combinations(rule.cards, 2):
            if values[list(pair)].prod() <= MOST_LEAVES:
                found.append(_with_results(pair, results))
    found = _largest(found)
    inside = {card for block in found for card in block}
    found += [(card,) for card in np.flatnonzero(is_open).tolist() if card not in inside]
    found.sort(key=min)
    return Blocks(_arrays(cards, found), np.array(torn, dtype=np.int64))


def _rule(
    cards: Cards, additive: Additive, table: Floats, is_open: Integers, child: int
) -> _Rule | None:
    """The rule of a factor; None where it forbids nothing, or ties cards of deals."""
    sites = additive.sites.tolist()
    if not cards.choices[sites].all():
        return None
    members = [card for card in sites if is_open[card]]
    shape = cards.allowed[members].sum(axis=1)
    if math.prod(shape.tolist()) > MOST_COMBINATIONS:
        return _Rule(tuple(members), False, -1)
    index = np.zeros((), dtype=np.int64)
    for row, card in enumerate(sites):
        index = index[..., None] + additive.delta[row][cards.allowed[card] == 1]
    possible = (table[index] > 0.0).reshape(shape)
    if possible.all():
        return None
    result = -1
    if child in members and (possible.sum(axis=members.index(child)) <= 1).all():
        result = child
    fits = possible.size <= MOST_TRIED and possible.sum() <= MOST_LEAVES
    return _Rule(tuple(members), bool(fits) and len(members) <= MOST_IN_BLOCK, result)


def _with_results(cards: tuple[int, ...], results: dict[int, list[int]]) -> tuple[int, ...]:
    """A block with what is a function of its variables, and of those, and so on."""
    found = dict.fromkeys(cards)
    waiting = [*cards]
    while waiting:
        for result in results.get(waiting.pop(0), ()):
            if result not in found and len(found) < MOST_IN_BLOCK:
                found[result] = None
                waiting.append(result)
    return tuple(found)


def _largest(blocks: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The blocks that are in no other."""
    kept: list[tuple[int, ...]] = []
    holding: dict[int, list[set[int]]] = {}
    for block in sorted(blocks, key=len, reverse=True):
        if any(set(block) <= other for other in holding.get(block[0], ())):
            continue
        kept.append(block)
        for card in block:
            holding.setdefault(card, []).append(set(block))
    return kept


def _arrays(cards: Cards, blocks: list[tuple[int, ...]]) -> BlockArrays:
    factors = cards.problem.arrays
    by_card = np.argsort(factors.site, kind="stable")
    first = np.searchsorted(factors.site[by_card], np.arange(cards.count + 1))
    factor_of = np.repeat(np.arange(cards.problem.factor_count), np.diff(factors.start))
    start, card_list = [0], list[int]()
    touched_start, touched = [0], list[int]()
    row_start, row_place, row_list = [0], list[int](), list[int]()
    done_start, done = [0], list[int]()
    for block in blocks:
        local: dict[int, int] = {}
        last: dict[int, int] = {}
        for depth, card in enumerate(block):
            for row in by_card[first[card] : first[card + 1]].tolist():
                factor = int(factor_of[row])
                place = local.setdefault(factor, len(local))
                last[place] = depth
                row_place.append(place)
                row_list.append(row)
            row_start.append(len(row_list))
        for depth in range(len(block)):
            done += [place for place, at in last.items() if at == depth]
            done_start.append(len(done))
        card_list += block
        start.append(len(card_list))
        touched += local
        touched_start.append(len(touched))
    return BlockArrays(
        *(
            np.array(each, dtype=np.int64)
            for each in (
                start,
                card_list,
                touched_start,
                touched,
                row_start,
                row_place,
                row_list,
                done_start,
                done,
            )
        )
    )
