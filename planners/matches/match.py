"""Matches: many games between agents, over processes or a cluster, and what they say.

>>> from sleuth import play_match
>>> result = play_match("kuhn_poker", ["random", "random"], games=10, seed=1)
>>> sum(result.wins) + result.shared
10

The same seed gives the same result whatever the number of workers, unless an agent has a budget
in seconds. A game is won by the agent that alone has the highest return. Where several have it,
they share the game, and none of them has won it; in `scores` each gets their part. Where sides are
dealt in secret and one of them wins, every agent of it has won.

Where players form teams, one agent plays for a whole team: a new one of it in each of its roles.
"""

from __future__ import annotations

import math
import operator
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Final, cast

from ...data.errors import SettingsError
from ...data.jobs.clusters import active_cluster
from ...data.jobs.counting import worker_count
from ...data.jobs.sharing import pool
from ...data.progress import Tell, silent
from ...models.game import Game
from ...models.games import GAMES, GameEntry, entry_of, game_from
from ...models.games import game as game_by_name
from ...models.kernels.compiling import waiting
from ...models.records.play_start import check_seed
from ..agents import WRAP, Contestant, parse_agent
from .contents import contents_of, files_of
from .match_file import MatchFile
from .match_games import MatchPlan, MatchTask, PlayedGame, play_in_worker, play_series, prepare
from .match_result import MatchResult
from .match_statistics import FIRST, SECOND, Running, Stop
from .match_teams import TeamAgents, teams_of

#: Most games of a match, which are all kept in memory, and the last number of a game.
MOST_GAMES: Final = 1_000_000
MOST_FIRST: Final = 2**53
#: What a match says that it does.
PLAYING: Final = "playing games"


@waiting()
def play_match(
    game: Game | GameEntry | str,
    agents: Sequence[Contestant | str],
    *,
    games: int,
    first: int = 0,
    seed: int = 0,
    workers: int = 1,
    swap: bool | None = None,
    series: int = 1,
    stop: Stop | None = None,
    out: str | Path | None = None,
    make: Callable[..., Game] | None = None,
    progress: Tell = silent,
) -> MatchResult:
    """Play games between agents, one in each role, or one for each team.

    Args:
        game: The game, its entry, or its name.
        agents: As many as the game has players, in the order of its roles, or as it has teams, in
            the order of ``game.sides``; names with options as `parse_agent` reads them, or agents
            of your own (`OwnAgent`).
        games: How many.
        first: The number of the first game, for a match that is played in parts, on several
            machines say. The parts have the games that the whole match would have. A part begins
            with a new deal and a new series.
        seed: The same seed gives the same games.
        workers: Processes; -1 for all cores. No more are started than there are games, or than
            four for each core. Inside `sleuth.jobs.cluster` all its workers, or as many as are
            named; inside ``joblib.parallel_config(backend=...)`` with several, that backend's.
        swap: Play every deal as often as there are agents, each agent once in each role, or once
            for each team; who follows whom changes with the deal. None: only where there are no
            teams, whose tasks mostly differ.
        series: How many games in a row the same agents play, who are told of the earlier ones: a
            simulated person stays the same, and those who can learn get to know each other.
        stop: End as soon as this test says something; for two agents.
        out: Keep finished games in this file; a match that was interrupted goes on from there.
            No other process may write to it meanwhile.
        make: For a game of your own and several workers: an importable function that makes it
            from its settings.
        progress: Told after every game, and at first if there are some already.

    Raises:
        SettingsError: Something does not fit: number of agents, options, or the file.
        RecordError: A line of the file is no game of this match.
        KeyboardInterrupt: Ctrl-C; what was finished is in ``out``.

    >>> import sleuth
    >>> result = sleuth.play_match("tic_tac_toe", ["random", "random"], games=10, seed=1)
    >>> sum(result.wins) + result.shared
    10
    """
    start = time.perf_counter()
    played = game_from(game)
    found = entry_of(played)
    if make is None and found is not None and found.source:
        make = partial(game_by_name, found.source)
    plan = _plan(played, agents, seed=seed, swap=swap, series=series, make=make)
    games = _whole(games, "a match has one game or more", "games=100")
    first = _first(first, plan)
    numbers = range(first, first + games)
    if stop is not None and len(plan.agents) != 2:
        raise SettingsError(
            "only a match of two agents can be ended early",
            value=len(plan.agents),
            hint="leave the test out",
        )
    workers = _workers(workers)
    shared = workers != 1 or active_cluster() is not None
    if shared and make is None and played.name not in GAMES:
        raise SettingsError(
            "workers cannot make this game",
            value=played.name,
            hint="name it as 'FILE.py:NAME', hand over make=, or play with workers=1",
        )
    file = None if out is None else MatchFile(Path(out), plan, played)
    finished: dict[int, PlayedGame] = {}
    if file is not None:
        finished = {number: one for number, one in file.games.items() if number in numbers}
    resumed = len(finished)
    standing = _Standing(plan, numbers, None if stop is None else stop.begin())
    try:
        standing.follow(finished)
        if finished:
            progress(PLAYING, len(finished), games)
        if not standing.ended:
            prepared = prepare(played, plan.agents)
            # A series that was broken off is played again from its first game.
            all_series = (
                range(begins, min(begins + plan.series, numbers.stop))
                for begins in numbers[:: plan.series]
            )
            todo = [each for each in all_series if not finished.keys() >= set(each)]
            if shared:
                workers = worker_count(workers, len(todo), "series" if plan.series > 1 else "games")
            for played_series in _played(prepared, plan, todo, workers, standing):
                for one in played_series:
                    if one.number in finished:
                        continue
                    finished[one.number] = one
                    if file is not None:
                        file.add(one)
                standing.follow(finished)
                progress(PLAYING, len(finished), games)
    finally:
        if file is not None:
            file.close()
    labels = _labels(plan.agents)
    verdicts = {FIRST: labels[0], SECOND: labels[-1]}
    return MatchResult(
        game=played.name,
        roles=played.roles,
        agents=labels,
        games=tuple(finished[number] for number in range(first, standing.next)),
        seed=plan.seed,
        first=first,
        swap=plan.swap,
        teams=played.teams,
        secret_sides=played.secret_sides,
        series=plan.series,
        verdict=verdicts.get(standing.verdict or "", standing.verdict),
        seconds=time.perf_counter() - start,
        resumed=resumed,
    )


