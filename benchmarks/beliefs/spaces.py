"""What an observation of the exact belief costs in every game: the table of docs/adapters.md.

Run ``python -m benchmarks.beliefs.spaces``. At every move of games at random the player to move is
handed the record's fields (``game.observation``) and their belief (`BeliefSpace`), which is asked
for the first time at that moment. Times are of a processor, after a game that is not counted.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import sleuth
from sleuth.kit import BeliefSpace

#: Moves of a game that are looked at, and of how many games.
MOVES, GAMES = 60, 4


def measured(name: str) -> tuple[int, int, float, float, float]:
    """Numbers of the fields and of the belief; milliseconds of the fields, and of the belief: the
    median, and nine of ten."""
    game = sleuth.game(name)
    space, seconds = BeliefSpace.of(game), list[tuple[float, float]]()
    for seed in range(GAMES + 1):
        play, random = sleuth.Play.new(game, seed=1000 + seed), np.random.default_rng(seed)
        while not play.over and len(play.actions) < MOVES:
            view, seen = play.view(play.player), play.seen_by(play.player)
            start = time.process_time()
            game.observation(view)
            between = time.process_time()
            space.observation(view, seen)
            if seed:
                seconds.append((between - start, time.process_time() - between))
            play.apply(int(random.choice(play.legal())))
    fields, beliefs = 1000 * np.array(seconds).T
    median, most = np.quantile(beliefs, [0.5, 0.9])
    return game.observation_space.size, space.size, float(np.median(fields)), median, most


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Observations of beliefs: sizes and times.")
    parser.add_argument("games", nargs="*", default=sleuth.games.names())
    print("| game | fields | belief | fields, ms | belief, ms: median | nine of ten below |")
    print("|---|---|---|---|---|---|")
    for name in parser.parse_args().games:
        if sleuth.game(name).hides:
            fields, beliefs, *times = measured(name)
            told = " | ".join(f"{each:.2f}" for each in times)
            print(f"| {name} | {fields:,} | {beliefs:,} | {told} |", flush=True)


if __name__ == "__main__":
    main()
