"""Iterative deepening: look one ply further each time, for as long as the limits allow.

Common to `alpha_beta` and `expectimax`. Where something is hidden, states are drawn from the
belief, every action of the player who decides is searched in each of them as if everything were
known there, and the values are averaged (Ginsberg 2001, "GIB: imperfect information in a
computationally challenging game"). An average over worlds believes that the player will know
later which world it is (strategy fusion, Frank and Basin 1998), so it can overrate actions that
only pay off for who knows; `Search` with one tree does not.

The dice of a game are drawn once wherever a search comes by: its values are exact for games
without dice only.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...data.checks import whole_number
from ...data.countdown import countdown
from ...data.errors import SettingsError
from ...models.game import Game, States, too_deep
from ...models.games import GameEntry, game_from
from ...models.kernels.at_hand import NUMBA
from ...models.kernels.compiling import Say, Wanted, compile_all, compile_now, plainly
from ...models.kernels.kernel import to_standard_error
from ...models.kernels.plain.twins import is_compiled
from ...models.kernels.randomness import generator
from ...models.play import View
from ...models.rehearsal import filled, rehearse, rehearse_kernel
from ..search.determinization import Draw, WorldList, checked_rows, origin_of, root_actions
from ..search.kernels.backup import no_evaluation
from ..search.runs.compiled import evaluation_signature
from .limits import Limits, LookAhead
from .star_minimax import (
    BAD_WEIGHTS,
    CHANCE,
    DONE,
    HORIZON,
    INSIDE,
    MAXIMISE,
    NODES,
    TASK,
    TOO_DEEP,
    Settings,
    Stack,
    Tasks,
    empty_stack,
    empty_tasks,
    explore,
    uniform_weights,
)

#: Seconds that one call of the kernel should take.
CHUNK: Final = 0.01
#: Nodes of the first call, before its speed is known.
FIRST_CHUNK: Final = 1_000
#: The same in plain Python.
FIRST_PLAIN: Final = 10
#: States drawn from the belief where something is hidden.
MOST_WORLDS: Final = 32


class Deepening:
    """A search to a certain depth over one game. Compiles at first use, once per machine.

    Args:
        game: The game, or its entry.
        allies: Players who maximise what the player who decides gets; None for their team.
        chance: Players whose decisions are taken for chance.
        evaluate: Kernel (state, player, tables) -> float: about what the player will get, where
            a line is broken off. None: the middle between the game's highest and lowest return.
        weigh: Kernel (state, actions, count, tables, weights): how likely chance takes each.
        worlds: Most states drawn from the belief.
        gives_up: Whether a line that is lost counts as lost. False takes its end for a line that
            is broken off. Enemies who are taken to know what is hidden win every line that is long
            enough; then all actions are worth the same, and only an evaluation tells them apart.
        prune, killers, history: See `star_minimax.Settings`.

    Raises:
        SettingsError: ``gives_up`` is False, and there is no evaluation.
    """

    def __init__(
        self,
        game: Game | GameEntry | str,
        *,
        allies: Sequence[int] | None = None,
        chance: Sequence[int] = (),
        evaluate: Any = None,
        weigh: Any = None,
        worlds: int = MOST_WORLDS,
        gives_up: bool = True,
        prune: bool = True,
        killers: bool = True,
        history: bool = True,
    ) -> None:
        whole_number(worlds, "worlds", least=1, most=2**31 - 2)
        if evaluate is None and not gives_up:
            raise SettingsError(
                "nothing says what lines that are lost are worth",
                value="gives_up=False",
                hint="give an evaluation, or leave gives_up out",
            )
        self.game = game_from(game)
        self._allies, self._chance = allies, chance
        self._kinds(None)
        self._evaluates = 0 if evaluate is None else 1 if gives_up else 2
        self._evaluate: Any = evaluate or no_evaluation
        self._weigh: Any = weigh or uniform_weights
        self._worlds = worlds
        self._switches = (int(prune), int(killers), int(history))
        self._explore: Callable[..., int] | None = None

    def warm(self, say: Say | None = None) -> None:
        """Compile what the search needs, or load it.

        Args:
            say: Told what is going on, only if something has to be compiled.
        """
        self._kernel(say, wait=True)

    def prepare(self) -> None:
        """Compile what the search needs, or have it compiled meanwhile."""
        self._kernel()

    @property
    def compiled(self) -> bool:
        """True if the search does not run as plain Python any more."""
        return self._explore is not None and NUMBA is not None

    @cached_property
    def _wanted(self) -> list[Wanted]:
        return _wanted(self.game, self._evaluate, self._weigh)

    def _kernel(self, say: Say | None = None, *, wait: bool = False) -> Callable[..., int]:
        """The kernel; plain Python as long as it is not compiled and nobody waits for it."""
        if self._explore is not None:
            return self._explore
        if not self._wanted:
            self._explore = explore
        elif compile_now(self._wanted, wait=wait):
            self._explore = self._compile(say)
        return self._explore or plainly(
            explore, self._wanted, lambda *arguments: self._compile(None)(*arguments)
        )

    def _compile(self, say: Say | None) -> Callable[..., int]:
        what = f"{self.game.name} for looking ahead"
        compile_all(self._wanted, what, say or to_standard_error)
        kernel, signature = self._wanted[-1]
        return kernel.overloads[signature.args].entry_point

    def decide(
        self,
        view: View,
        draw: Draw | None = None,
        limits: Limits | None = None,
        *,
        seed: int = 0,
        stop: threading.Event | None = None,
        actions: Sequence[int] | None = None,
    ) -> LookAhead:
        """Look ahead from what the player to move sees. Ctrl-C answers with what is known so far.

        One ply is always looked at.

        Args:
            view: What they see.
            draw: Draws what is hidden from their belief; None where nothing is.
            limits: How far to look; None for one second.
            seed: What is drawn depends on it.
            stop: Set from another thread, it ends the search.
            actions: The legal actions to choose from now; None for all.

        Raises:
            SettingsError: It is not their move, something is hidden and nothing drawn, an action is
                not legal, or weights are no probabilities on any scale.
        """
        limits = limits or Limits(seconds=1.0)
        rehearse(self.game)
        self.prepare()
        chosen = root_actions(view, actions)
        states, shares = self._roots(view, draw, seed)
        random = generator(seed, 2)
        averaged = len(states) > 1
        if averaged:
            tasks = self._after(states, chosen.tolist(), random)
        else:
            tasks = empty_tasks(states, self.game.max_depth + 1)
        self._rehearse(states[:1], chosen)
        settings = self._settings(view.viewer, chosen[:0] if averaged else chosen)
        walk = _Walk(self, self._explored, tasks, settings, limits, stop, random)
        depth, solved, values, lines = walk.deepen(averaged)
        if averaged:
            means = shares @ values.reshape(len(states), len(chosen))
            best = int(np.argmax(means))
            action = int(chosen[best])
            found = dict(zip(chosen.tolist(), means.tolist(), strict=True))
            line = [action, *lines[best]]
        else:
            line = lines[0]
            action = line[0]
            found = {action: float(values[0])}
        return LookAhead(
            action=action,
            name=self.game.action_name(action),
            value=found[action],
            values=found,
            depth=depth,
            solved=solved,
            nodes=walk.nodes,
            seconds=time.perf_counter() - walk.start,
            worlds=len(states),
            line=tuple(self.game.action_name(code) for code in line),
            interrupted=walk.interrupted,
        )

    def _kinds(self, player: int | None) -> NDArray[np.int8]:
        """The kind of everybody's decisions when a player decides: int8[players]; None for nobody.

        Raises:
            SettingsError: An ally, or a player taken for chance, does not exist.
        """
        viewer = () if player is None else (player,)
        mates = self._allies
        if mates is None:
            mates = () if player is None else team_of(self.game, player)
        kinds = np.zeros(self.game.players, np.int8)
        for option, players, kind in (
            ("chance", self._chance, CHANCE),
            ("allies", mates, MAXIMISE),
            ("viewer", viewer, MAXIMISE),
        ):
            for each in players:
                if not 0 <= each < self.game.players:
                    raise SettingsError(
                        f"{option} names a player that does not exist",
                        value=each,
                        hint=f"game {self.game.name!r} has players 0 to {self.game.players - 1}",
                    )
                kinds[each] = kind
        return kinds

    def _settings(self, player: int, actions: NDArray[np.int32]) -> Settings:
        """The kernel's settings when a player decides, among these actions if there are any."""
        prune, killers, history = self._switches
        return Settings(
            player=player,
            lowest=float(self.game.lowest),
            highest=float(self.game.highest),
            evaluates=self._evaluates,
            prune=prune,
            killers=killers,
            history=history,
            kinds=self._kinds(player),
            root=actions,
        )

    def _explored(
        self, tasks: Tasks, stack: Stack, settings: Settings, random: Any, depth: int, wanted: int
    ) -> int:
        """Call the kernel."""
        game = self.game
        return self._kernel()(
            game.legal,
            game.apply,
            game.returns,
            self._evaluate,
            self._weigh,
            game.tables,
            tasks,
            stack,
            settings,
            random,
            depth,
            wanted,
        )

    def _roots(self, view: View, draw: Draw | None, seed: int) -> tuple[States, Any]:
        """The different states it may be, and how likely each is among those drawn."""
        game = self.game
        if draw is None:
            if game.hides:
                raise SettingsError(
                    "something is hidden in this game, and nothing says what it may be",
                    where=f"game {game.name!r}",
                    hint="hand over a draw, such as determinization.from_list",
                )
            return view.states, np.ones(1)
        origin, random = origin_of(draw, game), generator(seed, 1)
        if isinstance(draw, WorldList):
            places = np.flatnonzero(draw.shares)
            states = filled(game, view.states, draw.rows[places], random, origin)
            return states, draw.shares[places]
        rng = np.random.default_rng([seed & 0xFFFF_FFFF_FFFF_FFFF, 1])
        rows = checked_rows(draw, self._worlds, rng)
        states = filled(game, view.states, rows, random, origin)
        as_bytes = states.view(np.uint8).reshape(len(states), -1)
        _, first, count = np.unique(as_bytes, axis=0, return_index=True, return_counts=True)
        return states[first], count / len(states)

    def _rehearse(self, states: States, actions: NDArray[np.int32]) -> None:
        """Call the kernels that were given in plain Python, those of a reader's own, once."""
        game, player = self.game, int(states[0].player)
        weights = np.zeros(game.max_actions)
        rehearse_kernel(self._evaluate, game, "evaluate", states, player, game.tables)
        arguments = (states, actions, len(actions), game.tables, weights)
        rehearse_kernel(self._weigh, game, "weigh", *arguments)

    def _after(self, states: States, actions: Sequence[int], random: Any) -> Tasks:
        """Each state after each action."""
        game = self.game
        after = game.states(len(states) * len(actions))
        for place in range(len(after)):
            world, choice = divmod(place, len(actions))
            after[place] = states[world]
            game.apply(after[place], actions[choice], game.tables, random)
        return empty_tasks(after, game.max_depth + 1)


