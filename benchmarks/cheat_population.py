"""What the simulated people of Cheat do, and how well they can be predicted at all.

    python benchmarks/cheat_population.py [--json] [--players N] [--ceilings] [--write]

How often they lie, take and call among themselves; with ``--ceilings`` also the AUC of what learned
from 20,000 of them, which takes up to half an hour, and ``--write`` puts that into
``data/cheat/ceilings.json``.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np

from sleuth.models.cheat.people.population import bluffers
from sleuth.models.cheat.people.simulate import simulate_games
from sleuth.models.cheat.state import CALL, CLAIM, TAKE
from sleuth.training.cheat import ceilings

FILE = Path(__file__).parents[1] / "data" / "cheat" / "ceilings.json"


def figures(players: int, seed: int) -> dict[str, Any]:
    """Shares of actions, lengths of games, and how often calls are right."""
    games = list(simulate_games(bluffers(players, seed=seed), seed=seed))
    actions = np.concatenate([game.actions for game in games])
    lengths = np.array([len(game.actions) for game in games])
    claims = actions >= CLAIM
    lies = claims & ((actions - CLAIM) // 4 % 2 == 1)
    calls = np.flatnonzero(actions == CALL)  # a game never begins with one
    return {
        "players": players,
        "games": len(games),
        "claims": int(claims.sum()),
        "lies of claims": round(float(lies.sum() / claims.sum()), 4),
        "takes of moves": round(float((actions == TAKE).mean()), 4),
        "calls of moves": round(float((actions == CALL).mean()), 4),
        "calls that are right": round(float(lies[calls - 1].mean()), 4),
        "turns of a game": round(float(lengths.mean()), 1),
        "games of all 100 rounds": round(float((lengths == 100).mean()), 4),
    }


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--players", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ceilings", action="store_true")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args(arguments)
    found = figures(given.players, given.seed)
    if given.ceilings:
        found["ceilings"] = ceilings.ceilings(
            progress=lambda text, done, total: print(text, file=sys.stderr, flush=True)
        )
        if given.write:
            made = {
                **found["ceilings"],
                "players": ceilings.PLAYERS,
                "test_players": ceilings.TEST_PLAYERS,
                "seed": ceilings.SEED,
                "made_by": "benchmarks/cheat_population.py --ceilings --write",
            }
            FILE.write_text(json.dumps(made, indent=2) + "\n", encoding="utf-8")
    if given.json:
        print(json.dumps(found, indent=2))
        return
    for name, value in found.items():
        print(f"{name:26} {value}")


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    main(sys.argv[1:])
