"""The games of the shelf in numbers: lines, sizes, which engine answers, seconds of the checks.

    python -m benchmarks.shelf [--games NAME ...] [--json] [--write]

A few random games of each are played, and the belief is asked at every moment with everybody's
eyes. Then the game and its belief are checked as `sleuth check` does, with kernels that are
compiled already. Seconds are of the processor. ``--write`` keeps what was measured for the pages;
other games' numbers stay.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sleuth import SPECTATOR, Play, check_belief, check_game
from sleuth import belief as belief_of
from sleuth import game as game_of

ROOT = Path(__file__).parents[1]
SHELF = ROOT / "shelf"
RESULTS = ROOT / "docs" / "results" / "shelf.json"
#: Random games in which the belief is asked.
PLAYS = 5


def names() -> list[str]:
    """The games of the shelf: one file each."""
    return sorted(path.stem for path in SHELF.glob("*.py") if path.name != "__init__.py")


def measured(name: str) -> dict[str, Any]:
    """The numbers of one game with its usual settings."""
    game, belief = game_of(name), belief_of(name)
    engines, seconds, exact, moves = Counter[str](), list[float](), True, list[int]()
    for seed in range(PLAYS):
        play, rng = Play.new(game, seed=seed), np.random.default_rng(seed)
        while not play.over:
            for viewer in (*range(game.players), SPECTATOR):
                view = play.view(viewer)
                if hidden := belief.hidden(view):
                    began = time.process_time()
                    posterior = belief.infer(view, play.seen_by(viewer))
                    for feature in hidden.values():
                        posterior.marginal(feature)
                    seconds.append(time.process_time() - began)
                    engines[posterior.method] += 1
                    exact = exact and posterior.exact
            play.apply(int(rng.choice(play.legal())))
        moves.append(len(play.actions))
    game.warm()
    check_game(game, plays=1)
    began = time.process_time()
    check_game(game)
    between = time.process_time()
    check_belief(game)
    return {
        "lines": len((SHELF / f"{name}.py").read_text("utf-8").splitlines()),
        "players": game.players,
        "actions": game.action_space,
        "state_bytes": game.state.itemsize,
        "moves": float(np.mean(moves)),
        "engines": [engine for engine, _ in engines.most_common()],
        "exact": exact,
        "belief_ms": 1000 * float(np.median(seconds)),
        "slowest_ms": 1000 * max(seconds),
        "check_game_seconds": between - began,
        "check_belief_seconds": time.process_time() - between,
    }


def kept() -> dict[str, dict[str, Any]]:
    """Everything that was measured before."""
    return json.loads(RESULTS.read_text("utf-8")) if RESULTS.is_file() else {}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", choices=names(), default=names())
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--write", action="store_true", help=f"write {RESULTS.name}")
    asked = parser.parse_args(arguments)
    found = {name: measured(name) for name in asked.games}
    if asked.write:
        together = dict(sorted((kept() | found).items()))
        RESULTS.write_text(json.dumps(together, indent=1) + "\n", "utf-8")
    for name, numbers in found.items():
        print(json.dumps({name: numbers}) if asked.json else f"{name}: {numbers}")


if __name__ == "__main__":
    main()
