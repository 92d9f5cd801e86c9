"""How much players differ is found, and knowing them helps."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from sleuth.games.cheat import rows_of, simulate
from sleuth.predictors import TrainingRows
from sleuth.training.cheat.adapting import adapted, spread_of
from sleuth.training.judging import judge


@cache
def claims() -> TrainingRows:
    return rows_of(simulate(40, seed=4, games=2))


def with_offsets(spread: float, seed: int) -> tuple[TrainingRows, Any, Any]:
    """The same claims, true by a predictor's odds and each player's own offset."""
    rng = np.random.default_rng(seed)
    given = rng.uniform(0.1, 0.9, size=len(claims()))
    offsets = spread * rng.standard_normal(len(claims().players))
    odds = np.log(given / (1 - given)) + offsets[claims().player]
    y = (rng.random(len(claims())) < 1 / (1 + np.exp(-odds))).astype(np.int8)
    return replace(claims(), labels={**claims().labels, "true": y}), y, given


@pytest.mark.parametrize("spread", [0.0, 0.5, 1.0])
def test_the_spread_is_found(spread: float) -> None:
    found = [spread_of(*with_offsets(spread, seed)) for seed in range(4)]
    assert np.mean(found) == pytest.approx(spread, abs=0.2)


def test_knowing_players_helps_where_they_differ() -> None:
    rows, y, given = with_offsets(1.0, 7)
    better = adapted(rows, y, given, 1.0)
    assert judge(y, better, rows.player).log_loss < judge(y, given, rows.player).log_loss - 0.01
    assert judge(y, better, rows.player).auc > judge(y, given, rows.player).auc + 0.01


def test_what_one_player_saw_of_him_others_do_not_know() -> None:
    rows, y, given = with_offsets(1.0, 7)
    strangers = replace(rows, viewer=np.arange(len(rows), dtype=np.int32))
    assert np.array_equal(adapted(strangers, y, given, 1.0), given)


def test_what_was_not_turned_up_changes_nothing() -> None:
    rows, y, given = with_offsets(1.0, 8)
    first = adapted(rows, y, given, 1.0)
    # Claims after the last call of a game are never seen, so what they were moves nothing.
    last_call: dict[tuple[int, int], int] = {}
    for place in np.flatnonzero(rows.labels["called"] == 1):
        key = int(rows.match[place]), int(rows.game[place])
        last_call[key] = max(last_call.get(key, -1), int(rows.turn[place]))
    unseen = np.array(
        [
            rows.turn[place] > last_call.get((int(rows.match[place]), int(rows.game[place])), -1)
            for place in range(len(rows))
        ]
    )
    assert unseen.sum() > 50
    flipped = np.where(unseen, 1 - y, y)
    assert np.array_equal(adapted(rows, flipped, given, 1.0), first)
    assert not np.array_equal(adapted(rows, 1 - y, given, 1.0), first)


def test_nothing_later_changes_an_earlier_prediction() -> None:
    rows, y, given = with_offsets(1.0, 9)
    first = adapted(rows, y, given, 1.0)
    rng = np.random.default_rng(3)
    for match in (0, 3):
        own = np.flatnonzero(rows.match == match)
        cut = int(rng.integers(1, len(own)))
        changed = y.copy()
        changed[own[cut:]] = 1 - changed[own[cut:]]
        assert np.array_equal(
            adapted(rows, changed, given, 1.0)[own[: cut + 1]], first[own[: cut + 1]]
        )
