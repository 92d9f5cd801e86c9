"""Rows of Saboteur: actions under the true deal and under one by chance."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sleuth.beliefs.games.saboteur.learned import NAMES, learned
from sleuth.errors import RecordError
from sleuth.games.saboteur import SaboteurBelief
from sleuth.kit import Played, save_predictor
from sleuth.models.games import entry
from sleuth.models.saboteur.state import MINER, SABOTEUR
from sleuth.predictors import TrainingRows
from sleuth.training.play_files import SelfPlay, mixed_play
from sleuth.training.saboteur.rows import DealSubject, rows_of
from sleuth.training.training import train

AGENTS = ("dwarf:saboteurs=explicit,depth=1", "random")


@pytest.fixture(scope="module")
def games() -> list[Played]:
    made = entry("saboteur")
    games = [made.game(rules="tight"), made.game(rules="tight", rounds=2, spare=True)]
    return list(mixed_play(games, AGENTS, SelfPlay(count=6, seed=4)))


@pytest.fixture(scope="module")
def rows(games: list[Played]) -> TrainingRows:
    return rows_of(DealSubject(), games)


def test_every_other_row_is_the_true_deal(games: list[Played], rows: TrainingRows) -> None:
    assert len(rows) % 2 == 0
    assert rows.labels["true"].tolist() == [0, 1] * (len(rows) // 2)
    # All but the assumption is the same in both.
    np.testing.assert_array_equal(rows.features[::2, 3:], rows.features[1::2, 3:])
    for number, one in enumerate(games):
        play = one.record.begin(one.game)
        for turn, action in enumerate(one.record.actions, start=1):
            mover, roles = play.player, play.truth()[0].roles.copy()
            play.apply(action)
            here = (rows.match == number) & (rows.turn == turn) & (rows.labels["true"] == 1)
            if here.any():
                assert rows.features[here][0, 0] == roles[mover]
                assert rows.players[rows.player[here][0]].endswith(one.game.roles[mover])


def test_a_game_is_one_circle_and_assumes_one_deal(rows: TrainingRows) -> None:
    for number in range(4):
        own = rows.where(rows.match == number)
        assert len({rows.players[each].partition(",")[0] for each in own.player}) == 1
        assert len(np.unique(own.viewer)) == 1
        if number % 2:
            continue  # of two rounds each has its own deal
        dealt = own.where(own.labels["true"] == 0)
        for player in np.unique(dealt.player):
            assert len(np.unique(dealt.features[dealt.player == player, 0])) == 1
        assumed = [
            dealt.features[dealt.player == player][0, 0] for player in np.unique(dealt.player)
        ]
        assert set(assumed) == {MINER, SABOTEUR}


def test_evidence_that_is_counted_several_times_is_trusted_less() -> None:
    # Sums that are calibrated: normal, of variance twice the mean.
    rng = np.random.default_rng(3)
    games = 2_000
    sums = rng.normal(np.tile([-1.0, 1.0], games), np.sqrt(2.0))
    for copies in (1, 4):
        match = np.repeat(np.arange(games), 2 * copies).astype(np.int32)
        y = np.tile(np.repeat([0, 1], copies), games)
        logits = np.repeat(sums, copies)
        one = np.zeros(len(y), dtype=np.int32)
        made = TrainingRows(
            DealSubject(), np.zeros((len(y), len(NAMES))), {"true": y.astype(np.int8)},
            one, one, match, one, one, ("somebody",),
        )  # fmt: skip
        trust = DealSubject().card(made, "true", y, 1 / (1 + np.exp(-logits)))["trust"]
        assert trust == pytest.approx(1 / copies, rel=0.1)


def test_what_was_trained_is_a_likelihood(rows: TrainingRows, tmp_path: Path) -> None:
    found = train(rows, models=("tree",), folds=2, seed=1)
    assert 0 <= found.required_predictor.card["trust"] <= 1
    save_predictor(found.required_predictor, tmp_path / "made")
    model = learned(str(tmp_path / "made"))
    assert SaboteurBelief(predictor=str(tmp_path / "made")).model is model
    with pytest.raises(RecordError, match="nothing to learn"):
        rows_of(DealSubject(), [])
