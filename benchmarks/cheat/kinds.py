"""Kinds of predictors of claims in Cheat on the same folds: how good, how large, how fast.

    python -m benchmarks.cheat.kinds [--players 200] [--seed 7] [--kinds NAME...] [--json]

The rows are those that the package's predictor of truth has learned from: 200 simulated people who
react. In five folds, in which nobody is judged by rows of people they met, each kind says how
likely every claim is true. Intervals are of the difference to the first kind, over players drawn
again. The file of a kind, and what a row takes in its compiled kernel, are those of a predictor
that has learned from all rows. A row at a time is what an agent asks, many at once what an analysis
does. Times are of the processor.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import GroupKFold

from sleuth.beliefs.games.cheat.features import NAMES
from sleuth.beliefs.predictors.predictor import probabilities
from sleuth.games.cheat import cheat
from sleuth.kit import save_predictor
from sleuth.models.cheat.people.population import ADAPTING, REACTING, bluffers
from sleuth.models.cheat.people.simulate import simulate_games
from sleuth.predictors import Predictor
from sleuth.training.cheat.rows import rows_of_simulated
from sleuth.training.predictor_file import predictor_of
from sleuth.training.predictor_kinds import STORED, classifier
from sleuth.training.protocols import circles

from .caught import DRAWN, FOLDS

#: Rows that are asked one at a time.
ASKED = 1_000
TURNS = 5


def said_by(kind: str, x: Any, y: Any, groups: Any, seed: int) -> NDArray[np.float64]:
    """What a kind says of each row that has learned from other players."""
    said = np.full(len(y), np.nan)
    for learn, test in GroupKFold(FOLDS).split(x, y, groups):
        made = classifier(kind, seed=seed, jobs=1)
        made.fit(x[learn], y[learn], groups=groups[learn])
        said[test] = made.predict_proba(x[test])[:, 1]
    return said


def whole(kind: str, x: Any, y: Any, groups: Any, seed: int) -> Predictor:
    """A predictor that has learned from all rows."""
    fitted = classifier(kind, seed=seed, jobs=1).fit(x, y, groups=groups)
    return predictor_of(kind, fitted, x, game="cheat", predicts="true", features=NAMES)


def cost_of(predictor: Predictor, x: Any) -> dict[str, float]:
    """Bytes of its file, nodes, and microseconds a row: one at a time, and of all."""
    with tempfile.TemporaryDirectory() as folder:
        arrays, _ = save_predictor(predictor, Path(folder) / "made")
        size = arrays.stat().st_size
    given = np.ascontiguousarray(x)
    singles = [given[place : place + 1] for place in range(min(ASKED, len(given)))]
    probabilities(given, predictor.tables)
    alone: list[float] = []
    together: list[float] = []
    for _ in range(TURNS):
        begin = time.process_time()
        for single in singles:
            probabilities(single, predictor.tables)
        between = time.process_time()
        probabilities(given, predictor.tables)
        alone.append((between - begin) / len(singles))
        together.append((time.process_time() - between) / len(given))
    return {
        "bytes": size,
        "nodes": len(predictor.tables.nodes),
        "microseconds, one row": 1e6 * statistics.median(alone),
        "microseconds a row, of all": 1e6 * statistics.median(together),
    }


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--population", choices=[*ADAPTING], default=REACTING)
    parser.add_argument("--kinds", nargs="+", choices=STORED, default=["boosting", "forest"])
    parser.add_argument("--json", action="store_true", help="print JSON")
    asked: Any = parser.parse_args(arguments)
    people = bluffers(asked.players, seed=asked.seed, population=asked.population)
    rows = rows_of_simulated([*simulate_games(people, seed=asked.seed)], cheat())
    rows = rows.where(rows.labels["true"] >= 0)
    x, y, groups = rows.features, rows.labels["true"], circles(rows)
    rng = np.random.default_rng(1)
    where = [np.flatnonzero(rows.player == player) for player in np.unique(rows.player)]
    drawn = [
        np.concatenate([where[place] for place in rng.choice(len(where), len(where))])
        for _ in range(DRAWN)
    ]
    figures = {"AUC": roc_auc_score, "log loss": log_loss}
    usual: dict[str, list[float]] = {}
    found: list[dict[str, Any]] = []
    for kind in asked.kinds:
        said = said_by(kind, x, y, groups, asked.seed)
        row: dict[str, Any] = {"kind": kind}
        for name, figure in figures.items():
            row[name] = float(figure(y, said))
            again = [float(figure(y[chosen], said[chosen])) for chosen in drawn]
            apart = np.subtract(again, usual.setdefault(name, again))
            row[f"{name}, more than the first"] = np.percentile(apart, [2.5, 97.5]).tolist()
        found.append({**row, **cost_of(whole(kind, x, y, groups, asked.seed), x)})
        print(f"{kind} of {len(y):,} claims", file=sys.stderr)
    if asked.json:
        print(json.dumps({"claims": len(y), "players": asked.players, "kinds": found}))
        return 0
    print("| kind | AUC | | log loss | | file | nodes | one row | of all, a row |")
    print(f"|{9 * '---|'}")
    for row in found:
        cells = [row["kind"]]
        for name in figures:
            low, high = row[f"{name}, more than the first"]
            cells += [
                f"{row[name]:.4f}",
                "" if low == high == 0.0 else f"{low:+.4f} to {high:+.4f}",
            ]
        cells += [f"{row['bytes'] / 1024:,.0f} KiB", f"{row['nodes']:,}"]
        cells += [f"{row[name]:.2f} µs" for name in row if name.startswith("microseconds")]
        print(f"| {' | '.join(cells)} |")
    return 0


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    sys.exit(main())
