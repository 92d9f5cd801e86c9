"""The states a search starts from: drawn from a belief and filled into what the player sees.

A way to draw (`Draw`) is any callable that gives rows of hidden values: from a posterior, from a
list with or without weights, or a reader's own. The rows are written into copies of the player's
view by the game's ``fill`` kernel, so a search holds nothing that the player does not know.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...data.errors import SettingsError
from ...models.game import Game
from ...models.games import GAMES
from ...models.kernels.kernel import kernel
from ...models.kernels.randomness import Generator, key_of
from ...models.play import View
from ...models.rehearsal import PACKAGE, Origin, own_kernels
from .kernels.work import EVERYTHING, KEY, OBSERVER, Worlds

Rows = NDArray[np.int16]
Draw = Callable[[int, np.random.Generator], Rows]
"""(how many, generator) -> int16[n, columns], each row one value of what is hidden"""

_ROOT: Final = np.uint64(0x5DEECE66D)
_LOWEST: Final = -(2**15)
_HIGHEST: Final = 2**15 - 1


@dataclass(frozen=True, eq=False)
class WorldDraw:
    """A draw of a belief's worlds.

    Attributes:
        belief: Whose they are.
        rows: The draw itself.
    """

    belief: object
    rows: Draw

    def __call__(self, count: int, rng: np.random.Generator) -> Rows:
        return self.rows(count, rng)


@dataclass(frozen=True, eq=False)
class WorldList:
    """A draw among rows that are known: who wants to can take all of them instead.

    Attributes:
        rows: int16[n, columns].
        shares: float64[n], how likely each is; they add up to 1.
        maker: What made the list; None for a caller.
    """

    rows: Rows
    shares: NDArray[np.float64]
    _weights: NDArray[np.float64] | None
    maker: object = None

    def __call__(self, count: int, rng: np.random.Generator) -> Rows:
        return self.rows[rng.choice(len(self.rows), size=count, p=self._weights)]

    def each(self, most: int) -> list[tuple[Draw, float]]:
        """A draw of nothing but it, and its share, for each row that can be; none if too many."""
        places = np.flatnonzero(self.shares).tolist()
        if len(places) > most:
            return []
        one = np.ones(1)
        return [
            (
                WorldList(self.rows[place : place + 1], one, None, self.maker),
                float(self.shares[place]),
            )
            for place in places
        ]


def origin_of(draw: Draw, game: Game) -> Origin:
    """Whose rows a draw gives: a game's and a belief's that come with sleuth need no trial."""
    ours = game.name in GAMES and not own_kernels(game)
    if isinstance(draw, WorldDraw):
        same = ours and type(draw.belief) is GAMES[game.name].part("belief")
        return Origin.OURS if same else Origin.BELIEF
    if isinstance(draw, WorldList) and draw.maker is not None:
        module = str(getattr(draw.maker, "__module__", ""))
        return Origin.OURS if ours and module.startswith(PACKAGE) else Origin.FUNCTION
    if isinstance(draw, WorldList):
        return Origin.CALLER
    return Origin.OURS if draw is no_hidden_values else Origin.FUNCTION


def from_list(
    rows: ArrayLike, weights: ArrayLike | None = None, *, maker: object = None
) -> WorldList:
    """Draws among given rows: each equally likely, or by weight.

    Args:
        rows: Each one value of what is hidden.
        weights: How likely each is, on any scale; None: all the same.
        maker: What made the list; None for a caller.

    Raises:
        SettingsError: If there are none, they are not equally long rows of whole numbers of 16
            bits, or a weight is negative, not finite, or all are zero.

    >>> import numpy as np
    >>> from sleuth.search import from_list
    >>> draw = from_list([[0, 1, 2], [0, 2, 1]], weights=[3, 1])
    >>> draw(4, np.random.default_rng(1)).tolist()
    [[0, 1, 2], [0, 2, 1], [0, 1, 2], [0, 2, 1]]
    """
    table = np.atleast_2d(_array(rows, "rows must be equally long lists of whole numbers"))
    if table.ndim != 2 or table.size == 0:
        raise SettingsError("no rows to draw from", value=table.shape, hint="give one row or more")
    table = _of_16_bits(table, "a row").copy()  # later changes to the list change no draw
    shares = np.full(len(table), 1.0 / len(table))
    if weights is not None:
        given = _array(weights, "weights must be one number >= 0 for each row")
        if given.dtype.kind not in "iuf":
            raise SettingsError("weights must be one number >= 0 for each row", value=weights)
        given = given.astype(float)
        if given.shape != (len(table),) or not np.isfinite(given).all() or (given < 0).any():
            raise SettingsError("weights must be one number >= 0 for each row", value=given.shape)
        if not given.sum() > 0:
            raise SettingsError("all weights are zero", hint="one row must be possible")
        shares = given / given.sum()

    return WorldList(table, shares, None if weights is None else shares, maker)


def no_hidden_values(count: int, rng: np.random.Generator) -> Rows:
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
            continue
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
    random: Generator,
    asked: bool = True,
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
        random: For what a belief leaves open, such as the order of a stock.
        asked: Whether what players see is followed, to estimate what it tells them.
    """
    states = game.states(len(rows))
    # An observer knows the same in all of them.
    kinds = 1 if information == OBSERVER else len(rows)
    keys = np.full((kinds, game.players + 1), _ROOT, dtype=np.uint64)
    scratch = game.states(1)
    fill_worlds(
        *kernels,
        game.tables,
        view.states,
        rows,
        states,
        keys,
        # Where nodes have keys of the game's own, nobody asks what else was seen.
        OBSERVER if information == KEY and not asked else information,
        scratch,
        scratch.view(np.int32).reshape(-1),
        random,
    )
    return Worlds(states=states, keys=keys, classes=classes, state=scratch, known=game.states(0))


