"""Information-set Monte Carlo tree search over any game, from what one player knows.

>>> from sleuth.models.kuhn_poker import kuhn_poker
>>> from sleuth.models.play import Play
>>> from sleuth.planners import Budget, Search
>>> from sleuth.planners.determinization import from_list
>>> game = kuhn_poker()
>>> play = Play.new(game, seed=4)
>>> view = play.view(play.player)
>>> mine = int(view.states[0].cards[0])
>>> others = [card for card in range(3) if card != mine]
>>> worlds = [[0 if c == mine else 1 if c == his else 2 for c in range(3)] for his in others]
>>> search = Search(game)
>>> decision = search.decide(view, from_list(worlds), Budget(simulations=2_000), seed=1)
>>> decision.simulations
2000

The search is handed a view and a way to draw what is hidden; it has no access to anything else.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..data.errors import SettingsError
from ..models.game import Game
from ..models.play import View
from ..models.randomness import generator
from . import compiled
from .budget import Budget
from .decision import Decision
from .determinization import Draw, checked_rows, nothing_hidden, worlds
from .histograms import MOST_CLASSES, Histograms, empty_histograms
from .objective import VALUE, Objective
from .report import decide
from .selection import uct
from .simulation import (
    DONE,
    EVERYTHING,
    KEY,
    NO_ROOM,
    OBSERVER,
    PLAYERS,
    PLIES,
    SIMULATIONS,
    TOO_DEEP,
    Numbers,
    Work,
    Worlds,
    simulate,
)
from .tree import Tree, empty_tree, grown

INFORMATION: Final = {
    "observer": OBSERVER,
    "players": PLAYERS,
    "everything": EVERYTHING,
    "key": KEY,
}
COMBINE: Final = ("vote", "average")

#: Seconds that one call of a kernel should take: time to react, without much overhead.
CHUNK: Final = 0.025
#: Simulations of the first call, before its speed is known.
FIRST_CHUNK: Final = 2_048
#: States drawn from the belief, unless a search makes fewer simulations.
MOST_WORLDS: Final = 4_096

Progress = Callable[[int, float], None]
"""(simulations so far, seconds so far)"""


@dataclass(frozen=True, kw_only=True, eq=False)
class Options:
    """How a search goes about it; the same for all games.

    Attributes:
        selection: A kernel of `selection`, or one of your own with the signature of ``uct``.
        exploration: C, the weight of what has been tried little.
        bias_weight: W, the weight of Progressive History.
        by_availability: Whether exploration counts, for each action, only the simulations in
            which it was legal.
        information: What a node stands for: ``"observer"`` (what the searching player saw: one
            tree), ``"players"`` (what the player to move saw: a tree for each), or ``"key"``
            (the game's own abstraction).
        trees: 0 for one tree over all states drawn; else so many separate trees, each for one
            state, as if everything were known there.
        combine: How separate trees decide: ``"vote"`` (each for its best action) or
            ``"average"`` (of the values).
        history: Whether actions are averaged over all simulations; Progressive History needs it.
        policy: The kernel of playouts; None for the game's own.
        searched: For each player whether his actions are selected by the search; those of the
            others follow the playout policy in the tree too. None: all.
        credits: The weights of all players' returns in each player's credit, [player, player];
            None: everyone for himself. Coalition Reduction and teams are such weights.
        credit: The kernel of returns that are credited; None for the game's ``returns``.
        discount: Factor on a return for each ply until it is reached.
        worlds: Most states drawn from the belief.
        workers: Threads, each with a tree of its own; their roots are added up.
    """

    selection: Any = uct
    exploration: float = 0.7
    bias_weight: float = 5.0
    by_availability: bool = True
    information: str = "observer"
    trees: int = 0
    combine: str = "vote"
    history: bool = False
    policy: Any = None
    searched: tuple[bool, ...] | None = None
    credits: ArrayLike | None = None
    credit: Any = None
    discount: float = 1.0
    worlds: int = MOST_WORLDS
    workers: int = 1

    def __post_init__(self) -> None:
        if self.information not in INFORMATION:
            raise SettingsError(
                "no such kind of information",
                value=self.information,
                hint=f"known: {', '.join(INFORMATION)}",
            )
        if self.combine not in COMBINE:
            raise SettingsError(
                "no such way to combine trees",
                value=self.combine,
                hint=f"known: {', '.join(COMBINE)}",
            )
        for name, least in (("trees", 0), ("worlds", 1), ("workers", 1)):
            value = getattr(self, name)
            if not isinstance(value, int) or value < least:
                raise SettingsError(f"{name} must be a whole number >= {least}", value=value)
        if not 0 < self.discount <= 1:
            raise SettingsError("discount must be in (0, 1]", value=self.discount)
        for name in ("exploration", "bias_weight"):
            value = getattr(self, name)
            if not (np.isfinite(value) and value >= 0):
                raise SettingsError(f"{name} must be a number >= 0", value=value)


@dataclass
class Branch:
    """One tree with the states it starts from, as it grows.

    Attributes:
        worlds, tree, histograms, numbers, work, random: See `simulation`.
    """

    worlds: Worlds
    tree: Tree
    histograms: Histograms
    numbers: Numbers
    work: Work
    random: NDArray[np.uint64]

    @property
    def simulations(self) -> int:
        return int(self.work.counters[SIMULATIONS])


@dataclass(eq=False)
class Run:
    """A search that has begun: it can go on, and can say at any time what it would do.

    Made by :meth:`Search.start`. `extend` from one thread, `stop` from any.
    """

    search: Search
    view: View
    objective: Objective
    seed: int
    draw: Draw
    actions: NDArray[np.int32]
    branches: list[Branch] = field(default_factory=list[Branch])
    seconds: float = 0.0
    interrupted: bool = False
    full: bool = False
    _stop: threading.Event = field(default_factory=threading.Event)

    @property
    def simulations(self) -> int:
        """How many simulations were made so far."""
        return sum(branch.simulations for branch in self.branches)

    @property
    def plies(self) -> int:
        """How many actions were simulated so far."""
        return sum(int(branch.work.counters[PLIES]) for branch in self.branches)

    def stop(self) -> None:
        """Ends `extend` within a few hundredths of a second; it returns as usual."""
        self._stop.set()

    def extend(self, budget: Budget, progress: Progress | None = None) -> Run:
        """Search on, until the budget is used up. Ctrl-C stops it like :meth:`stop`.

        The trees are those of before, so nothing learned so far is lost.

        Args:
            budget: Counts from now on; ``nodes`` in all.
            progress: Called about four times a second.
        """
        self._stop.clear()
        self.interrupted = False
        start = time.perf_counter()
        ticker = _Ticker(progress, start, self)
        shares = self._shares(budget)
        deadline = None if budget.seconds is None else start + budget.seconds
        jobs = list(zip(self.branches, shares, strict=True))
        workers = self.search.options.workers
        groups = [jobs[number::workers] for number in range(workers)]
        try:
            if workers == 1:
                self._work(groups[0], deadline, budget.nodes, ticker)
            else:
                with ThreadPoolExecutor(workers) as pool:
                    futures = [
                        pool.submit(self._work, group, deadline, budget.nodes, None)
                        for group in groups
                    ]
                    try:
                        while not all(future.done() for future in futures):
                            time.sleep(CHUNK / 5)
                            ticker.tick()
                    except KeyboardInterrupt:
                        self._stop.set()
                    for future in futures:
                        future.result()
        except KeyboardInterrupt:
            self._stop.set()
        self.interrupted = self._stop.is_set()
        self.seconds += time.perf_counter() - start
        return self

    def decision(self) -> Decision:
        """What the search would do now.

        Raises:
            SettingsError: If no simulation was made yet.
        """
        return decide(self)

    def _shares(self, budget: Budget) -> list[int | None]:
        """Simulations that each branch shall have in all; None for no limit."""
        if budget.simulations is None:
            return [None] * len(self.branches)
        count = len(self.branches)
        share, more = divmod(int(budget.simulations), count)
        return [
            branch.simulations + share + (number < more)
            for number, branch in enumerate(self.branches)
        ]

    def _work(
        self,
        jobs: list[tuple[Branch, int | None]],
        deadline: float | None,
        most_nodes: int,
        ticker: _Ticker | None,
    ) -> None:
        """Bring every branch to its share, a chunk at a time, in turns."""
        chunk = FIRST_CHUNK
        open_jobs = list(jobs)
        while open_jobs and not self._stop.is_set():
            # Separate trees get equal parts of what time there is.
            for branch, share in list(open_jobs):
                wanted = branch.simulations + max(1, chunk // len(open_jobs))
                if share is not None:
                    wanted = min(wanted, share)
                before = branch.simulations
                start = time.perf_counter()
                self._chunk(branch, wanted, most_nodes)
                now = time.perf_counter()
                made = branch.simulations - before
                if made:
                    aim = int(CHUNK * made / max(now - start, 1e-6))
                    chunk = max(1, min(aim * len(open_jobs), 4 * chunk))
                if share is not None and branch.simulations >= share:
                    open_jobs.remove((branch, share))
                if deadline is not None and now >= deadline:
                    return
                if self._stop.is_set():
                    return
            if ticker is not None:
                ticker.tick()

    def _chunk(self, branch: Branch, wanted: int, most_nodes: int) -> None:
        game, options = self.search.game, self.search.options
        while True:
            may_grow = len(branch.tree.keys) < most_nodes
            answer = simulate(
                game.legal,
                game.apply,
                game.observe,
                options.credit or game.returns,
                options.policy or game.policy,
                game.key,
                options.selection,
                game.tables,
                branch.worlds,
                branch.tree,
                branch.histograms,
                branch.numbers,
                branch.work,
                branch.random,
                wanted,
                may_grow,
            )
            if answer == DONE:
                self.full = self.full or (not may_grow and bool(branch.tree.used[3]))
                return
            if answer == TOO_DEEP:
                raise SettingsError(
                    "a game went on longer than it says",
                    where=f"game {game.name!r}",
                    value=game.max_depth,
                    hint="set max_depth to the most actions that one game can have",
                )
            assert answer == NO_ROOM
            nodes = min(most_nodes, 2 * len(branch.tree.keys))
            branch.tree = grown(branch.tree, nodes, 2 * len(branch.tree.actions))


class _Ticker:
    """Calls progress about four times a second."""

    def __init__(self, progress: Progress | None, start: float, run: Run) -> None:
        self.progress = progress
        self.start = start
        self.run = run
        self.last = start

    def tick(self) -> None:
        now = time.perf_counter()
        if self.progress is not None and now - self.last > 0.25:
            self.last = now
            self.progress(self.run.simulations, now - self.start)


class Search:
    """A search over one game with fixed options. Compiles at first use, once per machine.

    Args:
        game: The game.
        options: How it goes about it; single options can be given by name instead.

    Raises:
        SettingsError: If an option does not fit the game.
    """

    def __init__(self, game: Game, options: Options | None = None, **changes: Any) -> None:
        self.game = game
        try:
            self.options = replace(options or Options(), **changes)
        except TypeError:
            names = Options.__dataclass_fields__
            wrong = next(name for name in changes if name not in names)
            raise SettingsError(
                "no such option", value=wrong, hint=f"known: {', '.join(names)}"
            ) from None
        players = game.players
        if self.options.information == "key" and not game.has_key:
            raise SettingsError(
                f"game {game.name!r} has no key of its own",
                hint="use information='observer' or 'players'",
            )
        searched = self.options.searched
        if searched is not None and len(searched) != players:
            raise SettingsError(
                "searched must have one entry for each player", value=searched
            )
        self._credits = np.eye(players)
        if self.options.credits is not None:
            self._credits = np.array(self.options.credits, dtype=np.float64)
            if self._credits.shape != (players, players):
                raise SettingsError(
                    f"credits must be {players} rows of {players} numbers",
                    value=self._credits.shape,
                )

    def warm(self, say: Callable[[str], None] | None = None) -> float:
        """Compile what the search needs, or load it. Returns the seconds it took.

        Args:
            say: Told what is going on, only if something has to be compiled.
        """
        return compiled.warm(self, say)

    def start(
        self,
        view: View,
        draw: Draw = nothing_hidden,
        *,
        objective: Objective = VALUE,
        seed: int = 0,
        simulations: int | None = None,
    ) -> Run:
        """Set up a search from a view, without a simulation yet.

        Args:
            view: What the player to move sees.
            draw: Draws what is hidden from his belief.
            objective: What to maximise.
            seed: The same seed, workers and simulations give the same decision.
            simulations: How many are planned, if known: fewer states are drawn for few.

        Raises:
            SettingsError: If it is not the viewer's move, or the game is over.
        """
        game, options = self.game, self.options
        self.warm()
        actions = view.legal()
        run = Run(self, view, objective, seed, draw, actions)
        groups = options.trees or options.workers
        count = 1 if options.trees else options.worlds
        if simulations is not None and not options.trees:
            count = max(1, min(count, -(-simulations // groups)))
        information = EVERYTHING if options.trees else INFORMATION[options.information]
        for number in range(groups):
            rng = np.random.default_rng([seed & 0xFFFF_FFFF_FFFF_FFFF, 1, number])
            rows = checked_rows(draw, count, rng)
            classes, names = _classes(objective, rows)
            made = worlds(
                game,
                view,
                rows,
                information=information,
                classes=classes,
                seed=int(rng.integers(1 << 62)),
            )
            planned = None if simulations is None else -(-simulations // groups)
            run.branches.append(
                self._branch(run, made, information, len(names), planned, number)
            )
        return run

    def decide(
        self,
        view: View,
        draw: Draw = nothing_hidden,
        budget: Budget | None = None,
        *,
        objective: Objective = VALUE,
        seed: int = 0,
        progress: Progress | None = None,
    ) -> Decision:
        """Search from a view and say what to do. See `start` and `Run.extend`.

        The default budget is 10,000 simulations.
        """
        budget = budget or Budget(simulations=10_000)
        run = self.start(
            view, draw, objective=objective, seed=seed, simulations=budget.simulations
        )
        return run.extend(budget, progress).decision()

    def _branch(
        self,
        run: Run,
        made: Worlds,
        information: int,
        classes: int,
        planned: int | None,
        number: int,
    ) -> Branch:
        game, options, objective = self.game, self.options, run.objective
        scale = game.highest - game.lowest
        follows = objective.classes is not None and 1 <= classes <= MOST_CLASSES
        exact = np.zeros(len(run.actions))
        for place, action in enumerate(run.actions):
            exact[place] = objective.exact.get(int(action), 0.0)
        searched = options.searched or (True,) * game.players
        numbers = Numbers(
            information=information,
            observer=run.view.viewer,
            follow_depth=objective.depth if follows else 0,
            use_history=int(options.history),
            lowest=float(game.lowest),
            range=float(scale),
            discount=float(options.discount),
            gain_weight=float(objective.gain_weight / scale),
            estimate_root=int(follows and not objective.exact),
            settings=np.array(
                [options.exploration, options.bias_weight, float(options.by_availability)]
            ),
            searched=np.array(searched, dtype=np.int8),
            credits=self._credits,
            root_gain=exact,
        )
        nodes = 1_024 if planned is None else max(16, min(planned + 1, 65_536))
        rows = 0 if not follows else max(1 << 16, 4 * nodes)
        return Branch(
            worlds=made,
            tree=empty_tree(nodes, max(nodes, 2 * game.max_actions)),
            histograms=empty_histograms(rows, max(classes, 1)),
            numbers=numbers,
            work=_work(game, len(run.actions), max(classes, 1)),
            random=generator(run.seed, 2, number),
        )


def _classes(objective: Objective, rows: Any) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    """The class of every row, and the names of all classes."""
    if objective.classes is None:
        return np.zeros(len(rows), dtype=np.int32), ()
    found = np.ascontiguousarray(objective.classes(rows), dtype=np.int32)
    if found.shape != (len(rows),) or (len(found) and found.min() < 0):
        raise SettingsError(
            "classes must give one number >= 0 for each row",
            value=found.shape,
            where="objective",
        )
    names = objective.class_names
    if len(names) <= int(found.max(initial=0)):
        raise SettingsError(
            "class_names must name every class",
            value=len(names),
            where="objective",
            hint=f"a row has class {int(found.max())}",
        )
    return found, names


def empty_arguments(game: Game) -> tuple[Worlds, Tree, Histograms, Numbers, Work]:
    """The smallest arguments of `simulate` for a game, to take their types from."""
    made = Worlds(
        states=game.states(1),
        keys=np.zeros((1, game.players + 1), np.uint64),
        classes=np.zeros(1, np.int32),
    )
    numbers = Numbers(
        information=OBSERVER,
        observer=0,
        follow_depth=0,
        use_history=0,
        lowest=0.0,
        range=1.0,
        discount=1.0,
        gain_weight=0.0,
        estimate_root=0,
        settings=np.zeros(3),
        searched=np.ones(game.players, np.int8),
        credits=np.eye(game.players),
        root_gain=np.zeros(1),
    )
    return made, empty_tree(16, 16), empty_histograms(0, 1), numbers, _work(game, 1, 1)


def _work(game: Game, actions: int, classes: int) -> Work:
    """Scratch arrays of one branch."""
    players, most, depth = game.players, game.max_actions, game.max_depth
    return Work(
        state=game.states(1),
        keys=np.zeros(players + 1, np.uint64),
        actions=np.zeros(most, np.int32),
        edges=np.zeros(most, np.int64),
        missing=np.zeros(most, np.int32),
        visits=np.zeros(most),
        means=np.zeros(most),
        available=np.zeros(most),
        bias=np.zeros(most),
        path_edges=np.zeros(depth, np.int64),
        path_nodes=np.zeros(depth, np.int64),
        path_players=np.zeros(depth, np.int64),
        path_plies=np.zeros(depth, np.int64),
        played=np.zeros(depth, np.int64),
        values=np.zeros(players),
        mapped=np.zeros(players),
        history=np.zeros((players * game.action_space, 2)),
        root_visits=np.zeros((actions, classes)),
        root_values=np.zeros((actions, classes)),
        counters=np.zeros(3, np.int64),
    )
