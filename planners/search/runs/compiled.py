"""Compiling a search: the game's kernels, its selection and policy, and the simulation kernel.

The simulation kernel is compiled once for each game, with the game's kernels in it, whatever the
options: their kernels are handed to it as first-class functions. All of it is kept on disk.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ....models.game import everything
from ....models.kernels.at_hand import NUMBA
from ....models.kernels.compiling import Say, Wanted, compile_all, compile_now, plainly
from ....models.kernels.hash_table import enter_all
from ....models.kernels.kernel import to_standard_error
from ....models.kernels.plain.twins import is_compiled
from ..determinization import fill_worlds
from ..kernels.backup import no_evaluation
from ..kernels.selection import no_prior
from ..kernels.simulation import simulate
from ..kernels.work import Rules
from .branch import empty_arguments

if TYPE_CHECKING:
    from ....models.game import Game
    from ..options import Options


def selection_signature() -> Any:
    """The type of a selection kernel; None without numba."""
    if NUMBA is None:
        return None
    types = NUMBA.types
    numbers = types.Array(types.float64, 1, "C")
    random = types.Array(types.uint64, 1, "C")
    number = types.int64
    return number(numbers, numbers, numbers, numbers, number, number, numbers, random)


def prior_signature(game: Game) -> Any:
    """The type of a kernel of priors; None without numba."""
    if NUMBA is None:
        return None
    types = NUMBA.types
    state, actions, number, tables, _ = game.signatures["policy"].args
    return types.none(state, actions, number, tables, types.Array(types.float64, 1, "C"))


def evaluation_signature(game: Game) -> Any:
    """The type of an evaluation kernel; None without numba."""
    if NUMBA is None:
        return None
    types = NUMBA.types
    state, number, tables = game.signatures["mask"].args
    return types.float64(state, number, tables)


@dataclass(frozen=True)
class Compiled:
    """The two kernels of the search that depend on the game's types, ready to be called.

    numba would compile them again for the very kernels it is handed, faster by a quarter but
    anew for each game and option in every process; called like this they take any.

    Attributes:
        simulate: See `simulation.simulate`; its kernels are given by `rules`.
        fill_worlds: See `determinization.fill_worlds`, likewise.
        rules: The first argument of ``simulate``.
        fillers: The first arguments of ``fill_worlds``.
        seconds: How long it took to compile or load them.
        plain: Whether they are plain Python, which is slow.
    """

    simulate: Callable[..., int]
    fill_worlds: Callable[..., None]
    rules: Rules
    fillers: tuple[Any, ...]
    seconds: float
    plain: bool = False


@dataclass(frozen=True)
class KernelNeeds:
    """The kernels a search needs of its game and options.

    Attributes:
        simulating: The kernels that ``simulate`` is handed, with their signatures.
        filling: Those that ``fill_worlds`` is handed.
        entries: These two themselves.
        wanted: All of it, and what else is called.
    """

    simulating: list[Wanted]
    filling: list[Wanted]
    entries: list[Wanted]
    wanted: list[Wanted]


def needed(game: Game, options: Options) -> KernelNeeds:
    """The kernels to be compiled for a search."""
    signatures = game.signatures
    own: dict[str, Wanted] = {
        name: (getattr(game, name), signature) for name, signature in signatures.items()
    }
    simulating: list[Wanted] = [
        own["legal"],
        own["apply"],
        (seen_in_tree(game, options), signatures["observe"]),
        (options.own_returns or game.returns, signatures["returns"]),
        (options.evaluate or no_evaluation, evaluation_signature(game)),
        (options.policy or game.policy, signatures["policy"]),
        own["key"],
        (options.prior or no_prior, prior_signature(game)),
        (options.selection, selection_signature()),
    ]
    filling = [own["fill"], own["mask"]]
    if NUMBA is None or not is_compiled(simulate):
        return KernelNeeds(simulating, filling, [], [])
    entries: list[Wanted] = [
        (simulate, _simulation(game, [_type(game, *each) for each in simulating])),
        (fill_worlds, _filling(game, [_type(game, *each) for each in filling])),
    ]
    return KernelNeeds(
        simulating, filling, entries, [*simulating, *own.values(), *entries, _growing()]
    )


def _warm(game: Game, need: KernelNeeds, say: Say | None) -> Compiled:
    """Compile what a search needs, or load it."""
    start = time.perf_counter()
    if not need.entries:
        rules = Rules(*(function for function, _ in need.simulating))
        slow = NUMBA is None
        return Compiled(simulate, fill_worlds, rules, (game.fill, game.mask), 0.0, plain=slow)
    from ....models.kernels.by_address import handle  # which needs numba

    compile_all(need.wanted, f"{game.name} for the search", say or to_standard_error)
    return Compiled(
        *(function.overloads[signature.args].entry_point for function, signature in need.entries),
        rules=Rules(*(handle(function, signature) for function, signature in need.simulating)),
        fillers=tuple(handle(function, signature) for function, signature in need.filling),
        seconds=time.perf_counter() - start,
    )


class SearchKernels:
    """A search's kernels, which are plain Python as long as they are not compiled.

    Args:
        game: The game.
        options: The search's options.
    """

    def __init__(self, game: Game, options: Options) -> None:
        self._game, self._options = game, options
        self._compiled: Compiled | None = None

    @cached_property
    def _needed(self) -> KernelNeeds:
        return needed(self._game, self._options)

    @cached_property
    def _plain(self) -> Compiled:
        need = self._needed

        def simulated(*arguments: Any) -> int:
            compiled = self._at_last()
            return compiled.simulate(compiled.rules, *arguments[1:])

        def filled(*arguments: Any) -> None:
            compiled = self._at_last()
            compiled.fill_worlds(*compiled.fillers, *arguments[len(need.filling) :])

        return Compiled(
            plainly(simulate, need.wanted, simulated),
            plainly(fill_worlds, need.wanted, filled),
            Rules(*(function for function, _ in need.simulating)),
            tuple(function for function, _ in need.filling),
            0.0,
            plain=True,
        )

    def kernels(self) -> Compiled:
        """The kernels to call now."""
        return self.compiled() or self._plain

    def compiled(self, say: Say | None = None, *, wait: bool = False) -> Compiled | None:
        """The compiled kernels; None where they are not there yet and nobody waits for them.

        Args:
            say: Told what is going on, if it is waited for the compiler.
            wait: Whether to wait for it, unless it is said that nothing is compiled.
        """
        if self._compiled is None and compile_now(self._needed.wanted, wait=wait):
            self._compiled = _warm(self._game, self._needed, say)
        return self._compiled

    def _at_last(self) -> Compiled:
        self._compiled = self._compiled or _warm(self._game, self._needed, None)
        return self._compiled


def seen_in_tree(game: Game, options: Options) -> Any:
    """The kernel of what players see in the tree of a search."""
    return everything if options.information == "actions" else game.observe


def _type(game: Game, function: Any, signature: Any) -> Any:
    """The type of a kernel that is handed over: the game's own are compiled in, others called."""
    from ....models.kernels.by_address import KernelType, linked  # which needs numba

    own = any(function is getattr(game, name) for name in game.signatures)
    return (linked(function, signature) if own else None) or KernelType(signature)


