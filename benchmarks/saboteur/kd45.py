"""Every relation in every mind of the paper's agents on Saboteur, held against the laws of KD45.

    python -m benchmarks.saboteur.kd45 [--rounds N] [--agent OPTIONS] [--workers N] [--json]

"Saboteurs" (Veldhuis, Jansen and Broers 2012) says that beliefs are KD45: serial (nobody believes
a contradiction), transitive and Euclidean. Rounds are shared out among the twelve set-ups of
`saboteur_setups.py`. After every event each of the five agents says which deals they believe, and
which they think that each of the others believes. Each of these is a relation on the ten deals.
Counted are relations, and those that break a law. ``--agent relative=no,threshold=-5`` takes an
absolute threshold. Ends with 1 if a law was broken.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from sleuth import Play
from sleuth.agents import parse_agent
from sleuth.beliefs.nested.kripke import LAWS
from sleuth.jobs import cluster, run_jobs
from sleuth.planners.agents.agent import seed_of

from ..tables.sharing import add_workers
from .setups import SETUPS, agent_text, played_game

KD45 = ("serial", "transitive", "euclidean")
#: Rounds that a worker plays at a time.
CHUNK = 25


def broken(believed: bytes) -> tuple[str, ...]:
    """The laws that a relation breaks: from every deal to those that are believed."""
    worlds = np.frombuffer(believed, dtype=bool)
    relation = np.tile(worlds, (len(worlds), 1))
    return tuple(law for law in KD45 if not LAWS[law](relation))


def counted(
    rounds: int, options: str = "", workers: int = 1, address: str | None = None
) -> dict[str, Any]:
    """Play rounds, and count relations and broken laws."""
    chunks = [range(first, min(first + CHUNK, rounds)) for first in range(0, rounds, CHUNK)]
    jobs = [(chunk, options) for chunk in chunks]
    with cluster(address):
        found = sum(run_jobs(counts_of, jobs, workers=workers), Counter[str]())
    return {
        "rounds": rounds,
        "moments": found["moments"],
        "relations": found["relations"],
        "broken": {law: found[law] for law in KD45},
    }


def counts_of(numbers: Sequence[int], options: str) -> Counter[str]:
    """The same of these rounds."""
    played, found, laws = played_game("paper"), Counter[str](), cache(broken)
    for number in numbers:
        setup = number % len(SETUPS)
        make = parse_agent(agent_text(setup, options)).prepare(played)
        play = Play.new(played, seed=seed_of(1, number))
        agents: list[Any] = [
            make(seed_of(2, setup, number, player)) for player in range(played.players)
        ]
        while not play.over:
            found["moments"] += 1
            for viewer, agent in enumerate(agents):
                mind = agent.mind(play.view(viewer), play.seen_by(viewer))
                others = [other for other in range(played.players) if other != viewer]
                for whose in (None, *others):
                    found["relations"] += 1
                    found.update(laws(mind.believed(whose).tobytes()))
            player = play.player
            play.apply(agents[player].decide(play.view(player), play.seen_by(player)))
    return found


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=1_000, help="of all set-ups together")
    parser.add_argument("--agent", default="", help="further options of the agents")
    add_workers(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    asked: Any = parser.parse_args(arguments)
    found = counted(asked.rounds, asked.agent, asked.workers, asked.cluster)
    if asked.json:
        print(json.dumps(found))
    else:
        laws = ", ".join(f"not {law}: {count:,}" for law, count in found["broken"].items())
        print(
            f"{found['rounds']:,} rounds, {found['moments']:,} moments, "
            f"{found['relations']:,} relations; {laws}"
        )
    return 1 if any(found["broken"].values()) else 0


if __name__ == "__main__":
    sys.exit(main())