class _Standing:
    """The state of a match so far, looking at games in their order and no other.

    Games may end in any order; what counts must not depend on it.
    """

    def __init__(self, plan: MatchPlan, numbers: range, test: Running | None) -> None:
        self.plan = plan
        self.numbers = numbers
        self.test = test
        self.verdict: str | None = None
        self.next = numbers.start
        self.decided = threading.Event()
        self._seen = 0

    @property
    def ended(self) -> bool:
        """True if no game is wanted any more."""
        return self.decided.is_set() or self.next == self.numbers.stop

    def follow(self, finished: dict[int, PlayedGame]) -> None:
        """Count on, as far as there is no gap."""
        while not self.ended and self.next in finished:
            self.next += 1
            size = self.plan.round_games
            if self.test is None or self.next % size:
                continue
            one = [finished[number] for number in range(self.next - size, self.next)]
            self.verdict = self.test.add(_winner(one))
            if self.verdict is not None:
                self.decided.set()


def _winner(games: Sequence[PlayedGame]) -> int:
    """Whose round it is, of two agents: 1 the first's, -1 the second's, 0 nobody's."""
    won = Counter(game.best for game in games)
    difference = won[(0,)] - won[(1,)]
    return (difference > 0) - (difference < 0)


def _played(
    prepared: MatchTask, plan: MatchPlan, todo: Iterable[range], workers: int, standing: _Standing
) -> Iterator[list[PlayedGame]]:
    """The games of each series, as it ends."""

    def wanted() -> Iterator[range]:
        for numbers in todo:
            if standing.decided.is_set():
                return
            yield numbers

    if workers == 1:
        for numbers in wanted():
            yield play_series(prepared, plan, numbers)
        return
    work = ((numbers,) for numbers in wanted())
    with pool(workers, ordered=False) as share:
        files = files_of(prepared.game, *plan.agents)
        with closing(
            share(play_in_worker, work, common=(plan,), files=files, named=_called)
        ) as ended:
            yield from ended