class _Walk:
    """One decision on its way: the kernel's arrays, and when to stop."""

    def __init__(
        self,
        search: Deepening,
        explored: Callable[..., int],
        tasks: Tasks,
        settings: Settings,
        limits: Limits,
        stop: threading.Event | None,
        random: Any,
    ) -> None:
        self.search = search
        self.explored = explored
        self.tasks = tasks
        self.limits = limits
        self.stop = stop
        self.random = random
        self.settings = settings
        self.stack = empty_stack(search.game)
        self.start = time.perf_counter()
        self.left = countdown(limits.seconds, limits.cpu_seconds, start=self.start)
        self.interrupted = False
        self.chunk = FIRST_CHUNK if search.compiled else FIRST_PLAIN

    @property
    def nodes(self) -> int:
        return int(self.stack.counters[NODES])

    def deepen(self, averaged: bool) -> tuple[int, bool, NDArray[np.float64], list[list[int]]]:
        """The last depth that was finished, whether it was the end, its values and lines."""
        last = min(self.limits.depth or self.search.game.max_depth, self.search.game.max_depth)
        tasks, counters = self.tasks, self.stack.counters
        empty: list[list[int]] = [[] for _ in tasks.values]
        answer = (0, False, tasks.values.copy(), empty)
        for depth in range(1, last + 1):
            counters[TASK] = counters[INSIDE] = counters[HORIZON] = 0
            # States after the first action are one ply further on already.
            if not self._finish(depth - averaged, must=depth == 1):
                break
            lines: list[list[int]] = [
                tasks.lines[task, : tasks.lengths[task]].tolist()
                for task in range(len(tasks.values))
            ]
            solved = not counters[HORIZON]
            answer = (depth, solved, tasks.values.copy(), lines)
            if solved or self._over():
                break
        return answer

    def _finish(self, depth: int, must: bool) -> bool:
        """Search to one depth. False when the limits did not allow it."""
        while True:
            try:
                return self._search_on(depth, must)
            except KeyboardInterrupt:
                # What the kernel was at stands in its arrays: it is called again.
                self.interrupted = True
                if not must:
                    return False

    def _search_on(self, depth: int, must: bool) -> bool:
        while True:
            before, begun = self.nodes, time.perf_counter()
            wanted = before + self.chunk
            if self.limits.nodes is not None and not must:
                wanted = min(wanted, self.limits.nodes)
            answer = self.explored(
                self.tasks, self.stack, self.settings, self.random, depth, wanted
            )
            if answer == DONE:
                return True
            _check(answer, self.search.game)
            took = time.perf_counter() - begun
            made = self.nodes - before
            if made:
                self.chunk = max(1, min(int(CHUNK * made / max(took, 1e-6)), 4 * self.chunk))
            if not must and self._over():
                return False

    def _over(self) -> bool:
        """True if a limit is reached, or somebody stopped the search."""
        if self.stop is not None and self.stop.is_set():
            self.interrupted = True
        limits = self.limits
        full = limits.nodes is not None and self.nodes >= limits.nodes
        return self.interrupted or full or self.left() <= 0.0


