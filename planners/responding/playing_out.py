"""Games played out from given states by a policy: what everybody wins on average."""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...models.game import OVER, Game, States
from ...models.kernels.at_hand import NUMBA
from ...models.kernels.compiling import Wanted, compile_all, compile_now, plainly
from ...models.kernels.kernel import kernel, to_standard_error
from ...models.kernels.plain.twins import is_compiled
from ...models.kernels.randomness import Generator

#: The kernels of a game that playing out calls, in the order of `PlayoutRules`.
_OF_GAME: Final = ("legal", "apply", "returns", "policy")


class PlayoutRules(NamedTuple):
    """The kernels of a game that playing out calls."""

    legal: Any
    apply: Any
    returns: Any
    policy: Any


@kernel
def play_out(
    rules: PlayoutRules,
    tables: Any,
    states: Any,
    times: int,
    most: int,
    random: Generator,
    actions: Any,
    totals: Any,
) -> None:
    """Play every state on to the end of the game, several times.

    Args:
        rules: The game's kernels.
        tables: Its tables.
        states: Where games begin.
        times: So often from each.
        most: Most actions of a game; one that goes on counts 0 for everybody.
        random: A generator.
        actions: int32, room for the codes of legal actions.
        totals: float64[states, players], what everybody wins is added.
    """
    now = states[:1].copy()
    values = np.zeros(totals.shape[1])
    for place in range(len(states)):
        for _ in range(times):
            now[0] = states[place]
            state = now[0]
            ply = 0
            while state.player != OVER and ply < most:
                count = rules.legal(state, tables, actions)
                choice = rules.policy(state, actions, count, tables, random)
                rules.apply(state, actions[choice], tables, random)
                ply += 1
            if state.player == OVER:
                rules.returns(state, tables, values)
                for player in range(len(values)):
                    totals[place, player] += values[player]


class PlayoutMeans:
    """Games of one kind played out by a policy, as plain Python until it is compiled.

    Args:
        game: The game.
        policy: What its players do; None for the game's own policy of playouts.

    >>> import sleuth
    >>> from sleuth.kit import generator
    >>> from sleuth.planners.responding.playing_out import PlayoutMeans
    >>> kuhn = sleuth.game("kuhn_poker")
    >>> PlayoutMeans(kuhn).means(kuhn.initial(seed=1), 1_000, generator(1)).round().tolist()
    [[-1.0, 1.0]]
    """

    def __init__(self, game: Game, policy: Any = None) -> None:
        self.game = game
        self._handed: list[Wanted] = [
            (
                (name == "policy" and policy) or getattr(game, name),
                game.signatures[name],
            )
            for name in _OF_GAME
        ]
        self._ready: Callable[..., Any] | None = None

    def means(self, states: States, times: int, random: Generator) -> NDArray[np.float64]:
        """The mean winnings of everybody from each state; shape (states, players)."""
        game = self.game
        totals = np.zeros((len(states), game.players))
        actions = np.zeros(game.max_actions, dtype=np.int32)
        call = self._compiled() or self._plain()
        call(game.tables, states, times, game.max_depth, random, actions, totals)
        return totals / times

    def prepare(self) -> None:
        """Compile what is needed, if that is to be waited for."""
        self._compiled()

    def _plain(self) -> Callable[..., Any]:
        def at_last(_: PlayoutRules, *arguments: Any) -> Any:
            found = self._compiled(always=True)
            assert found is not None
            return found(*arguments)

        call = plainly(play_out, self._wanted, at_last)
        rules = PlayoutRules(*(each for each, _ in self._handed))
        return lambda *arguments: call(rules, *arguments)

    def _compiled(self, *, always: bool = False) -> Callable[..., Any] | None:
        if self._ready is None and (always or compile_now(self._wanted)):
            if self._wanted:
                self._ready = self._warm()
            else:
                rules = PlayoutRules(*(each for each, _ in self._handed))
                self._ready = lambda *arguments: play_out(rules, *arguments)
        return self._ready

    def _warm(self) -> Callable[..., Any]:
        from ...models.kernels.by_address import handle  # which needs numba

        compile_all(self._wanted, f"playouts of {self.game.name}", to_standard_error)
        function: Any = play_out
        entry = function.overloads[self._signature.args].entry_point
        rules = PlayoutRules(*(handle(each, signature) for each, signature in self._handed))
        return lambda *arguments: entry(rules, *arguments)

    @cached_property
    def _wanted(self) -> list[Wanted]:
        if NUMBA is None or not is_compiled(play_out):
            return []
        return [*self._handed, (play_out, self._signature)]

    @cached_property
    def _signature(self) -> Any:
        from ...models.kernels.by_address import KernelType  # which needs numba

        types, typeof = NUMBA.types, NUMBA.typeof
        kinds = [KernelType(signature) for _, signature in self._handed]
        return types.none(
            types.NamedTuple(kinds, PlayoutRules),
            typeof(self.game.tables),
            typeof(self.game.states(1)),
            types.int64,
            types.int64,
            types.Array(types.uint64, 1, "C"),
            types.Array(types.int32, 1, "C"),
            types.Array(types.float64, 2, "C"),
        )
