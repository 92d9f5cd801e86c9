"""Lower bounds of exploitability in games that are too large to be written out.

    python -m benchmarks.search.lower_bounds [--seconds 900] [--folder FOLDER] [--games 400]
        [--case cheat mcts:simulations=200]

For each game and agent: games of a local best response against it (Lisy and Bowling 2017), from
every seat with the same deals, until the games are played or the time is over. With a folder the
games are kept, and a run goes on from there.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from sleuth.equilibria import LowerBound, ResponderSettings, local_best_response

#: Games and agents; the responder is the same everywhere.
CASES = (
    ("cheat", "random"),
    ("cheat", "mcts:simulations=200"),
    ("cheat", "ours:simulations=200"),
    ("scotland_yard", "random"),
    ("scotland_yard", "mcts:simulations=200"),
    ("scotland_yard", "vote:simulations=200"),
)
#: Games that are played before the clock is looked at.
STEP = 4


def bound(
    game: str, agent: str, *, games: int, seconds: float, folder: Path | None, seed: int = 1
) -> LowerBound:
    """As many games as there is time for, and one step at least."""
    start, settings = time.perf_counter(), ResponderSettings()
    name = f"{game}_{agent}".replace(":", "_").replace("=", "_").replace(",", "_")
    out = None if folder is None else folder / f"{name}.jsonl"
    # Games of a step that are in no file are played anew with the next one.
    step = STEP if out is not None else games
    found = None
    for count in range(step, games + 1, step):
        found = local_best_response(game, agent, games=count, seed=seed, settings=settings, out=out)
        if time.perf_counter() - start > seconds:
            break
    assert found is not None
    return found


def line(found: LowerBound) -> str:
    """A line of the table: each side's games and winnings, and all."""
    cells = [
        f"{value:+.3f} ± {error:.3f} ({games})"
        for value, error, games in zip(found.values, found.errors, found.games, strict=True)
    ]
    total = f"{found.value:+.3f} ± {found.error:.3f}"
    return "| " + " | ".join([found.result.game, f"`{found.agent}`", *cells, total]) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=900.0)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--case", nargs=2, action="append", metavar=("GAME", "AGENT"))
    given = parser.parse_args()
    if given.folder is not None:
        given.folder.mkdir(parents=True, exist_ok=True)
    print("| game | agent | from the first seat | from the second | on average |")
    print("|---|---|---|---|---|")
    for game, agent in given.case or CASES:
        found = bound(game, agent, games=given.games, seconds=given.seconds, folder=given.folder)
        print(line(found), flush=True)


if __name__ == "__main__":
    main()
