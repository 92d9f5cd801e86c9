"""How long plans of the treasure hunt take: one suggestion ahead, by default, and without limit.

Prints, for each number of players, the seconds of a processor and of the clock for positions of
simulated games, and how far the default decision looked ahead.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from sleuth.games.clue import ClueDeclaration, TreasureHunt, simulate

EVENTS = (4, 10, 16)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=6)
    parser.add_argument("--players", type=int, nargs="+", default=[3, 6])
    options = parser.parse_args()
    print("players  limit   positions  processor: median  most   clock: most   two ahead")
    for players in options.players:
        found: dict[float | None, list[tuple[float, float, bool]]] = {}
        for seed in range(options.games):
            game = simulate(players, np.random.default_rng(seed)).seen_by("p1")
            for events in (count for count in EVENTS if count <= len(game.events)):
                belief = ClueDeclaration(game.until(events))
                for limit in (0.0, 1.0, None):
                    hunt = TreasureHunt(belief=belief, seconds=limit)
                    posterior = belief.infer(game.until(events))
                    # The board and the questions are made once a game.
                    _ = hunt.measuring, hunt.ways.direct
                    clock, processor = time.perf_counter(), time.process_time()
                    plan = hunt.plan(posterior, "lounge")
                    took = time.process_time() - processor, time.perf_counter() - clock
                    found.setdefault(limit, []).append((*took, plan.best.legs == 2))
        for limit, rows in found.items():
            processor, clock, deep = (np.array(column) for column in zip(*rows, strict=True))
            print(
                f"{players:7}  {'none' if limit is None else limit!s:5}  {len(rows):9}  "
                f"{np.median(processor):17.2f}  {processor.max():5.2f}  {clock.max():11.2f}  "
                f"{deep.sum():6} of {len(rows)}",
                flush=True,
            )


if __name__ == "__main__":
    main()
