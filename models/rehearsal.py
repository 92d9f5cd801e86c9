"""Plain Python first: what a caller hands over is tried before compiled code gets it.

Compiled code does not see whether an index lies within its array: it reads or writes whatever is
there, or ends the interpreter. Plain Python looks. So the kernels of a reader's own game play a
game in plain Python before they are compiled (`rehearse`), and so does a state that a caller hands
over (`rehearse_from`). Rows for ``fill`` have one door: `checked_width` and `try_rows`.

Games that come with sleuth, and rows of their own beliefs, are checked by its tests; they cost
nothing here.
"""

from __future__ import annotations

from collections.abc import Generator as Yields
from collections.abc import Sequence
from contextlib import contextmanager, suppress
from enum import Enum
from typing import Any, Final, cast
from weakref import WeakKeyDictionary, WeakSet

import numpy as np
from numpy.typing import NDArray

from ..data.errors import SettingsError
from .game import HIDDEN, OVER, SPECTATOR, Game, States
from .kernels.plain.plain_call import as_plain
from .kernels.plain.twins import is_compiled, twin
from .kernels.randomness import Generator, below, generator


class Origin(Enum):
    """Whose rows they are, which says how many of them are tried by plain Python.

    Attributes:
        OURS: Of a belief that comes with sleuth, as its game does: none.
        BELIEF: Of a reader's belief: the first, and those with a number that is new in its column.
            A later row that puts known numbers together in a new way is not tried.
        FUNCTION: Of a caller's own function, which may give thousands for every decision: each,
            once in every view. From those that `BELIEF` would not try only a move is played on.
        CALLER: Of a caller's own list: each, once in every view.

    A row that is tried is filled in, and a few moves that are drawn are played on from there.
    """

    OURS = "ours"
    BELIEF = "belief"
    FUNCTION = "function"
    CALLER = "caller"


#: Moves of a game that is played in plain Python before any of it is compiled.
MOST_MOVES: Final = 64
#: Moves that are played on from a state or a row that is tried.
FEW_MOVES: Final = 12
#: Rows that are tried at first, of a belief or a function; later only those with a new number.
FIRST_ROWS: Final = 32

#: How the names of sleuth's modules begin.
PACKAGE: Final = f"{__name__.partition('.')[0]}."
_NUMBERS: Final = 2**16

_rehearsed: WeakSet[Game] = WeakSet()
_kernels: WeakSet[Any] = WeakSet()


def own_kernels(game: Game) -> bool:
    """True if any of a game's kernels is compiled, and a reader's own."""
    return any(_is_own(getattr(game, name)) for name in game.signatures)


def rehearse(game: Game) -> None:
    """Play a game in plain Python, once for each game, if any of its kernels is a reader's own.

    Raises:
        SettingsError: A kernel uses an index that is out of bounds, or divides by zero.
    """
    if not isinstance(game, Game):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise SettingsError(
            "a Game is needed", value=game, hint="of a GameEntry, write entry.game()"
        )
    if game in _rehearsed:
        return
    if own_kernels(game):
        _play(game, None, MOST_MOVES, f"game {game.name!r}, a game in plain Python")
    _rehearsed.add(game)


@contextmanager
def rehearsed_elsewhere(game: Game) -> Yields[None]:
    """While the block runs, a game is taken for rehearsed: by callers who look more closely."""
    before = game in _rehearsed
    _rehearsed.add(game)
    try:
        yield
    finally:
        if not before:
            _rehearsed.discard(game)


def rehearse_from(game: Game, states: States, actions: Sequence[int] = ()) -> None:
    """Play on in plain Python from a state that a caller handed over.

    Args:
        game: The game.
        states: The state, in an array of one.
        actions: What is done as long as it is legal; then a few moves are drawn.

    Raises:
        SettingsError: It is no state of this game, something in it is HIDDEN, or a kernel uses
            something in it as an index that is out of bounds.
    """
    check_state(game, states)
    where, given = f"game {game.name!r}, a state to start from", states
    _refuse_hidden(given, where, "hand over a whole state: a view has no truth to play from")
    player = int(given["player"][0])
    if player == OVER:
        return  # nothing is played on from there
    if not 0 <= player < game.players:
        raise SettingsError("a game starts with a player's move", where=where, value=player)
    if any(is_compiled(getattr(game, name)) for name in game.signatures):
        _play(game, given[:1], FEW_MOVES, where, actions, may_be_stuck=True)


