"""Seconds of processor time to write games out and to find how exploitable a policy is.

    python -m benchmarks.search.written_out [--large] [--json]

Each game is written out; then exploitability of uniform play is found, and ten iterations of CFR+
are made. Beside it stands OpenSpiel's NashConv of the same tree (C++, handed over as text), where
the tree is small enough to be handed over. `--large` adds Mini-Cheat with six rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from typing import Any, Final

from sleuth import exploitability
from sleuth.adapters import WrittenTree, openspiel_tree
from sleuth.data.libraries import library
from sleuth.equilibria import GameTree, equilibrium
from sleuth.games.cheat import mini_cheat
from sleuth.models.cheat import mini_deals

#: Histories of a tree that is handed over to OpenSpiel.
HANDED: Final = 200_000


def cheat(rounds: int) -> GameTree:
    game = mini_cheat(rounds)
    rows, weights = mini_deals(game)
    return GameTree(game, rows=rows, weights=weights)


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """What some work gives, and its seconds of processor time."""
    begin = time.process_time()
    return work(), time.process_time() - begin


def measured(make: Callable[[], GameTree]) -> dict[str, Any]:
    """The figures of one game; what is compiled or loaded at first is not counted."""
    exploitability(tree := make(), tree.uniform_policy())
    equilibrium(tree, iterations=1)
    tree, writing = timed(make)
    policy = tree.uniform_policy()
    ours, responding = timed(lambda: exploitability(tree, policy))
    found: dict[str, Any] = {
        "histories": len(tree.histories),
        "information_sets": len(tree.information_sets),
        "nash_conv": ours.nash_conv,
        "writing": writing,
        "responding": responding,
        "ten_iterations": timed(lambda: equilibrium(tree, iterations=10))[1],
    }
    if len(tree.histories) <= HANDED:
        pyspiel = library("pyspiel", "openspiel", where="written_out")
        written = WrittenTree(tree)
        theirs = openspiel_tree(written)
        table = pyspiel.TabularPolicy(written.theirs(policy))
        value, found["openspiel"] = timed(lambda: pyspiel.nash_conv(theirs, table))
        found["difference"] = abs(value - ours.nash_conv)
    return found


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--large", action="store_true", help="also 2.4 million histories")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    chosen = parser.parse_args(arguments)
    games: dict[str, Callable[[], GameTree]] = {
        "leduc_poker": lambda: GameTree("leduc_poker"),
        "Mini-Cheat, 4 rounds": lambda: cheat(4),
    }
    if chosen.large:
        games["Mini-Cheat, 6 rounds"] = lambda: cheat(6)
    found = {name: measured(make) for name, make in games.items()}
    if chosen.json:
        print(json.dumps(found, indent=2))
        return 0
    columns = ("writing", "responding", "ten_iterations", "openspiel", "difference")
    print(f"{'game':<22}{'histories':>11}" + "".join(f"{each:>16}" for each in columns))
    for name, figures in found.items():
        shown = (f"{figures[each]:.4g}" if each in figures else "-" for each in columns)
        cells = "".join(f"{each:>16}" for each in shown)
        print(f"{name:<22}{figures['histories']:>11,}{cells}")
    return 0


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    raise SystemExit(main())
