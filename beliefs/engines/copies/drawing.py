"""Exact worlds with splits and partly known hands, drawn by a kernel; see `kernels`."""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from ....models.kernels.kernel import kernel
from ....models.kernels.randomness import below, uniform
from .arrays import Cells, Copies, Factorials, Groups, Ties, copies_of
from .kernels import count_deals

#: Random deals that may fail to fit, for each world that is drawn.
MOST_FAILURES: Final = 2_000
#: A branch that has less than this share of the terms that were added up for it has no weight.
NOTHING: Final = 1e-11


class CardKinds(NamedTuple):
    """The item and the kind of every card.

    Attributes:
        item: Its item.
        kind: 0 for free copies, 1 for bound ones, -1 for settled ones.
    """

    item: Any
    kind: Any


@kernel
def draw_deals(
    copies: Copies,
    groups: Groups,
    ties: Ties,
    cells: Cells,
    cell_at: Any,
    weights: Any,
    numbers: Factorials,
    total: float,
    shares: Any,
    cards: CardKinds,
    random: Any,
    worlds: Any,
) -> int:
    """Write a world into every row of ``worlds``; other arguments as in `count_deals`.

    The counts of the cells are a tree with a branch for every count; its leaves share out the
    weight of all deals, and each world goes to the leaf in which its share lies.

    Args:
        cell_at: Number of the cell of an item and a slot, or -1, shape (items, slots).
        total: Weight of all deals.
        shares: Numbers in [0, 1), ascending, shape (worlds,).
        cards: Of a world.
        worlds: Slots of the settled cards; those of the others are made, shape (worlds, cards).

    Returns:
        How many worlds were made: fewer than asked for where random deals hardly ever fit.
    """
    number, room, within = copies.number, copies.room, copies.within
    where, order = cells.where, cells.order
    count = order.shape[0]
    width = weights.shape[1]
    # Numbers written into the call would be types of their own, and compile everything again.
    one, none = np.int64(1), np.int64(0)
    table = weights.copy()
    labels = np.zeros((where.shape[0], 2), dtype=np.int64)
    options = np.zeros(count + 1, dtype=np.int64)
    begin = np.zeros(count + 1)
    weight = np.zeros(count + 1)
    chosen = np.zeros((where.shape[0], 2), dtype=np.int64)
    weight[0] = total
    level = 0
    done = 0
    while level >= 0 and done < shares.shape[0]:
        if level == count:
            last = done
            while last < shares.shape[0] and shares[last] * total < begin[level] + weight[level]:
                last += 1
            if last > done:
                made = deal_out(
                    copies,
                    groups,
                    ties,
                    cells,
                    cell_at,
                    chosen,
                    numbers,
                    cards,
                    random,
                    worlds[done:last],
                )
                if made < last - done:
                    return done + made
                done = last
            level -= 1
            continue
        cell = order[level]
        if options[level] == width * width:
            options[level] = 0
            for free in range(width):
                for bound in range(width):
                    table[cell, free, bound] = weights[cell, free, bound]
            level -= 1
            continue
        free, bound = options[level] // width, options[level] % width
        options[level] += 1
        thing, slot = where[cell, 0], where[cell, 1]
        inside = within[slot] == 1
        if (
            weights[cell, free, bound] <= 0.0
            or free > number[thing, 0]
            or bound > (number[thing, 1] if inside else 0)
            or free + bound > room[slot]
        ):
            continue
        for some_free in range(width):
            for some_bound in range(width):
                table[cell, some_free, some_bound] = 0.0
        table[cell, free, bound] = weights[cell, free, bound]
        sums = count_deals(copies, groups, ties, cells, table, labels, one, none, numbers)
        mass = sums.total[0]
        if mass <= NOTHING * sums.size[0]:
            continue
        chosen[cell, 0], chosen[cell, 1] = free, bound
        start = begin[level]
        begin[level] = start + mass
        if shares[done] * total < start + mass:
            level += 1
            begin[level] = start
            weight[level] = mass
            options[level] = 0
    if done < shares.shape[0] and done > 0:
        # Rounding left the last shares without a branch: they are as likely as any other.
        for world in range(done, shares.shape[0]):
            other = below(random, done)
            for card in range(worlds.shape[1]):
                worlds[world, card] = worlds[other, card]
        done = shares.shape[0]
    return done


