"""How exploitable policies are before and after their subgames are solved anew.

    python -m benchmarks.search.resolving [--quick] [--json]

A policy of the whole game, good or bad, is kept up to a moment that everybody sees; every subgame
from there on is solved by itself for both players (300 iterations of CFR+), in four ways:

* without a gadget, for the ranges that the policy makes of both players (unsafe);
* with the gadget of resolving alone (Burch, Johanson and Bowling 2014);
* with that of the greatest margin (Moravcik and others 2016), mended;
* resolving with the opponent's range in a share of 0.05, mended: what is done without options.

All of it is exploitability in the game's own units, exact for the policies that come out. The last
column of text is how long one subgame takes for one player in the last way, in milliseconds.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any, Final

from sleuth import Budget, exploitability, game
from sleuth.equilibria import GameTree, WholeGameSearch, equilibrium, resolve, subgames
from sleuth.planners.small_games.exploitability import Policy

WAYS: Final[dict[str, dict[str, Any]]] = {
    "unsafe": {"share": 1.0, "mend": False},
    "resolving": {"share": 0.0, "mend": False},
    "max_margin": {"gadget": "max_margin", "share": 0.0},
    "usual": {},
}
#: Settings of each game, and the moments from which it is solved anew.
GAMES: Final[dict[str, tuple[dict[str, int], Callable[[Any], bool]]]] = {
    "kuhn_poker": ({}, lambda seen: seen.moves == 1),
    "leduc_poker": ({}, lambda seen: seen.stage == 1),
    "goofspiel": ({"cards": 4}, lambda seen: seen.left == 2),
}
ITERATIONS: Final = (2, 5, 20, 100, 1_000)
SIMULATIONS: Final = {"outcome": 10_000, "external": 10_000}


def blueprints(tree: GameTree, quick: bool) -> dict[str, Policy]:
    """Policies of a whole game by what they come from."""
    found: dict[str, Policy] = {"coins": tree.uniform_policy()}
    for count in ITERATIONS[: 2 if quick else None]:
        found[f"CFR+, {count} iterations"] = equilibrium(tree, iterations=count)
    for method, count in SIMULATIONS.items():
        search = WholeGameSearch(tree.game, method=method, seed=1)
        search.run(Budget(simulations=count // (100 if quick else 1)))
        found[f"{method} sampling, {search.simulations} iterations"] = search.policy(tree)
    return found


def measure(name: str, quick: bool) -> dict[str, Any]:
    """The figures of one game."""
    settings, begins = GAMES[name]
    tree = GameTree(game(name, **settings))
    rows: dict[str, Any] = {}
    count = 0
    for title, policy in blueprints(tree, quick).items():
        count = len(subgames(tree, policy, begins=begins))
        rows[title] = {"before": exploitability(tree, policy).exploitability}
        for way, options in WAYS.items():
            start = time.process_time()
            made = resolve(tree, policy, begins=begins, iterations=20 if quick else 300, **options)
            rows[title]["milliseconds"] = 500 * (time.process_time() - start) / count
            rows[title][way] = exploitability(tree, made).exploitability
    return {"subgames": count, "policies": rows}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few iterations: does it run?")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    chosen = parser.parse_args(arguments)
    found = {name: measure(name, chosen.quick) for name in GAMES}
    if chosen.json:
        print(json.dumps(found, indent=2))
        return 0
    for name, figures in found.items():
        print(f"\n{name}, {figures['subgames']} subgames\n")
        print(f"| policy so far | before | {' | '.join(WAYS)} | ms |")
        print("|---|---|" + "---|" * (len(WAYS) + 1))
        for title, row in figures["policies"].items():
            cells = " | ".join(f"{row[way]:.4f}" for way in ("before", *WAYS))
            print(f"| {title} | {cells} | {row['milliseconds']:.0f} |")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