def rehearse_kernel(function: Any, game: Game, name: str, *arguments: Any) -> None:
    """Call a kernel beside the game's own in plain Python, once, if it is a reader's own.

    Args:
        function: The kernel, such as an evaluation; None for none.
        game: The game.
        name: What it is called, for the error.
        arguments: As it is handed them; it gets copies of arrays.

    Raises:
        SettingsError: It uses an index that is out of bounds.
    """
    if function is None or not _is_own(function) or function in _kernels:
        return
    handed: list[Any] = []
    for each in arguments:
        if isinstance(each, np.ndarray):
            copy = as_plain(cast(Any, each).copy())
            # A state comes in an array of one.
            handed.append(copy if copy.dtype.names is None else copy[0])
        else:
            handed.append(as_plain(each))
    with suppress(_Undecided), _watched(name, f"game {game.name!r}"):
        twin(function)(*handed)
    _kernels.add(function)


def check_state(game: Game, states: States) -> None:
    """Refuse what is no array of states of a game.

    Raises:
        SettingsError: ``states`` is no array of states of the game, or is empty.
    """
    where, kind = f"game {game.name!r}", getattr(states, "dtype", None)
    if getattr(kind, "fields", None) != game.state.fields:
        raise SettingsError(
            "this is no state of the game",
            where=where,
            value=str(kind or type(states).__name__),
            hint="take it from game.initial(seed), or fill game.states(1)",
        )
    if states.ndim != 1 or len(states) < 1:
        raise SettingsError(
            "a state is handed over in an array of one", where=where, value=states.shape
        )


def same_start(game: Game, seed: int, states: States) -> bool:
    """True if a state is the one that the game itself starts with."""
    check_state(game, states)
    return states[:1].tobytes() == game.initial(seed).tobytes()


def checked_width(game: Game, rows: NDArray[Any], columns: int | None = None) -> None:
    """Refuse rows that are not as wide as the game, or its belief, says.

    Args:
        game: The game.
        rows: Shape (n, columns).
        columns: How many a belief gives; None if that is not known.

    Raises:
        SettingsError: They have more or fewer columns.
    """
    wanted = columns if game.columns is None else game.columns
    if wanted is not None and rows.shape[1] != wanted:
        raise SettingsError(
            "rows must have one number for everything that is hidden",
            where=f"game {game.name!r}",
            value=rows.shape[1],
            hint=f"give {wanted} columns, as the game's belief does",
        )


def filled(
    game: Game, view: States, rows: NDArray[np.int16], random: Generator, origin: Origin
) -> States:
    """A masked state filled with each row, after `try_rows`.

    Args:
        game: The game.
        view: The masked state, in an array of one.
        rows: int16[n, columns], in rows without gaps.
        random: For what rows leave open.
        origin: Whose rows they are.

    Raises:
        SettingsError: As `try_rows`.
    """
    try_rows(game, view, rows, origin)
    states = game.states(len(rows))
    states[:] = view[0]
    # Records of NumPy's own kind of arrays are slow to get.
    records = states.view(np.ndarray) if is_compiled(game.fill) else as_plain(states)
    for number, row in enumerate(rows):
        game.fill(records[number], row, game.tables, random)
    return states


def try_rows(game: Game, view: States, rows: NDArray[np.int16], origin: Origin) -> None:
    """Fill rows into a masked state by plain Python, and play on from there.

    Nothing is tried where ``fill`` is plain Python anyway.

    Args:
        game: The game.
        view: The masked state, in an array of one.
        rows: int16[n, columns].
        origin: Whose rows they are.

    Raises:
        SettingsError: Rows are not as wide as the game says, ``fill`` cannot take one, leaves
            something HIDDEN, or makes a state that a kernel cannot take; with the row.
    """
    checked_width(game, rows)
    if origin is Origin.OURS or not is_compiled(game.fill):
        return
    tried = _tried.setdefault(game, _Tried())
    new = tried.new_numbers(rows)
    # How many moves are played on from each.
    moves = np.where(new, FEW_MOVES, 1 if origin is Origin.FUNCTION else 0)
    if tried.few or origin is not Origin.BELIEF:
        moves[: len(moves) if origin is Origin.CALLER else FIRST_ROWS] = FEW_MOVES
    if origin is Origin.BELIEF:
        tried.few = False
    else:
        seen = view.tobytes()
        moves[[not tried.enter((seen, row.tobytes())) for row in rows]] = 0
    try:
        for place in np.flatnonzero(moves).tolist():
            with suppress(_Undecided):
                _try_row(game, view, rows[place], int(moves[place]))
    except SettingsError:
        del _tried[game]  # asked again, it is refused again
        raise


def _try_row(game: Game, view: States, row: NDArray[np.int16], moves: int) -> None:
    where = f"game {game.name!r}, row {row.tolist()}"
    states, tables = view.copy(), as_plain(game.tables)
    with _watched("fill", where):
        twin(game.fill)(as_plain(states)[0], row.copy(), tables, generator(0))
    _refuse_hidden(states, where, "a row has a number for everything that is hidden")
    _play(game, states, moves, where)


