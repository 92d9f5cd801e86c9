"""The twelve set-ups of "Saboteurs" (Veldhuis, Jansen and Broers 2012), played again.

    python -m benchmarks.saboteur.setups [--rounds N] [--workers N] [--out FILE] [--json]

Disbelief factor 1.5 or 5, beliefs of depth 1 or 2, and saboteurs who are explicit from the start,
switch, or stay hidden. For each set-up: how often the miners win; how many of the agents believe
at the end in the deal of roles that is true, in how many rounds all of them do, how many agents
believe nothing at all, how many deals they believe, and the log loss in bits of what they give to
the true one. With ``--out`` finished rounds are kept, and a run that was
interrupted goes on from there. ``--rules``, ``--agent`` (further options of the agents) and
``--perturb`` (a seed: every weight of a card is multiplied by a number from one half to two) show
how much these matter; each needs a file of its own.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from sleuth import Game, Play, game
from sleuth.agents import parse_agent
from sleuth.beliefs.games.saboteur.minds import RoleMind
from sleuth.data.disk.growing import append_line, read_lines
from sleuth.data.intervals import wilson
from sleuth.models.saboteur.state import MINERS_WIN
from sleuth.planners.agents.agent import seed_of
from sleuth.planners.saboteur.agents import DwarfAgent, card_weights

from ..tables.sharing import add_workers, jobs_there

SETUPS = tuple(itertools.product((1.5, 5.0), (1, 2), ("explicit", "switching", "hidden")))
#: Rounds that a worker plays at a time.
CHUNK = 25
#: What is averaged over rounds.
MEANS = ("truth_believed", "all_believe", "nothing_believed", "worlds_believed", "log_loss")


def agent_text(setup: int, options: str) -> str:
    """The agent of a set-up."""
    factor, depth, saboteurs = SETUPS[setup]
    more = f",{options}" if options else ""
    return f"dwarf:saboteurs={saboteurs},depth={depth},factor={factor:g}{more}"


@cache
def played_game(rules: str) -> Game:
    """The game, once in a process."""
    return game("saboteur", rules=rules)


def play_rounds(
    rules: str, setup: int, options: str, numbers: list[int], perturb: int | None = None
) -> list[dict[str, Any]]:
    """Play rounds of a set-up; what became of each."""
    played = played_game(rules)
    card_weights.cache_clear()
    if perturb is not None:
        weights = card_weights()
        weights *= 2.0 ** np.random.default_rng(perturb).uniform(-1.0, 1.0, weights.shape)
    make = parse_agent(agent_text(setup, options)).prepare(played)
    return [play_round(played, setup, number, make) for number in numbers]


def play_round(played: Game, setup: int, number: int, make: Any) -> dict[str, Any]:
    """One round. All set-ups have the same deals."""
    winner, roles, minds = round_of(played, setup, number, make)
    return {
        "setup": setup,
        "round": number,
        "miners_win": winner == MINERS_WIN,
        **beliefs_of(minds, roles),
    }


def round_of(played: Game, setup: int, number: int, make: Any) -> tuple[int, Any, list[RoleMind]]:
    """Who wins a round, the roles, and what everybody believed before they were shown."""
    play = Play.new(played, seed=seed_of(1, number))
    agents: list[DwarfAgent] = [
        make(seed_of(2, setup, number, player)) for player in range(played.players)
    ]
    while not play.over:
        player = play.player
        play.apply(agents[player].decide(play.view(player), play.seen_by(player)))
    state = play.truth()[0]
    minds: list[RoleMind] = []
    for player, agent in enumerate(agents):
        # The last event shows all roles: what counts is what they believed before it.
        seen = play.seen_by(player)
        minds.append(agent.mind(play.view(player), replace(seen, events=seen.events[:-1])))
    return int(state.winner), state.roles[: played.players], minds


def beliefs_of(minds: list[RoleMind], roles: Any) -> dict[str, Any]:
    """What the agents believe of the deal of roles."""
    world = int((minds[0].roles == roles).all(axis=1).argmax())
    believed = [mind.believed() for mind in minds]
    return {
        "truth_believed": float(np.mean([each[world] for each in believed])),
        "all_believe": all(bool(each[world]) for each in believed),
        "nothing_believed": float(np.mean([not each.any() for each in believed])),
        "worlds_believed": float(np.mean([each.sum() for each in believed])),
        "log_loss": float(np.mean([-np.log2(mind.chances()[world]) for mind in minds])),
    }


def table(rounds: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the rounds of each set-up say."""
    found: list[dict[str, Any]] = []
    for setup, (factor, depth, saboteurs) in enumerate(SETUPS):
        own = [each for each in rounds if each["setup"] == setup]
        if own:
            wins = sum(each["miners_win"] for each in own)
            found.append(
                {
                    "factor": factor,
                    "depth": depth,
                    "saboteurs": saboteurs,
                    "rounds": len(own),
                    "miners_win": wins / len(own),
                    "interval": list(wilson(wins, len(own))),
                    **{name: float(np.mean([each[name] for each in own])) for name in MEANS},
                }
            )
    return found


def written(rows: list[dict[str, Any]]) -> str:
    """The table in Markdown."""
    lines = [
        "| factor | depth | saboteurs | rounds | miners win | 95 % | truth | all five | nothing "
        "| deals | bits |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        low, high = row["interval"]
        lines.append(
            f"| {row['factor']:g} | {row['depth']} | {row['saboteurs']} | {row['rounds']} "
            f"| {row['miners_win']:.3f} | {low:.3f} to {high:.3f} | {row['truth_believed']:.3f} "
            f"| {row['all_believe']:.3f} | {row['nothing_believed']:.3f} "
            f"| {row['worlds_believed']:.2f} | {row['log_loss']:.2f} |"
        )
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=1_000, help="of each set-up")
    add_workers(parser)
    parser.add_argument("--out", type=Path, default=None, help="where finished rounds are kept")
    parser.add_argument("--rules", default="paper", help="a preset of the game")
    parser.add_argument("--agent", default="", help="further options of the agents")
    parser.add_argument("--perturb", type=int, default=None, help="a seed for other card weights")
    parser.add_argument("--json", action="store_true", help="print JSON")
    asked: Any = parser.parse_args(arguments)
    kept: list[dict[str, Any]] = []
    if asked.out is not None and asked.out.exists():
        kept = read_lines(asked.out)
    done = {(each["setup"], each["round"]) for each in kept}
    rounds = [each for each in kept if each["round"] < asked.rounds]
    # Every set-up gets some rounds first and then more.
    chunks = [
        (setup, todo)
        for first in range(0, asked.rounds, CHUNK)
        for setup in range(len(SETUPS))
        if (
            todo := [
                number
                for number in range(first, min(first + CHUNK, asked.rounds))
                if (setup, number) not in done
            ]
        )
    ]
    jobs = [(asked.rules, setup, asked.agent, todo, asked.perturb) for setup, todo in chunks]
    for played in jobs_there(asked, play_rounds, jobs):
        rounds.extend(played)
        if asked.out is not None:
            for each in played:
                append_line(asked.out, json.dumps(each))
        print(f"\r{len(rounds)}/{asked.rounds * len(SETUPS)} rounds", end="", file=sys.stderr)
    print(file=sys.stderr)
    rows = table(rounds)
    print(json.dumps({"setups": rows}) if asked.json else written(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
