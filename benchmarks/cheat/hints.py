"""What agents of Cheat do about a claim when they are told for sure whether it is true.

    python -m benchmarks.cheat.hints [--claims N] [--simulations N ...]

Simulated people begin games; where a claim lies that counting cannot judge, and its player has
cards left, agents are told that it is true, and that it is false. The table says how many they
call.
"""

from __future__ import annotations

import argparse
import os
from dataclasses import replace

from sleuth import Play
from sleuth.agents import parse_agent
from sleuth.games.cheat import CheatBelief, cheat
from sleuth.kit import Briefing
from sleuth.models.cheat.people.person import person

AGENTS = {"the paper's": "fpmga:right=1", "ours": "ours:predictor=hint,right=1"}


def claims(count: int) -> list[Play]:
    """Games of people that stand at such a claim, six to fourteen turns from their start."""
    game, belief = cheat(), CheatBelief()
    found: list[Play] = []
    seed = 0
    while len(found) < count:
        seed += 1
        play = Play.new(game, seed=seed)
        people = [person(game, 2 * seed), person(game, 2 * seed + 1)]
        for _ in range(6 + seed % 9):
            if not play.over:
                role = play.player
                play.apply(people[role].decide(play.view(role), play.seen_by(role)))
        role = play.player
        if play.over or 0 not in play.view(role).legal():
            continue
        view = play.view(role)
        if len(belief.ways(view, play.seen_by(role))) == 2 and view.states[0].sizes[1 - role] > 0:
            found.append(play)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--claims", type=int, default=40, help="how many claims")
    parser.add_argument("--simulations", type=int, nargs="+", default=[500, 8_000])
    options = parser.parse_args()
    plays = claims(options.claims)
    print("| agent | simulations | true claims called | lies called | of |")
    print("|---|---|---|---|---|")
    for name, text in AGENTS.items():
        for count in options.simulations:
            agent = parse_agent(f"{text},simulations={count}").prepare(cheat())(1)
            called: list[int] = []
            for hint in (True, False):
                called.append(0)
                for play in plays:
                    view, seen = play.view(play.player), play.seen_by(play.player)
                    told = replace(seen, told=Briefing(hint=hint))
                    called[-1] += agent.decide(view, told) == 0
            print(f"| {name} | {count:,} | {called[0]} | {called[1]} | {len(plays)} |")


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    main()
