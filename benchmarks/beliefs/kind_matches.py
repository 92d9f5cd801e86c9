"""Does it help `daring` in Clue to find out what kind of player each of the others is?

    python -m benchmarks.beliefs.kind_matches --cells NAME... --games N [--out FOLDER] [--json]

Each cell of `clue_matches.py` that `daring` leads is played twice on the same deals, seats and
seeds: with what was learned alone (``knows=learned``), and with kinds (``knows=kinds``). Printed
are both win rates with Wilson's 95 % intervals, shares of wrong accusations, and the difference in
games won, with a 95 % bootstrap interval over deals (each deal is played once for each seat). With
--out finished games are kept, and an interrupted run goes on.

With --json: ``{"cells": [{"cell": name, "games": n, "before": {"agent": text, "win_rate": p,
"interval": [low, high], "wrong": share, "accusations": n, "seconds": of a game}, "after": {...},
"difference": d, "difference_interval": [low, high]}]}``.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np

from sleuth import game as game_by_name
from sleuth import play_match
from sleuth.data.intervals import wilson

from ..clue.matches import CELLS, SEED, looked_at
from .judged_games import Array, interval

BEFORE, AFTER = "daring:knows=learned", "daring:knows=kinds"


def played(cell: str, agent: str, games: int, out: Path | None) -> tuple[Array, dict[str, Any]]:
    """For each game whether the agent won alone, and its numbers."""
    field = CELLS[cell]
    rules = game_by_name(field.game, **field.settings)
    agents = (agent, *field.agents[1:])
    word = "".join(letter if letter.isalnum() else "_" for letter in f"{cell}_{agent}")
    kept = None if out is None else out / f"{word}.jsonl"
    result = play_match(rules, agents, games=games, seed=SEED, workers=1, out=kept)
    counts = looked_at(field, result.games, agents, 0)[agent]
    won = np.array([one.winners == (0,) for one in result.games], dtype=float)
    return won, {
        "agent": agent,
        "win_rate": float(won.mean()),
        "interval": list(wilson(int(won.sum()), len(won))),
        "wrong": counts.wrong / max(counts.accusations, 1),
        "accusations": counts.accusations,
        "seconds": float(np.mean([one.seconds for one in result.games])),
    }


def compared(cell: str, games: int, out: Path | None) -> dict[str, Any]:
    """A cell, played with both."""
    before, first = played(cell, BEFORE, games, out)
    after, second = played(cell, AFTER, games, out)
    seats = len(CELLS[cell].agents)
    apart = (after - before)[: len(before) // seats * seats].reshape(-1, seats).mean(axis=1)
    return {
        "cell": cell,
        "games": len(before),
        "before": first,
        "after": second,
        "difference": float(apart.mean()),
        "difference_interval": list(interval(apart, SEED)),
    }


def line(found: dict[str, Any]) -> str:
    """A row of the table."""
    cells = [f"`{found['cell']}`", str(found["games"])]
    for part in (found["before"], found["after"]):
        low, high = part["interval"]
        cells += [f"{part['win_rate']:.1%}, {low:.1%} to {high:.1%}", f"{part['wrong']:.1%}"]
    low, high = (100.0 * each for each in found["difference_interval"])
    return (
        f"| {' | '.join(cells)} | {100.0 * found['difference']:+.1f}, {low:+.1f} to {high:+.1f} |"
    )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cells", nargs="+", choices=CELLS, metavar="NAME", required=True)
    parser.add_argument("--games", type=int, default=400, metavar="N")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where finished games are kept")
    parser.add_argument("--json", action="store_true", help="print JSON and nothing else")
    asked: Any = parser.parse_args(arguments)
    if asked.out is not None:
        asked.out.mkdir(parents=True, exist_ok=True)
    rows: list[dict[str, Any]] = []
    for cell in asked.cells:
        rows.append(compared(cell, asked.games, asked.out))
        print(f"{cell}: {rows[-1]['games']} games", file=sys.stderr)
    if asked.json:
        print(json.dumps({"cells": rows}))
        return 0
    print("| cell | games | learned | wrong | kinds | wrong | more won in 100 |")
    print("|---|---|---|---|---|---|---|")
    print("\n".join(map(line, rows)))
    return 0


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    sys.exit(main())
