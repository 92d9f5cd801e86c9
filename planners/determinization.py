"""The states a search starts from: drawn from a belief and filled into what the player sees.

A way to draw (`Draw`) is any callable that gives rows of hidden values: from a posterior, from a
list with or without weights, or a reader's own. The rows are written into copies of the player's
view by the game's ``fill`` kernel, so a search holds nothing that the player does not know.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..data.errors import SettingsError
from ..models.game import Game
from ..models.kernel import kernel
from ..models.play import View
from ..models.randomness import generator, key_of
from .simulation import EVERYTHING, OBSERVER, Worlds

Rows = NDArray[np.int16]
Draw = Callable[[int, np.random.Generator], Rows]
"""(how many, generator) -> int16[n, columns], each row one value of what is hidden"""

_ROOT: Final = np.uint64(0x5DEECE66D)


def from_list(rows: ArrayLike, weights: ArrayLike | None = None) -> Draw:
    """Draws among given rows: each equally likely, or by weight.

    Raises:
        SettingsError: If there are none, or a weight is negative, not finite, or all are zero.
    """
    table = np.array(rows, dtype=np.int16, ndmin=2)
    if table.ndim != 2 or len(table) == 0:
        raise SettingsError("no rows to draw from", value=table.shape, hint="give one row or more")
    shares: NDArray[np.float64] | None = None
    if weights is not None:
        given = np.asarray(weights, dtype=float)
        if given.shape != (len(table),) or not np.isfinite(given).all() or (given < 0).any():
            raise SettingsError("weights must be one number >= 0 for each row", value=given.shape)
        if not given.sum() > 0:
            raise SettingsError("all weights are zero", hint="one row must be possible")
        shares = given / given.sum()

    def draw(count: int, rng: np.random.Generator) -> Rows:
        return table[rng.choice(len(table), size=count, p=shares)]

    return draw


def nothing_hidden(count: int, rng: np.random.Generator) -> Rows:
    """Draws for a game in which nothing is hidden."""
    return np.zeros((count, 1), dtype=np.int16)


@kernel
def fill_worlds(
    fill: Any,
    mask: Any,
    tables: Any,
    view: Any,
    rows: Any,
    states: Any,
    keys: Any,
    information: int,
    scratch: Any,
    scratch_words: Any,
    random: Any,
) -> None:
    """Write a row into each of ``states``, and what each player knows there into ``keys``."""
    players = keys.shape[1] - 1
    for i in range(len(rows)):
        states[i] = view[0]
        fill(states[i], rows[i], tables, random)
        if information == OBSERVER:
            continue  # he knows the same in all of them
        scratch[0] = states[i]
        keys[i, players] = key_of(scratch_words)
        if information == EVERYTHING:
            continue
        for player in range(players):
            scratch[0] = states[i]
            mask(scratch[0], player, tables)
            keys[i, player] = key_of(scratch_words)


def worlds(
    fill_worlds: Callable[..., None],
    kernels: tuple[Any, ...],
    game: Game,
    view: View,
    rows: Rows,
    *,
    information: int,
    classes: NDArray[np.int32],
    seed: int,
) -> Worlds:
    """The states a tree starts from.

    Args:
        fill_worlds: The kernel of that name, compiled for the game.
        kernels: The game's ``fill`` and ``mask`` as it wants them.
        game: The game.
        view: What the player sees.
        rows: One value of what is hidden for each state.
        information: What nodes stand for; see `simulation`.
        classes: For each row the number of the hidden variable's value.
        seed: For what a belief leaves open, such as the order of a stock.
    """
    states = game.states(len(rows))
    keys = np.full((len(rows), game.players + 1), _ROOT, dtype=np.uint64)
    scratch = game.states(1)
    fill_worlds(
        *kernels,
        game.tables,
        view.states,
        rows,
        states,
        keys,
        information,
        scratch,
        scratch.view(np.int32).reshape(-1),
        generator(seed),
    )
    return Worlds(states=states, keys=keys, classes=classes)


def checked_rows(draw: Draw, count: int, rng: np.random.Generator) -> Rows:
    """Rows from a draw, as the kernels need them.

    Raises:
        SettingsError: If the draw gives anything but ``count`` rows of small whole numbers.
    """
    drawn: Any = draw(count, rng)
    rows = np.asarray(drawn)
    if rows.ndim != 2 or len(rows) != count or rows.dtype.kind not in "iu":
        raise SettingsError(
            "a draw must give one row of whole numbers for each state",
            value=f"{rows.dtype}{rows.shape}",
            hint=f"return an int16 array of shape ({count}, columns)",
        )
    return np.ascontiguousarray(rows, dtype=np.int16)