def _called(numbers: range) -> str:
    if len(numbers) == 1:
        return f"game {numbers[0]} of the match"
    return f"games {numbers[0]} to {numbers[-1]} of the match"


def _workers(workers: int) -> int:
    if workers == -1:
        return workers
    return _whole(workers, "a match needs one worker or more", "workers=2, or -1 for all cores")


def _whole(value: object, message: str, example: str) -> int:
    """A number of games or workers, if it is one, and no more than are numbered in one match."""
    if isinstance(value, bool) or not hasattr(value, "__index__") or operator.index(value) < 1:  # pyright: ignore[reportArgumentType]
        raise SettingsError(message, value=value, hint=f"write {example}")
    number = operator.index(value)  # pyright: ignore[reportArgumentType]
    if number > MOST_GAMES:
        raise SettingsError(
            f"{message}, and {MOST_GAMES:,} at most", value=number, hint=f"write {example}"
        )
    return number


def _first(first: object, plan: MatchPlan) -> int:
    """The number of a match's first game, if one of its parts can begin there."""
    step = math.lcm(plan.round_games, plan.series)
    if isinstance(first, bool) or not hasattr(first, "__index__"):
        number = -1
    else:
        number = operator.index(first)  # pyright: ignore[reportArgumentType]
    if not 0 <= number <= MOST_FIRST or number % step:
        raise SettingsError(
            "a part of this match cannot begin there",
            where="first",
            value=first,
            hint=f"write 0 or a multiple of {step}, for whole deals and series",
        )
    return number


def _plan(
    game: Game,
    agents: Sequence[Contestant | str],
    *,
    seed: int,
    swap: bool | None,
    series: int,
    make: Callable[..., Game] | None,
) -> MatchPlan:
    given = cast(object, agents)
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise SettingsError(
            "agents must be a list", value=given, hint="write ['random', 'mcts:simulations=100']"
        )
    if len(agents) not in (game.players, len(game.sides)):
        raise SettingsError(
            f"{game.name} needs {' or '.join(map(str, sorted({len(game.sides), game.players})))} "
            "agents",
            value=len(agents),
            hint=f"one for each of {', '.join(game.sides)}"
            + (f", or of {', '.join(game.roles)}" if game.teams else ""),
        )
    named = tuple(_contestant(agent, game) for agent in agents)
    if len(named) != len(game.sides):
        named = teams_of(named, game)
    swaps = not game.teams if swap is None else swap
    if swaps and any(isinstance(one, TeamAgents) for one in named):
        raise SettingsError(
            "agents of single roles cannot play for the other team",
            where=f"{game.name}, swapping seats",
            hint="leave the swapping out, or give each team one agent",
        )
    count = _whole(series, "a series has one game or more", "series=4")
    return MatchPlan(
        game=game.name,
        settings=dict(game.settings),
        agents=named,
        sides=game.side_of,
        seed=check_seed(seed),
        swap=swaps,
        series=count,
        contents=contents_of(game, *named),
        make=make,
    )


def _contestant(agent: Contestant | str, game: Game) -> Contestant:
    if isinstance(agent, str):
        return parse_agent(agent, game)
    if isinstance(agent, type) or not isinstance(cast(object, agent), Contestant):
        raise SettingsError(
            "a match makes its agents anew for every game, so it takes no bare agent",
            where="agents",
            value=agent,
            hint=WRAP,
        )
    return agent


def _labels(agents: Sequence[Contestant]) -> tuple[str, ...]:
    """The agents' names in results, each different."""
    labels: list[str] = []
    texts = {agent.text for agent in agents}
    for agent in agents:
        label, number = agent.text, 1
        while label in labels or (number > 1 and label in texts):
            number += 1
            label = f"{agent.text}#{number}"
        labels.append(label)
    return tuple(labels)
