"""How often detectives win from where a game stands: by its round and the possible stations.

    python -m benchmarks.scotland_yard.rates --state DIR [--games N] [--workers N]
    python -m benchmarks.scotland_yard.rates --state DIR --report

Programs of equal strength play the game as it comes. Each game counts once in every cell of the
table that it comes to, at any turn of a detective. Games are kept in DIR, so an interrupted run
goes on where it was. The table is data of the package: `sleuth advise scotland-yard` reads it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sleuth import Game, Play, play_match
from sleuth.data.disk.writing import write_whole
from sleuth.data.version import version
from sleuth.games.scotland_yard import scotland_yard
from sleuth.jobs import cluster
from sleuth.models.scotland_yard.advice.win_rates import POSSIBLE, ROUNDS, cell_of
from sleuth.models.scotland_yard.state import HIDER
from sleuth.planners.matches.match_games import PlayedGame

from ..tables.sharing import add_workers

HERE = Path(__file__).resolve().parents[2]
STATE = HERE / "reports" / "scotland_yard_rates"
TABLE = HERE / "data" / "scotland_yard" / "win_rates.json"
SEED = 2026
AGENT = "mcts:simulations=1000"


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--state", type=Path, default=STATE, help="where games are kept")
    parser.add_argument("--games", type=int, default=400)
    add_workers(parser)
    parser.add_argument("--report", action="store_true", help="of the games that are there")
    options = parser.parse_args(arguments)
    options.state.mkdir(parents=True, exist_ok=True)
    game, file = scotland_yard(), options.state / "games.jsonl"
    games = options.games
    if options.report:
        games = min(games, len(file.read_text("utf-8").splitlines()) - 1)
    with cluster(options.cluster):
        result = play_match(
            game,
            [AGENT, AGENT],
            games=games,
            seed=SEED,
            workers=options.workers,
            swap=False,
            out=file,
        )
    table = {
        "agents": {"hider": AGENT, "seekers": AGENT},
        "settings": dict(game.settings),
        "games": games,
        "seed": SEED,
        "version": version(),
        "rounds_from": [*ROUNDS],
        "possible_from": [*POSSIBLE],
        "cells": cells_of(game, result.games),
    }
    write_whole(TABLE, json.dumps(table, indent=1) + "\n", where="the table")
    print(f"{games} games; wrote {TABLE}")


def cells_of(game: Game, played: Iterable[PlayedGame]) -> list[dict[str, int]]:
    """Of each cell how many games came to it, and how many of these the detectives won."""
    found: dict[tuple[int, int], list[int]] = {}
    for one in played:
        play = Play.new(game, seed=one.seed)
        met: set[tuple[int, int]] = set()
        for action in one.actions:
            if play.player != HIDER:
                state: Any = play.truth()[0]
                met.add(cell_of(state))
            play.apply(action)
        won = one.returns[HIDER] < 0.0
        for cell in met:
            counts = found.setdefault(cell, [0, 0])
            counts[0] += 1
            counts[1] += won
    return [
        {"round": cell[0], "possible": cell[1], "games": counts[0], "won": counts[1]}
        for cell, counts in sorted(found.items())
    ]


if __name__ == "__main__":
    main()