@kernel(inner=True)
def deal_out(
    copies: Copies,
    groups: Groups,
    ties: Ties,
    cells: Cells,
    cell_at: Any,
    chosen: Any,
    numbers: Factorials,
    kinds: CardKinds,
    random: Any,
    worlds: Any,
) -> int:
    """Worlds with given numbers of free and bound copies in every cell; how many were made."""
    number, room, within = copies.number, copies.room, copies.within
    group_of, space, where = groups.of_slot, groups.space, cells.where
    item, kind = kinds.item, kinds.kind
    bound_copies = copies_of(number, 1)
    slots = room.shape[0]
    items = number.shape[0]
    # Open cards: those of an item and a kind are `cards[first[i, k]:first[i, k + 1]]`.
    cards = np.zeros(kind.shape[0], dtype=np.int64)
    first = np.zeros((items, 3), dtype=np.int64)
    at = 0
    for thing in range(items):
        for which in range(2):
            first[thing, which] = at
            for card in range(kind.shape[0]):
                if item[card] == thing and kind[card] == which:
                    cards[at] = card
                    at += 1
        first[thing, 2] = at
    # What is left when the cells have their copies.
    left = np.zeros(slots, dtype=np.int64)
    for slot in range(slots):
        left[slot] = room[slot]
    taken = np.zeros((items, 2), dtype=np.int64)
    guarded = np.zeros(slots, dtype=np.int64)
    for cell in range(where.shape[0]):
        slot = where[cell, 1]
        left[slot] -= chosen[cell, 0] + chosen[cell, 1]
        guarded[slot] = 1
        for which in range(2):
            taken[where[cell, 0], which] += chosen[cell, which]
    group_count = space.shape[0]
    bound_left = bound_copies - copies_of(taken, 1)
    present = np.zeros(group_count, dtype=np.int64)
    open_space = np.zeros(group_count, dtype=np.int64)
    for slot in range(slots):
        if group_count > 0 and within[slot] == 1:
            open_space[group_of[slot]] += left[slot]
    for cell in range(where.shape[0]):
        if group_count > 0 and within[where[cell, 1]] == 1:
            present[group_of[where[cell, 1]]] += chosen[cell, 1]
    ways = share_out(bound_copies, bound_left, open_space, present, ties, numbers)
    if ways[0, 0] <= 0.0:
        return 0
    # Positions in slots with cells come first: there a deal can fail.
    positions = np.zeros(kind.shape[0], dtype=np.int64)
    in_group = np.zeros(kind.shape[0], dtype=np.int64)
    rest = np.zeros(kind.shape[0], dtype=np.int64)
    spare = np.zeros(slots, dtype=np.int64)
    used = np.zeros((items, 2), dtype=np.int64)
    failures = 0
    for world in range(worlds.shape[0]):
        row = worlds[world]
        while True:
            if failures > MOST_FAILURES * (world + 1):
                return world
            fits = True
            for thing in range(items):
                if taken[thing, 0] + taken[thing, 1] > 0:
                    for which in range(2):
                        shuffle(cards, first[thing, which], first[thing, which + 1], random)
            for thing in range(items):
                used[thing, 0] = used[thing, 1] = 0
            for cell in range(where.shape[0]):
                thing = where[cell, 0]
                for which in range(2):
                    for _ in range(chosen[cell, which]):
                        card = cards[first[thing, which] + used[thing, which]]
                        row[card] = where[cell, 1]
                        used[thing, which] += 1
            for slot in range(slots):
                spare[slot] = left[slot]
            if bound_left > 0:
                at = 0
                for thing in range(items):
                    for place in range(first[thing, 1] + used[thing, 1], first[thing, 2]):
                        rest[at] = cards[place]
                        at += 1
                shuffle(rest, 0, at, random)
                at = 0
                for group in range(group_count):
                    here = 0
                    for slot in range(slots):
                        if within[slot] == 1 and group_of[slot] == group:
                            for _ in range(left[slot]):
                                in_group[here] = slot
                                here += 1
                    # How many of those that are left this group has, as likely as it is.
                    share = uniform(random) * ways[group, at]
                    more = -1
                    while share >= 0.0 and more < bound_left - at:
                        more += 1
                        share -= (
                            numbers.choose[open_space[group], more]
                            * tie_weight(group, at + more, bound_copies, present, ties)
                            * ways[group + 1, at + more]
                        )
                    if more > open_space[group]:
                        fits = False
                        break
                    for place in range(more):
                        other = place + below(random, here - place)
                        slot = in_group[other]
                        in_group[other] = in_group[place]
                        in_group[place] = slot
                        card = rest[at]
                        at += 1
                        row[card] = slot
                        spare[slot] -= 1
                        fits = fits and cell_at[item[card], slot] < 0
            if not fits:
                failures += 1
                continue
            ends = 0
            for turn in range(2):
                for slot in range(slots):
                    if guarded[slot] == 1 - turn:
                        for _ in range(spare[slot]):
                            positions[ends] = slot
                            ends += 1
            at = 0
            for thing in range(items):
                for place in range(first[thing, 0] + used[thing, 0], first[thing, 1]):
                    rest[at] = cards[place]
                    at += 1
            for place in range(ends):
                other = place + below(random, ends - place)
                card = rest[other]
                rest[other] = rest[place]
                rest[place] = card
                slot = positions[place]
                if guarded[slot] == 1 and cell_at[item[card], slot] >= 0:
                    fits = False
                    break
                row[card] = slot
            if fits:
                break
            failures += 1
    return worlds.shape[0]


