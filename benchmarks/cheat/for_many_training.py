"""How well lies of strangers at tables of many are told from true claims, against counting alone.

    python -m benchmarks.cheat.for_many_training [--json] [--players 80] [--believed 600] [--seed S]

The predictor that comes with sleuth, judged on simulated people that it has never met, who play two
games of four at a table: the log loss in nats, with 95 % intervals from a bootstrap over claimants,
of it, of it without the seconds that claims took, of card counting, and of the belief with and
without the predictor, for claims and their first listeners. It takes some minutes of one core.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sleuth.beliefs.games.cheat.for_many.judges import ManyTruth, known_predictor
from sleuth.beliefs.games.cheat.judges import TRUTH, USUAL
from sleuth.games.cheat import ManyCheatBelief, ManyCheatRecord, rows_of_many, simulate_many
from sleuth.training.judging import auc

GAMES: Final = 2
EDGE: Final = 1e-3
DRAWS: Final = 1000
Floats = NDArray[np.float64]


def losses(y: Floats, given: Floats) -> Floats:
    """The log loss of every probability, in nats; what is nearer to 0 or 1 than 0.001 is put there.

    Counting alone is often as sure as that, and wrong where players are more honest than chance.
    """
    clipped = np.clip(given, EDGE, 1.0 - EDGE)
    return -np.where(y == 1, np.log(clipped), np.log1p(-clipped))


def resampled(who: NDArray[Any], seed: int) -> Floats:
    """How often each row counts, in draws of claimants with replacement; float64[draws, rows]."""
    rng = np.random.default_rng(seed)
    players, place = np.unique(who, return_inverse=True)
    times = rng.multinomial(len(players), np.full(len(players), 1 / len(players)), DRAWS)
    return times[:, place].astype(np.float64)


def interval(values: Floats, weights: Floats) -> list[float]:
    """The mean of values, and where it lies in 95 of 100 draws."""
    means = weights @ values / weights.sum(axis=1)
    return [float(values.mean()), *np.percentile(means, [2.5, 97.5]).tolist()]


def believed(records: list[ManyCheatRecord], most: int) -> dict[str, Any]:
    """P(true) of claims to the first who is asked, by beliefs: by counting, as usual, predicted."""
    predictor = known_predictor(USUAL, TRUTH)
    makes = {
        "belief, counting alone": ManyCheatBelief(honest=None),
        "belief, honest where they can be": ManyCheatBelief(),
        "belief with the predictor": ManyCheatBelief(ManyTruth(predictor)),
    }
    found: dict[str, list[float]] = {name: [] for name in makes}
    truth: list[int] = []
    who: list[str] = []
    for record in records:
        seats = [[*record.observed(seat)] for seat in range(len(record.players))]
        claims = iter([turn for turn in record.turns if turn.kind == "claim"])
        for at, step in enumerate(record.steps(), start=1):
            if step.code < 2 or not step.written:
                continue
            claim = next(claims)
            listener = (step.by + 1) % len(record.players)
            now = seats[listener][at]
            for name, belief in makes.items():
                declared = belief.declared(now.view)
                condition = declared.is_true(declared.claims[-1])
                found[name].append(float(belief.infer(now.view, now.seen).probability(condition)))
            truth.append(int(bool(claim.true)))
            who.append(record.players[step.by])
            if len(truth) >= most:
                return {"truth": truth, "who": who, "given": found}
    return {"truth": truth, "who": who, "given": found}


def measure(players: int, most: int, seed: int) -> dict[str, Any]:
    """All log losses, and what the predictor gains over each other."""
    records = simulate_many(players, seed=seed, games=GAMES)
    rows = rows_of_many(records)
    y = rows.labels["true"].astype(np.float64)
    predictor = known_predictor(USUAL, TRUTH)
    features = rows.features.copy()
    given: dict[str, Floats] = {"the predictor": predictor(features)}
    features[:, -1] = np.nan
    given["the predictor, seconds not known"] = predictor(features)
    given["card counting"] = rows.features[:, list(rows.of.features).index("chance")]
    given["the share of true claims"] = np.full(len(y), y.mean())
    weights = resampled(rows.player, seed)
    first = losses(y, given["the predictor"])
    claims = [turn for record in records for turn in record.turns if turn.kind == "claim"]
    called = sum(turn.kind == "call" for record in records for turn in record.turns)
    value: dict[str, Any] = {
        "players": players,
        "games": len(records),
        "claims": len(claims),
        "rows": len(y),
        "lies": 1.0 - float(np.mean([bool(turn.true) for turn in claims])),
        "called": called / len(claims),
        "on": {
            name: {
                "log_loss": interval(losses(y, each), weights),
                "gain": interval(losses(y, each) - first, weights),
                "auc": auc(y, each),
            }
            for name, each in given.items()
        },
    }
    told = believed([*records[:: max(1, len(records) // 12)]], most)
    truth, who = np.array(told["truth"], dtype=np.float64), np.array(told["who"])
    weights = resampled(who, seed)
    beliefs = {name: np.array(each) for name, each in told["given"].items()}
    last = losses(truth, beliefs["belief with the predictor"])
    value["believed"] = len(truth)
    value["beliefs"] = {
        name: {
            "log_loss": interval(losses(truth, each), weights),
            "gain": interval(losses(truth, each) - last, weights),
            "auc": auc(truth, each),
        }
        for name, each in beliefs.items()
    }
    return value


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--players", type=int, default=80)
    parser.add_argument("--believed", type=int, default=600)
    parser.add_argument("--seed", type=int, default=2_000_003)
    given = parser.parse_args(arguments)
    value = measure(given.players, given.believed, given.seed)
    if given.json:
        print(json.dumps(value, indent=2))
        return
    print(
        f"{value['players']} players, {value['games']} games, {value['claims']:,} claims, "
        f"{value['rows']:,} of a claim and a listener; {value['lies']:.1%} lies, "
        f"{value['called']:.1%} called"
    )
    _print(value["on"])
    print(f"{value['believed']} claims to their first listeners:")
    _print(value["beliefs"])


def _print(rows: dict[str, Any]) -> None:
    for name, row in rows.items():
        mean, low, high = row["log_loss"]
        more, least, most = row["gain"]
        cells = f"{mean:.3f} [{low:.3f}, {high:.3f}]", f"{more:+.3f} [{least:+.3f}, {most:+.3f}]"
        print(f"| {name} | {' | '.join(cells)} | {row['auc']:.3f} |")
    sys.stdout.flush()


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    main(sys.argv[1:])
