"""Information-set Monte Carlo tree search over any game, from what one player knows.

>>> from sleuth import Budget, Play, Search
>>> from sleuth.games.small import kuhn_poker
>>> from sleuth.search import from_list
>>> game = kuhn_poker()
>>> play = Play.new(game, seed=4)
>>> view = play.view(play.player)
>>> mine = int(view.states[0].cards[0])
>>> others = [card for card in range(3) if card != mine]
>>> worlds = [[0 if c == mine else 1 if c == theirs else 2 for c in range(3)] for theirs in others]
>>> search = Search(game)
>>> decision = search.decide(view, from_list(worlds), Budget(simulations=2_000), seed=1)
>>> decision.simulations
2000

The search is handed a view and a way to draw what is hidden; it has no access to anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from ...data.checks import number_within
from ...data.errors import SettingsError, nearest
from ...data.progress import Tell, silent
from ...models.game import Game, States, legal_actions
from ...models.games import GameEntry, game_from
from ...models.kernels.randomness import generator
from ...models.play import View
from ...models.rehearsal import rehearse, rehearse_kernel, try_rows
from .budget import Budget
from .decision import Decision
from .determinization import (
    Draw,
    WorldList,
    checked_rows,
    no_hidden_values,
    origin_of,
    root_actions,
    worlds,
)
from .kernels.gains import ENOUGH
from .kernels.knowledge import ABSENT, MOST_ASKED, MOST_CLASSES, no_knowledge, row_made
from .kernels.regret_matching import regret_matching
from .kernels.selection import selection_settings, uct
from .kernels.tree import add_roots, empty_tree
from .kernels.work import EVERYTHING, HISTORY, NO_BIAS, PRIOR, REGRETS, Numbers, Worlds
from .objective import VALUE, Objective
from .options import INFORMATION, MOST_TREES, Options
from .runs.branch import Branch, Opening, scratch_arrays
from .runs.compiled import Compiled, SearchKernels
from .runs.pacing import CHUNK
from .runs.run_state import RunState
from .runs.running import Run
from .semi_determinization import DeterminedWay, determined_shares, in_turn
from .widening import opening_order, reserve_roots

#: Nodes that a tree has room for at first: many a game's tree is small, whatever is planned.
FIRST_NODES: Final = 256

#: Simulations that nobody makes in plain Python: a search for more waits for the compiler.
MOST_PLAIN: Final = 50_000


class Search:
    """A search over one game with fixed options. Compiles at first use, once per machine.

    Args:
        game: The game, or its entry.
        options: How it goes about it; single options can be given by name instead.

    Raises:
        SettingsError: If an option does not fit the game.

    >>> import sleuth
    >>> from sleuth.search import from_list
    >>> search = sleuth.Search("kuhn_poker", exploration=1.0)
    >>> search.warm() >= 0.0  # seconds that it took
    True
    >>> budget = sleuth.Budget(simulations=40)
    >>> search.prepare(budget)
    >>> search.planned(budget), search.compiled.seconds >= 0.0
    (40, True)
    >>> view = sleuth.Play.new("kuhn_poker", seed=1).view(0)
    >>> draw = from_list([[0, 1, 2], [0, 2, 1]])  # they have the jack, the other queen or king
    >>> search.decide(view, draw, budget, seed=1).simulations
    40
    >>> run = search.start(view, draw, seed=1, simulations=40)
    >>> run.extend(budget).decision().simulations
    40
    >>> more = search.draw_worlds(run, information=0, number=0, place=2, count=2)
    >>> more.states.cards.tolist()
    [[0, 2], [0, 1]]
    """

    def __init__(
        self, game: Game | GameEntry | str, options: Options | None = None, /, **changes: Any
    ) -> None:
        self.game = game = game_from(game)
        names = Options.__dataclass_fields__
        for name in changes:
            if name not in names:
                raise SettingsError("no such option", value=name, hint=nearest(name, names))
        if not isinstance(options, Options | None):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise SettingsError("options must be Options", value=options)
        self.options = replace(options or Options(), **changes)
        players = game.players
        if self.options.information == "key" and not game.has_key:
            raise SettingsError(
                f"game {game.name!r} has no key of its own",
                hint="use information='observer' or 'players'",
            )
        if self.options.information == "everything" and not self.options.trees and game.hides:
            raise SettingsError(
                "with everything known, every world has a tree of its own",
                where=f"game {game.name!r}",
                hint="say how many trees: Search(game, trees=20)",
            )
        _check_backup(self.options, players, where=f"game {game.name!r}")
        searched = self.options.searched
        if searched is not None and len(searched) != players:
            raise SettingsError("searched must have one entry for each player", value=searched)
        # Simulations in one call of the kernel: as many as the last call would have made in time.
        self.chunk = 0
        self._kernels = SearchKernels(game, self.options)
        self._settings = selection_settings(
            self.options.exploration,
            self.options.bias_weight,
            self.options.by_availability,
            self.options.mixing,
            self.options.uniform_share,
        )
        self._epsilon = np.array(self.options.epsilon, dtype=np.float64) * np.ones(1)
        if self._epsilon.shape not in ((1,), (players,)):
            raise SettingsError(
                "epsilon must be one number, or one for each player", value=self.options.epsilon
            )
        self._epsilon = np.ascontiguousarray(np.broadcast_to(self._epsilon, players))
        self._searched = np.array(searched or (1,) * players, dtype=np.float64)
        self._credits = np.eye(players)
        if self.options.credits is not None:
            self._credits = np.array(self.options.credits, dtype=np.float64)
            if self._credits.shape != (players, players):
                raise SettingsError(
                    f"credits must be {players} rows of {players} numbers",
                    value=self._credits.shape,
                )
        self._leaving = _leaving(self.options, players)
        for_himself = np.array_equal(self._credits, np.eye(players))
        self._for_himself = int(for_himself and self.options.discount == 1.0)

    def warm(self, say: Callable[[str], None] | None = None) -> float:
        """Compile what the search needs, or load it. Returns the seconds it took.

        Args:
            say: Told what is going on, only if something has to be compiled.
        """
        compiled = self._kernels.compiled(say, wait=True)
        return compiled.seconds if compiled is not None else 0.0

    def prepare(self, budget: Budget) -> None:
        """Compile what the search needs, or have it compiled meanwhile.

        Args:
            budget: What is planned: for many simulations it is best to wait for the compiler.
        """
        simulations = budget.simulations or 0
        self._kernels.compiled(wait=simulations > MOST_PLAIN)

    @property
    def compiled(self) -> Compiled:
        """The search's kernels for this game; plain Python as long as they are not compiled."""
        return self._kernels.kernels()

    def start(
        self,
        view: View,
        draw: Draw = no_hidden_values,
        *,
        objective: Objective = VALUE,
        seed: int = 0,
        simulations: int | None = None,
        actions: Sequence[int] | None = None,
        ways: Sequence[DeterminedWay] = (),
        trust: float = 1.0,
    ) -> Run:
        """Set up a search from a view, without a simulation yet.

        Args:
            view: What the player to move sees.
            draw: Draws what is hidden from their belief.
            objective: What to maximise.
            seed: The same seed, workers and simulations give the same decision.
            simulations: How many are planned, if known: fewer states are drawn for few.
            actions: The legal actions to choose from now; None for all. Below the root all count.
            ways: For semi-determinization, in place of ``draw``: how the last hidden action may
                have been done. Each has a tree, or a root of one tree; values at the root are
                weighed by their chances.
            trust: A factor on the share of the simulations in which players who are not always
                searched follow the policy; in the rest they are searched.

        Raises:
            SettingsError: If it is not the viewer's move, the game is over, or an action is not
                legal.
        """
        game, options = self.game, self.options
        rehearse(game)
        run = Run(self, view, objective, seed, draw, root_actions(view, actions))
        run.trust = number_within(trust, "trust", most=1.0)
        if ways:
            if options.mixed:
                raise SettingsError(
                    "ways of an action are weighed by their chances, so there is no mixed policy",
                    where="mixed",
                    value=True,
                    hint="leave mixed out, or the ways",
                )
            shares = determined_shares(ways, options)
            run.chances = tuple(way.chance for way in ways)
            if not options.one_tree:
                run.worlds = [(way.draw, share) for way, share in zip(ways, shares, strict=True)]
            run.draw = draw = in_turn(ways) if options.one_tree else ways[0].draw
        self._check(view, draw, objective)
        roots = len(ways) if ways and options.one_tree else 1
        groups = len(run.worlds) or options.trees or options.workers
        if options.trees and options.each_world and isinstance(draw, WorldList):
            run.worlds = draw.each(MOST_TREES if simulations is None else simulations)
            groups = len(run.worlds) or groups
        count = 1 if options.trees else options.worlds
        if simulations is not None and not options.trees:
            count = max(1, min(count, -(-simulations // groups)))
        count = max(roots, count - count % roots)
        information = EVERYTHING if options.trees else INFORMATION[options.information]
        for number in range(groups):
            made = self.draw_worlds(run, information, number, 0, count)
            first = game.states_of(made.states[0].tobytes())
            if number == 0 and game.masked(first, view.viewer).tobytes() != view.data:
                raise SettingsError(
                    "what was drawn does not look to the player like what they see",
                    where=f"game {game.name!r}",
                    hint="the draw or the game's fill does not fit the view; check_game tells",
                )
            if number == 0:
                self._rehearse(first)
            planned = None if simulations is None else -(-simulations // groups)
            if run.worlds and simulations is not None:
                planned = int(simulations * run.worlds[number][1]) + 1
            classes = len(objective.class_names)
            run.branches.append(
                self._branch(run, made, information, classes, planned, number, roots)
            )
        return run

    def _rehearse(self, states: States) -> None:
        """Call the kernels of the options in plain Python, those of a reader's own, once."""
        game, options = self.game, self.options
        actions, values = legal_actions(game, states), np.zeros(game.players)
        more = np.append(actions, np.zeros(game.max_actions - len(actions), np.int32))
        player, count = int(states[0].player), len(actions)
        weights = np.zeros(game.max_actions)
        for name, arguments in (
            ("policy", (states, more, count, game.tables, generator(0))),
            ("prior", (states, more, count, game.tables, weights)),
            ("evaluate", (states, player, game.tables)),
            ("own_returns", (states, game.tables, values)),
        ):
            rehearse_kernel(getattr(options, name), game, name, *arguments)

    def draw_worlds(
        self, run: RunState, information: int, number: int, place: int, count: int
    ) -> Worlds:
        """States for a run to start from.

        Args:
            run: The run.
            information: What nodes stand for.
            number: Of the tree they are for.
            place: How many states that tree has already.
            count: How many are wanted.
        """
        rng = np.random.default_rng([run.seed & 0xFFFF_FFFF_FFFF_FFFF, 1, number, place])
        draw = run.worlds[number][0] if run.worlds else run.draw
        rows = checked_rows(draw, count, rng)
        if draw is not no_hidden_values or self.game.hides:
            try_rows(self.game, run.view.states, rows, origin_of(draw, self.game))
        compiled = self.compiled
        return worlds(
            compiled.fill_worlds,
            compiled.fillers,
            self.game,
            run.view,
            rows,
            information=information,
            classes=_classes(run.objective, rows),
            random=cast(Any, rng.bit_generator).random_raw(1) | np.uint64(1),
            asked=run.objective.follows,
        )

    def _check(self, view: View, draw: Draw, objective: Objective) -> None:
        """Checks that the search fits what it is handed."""
        game, searched = self.game, self.options.searched
        theirs = (view.game.name, view.game.version, dict(view.game.settings))
        if theirs != (game.name, game.version, dict(game.settings)):
            raise SettingsError(
                "the view is of another game, or of another setting of it",
                value=theirs,
                hint=f"this search is over {game.name!r} with {dict(game.settings)}",
            )
        if game.hides and draw is no_hidden_values:
            raise SettingsError(
                "something is hidden in this game, so a search needs a draw",
                where=f"game {game.name!r}",
                hint="hand over drawn_from(belief, posterior), or any callable that draws",
            )
        if self.options.trees > MOST_TREES:
            raise SettingsError(
                f"a search has at most {MOST_TREES:,} trees", value=self.options.trees
            )
        if searched is not None and searched[view.viewer] != 1:
            raise SettingsError(
                "the player who searches must be one whose actions are searched",
                value=searched,
                hint=f"entry {view.viewer} must be True",
            )
        classes = len(objective.class_names)
        if objective.gain_weight > 0 and not _known_exactly(objective) and classes > MOST_CLASSES:
            raise SettingsError(
                f"a gain about more than {MOST_CLASSES} values cannot be estimated",
                value=classes,
                where="objective",
                hint="give exact= or ask=, from the posterior, or ask about less",
            )
        follows = objective.follows and objective.gain_weight > 0
        if follows and self.options.trees and not objective.exact:
            raise SettingsError(
                "in separate trees everything is known, so nothing is learned",
                where="trees",
                value=self.options.trees,
                hint="give exact=, from the posterior, or write trees=0",
            )
        if follows and self.options.information == "actions" and not self.options.trees:
            raise SettingsError(
                "in a tree of all actions, players know more than they see, so nothing is learned",
                where="information",
                value="actions",
                hint="write information=observer, or leave the gain out",
            )

    def decide(
        self,
        view: View,
        draw: Draw = no_hidden_values,
        budget: Budget | None = None,
        *,
        objective: Objective = VALUE,
        seed: int = 0,
        progress: Tell = silent,
        actions: Sequence[int] | None = None,
        ways: Sequence[DeterminedWay] = (),
        trust: float = 1.0,
    ) -> Decision:
        """Search from a view and say what to do. See `start` and `Run.extend`.

        The default budget is 10,000 simulations.
        """
        budget = budget or Budget(simulations=10_000)
        self.prepare(budget)
        run = self.start(
            view,
            draw,
            objective=objective,
            seed=seed,
            simulations=budget.simulations if self.options.trees else self.planned(budget),
            actions=actions,
            ways=ways,
            trust=trust,
        )
        return run.extend(budget, progress).decision()

    def planned(self, budget: Budget) -> int | None:
        """The number of simulations a budget will allow; None as long as the speed is not known."""
        seconds = budget.most_seconds
        if budget.simulations is not None or seconds is None:
            return budget.simulations
        return max(1, int(seconds * self.chunk / CHUNK)) if self.chunk else None

    def _branch(
        self,
        run: RunState,
        made: Worlds,
        information: int,
        classes: int,
        planned: int | None,
        number: int,
        roots: int,
    ) -> Branch:
        game, options, objective = self.game, self.options, run.objective
        scale = game.highest - game.lowest
        best = options.backup == "best"
        counted = 0
        if objective.classes is not None and classes <= MOST_CLASSES:
            # Of a few states each is soon alone with what is known, which would look like a gain.
            counted = classes if len(made.states) >= ENOUGH * classes else 0
        follows = counted > 0 or objective.ask is not None
        if options.information == "actions" or options.trees:
            follows = False  # nodes know more than the player will
        exact = np.array([objective.exact.get(int(action), np.nan) for action in run.actions])
        telling = np.ones(game.action_space, np.uint8)
        if objective.telling is not None:
            telling[:] = 0
            telling[list(objective.telling)] = 1
        matching = options.selection is regret_matching
        bias = REGRETS if matching else HISTORY if options.history else NO_BIAS
        if options.prior:
            bias = PRIOR
        searched = 1.0 - run.trust * (1.0 - self._searched)
        numbers = Numbers(
            information=information,
            observer=run.view.viewer,
            learners=self._learners(run.view.viewer),
            follow_depth=objective.depth if follows else 0,
            bias=bias,
            in_place=int(options.selection is uct and not best),
            for_himself=self._for_himself,
            lowest=float(game.lowest),
            scale=1.0 / scale,
            discount=float(options.discount),
            horizon=game.max_depth + 1 if options.horizon is None else options.horizon,
            gain_weight=float(objective.gain_weight / scale),
            gain_discount=float(objective.discount),
            telling=telling,
            variables=made.classes.shape[1],
            asks=int(objective.ask is not None),
            settings=self._settings,
            searched=searched,
            never_in=_bits(searched <= 0.0),
            seldom_in=_bits((0.0 < searched) & (searched < 1.0)),
            credits=self._credits,
            root_actions=run.actions,
            root_gain=exact,
            epsilon=self._epsilon,
            open_factor=0.0 if options.widening is None else options.widening.factor,
            open_power=0.0 if options.widening is None else options.widening.power,
            roots=roots,
            leaving=self._leaving,
            counts_from=options.counts_from,
            best=int(best),
        )
        expected = 1_024 if planned is None else max(16, min(planned + 1, 65_536))
        nodes = max(roots, min(expected, FIRST_NODES))
        rows = 4 * expected + 1 if follows else 0
        asked = min(MOST_ASKED, rows) if follows and objective.ask is not None else 0
        most = (game.max_depth + roots) * game.max_actions
        tree = empty_tree(nodes, 2 * nodes + most, best=best, weighted=matching)
        if roots > 1:
            add_roots(tree, roots, run.view.viewer)
        opening, widening = None, options.widening
        if widening is not None and widening.active(len(run.actions), planned):
            order = opening_order(
                game,
                objective,
                run.actions,
                made.states,
                run.seed,
                number,
                prior=options.prior,
                policy=options.policy,
            )
            opening = Opening(widening, run.actions[order], exact[order])
            reserve_roots(tree, opening.actions, roots)
        knowledge = no_knowledge(rows, counted, asked, numbers.follow_depth, best=best)
        if follows:
            row_made(knowledge, made.keys[0, run.view.viewer], ABSENT, 0)
            knowledge.exact[0] = objective.entropy
        return Branch(
            worlds=made._replace(known=game.states(asked)),
            tree=tree,
            knowledge=knowledge,
            numbers=numbers,
            work=scratch_arrays(game, len(run.actions), max(classes, 1)),
            random=generator(run.seed, 2, number),
            opening=opening,
            refused=np.zeros(asked, np.bool_),
            ranked=np.zeros(asked, np.bool_),
        )

    def _learners(self, viewer: int) -> int:
        """A bit for each player whose decisions are made to learn: the viewer and their team."""
        sides = np.array(self.game.side_of)
        return _bits(sides == sides[viewer])


def _bits(players: NDArray[np.bool_]) -> int:
    """A bit for each of some players."""
    return sum(1 << int(player) for player in np.flatnonzero(players))


def _leaving(options: Options, players: int) -> NDArray[np.int64]:
    """int64[P], a bit for each player who leaves the tree with this one."""
    leaving = np.ones((players, players), np.bool_)
    if options.leaving is not None:
        leaving = np.array(options.leaving, np.bool_)
    if leaving.shape != (players, players) or not leaving.diagonal().all():
        raise SettingsError(
            f"leaving must say of each of {players} players who leaves the tree with them",
            value=leaving.tolist(),
            hint="everyone leaves it themselves: leaving=numpy.eye(players), or None for all",
        )
    return np.array([_bits(row) for row in leaving], np.int64)


def _check_backup(options: Options, players: int, *, where: str) -> None:
    """Refuse to back up the best where it is not known, see `Options`."""
    if options.backup != "best":
        return
    reasons = (
        (players > 1, "the others decide as well"),
        (options.information != "observer" or bool(options.trees), "nodes have several ways in"),
        (options.discount != 1.0, "returns are discounted by the ply"),
    )
    for refused, why in reasons:
        if refused:
            raise SettingsError(
                f"the best is backed up in searches of one player over one tree: here {why}",
                where=where,
                value="backup='best'",
                hint="leave backup out: averages are backed up",
            )


def _known_exactly(objective: Objective) -> bool:
    return bool(objective.exact) or objective.ask is not None


def _classes(objective: Objective, rows: Any) -> NDArray[np.int32]:
    """The classes of every row, one for each variable."""
    if objective.classes is None:
        return np.zeros((len(rows), 1), dtype=np.int32)
    found = np.ascontiguousarray(objective.classes(rows), dtype=np.int32)
    if found.ndim == 1:
        found = found[:, np.newaxis]
    if found.ndim != 2 or len(found) != len(rows) or (len(found) and found.min() < 0):
        raise SettingsError(
            "classes must give one number >= 0 for each row, or one for each variable",
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
    return found
