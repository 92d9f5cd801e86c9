"""Simulations per CPU-second of the search, beside OpenSpiel's information-set search in C++.

    python -m benchmarks.search.speed [--quick] [--turns 3] [--json] [--write]

One decision from the start of a game by the first player: random playouts, one tree of their
information sets, a new search every time. Ours includes the belief, drawing worlds and filling
states; theirs draws a world for each simulation with a sampler written for the game. Both take
turns on the same machine, and a ratio is the median of the ratios of the single turns. Last comes
what a second thread adds, by the wall clock.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from sleuth import Budget, Play, Search
from sleuth import belief as belief_of
from sleuth import game as game_of
from sleuth.agents import drawn_from
from sleuth.data.version import version

from ..tables.in_short import in_front

RESULTS = Path(__file__).parents[2] / "docs" / "results" / "search_speed.md"

GAMES = ("kuhn_poker", "leduc_poker", "phantom_tic_tac_toe")
#: Games that OpenSpiel's search can play: it needs a sampler written for each.
THEIRS = ("kuhn_poker", "leduc_poker")
SIMULATIONS = (10_000, 1_000)
#: Least CPU time of one turn: short searches are repeated.
TURN = 0.2
WANTED = 5.0
EXPLORATION = 0.7

Searcher = Callable[[int, int], Any]
"""(simulations, seed): make one decision"""


def ours(name: str) -> Searcher:
    game = game_of(name)
    belief = belief_of(game)
    assert belief is not None
    search = Search(game, exploration=EXPLORATION)
    search.warm()
    plays = [Play.new(game, seed=seed) for seed in range(16)]

    def decide(simulations: int, seed: int) -> None:
        play = plays[seed % len(plays)]
        player = play.player
        view = play.view(player)
        posterior = belief.infer(view, play.seen_by(player))
        search.decide(
            view,
            lambda count, rng: belief.worlds(posterior, count, rng),
            Budget(simulations=simulations),
            seed=seed,
        )

    return decide


def theirs(name: str) -> Searcher:
    import pyspiel  # pyright: ignore[reportMissingImports]

    spiel: Any = pyspiel
    game = spiel.load_game(name)
    # Their returns are not mapped to [0, 1], so the exploration constant is scaled likewise.
    scale = EXPLORATION * (game.max_utility() - game.min_utility())
    states: list[Any] = []
    for seed in range(16):
        state = game.new_initial_state()
        while state.is_chance_node():
            actions = state.legal_actions()
            state.apply_action(actions[(seed * 7 + 3) % len(actions)])
        states.append(state)

    def decide(simulations: int, seed: int) -> None:
        evaluator = spiel.RandomRolloutEvaluator(1, seed)
        final = spiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        bot = spiel.ISMCTSBot(seed, evaluator, scale, simulations, -1, final, False, False)
        bot.step(states[seed % len(states)])

    return decide


def rate(decide: Searcher, simulations: int, seed: int) -> float:
    """Simulations per CPU-second, over one turn."""
    made = 0
    start = time.process_time()
    while True:
        decide(simulations, seed + made)
        made += 1
        taken = time.process_time() - start
        if taken >= TURN:
            return made * simulations / taken


def compare(name: str, simulations: int, turns: int) -> dict[str, float]:
    """Medians over the turns of one game."""
    searchers = {"ours": ours(name)}
    if name in THEIRS:
        searchers["open_spiel"] = theirs(name)
    rates: dict[str, list[float]] = {which: [] for which in searchers}
    for decide in searchers.values():
        decide(simulations, 0)
    for turn in range(turns):
        order = list(searchers) if turn % 2 else list(reversed(searchers))
        for which in order:
            rates[which].append(rate(searchers[which], simulations, 1_000 * turn))
    result = {which: statistics.median(found) for which, found in rates.items()}
    if "open_spiel" in rates:
        pairs = zip(rates["ours"], rates["open_spiel"], strict=True)
        result["ratio"] = statistics.median(ours / other for ours, other in pairs)
    return result


def two_workers(name: str, turns: int) -> float:
    """Simulations per second of two workers, as a multiple of one's; the median over the turns."""
    game = game_of(name)
    belief = belief_of(game)
    assert belief is not None
    play = Play.new(game, seed=1)
    view = play.view(play.player)
    posterior = belief.infer(view, play.seen_by(play.player))
    draw = drawn_from(belief, posterior)
    searches = [Search(game, workers=workers) for workers in (1, 2)]
    ratios: list[float] = []
    for turn in range(turns + 1):
        rates: list[float] = []
        for search in searches:
            decision = search.decide(view, draw, Budget(simulations=1_000_000), seed=turn)
            rates.append(decision.simulations / decision.seconds)
        ratios.append(rates[1] / rates[0])
    return statistics.median(ratios[1:])


