"""How long a forest of 200 trees, at most 12 deep, takes for one row of features.

    python -m benchmarks.cheat.predictor [--json] [--players N]

One row at a time, warm, in the compiled kernel that a search uses; the same rows through
scikit-learn, which is made for many at once, beside it. Times are of the processor.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from typing import Any

import numpy as np

from sleuth.beliefs.games.cheat.features import NAMES
from sleuth.beliefs.predictors.predictor import probabilities
from sleuth.games.cheat import rows_of, simulate
from sleuth.training.predictor_file import predictor_of
from sleuth.training.predictor_kinds import DEPTH, TREES, classifier

TURNS = 15


def measure(players: int) -> dict[str, Any]:
    """Microseconds a row, and the greatest difference from scikit-learn."""
    rows = rows_of(simulate(players, seed=1))
    fitted = classifier("forest", seed=1).fit(rows.features, rows.labels["true"])
    predictor = predictor_of(
        "forest", fitted, rows.features, game="cheat", predicts="true", features=NAMES
    )
    given = np.ascontiguousarray(rows.features)
    found = probabilities(given, predictor.tables)
    seconds: list[float] = []
    for _ in range(TURNS):
        begin = time.process_time()
        probabilities(given, predictor.tables)
        seconds.append(time.process_time() - begin)
    begin = time.process_time()
    for row in given[:20]:
        fitted.predict_proba(row[None])
    one_by_one = (time.process_time() - begin) / 20
    return {
        "rows": len(given),
        "trees": TREES,
        "depth": DEPTH,
        "nodes": len(predictor.tables.nodes),
        "microseconds a row": round(statistics.median(seconds) / len(given) * 1e6, 2),
        "scikit-learn, microseconds a row alone": round(one_by_one * 1e6, 1),
        "greatest difference": float(
            np.abs(found - fitted.predict_proba(rows.features)[:, 1]).max()
        ),
    }


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--players", type=int, default=60)
    given = parser.parse_args(arguments)
    found = measure(given.players)
    if given.json:
        print(json.dumps(found, indent=2))
        return
    for name, value in found.items():
        print(f"{name:40} {value}")


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    main(sys.argv[1:])
