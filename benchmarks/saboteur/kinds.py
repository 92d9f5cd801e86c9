"""How often programs that play Saboteur do what, by their roles: counts for `beliefs/.../kinds.py`.

    python -m benchmarks.saboteur.kinds [--games N] [--seed S] [--json] [--write]

Each kind of program plays so many rounds against itself by the paper's rules, and by the official
ones. With ``--write`` what was counted is put into ``data/saboteur/kinds.json``.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from sleuth import game
from sleuth.predictors import NONE
from sleuth.training.saboteur.kinds import DeedCounts, habits_of

from ..beliefs.judged_games import self_play

FILE = Path(__file__).parents[2] / "data" / "saboteur" / "kinds.json"
RULES = ("paper", "official")
#: What the kinds are called, and who plays so.
AGENTS = {
    "dwarf, open": "dwarf:saboteurs=explicit",
    "dwarf, switching": "dwarf:saboteurs=switching",
    "dwarf, hidden": "dwarf:saboteurs=hidden",
    "search": "mcts:simulations=50",
    NONE: "random",
}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--games", type=int, default=60, help="of each kind, by each of the rules")
    parser.add_argument("--seed", type=int, default=1_000)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--write", action="store_true", help="write the file")
    asked: Any = parser.parse_args(arguments)
    counts = {name: DeedCounts() for name in AGENTS}
    for name, agent in AGENTS.items():
        for rules in RULES:
            made = game("saboteur", rules=rules)
            counts[name].add(
                self_play(made, agent, games=asked.games, seed=asked.seed, name=rules, out=None)
            )
        print(f"{name}: {counts[name].done.sum():,.0f} actions", file=sys.stderr)
    found = {
        "made_by": f"benchmarks/saboteur/kinds.py --games {asked.games} --seed {asked.seed}",
        "actions": {name: each.done.astype(int).tolist() for name, each in counts.items()},
        "kinds": habits_of(counts),
    }
    if asked.write:
        FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    if asked.json:
        print(json.dumps(found))
    elif not asked.write:
        for name, each in found["kinds"].items():
            print(name, each["words"])
    return 0


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")
    sys.exit(main())
