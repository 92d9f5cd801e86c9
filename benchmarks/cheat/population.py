"""What the simulated people of Cheat do, and how well they can be predicted at all.

    python -m benchmarks.cheat.population [--population steady|reacting] [--json] [--players N]
        [--agents] [--matches N] [--simulations N] [--change NAME=MEAN:DEVIATION,...]
        [--predictors] [--ceilings] [--write]

How often they lie, take and call among themselves, and how much more often after they were caught,
or the other was; 95 % intervals are over matches. With ``--agents`` also what they do in so many
matches of four games against each of the paper's agents, with tuned constants, beside what the
paper says of people. ``--change`` tries other means and standard deviations of the parameters of
those who react. With ``--predictors`` also how the package's predictors fare with them, with
intervals over players drawn again. With ``--ceilings``, of those who react, the AUC of what learned
from 20,000 of them, which takes up to half an hour, and ``--write`` puts that into
``data/cheat/ceilings.json``.
"""

from __future__ import annotations

import argparse
import json
import operator
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sleuth import play_match
from sleuth.beliefs.games.cheat.judges import CALLS, WORDS
from sleuth.games.cheat import TRUTH, USUAL, cheat, known_predictor
from sleuth.models.cheat.people.population import ADAPTING, REACT, STEADY, bluffers
from sleuth.models.cheat.people.simulate import SimulatedGame, simulate_games
from sleuth.models.cheat.state import CALL, CLAIM, TAKE
from sleuth.training.cheat import ceilings
from sleuth.training.cheat.rows import rows_of_simulated
from sleuth.training.judging import auc

from .cells import FIGURE, SERIES, Cell
from .counts import counts_of
from .tables import COLUMNS, nothing, number, percent, row, rows_of, share

FILE = Path(__file__).parents[2] / "data" / "cheat" / "ceilings.json"


#: The paper's agents with tuned constants, and what its people did against each (section 5.1), in
#: percent: lies of claims, takes of moves.
PAPERS = {"MGA": (44.8, 23.9), "PMGA": (42.4, 20.8), "FPMGA": (40.4, 19.6)}
AGENTS = [cell for cell in FIGURE if cell.name in PAPERS]
#: What they did among themselves: 1,157 of 2,432 claims were false (4.7), P(Call) is in Figure 2.
AMONG = {"lies of claims": 47.6, "calls of moves": 10.5}
#: What is shown of the agent.
AGENTS_OWN = (
    "win ratio",
    "calls that were right",
    "rounds",
    "card difference",
    "won of the first two games",
    "of the last two",
)
PLAYED = operator.attrgetter("seed", "actions", "returns", "seats")
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
    """Shares of actions, lengths of games, calls that are right; intervals over matches."""
    matches = np.array([game.match for game in games])

    def summed(count: Callable[[NDArray[np.int32]], Any]) -> NDArray[np.float64]:
        counted = np.array([count(game.actions) for game in games], dtype=np.float64)
        return np.bincount(matches, counted).astype(np.float64)

    def false(actions: NDArray[np.int32]) -> Any:
        return (actions >= CLAIM) & ((actions - CLAIM) // 4 % 2 == 1)

    moves, each = summed(len), np.bincount(matches).astype(float)
    claims, calls = summed(lambda done: (done >= CLAIM).sum()), summed(lambda d: (d == CALL).sum())
    found = {
        "lies of claims": percent(*share(summed(lambda done: false(done).sum()), claims)),
        "takes of moves": percent(*share(summed(lambda done: (done == TAKE).sum()), moves)),
        "calls of moves": percent(*share(calls, moves)),
        # A game never begins with a call.
        "calls that are right": percent(
            *share(summed(lambda done: (false(done)[:-1] & (done[1:] == CALL)).sum()), calls)
        ),
        "turns of a game": number(*share(moves, each)),
        "games of all 100 rounds": percent(*share(summed(lambda done: len(done) == 100), each)),
    }
    return {
        "players": players,
        "games": len(games),
        "claims": int(claims.sum()),
        **{name: beside(value, AMONG.get(name)) for name, value in found.items()},
        "lies, just after being caught": just_after(games, "lies"),
        "calls, just after the other was": just_after(games, "calls"),
    }


def beside(found: str, paper: float | None) -> str:
    """A figure, and the paper's if it has one."""
    return found if paper is None else f"{found} (paper {paper} %)"


def against(cell: Cell, options: argparse.Namespace) -> dict[str, str]:
    """What people do in matches against an agent of the paper, beside what its people did."""
    result = play_match(
        "cheat",
        [
            cell.agent.replace("=500", f"={options.simulations}"),
            f"people:population={options.population}",
        ],
        games=SERIES * options.matches,
        seed=options.seed,
        series=SERIES,
    )
    lies, takes = PAPERS[cell.name]
    game = cheat()
    games = [counts_of(game, *one) for one in map(PLAYED, result.games)]
    whole = nothing(cell).continued(rows_of(dict(enumerate(games))))
    shown = dict(zip(COLUMNS, row(cell, whole), strict=True))

    def theirs(word: str) -> NDArray[np.float64]:
        """A count of the people, of each match."""
        each = np.array([getattr(people, word) for _, people in games], dtype=float)
        return each.reshape(-1, SERIES).sum(axis=1)

    people = {
        "lies of claims": ("lies", "claims", lies),
        "takes of moves": ("takes", "actions", takes),
        "calls of moves": ("calls", "actions", None),
        "calls that are right": ("caught", "calls", None),
    }
    found = {
        name: beside(percent(*share(theirs(part), theirs(of))), paper)
        for name, (part, of, paper) in people.items()
    }
    found |= {f"agent's {name}": shown[name] for name in AGENTS_OWN}
    return {f"against {cell.name}: {name}": value for name, value in found.items()}


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--players", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--population", choices=[*ADAPTING], default=STEADY)
    parser.add_argument("--agents", action="store_true")
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--simulations", type=int, default=500)
    parser.add_argument("--change", default="")
    parser.add_argument("--predictors", action="store_true")
    parser.add_argument("--ceilings", action="store_true")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args(arguments)
    for change in filter(None, given.change.split(",")):
        name, values = change.split("=")
        mean, deviation = map(float, values.split(":"))
        REACT[name] = mean, deviation
    people = bluffers(given.players, seed=given.seed, population=given.population)
    games = list(simulate_games(people, seed=given.seed))
    found = figures(games, given.players)
    for cell in AGENTS if given.agents else ():
        found |= against(cell, given)
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
                "made_by": "benchmarks/cheat/population.py --ceilings --write",
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
