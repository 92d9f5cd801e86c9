"""How good a suggestion of Clue is, by the time that an agent takes for it.

    python -m benchmarks.clue.regret [--positions N] [--players N] [--json] [AGENT ...]

Positions are of games without a board among players who deduce by simple rules, each before a
suggestion of the player to move, with the case file still open. All suggestions are valued exactly.
The regret of an agent is what its suggestion tells less than the best one, in bits; its time is
that of the processor. Intervals are of 95 % (normal).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from sleuth import Game, Play
from sleuth.agents import parse_agent
from sleuth.data.intervals import NINETY_FIVE
from sleuth.games.clue import ClueBelief, clue_table
from sleuth.models.clue.game import SUGGESTING

#: Rounds that were played before a position, in turn.
ROUNDS = 5
AGENTS = (
    "likeliest",
    *(f"detective:worlds={count}" for count in (20, 100, 500, 2_000, 8_000)),
    "entropy",
)


def positions(rules: Game, count: int, seed: int) -> Iterator[Play]:
    """Games as they stand before a suggestion, by players with a notebook."""
    maker, belief = parse_agent("notebook").prepare(rules), ClueBelief()
    number = made = 0
    while made < count:
        number += 1
        play, before = Play.new(rules, seed=seed + number), number % ROUNDS * rules.players
        minds = [maker(seed + number + seat) for seat in range(rules.players)]
        while not play.over and (
            play.truth()[0].turn < before or play.truth()[0].stage != SUGGESTING
        ):
            play.apply(minds[play.player].decide(play.view(play.player), play.seen_by(play.player)))
        if play.over:
            continue
        view, seen = play.view(play.player), play.seen_by(play.player)
        (file,) = belief.hidden(view).values()
        if belief.infer(view, seen).entropy(file) > 1e-6:
            made += 1
            yield play


def regrets(rules: Game, texts: Sequence[str], count: int, seed: int) -> list[dict[str, Any]]:
    """For each agent its regret and its time."""
    makers = [parse_agent(text).prepare(rules) for text in texts]
    lost, took = np.zeros((2, len(texts), count))
    for number, play in enumerate(positions(rules, count, seed)):
        view, seen = play.view(play.player), play.seen_by(play.player)
        belief = ClueBelief()
        (file,) = belief.hidden(view).values()
        asked = belief.questions(view)
        gains = belief.infer(view, seen).information_gain([*asked.values()], about=file)
        known = dict(zip(asked, gains.tolist(), strict=True))
        for place, make in enumerate(makers):
            mind, begun = make(number), time.process_time()
            action = mind.decide(view, seen)
            took[place, number] = time.process_time() - begun
            lost[place, number] = max(known.values()) - known[action]
    return [
        {
            "agent": text,
            "positions": count,
            "bits_lost": float(lost[place].mean()),
            "half": float(NINETY_FIVE * lost[place].std(ddof=1) / np.sqrt(count)),
            "milliseconds": float(1e3 * took[place].mean()),
            "slowest": float(1e3 * took[place].max()),
        }
        for place, text in enumerate(texts)
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("agents", nargs="*", default=[*AGENTS], metavar="AGENT")
    parser.add_argument("--positions", type=int, default=60, metavar="N")
    parser.add_argument("--players", type=int, default=4, metavar="N")
    parser.add_argument("--seed", type=int, default=20130506, metavar="N")
    parser.add_argument("--json", action="store_true", help="print JSON and nothing else")
    asked = parser.parse_args(arguments)
    if asked.positions < 2:
        parser.error("--positions must be 2 or more")
    found = regrets(clue_table(asked.players), asked.agents, asked.positions, asked.seed)
    if asked.json:
        print(json.dumps({"seed": asked.seed, "players": asked.players, "agents": found}))
        return 0
    print("| agent | bits less than the best | ms of a decision | slowest |\n|---|---|---|---|")
    for each in found:
        print(
            f"| `{each['agent']}` | {each['bits_lost']:.3f} ± {each['half']:.3f} "
            f"| {each['milliseconds']:.0f} | {each['slowest']:.0f} |"
        )
    return 0


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    sys.exit(main())
