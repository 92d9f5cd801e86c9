"""A search that has begun: chunks of simulations until a budget is used up or somebody stops it."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import numpy as np

from ....data.errors import SettingsError
from ....data.progress import Tell, silent
from ....models.game import Game, too_deep
from ..budget import Budget
from ..decision import Decision
from ..kernels.knowledge import more_knowledge
from ..kernels.tree import EDGES, FULL, NODES, Tree, grown
from ..kernels.work import (
    BAD_POLICY,
    DONE,
    FEW_ROWS,
    NEXT_WORLD,
    NO_ROOM,
    OBSERVER,
    TOO_DEEP,
)
from .asking import ASK_EVERY, ask_in_time, until_asking
from .branch import Branch
from .deciding import decide
from .pacing import SMALL, Tick, Ticker, in_time, next_chunk, with_room, work_through
from .run_state import RunState

#: Simulations of the first call, before the search's speed is known.
FIRST_CHUNK: Final = 1_024
#: The same where there is a deadline, which may be near.
FIRST_IN_TIME: Final = 64
#: The same in plain Python.
FIRST_PLAIN: Final = 4
#: Most simulations of one tree: its counts have 32 bits, and a node can be passed twice in one.
MOST_SIMULATIONS: Final = 1 << 30


@dataclass(eq=False)
class Run(RunState):
    """A search that has begun: it can go on, and can say at any time what it would do.

    Made by :meth:`Search.start`. `extend` from one thread, `stop` from any.
    """

    _stop: threading.Event = field(default_factory=threading.Event)

    def stop(self) -> None:
        """Ends `extend` within a few hundredths of a second; it returns as usual."""
        self._stop.set()

    def extend(self, budget: Budget, progress: Tell = silent) -> Run:
        """Search on, until the budget is used up. Ctrl-C stops it like :meth:`stop`.

        The trees are those of before, so nothing learned so far is lost.

        Args:
            budget: Counts from now on; ``nodes`` in all.
            progress: Told about four times a second how many simulations were made, and how many
                the budget allows: 0 where it sets no number.
        """
        self.interrupted = False
        self.full = False
        self._draw_more(budget)
        start = time.perf_counter()
        total = int(budget.simulations or 0)
        ticker = Ticker(progress, "searching", lambda: self.simulations, total)
        jobs = list(zip(self.branches, self._shares(budget), strict=True))
        workers = self.search.options.workers
        groups = (jobs[number::workers] for number in range(workers))
        works = [partial(self._work, group, budget, start) for group in groups]
        self.interrupted = work_through(works, self._stop, ticker)
        self.seconds += time.perf_counter() - start
        return self

    def decision(self) -> Decision:
        """The search's decision as of now.

        Raises:
            SettingsError: If no simulation was made yet.
            KeyboardInterrupt: If none was made because the run was interrupted before.
        """
        return decide(self)

    def _draw_more(self, budget: Budget) -> None:
        """Draw more states where more simulations are to come than were planned."""
        options = self.search.options
        for number, (branch, share) in enumerate(
            zip(self.branches, self._shares(budget), strict=True)
        ):
            branch.tree.used[FULL] = 0
            known = len(branch.worlds.states)
            if share is None and (planned := self.search.planned(budget)) is not None:
                share = -(-planned // len(self.branches))
            wanted = options.worlds if share is None else min(options.worlds, share)
            wanted -= wanted % branch.numbers.roots
            if options.trees or wanted <= known:
                continue
            more = self.search.draw_worlds(
                self, branch.numbers.information, number, known, wanted - known
            )
            states = self.search.game.states(wanted)
            states[:known], states[known:] = branch.worlds.states, more.states
            keys = [branch.worlds.keys, more.keys]
            if branch.numbers.information == OBSERVER:
                keys = keys[:1]
            branch.worlds = branch.worlds._replace(
                states=states,
                keys=np.concatenate(keys),
                classes=np.concatenate([branch.worlds.classes, more.classes]),
                state=more.state,
            )
            if known and branch.simulations:
                branch.work.counters[NEXT_WORLD] = known

    def _shares(self, budget: Budget) -> list[int | None]:
        """Simulations that each branch shall have in all; None for no limit."""
        if budget.simulations is None:
            return [None] * len(self.branches)
        count = len(self.branches)
        if self.worlds:
            return [
                min(branch.simulations + part, MOST_SIMULATIONS)
                for branch, part in zip(
                    self.branches,
                    _parts(int(budget.simulations), [weight for _, weight in self.worlds]),
                    strict=True,
                )
            ]
        share, more = divmod(int(budget.simulations), count)
        return [
            min(branch.simulations + share + (number < more), MOST_SIMULATIONS)
            for number, branch in enumerate(self.branches)
        ]

    def _work(
        self,
        jobs: list[tuple[Branch, int | None]],
        budget: Budget,
        began: float,
        tick: Tick,
    ) -> None:
        """Bring every branch to its share, a chunk at a time, in turns."""
        left = budget.clock(began)
        first = FIRST_CHUNK if budget.most_seconds is None else FIRST_IN_TIME
        chunk = self.search.chunk or first
        if self.search.compiled.plain:
            chunk = min(chunk, FIRST_PLAIN)
        open_jobs = list(jobs)
        while open_jobs and not self._stop.is_set():
            # Separate trees get equal parts of what time there is.
            for branch, share in list(open_jobs):
                wanted = branch.simulations + in_time(chunk // len(open_jobs), left())
                wanted = min(wanted, MOST_SIMULATIONS if share is None else share)
                before = branch.simulations
                start = time.perf_counter()
                self._chunk(branch, wanted, budget)
                took = time.perf_counter() - start
                made = branch.simulations - before
                if made:
                    chunk = next_chunk(chunk, made, took, parts=len(open_jobs))
                    self.search.chunk = chunk
                if branch.simulations >= (MOST_SIMULATIONS if share is None else share):
                    open_jobs.remove((branch, share))
                if left() <= 0.0 or self._stop.is_set():
                    return
            tick()

    def _chunk(self, branch: Branch, wanted: int, budget: Budget) -> None:
        game, ask, most_nodes = self.search.game, self.objective.ask, budget.nodes
        asks = ask if branch.numbers.asks else None
        timed = budget.most_seconds is not None
        while True:
            until = branch.widen(wanted)
            if asks is not None:
                until = min(until, until_asking(branch.simulations, timed=timed))
            began = time.perf_counter()
            compiled = self.search.compiled
            answer = compiled.simulate(
                compiled.rules,
                game.tables,
                branch.worlds,
                branch.tree,
                branch.knowledge,
                branch.numbers,
                branch.work,
                branch.random,
                until,
                most_nodes,
            )
            branch.clocks.simulating += time.perf_counter() - began
            if answer == DONE and asks is not None and branch.simulations % ASK_EVERY == 0:
                share = self.objective.share if timed else None
                ask_in_time(branch, game, asks, share, self.objective.rows)
            if answer == DONE and until < wanted:
                continue
            if answer == DONE:
                self.full = self.full or bool(branch.tree.used[FULL])
                return
            if answer == TOO_DEEP:
                raise too_deep(game)
            if answer == BAD_POLICY:
                raise SettingsError(
                    "a playout policy took an action that is not there",
                    where=f"game {game.name!r}",
                    hint="it must return an index from 0 to count - 1",
                )
            if answer == FEW_ROWS:
                branch.knowledge = more_knowledge(branch.knowledge)
                continue
            assert answer == NO_ROOM
            branch.tree = _with_room(branch.tree, game, most_nodes)


def _parts(count: int, weights: list[float]) -> list[int]:
    """A number in whole parts by weights that add up to 1; the largest remainders go up."""
    exact = np.array(weights) * count
    parts = np.floor(exact).astype(int)
    order = np.argsort(parts - exact, kind="stable")
    parts[order[: count - int(parts.sum())]] += 1
    return parts.tolist()


def _with_room(tree: Tree, game: Game, most_nodes: int) -> Tree:
    """The same tree with room for another simulation."""
    nodes, edges = int(tree.used[NODES]), int(tree.used[EDGES])
    wanted = min(nodes + game.players + 1, most_nodes)
    return grown(
        tree,
        # No more nodes are made than are allowed, so no larger arrays are needed.
        max(len(tree.keys), min(with_room(len(tree.keys), wanted), most_nodes)),
        with_room(len(tree.actions), edges + game.max_depth * game.max_actions, small=2 * SMALL),
    )