class _Tried:
    """The rows of one game that were tried.

    Attributes:
        few: Whether none of a belief were tried yet.
    """

    #: Views and rows that are remembered; then they are tried again.
    MOST: Final = 100_000

    def __init__(self) -> None:
        self.few = True
        self._numbers = np.zeros((0, _NUMBERS), dtype=np.bool_)
        self._rows: set[tuple[bytes, bytes]] = set()

    def new_numbers(self, rows: NDArray[np.int16]) -> NDArray[np.bool_]:
        """The rows with a number that its column did not have before; of several alike the first.

        Shape (n,). They count as tried from now on.
        """
        count: int = rows.shape[1]
        columns = np.arange(count)
        if len(self._numbers) < count:
            more = np.zeros((count - len(self._numbers), _NUMBERS), dtype=np.bool_)
            self._numbers = np.concatenate((self._numbers, more))
        numbers = np.ascontiguousarray(rows).view(np.uint16)
        found: NDArray[np.bool_] = np.logical_not(self._numbers[columns, numbers].all(axis=1))
        for place in np.flatnonzero(found).tolist():
            found[place] = not self._numbers[columns, numbers[place]].all()
            self._numbers[columns, numbers[place]] = True
        return found

    def enter(self, row: tuple[bytes, bytes]) -> bool:
        """True if a row was not tried in a view before; it counts as tried from now on."""
        if len(self._rows) >= self.MOST:
            self._rows.clear()
        before = len(self._rows)
        self._rows.add(row)
        return len(self._rows) > before


_tried: WeakKeyDictionary[Game, _Tried] = WeakKeyDictionary()


def _play(
    game: Game,
    start: States | None,
    most: int,
    where: str,
    given: Sequence[int] = (),
    *,
    may_be_stuck: bool = False,
) -> None:
    """Play a game in plain Python and ask every kernel after each move: those given, then some.

    A start from which nobody can move is let pass where it ``may_be_stuck``: it can be looked at.
    """
    kernels = {name: twin(getattr(game, name)) for name in game.signatures}
    tables, random = as_plain(game.tables), generator(0)
    states = game.states(1) if start is None else start.copy()
    states = np.asarray(states).view(np.recarray)
    state = as_plain(states)[0]
    draw, everybody = twin(below), (*range(game.players), SPECTATOR)

    def call(name: str, handed: Any, *arguments: Any) -> Any:
        with _watched(name, where):
            return kernels[name](handed, *arguments)

    try:
        if start is None:
            call("start", state, tables, random)
        for move in range(len(given) + most):
            for viewer in everybody:
                call("mask", as_plain(states.copy())[0], viewer, tables)
            player = int(state.player)
            if player == OVER:
                call("returns", state, tables, np.zeros(game.players))
                return
            if game.has_key:
                call("key", state, player, tables)
            actions = np.zeros(game.max_actions, dtype=np.int32)
            count = int(call("legal", state, tables, actions))
            if count == 0 and move == 0 and start is not None and may_be_stuck:
                return
            if not 1 <= count <= game.max_actions:
                raise SettingsError(
                    "the number of legal actions is out of bounds",
                    where=where,
                    value=count,
                    hint=f"1 to max_actions, which is {game.max_actions}; check_game says more",
                )
            call("policy", state, actions, count, tables, random)
            action = int(actions[draw(random, count)])
            if move < len(given):
                if given[move] not in actions[:count]:
                    return  # whoever plays it is told
                action = given[move]
            call("apply", state, action, tables, random)
            for viewer in everybody:
                call("observe", state, action, player, viewer, tables)
    except _Undecided:
        return


class _Undecided(Exception):
    """Plain Python cannot go on here, as where a number overflows: compiled code decides.

    It raises what a kernel raises itself, such as a KeyError, or does not compile, as with a
    TypeError. What it would pass over in silence is refused before; see `_watched`.
    """


@contextmanager
def _watched(name: str, where: str) -> Yields[None]:
    """Reports a kernel's exception in plain Python, if compiled code would not notice it."""
    try:
        with np.errstate(all="ignore"):
            yield
    except IndexError as error:
        raise SettingsError(
            f"{name!r} uses an index that is out of bounds: {error}",
            where=where,
            hint="compiled code would not notice it; check_game says more of a game of your own",
        ) from error
    except ZeroDivisionError as error:
        raise SettingsError(
            f"{name!r} divides by zero",
            where=where,
            hint="compiled code would go on with another number; ask first whether it is zero",
        ) from error
    except Exception as error:
        raise _Undecided from error


def _is_own(function: Any) -> bool:
    """True if a kernel is compiled, and none of sleuth's."""
    return is_compiled(function) and not function.py_func.__module__.startswith(PACKAGE)


def _refuse_hidden(states: States, where: str, hint: str) -> None:
    hidden = [name for name in states.dtype.names or () if np.any(states[name] == HIDDEN)]
    if hidden:
        raise SettingsError(
            "something is HIDDEN in a state that must be whole",
            where=where,
            value=", ".join(hidden),
            hint=hint,
        )
