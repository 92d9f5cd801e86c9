"""Every deal of a small game of Clue under house rules, weighed straight from those rules.

Nothing of the package is asked but what a viewer saw: cards are dealt one by one, a suggestion is
played again in every deal, and what comes of it there is compared with what was seen.
"""

from __future__ import annotations

import itertools

import numpy as np

from sleuth.games.clue import (
    CARDS,
    CASE_FILE,
    ROOMS,
    SUSPECTS,
    WEAPONS,
    Accusation,
    Look,
    SeenClue,
    Suggestion,
)
from sleuth.models.clue import FACE_DOWN, FACE_UP

from .clue_worlds import Array, Worlds, split

PLACE = {card: place for place, card in enumerate(CARDS)}


def house_worlds(game: SeenClue) -> Worlds:
    """The deals that a game leaves possible for its viewer, with their weights."""
    before = dealt(game)
    weights, out = before.weights, set[str]()
    for seen in game.events:
        event = seen.event
        if isinstance(event, Suggestion):
            weights = weights * answered(before, game, event, out)
        elif isinstance(event, Accusation):
            right = has_all(before, CASE_FILE, event.cards)
            weights = weights * (right if event.correct else ~right)
            if event.seen is not None and event.by == game.viewer:
                weights = weights * has_all(before, CASE_FILE, event.seen)
            if not event.correct:
                out.add(event.by)
        elif isinstance(event, Look) and event.by == game.viewer:
            weights = weights * has_all(before, FACE_DOWN, event.cards)
    kept = weights > 0.0
    return Worlds(before.holders, before.held[kept], weights[kept], before.listed)


def has_all(worlds: Worlds, holder: str, cards: tuple[str, ...]) -> Array:
    number = worlds.holders.index(holder)
    return np.all([worlds.held[:, PLACE[card]] == number for card in cards], axis=0)


def dealt(game: SeenClue) -> Worlds:
    """Every deal that fits the viewer's hand; each first player is as likely as another."""
    left = FACE_DOWN if game.rules.left_over != "face up" else FACE_UP
    holders = (*game.players, CASE_FILE, left)
    known = {card: holders.index(left) for card in game.face_up}
    known |= {card: holders.index(game.viewer) for card in game.own_hand}
    unknown = [place for place, card in enumerate(CARDS) if card not in known]
    sizes = [size for _, size in game.hand_sizes]
    parts: list[Array] = []
    weights: list[Array] = []
    for chance, hands in deals_around(sizes, 18 - len(game.face_up), left == FACE_DOWN):
        wanted = [
            (number, size)
            for number, (player, size) in enumerate(zip(game.players, hands, strict=True))
            if not (player == game.viewer and game.own_hand)
        ]
        if left == FACE_DOWN:
            wanted.append((len(game.players) + 1, 18 - sum(hands)))
        splits = split(len(unknown) - 3, wanted)
        these: list[Array] = []
        for triple in itertools.product(SUSPECTS, WEAPONS, ROOMS):
            file = [PLACE[card] for card in triple]
            if not set(file) <= set(unknown):
                continue
            rest = [place for place in unknown if place not in file]
            held = np.zeros((splits.shape[0], len(CARDS)), dtype=np.int8)
            for card, number in known.items():
                held[:, PLACE[card]] = number
            held[:, file] = holders.index(CASE_FILE)
            held[:, rest] = splits
            these.append(held)
        parts.append(np.concatenate(these))
        weights.append(np.full(parts[-1].shape[0], chance / parts[-1].shape[0]))
    held = np.concatenate(parts)
    total = np.concatenate(weights)
    return Worlds(holders, held, total * len(held) / total.sum(), len(held))


def deals_around(
    sizes: list[int | None], cards: int, left: bool
) -> list[tuple[float, tuple[int, ...]]]:
    """The hands that come of dealing cards one by one from each player on, and how likely."""
    if None not in sizes:
        return [(1.0, tuple(size for size in sizes if size is not None))]
    count = len(sizes)
    found: dict[tuple[int, ...], float] = {}
    for first in range(count):
        hands = [0] * count
        rounds = cards // count * count if left else cards
        for card in range(rounds):
            hands[(first + card) % count] += 1
        if all(size in (None, hand) for size, hand in zip(sizes, hands, strict=True)):
            found[tuple(hands)] = found.get(tuple(hands), 0.0) + 1.0
    return [(chance, hands) for hands, chance in found.items()]


def answered(worlds: Worlds, game: SeenClue, event: Suggestion, out: set[str]) -> Array:
    """P(what the viewer saw of the answer | deal), played again by the rules."""
    rules = game.rules
    place = game.players.index(event.by)
    order = [*game.players[place + 1 :], *game.players[:place]]
    if rules.player_out == "skipped":
        order = [player for player in order if player not in out]
    seen = {event.refuter: event.shown} | {each.player: each.shown for each in event.further}
    chance = np.ones(worlds.listed)
    asked = np.ones(worlds.listed, dtype=np.bool_)  # the deals in which this player is asked
    for player in order:
        number = worlds.holders.index(player)
        could = np.array([worlds.held[:, PLACE[card]] == number for card in event.cards])
        shows = asked & could.any(axis=0)
        if player in seen:
            chance = chance * shows
            shown = seen[player]
            if shown is not None:
                holds = could[event.cards.index(shown)]
                weight = holds / np.maximum(could.sum(axis=0), 1)
                chance = chance * (holds if player == game.viewer else weight)
        else:
            chance = chance * ~shows
        if rules.who_shows == "first":
            asked &= ~shows
    return chance
