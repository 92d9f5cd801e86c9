"""The states of what the present holders may have together, and how likely each is.

A long game of a small deck has a short present: whatever was drawn, played and laid away, only what
every holder has now can be asked about. So the past may be forgotten step by step, as in the
forward filter of a hidden Markov model (Rabiner, 1989): a state says how many copies of every item
every holder has, and choices beside them what value they have. A split draws from a holder without
replacement, so that its weight is hypergeometric; a merge adds up; what is revealed or weighed
leaves or weighs states. States that have become alike are one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...data.errors import UnsupportedError
from .layout import (
    Additive,
    Bools,
    Factor,
    Flags,
    Floats,
    HolderName,
    Integers,
    Layout,
    make_layout,
)

#: Numbers of copies: a deal has at most 10,000.
Held = NDArray[np.int16]

#: Most states that are followed.
MOST_STATES: Final = 1 << 17
#: Most numbers that they are made of.
MOST_NUMBERS: Final = 1 << 26


@dataclass(frozen=True, eq=False)
class Contents:
    """A distribution over what all holders have; never changed, only followed.

    Attributes:
        layout: Sites and slots; a site is an item with all of its copies, or a choice.
        held: Copies of every site in every slot, by state, shape (states, sites, slots).
        log_weights: Natural log of the weight of every state: of the probability of all that was
            observed, and of the state; shape (states,).
    """

    layout: Layout
    held: Held
    log_weights: Floats

    @property
    def log_evidence(self) -> float:
        """Natural log of the probability (or weight) of all evidence."""
        if not self.log_weights.shape[0]:
            return -math.inf
        most = float(self.log_weights.max())
        return most + math.log(float(np.exp(self.log_weights - most).sum()))

    @property
    def weights(self) -> Floats:
        """Weight of every state, that of the likeliest being one, shape (states,)."""
        return np.exp(self.log_weights - self.log_weights.max(initial=-math.inf))

    def index_of(self, feature: Additive) -> Integers:
        """The index of a feature in every state, shape (states,)."""
        held = self.held[:, feature.sites].reshape(self.held.shape[0], feature.delta.size)
        return held @ feature.delta.ravel()

    def weighed(self, factors: Sequence[Factor]) -> Contents:
        """After evidence."""
        held, log_weights = self.held, self.log_weights
        for _, feature, table in factors:
            weights = table[replace(self, held=held).index_of(feature)]
            kept = weights > 0.0
            held, log_weights = held[kept], log_weights[kept] + np.log(weights[kept])
        return replace(self, held=held, log_weights=log_weights)

    def split(self, slots: Sequence[int], holder: HolderName, count: int) -> Contents:
        """After some unseen items left the slots of a holder, any of them alike.

        Raises:
            UnsupportedError: There are too many states.
        """
        whole = self.merged(slots, self.layout.slot_names[slots[0]])
        source = whole.layout.slots[self.layout.slot_names[slots[0]]][0]
        layout, held, log_weights = whole.layout, whole.held, whole.log_weights
        held = np.concatenate([held, np.zeros((*held.shape[:2], 1), held.dtype)], axis=2)
        size = int(layout.capacity[source])
        for left in range(size, size - count, -1):
            here = held[:, :, source]
            rows, sites = here.nonzero()
            _refuse_many(rows.shape[0], held)
            log_weights = log_weights[rows] + np.log(here[rows, sites] / left)
            held = held[rows]
            states = np.arange(rows.shape[0])
            held[states, sites, source] -= 1
            held[states, sites, -1] += 1
            held, log_weights = _each_once(held, log_weights)
        capacity = np.append(layout.capacity, count)
        capacity[source] = size - count
        return _on(layout, held, log_weights, capacity, (*layout.slot_names, holder))

    def merged(self, slots: Sequence[int], into: HolderName) -> Contents:
        """After the holders of some slots, which are all of theirs, have become one."""
        layout = self.layout
        if len(slots) == 1 and layout.slot_names[slots[0]] == into:
            return self
        rest = [slot for slot in range(layout.slot_count) if slot not in slots]
        whole = self.held[:, :, [*slots]].sum(axis=2, keepdims=True, dtype=self.held.dtype)
        held, log_weights = _each_once(
            np.concatenate([self.held[:, :, rest], whole], axis=2), self.log_weights
        )
        capacity = np.append(layout.capacity[rest], layout.capacity[[*slots]].sum())
        names = (*(layout.slot_names[slot] for slot in rest), into)
        return _on(layout, held, log_weights, capacity, names)

    def revealed(self, slots: Sequence[int], contents: Mapping[int, int]) -> Contents:
        """After everybody saw that the slots of a holder have just so many copies of each site."""
        here = self.held[:, :, [*slots]].sum(axis=2)
        wanted = np.zeros(self.layout.site_count, dtype=here.dtype)
        for site, number in contents.items():
            wanted[site] = number
        kept: Bools = (here == wanted).all(axis=1)
        return _on(
            self.layout,
            self.held[kept],
            self.log_weights[kept],
            self.layout.capacity,
            self.layout.slot_names,
        )


def with_whole_items(contents: Contents) -> Contents:
    """The same contents, in which an item that has several sites has one."""
    layout, held, log_weights = contents.layout, contents.held, contents.log_weights
    names = tuple(dict.fromkeys(layout.site_names))
    if len(names) == layout.site_count:
        return contents
    number = {name: place for place, name in enumerate(names)}
    together = np.zeros((len(names), layout.site_count), dtype=held.dtype)
    for site, name in enumerate(layout.site_names):
        together[number[name], site] = 1
    held, log_weights = _each_once(np.einsum("is,nsk->nik", together, held), log_weights)
    allowed: Flags = np.any(held, axis=0).astype(np.int8)
    whole = make_layout(
        together @ layout.copies,
        layout.capacity,
        allowed,
        names,
        layout.slot_names,
        layout.values,
    )
    return Contents(whole, held, log_weights)


def _on(
    layout: Layout,
    held: Held,
    log_weights: Floats,
    capacity: Integers,
    names: tuple[HolderName, ...],
) -> Contents:
    """The contents on the layout of holders that have come or gone."""
    allowed: Flags = np.any(held, axis=0).astype(np.int8)
    after = make_layout(layout.copies, capacity, allowed, layout.site_names, names, layout.values)
    return Contents(after, held, log_weights)


def _each_once(held: Held, log_weights: Floats) -> tuple[Held, Floats]:
    """States that are alike as one, with all of their weight."""
    count = held.shape[0]
    if count < 2:
        return held, log_weights
    rows = np.ascontiguousarray(held).reshape(count, -1)
    keys = rows.view(np.dtype((np.void, rows.shape[1] * rows.itemsize))).ravel()
    _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    if first.shape[0] == count:
        return held, log_weights
    most = np.full(first.shape[0], -math.inf)
    np.maximum.at(most, number, log_weights)
    total = np.bincount(number, weights=np.exp(log_weights - most[number]))
    return held[first], most + np.log(total)


def _refuse_many(states: int, held: Held) -> None:
    if states > MOST_STATES or states * held.shape[1] * held.shape[2] > MOST_NUMBERS:
        raise UnsupportedError(
            "what the holders may have together is followed by its states, and they are too many",
            value=states,
            hint=f"observe more of it before the next move, or take approximate=True; at most "
            f"{MOST_STATES:,} are followed",
        )
