"""How hiders of Scotland Yard move who are not as `moves.json` was learned: a model for each kind.

    python -m benchmarks.scotland_yard.kinds [--games N] [--seed S] [--out FOLDER] [--write]

Each kind of hider plays so many games against seekers that search little. With ``--write`` the
models go into ``data/scotland_yard/kinds.json``; with ``--out`` finished games are kept.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

import sleuth
from sleuth.games.scotland_yard import MoveModel

FILE = Path(__file__).parents[2] / "data" / "scotland_yard" / "kinds.json"
SEEKERS = "mcts:simulations=100,belief=uniform"
#: What the kinds are called, and who plays so.
HIDERS = {
    "looks ahead": "paranoid",
    "searches, any playouts": "mcts:simulations=200,playouts=random",
}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--games", type=int, default=60, help="of each kind")
    parser.add_argument("--seed", type=int, default=3_000)
    parser.add_argument("--out", type=Path, default=None, help="where finished games are kept")
    parser.add_argument("--write", action="store_true", help="write the file")
    asked: Any = parser.parse_args(arguments)
    game = sleuth.game("scotland_yard")
    found: dict[str, Any] = {}
    for name, hider in HIDERS.items():
        kept = None if asked.out is None else asked.out / f"{name.replace(' ', '_')}.jsonl"
        learned = sleuth.train(
            "scotland_yard",
            simulate=asked.games,
            agents=[hider, *[SEEKERS] * (game.players - 1)],
            games=kept,
            seed=asked.seed,
        )
        found[name] = MoveModel.of(learned.required_predictor).to_json()
        print(name, learned.findings[0].value, file=sys.stderr)
    if asked.write:
        FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")
    sys.exit(main())
