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

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.errors import SettingsError
from ..models.game import Game
from ..models.play import View
from ..models.randomness import generator
from .branch import Branch, scratch_arrays
from .budget import Budget
from .compiled import Compiled, warm
from .decision import Decision
from .determinization import Draw, checked_rows, nothing_hidden, worlds
from .histograms import MOST_CLASSES, empty_histograms
from .objective import VALUE, Objective
from .options import INFORMATION, Options
from .run import Progress, Run
from .selection import selection_settings
from .simulation import EVERYTHING, HISTORY, NO_BIAS, PRIOR, Numbers, Worlds
from .tree import empty_tree


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
        if self.options.information == "everything" and not self.options.trees and game.hides:
            raise SettingsError(
                "with everything known, every world has a tree of its own",
                where=f"game {game.name!r}",
                hint="say how many trees: Search(game, trees=20)",
            )
        searched = self.options.searched
        if searched is not None and len(searched) != players:
            raise SettingsError("searched must have one entry for each player", value=searched)
        # Simulations in one call of the kernel: as many as the last call would have made in time.
        self.chunk = 0
        self._compiled: Compiled | None = None
        self._settings = selection_settings(
            self.options.exploration, self.options.bias_weight, self.options.by_availability
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
        if self._compiled is None:
            self._compiled = warm(self.game, self.options, say)
        return self._compiled.seconds

    @property
    def compiled(self) -> Compiled:
        """The search's kernels for this game."""
        self.warm()
        assert self._compiled is not None
        return self._compiled

    def start(
        self,
        view: View,
        draw: Draw = nothing_hidden,
        *,
        objective: Objective = VALUE,
        seed: int = 0,
        simulations: int | None = None,
        actions: Sequence[int] | None = None,
    ) -> Run:
        """Set up a search from a view, without a simulation yet.

        Args:
            view: What the player to move sees.
            draw: Draws what is hidden from his belief.
            objective: What to maximise.
            seed: The same seed, workers and simulations give the same decision.
            simulations: How many are planned, if known: fewer states are drawn for few.
            actions: The legal actions to choose from now; None for all. Below the root all count.

        Raises:
            SettingsError: If it is not the viewer's move, the game is over, or an action is not
                legal.
        """
        game, options = self.game, self.options
        run = Run(self, view, objective, seed, draw, _root_actions(view, actions))
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
                self.compiled.fill_worlds,
                self.compiled.fillers,
                game,
                view,
                rows,
                information=information,
                classes=classes,
                seed=int(rng.integers(1 << 62)),
            )
            planned = None if simulations is None else -(-simulations // groups)
            run.branches.append(self._branch(run, made, information, len(names), planned, number))
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
        actions: Sequence[int] | None = None,
    ) -> Decision:
        """Search from a view and say what to do. See `start` and `Run.extend`.

        The default budget is 10,000 simulations.
        """
        budget = budget or Budget(simulations=10_000)
        run = self.start(
            view,
            draw,
            objective=objective,
            seed=seed,
            simulations=budget.simulations,
            actions=actions,
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
            bias=PRIOR if options.prior else HISTORY if options.history else NO_BIAS,
            lowest=float(game.lowest),
            scale=1.0 / scale,
            discount=float(options.discount),
            gain_weight=float(objective.gain_weight / scale),
            estimate_root=int(follows and not objective.exact),
            settings=self._settings,
            searched=np.array(searched, dtype=np.int8),
            credits=self._credits,
            root_actions=run.actions,
            root_gain=exact,
        )
        nodes = 1_024 if planned is None else max(16, min(planned + 1, 65_536))
        rows = 0 if not follows else max(1 << 16, 4 * nodes)
        return Branch(
            worlds=made,
            tree=empty_tree(nodes, 2 * nodes + game.max_depth * game.max_actions),
            histograms=empty_histograms(rows, max(classes, 1)),
            numbers=numbers,
            work=scratch_arrays(game, len(run.actions), max(classes, 1)),
            random=generator(run.seed, 2, number),
        )


def _root_actions(view: View, actions: Sequence[int] | None) -> NDArray[np.int32]:
    """The actions to choose from, in the order of their codes as far as the game keeps it."""
    legal = np.ascontiguousarray(view.legal(), dtype=np.int32)
    if actions is None:
        return legal
    wrong = set(actions) - set(legal.tolist())
    if wrong or not len(actions):
        raise SettingsError(
            "actions to choose from must be legal ones, at least one",
            value=sorted(wrong) if wrong else list(actions),
            hint="take them from view.legal()",
        )
    return np.array([action for action in legal.tolist() if action in set(actions)], np.int32)


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
