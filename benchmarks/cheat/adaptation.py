"""What it is worth that players of Cheat get to be known during a match.

    python -m benchmarks.cheat.adaptation [--players 600] [--games 4] [--seed 2026] [--joined N]

The predictor that comes with sleuth judges the claims of simulated people from whom it has not
learned, once as if anybody had made them, and once by what was turned up of their player before:
the log loss of both in nats, with the 95 % interval of the difference over players drawn again.
Below 0, knowing players helps. ``--joined N`` does it for the first N of them with the whole
analysis, where predictions are joined with counting cards.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sleuth.games.cheat import TRUTH, USUAL, CheatRecord, cheat, known_predictor, seen_in, simulate
from sleuth.models.cheat.people.population import REACTING, bluffers
from sleuth.models.cheat.people.simulate import simulate_games
from sleuth.training.cheat.adapting import adapted
from sleuth.training.cheat.rows import rows_of_simulated

EDGE = 1e-6
DRAWS = 10_000

Floats = NDArray[np.float64]


def losses(true: Floats, given: Floats) -> Floats:
    """Minus the natural log of what the truth was given."""
    clipped = np.clip(given, EDGE, 1 - EDGE)
    return -np.log(np.where(true == 1, clipped, 1 - clipped))


def difference(more: Floats, less: Floats, players: NDArray[Any]) -> tuple[float, ...]:
    """The mean difference over claims, and its 95 % interval when players are drawn again."""
    _, labels = np.unique(players, return_inverse=True)
    sums = np.bincount(labels, weights=more - less)
    counts = np.bincount(labels)
    rng = np.random.default_rng(1)
    drawn = rng.integers(len(sums), size=(DRAWS, len(sums)))
    found = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.quantile(found, [0.025, 0.975])
    return float(np.mean(more - less)), float(low), float(high)


def tell(
    name: str, true: Floats, with_: Floats, without: Floats, players: Sequence[object]
) -> None:
    """One line of the table."""
    adapts, plain = losses(true, with_), losses(true, without)
    who = np.asarray(players)
    mean, low, high = difference(adapts, plain, who)
    print(
        f"| {name} | {len(np.unique(who))} | {len(true):,} | {plain.mean():.4f} | "
        f"{adapts.mean():.4f} | {mean:+.4f} [{low:+.4f}, {high:+.4f}] |"
    )
    sys.stdout.flush()


def predicted(players: int, games: int, seed: int) -> None:
    """What the predictor says, in each game of the matches and in all."""
    predictor = known_predictor(USUAL, TRUTH)
    people = bluffers(players, seed=seed, population=REACTING)
    rows = rows_of_simulated(simulate_games(people, seed=seed, games=games), cheat())
    given = predictor(rows.features)
    known = adapted(rows, rows.labels["true"], given, predictor.spread)
    true = rows.labels["true"].astype(np.float64)
    for number in range(1, games + 1):
        own = rows.game == number
        tell(f"game {number}", true[own], known[own], given[own], rows.player[own].tolist())
    tell("all games", true, known, given, rows.player.tolist())


def joined(players: int, games: int, seed: int) -> None:
    """What an analysis says, with players who get to be known and without."""
    usual = known_predictor(USUAL, TRUTH)
    same = replace(usual, card={**usual.card, "spread": 0})
    matches: dict[str, list[CheatRecord]] = {}
    for record in simulate(players, seed=seed, games=games, population=REACTING):
        matches.setdefault(record.match, []).append(record)
    true: list[bool] = []
    said: list[tuple[float, ...]] = []
    who: list[str] = []
    for records in matches.values():
        for number in range(1, len(records) + 1):
            recorded = seen_in(records, number, None)
            seen = {seat: [*recorded.observed(seat)] for seat in (0, 1)}
            known = {seat: [recorded.belief(seat, each) for each in (usual, same)] for seat in seen}
            for turn, made in enumerate(recorded.record.turns, start=1):
                if made.true is None:
                    continue
                now = seen[1 - made.by][turn]
                true.append(made.true)
                who.append(recorded.name_of(made.by))
                said.append(tuple(each.chance(now.view, now.seen) for each in known[1 - made.by]))
    both = np.array(said)
    tell("joined with counting", np.array(true, dtype=float), both[:, 0], both[:, 1], who)


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--players", type=int, default=600)
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--joined", type=int, default=0)
    given = parser.parse_args(arguments)
    print("| | players | claims | as of anybody | getting to know them | difference |")
    print("|---|---|---|---|---|---|")
    predicted(given.players, given.games, given.seed)
    if given.joined:
        joined(given.joined, given.games, given.seed)


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    main(sys.argv[1:])
