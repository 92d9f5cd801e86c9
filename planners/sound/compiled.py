"""Compiling walks from the deal, with the game's kernels in them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Final
from weakref import WeakKeyDictionary

import numpy as np

from ...models.game import Game
from ...models.kernels.at_hand import NUMBA
from ...models.kernels.compiling import Say, Wanted, compile_all, compile_now, plainly
from ...models.kernels.kernel import to_standard_error
from ...models.kernels.plain.twins import is_compiled
from ..search.kernels.selection import selection_settings
from ..search.kernels.tree import empty_tree
from ..search.runs.compiled import selection_signature
from .kernels.known import replay_keys
from .kernels.memory import MOST_STEPS, WalkNumbers, WalkRules, memory_of, no_target
from .sampling import METHODS, Sampling

#: The kernels of a game that walks call, in the order of `WalkRules`.
_OF_GAME: Final = ("start", "legal", "apply", "observe", "returns", "mask", "key", "policy")


class WalkKernels:
    """The kernels of walks through a game, which are plain Python until they are compiled.

    Args:
        game: The game.
        sampling: The method.
        tail: The policy beyond what is in memory; None for the game's own.
        rival: The policy of a rival; None for none.
    """

    def __init__(
        self, game: Game, sampling: Sampling, *, tail: Any = None, rival: Any = None
    ) -> None:
        self._game = game
        self._walk, select = METHODS[sampling.method]
        policy = game.signatures["policy"]
        self._handed: list[Wanted] = [
            *((getattr(game, name), game.signatures[name]) for name in _OF_GAME[:-1]),
            (tail or game.policy, policy),
            (rival or game.policy, policy),
            (select, selection_signature()),
        ]
        self._ready: dict[str, Callable[..., Any]] = {}

    @property
    def plain(self) -> bool:
        """True if the walk is plain Python as of now."""
        return self._walk.__name__ not in self._ready or NUMBA is None

    def compiled(self, say: Say | None = None, *, wait: bool = False) -> bool:
        """True if everything is compiled now; see `SearchKernels.compiled`."""
        return all(
            self._compiled(function, say, wait) is not None
            for function in (self._walk, replay_keys)
        )

    def walk(self, *arguments: Any) -> int:
        """Call the kernel of the method: its arguments but for the rules."""
        return self._call(self._walk)(*arguments)

    def replay_keys(self, *arguments: Any) -> None:
        """Call the kernel of that name, likewise."""
        self._call(replay_keys)(*arguments)

    def _call(self, function: Any) -> Callable[..., Any]:
        found = self._compiled(function, None, False)
        if found is not None:
            return found
        plain_rules = WalkRules(*(each for each, _ in self._handed))

        def at_last(*arguments: Any) -> Any:
            compiled = self._compiled(function, None, True, always=True)
            assert compiled is not None
            return compiled(*arguments[1:])

        call = plainly(function, self._wanted(function), at_last)
        return lambda *arguments: call(plain_rules, *arguments)

    def _compiled(
        self, function: Any, say: Say | None, wait: bool, *, always: bool = False
    ) -> Callable[..., Any] | None:
        name = function.__name__
        if name not in self._ready:
            wanted = self._wanted(function)
            if not (always or compile_now(wanted, wait=wait)):
                return None
            if not wanted:
                rules = WalkRules(*(each for each, _ in self._handed))
                self._ready[name] = lambda *arguments: function(rules, *arguments)
            else:
                self._ready[name] = self._warm(function, wanted, say)
        return self._ready[name]

    def _warm(self, function: Any, wanted: list[Wanted], say: Say | None) -> Callable[..., Any]:
        from ...models.kernels.by_address import handle  # which needs numba

        compile_all(wanted, f"{self._game.name} from the deal", say or to_standard_error)
        entry = function.overloads[self._signature(function).args].entry_point
        rules = WalkRules(*(handle(each, signature) for each, signature in self._handed))
        return lambda *arguments: entry(rules, *arguments)

    def _wanted(self, function: Any) -> list[Wanted]:
        if NUMBA is None or not is_compiled(function):
            return []
        return [*self._handed, (function, self._signature(function))]

    @cached_property
    def _types(self) -> tuple[Any, ...]:
        from ...models.kernels.by_address import KernelType, linked  # which needs numba

        def kind(function: Any, signature: Any) -> Any:
            own = any(function is getattr(self._game, name) for name in _OF_GAME)
            return (linked(function, signature) if own else None) or KernelType(signature)

        typeof = NUMBA.typeof
        game = self._game
        rules = NUMBA.types.NamedTuple([kind(*each) for each in self._handed], WalkRules)
        return (
            rules,
            typeof(game.tables),
            typeof(empty_tree(16, 16, best=True)),
            typeof(no_numbers()),
            typeof(memory_of(game)),
            typeof(no_target(game)),
            NUMBA.types.Array(NUMBA.types.uint64, 1, "C"),
        )

    def _signature(self, function: Any) -> Any:
        types = NUMBA.types
        rules, tables, tree, numbers, memory, target, random = self._types
        if function is self._walk:
            number = types.int64
            return number(rules, tables, tree, numbers, memory, target, random, number, number)
        states = NUMBA.typeof(self._game.states(1))
        return types.none(
            rules,
            tables,
            numbers,
            memory,
            states,
            types.Array(types.int32, 2, "C"),
            types.Array(types.int64, 1, "C"),
            random,
            types.Array(types.uint64, 1, "C"),
        )


_known: WeakKeyDictionary[Game, dict[tuple[Any, ...], WalkKernels]] = WeakKeyDictionary()


def kernels_of(
    game: Game, sampling: Sampling, *, tail: Any = None, rival: Any = None
) -> WalkKernels:
    """The kernels of walks through a game, the same ones whoever asks: they are made once."""
    made = _known.setdefault(game, {})
    wanted = sampling.method, tail, rival
    if wanted not in made:
        made[wanted] = WalkKernels(game, sampling, tail=tail, rival=rival)
    return made[wanted]


def no_numbers() -> WalkNumbers:
    """The numbers of walks for which nothing is wanted."""
    return WalkNumbers(
        by_key=0,
        zero_sum=0,
        exploration=0.0,
        regret_power=0.0,
        average_power=0.0,
        step=0.0,
        lowest=0.0,
        scale=1.0,
        hero=-1,
        share=0.0,
        public=np.uint64(0),
        tries=0,
        targeted=0.0,
        trembles=0.0,
        most_steps=MOST_STEPS,
        settings=selection_settings(0.0, 0.0, True),
    )
