"""Compiling a search: the game's kernels, its selection and policy, and the simulation kernel.

The simulation kernel is compiled once for each game, with the game's kernels in it, whatever the
options: their kernels are handed to it as first-class functions. All of it is kept on disk.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numba
import numpy as np

from ..models.game import everything
from ..models.kernel import is_cached, to_standard_error
from .branch import empty_arguments
from .determinization import fill_worlds
from .handover import KernelType, handle, linked
from .selection import no_prior
from .simulation import simulate
from .slots import enter_all

if TYPE_CHECKING:
    from ..models.game import Game
    from .options import Options

Say = Callable[[str], None]


def selection_signature() -> Any:
    """The type of a selection kernel."""
    types = cast(Any, numba).types
    numbers = types.Array(types.float64, 1, "C")
    random = types.Array(types.uint64, 1, "C")
    number = types.int64
    return number(numbers, numbers, numbers, numbers, number, number, numbers, random)


def prior_signature(game: Game) -> Any:
    """The type of a kernel of priors."""
    types = cast(Any, numba).types
    state, actions, number, tables, _ = game.signatures["policy"].args
    return types.none(state, actions, number, tables, types.Array(types.float64, 1, "C"))


@dataclass(frozen=True)
class Compiled:
    """The two kernels of the search that depend on the game's types, ready to be called.

    numba would compile them again for the very kernels it is handed, faster by a quarter but
    anew for each game and option in every process; called like this they take any.

    Attributes:
        simulate: See `simulation.simulate`; its kernels are given by `kernels`.
        fill_worlds: See `determinization.fill_worlds`, likewise.
        kernels: The first arguments of ``simulate``.
        fillers: The first arguments of ``fill_worlds``.
        seconds: How long it took to compile or load them.
    """

    simulate: Callable[..., int]
    fill_worlds: Callable[..., None]
    kernels: tuple[Any, ...]
    fillers: tuple[Any, ...]
    seconds: float


def warm(game: Game, options: Options, say: Say | None = None) -> Compiled:
    """Compile what a search needs, or load it.

    Args:
        game: The game.
        options: The search's options.
        say: Told once what is going on, if anything has to be compiled.
    """
    start = time.perf_counter()
    signatures = game.signatures
    own: dict[str, tuple[Any, Any]] = {
        name: (getattr(game, name), signature) for name, signature in signatures.items()
    }
    simulating: list[tuple[Any, Any]] = [
        own["legal"],
        own["apply"],
        (seen_in_tree(game, options), signatures["observe"]),
        (options.own_returns or game.returns, signatures["returns"]),
        (options.policy or game.policy, signatures["policy"]),
        own["key"],
        (options.prior or no_prior, prior_signature(game)),
        (options.selection, selection_signature()),
    ]
    filling = [own["fill"], own["mask"]]
    if not hasattr(simulate, "compile"):
        kernels = tuple(function for function, _ in simulating)
        return Compiled(simulate, fill_worlds, kernels, (game.fill, game.mask), 0.0)
    entries: list[tuple[Any, Any]] = [
        (simulate, _simulation(game, [_type(game, *each) for each in simulating])),
        (fill_worlds, _filling(game, [_type(game, *each) for each in filling])),
    ]
    wanted: list[tuple[Any, Any]] = [*simulating, *own.values(), *entries, _growing()]
    needed = [each for each in wanted if each[1].args not in each[0].overloads]
    if not all(is_cached(function, signature) for function, signature in needed):
        (say or to_standard_error)(
            f"compiling {game.name} for the search (once on this machine; up to a minute)"
        )
    for function, signature in needed:
        function.compile(signature)
    return Compiled(
        *(function.overloads[signature.args].entry_point for function, signature in entries),
        kernels=tuple(handle(function, signature) for function, signature in simulating),
        fillers=tuple(handle(function, signature) for function, signature in filling),
        seconds=time.perf_counter() - start,
    )


def seen_in_tree(game: Game, options: Options) -> Any:
    """The kernel of what players see in the tree of a search."""
    return everything if options.information == "actions" else game.observe


def _type(game: Game, function: Any, signature: Any) -> Any:
    """How a kernel is handed over: the game's own are compiled in, an option's are called."""
    own = any(function is getattr(game, name) for name in game.signatures)
    return (linked(function, signature) if own else None) or KernelType(signature)


def _simulation(game: Game, kernels: list[Any]) -> Any:
    """The signature of `simulate` for a game, its kernels being of these types."""
    types = cast(Any, numba).types
    typeof = cast(Any, numba).typeof
    arguments = (typeof(each) for each in empty_arguments(game))
    random = types.Array(types.uint64, 1, "C")
    number = types.int64
    return number(*kernels, typeof(game.tables), *arguments, random, number, number)


def _growing() -> tuple[Any, Any]:
    """What a tree that grows calls, with its signature: compiled before the clock runs."""
    types = cast(Any, numba).types
    slots = types.Array(types.int32, 1, "C")
    keys = types.Array(types.uint64, 1, "C")
    return enter_all, types.none(slots, keys, types.int64)


def _filling(game: Game, kernels: list[Any]) -> Any:
    """The signature of `fill_worlds` for a game, its kernels being of these types."""
    types = cast(Any, numba).types
    typeof = cast(Any, numba).typeof
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
