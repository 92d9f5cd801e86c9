"""Information sets in the statistics of a search: their names, and what stands there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...models.game import SPECTATOR, Game
from ...models.kernels.hash_table import slot_of
from ...models.kernels.randomness import mix
from ...models.play import SeenPlay, View, event_numbers, start_as_seen
from ...models.state_fields import words_of
from ..search.kernels.tree import ABSENT, Tree
from .kernels.known import key_of_moment, key_of_now, sight_key
from .kernels.memory import salt_of
from .kernels.statistics import add_averages

#: One of the kinds of information, see `Sampling`.
KEY: Final = "key"


def known_keys(game: Game, view: View, seen: SeenPlay, information: str) -> NDArray[np.uint64]:
    """The keys of what a player came to know, from the start, event after event.

    Args:
        game: The game.
        view: The state as the player to move sees it.
        seen: What they have seen so far.
        information: ``"players"`` or ``"key"``, see `Sampling`.

    Returns:
        uint64[events + 2]; the last one names their information set.
    """
    events = event_numbers(seen)
    known = np.zeros(len(events) + 2, np.uint64)
    start, now = words_of(start_as_seen(game, seen))[0], words_of(view.states)[0]
    key_of_moment(start, events, now, salt_of(game), view.viewer, known)
    if information == KEY:
        known[-1] = _by_key(game, view)
    return known


def keys_from_now(game: Game, view: View, information: str) -> NDArray[np.uint64]:
    """The same of a game that begins with what the player sees now: uint64[2]."""
    known = np.zeros(2, np.uint64)
    key_of_now(words_of(view.states)[0], salt_of(game), view.viewer, known)
    if information == KEY:
        known[-1] = _by_key(game, view)
    return known


def public_key(game: Game, seen: SeenPlay) -> np.uint64:
    """The key of what everybody sees of a start, from what one player saw of it."""
    start = game.masked(start_as_seen(game, seen), SPECTATOR)
    return np.uint64(sight_key(words_of(start)[0], salt_of(game)))


def average_policies(
    trees: Sequence[Tree], keys: NDArray[np.uint64], counts: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The average policies of information sets, one after the other.

    Args:
        trees: Statistics, which are added up.
        keys: The sets' names.
        counts: How many actions each has. Where nothing stands all are equally likely.
    """
    begins = np.cumsum(counts) - counts
    totals = np.zeros(int(counts.sum()))
    for tree in trees:
        add_averages(tree, keys, begins, counts, totals)
    sums = np.add.reduceat(totals, begins)
    known = np.repeat(sums > 0.0, counts)
    even = np.repeat(1.0 / counts, counts)
    return np.where(known, totals / np.repeat(np.where(sums > 0.0, sums, 1.0), counts), even)


def came_by(trees: Sequence[Tree], key: np.uint64) -> bool:
    """True if a walk came to an information set, and there was room for it in memory."""
    return any(tree.slots[int(slot_of(tree.slots, tree.keys, key))] != ABSENT for tree in trees)


def visits_and_values(
    trees: Sequence[Tree], key: np.uint64, count: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The visits of an information set's actions, and the values that their baselines say.

    Args:
        trees: Statistics, which are added up.
        key: The set's name.
        count: How many actions it has.

    Returns:
        int64[count]; float64[count] in the game's own units, NaN where nothing was taken.
    """
    visits, values = np.zeros(count, np.int64), np.zeros(count)
    for tree in trees:
        node = int(tree.slots[int(slot_of(tree.slots, tree.keys, key))])
        block = ABSENT if node == ABSENT else int(tree.blocks[node])
        if block != ABSENT and int(tree.block_count[block]) == count:
            taken = tree.edge_visits[block : block + count]
            visits += taken
            values += taken * tree.best[block : block + count]
    return visits, np.where(visits > 0, values / np.maximum(visits, 1), np.nan)


def _by_key(game: Game, view: View) -> np.uint64:
    """The name of an information set by the game's own key, and by what can be done."""
    key = int(game.key(view.states[0], view.viewer, game.tables))
    known = np.uint64(mix(np.uint64(0), key)) ^ np.uint64(view.viewer)
    for action in view.legal().tolist():
        known = np.uint64(mix(known, action))
    return known
