"""Predictors of the truth of claims of Cheat for kinds of players: `data/cheat/truth_*`.

    python -m benchmarks.cheat.kind_predictors [--players N] [--games N] [--seed S] [--write]

Those of steady people are learned from simulated ones, the others from games of programs against
themselves. The predictor of people who react is the package's own, see `data/cheat/README.md`.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np

from sleuth import play_match
from sleuth.beliefs.games.cheat.features import NAMES
from sleuth.beliefs.games.cheat.judges import PREDICTS
from sleuth.games.cheat import TRUTH, cheat
from sleuth.kit import save_predictor
from sleuth.models.cheat.people.population import STEADY, bluffers
from sleuth.models.cheat.people.simulate import simulate_games
from sleuth.training.cheat.rows import rows_of_played, rows_of_simulated
from sleuth.training.predictor_file import predictor_of
from sleuth.training.predictor_kinds import classifier
from sleuth.training.protocols import circles

FOLDER = Path(__file__).parents[2] / "data" / "cheat"
#: Who plays, by the names of the files.
AGENTS = {
    "search": ("mga:simulations=30", "pmga:simulations=30", "ours:simulations=30"),
    "random": ("random",),
}
MODEL = "logistic"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--players", type=int, default=200, help="steady people")
    parser.add_argument("--games", type=int, default=90, help="of each kind of program")
    parser.add_argument("--seed", type=int, default=500)
    parser.add_argument("--write", action="store_true", help="write the files")
    asked: Any = parser.parse_args(arguments)
    game = cheat()
    people = bluffers(asked.players, seed=asked.seed, population=STEADY)
    found = {"steady": rows_of_simulated([*simulate_games(people, seed=asked.seed)], game)}
    for name, agents in AGENTS.items():
        games = asked.games * (4 if name == "random" else 1) // len(agents)
        played = [
            (game, one)
            for agent in agents
            for one in play_match(game, [agent, agent], games=games, seed=asked.seed).games
        ]
        found[name] = rows_of_played(played)
    for name, rows in found.items():
        rows = rows.where(rows.labels["true"] >= 0)
        x, y = rows.features, rows.labels["true"]
        fitted = classifier(MODEL, seed=asked.seed, jobs=1).fit(x, y, groups=circles(rows))
        card = {"source": f"benchmarks/cheat/kind_predictors.py --games {asked.games}"}
        made = predictor_of(
            MODEL, fitted, x, game="cheat", predicts=PREDICTS[TRUTH], features=NAMES, more=card
        )
        said = np.clip(made(x), 1e-6, 1 - 1e-6)
        loss = -np.log(np.where(y == 1, said, 1.0 - said)).mean()
        print(
            f"{name}: {len(y):,} claims, {y.mean():.1%} true, log loss {loss:.3f}", file=sys.stderr
        )
        if asked.write:
            save_predictor(made, FOLDER / f"truth_{name}")
    return 0


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")
    sys.exit(main())
