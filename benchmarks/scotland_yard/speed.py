"""Playouts of whole games of Scotland Yard per second and core, from the opening.

    python -m benchmarks.scotland_yard.speed [--json] [--seconds S]

Greedy playouts: the hider goes where the closest detective is farthest (MCD), detectives chase
where they are (CAL), and they move at random one time in ten and one time in five (epsilon 0.1 and
0.2). Both kinds of playouts take turns; a rate is the median of the turns. Double moves are not
generated, as below the root of a search. This is the loop of playouts alone, without a tree.

Then the simulations of agents that search, per second and core: those of whole decisions, with all
that belongs to them, over whole games between them. A rate is the median of the games.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from typing import Any

import numpy as np

from sleuth import OVER, Play, below, kernel, uniform
from sleuth import game as game_of
from sleuth.agents import search_agent
from sleuth.games.scotland_yard import epsilons, searching
from sleuth.kit import generator
from sleuth.models.game import any_action
from sleuth.models.scotland_yard.advice.playouts import greedy_chase
from sleuth.models.scotland_yard.rules import apply, single_moves
from sleuth.models.scotland_yard.state import HIDER, THE_SEEKERS

OPENINGS = 1_024
WANTED = 60_000
TURNS = 7
#: Who searches, and with how many simulations for a decision.
SIMULATIONS = 10_000
AGENTS = {
    "hider": "mcts:simulations={}",
    "hider_with_list_of_the_root": "mcts:simulations={},playouts=total",
    "hider_with_captures": "mcts:simulations={},playouts=total_capture",
    "detectives": "mcts:simulations={},belief=paper_table",
    "detectives_with_one_tree": "mcts:simulations={},belief=uniform",
    "detectives_with_a_tree_for_each_station": "vote:simulations={},belief=uniform",
}
#: Who plays whom; the rates of both are shown.
PAIRS = (
    ("hider", "detectives"),
    ("hider_with_list_of_the_root", "detectives"),
    ("hider_with_captures", "detectives_with_one_tree"),
    ("hider_with_captures", "detectives_with_a_tree_for_each_station"),
)


@kernel
def play_out(
    policy: Any, epsilon: Any, openings: Any, tables: Any, actions: Any, random: Any, count: int
) -> Any:
    """Plies of ``count`` playouts, and how many the detectives won."""
    states = openings[:1].copy()
    state = states[0]
    plies = 0
    won = 0
    for number in range(count):
        states[0] = openings[number % len(openings)]
        while state.player != OVER:
            legal = single_moves(state, tables, actions)
            often = epsilon[state.player]
            if often > 0.0 and uniform(random) < often:
                choice = below(random, legal)
            else:
                choice = policy(state, actions, legal, tables, random)
            apply(state, actions[choice], tables, random)
            plies += 1
        if state.won == THE_SEEKERS:
            won += 1
    return plies, won


def measure(seconds: float) -> dict[str, dict[str, float]]:
    """For both kinds: playouts per second, plies of a playout, and how many detectives win."""
    game = searching(game_of("scotland_yard"))
    openings = game.states(OPENINGS)
    for seed in range(OPENINGS):
        openings[seed] = game.initial(seed)[0]
    actions = np.zeros(game.max_actions, dtype=np.int32)
    random = generator(0)
    kinds: dict[str, tuple[Any, Any]] = {
        "epsilon_greedy": (greedy_chase, np.array(epsilons(game.players))),
        "random": (any_action, np.zeros(game.players)),
    }
    found: dict[str, dict[str, list[float]]] = {
        kind: {"rate": [], "plies": [], "won": []} for kind in kinds
    }
    chunk = dict.fromkeys(kinds, OPENINGS)
    for turn in range(TURNS + 2):
        for kind, (policy, epsilon) in kinds.items():
            start = time.process_time()
            plies, won = play_out(
                policy, epsilon, openings, game.tables, actions, random, chunk[kind]
            )
            taken = max(time.process_time() - start, 1e-6)
            if turn >= 2:  # the first compiles, the second says how long the others should be
                found[kind]["rate"].append(chunk[kind] / taken)
                found[kind]["plies"].append(plies / chunk[kind])
                found[kind]["won"].append(won / chunk[kind])
            elif turn == 1:
                wanted = seconds / TURNS / len(kinds)
                chunk[kind] = max(OPENINGS, int(chunk[kind] * wanted / taken))
    return {
        kind: {name: statistics.median(values) for name, values in each.items()}
        for kind, each in found.items()
    }


def searched(pair: tuple[str, str], seconds: float) -> dict[str, float]:
    """Simulations per second of a hider and detectives of `AGENTS` that play each other."""
    game = game_of("scotland_yard")
    agents = [search_agent(AGENTS[name].format(SIMULATIONS), game, seed=1) for name in pair]
    rates: list[list[float]] = [[], []]
    begun = time.process_time()
    number = 0
    while number < 2 or time.process_time() - begun < seconds:
        play = Play.new(game, seed=number)
        spent, made = [0.0, 0.0], [0, 0]
        while not play.over:
            side = int(play.player != HIDER)
            view, seen = play.view(play.player), play.seen_by(play.player)
            start = time.process_time()
            decision = agents[side].decision(view, seen)
            spent[side] += time.process_time() - start
            made[side] += decision.simulations
            play.apply(decision.action)
        if number > 0:  # the first loads what was compiled
            for side in (0, 1):
                rates[side].append(made[side] / max(spent[side], 1e-6))
        number += 1
    return {name: statistics.median(found) for name, found in zip(pair, rates, strict=True)}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--json", action="store_true", help="print JSON only")
    parser.add_argument("--seconds", type=float, default=7.0, help="how long to measure")
    options = parser.parse_args(arguments)
    found = measure(options.seconds)
    greedy, random = found["epsilon_greedy"], found["random"]
    answer = {
        "epsilon_greedy_playouts_per_second": round(greedy["rate"]),
        "random_playouts_per_second": round(random["rate"]),
        "ratio": round(greedy["rate"] / random["rate"], 3),
    }
    rates = {name: rate for pair in PAIRS for name, rate in searched(pair, options.seconds).items()}
    answer |= {f"{name}_simulations_per_second": round(rates[name]) for name in AGENTS}
    if options.json:
        print(json.dumps(answer))
        return 0
    for kind, each in found.items():
        print(
            f"{kind:15} {each['rate']:9,.0f} playouts a second, {each['plies']:5.1f} plies each, "
            f"{1e9 / each['rate'] / each['plies']:4.0f} ns a ply, "
            f"detectives win {100 * each['won']:.1f} %"
        )
    for name in AGENTS:
        print(f"{name.replace('_', ' ')}: {rates[name]:,.0f} simulations a second")
    holds = "yes" if greedy["rate"] >= WANTED else "no"
    print(f"ratio {answer['ratio']}; at least {WANTED:,} greedy playouts a second: {holds}")
    return 0


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    sys.exit(main())
