"""Games of the kit in OpenSpiel: what it takes to hand one over, and to solve it there.

    python -m benchmarks.whole.openspiel [--games kuhn_poker] [--iterations 200] [--json]

For each game that can be written out: seconds until it is written out, and until OpenSpiel has the
tree; the exploitability of uniform play by both; seconds of an iteration of CFR+ there on the tree,
on the Python game with its tree cached (after the first), and of our own; and how far apart both
measures of what was solved are. Then simulations per second of OpenSpiel's search over information
sets, which is Python, with our worlds.
"""

from __future__ import annotations

import argparse
import json
import time
from importlib import import_module, metadata
from typing import Any

import numpy as np

from sleuth import exploitability
from sleuth.adapters import WrittenTree, openspiel_game, openspiel_tree
from sleuth.equilibria import GameTree, equilibrium

GAMES = ("kuhn_poker", "leduc_poker")
SEARCHED = ("kuhn_poker", "leduc_poker", "cheat", "clue_table", "love_letter")
SIMULATIONS = 200


def improved(pyspiel: Any, game: Any, iterations: int) -> tuple[Any, float, float]:
    """A solver after some iterations, seconds of the first one, and of each other."""
    start = time.perf_counter()
    solver = pyspiel.CFRPlusSolver(game)
    solver.evaluate_and_update_policy()
    first = time.perf_counter() - start
    start = time.perf_counter()
    for _ in range(iterations - 1):
        solver.evaluate_and_update_policy()
    return solver, first, (time.perf_counter() - start) / max(1, iterations - 1)


def solving(name: str, iterations: int) -> dict[str, float]:
    """Seconds and exploitabilities of a game."""
    pyspiel: Any = import_module("pyspiel")
    start = time.perf_counter()
    tree = GameTree(name)
    written_out = time.perf_counter() - start
    start = time.perf_counter()
    text = WrittenTree(tree)
    theirs = openspiel_tree(text)
    handed = time.perf_counter() - start
    uniform = tree.uniform_policy()
    solver, _, each = improved(pyspiel, theirs, iterations)
    policy = solver.tabular_average_policy().policy_table()
    by_them = pyspiel.exploitability(theirs, policy)
    by_us = exploitability(tree, text.ours(policy))
    cached = pyspiel.convert_to_cached_tree(openspiel_game(name))
    _, first_cached, each_cached = improved(pyspiel, cached, iterations)
    start = time.perf_counter()
    equilibrium(tree, iterations=iterations)
    ours = (time.perf_counter() - start) / iterations
    return {
        "histories": len(tree.histories),
        "written_out_seconds": written_out,
        "handed_over_seconds": handed,
        "uniform_theirs": pyspiel.exploitability(theirs, text.theirs(uniform)),
        "uniform_ours": exploitability(tree, uniform).exploitability,
        "iteration_seconds": each,
        "first_iteration_cached_seconds": first_cached,
        "iteration_cached_seconds": each_cached,
        "iteration_ours_seconds": ours,
        "solved_theirs": by_them,
        "solved_ours": by_us.exploitability,
        "value_of_first": by_us.values[0],
    }


def searching(name: str) -> float:
    """Simulations a second of their search, from the first decision."""
    ismcts: Any = import_module("open_spiel.python.algorithms.ismcts")
    mcts: Any = import_module("open_spiel.python.algorithms.mcts")
    chance = np.random.RandomState(1)
    made = openspiel_game(name)
    evaluator = mcts.RandomRolloutEvaluator(1, chance)
    state = made.new_initial_state()
    state.apply_action(0)
    while len(state.legal_actions()) == 1:
        state.apply_action(state.legal_actions()[0])
    bot = ismcts.ISMCTSBot(made, evaluator, 2.0, SIMULATIONS, random_state=chance)
    bot.step(state.clone())
    start = time.perf_counter()
    bot.step(state)
    return SIMULATIONS / (time.perf_counter() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description="Games of the kit in OpenSpiel.")
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--iterations", type=int, default=200)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = {name: solving(name, given.iterations) for name in given.games.split(",")}
    speeds = {name: searching(name) for name in SEARCHED}
    version = metadata.version("open_spiel")
    if given.json:
        print(json.dumps({"open_spiel": version, "solved": found, "searched": speeds}, indent=2))
        return
    print(f"open_spiel {version}, {given.iterations} iterations")
    for name, row in found.items():
        print(f"\n{name}")
        for key, value in row.items():
            print(f"  {key:32} {value:.12g}")
    print("\nsimulations a second of their search")
    for name, value in speeds.items():
        print(f"  {name:32} {value:.0f}")


if __name__ == "__main__":
    main()
