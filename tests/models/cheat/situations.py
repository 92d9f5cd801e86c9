"""Situations of Cheat made by hand, and a belief that knows nothing but what was seen."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sleuth import Game, Play
from sleuth.games.cheat import RANK_NAMES, SeenCheat, cheat, seen_game
from sleuth.models.cheat import action_name

GAME = cheat()
CODES = {action_name(code): code for code in range(18)}


def counts(cards: str) -> list[int]:
    """How many of each rank, from names such as "ace ace king"."""
    found = Counter(RANK_NAMES.index(name) for name in cards.split())
    return [found[rank] for rank in range(13)]


def ranks(cards: str) -> list[int]:
    return [RANK_NAMES.index(name) for name in cards.split()]


def situation(
    first_hand: str, second_hand: str, *, first: str = "7", draws: str = "", game: Game = GAME
) -> Play:
    """A game that begins with these hands and draws; the rest of the deck comes in rank order."""
    rules = game.tables.rules[0]
    states = game.initial(0)
    state = states[0]
    hands = [counts(first_hand), counts(second_hand)]
    for player, hand in enumerate(hands):
        state.hands[player] = hand
        state.sizes[player] = sum(hand)
    state.first = state.rank = state.rank_before = RANK_NAMES.index(first)
    rest = Counter({rank: int(rules.suits) for rank in range(int(rules.ranks))})
    for gone in (*hands[0:2], counts(first), counts(draws)):
        rest.subtract(dict(enumerate(gone)))
    assert min(rest.values()) >= 0
    order = ranks(draws) + sorted(rest.elements())
    state.left = len(order)
    state.deck[:] = -1
    state.deck[: len(order)] = order[::-1]
    return Play.new(game, seed=1, start=states)


def played(play: Play, *names: str) -> Play:
    for name in names:
        play.apply(CODES[name])
    return play


def hand(play: Play, player: int) -> list[str]:
    row = play.truth()[0].hands[player].tolist()
    return [RANK_NAMES[rank] for rank, count in enumerate(row) for _ in range(count)]


def legal_names(play: Play) -> set[str]:
    return {action_name(int(code)) for code in play.legal()}


class Guess:
    """Stands for a posterior: all a viewer has seen."""

    def __init__(self, seen: SeenCheat) -> None:
        self.seen = seen
        self.digest = hashlib.sha256(repr(seen).encode()).hexdigest()


class UniformBelief:
    """All cards that were not seen lie anyhow, but every second claim is true if it can be."""

    def infer(self, view: Any, seen: Any) -> Any:
        return Guess(seen_game(view))

    def hidden(self, view: Any) -> Mapping[str, Any]:
        return {}

    def worlds(self, posterior: Any, n: int, rng: np.random.Generator) -> NDArray[np.int16]:
        seen = posterior.seen
        total = seen.ranks * seen.suits
        rows = np.full((n, 2 * seen.ranks + 2 * total), -1, dtype=np.int16)
        for row in rows:
            self._world(seen, row, rng)
        return rows

    def _world(self, seen: SeenCheat, row: NDArray[np.int16], rng: np.random.Generator) -> None:
        rest = np.full(seen.ranks, seen.suits)
        if seen.aside or seen.since == 0:
            rest[seen.first] -= 1
        if seen.hand is not None:
            rest -= np.array(seen.hand)
        for turn in seen.pile_claims:
            for card in turn.cards or ():
                rest[card] -= 1
        place = 2 * seen.ranks
        for turn in seen.pile_claims:
            if turn.cards is None:
                if rest[turn.rank] >= turn.count and rng.random() < 0.5:
                    cards: Sequence[int] = [turn.rank] * turn.count
                else:
                    cards = drawn(rest, turn.count, rng)
                for card in cards:
                    rest[card] -= 1
                row[place : place + turn.count] = cards
            place += turn.count
        for player in range(2):
            if player != seen.viewer:
                cards = drawn(rest, seen.sizes[player], rng)
                held = np.bincount(cards, minlength=seen.ranks)
                row[player * seen.ranks : (player + 1) * seen.ranks] = held
                rest -= held


def drawn(rest: NDArray[Any], count: int, rng: np.random.Generator) -> list[int]:
    listed = np.repeat(np.arange(len(rest)), rest)
    return rng.choice(listed, size=count, replace=False).tolist()
