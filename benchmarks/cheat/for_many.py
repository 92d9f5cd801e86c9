"""Cheat for many: how long beliefs and decisions take, and a field of agents against each other.

    python -m benchmarks.cheat.for_many beliefs [--plays 6]
    python -m benchmarks.cheat.for_many decisions [--agents counting search]
    python -m benchmarks.cheat.for_many field [--games 400] [--players 4] [--out FILE.jsonl]

``beliefs`` asks what a player and somebody who looks on can know at every fifth moment of games of
the playout policy, for several tables: by which way hands are counted, how often nothing had to be
forgotten, and the seconds of an answer. ``decisions`` gives the seconds of each agent's decisions
in one game, compilation aside. ``field`` plays a match of four agents; a file that is there is gone
on with.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter

import numpy as np

from sleuth import Play, agent, game, play_match
from sleuth.games.cheat import ManyCheatBelief, ManyCheatDeclaration
from sleuth.kit import generator

TABLES = ((3, 1), (4, 1), (6, 1), (4, 2), (6, 2))
FIELD = (
    "search:simulations=200,predictor=usual",
    "counting:predictor=usual",
    "counting",
    "random",
)


def course(play: Play, seed: int):
    """The moments of a game of the playout policy against itself."""
    made, random = play.game, generator(seed)
    while not play.over:
        legal = play.legal()
        place = made.policy(play.truth()[0], legal, len(legal), made.tables, random)
        play.apply(int(legal[place]))
        yield len(play.actions)


def beliefs(plays: int) -> None:
    """A line for each table."""
    print("| players | packs | by type | card by card | settled | exact | median ms | slowest ms |")
    print("|---|---|---|---|---|---|---|---|")
    for players, packs in TABLES:
        ways, exact, times = Counter[str](), 0, list[float]()
        for seed in range(plays):
            belief = ManyCheatBelief()
            play = Play.new(game("cheat_for_many", players=players, packs=packs), seed=seed)
            for moves in course(play, seed):
                if moves % 5 or play.over:
                    continue
                for viewer in (-1, 0):
                    view, seen = play.view(viewer), play.seen_by(viewer)
                    begun = time.perf_counter()
                    posterior = belief.infer(view, seen)
                    posterior.sample_array(100, np.random.default_rng(1))
                    times.append(time.perf_counter() - begun)
                    declared = ManyCheatDeclaration.of(view)
                    ways[declared.counting] += 1
                    exact += declared.exact
        count = ways.total()
        shares = " | ".join(
            f"{100 * ways[way] / count:.0f} %"
            for way in ("type_counting", "card_by_card", "settled")
        )
        median, slowest = np.median(times[2:]) * 1e3, max(times[2:]) * 1e3
        print(
            f"| {players} | {packs} | {shares} | {100 * exact / count:.0f} % "
            f"| {median:.1f} | {slowest:.0f} |"
        )


def decisions(agents: list[str]) -> None:
    """The seconds of each agent's decisions in a game of four."""
    table = game("cheat_for_many")
    for words in agents:
        made, times = agent(words, table, seed=1), list[float]()
        play = Play.new(table, seed=5)
        made.decide(play.view(0), play.seen_by(0))
        for _ in course(play, seed=5):
            if play.over or len(times) == 25:
                break
            if play.player >= 0:
                begun = time.perf_counter()
                made.decide(play.view(play.player), play.seen_by(play.player))
                times.append(time.perf_counter() - begun)
        print(f"{words}: median {np.median(times):.3f} s, slowest {max(times):.3f} s")


def field(games: int, players: int, out: str | None) -> None:
    """A match of four agents, or of as many as play."""
    agents = [FIELD[place % len(FIELD)] for place in range(players)]
    table = game("cheat_for_many", players=players)
    match = play_match(table, agents, games=games, seed=2026, out=out)
    for words, rate, (low, high) in zip(agents, match.win_rates, match.intervals, strict=True):
        print(f"{words}: wins {rate:.3f} [{low:.3f}, {high:.3f}]")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("job", choices=("beliefs", "decisions", "field"))
    parser.add_argument("--plays", type=int, default=6)
    parser.add_argument("--agents", nargs="*", default=list(FIELD))
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--out")
    asked = parser.parse_args()
    if asked.job == "beliefs":
        beliefs(asked.plays)
    elif asked.job == "decisions":
        decisions(asked.agents)
    else:
        field(asked.games, asked.players, asked.out)


if __name__ == "__main__":
    main()
