"""Is it found out what kind of player somebody is, and what is that worth? In each of the games.

    python -m benchmarks.beliefs.kinds [--only GAME...] [--games N] [--fields NAME...] [--after N]
        [--seed S] [--out FOLDER] [--json]

Players of different kinds (`mixed`), and of one kind, play. A viewer says how likely what is hidden
is: the case file, the roles of the others, the hider's station, whether a claim is true. Once by
each kind alone, as if all the others were of it, and by all kinds (`all kinds`), of which each
player's is found out. Log losses are in nats, of moments after at least so many observations of
others (``--after``, usually ten), means over the moments of a game; intervals are 95 % of a
bootstrap over games. Where there is one other player at a time, the mixed field is also told apart
by what kind they are of.

How likely kinds are is held against whose games these are, once for each game and player, at the
last of these moments: of what was given about 70 %, how much was so.

With --out moments are kept for each game and field, and an interrupted run goes on.

With --json: ``{"rows": [{"game": g, "field": f, "model": m, "games": n, "moments": n, "log_loss":
nats, "interval": [low, high], "beyond_best": nats, "beyond_best_interval": [low, high],
"best": name of the best single kind}], "calibration": [{"game": g, "from": p, "to": p,
"given": mean p, "so": share, "interval": [low, high], "number": n}]}``.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from sleuth.data.intervals import wilson

from .judged_games import Array, interval
from .kinds_games import GAMES, MIXED, OTHERS, Moment

BINS = (0.0, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 1.0)


def moments_of(game: str, field: str, games: int, seed: int, out: Path | None) -> list[Moment]:
    """All moments of a field, kept if asked."""
    word = "".join(
        letter if letter.isalnum() else "_" for letter in f"{game}_{field}_{games}_{seed}"
    )
    kept = None if out is None else out / f"{word}.json"
    if kept is not None and kept.exists():
        found = json.loads(kept.read_text("utf-8"))
        return [
            Moment(each["game"], each["seen"], each["losses"], tuple(map(tuple, each["kinds"])))
            for each in found
        ]
    collect, _ = GAMES[game]
    moments = [*collect(field, games, seed)]
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps([asdict(each) for each in moments]), encoding="utf-8")
    return moments


def means(moments: Sequence[Moment], model: str) -> Array:
    """For each game the mean log loss."""
    by: dict[int, list[float]] = defaultdict(list)
    for each in moments:
        by[each.game].append(each.losses[model])
    return np.array([np.mean(each) for each in by.values()])


def rows_of(game: str, field: str, moments: Sequence[Moment], seed: int) -> list[dict[str, Any]]:
    """Each model's log loss, and how much more it is than that of the best single kind."""
    losses = {model: means(moments, model) for model in moments[0].losses}
    single = [model for model in losses if model not in OTHERS]
    best = min(single, key=lambda model: float(losses[model].mean()))
    return [
        {
            "game": game,
            "field": field,
            "model": model,
            "games": len(each),
            "moments": len(moments),
            "log_loss": float(each.mean()),
            "interval": list(interval(each, seed)),
            "beyond_best": float((each - losses[best]).mean()),
            "beyond_best_interval": list(interval(each - losses[best], seed)),
            "best": best,
        }
        for model, each in losses.items()
    ]


def by_kind(moments: Sequence[Moment]) -> dict[str, list[Moment]]:
    """Moments of games with one other player, by what kind that one is; no others."""
    found: dict[str, list[Moment]] = defaultdict(list)
    for each in moments:
        if len(each.kinds) == 1:
            ((kind, _),) = each.kinds
            found[str(kind)].append(each)
    return found


def calibration_of(game: str, moments: Sequence[Moment]) -> list[dict[str, Any]]:
    """Of kinds that were given so much, how many were so."""
    last = {each.game: each for each in moments}
    pairs = [
        (share, kind == true)
        for each in last.values()
        for true, said in each.kinds
        for kind, share in said.items()
    ]
    given, so = (np.array(each, dtype=float) for each in zip(*pairs, strict=True))
    found: list[dict[str, Any]] = []
    for low, high in itertools.pairwise(BINS):
        inside = (given >= low) & ((given < high) | (high == 1.0))
        number = int(inside.sum())
        if number:
            found.append(
                {
                    "game": game,
                    "from": low,
                    "to": high,
                    "given": float(given[inside].mean()),
                    "so": float(so[inside].mean()),
                    "interval": list(wilson(int(so[inside].sum()), number)),
                    "number": number,
                }
            )
    return found


def written(found: dict[str, Any]) -> str:
    """Both tables in Markdown."""
    lines = [
        "| game | field | games | model | log loss | 95 % | more than the best kind | 95 % |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in found["rows"]:
        (low, high), (less, more) = row["interval"], row["beyond_best_interval"]
        lines.append(
            f"| {row['game']} | `{row['field']}` | {row['games']} | {row['model']} "
            f"| {row['log_loss']:.3f} | {low:.3f} to {high:.3f} "
            f"| {row['beyond_best']:+.3f} | {less:+.3f} to {more:+.3f} |"
        )
    lines += ["", "| game | given | number | mean | so | 95 % |", "|---|---|---|---|---|---|"]
    for row in found["calibration"]:
        low, high = row["interval"]
        lines.append(
            f"| {row['game']} | {row['from']:.0%} to {row['to']:.0%} | {row['number']} "
            f"| {row['given']:.1%} | {row['so']:.1%} | {low:.1%} to {high:.1%} |"
        )
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--only", nargs="+", choices=[*GAMES], default=[*GAMES])
    parser.add_argument("--games", type=int, default=60, help="of each field")
    parser.add_argument("--fields", nargs="+", default=None, help="some only, such as mixed")
    parser.add_argument("--after", type=int, default=10, help="observations of others, at least")
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--out", type=Path, default=None, help="where moments are kept")
    parser.add_argument("--json", action="store_true", help="print JSON")
    asked: Any = parser.parse_args(arguments)
    if asked.games < 1:
        parser.error(f"at least 1 game is needed: {asked.games}")
    known = list(dict.fromkeys(field for game in asked.only for field in GAMES[game][1]))
    if wrong := set(asked.fields or ()) - set(known):
        parser.error(f"no such field: {', '.join(sorted(wrong))}; known: {', '.join(known)}")
    found: dict[str, Any] = {"rows": [], "calibration": []}
    for game in asked.only:
        _, fields = GAMES[game]
        for field in fields:
            if asked.fields is not None and field not in asked.fields:
                continue
            moments = moments_of(game, field, asked.games, asked.seed, asked.out)
            late = [each for each in moments if each.seen >= asked.after]
            print(f"{game}, {field}: {len(late)} moments", file=sys.stderr, flush=True)
            if not late:
                continue
            found["rows"] += rows_of(game, field, late, asked.seed)
            for kind, theirs in by_kind(late).items() if field == MIXED else ():
                found["rows"] += rows_of(game, f"{field}, {kind}", theirs, asked.seed)
            if field == MIXED:
                found["calibration"] += calibration_of(game, late)
    print(json.dumps(found) if asked.json else written(found))
    return 0


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    sys.exit(main())
