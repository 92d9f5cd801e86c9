"""How many simulations a search of Clue makes in the same time, with exact gains and without.

    python -m benchmarks.information.gain_time [--players 4] [--positions 7] [--seconds 0.5]
        [--json]

A position is a game after some suggestions, when a player is to suggest. The same search decides
there with a gain, asking the posterior below the root, and without one; both take turns, and have
decided before, so that nothing is compiled meanwhile. ``--imagined`` says which game it imagines:
the whole one (``rules``) or ``turn``, the usual one. ``ratio`` is the median over the positions of
the simulations with a gain by those without, each the median of some rounds. Also said: the rows of
what the player may know about which the posterior was asked, and the part of the time that it took.
The JSON is ``{"players": n, "seconds": s, "ratio": median, "least": .., "most": ..,
"positions": [{"suggestions": n, "without": simulations, "with": simulations, "ratio": ..,
"asked": rows, "asking": part of the time}, ...]}``.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sleuth import Play
from sleuth import game as game_by_name
from sleuth.agents import parse_agent
from sleuth.models.clue.game import SUGGESTING
from sleuth.planners.agents.agent import Valuing

SEED = 34
AGENT = "mcts:imagined={},seconds={},gain={}"
#: What a bit is worth to the search that learns, in games won.
GAIN = 0.5


@dataclass(frozen=True)
class Position:
    """A moment of a game at which a player suggests.

    Attributes:
        play: The game up to then.
        suggestions: How many were made before.
    """

    play: Play
    suggestions: int


def positions(rules: Any, count: int) -> Iterator[Position]:
    """Moments of games of players who ask what tells most, early and late ones."""
    maker = parse_agent("entropy").prepare(rules)
    for number in range(count):
        wanted = 1 + 2 * number
        play, agent, suggested = Play.new(rules, seed=SEED + number), maker(number), 0
        while not play.over:
            view = play.view(play.player)
            asks = int(view.states[0].stage) == SUGGESTING
            if asks and suggested == wanted:
                break
            suggested += asks
            play.apply(agent.decide(view, play.seen_by(play.player)))
        if not play.over:
            yield Position(play, suggested)


def measured(
    players: int, count: int, seconds: float, rounds: int, imagined: str
) -> dict[str, Any]:
    """The numbers; see the module for their form."""
    rules = game_by_name("clue_table", players=players)
    makers = [
        parse_agent(AGENT.format(imagined, seconds, gain)).prepare(rules) for gain in (0, GAIN)
    ]
    found: list[dict[str, Any]] = []
    for position in positions(rules, count):
        play = position.play
        view, seen = play.view(play.player), play.seen_by(play.player)
        made: list[list[int]] = [[], []]
        asked: list[tuple[int, float]] = []
        for turn in range(rounds + 1):
            for which, maker in enumerate(makers):
                agent = maker(turn)
                assert isinstance(agent, Valuing)
                decision = agent.decision(view, seen)
                if turn == 0:
                    continue  # what is compiled now is not counted
                made[which].append(decision.simulations)
                if which:
                    learning = decision.learning
                    assert learning is not None
                    asked.append((learning.asked, learning.seconds / decision.seconds))
        without, learned = (statistics.median(each) for each in made)
        found.append(
            {
                "suggestions": position.suggestions,
                "without": without,
                "with": learned,
                "ratio": learned / without,
                "asked": statistics.median(rows for rows, _ in asked),
                "asking": statistics.median(part for _, part in asked),
            }
        )
        print(found[-1], file=sys.stderr, flush=True)
    ratios = [row["ratio"] for row in found]
    return {
        "players": players,
        "seconds": seconds,
        "ratio": float(np.median(ratios)),
        "least": min(ratios),
        "most": max(ratios),
        "positions": found,
    }


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--positions", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--imagined", default="rules", metavar="NAME")
    parser.add_argument("--json", action="store_true", help="print JSON and nothing else")
    asked = parser.parse_args(given)
    result = measured(asked.players, asked.positions, asked.seconds, asked.rounds, asked.imagined)
    if asked.json:
        print(json.dumps(result))
        return 0
    print("| suggestions | without | with | ratio | rows asked | time asking |")
    print("|---|---|---|---|---|---|")
    for row in result["positions"]:
        print(
            f"| {row['suggestions']} | {row['without']:,.0f} | {row['with']:,.0f} "
            f"| {row['ratio']:.2f} | {row['asked']:.0f} | {row['asking']:.0%} |"
        )
    print(f"median {result['ratio']:.2f}")
    return 0


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    sys.exit(main())
