"""How long a decision of a bot takes beside its own thinking, and how long its start.

    python -m benchmarks.whole.bots [--games kuhn_poker,cheat] [--decisions 400] [--json]

For each game and each program of ``examples/bots``: milliseconds of the first decision, with which
the program starts, and the median and the 5th and 95th percentile of further ones.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
from pathlib import Path

import numpy as np

from sleuth import Play, agent

BOTS = Path(__file__).parents[2] / "examples" / "bots"
GAMES = ("kuhn_poker", "leduc_poker", "cheat", "clue_table", "scotland_yard")


def measure(game: str, command: str, decisions: int) -> dict[str, float]:
    """Milliseconds of a bot's decisions at the start of a game."""
    play = Play.new(game, seed=1)
    view, seen = play.view(play.player), play.seen_by(play.player)
    bot = agent(f"bot:'{command}'", play.game, seed=1)
    times: list[float] = []
    for _ in range(decisions + 1):
        start = time.perf_counter()
        bot.decide(view, seen)
        times.append(1_000 * (time.perf_counter() - start))
    low, middle, high = np.percentile(times[1:], [5, 50, 95])
    return {"first": times[0], "median": middle, "low": low, "high": high}


def main() -> None:
    parser = argparse.ArgumentParser(description="Milliseconds of bots' decisions.")
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--decisions", type=int, default=400)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    programs = {"Python": f"{sys.executable} {BOTS / 'plain.py'}"}
    if node := shutil.which("node"):
        programs["JavaScript"] = f"{node} {BOTS / 'plain.mjs'}"
    found = {
        game: {name: measure(game, each, given.decisions) for name, each in programs.items()}
        for game in given.games.split(",")
    }
    if given.json:
        print(json.dumps(found, indent=2))
        return
    print(f"{'game':14} {'program':11} {'first ms':>9} {'median ms':>10}   5 to 95 %")
    for game, rows in found.items():
        for name, row in rows.items():
            between = f"{row['low']:.3f} to {row['high']:.3f}"
            print(f"{game:14} {name:11} {row['first']:9.1f} {row['median']:10.3f}   {between}")


if __name__ == "__main__":
    main()
