"""What the simulated people of Cheat do, and how well they can be predicted at all.

    python benchmarks/cheat_population.py [--population steady|reacting] [--json] [--players N]
        [--predictors] [--ceilings] [--write]

How often they lie, take and call among themselves, and how much more often after they were caught,
or the other was. With ``--predictors`` also how the package's predictors fare with them: all
intervals are 95 %, over players drawn again. With ``--ceilings``, of steady people only, the AUC
of what learned from 20,000 of them, which takes up to half an hour, and ``--write`` puts that into
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

from sleuth.beliefs.games.cheat.judges import CALLS, TRUTH, USUAL, WORDS, known_predictor
from sleuth.models.cheat import cheat
from sleuth.models.cheat.people.population import ADAPTING, STEADY, bluffers
from sleuth.models.cheat.people.simulate import SimulatedGame, simulate_games
from sleuth.models.cheat.state import CALL, CLAIM, TAKE
from sleuth.training.cheat import ceilings
from sleuth.training.cheat.rows import rows_of_simulated
from sleuth.training.judging import auc

FILE = Path(__file__).parents[1] / "data" / "cheat" / "ceilings.json"


#: Turns after a lie was called that count as just after it.
JUST = 4
DRAWS = 60


def just_after(games: list[SimulatedGame], what: str) -> str:
    """How much more often claims are lies just after their player was caught, or claims are called
    just after the other was, than at other times; in points.
    """
    found: dict[bool, list[bool]] = {True: [], False: []}
    for game in games:
        last = [-1_000, -1_000]
        actions = game.actions.tolist()
        for turn, action in enumerate(actions):
            mover = turn % 2
            if what == "lies" and action >= CLAIM:
                found[turn - last[mover] <= JUST].append((action - CLAIM) // 4 % 2 == 1)
            elif what == "calls" and turn and actions[turn - 1] >= CLAIM:
                found[turn - last[1 - mover] <= JUST].append(action == CALL)
            if action == CALL and (actions[turn - 1] - CLAIM) // 4 % 2 == 1:
                last[1 - mover] = turn
    after, other = (np.array(found[when], dtype=float) for when in (True, False))
    error = np.hypot(*(each.std() / len(each) ** 0.5 for each in (after, other)))
    apart = 100 * (after.mean() - other.mean())
    return (
        f"{apart:+.1f} ± {196 * error:.1f} ({100 * after.mean():.1f} %, {100 * other.mean():.1f} %)"
    )


def predicted(games: list[SimulatedGame], of: str) -> dict[str, str]:
    """How a predictor of the package fares with these people."""
    from sklearn.linear_model import LogisticRegression

    rows = rows_of_simulated(games, cheat())
    rows = rows.where(rows.labels[WORDS[of]] >= 0)
    y = rows.labels[WORDS[of]]
    given = np.clip(known_predictor(USUAL, of)(rows.features), 1e-6, 1 - 1e-6)
    logits = np.log(given / (1 - given))[:, None]
    order = np.argsort(rows.player, kind="stable")
    players = np.split(order, np.flatnonzero(np.diff(rows.player[order])) + 1)

    def figures_of(of: Any) -> list[float]:
        slope = LogisticRegression(C=1e6).fit(logits[of], y[of]).coef_[0, 0]
        loss = -np.log(np.where(y[of] == 1, given[of], 1 - given[of])).mean()
        return [auc(y[of], given[of]), slope, (y[of] - given[of]).mean(), loss]

    rng = np.random.default_rng(1)
    drawn = [
        figures_of(
            np.concatenate([players[i] for i in rng.integers(len(players), size=len(players))])
        )
        for _ in range(DRAWS)
    ]
    names = "AUC", "calibration slope", "happened less predicted", "log loss"
    halves = 1.96 * np.std(drawn, axis=0)
    values = zip(names, figures_of(order), halves, strict=True)
    return {f"{of}: {name}": f"{value:.4f} ± {half:.4f}" for name, value, half in values}


def figures(games: list[SimulatedGame], players: int) -> dict[str, Any]:
    """Shares of actions, lengths of games, and how often calls are right."""
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
        "lies, just after being caught": just_after(games, "lies"),
        "calls, just after the other was": just_after(games, "calls"),
    }


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--players", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--population", choices=[*ADAPTING], default=STEADY)
    parser.add_argument("--predictors", action="store_true")
    parser.add_argument("--ceilings", action="store_true")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args(arguments)
    people = bluffers(given.players, seed=given.seed, population=given.population)
    games = list(simulate_games(people, seed=given.seed))
    found = figures(games, given.players)
    for of in (TRUTH, CALLS) if given.predictors else ():
        found |= predicted(games, of)
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
        print(f"{name:32} {value}")


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    main(sys.argv[1:])