def root_actions(view: View, actions: Sequence[int] | None) -> NDArray[np.int32]:
    """The actions to choose from, in the order of their codes as far as the game keeps it."""
    legal = np.ascontiguousarray(view.legal(), dtype=np.int32)
    if actions is None:
        return legal
    wrong = set(actions) - set(legal.tolist())
    if wrong or not len(actions):
        raise SettingsError(
            "actions to choose from must be legal ones, at least one",
            value=sorted(wrong) if wrong else list(actions),
            hint="take them from view.legal()",
        )
    return np.array([action for action in legal.tolist() if action in set(actions)], np.int32)


def checked_rows(draw: Draw, count: int, rng: np.random.Generator) -> Rows:
    """Rows from a draw, as the kernels need them.

    Raises:
        SettingsError: If it is no function, or gives anything but ``count`` rows of whole numbers
            of 16 bits.
    """
    if not callable(draw):
        raise SettingsError(
            "a draw must be a function that gives what is hidden",
            value=cast(object, draw),
            hint="write drawn_from(belief, posterior), or from_list(rows) for your own",
        )
    drawn: Any = draw(count, rng)
    rows = _array(drawn, "a draw must give rows of equal length")
    if rows.ndim != 2 or len(rows) != count or rows.dtype.kind not in "iu":
        raise SettingsError(
            "a draw must give one row of whole numbers for each state",
            value=f"{rows.dtype}{rows.shape}",
            hint=f"return an int16 array of shape ({count}, columns)",
        )
    return _of_16_bits(rows, "a draw")


def _array(given: object, problem: str) -> NDArray[Any]:
    try:
        return np.asarray(given)
    except (ValueError, TypeError):
        raise SettingsError(
            problem, value=given, hint="write for instance [[0, 1], [1, 0]]"
        ) from None


def _of_16_bits(table: NDArray[Any], what: str) -> Rows:
    """The same numbers as int16, rows without gaps."""
    if table.dtype.kind not in "iu":
        raise SettingsError(
            f"{what} must be of whole numbers",
            value=table.tolist(),
            hint="write numbers of hidden values, such as [[0, 1], [1, 0]]",
        )
    if table.dtype != np.int16:
        wrong = table[(table < _LOWEST) | (table > _HIGHEST)]
        if wrong.size:
            raise SettingsError(
                f"{what} has a number that is out of range",
                value=int(wrong[0]),
                hint=f"hidden values are numbers from {_LOWEST} to {_HIGHEST}",
            )
    return np.ascontiguousarray(table, dtype=np.int16)
