"""What decides a round of Saboteur: the weights of `prospects.csv`, fitted to rounds that ended.

    python -m benchmarks.saboteur.weights [--rounds N] [--out FILE]

Rounds by the paper's rules and on the tight board, half each, are played by the paper's agents and
by the public program, with miners and saboteurs drawn for every player and none, 5 or 30 % of a
side's actions at random. After every action the prospects are noted, and a logistic regression says
how likely the miners win. No weight may have the wrong sign: a broken tool does not help its
owner, even if those who are strong are blocked more often.
"""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from sleuth import Play, game
from sleuth.agents import parse_agent
from sleuth.data.files import read_table
from sleuth.models.saboteur.prospects import PROSPECTS, prospects
from sleuth.models.saboteur.state import MINERS_WIN
from sleuth.planners.agents.agent import seed_of

MINERS = ("dwarf:factor=1.5", "dwarf:factor=1.5,depth=1", "trust")
SABOTEURS = (
    "dwarf:saboteurs=explicit,factor=1.5",
    "trust",
    "dwarf:saboteurs=explicit,factor=5",
)
ERRORS = (0.0, 0.05, 0.3)
SEED = 11
#: Weights are held back by so much of the sum of their squares, for prospects of variance 1.
HELD_BACK = 1e-4
#: By rows of the table, which way each may count; 0 for both.
SIGNS = (0, -1, 0, -1, 1, -1, -1, 1, 1, -1, 1, 1, -1, -1, 1, 0, 1, 1, -1, 1, -1)

Floats = NDArray[np.float64]


def gathered(rules: str, rounds: int) -> tuple[Floats, Floats]:
    """Prospects after every action, and whether the miners won."""
    played = game("saboteur", rules=rules)
    makes = [[parse_agent(text).prepare(played) for text in side] for side in (MINERS, SABOTEURS)]
    rng = np.random.default_rng(SEED)
    rows: list[Floats] = []
    won: list[bool] = []
    for number in range(rounds):
        play = Play.new(played, seed=seed_of(77, SEED, number))
        roles = play.truth()[0].roles[: played.players].tolist()
        agents = [
            makes[role][rng.integers(len(makes[role]))](int(rng.integers(1 << 30)))
            for role in roles
        ]
        errors = [ERRORS[rng.integers(len(ERRORS))] for _ in makes]
        count = 0
        while not play.over:
            player = play.player
            if rng.random() < errors[roles[player]]:
                play.apply(int(rng.choice(play.legal())))
            else:
                play.apply(agents[player].decide(play.view(player), play.seen_by(player)))
            if not play.over:
                row = np.zeros(PROSPECTS)
                prospects(play.truth()[0], played.tables, row)
                rows.append(row)
                count += 1
        won += [bool(play.truth()[0].winner == MINERS_WIN)] * count
    return np.array(rows), np.array(won, dtype=float)


def fitted(rows: Floats, won: Floats) -> Floats:
    """The weights."""
    mean, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    mean[0], spread[0] = 0.0, 1.0
    scaled = (rows - mean) / spread

    def loss(weights: Floats) -> tuple[float, Floats]:
        total = scaled @ weights
        wrong = 1.0 / (1.0 + np.exp(-total)) - won
        value = (np.logaddexp(0.0, total) - won * total).mean() + HELD_BACK * weights @ weights
        return float(value), scaled.T @ wrong / len(won) + 2.0 * HELD_BACK * weights

    bounds = [(0.0 if sign > 0 else None, 0.0 if sign < 0 else None) for sign in SIGNS]
    found: Any = minimize(loss, np.zeros(PROSPECTS), jac=True, bounds=bounds, method="L-BFGS-B")
    weights = found.x / spread
    weights[0] -= (weights * mean)[1:].sum()
    return weights


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=700, help="in all")
    parser.add_argument("--out", type=Path, default=None, help="where the table is written")
    asked: Any = parser.parse_args(arguments)
    parts = [gathered(rules, asked.rounds // 2) for rules in ("paper", "tight")]
    weights = fitted(*(np.concatenate(each) for each in zip(*parts, strict=True)))
    table = read_table("saboteur", "prospects.csv")
    for row, weight in zip(table, weights.tolist(), strict=True):
        row["weight"] = f"{weight:.3f}"
    with asked.out.open("w", newline="") if asked.out else sys.stdout as file:
        writer = csv.DictWriter(file, list(table[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
