"""How well lies of strangers are told from true claims, by the number of players learned from.

    python -m benchmarks.cheat.learning [--json] [--players 60 120 300 600] [--games 2] [--seed S]

The default forest by the cold protocol on simulated people who react, beside its baselines and both
ceilings, with 95 % intervals over players, and how much better it is than each baseline, with the
interval of the difference.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from typing import Any

from sleuth.games.cheat import rows_of, simulate
from sleuth.models.cheat.people.population import REACTING
from sleuth.training.cheat.ceilings import committed
from sleuth.training.training import train


def measure(players: int, games: int, seed: int, models: list[str]) -> dict[str, Any]:
    """The scores of one number of players."""
    begin = time.perf_counter()
    rows = rows_of(simulate(players, seed=seed, games=games, population=REACTING))
    found = train(rows, models=models, seed=seed, jobs=-1)
    value = found.to_json()
    return {
        "players": players,
        "claims": len(rows),
        "seconds": round(time.perf_counter() - begin, 1),
        "models": {model: judged["cold"] for model, judged in value["models"].items()},
        "baselines": value["baselines"],
        "gains": value["gains"],
    }


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--players", type=int, nargs="+", default=[60, 120, 300, 600])
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--models", nargs="+", default=["forest"])
    given = parser.parse_args(arguments)
    rows: list[dict[str, Any]] = []
    for players in given.players:
        rows.append(measure(players, given.games, given.seed, given.models))
        if not given.json:
            _print(rows[-1])
    if given.json:
        print(json.dumps({"rows": rows, "ceilings": committed()}, indent=2))
    else:
        print("ceilings", committed())


def _print(row: dict[str, Any]) -> None:
    print(f"{row['players']} players, {row['claims']} claims, {row['seconds']} s")
    for name, scores in {**row["models"], **row["baselines"]}.items():
        low, high = scores["auc_interval"]
        slope = scores["calibration"]["slope"]
        gain = row["gains"].get(name)
        more = "" if gain is None else "  it is better by {:.3f} [{:.3f}, {:.3f}]".format(*gain)
        print(f"  {name:32} {scores['auc']:.3f} [{low:.3f}, {high:.3f}] slope {slope}{more}")
    sys.stdout.flush()


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    main(sys.argv[1:])
