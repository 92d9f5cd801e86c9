"""Whole games played from the deal, in which all players improve: an equilibrium by sampling.

A search from one decision takes what the others did so far as given, and comes to a pure strategy
however long it goes on. Here every game begins with the deal, and statistics stand at the players'
information sets. The policy that comes out is the average of all policies on the way: in two-player
zero-sum games it comes to an equilibrium (Lanctot et al. 2009; Zinkevich et al. 2007, theorem 2).
In other games it is play without guarantee.

>>> from sleuth import Budget
>>> from sleuth.equilibria import GameTree, WholeGameSearch, exploitability
>>> search = WholeGameSearch("kuhn_poker", seed=1)
>>> search.run(Budget(simulations=20_000)).simulations
20000
>>> tree = GameTree("kuhn_poker")
>>> exploitability(tree, search.policy(tree)).exploitability < 0.02
True
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from ...data.checks import number_within, whole_number
from ...data.errors import CostError, SettingsError, UnsupportedError
from ...data.progress import Tell, silent
from ...models.game import Game, too_deep
from ...models.games import GameEntry, game_from
from ...models.kernels.compiling import Say
from ...models.kernels.randomness import Generator, generator
from ...models.play import SeenPlay, View
from ...models.rehearsal import rehearse
from ..search.budget import Budget
from ..search.kernels.selection import selection_settings
from ..search.kernels.tree import EDGES, NODES, Tree, empty_tree, grown
from ..search.options import MOST_WORKERS
from ..search.runs.pacing import SMALL, Tick, Ticker, in_time, next_chunk, with_room, work_through
from .compiled import kernels_of, no_numbers
from .kernels.external import WALK_ROOM
from .kernels.memory import (
    BAD_POLICY,
    DONE,
    ITERATIONS,
    MOST_STEPS,
    NO_ROOM,
    STEPS,
    TOO_DEEP,
    TOO_WIDE,
    Memory,
    Target,
    WalkNumbers,
    memory_of,
    no_target,
)
from .known_sets import average_policies, came_by, known_keys
from .sampling import Sampling
from .saving import KeptSearch, KeptWorker, kept_file, read_kept, write_kept

if TYPE_CHECKING:
    from ..small_games.exploitability import GameTree

#: Iterations of the first call, before the speed is known; the same where there is a deadline.
_FIRST: Final = 256
_FIRST_IN_TIME: Final = 8
_FIRST_PLAIN: Final = 2
#: Iterations that are counted: a node's visits have 32 bits.
MOST_ITERATIONS: Final = 1 << 30
#: Deals that are drawn until one looks to everybody as it should; then any will do.
DEALS: Final = 256
#: Apart from other generators of the same seed.
_RANDOM: Final = 4


@dataclass(eq=False)
class Worker:
    """One thread's statistics and memory.

    Attributes:
        tree: The statistics.
        memory: For the lines.
        random: The generator of all draws.
        target: Lines through what a player has seen; none in a whole game.
        chunk: Iterations of one call of the kernel, as its speed allows; 0 before the first.
    """

    tree: Tree
    memory: Memory
    random: Generator
    target: Target
    chunk: int = 0

    @property
    def iterations(self) -> int:
        return int(self.memory.counters[ITERATIONS])


class WholeGameSearch:
    """A search of a whole game, which it samples from the deal on.

    Args:
        game: The game, its entry, or its name.
        method: See `Sampling`; or give ``sampling``.
        sampling: The method with all its numbers.
        seed: Of all draws. The same seed and workers give the same statistics, unless a budget is
            in seconds.
        workers: Threads, each with statistics of its own, which are added up.
        rival: A policy kernel (as ``game.policy``) that the others follow in a share of the
            iterations in which the hero improves: then the hero's policy comes to a restricted
            response (Johanson, Zinkevich and Bowling 2007).
        share: That share, from 0 to 1.
        hero: The player that responds to the rival.
        tail: The policy kernel beyond what is in memory; None for the game's own.

    Raises:
        SettingsError: A number makes no sense, there is no such game, or a rival has no hero.
        UnsupportedError: Another method than MCCFR is to respond to a rival.

    >>> import sleuth
    >>> from sleuth.equilibria import GameTree, WholeGameSearch
    >>> search = WholeGameSearch("leduc_poker", method="outcome", seed=1)
    >>> search.run(sleuth.Budget(simulations=1_000)).simulations
    1000
    >>> search.run(sleuth.Budget(simulations=500)).simulations  # it goes on
    1500
    >>> play = sleuth.Play.new("leduc_poker", seed=1)
    >>> round(float(search.probabilities(play.view(0), play.seen_by(0)).sum()), 9)
    1.0
    >>> search.came_by(play.view(0), play.seen_by(0))
    True
    >>> len(search.trees)  # of each worker
    1
    >>> search.nodes <= 288, search.steps > 1_500
    (True, True)
    >>> search.warm() in (True, False)  # whether compiled code is at hand
    True
    >>> search.stop()  # from another thread
    >>> len(search.policy(GameTree("leduc_poker")))
    288
    """

    def __init__(
        self,
        game: Game | GameEntry | str,
        *,
        method: str | None = None,
        sampling: Sampling | None = None,
        seed: int = 0,
        workers: int = 1,
        rival: Any = None,
        share: float = 0.0,
        hero: int = -1,
        tail: Any = None,
    ) -> None:
        self.game = game = game_from(game)
        rehearse(game)
        if sampling is not None and method is not None:
            raise SettingsError("give a method or a sampling, not both", value=method)
        self.sampling = sampling or Sampling(method=method or "external")
        whole_number(workers, "workers", least=1, most=MOST_WORKERS)
        number_within(share, "share", most=1.0, where="WholeGameSearch")
        if (rival is None) != (hero < 0) or hero >= game.players:
            raise SettingsError(
                "a rival needs a hero that responds to it, and a hero a rival",
                where="WholeGameSearch",
                value=hero,
                hint=f"write rival=game.policy, share=0.75, hero=0, at most {game.players - 1}",
            )
        if self.sampling.method not in ("external", "outcome") and rival is not None:
            raise UnsupportedError(
                "only MCCFR responds to a rival",
                where="WholeGameSearch",
                value=self.sampling.method,
                hint='write method="external" or method="outcome"',
            )
        if self.sampling.information == "key" and not game.has_key:
            raise SettingsError(
                "this game has no key of its own",
                where=f"game {game.name!r}",
                value="information='key'",
                hint='write information="players"',
            )
        self.seed, self.workers = seed, workers
        self.seconds = self.cpu_seconds = 0.0
        self.interrupted = self.full = False
        self.kernels = kernels_of(game, self.sampling, tail=tail, rival=rival)
        self._numbers = _numbers(game, self.sampling, share, hero)
        self._branches = [self._branch(number) for number in range(workers)]
        self._stop = threading.Event()

    # -- running

    @property
    def simulations(self) -> int:
        """Iterations so far, over all workers. In each of MCCFR every player improves once."""
        return sum(branch.iterations for branch in self._branches)

    @property
    def nodes(self) -> int:
        """Information sets in memory, over all workers."""
        return sum(int(branch.tree.used[NODES]) for branch in self._branches)

    @property
    def steps(self) -> int:
        """Decisions that all walks came to."""
        return sum(int(branch.memory.counters[STEPS]) for branch in self._branches)

    def warm(self, say: Say | None = None) -> bool:
        """Compile what is needed, unless nothing may be compiled; whether it is compiled."""
        return self.kernels.compiled(say, wait=True)

    def stop(self) -> None:
        """End `run` within a few hundredths of a second, or with the walk that goes on."""
        self._stop.set()

    def run(self, budget: Budget, progress: Tell = silent) -> WholeGameSearch:
        """Go on from what is there until a budget is used up. Ctrl-C stops it like `stop`.

        Args:
            budget: Counts from now on; ``nodes`` in all, for each worker.
            progress: Told about four times a second how many iterations were made.

        Returns:
            Itself.

        Raises:
            CostError: A walk of external sampling does not come to an end.
            SettingsError: A kernel of the game breaks its contract.
        """
        self.interrupted = self.full = False
        self.kernels.compiled()
        began, used = time.perf_counter(), time.process_time()
        total = int(budget.simulations or 0)
        ticker = Ticker(progress, "playing from the deal", lambda: self.simulations, total)
        jobs = zip(self._branches, self._shares(budget), strict=True)
        works = [partial(self._work, branch, share, budget, began) for branch, share in jobs]
        self.interrupted = work_through(works, self._stop, ticker)
        self.full = any(int(each.tree.used[NODES]) >= budget.nodes for each in self._branches)
        self.seconds += time.perf_counter() - began
        self.cpu_seconds += time.process_time() - used
        return self

    def _work(self, branch: Worker, share: int, budget: Budget, began: float, tick: Tick) -> None:
        """Bring a worker to its share, a chunk at a time."""
        left = budget.clock(began)
        timed = budget.most_seconds is not None
        chunk = branch.chunk or (_FIRST_IN_TIME if timed else _FIRST)
        if self.kernels.plain:
            chunk = min(chunk, _FIRST_PLAIN)
        while branch.iterations < share and not self._stop.is_set():
            before, start = branch.iterations, time.perf_counter()
            self._chunk(branch, min(before + in_time(chunk, left()), share), budget.nodes)
            took = time.perf_counter() - start
            chunk = branch.chunk = next_chunk(chunk, branch.iterations - before, took)
            tick()
            if left() <= 0.0:
                return

    def _chunk(self, branch: Worker, wanted: int, most_nodes: int) -> None:
        while True:
            answer = self.kernels.walk(
                self.game.tables,
                branch.tree,
                self._numbers,
                branch.memory,
                branch.target,
                branch.random,
                wanted,
                most_nodes,
            )
            if answer == DONE:
                return
            if answer == NO_ROOM:
                branch.tree = self._with_room(branch.tree, most_nodes)
                continue
            raise _broken(self.game, answer)

    def _shares(self, budget: Budget) -> list[int]:
        count = len(self._branches)
        if budget.simulations is None:
            return [MOST_ITERATIONS] * count
        share, more = divmod(int(budget.simulations), count)
        return [
            min(branch.iterations + share + (number < more), MOST_ITERATIONS)
            for number, branch in enumerate(self._branches)
        ]

    def _branch(self, number: int) -> Worker:
        game = self.game
        return Worker(
            tree=self._with_room(empty_tree(16, 16, best=True), MOST_ITERATIONS),
            memory=memory_of(game),
            random=generator(self.seed, _RANDOM, number),
            target=no_target(game),
        )

    def _with_room(self, tree: Tree, most_nodes: int) -> Tree:
        """The same tree with room for another iteration."""
        lines = WALK_ROOM if self.sampling.method == "external" else 1
        depth = lines * self.game.players * (self.game.max_depth + 1)
        nodes, edges = int(tree.used[NODES]), int(tree.used[EDGES])
        return grown(
            tree,
            with_room(len(tree.keys), min(nodes + depth, most_nodes)),
            with_room(len(tree.actions), edges + depth * self.game.max_actions, small=2 * SMALL),
        )

    @property
    def trees(self) -> list[Tree]:
        """The statistics of each worker."""
        return [branch.tree for branch in self._branches]

    def _lead(self, target: Target, share: float, trembles: float = 0.0) -> None:
        """Lead a share of the lines through what a player has seen.

        Args:
            target: These lines.
            share: From 0 to 1.
            trembles: See `WalkNumbers`.
        """
        self._numbers = self._numbers._replace(targeted=float(share), trembles=float(trembles))
        for branch in self._branches:
            branch.target = target

    def _fade(self, kept: float) -> None:
        """Let what was learned so far of policies count only so much of what it did."""
        for tree in self.trees:
            edges = int(tree.used[EDGES])
            tree.values[:edges] *= kept
            tree.squares[:edges] *= kept

    def _begin_with(self, public: np.uint64) -> None:
        """Deal so that everybody sees this of the start, see `known_sets.public_key`."""
        self._numbers = self._numbers._replace(public=public, tries=DEALS)

    def _limit(self, most_steps: int) -> None:
        """Let a walk of external sampling come to no more than so many decisions."""
        self._numbers = self._numbers._replace(most_steps=most_steps)

    # -- keeping it

    def save(self, path: str | Path) -> Path:
        """Write the statistics into a file, from which `load` goes on.

        Returns:
            The file, whose name ends in ``.npz``.

        Raises:
            SettingsError: It cannot be written.

        >>> import sleuth
        >>> from sleuth.equilibria import WholeGameSearch
        >>> search = WholeGameSearch("kuhn_poker", seed=1).run(sleuth.Budget(simulations=1_000))
        >>> search.save("kuhn").name
        'kuhn.npz'
        """
        file = kept_file(path)
        write_kept(self._kept(), file)
        return file

    @classmethod
    def load(
        cls,
        path: str | Path,
        *,
        game: Game | GameEntry | str | None = None,
        rival: Any = None,
        tail: Any = None,
    ) -> WholeGameSearch:
        """The search that `save` wrote, which goes on as if it had never stopped.

        Args:
            path: The file, with or without its ending.
            game: The game, where it does not come with sleuth.
            rival: The policy kernel of the search's rival, if it has one.
            tail: The policy kernel beyond what is in memory, if it is not the game's own.

        Raises:
            RecordError: The file cannot be read, is damaged, or is of another game.
            SettingsError: The search has a rival, and none is given; or the other way round.

        >>> import sleuth
        >>> from sleuth.equilibria import WholeGameSearch
        >>> search = WholeGameSearch("kuhn_poker", seed=1).run(sleuth.Budget(simulations=1_000))
        >>> again = WholeGameSearch.load(search.save("kuhn"))
        >>> again.run(sleuth.Budget(simulations=500)).simulations
        1500
        """
        kept = read_kept(kept_file(path), None if game is None else game_from(game))
        return cls._from_kept(kept, rival=rival, tail=tail)

    def copy(self) -> WholeGameSearch:
        """A search that goes on from what was learned here, apart from this one.

        It has no rival, and the game's own policy beyond what is in memory.

        Raises:
            SettingsError: This one has a rival.

        >>> import sleuth
        >>> from sleuth.equilibria import WholeGameSearch
        >>> search = WholeGameSearch("kuhn_poker", seed=1).run(sleuth.Budget(simulations=1_000))
        >>> search.copy().run(sleuth.Budget(simulations=500)).simulations, search.simulations
        (1500, 1000)
        """
        return self._from_kept(self._kept())

    def _kept(self) -> KeptSearch:
        workers = [
            KeptWorker(each.tree, each.memory.counters, each.random) for each in self._branches
        ]
        return KeptSearch(
            self.game, self.sampling, self.seed, self._numbers.share, self._numbers.hero,
            self.seconds, self.cpu_seconds, workers,
        )  # fmt: skip

    @classmethod
    def _from_kept(
        cls, kept: KeptSearch, *, rival: Any = None, tail: Any = None
    ) -> WholeGameSearch:
        made = cls(
            kept.game,
            sampling=kept.sampling,
            seed=kept.seed,
            workers=len(kept.workers),
            rival=rival,
            share=kept.share,
            hero=kept.hero,
            tail=tail,
        )
        made.seconds, made.cpu_seconds = kept.seconds, kept.cpu_seconds
        for branch, worker in zip(made._branches, kept.workers, strict=True):
            branch.tree = made._with_room(worker.tree, MOST_ITERATIONS)
            branch.memory.counters[:] = worker.counters
            branch.random[:] = worker.random
        return made

    # -- what was learned

    def policy(self, tree: GameTree) -> dict[int, NDArray[np.float64]]:
        """The average policy at every information set of a game that is written out.

        Where no walk has come by, all actions are equally likely.

        Raises:
            SettingsError: The tree is of another game.
            UnsupportedError: Two information sets look alike: a player remembers more than they
                were shown.
        """
        if tree.game.name != self.game.name or tree.game.settings != self.game.settings:
            raise SettingsError(
                "the tree is of another game", value=tree.game.name, where=self.game.name
            )
        keys = self._keys(tree)
        if self.sampling.information == "players" and len(np.unique(keys)) < len(keys):
            raise UnsupportedError(
                "two information sets look alike", where=f"game {self.game.name!r}"
            )
        return tree.of_shares(average_policies(self.trees, keys, tree.counts))

    def probabilities(self, view: View, seen: SeenPlay) -> NDArray[np.float64]:
        """The average policy at a decision, for the legal actions in their order.

        Args:
            view: The state as the player to move sees it.
            seen: What they have seen so far.
        """
        keys = known_keys(self.game, view, seen, self.sampling.information)
        return average_policies(self.trees, keys[-1:], np.array([len(view.legal())], np.int64))

    def came_by(self, view: View, seen: SeenPlay) -> bool:
        """True if a walk came to a decision; else nothing is known there.

        Args:
            view, seen: As of `probabilities`.
        """
        return came_by(self.trees, known_keys(self.game, view, seen, self.sampling.information)[-1])

    def _keys(self, tree: GameTree) -> NDArray[np.uint64]:
        """The keys of the information sets of a tree."""
        if self.sampling.information == "players" and tree.keys is not None:
            return tree.keys
        sets, game = tree.information_sets, self.game
        lengths = np.array([len(known.played) for known in sets], np.int64)
        actions = np.zeros((len(sets), max(1, int(lengths.max(initial=0)))), np.int32)
        starts = game.states(len(sets))
        for place, known in enumerate(sets):
            starts[place] = known.start[0]
            actions[place, : len(known.played)] = known.played
        keys = np.zeros(len(sets), np.uint64)
        self.kernels.replay_keys(
            game.tables,
            self._numbers,
            memory_of(game),
            starts,
            actions,
            lengths,
            generator(0),
            keys,
        )
        return keys


def _numbers(game: Game, sampling: Sampling, share: float, hero: int) -> WalkNumbers:
    zero_sum = game.players == 2 and game.sum_of_returns == 0.0
    return no_numbers()._replace(
        by_key=int(sampling.information == "key"),
        zero_sum=int(zero_sum),
        exploration=_number(sampling.exploration),
        regret_power=_number(sampling.regret_power),
        average_power=_number(sampling.average_power),
        step=_number(sampling.baseline),
        lowest=float(game.lowest),
        scale=1.0 / float(game.highest - game.lowest),
        hero=hero,
        share=float(share),
        settings=selection_settings(_number(sampling.exploration), 0.0, True, sampling.mixing),
    )


def _number(given: float | None) -> float:
    return float(given or 0.0)


def _broken(game: Game, answer: int) -> SettingsError | CostError:
    where = f"game {game.name!r}"
    if answer == TOO_DEEP:
        return too_deep(game)
    if answer == BAD_POLICY:
        return SettingsError(
            "a policy took an action that is not there",
            where=where,
            hint="it must return an index from 0 to count - 1",
        )
    assert answer == TOO_WIDE
    return CostError(
        f"one walk of external sampling came to more than {MOST_STEPS:,} decisions",
        where=where,
        hint='write method="outcome", which follows one line',
    )