@kernel(allocates=False, inner=True)
def shuffle(cards: Any, start: int, stop: int, random: Any) -> None:
    """Put ``cards[start:stop]`` in random order."""
    for place in range(start, stop - 1):
        other = place + below(random, stop - place)
        card = cards[place]
        cards[place] = cards[other]
        cards[other] = card


@kernel(allocates=False, inner=True)
def tie_weight(group: int, so_far: int, total: int, present: Any, ties: Ties) -> float:
    """Weight of the ties that are settled once a group has its copies.

    Args:
        group: The group.
        so_far: Bound copies in no cell that it and the groups before it have.
        total: Bound copies in all.
        present: Bound copies in cells, by group.
    """
    here = so_far
    for earlier in range(group + 1):
        here += present[earlier]
    weight = 1.0
    for tie in range(ties.base.shape[0]):
        index = -1
        if ties.after[tie] == group + 1:
            index = ties.base[tie] + ties.step[tie] * (total - here)
        elif ties.after[tie] == 0 and group == 0:
            index = ties.base[tie] + ties.step[tie] * total
        else:
            continue
        if index < 0 or index >= ties.start[tie + 1] - ties.start[tie]:
            return 0.0
        weight *= ties.table[ties.start[tie] + index]
    return weight


@kernel(inner=True)
def share_out(
    total: int, copies: int, space: Any, present: Any, ties: Ties, numbers: Factorials
) -> Any:
    """Weight of all ways to share out bound copies among the groups from one on.

    Args:
        total: Bound copies in all.
        copies: Those in no cell.
        space: Positions of every group that are left.
        present: Bound copies in cells, by group.

    Returns:
        By the group, and the copies that those before it have; shape (groups + 1, copies + 1).
    """
    groups = space.shape[0]
    ways = np.zeros((groups + 1, copies + 1))
    ways[groups, copies] = 1.0
    for group in range(groups - 1, -1, -1):
        for before in range(copies + 1):
            for more in range(min(copies - before, space[group]) + 1):
                if ways[group + 1, before + more] == 0.0:
                    continue
                weight = tie_weight(group, before + more, total, present, ties)
                ways[group, before] += (
                    numbers.choose[space[group], more] * weight * ways[group + 1, before + more]
                )
    return ways
