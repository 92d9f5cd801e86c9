"""How near to an equilibrium the search plays Kuhn and Leduc poker.

    python -m benchmarks.search.equilibrium [--quick] [--json]

At every information set of the game a search is made from what the player knows there, and its
policy written down in two ways: actions as often as they were visited, and always the one that
was visited most. The belief takes all deals that fit the cards seen for equally likely, whatever
was bet, so this is the search by itself. Of each policy it is said

* what it wins in the first and in the second seat against an equilibrium (CFR+); an equilibrium
  itself wins the game's value, -1/18 and 1/18 of an ante in Kuhn poker, about -0.0856 and 0.0856
  in Leduc poker, and no policy wins more;
* its exploitability: what a best response wins from it, on average over both seats; 0 for an
  equilibrium.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sleuth import Budget, GameBelief, Play, Search, belief, exploitability, game
from sleuth.equilibria import GameTree, equilibrium
from sleuth.planners.search.kernels.smooth_uct import smooth_uct
from sleuth.planners.small_games.exploitability import Policy
from sleuth.planners.small_games.written_tree import InformationSet

ROWS: dict[str, list[tuple[int, ...]]] = {
    "kuhn_poker": list(permutations(range(3))),
    "leduc_poker": sorted(set(permutations([0, 1, 2, 3, 3, 3]))),
}
#: Options of the searches that are compared.
SEARCHES: dict[str, dict[str, Any]] = {
    "observer": {"information": "observer"},
    "players": {"information": "players"},
    "players, Smooth UCT": {"information": "players", "selection": smooth_uct},
}


def visit_shares(
    search: Search, beliefs: GameBelief, known: InformationSet, simulations: int, seed: int
) -> NDArray[np.float64]:
    """How often the search visits each action at an information set."""
    play = Play.new(search.game, seed=0, start=known.start)
    for action in known.played:
        play.apply(action)
    view = play.view(known.player)
    posterior = beliefs.infer(view, play.seen_by(known.player))

    def draw(count: int, rng: np.random.Generator) -> NDArray[np.int16]:
        return beliefs.worlds(posterior, count, rng)

    decision = search.decide(view, draw, Budget(simulations=simulations), seed=seed)
    visits = np.array([decision[action].visits for action in known.actions], float)
    return visits / visits.sum()


def measure(tree: GameTree, policy: Policy, balanced: Policy) -> dict[str, Any]:
    """What a policy wins against an equilibrium, and what can be won from it."""
    found = exploitability(tree, policy)
    return {
        "against_equilibrium": [
            float(tree.values([policy, balanced])[0]),
            float(tree.values([balanced, policy])[1]),
        ],
        "exploitability": found.exploitability,
    }


def of_game(
    name: str, budgets: list[int], seeds: int, iterations: int, say: Callable[[str], None]
) -> dict[str, Any]:
    """The figures of one game."""
    made = game(name)
    beliefs = belief(made)
    assert beliefs is not None
    tree = GameTree(made, rows=ROWS[name])
    say(f"{name}: {len(tree.information_sets)} information sets")
    balanced = equilibrium(tree, iterations=iterations)
    figures: dict[str, Any] = {
        "value": float(tree.values(balanced)[0]),
        "equilibrium": measure(tree, balanced, balanced),
        "uniform": measure(tree, tree.uniform_policy(), balanced),
    }
    for title, options in SEARCHES.items():
        search = Search(made, **options)
        search.warm(say)
        figures[title] = {}
        for simulations in budgets:
            start = time.perf_counter()
            shares = [
                np.mean(
                    [
                        visit_shares(search, beliefs, known, simulations, seed * 10_000 + number)
                        for seed in range(seeds)
                    ],
                    axis=0,
                )
                for number, known in enumerate(tree.information_sets)
            ]
            visits = tree.policy(lambda known, shares=shares: shares[known.index])
            most = tree.policy(
                lambda known, shares=shares: (
                    np.arange(len(known.actions)) == np.argmax(shares[known.index])
                )
            )
            figures[title][str(simulations)] = {
                "visits": measure(tree, visits, balanced),
                "greedy": measure(tree, most, balanced),
                "seconds": time.perf_counter() - start,
            }
            say(f"{name}, {title}, {simulations} simulations: done")
    return figures


def table(name: str, figures: dict[str, Any]) -> str:
    """The figures of one game as text."""
    lines = [
        f"{name}: value for the first player {figures['value']:.4f}",
        f"{'policy':<34}{'first seat':>12}{'second seat':>13}{'exploitability':>16}",
    ]

    def row(title: str, found: dict[str, Any]) -> None:
        first, second = found["against_equilibrium"]
        lines.append(f"{title:<34}{first:>12.4f}{second:>13.4f}{found['exploitability']:>16.4f}")

    row("equilibrium (CFR+)", figures["equilibrium"])
    row("uniform", figures["uniform"])
    for title in SEARCHES:
        for simulations, found in figures[title].items():
            for kind in ("visits", "greedy"):
                row(f"{title}, {simulations}, {kind}", found[kind])
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few simulations: does it run?")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    chosen = parser.parse_args(arguments)
    budgets = [100] if chosen.quick else [100, 1_000, 10_000]
    iterations = 50 if chosen.quick else 500

    def say(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    found = {
        name: of_game(name, budgets, 1 if chosen.quick else 3, iterations, say) for name in ROWS
    }
    if chosen.json:
        print(json.dumps(found, indent=2))
    else:
        print("\n\n".join(table(name, figures) for name, figures in found.items()))
    return 0


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    raise SystemExit(main())
