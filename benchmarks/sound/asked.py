"""Agents asked at every information set of a game, with 10 ms, 100 ms and 1 s for a decision.

    python -m benchmarks.sound.asked [--games NAME ...] [--agents NAME ...] [--seconds S ...]
        [--most SECONDS] [--keep FOLDER] [--quick] [--json]

An agent that learns as it plays is asked afresh at every information set, as if the game had been
played by somebody else so far. That is the hardest case: in a game it has what it learned at its
earlier decisions. Up to three policies are judged: the one that it says ("mixed"), its actions as
often as it visited them ("visits"), and always the action that it takes ("choice"). Exploitability
is what a best response wins on average over both seats, in the game's own units.

The games are those of `benchmarks.soundness`. What would take more than `--most SECONDS` is left
out, and the script says so: a part of the information sets would say nothing about exploitability.
But where `sound` makes the same search at all of them, one search stands for all ("one search").
Answers are kept in `--keep FOLDER`, a file for each agent; started again, the same command goes on.
``--json`` prints

    {"games": {NAME: {"information_sets": n, "decisions": n,
                      "agents": {AGENT: {SECONDS: {KIND: exploitability}}}}}}

where the decisions are the information sets with more than one action.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sleuth import Budget, exploitability
from sleuth.agents import parse_agent
from sleuth.equilibria import GameTree, OnlineSearch, tabulate

from ..soundness import GAMES

AGENTS = ("sound", "mcts")
SECONDS = (0.01, 0.1, 1.0)
KEEP = Path("soundness-asked")
SEED = 1
#: A kind of policy.
ONE = "one search"


def timed(agent: str, seconds: float) -> str:
    """An agent with so many seconds of the processor for a decision, on a busy machine, too."""
    return f"{agent}{',' if ':' in agent else ':'}cpu_seconds={seconds:g}"


def asked(
    name: str,
    agents: Sequence[str],
    seconds: Sequence[float],
    *,
    most: float,
    keep: Path,
    say: Callable[[str], None],
) -> dict[str, Any]:
    """The exploitabilities of a game.

    Args:
        name: Of `GAMES`.
        agents: Names with options, without a budget.
        seconds: Of a decision.
        most: Seconds that all decisions of an agent may take.
        keep: The folder of answers.
        say: Told what was measured, and what is left out.
    """
    tree = GAMES[name].tree
    decisions = sum(len(known.actions) > 1 for known in tree.information_sets)
    found: dict[str, dict[str, dict[str, float]]] = {agent: {} for agent in agents}
    for each in seconds:
        for agent in agents:
            text = timed(agent, each)
            if decisions * each > most and agent == "sound" and (one := of_one(tree, each)):
                found[agent][f"{each:g}"] = one
                say(f"{name}, {text}: {json.dumps(one)}")
                continue
            if decisions * each > most:
                say(f"{name}, {text}: left out, {decisions:,} decisions take too long")
                continue
            file = re.sub(r"[^a-z0-9.]+", "-", f"{name}-{text}".lower())
            keep.mkdir(parents=True, exist_ok=True)
            table = tabulate(tree, parse_agent(text), seed=SEED, out=keep / f"{file}.jsonl")
            found[agent][f"{each:g}"] = {
                kind: exploitability(tree, policy).exploitability
                for kind, policy in table.policies.items()
            }
            say(f"{name}, {text}: {json.dumps(found[agent][f'{each:g}'])}")
    return {
        "information_sets": len(tree.information_sets),
        "decisions": decisions,
        "agents": found,
    }


def of_one(tree: GameTree, seconds: float) -> dict[str, float]:
    """The exploitability of what one search knows; nothing where it depends on what is asked.

    A search whose lines go anywhere is the same at every decision of a game, so it stands for all.
    """
    search = OnlineSearch(tree.game)
    search.warm()
    if search.targeted != 0.0:
        return {}
    known = tree.information_sets[0]
    play = tree.play_to(known)
    view, seen = play.view(known.player), play.seen_by(known.player)
    search.decide(view, seen, Budget(cpu_seconds=seconds))
    return {ONE: exploitability(tree, search.search.policy(tree)).exploitability}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", nargs="+", choices=GAMES, default=list(GAMES), metavar="NAME")
    parser.add_argument("--agents", nargs="+", default=list(AGENTS), help="names with options")
    parser.add_argument("--seconds", type=float, nargs="+", default=SECONDS, help="of a decision")
    parser.add_argument("--most", type=float, default=1_200.0, help="seconds of an agent's table")
    parser.add_argument("--keep", type=Path, default=KEEP, help="folder of answers")
    parser.add_argument("--quick", action="store_true", help="Kuhn poker, 10 ms: does it run?")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    chosen = parser.parse_args(arguments)
    if chosen.quick:
        chosen.games, chosen.seconds = ["kuhn_poker"], SECONDS[:1]
    found = {
        name: asked(
            name,
            chosen.agents,
            chosen.seconds,
            most=chosen.most,
            keep=chosen.keep,
            say=lambda text: print(text, file=sys.stderr, flush=True),
        )
        for name in chosen.games
    }
    if chosen.json:
        print(json.dumps({"games": found}, indent=1))
        return 0
    print(f"{'game':<16}{'agent':<16}{'seconds':>8}  {'policy':<10}{'exploitability':>16}")
    for name, figures in found.items():
        for agent, times in figures["agents"].items():
            for each, kinds in times.items():
                for kind, value in kinds.items():
                    print(f"{name:<16}{agent:<16}{each:>8}  {kind:<10}{value:>16.4f}")
    return 0


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    raise SystemExit(main())