def text_table(results: dict[str, dict[str, Any]]) -> list[list[str]]:
    rows = [["game", "simulations", "ours", "OpenSpiel", "ratio"]]
    for name in GAMES:
        found = results[name]
        for simulations, row in zip(SIMULATIONS, (found, found["at_1000"]), strict=True):
            rows.append(
                [
                    name,
                    f"{simulations:,}",
                    f"{row['ours']:,.0f}",
                    f"{row['open_spiel']:,.0f}" if "open_spiel" in row else "-",
                    f"{row['ratio']:.1f}" if "ratio" in row else "-",
                ]
            )
    return rows


def page(results: dict[str, dict[str, Any]], turns: int) -> str:
    """The results as a page of the documentation."""
    import pyspiel  # pyright: ignore[reportMissingImports]

    head, *rows = text_table(results)
    lines = [
        "# How fast the search is",
        "",
        "Simulations per CPU-second of one decision from the start of a game: random playouts,",
        "one tree of the first player's information sets, a new search each time, ours with belief",
        "and drawing of worlds. OpenSpiel's is its information-set search in C++ (`ISMCTSBot`).",
        f"Medians of {turns} turns of at least {TURN} CPU-seconds, over 16 deals. Made by",
        "`python -m benchmarks.search.speed --write`.",
        "",
        "| " + " | ".join(head) + " |",
        "|---|" + "---:|" * (len(head) - 1),
        *("| " + " | ".join(row) + " |" for row in rows),
        "",
        f"Two threads make {results['two_workers']['leduc_poker']:.2f} times the simulations of",
        "one in Leduc poker, by the wall clock.",
        "",
        f"The goal was {WANTED:g} times OpenSpiel's rate at 10,000 simulations. "
        + " ".join(
            f"{name}: {'reached' if results[name]['ratio'] >= WANTED else 'not reached'}."
            for name in THEIRS
        ),
        "",
        f"{datetime.date.today()}, sleuth {version()}, OpenSpiel {pyspiel.__version__}, Python "
        f"{platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores.",
        "",
    ]
    return in_front("\n".join(lines), "search_speed")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="five turns instead of fifteen")
    parser.add_argument("--turns", type=int, help="how many turns; more are more exact")
    parser.add_argument("--json", action="store_true", help="print JSON only")
    parser.add_argument("--write", action="store_true", help=f"write {RESULTS.name} too")
    options = parser.parse_args(arguments)
    turns = options.turns or (5 if options.quick else 15)
    results: dict[str, dict[str, Any]] = {}
    for name in GAMES:
        if not options.json:
            print(f"{name} ...", file=sys.stderr, flush=True)
        first, second = (compare(name, simulations, turns) for simulations in SIMULATIONS)
        results[name] = {**first, "at_1000": second}
    results["two_workers"] = {"leduc_poker": two_workers("leduc_poker", turns)}
    if options.write:
        RESULTS.write_text(page(results, turns), encoding="utf-8")
    if options.json:
        print(json.dumps(results))
        return 0
    head, *rows = text_table(results)
    table = Table(title="Simulations per CPU-second", title_justify="left")
    for heading in head:
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for row in rows:
        table.add_row(*row)
    Console().print(table)
    print(f"two workers, Leduc poker: {results['two_workers']['leduc_poker']:.2f} times one")
    for name in THEIRS:
        holds = "yes" if results[name]["ratio"] >= WANTED else "no"
        print(f"{name}: at least {WANTED:g} times OpenSpiel's rate at 10,000 simulations: {holds}")
    return 0


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    sys.exit(main())
