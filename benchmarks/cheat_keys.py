"""Simulations a second of a search of Cheat with the abstraction packed in 31 bits, and unpacked.

    python benchmarks/cheat_keys.py [--json]

The same search from the same positions in one process, its nodes named by the packed key, by a hash
of the 16 attributes as an array, and, to compare, by all that the player saw. Bitan and Kraus
report twelve times as many simulations with the packed key (2018, section 4.3.1).
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from dataclasses import replace
from typing import Any

import numpy as np

from sleuth.beliefs.games import belief
from sleuth.models.cheat import cheat
from sleuth.models.cheat.abstraction import unpacked_key
from sleuth.models.play import Play
from sleuth.planners import Budget, Search

TURNS = 5
POSITIONS = (0, 6, 12, 18)
SIMULATIONS = 4_000


def positions() -> list[Play]:
    """Moments of games at random that go on that long."""
    game, found, seed = cheat(), [], 0
    while len(found) < len(POSITIONS):
        play, rng = Play.new(game, seed=seed), np.random.default_rng(seed)
        while not play.over and len(play.actions) < POSITIONS[len(found)]:
            play.apply(int(rng.choice(play.legal())))
        if not play.over:
            found.append(play)
        seed += 1
    return found


def measure() -> dict[str, Any]:
    """Simulations a second for each kind of key: the median of some turns."""
    game = cheat()
    searches = {
        "packed": Search(game, information="key"),
        "unpacked": Search(replace(game, key=unpacked_key), information="key"),
        "all that was seen": Search(game, information="players"),
    }
    believer: Any = belief(game)
    plays = positions()
    rates: dict[str, list[float]] = {name: [] for name in searches}
    for turn in range(TURNS + 1):
        for name, search in searches.items():
            seconds = 0.0
            for play in plays:
                view = play.view(play.player)
                posterior = believer.infer(view, play.seen_by(play.player))
                worlds = believer.worlds(posterior, 512, np.random.default_rng(turn))

                def draw(count: int, rng: Any, worlds: Any = worlds) -> Any:
                    return np.ascontiguousarray(worlds[rng.integers(len(worlds), size=count)])

                begin = time.process_time()
                search.decide(view, draw, Budget(simulations=SIMULATIONS), seed=turn)
                seconds += time.process_time() - begin
            if turn > 0:  # the first compiles
                rates[name].append(SIMULATIONS * len(plays) / seconds)
    found: dict[str, Any] = {name: round(statistics.median(each)) for name, each in rates.items()}
    found["packed over unpacked"] = round(found["packed"] / found["unpacked"], 3)
    return found


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    found = measure()
    if given.json:
        print(json.dumps(found, indent=2))
        return
    for name, value in found.items():
        print(f"{name:24} {value:,}")


if __name__ == "__main__":
    main(sys.argv[1:])
