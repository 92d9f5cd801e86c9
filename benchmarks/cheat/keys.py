"""Simulations a second of a search of Cheat with the abstraction packed in 31 bits, and unpacked.

    python -m benchmarks.cheat.keys [--json]

The same search from the same positions in one process, its nodes named by the packed key, by a hash
of the 16 attributes as an array, and, to compare, by all that the player saw. Bitan and Kraus
report twelve times as many simulations with the packed key (2018, section 4.3.1).
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from dataclasses import replace
from typing import Any

import numpy as np

from sleuth import Budget, Play, Search, belief, kernel
from sleuth.games.cheat import cheat
from sleuth.models.cheat.abstraction import grouped_cards, grouped_estimate, previous_action
from sleuth.models.cheat.rules import neighbour
from sleuth.models.kernels.randomness import key_of

TURNS = 5
POSITIONS = (0, 6, 12, 18)
SIMULATIONS = 4_000


@kernel
def attributes(state: Any, viewer: int, tables: Any) -> Any:
    """The 16 attributes one by one; int32[16], in the order of ``ATTRIBUTES``."""
    other = 1 - viewer
    higher = neighbour(state.rank, 0, tables)
    lower = neighbour(state.rank, 1, tables)
    values = np.empty(16, dtype=np.int32)
    values[0] = previous_action(state, viewer, tables, False)
    values[1] = 1 if state.hands[viewer, higher] > 0 else 0
    values[2] = 1 if state.hands[viewer, lower] > 0 else 0
    values[3] = grouped_cards(state.sizes[viewer])
    values[4] = grouped_cards(state.sizes[other])
    values[5] = grouped_cards(state.pile)
    values[6] = min(state.turn + 1, 127)
    values[7] = grouped_estimate(state.collected[other, higher])
    values[8] = grouped_estimate(state.collected[other, lower])
    values[9] = 1 if state.claimed[viewer, higher] > 0 else 0
    values[10] = 1 if state.claimed[viewer, lower] > 0 else 0
    values[11] = 1 if state.claimed[other, higher] > 0 else 0
    values[12] = 1 if state.claimed[other, lower] > 0 else 0
    values[13] = 1 if state.caught[viewer, higher] > 0 else 0
    values[14] = 1 if state.caught[viewer, lower] > 0 else 0
    values[15] = 1 if state.catches[viewer] > 0 else 0
    return values


@kernel
def unpacked_key(state: Any, viewer: int, tables: Any) -> Any:
    """The abstraction the long way: a hash of the attributes as an array."""
    return np.int64(key_of(attributes(state, viewer, tables)) >> np.uint64(1))


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
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    main(sys.argv[1:])
