"""Simulations per CPU-second of the search, beside OpenSpiel's information-set search in C++.

    python benchmarks/search_speed.py [--quick] [--json]

One decision from the start of a game by the first player: random playouts, one tree of his
information sets, a new search every time. Ours includes the belief, drawing worlds and filling
states; theirs draws a world for each simulation with a sampler written for the game. Both take
turns on the same machine, and a ratio is the median of the ratios of the single turns.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.table import Table

from sleuth.beliefs.games import belief as belief_of
from sleuth.models.games import game as game_of
from sleuth.models.play import Play
from sleuth.planners import Budget, Search

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


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="five turns instead of fifteen")
    parser.add_argument("--json", action="store_true", help="print JSON only")
    options = parser.parse_args(arguments)
    turns = 5 if options.quick else 15
    results: dict[str, dict[str, Any]] = {}
    for name in GAMES:
        if not options.json:
            print(f"{name} ...", file=sys.stderr, flush=True)
        first, second = (compare(name, simulations, turns) for simulations in SIMULATIONS)
        results[name] = {**first, "at_1000": second}
    if options.json:
        print(json.dumps(results))
        return 0
    table = Table(title="Simulations per CPU-second", title_justify="left")
    for heading in ("game", "simulations", "ours", "OpenSpiel", "ratio"):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for name, found in results.items():
        for simulations, row in zip(SIMULATIONS, (found, found["at_1000"]), strict=True):
            table.add_row(
                name,
                f"{simulations:,}",
                f"{row['ours']:,.0f}",
                f"{row['open_spiel']:,.0f}" if "open_spiel" in row else "-",
                f"{row['ratio']:.1f}" if "ratio" in row else "-",
            )
    Console().print(table)
    for name in THEIRS:
        holds = "yes" if results[name]["ratio"] >= WANTED else "no"
        print(f"{name}: at least {WANTED:g} times OpenSpiel's rate at 10,000 simulations: {holds}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