def _simulation(game: Game, kernels: list[Any]) -> Any:
    """The signature of `simulate` for a game, its kernels being of these types."""
    types, typeof = NUMBA.types, NUMBA.typeof
    arguments = (typeof(each) for each in empty_arguments(game))
    random = types.Array(types.uint64, 1, "C")
    number = types.int64
    rules = types.NamedTuple(kernels, Rules)
    return number(rules, typeof(game.tables), *arguments, random, number, number)


def _growing() -> tuple[Any, Any]:
    """The kernel that a growing tree calls, with its signature: compiled before the clock runs."""
    types = NUMBA.types
    slots = types.Array(types.int32, 1, "C")
    keys = types.Array(types.uint64, 1, "C")
    return enter_all, types.none(slots, keys, types.int64)


def _filling(game: Game, kernels: list[Any]) -> Any:
    """The signature of `fill_worlds` for a game, its kernels being of these types."""
    types, typeof = NUMBA.types, NUMBA.typeof
    states = typeof(game.states(1))
    return types.none(
        *kernels,
        typeof(game.tables),
        states,
        typeof(np.zeros((1, 1), np.int16)),
        states,
        typeof(np.zeros((1, 1), np.uint64)),
        types.int64,
        states,
        typeof(np.zeros(1, np.int32)),
        types.Array(types.uint64, 1, "C"),
    )
