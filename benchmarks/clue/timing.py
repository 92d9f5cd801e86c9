"""Takes the time of methods that give the same answers, fairly.

Methods take turns on every state. In each turn a method answers twice, and the second answer
counts: the first one finds the processor's caches full of what the others did, and is told
apart. A method that would answer a second time from a cache of its own is prepared anew before
each answer.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sleuth import Posterior, SleuthError
from sleuth.beliefs.engines.partial_deals.graph import forget
from sleuth.games.clue import ClueDeclaration

from .states import Answer, Method, Prepared, State

AGREE = 1e-9

#: Rounds on every state, unless one answer takes long or has to be prepared anew for long.
ROUNDS = 9
LONG = 0.5


@dataclass
class Times:
    """Seconds of one method for games of one size.

    Attributes:
        seconds: Median over the rounds, by state.
        first: The same for the first answers, which come after the work of others.
        refused: Why it was left out, if it was.
    """

    seconds: dict[str, float] = field(default_factory=dict[str, float])
    first: dict[str, float] = field(default_factory=dict[str, float])
    refused: str = ""

    @property
    def median(self) -> float | None:
        return statistics.median(self.seconds.values()) if self.seconds else None

    @property
    def median_first(self) -> float | None:
        return statistics.median(self.first.values()) if self.first else None

    def ratio(self, ours: Times, *, first: bool = False) -> float | None:
        """How many times as long as ours: the median over the states that both have.

        Args:
            first: Whether first answers are compared.
        """
        mine, theirs = (self.first, ours.first) if first else (self.seconds, ours.seconds)
        both = [mine[name] / theirs[name] for name in mine]
        return statistics.median(both) if both else None


class Disagreement(SystemExit):
    """Two methods gave different answers: no time means anything then."""


def measure(
    players: int,
    methods: Sequence[Method],
    chosen: Sequence[State],
    budget: Budget,
    tick: Callable[[], None],
) -> dict[str, Times]:
    """Seconds of all methods on the same states, taking turns."""
    result = {method.name: Times(refused=method.refuses(players)) for method in methods}
    for number, state in enumerate(chosen):
        running: list[tuple[Method, Prepared, float]] = []
        for method in methods:
            times = result[method.name]
            if not times.refused and number >= budget.states(method, players):
                if number == 0:
                    times.refused = "left out by --quick"
                continue
            if times.refused:
                continue
            try:
                start = time.perf_counter()
                prepared = method.prepare(state)
                took = time.perf_counter() - start
            except (SleuthError, ImportError) as error:
                times.refused = str(error)
                continue
            running.append((method, prepared, took))
        for name, found in rounds(running, state).items():
            if isinstance(found, str):
                result[name].refused = found
            else:
                result[name].first[state.name], result[name].seconds[state.name] = found
        tick()
    return result


def rounds(
    running: Sequence[tuple[Method, Prepared, float]], state: State
) -> dict[str, tuple[float, float] | str]:
    """Median seconds of first and of second answers on one state, or why a method gave up."""
    taken: dict[str, list[float]] = {method.name: [] for method, _, _ in running}
    first: dict[str, list[float]] = {method.name: [] for method, _, _ in running}
    failed: dict[str, str] = {}
    expected: Answer | None = None
    for number in range(ROUNDS):
        # The first method finds the caches cold, so it is not always the same.
        order = [*running[number % len(running) :], *running[: number % len(running)]]
        if number == 0:
            order = list(running)
        for method, prepared, preparing in order:
            known = taken[method.name]
            if method.name in failed or (known and max(known[0], preparing * method.once) > LONG):
                continue
            if method.once and known:
                prepared = method.prepare(state)
            try:
                start = time.perf_counter()
                posterior = prepared.after(state.event)
                took = time.perf_counter() - start
            except (SleuthError, MemoryError) as error:
                failed[method.name] = str(error)
                continue
            first[method.name].append(took)
            if max(took, preparing * method.once) <= LONG:
                if method.once:
                    prepared = method.prepare(state)
                start = time.perf_counter()
                prepared.after(state.event)
                took = time.perf_counter() - start
            known.append(took)
            if number == 0 and method.name.startswith("ours, choice"):
                continue  # another model of the refuter: other numbers
            if number == 0:
                answer = prepared.answer(posterior)
                if expected is None:
                    expected = answer
                error = answer.error(expected)
                if not error < AGREE:
                    raise Disagreement(f"{method.name} is off by {error:.1e} in {state.name}")
    return {
        **{
            name: (statistics.median(first[name]), statistics.median(known))
            for name, known in taken.items()
            if known
        },
        **failed,
    }


@dataclass(frozen=True)
class Budget:
    """How many states each method gets.

    Attributes:
        most: For each number of players.
        quick: Whether only what takes little time is done.
    """

    most: Mapping[int, int]
    quick: bool

    def states(self, method: Method, players: int) -> int:
        """States that a method gets: fewer where one takes seconds or more."""
        most = self.most[players]
        name = method.name
        if name == "pyagrum" and players == 4:
            return 0 if self.quick else min(most, 3)
        if name.startswith("numpy") and players == 4:
            return 0 if self.quick else min(most, 5)
        if name == "pgmpy" and players > 3:
            return 0 if self.quick else min(most, 5)
        return most


def gain_all_suggestions(belief: ClueDeclaration, posterior: Posterior) -> None:
    posterior.information_gain(belief.suggestions, about=belief.case_file)


def best_questions(belief: ClueDeclaration, posterior: Posterior) -> None:
    posterior.best_questions(belief.suggestions, about=belief.case_file)


QUESTIONS = (gain_all_suggestions, best_questions)


def ask(chosen: Iterable[State]) -> dict[str, list[float]]:
    """Seconds of the value of all suggestions, and of the best ten, on every state."""
    taken: dict[str, list[float]] = {question.__name__: [] for question in QUESTIONS}
    for state in chosen:
        belief = ClueDeclaration(state.game)
        assert len(belief.suggestions) == 324
        for question in QUESTIONS:
            repeated: list[float] = []
            for _ in range(3):
                # A posterior made anew: nothing is kept from the last time.
                forget()
                posterior = belief.infer(state.game, method="card_by_card")
                start = time.perf_counter()
                question(belief, posterior)
                repeated.append(time.perf_counter() - start)
            taken[question.__name__].append(statistics.median(repeated))
    return taken
