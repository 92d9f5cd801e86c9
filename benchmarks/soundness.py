"""How exploitable play is that learns a whole game, against processor time and simulations.

    python -m benchmarks.soundness [--games NAME ...] [--methods NAME ...] [--quick] [--json]

Methods of ours sample a game from its deal (`WholeGameSearch`). Beside them stand OpenSpiel's
Monte Carlo CFR, in C++, and its search of information sets (ISMCTS), which is asked at every
information set of a game. Both libraries play the same games: OpenSpiel's own where it has one,
and the tree that we write out where it has none. Exploitability is what a best response wins on
average over both seats, in the game's own units.

A point is the processor time of the method alone, its simulations in all, and the exploitability
of its policy then, which is computed while its clock stands still; medians over the seeds. One
simulation of Monte Carlo CFR improves every player once. Of ISMCTS all decisions are counted
together. In C++ it plays only where somebody wrote a sampler of worlds for the game; elsewhere it
is OpenSpiel's in Python, which is given all states that a player may be in.

Mini-Cheat is written out with one card turned up, as in `benchmarks.cheat.exploitability`. Methods
of ours play all four cards that can be, so a quarter of their simulations is about the game that
is measured.

Points are kept in `--out FILE` as they are found. Started again, the same command goes on; with
another number of simulations or seconds, shorter runs begin again.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sleuth import Budget, Game, exploitability, game
from sleuth.adapters import WrittenTree, openspiel_tree
from sleuth.data.disk.growing import append_line, read_lines
from sleuth.equilibria import GameTree, WholeGameSearch
from sleuth.games.cheat import mini_cheat
from sleuth.models.cheat import mini_deals

#: After so many simulations a point is measured.
POINTS = tuple(
    round(digit * 10**power) for power in range(2, 8) for digit in (1, 3)
)  # 100, 300 ... 30,000,000
#: Of ISMCTS: simulations for one decision, and how much it explores.
EACH = (10, 30, *POINTS)
EXPLORATION = 2.0
#: Decisions that tell how long all of them would take.
TRIED = 20


@dataclass(frozen=True)
class Yardstick:
    """A game that both libraries play.

    Attributes:
        ours: Makes ours.
        theirs: The text by which OpenSpiel loads its own; empty for the tree that we write out.
        deals: Rows and weights of the deals that are written out; None for all.
    """

    ours: Callable[[], Game]
    theirs: str = ""
    deals: Callable[[Game], tuple[ArrayLike, ArrayLike]] | None = None

    @cached_property
    def game(self) -> Game:
        return self.ours()

    @cached_property
    def tree(self) -> GameTree:
        rows, weights = (None, None) if self.deals is None else self.deals(self.game)
        return GameTree(self.game, rows=rows, weights=weights)

    @cached_property
    def written(self) -> WrittenTree:
        return WrittenTree(self.tree)

    @cached_property
    def loaded(self) -> Any:
        """The game of pyspiel whose rules are compiled."""
        pyspiel: Any = import_module("pyspiel")
        return pyspiel.load_game(self.theirs) if self.theirs else openspiel_tree(self.written)


def goofspiel(cards: int) -> Yardstick:
    """Goofspiel with hidden bids; prizes come from the highest down, and points are what counts."""
    theirs = "imp_info=True,points_order=descending,returns_type=point_difference"
    return Yardstick(
        lambda: game("goofspiel", cards=cards, order="descending"),
        f"turn_based_simultaneous_game(game=goofspiel({theirs},num_cards={cards}))",
    )


GAMES: dict[str, Yardstick] = {
    "kuhn_poker": Yardstick(lambda: game("kuhn_poker"), "kuhn_poker"),
    "leduc_poker": Yardstick(lambda: game("leduc_poker"), "leduc_poker"),
    "liars_dice_1x6": Yardstick(
        lambda: game("liars_dice_for_many", players=2, dice=1, wild=True), "liars_dice(numdice=1)"
    ),
    **{f"goofspiel_{cards}": goofspiel(cards) for cards in (4, 5, 6)},
    "mini_cheat_4": Yardstick(lambda: mini_cheat(4), deals=mini_deals),
}


class Learner(ABC):
    """A method that goes on from what it knows.

    Attributes:
        seconds: Processor time so far.
        simulations: All so far.
    """

    seconds = 0.0
    simulations = 0

    @abstractmethod
    def points(self) -> Iterator[tuple[int, float]]:
        """How many simulations come next, and about how many seconds they take in all."""

    @abstractmethod
    def learn(self, simulations: int) -> None:
        """Go on until there are so many simulations."""

    @abstractmethod
    def exploitability(self) -> float:
        """What a best response wins from the policy as it is now."""

    def run(self, *, simulations: int, seconds: float) -> Iterator[list[float]]:
        """A point after another, while the next takes no more than is allowed."""
        for wanted, expected in self.points():
            if wanted > simulations or expected > seconds:
                return
            began = time.process_time()
            self.learn(wanted)
            self.seconds += time.process_time() - began
            yield [self.seconds, self.simulations, self.exploitability()]


class Ours(Learner):
    """A search of the whole game."""

    def __init__(self, yardstick: Yardstick, method: str, seed: int) -> None:
        self.yardstick = yardstick
        self.search = WholeGameSearch(yardstick.game, method=method, seed=seed)
        self.search.warm()

    def points(self) -> Iterator[tuple[int, float]]:
        for wanted in POINTS:
            yield wanted, self.seconds * wanted / max(1, self.simulations)

    def learn(self, simulations: int) -> None:
        self.search.run(Budget(simulations=simulations - self.simulations))
        self.simulations = self.search.simulations

    def exploitability(self) -> float:
        tree = self.yardstick.tree
        return exploitability(tree, self.search.policy(tree)).exploitability


class Theirs(Learner):
    """A solver of OpenSpiel."""

    def __init__(self, yardstick: Yardstick, method: str, seed: int) -> None:
        self.pyspiel: Any = import_module("pyspiel")
        self.game = yardstick.loaded
        self.solver: Any = (
            self.pyspiel.ExternalSamplingMCCFRSolver(self.game, seed)
            if method == "external"
            else self.pyspiel.OutcomeSamplingMCCFRSolver(self.game, seed=seed)
        )

    points = Ours.points

    def learn(self, simulations: int) -> None:
        step = self.solver.run_iteration
        for _ in range(simulations - self.simulations):
            step()
        self.simulations = simulations

    def exploitability(self) -> float:
        return self.pyspiel.exploitability(self.game, self.solver.average_policy())


class SearchOfSets(Learner):
    """OpenSpiel's search of information sets, asked at every one of them, each time anew.

    Its policy is as often as it visited actions.
    """

    def __init__(self, yardstick: Yardstick, method: str, seed: int) -> None:
        self.pyspiel: Any = import_module("pyspiel")
        self.game, self.seed = yardstick.loaded, seed
        self.compiled = has_sampler(self.game)
        if not self.compiled:
            self.python: Any = import_module("open_spiel.python.algorithms.ismcts")
            self.rollouts: Any = import_module("open_spiel.python.algorithms.mcts")
        self.moments = moments(self.game)
        self.policy: dict[str, list[tuple[int, float]]] = {}

    def points(self) -> Iterator[tuple[int, float]]:
        count = len(self.moments)
        some = list(self.moments.values())[:: max(1, count // TRIED)]
        for each in EACH:
            began = time.process_time()
            for moment in some:
                self._asked(moment.states[0], each, 0)
            spent = time.process_time() - began
            yield each * count, spent * count / len(some)

    def learn(self, simulations: int) -> None:
        each = simulations // len(self.moments)
        self.seconds = 0.0
        self.policy = {
            known: self._asked(moment.states[0], each, number)
            for number, (known, moment) in enumerate(self.moments.items())
        }
        self.simulations = simulations

    def exploitability(self) -> float:
        return self.pyspiel.exploitability(self.game, self.policy)

    def _asked(self, state: Any, simulations: int, number: int) -> list[tuple[int, float]]:
        seed = self.seed * 1_000_000 + number
        legal = state.legal_actions()
        if len(legal) == 1:
            return [(legal[0], 1.0)]
        if self.compiled:
            rollouts = self.pyspiel.RandomRolloutEvaluator(1, seed)
            bot = self.pyspiel.ISMCTSBot(seed, rollouts, EXPLORATION, simulations)
        else:
            chance = np.random.RandomState(seed)
            rollouts = self.rollouts.RandomRolloutEvaluator(1, chance)
            bot = self.python.ISMCTSBot(
                self.game, rollouts, EXPLORATION, simulations, random_state=chance
            )
            moment = self.moments[state.information_state_string()]
            bot.set_resampler(lambda state, player: moment.drawn(chance.uniform()))
        shares = {action: share for action, share in bot.get_policy(state) if share > 0}
        total = sum(shares.values())
        return [(action, shares.get(action, 0.0) / total) for action in legal]


@dataclass
class Moment:
    """An information set of a game of OpenSpiel.

    Attributes:
        states: All that a player may be in there.
        chances: How likely chance brings each about.
    """

    states: list[Any] = field(default_factory=list[Any])
    chances: list[float] = field(default_factory=list[float])

    @cached_property
    def _until(self) -> NDArray[np.float64]:
        until = np.cumsum(self.chances)
        return until / until[-1]

    def drawn(self, share: float) -> Any:
        """One of them, by a number from 0 to 1: as likely as chance makes it."""
        return self.states[int(np.searchsorted(self._until, share, side="right"))].clone()


def has_sampler(game: Any) -> bool:
    """True if a game of OpenSpiel can itself draw what a player does not see."""
    pyspiel: Any = import_module("pyspiel")
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    try:
        state.resample_from_infostate(state.current_player(), sampler)
    except pyspiel.SpielError:
        return False
    return True


def moments(game: Any) -> dict[str, Moment]:
    """All information sets of a game of OpenSpiel, by their texts."""
    found: dict[str, Moment] = {}
    left = [(game.new_initial_state(), 1.0)]
    while left:
        state, chance = left.pop()
        if state.is_chance_node():
            left += [(state.child(code), chance * share) for code, share in state.chance_outcomes()]
        elif not state.is_terminal():
            moment = found.setdefault(state.information_state_string(), Moment())
            moment.states.append(state)
            moment.chances.append(chance)
            left += [(state.child(code), chance) for code in state.legal_actions()]
    return found


METHODS: dict[str, tuple[Callable[[Yardstick, str, int], Learner], str]] = {
    **{f"ours:{name}": (Ours, name) for name in ("external", "outcome", "smooth", "uct")},
    **{f"openspiel:{name}": (Theirs, name) for name in ("external", "outcome")},
    "openspiel:ismcts": (SearchOfSets, "ismcts"),
}


@dataclass
class Runs:
    """What was measured, and is kept in a file.

    Attributes:
        path: The file; None for memory alone.
        points: The points of each run: game, method and seed.
        limits: How far each finished run was to go: simulations and seconds.
    """

    path: Path | None
    points: dict[tuple[str, str, int], list[list[float]]] = field(default_factory=dict)
    limits: dict[tuple[str, str, int], list[float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for line in [] if self.path is None else read_lines(self.path):
            self._take(line)

    def begin(self, run: tuple[str, str, int]) -> None:
        """A run begins; what was measured of it before is not used any more."""
        self._add({"run": run})

    def add(self, run: tuple[str, str, int], point: list[float]) -> None:
        self._add({"run": run, "point": point})

    def finish(self, run: tuple[str, str, int], limits: list[float]) -> None:
        self._add({"run": run, "limits": limits})

    def finished(self, run: tuple[str, str, int], limits: list[float]) -> bool:
        """True if a run went so far already."""
        found = self.limits.get(run)
        return found is not None and all(
            had >= limit for had, limit in zip(found, limits, strict=True)
        )

    def medians(self) -> dict[str, dict[str, list[list[float]]]]:
        """By game and method the medians of all seeds, as far as all of them went."""
        found: dict[str, dict[str, list[list[float]]]] = {}
        for name, method in dict.fromkeys((run[0], run[1]) for run in self.points):
            seeds = [points for run, points in self.points.items() if run[:2] == (name, method)]
            shared = [
                [statistics.median(column) for column in zip(*rows, strict=True)]
                for rows in zip(*seeds, strict=False)
            ]
            found.setdefault(name, {})[method] = [
                [seconds, round(simulations), value] for seconds, simulations, value in shared
            ]
        return found

    def _add(self, line: Mapping[str, Any]) -> None:
        if self.path is not None:
            append_line(self.path, json.dumps(line))
        self._take(line)

    def _take(self, line: Mapping[str, Any]) -> None:
        name, method, seed = line["run"]
        run = (str(name), str(method), int(seed))
        if "point" in line:
            self.points[run].append(list(line["point"]))
        elif "limits" in line:
            self.limits[run] = list(line["limits"])
        else:
            self.points[run] = []
            self.limits.pop(run, None)


def measure(
    runs: Runs,
    *,
    games: Sequence[str],
    methods: Sequence[str],
    seeds: int,
    simulations: int,
    seconds: Mapping[str, float],
    say: Callable[[str], None],
) -> None:
    """Measures what is missing: all methods of a game before the next game.

    Args:
        runs: Where it is kept.
        games: Of `GAMES`.
        methods: Of `METHODS`.
        seeds: Runs of each method.
        simulations: Of a run, at most.
        seconds: Processor time of a run, at most, by the method.
        say: Told what was measured.
    """
    for name in games:
        yardstick = GAMES[name]
        for method in methods:
            maker, kind = METHODS[method]
            for seed in range(1, seeds + 1):
                run, limits = (name, method, seed), [float(simulations), seconds[method]]
                if runs.finished(run, limits):
                    continue
                runs.begin(run)
                learner = maker(yardstick, kind, seed)
                for point in learner.run(simulations=simulations, seconds=seconds[method]):
                    runs.add(run, point)
                    say(
                        f"{name}, {method}, seed {seed}: {point[1]:,} simulations, "
                        f"{point[0]:.3g} s, {point[2]:.4f}"
                    )
                runs.finish(run, limits)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", nargs="+", choices=GAMES, default=list(GAMES), metavar="NAME")
    parser.add_argument(
        "--methods", nargs="+", choices=METHODS, default=list(METHODS), metavar="NAME"
    )
    parser.add_argument("--seeds", type=int, default=3, help="runs of each; medians are printed")
    parser.add_argument("--simulations", type=int, default=10_000_000, help="of a run, at most")
    parser.add_argument("--seconds", type=float, default=20.0, help="of a run, at most")
    parser.add_argument("--ismcts-seconds", type=float, default=60.0, help="of ISMCTS, at most")
    parser.add_argument("--out", type=Path, help="keep points in this file, and go on from it")
    parser.add_argument("--quick", action="store_true", help="Kuhn poker alone: does it run?")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    chosen = parser.parse_args(arguments)
    if chosen.quick:
        chosen.games, chosen.seeds, chosen.simulations = ["kuhn_poker"], 1, 1_000
    runs = Runs(chosen.out)
    seconds = dict.fromkeys(METHODS, float(chosen.seconds))
    seconds["openspiel:ismcts"] = chosen.ismcts_seconds
    measure(
        runs,
        games=chosen.games,
        methods=chosen.methods,
        seeds=chosen.seeds,
        simulations=chosen.simulations,
        seconds=seconds,
        say=lambda text: print(text, file=sys.stderr, flush=True),
    )
    found = {
        name: {method: points for method, points in methods.items() if method in chosen.methods}
        for name, methods in runs.medians().items()
        if name in chosen.games
    }
    if chosen.json:
        print(json.dumps({"games": found}, indent=1))
        return 0
    for name, methods in found.items():
        print(f"{name}\n{'method':<22}{'seconds':>12}{'simulations':>14}{'exploitability':>16}")
        for method, points in methods.items():
            for spent, simulations, value in points:
                print(f"{method:<22}{spent:>12.4f}{simulations:>14,}{value:>16.4f}")
    return 0


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    raise SystemExit(main())