def team_of(game: Game, player: int) -> tuple[int, ...]:
    """The members of a player's team; they alone where there are no teams."""
    side = game.side_of[player]
    return tuple(other for other, its in enumerate(game.side_of) if its == side)


def _check(answer: int, game: Game) -> None:
    where = f"game {game.name!r}"
    if answer == TOO_DEEP:
        raise too_deep(game)
    if answer == BAD_WEIGHTS:
        raise SettingsError(
            "weights of chance must be numbers >= 0, one of them greater",
            where=where,
            hint="write one for each of the legal actions",
        )


def weights_signature(game: Game) -> Any:
    """The type of a kernel of weights; None without numba."""
    if NUMBA is None:
        return None
    types = NUMBA.types
    state, tables, actions = game.signatures["legal"].args
    return types.none(state, actions, types.int64, tables, types.Array(types.float64, 1, "C"))


def _wanted(game: Game, evaluate: Any, weigh: Any) -> list[Wanted]:
    """The kernels to be compiled: last the one for a game's types, which can be handed any."""
    if NUMBA is None or not is_compiled(explore):
        return []
    types, typeof = NUMBA.types, NUMBA.typeof
    kernels = game.signatures
    settings = Settings(0, 0.0, 1.0, 0, 1, 1, 1, np.zeros(1, np.int8), np.zeros(0, np.int32))
    own = types.int64(
        types.FunctionType(kernels["legal"]),
        types.FunctionType(kernels["apply"]),
        types.FunctionType(kernels["returns"]),
        types.FunctionType(evaluation_signature(game)),
        types.FunctionType(weights_signature(game)),
        typeof(game.tables),
        typeof(empty_tasks(game.states(1), 1)),
        typeof(empty_stack(game)),
        typeof(settings),
        types.Array(types.uint64, 1, "C"),
        types.int64,
        types.int64,
    )
    wanted: list[Wanted] = [
        (getattr(game, name), kernels[name]) for name in ("legal", "apply", "returns")
    ]
    wanted += [(game.fill, kernels["fill"]), (game.mask, kernels["mask"])]
    wanted += [(evaluate, evaluation_signature(game)), (weigh, weights_signature(game))]
    return [*wanted, (explore, own)]
