"""What the feature caught/cheat is worth, as the paper writes it and as ours has it.

    python -m benchmarks.cheat.caught [--players 200] [--seed 7] [--population reacting]

Bitan and Kraus (2018), section 4.7, divide how often somebody was caught by their false claims
until the last call, and so does the feature ``caught rate``. At first ours divided by all their
claims. Boosted trees learn with the one, with the other and with both, in five folds in which
nobody is judged by rows of people they met. Intervals of differences come from drawing players
again.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import brier_score_loss, roc_auc_score
from sklearn.model_selection import GroupKFold

from sleuth.beliefs.games.cheat.features import NAMES
from sleuth.games.cheat import cheat
from sleuth.models.cheat.people.population import ADAPTING, REACTING, bluffers
from sleuth.models.cheat.people.simulate import SimulatedGame, simulate_games
from sleuth.models.cheat.people.tallies import CAUGHT, CLAIMED, smoothed
from sleuth.models.cheat.rules import is_true
from sleuth.models.cheat.state import TAKE, is_claim, mover_of, public_of
from sleuth.training.cheat.rows import rows_of_simulated
from sleuth.training.predictor_kinds import classifier
from sleuth.training.protocols import circles

FOLDS = 5
DRAWN = 300
PLACE = NAMES.index("caught rate")


def of_claims(game: SimulatedGame, tables: Any) -> dict[tuple[int, int, int], float]:
    """For each claim, by match, game and turn, how often its player was caught, of earlier claims.

    Turns are counted from 1.
    """
    found: dict[tuple[int, int, int], float] = {}
    state = game.end[0]
    caught, claims = (game.before[:, column].tolist() for column in (CAUGHT, CLAIMED))
    lied = False
    for turn in range(int(state.turn)):
        logged = int(state.log[turn])
        by = int(mover_of(logged))
        if is_claim(logged):
            found[game.match, game.number, turn + 1] = float(smoothed(caught[by], claims[by]))
            lied = not is_true(int(state.cards[turn]), logged, tables)
            claims[by] += 1
        elif public_of(logged) != TAKE:
            caught[1 - by] += lied
    return found


def judged(x: Any, y: Any, groups: Any, seed: int) -> NDArray[np.float64]:
    """What boosted trees say of each row, that have learned from other players."""
    said = np.full(len(y), np.nan)
    for learn, test in GroupKFold(FOLDS).split(x, y, groups):
        made = classifier("boosting", seed=seed, jobs=1)
        made.fit(x[learn], y[learn], groups=groups[learn])
        said[test] = made.predict_proba(x[test])[:, 1]
    return said


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--population", choices=[*ADAPTING], default=REACTING)
    options = parser.parse_args()
    game = cheat()
    people = bluffers(options.players, seed=options.seed, population=options.population)
    games = [*simulate_games(people, seed=options.seed)]
    rows = rows_of_simulated(games, game)
    ours: dict[tuple[int, int, int], float] = {}
    for each in games:
        ours |= of_claims(each, game.tables)
    rows = rows.where(rows.labels["true"] >= 0)
    moments = zip(rows.match.tolist(), rows.game.tolist(), rows.turn.tolist(), strict=True)
    column = np.array([ours[moment] for moment in moments])
    instead = rows.features.copy()
    instead[:, PLACE] = column
    y, groups = rows.labels["true"], circles(rows)
    said: dict[str, NDArray[np.float64]] = {}
    for name, x in (
        ("of lies", rows.features),
        ("of claims", instead),
        ("both", np.column_stack([rows.features, column])),
    ):
        said[name] = judged(x, y, groups, options.seed)
        auc, brier = roc_auc_score(y, said[name]), brier_score_loss(y, said[name])
        print(f"caught {name}: AUC {auc:.4f}, Brier {brier:.4f}", flush=True)
    rng = np.random.default_rng(1)
    where = [np.flatnonzero(rows.player == player) for player in np.unique(rows.player)]
    drawn = [
        np.concatenate([where[place] for place in rng.choice(len(where), len(where))])
        for _ in range(DRAWN)
    ]
    usual = [roc_auc_score(y[chosen], said["of lies"][chosen]) for chosen in drawn]
    for name in ("of claims", "both"):
        other = [roc_auc_score(y[chosen], said[name][chosen]) for chosen in drawn]
        low, high = np.percentile(np.subtract(other, usual), [2.5, 97.5])
        print(f"{name} less of lies: AUC {low:+.4f} to {high:+.4f}, 95 %")
    print(f"{len(rows)} claims, {100 * rows.features[:, 0].mean():.1f} % impossible by counting")


if __name__ == "__main__":
    main()
