"""Every deal of a small game of Clue, listed and weighed straight from the rules.

The lowest rung of the oracles after paper and pencil: NumPy and itertools, nothing of the
package but its events and the names of the cards.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from sleuth.games.clue import (
    CARDS,
    CASE_FILE,
    ROOMS,
    SUSPECTS,
    WEAPONS,
    Accusation,
    Has,
    Move,
    NotHas,
    OneOf,
    SeenClue,
    Suggestion,
)
from sleuth.models.clue import FACE_UP

Array = np.ndarray[Any, np.dtype[Any]]

# Shown rather first: rooms, weapons, suspects; each other card with probability 0.01.
PREFERENCE = ROOMS + WEAPONS + SUSPECTS
SLIP = 0.01


@dataclass(frozen=True)
class Worlds:
    """Deals and their weights.

    Attributes:
        holders: Players in turn order, the case file, and what lies face up.
        held: Number of the holder of every card, shape (deals, 21).
        weights: Weight of every deal, shape (deals,).
        listed: How many deals there were before any event.
    """

    holders: tuple[str, ...]
    held: Array
    weights: Array
    listed: int

    @property
    def log_evidence(self) -> float:
        return math.log(float(self.weights.sum()) / self.listed)

    def table(self) -> Array:
        """P(holder of card), shape (21, holders)."""
        total = float(self.weights.sum())
        result = np.zeros((len(CARDS), len(self.holders)))
        for card in range(len(CARDS)):
            for number in range(len(self.holders)):
                # A sum over a part of an array adds pairwise: a running sum is off by 1e-12.
                result[card, number] = self.weights[self.held[:, card] == number].sum() / total
        return result

    def case_file(self) -> Array:
        """P(suspect, weapon, room), shape (6, 6, 9)."""
        inside = self.held == self.holders.index(CASE_FILE)
        place = (
            54 * inside[:, :6].argmax(axis=1)
            + 9 * inside[:, 6:12].argmax(axis=1)
            + inside[:, 12:].argmax(axis=1)
        )
        order = np.argsort(place, kind="stable")
        bounds = np.searchsorted(place[order], np.arange(325))
        sums = [self.weights[order[first:last]].sum() for first, last in itertools.pairwise(bounds)]
        return np.array(sums).reshape(6, 6, 9) / float(self.weights.sum())


def worlds(game: SeenClue, choice: str = "random") -> Worlds:
    """The deals that a game leaves possible for its viewer, with their weights."""
    before = deals(game)
    held, weights = before.held, before.weights
    for seen in game.events:
        weights = weights * likelihood(before.holders, held, game, seen.event, choice)
        kept = weights > 0.0
        held, weights = held[kept], weights[kept]
    return Worlds(before.holders, held, weights, before.listed)


def deals(game: SeenClue) -> Worlds:
    """Every deal that fits the viewer's hand and the sizes of the others'."""
    holders = (*game.players, CASE_FILE, FACE_UP)
    known = {card: holders.index(FACE_UP) for card in game.face_up}
    known |= {card: holders.index(game.viewer) for card in game.own_hand}
    unknown = [place for place, card in enumerate(CARDS) if card not in known]
    sizes = [
        (number, int(size or 0))
        for number, (player, size) in enumerate(game.hand_sizes)
        if not (player == game.viewer and game.own_hand)
    ]
    assert sum(size for _, size in sizes) == len(unknown) - 3
    splits = split(len(unknown) - 3, sizes)
    parts: list[Array] = []
    for triple in itertools.product(range(6), range(6, 12), range(12, 21)):
        if not set(triple) <= set(unknown):
            continue
        rest = [place for place in unknown if place not in triple]
        held = np.zeros((splits.shape[0], len(CARDS)), dtype=np.int8)
        for card, number in known.items():
            held[:, CARDS.index(card)] = number
        held[:, list(triple)] = holders.index(CASE_FILE)
        held[:, rest] = splits
        parts.append(held)
    every = np.concatenate(parts)
    return Worlds(holders, every, np.ones(every.shape[0]), every.shape[0])


def split(cards: int, sizes: list[tuple[int, int]]) -> Array:
    """Every way to deal so many cards to hands of these sizes, shape (ways, cards)."""
    rows = [np.full(cards, -1, dtype=np.int8)]
    for number, size in sizes:
        after: list[Array] = []
        for row in rows:
            for hand in itertools.combinations(np.flatnonzero(row < 0), size):
                dealt = row.copy()
                dealt[list(hand)] = number
                after.append(dealt)
        rows = after
    return np.array(rows)


def likelihood(
    holders: tuple[str, ...], held: Array, game: SeenClue, event: Any, choice: str
) -> Array:
    """P(event | deal), up to what does not depend on the deal, shape (deals,)."""
    places = {card: place for place, card in enumerate(CARDS)}

    def has(player: str, card: str) -> Array:
        return held[:, places[card]] == holders.index(player)

    match event:
        case Suggestion():
            possible = np.ones(held.shape[0], dtype=np.bool_)
            for player in event.passed:
                for card in event.cards:
                    possible &= ~has(player, card)
            weights = possible.astype(float)
            if event.refuter is None:
                return weights
            could = np.array([has(event.refuter, card) for card in event.cards])
            if event.shown is None:
                return weights * could.any(axis=0)
            weights *= has(event.refuter, event.shown)
            if event.refuter == game.viewer or choice == "ignored":
                return weights
            count = np.maximum(could.sum(axis=0), 1)
            if choice == "random":
                return weights / count
            rank = PREFERENCE.index(event.shown)
            better = np.zeros(held.shape[0], dtype=np.bool_)
            for card, holds in zip(event.cards, could, strict=True):
                if PREFERENCE.index(card) < rank:
                    better |= holds
            return weights * np.where(better, SLIP, 1.0 - SLIP * (count - 1))
        case Accusation():
            right = np.all([has(CASE_FILE, card) for card in event.cards], axis=0)
            weights = (right if event.correct else ~right).astype(float)
            if event.seen is not None and event.by == game.viewer:
                weights *= np.all([has(CASE_FILE, card) for card in event.seen], axis=0)
            return weights
        case Has(player, card):
            return has(player, card).astype(float)
        case NotHas(player, card):
            return (~has(player, card)).astype(float)
        case OneOf(player, cards):
            return np.any([has(player, card) for card in cards], axis=0).astype(float)
        case Move():
            return np.ones(held.shape[0])
        case _:
            raise AssertionError(event)
