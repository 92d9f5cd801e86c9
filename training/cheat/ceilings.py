"""The best possible scores of a predictor of simulated people who react.

`reference`: the same features, learned from 20,000 fresh players: what a predictor that has never
met somebody can reach. `oracle`: the same, and the claimant's parameters known: for information.
Both are the AUC on fresh players, by boosted trees, which are better than a forest where there are
more than a million claims. Computing them takes minutes; the numbers are committed in
``data/cheat/ceilings.json``.
"""

# scikit-learn comes without types.
# pyright: reportMissingTypeStubs=false, reportUnknownVariableType=false
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false

from __future__ import annotations

import json
from typing import Any, Final

import numpy as np

from ...data.files import resource
from ...data.progress import Tell, silent
from ...models.cheat.game import cheat
from ...models.cheat.people.population import REACTING, Bluffers, bluffers
from ...models.cheat.people.simulate import simulate_games
from ..judging import auc
from ..rows import TrainingRows
from .rows import rows_of_simulated

PLAYERS: Final = 20_000
TEST_PLAYERS: Final = 2_000
#: Seeds that no training of anybody's is likely to use.
SEED: Final = 1_000_003


def committed() -> dict[str, float]:
    """The ceilings, for whether a claim is true."""
    value = json.loads(resource("cheat", "ceilings.json").read_text("utf-8"))
    return {"reference": value["reference"], "oracle": value["oracle"]}


def ceilings(
    *,
    players: int = PLAYERS,
    test_players: int = TEST_PLAYERS,
    target: str = "true",
    seed: int = SEED,
    progress: Tell = silent,
) -> dict[str, float]:
    """Compute both anew.

    Args:
        players: To learn from.
        test_players: To be judged on; others.
        target: ``"true"`` or ``"called"``.
        seed: Of all chance.
        progress: Told what is done next.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier

    progress("ceilings: simulating matches", 0, 3)
    people = bluffers(players, seed=seed, population=REACTING)
    others = bluffers(test_players, seed=seed + 1, population=REACTING)
    learn, test = _rows(people, seed, target), _rows(others, seed + 1, target)
    found: dict[str, float] = {}
    for step, name in enumerate(("reference", "oracle"), start=1):
        progress(f"{name}: learning from {len(learn):,} claims", step, 3)
        model = HistGradientBoostingClassifier(
            learning_rate=0.1, max_iter=200, max_leaf_nodes=63, min_samples_leaf=200,
            l2_regularization=1.0, random_state=0,
        )  # fmt: skip
        model.fit(_features(learn, people, name), learn.labels[target])
        given: Any = model.predict_proba(_features(test, others, name))[:, 1]
        found[name] = round(auc(test.labels[target], given), 4)
    return found


def _rows(people: Bluffers, seed: int, target: str) -> TrainingRows:
    rows = rows_of_simulated(simulate_games(people, seed=seed), cheat())
    return rows.where(rows.labels[target] >= 0)


def _features(rows: TrainingRows, people: Bluffers, name: str) -> Any:
    if name == "reference":
        return rows.features
    return np.hstack([rows.features, people.parameters[rows.player]])
