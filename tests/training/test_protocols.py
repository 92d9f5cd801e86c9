"""Who may be learned from, and that it matters."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from sleuth.apps.train.page import training_report
from sleuth.errors import RecordError, SettingsError
from sleuth.games.cheat import rows_of, simulate
from sleuth.predictors import TrainingRows
from sleuth.training.judging import auc
from sleuth.training.predictor_kinds import classifier
from sleuth.training.protocols import applicable, circles, splits
from sleuth.training.training import train


@cache
def claims() -> TrainingRows:
    return rows_of(simulate(12, seed=4))


def players_in(rows: TrainingRows, places: np.ndarray) -> set[int]:
    return {*rows.player[places].tolist(), *rows.viewer[places].tolist()}


@pytest.mark.parametrize("protocol", ["cold", "warm", "random"])
def test_every_row_is_judged_once_and_never_learned_from(protocol: str) -> None:
    judged = np.zeros(len(claims()), dtype=int)
    for split in splits(claims(), protocol):
        judged[split.test] += 1
        assert not set(split.train) & set(split.test)
    assert set(judged) == {1}


def test_cold_learns_from_nobody_who_is_judged() -> None:
    found = list(splits(claims(), "cold"))
    assert len(found) == 5
    for split in found:
        assert not players_in(claims(), split.train) & players_in(claims(), split.test)


def test_players_are_joined_by_their_matches() -> None:
    rows = replace(
        claims(),
        player=np.where(claims().player == 3, 0, claims().player),
        viewer=np.where(claims().viewer == 3, 0, claims().viewer),
    )
    assert len(np.unique(circles(claims()))) == 6
    assert len(np.unique(circles(rows))) == 5
    for split in splits(rows, "cold"):
        assert not players_in(rows, split.train) & players_in(rows, split.test)


def test_warm_learns_from_all_others_and_from_earlier_games() -> None:
    for split in splits(claims(), "warm"):
        match, game = claims().match[split.test[0]], claims().game[split.test[0]]
        own = claims().match[split.train] == match
        assert set(claims().game[split.train][own]) == set(range(1, game))
        assert (~own).sum() == (claims().match != match).sum()


def test_cold_needs_strangers() -> None:
    one = claims().where(claims().match == 0)
    with pytest.raises(SettingsError, match="never met"):
        list(splits(one, "cold"))
    with pytest.raises(SettingsError, match="did you mean 'cold'"):
        list(splits(claims(), "cool"))


def friends() -> TrainingRows:
    """The same claims as if six people had made all of them, each of whom has met all others."""
    met = [(one, other) for one in range(6) for other in range(6) if one < other]
    pair = np.array(met)[claims().match % len(met)]
    first = claims().player < claims().viewer
    return replace(
        claims(),
        player=np.where(first, *pair.T).astype(np.int32),
        viewer=np.where(first, *pair.T[::-1]).astype(np.int32),
        players=tuple("abcdef"),
    )


def test_later_games_are_judged_by_what_the_first_ones_taught() -> None:
    rows = friends()
    (split,) = splits(rows, "later")
    assert {*split.train, *split.test} == {*range(len(rows))}
    assert not {*split.train} & {*split.test}
    for match in np.unique(rows.match):
        learned, judged = (
            rows.game[places][rows.match[places] == match] for places in (split.train, split.test)
        )
        assert max(learned, default=0) < min(judged, default=99)
    assert 0.3 < len(split.test) / len(rows) < 0.6


def test_games_of_one_match_each_follow_in_the_order_of_the_matches() -> None:
    rows = replace(friends(), match=friends().game, game=np.ones_like(friends().game))
    (split,) = splits(rows, "later")
    assert rows.match[split.train].max() < rows.match[split.test].min()


def test_friends_who_all_have_met_can_train_and_are_told_how_they_are_judged() -> None:
    rows = friends().where(friends().match < 3)
    unknown = rows.labels["true"].copy()
    unknown[::10] = -1
    rows = replace(rows, labels={**rows.labels, "true": unknown})
    found = train(rows, models=("tree",))
    assert list(found.scores["tree"]) == ["later"]
    assert any("protocol 'later'" in warning for warning in found.warnings)
    value = found.to_json()
    assert value["judged"] + sum(value["left_out"].values()) == len(rows)
    assert value["left_out"]["label_not_known"] == (unknown < 0).sum()
    assert f"{value['left_out']['only_learned_from']} (only learned from)" in found.judged_on
    assert found.judged_on in training_report(found)


def test_all_scores_of_a_report_are_taken_on_the_same_rows() -> None:
    rows = friends().where(friends().match < 3)
    found = train(rows, models=("tree",), protocols=("random", "later"))
    y = found.rows.labels["true"][found.judged]
    for protocol, scores in found.scores["tree"].items():
        given = found.predictions["tree"][protocol]
        assert scores.brier == pytest.approx(np.mean((given[found.judged] - y) ** 2))
    assert (~np.isfinite(found.predictions["tree"]["later"]) == ~found.judged).all()
    assert found.baselines["base rate"].curve[:, 2].sum() == len(y)


def test_of_one_game_nothing_is_later() -> None:
    one = claims().where((claims().match == 0) & (claims().game == 1))
    with pytest.raises(SettingsError, match="no later one"):
        list(splits(one, "later"))
    assert applicable(one)[0] == "cold"
    assert applicable(claims())[0] == "cold"
    assert applicable(friends())[0] == "later"


def leaking(rows: TrainingRows) -> TrainingRows:
    """Players who always lie or never, and a feature that is nothing but who the player is."""
    rng = np.random.default_rng(5)
    count = len(rows.players)
    name = rng.permutation(count).astype(float)
    honest = rng.permutation(count) % 2
    features = rng.normal(size=rows.features.shape)
    features[:, 0] = name[rows.player]
    true = np.where(rng.random(len(rows)) < 0.9, honest[rows.player], 1 - honest[rows.player])
    return replace(rows, features=features, labels={**rows.labels, "true": true.astype(np.int8)})


def test_a_feature_that_gives_players_away_shows_as_a_gap() -> None:
    found = train(leaking(claims()), models=("tree",), protocols=("cold", "random"))
    cold, random = (found.scores["tree"][name].auc for name in ("cold", "random"))
    assert random > 0.85
    assert cold < 0.7
    assert any("knows players again" in warning for warning in found.warnings)


def test_where_nothing_leaks_there_is_no_gap() -> None:
    found = train(claims(), models=("logistic",), protocols=("cold", "random"))
    cold, random = (found.scores["logistic"][name].auc for name in ("cold", "random"))
    assert abs(cold - random) < 0.05
    assert not any("knows players again" in warning for warning in found.warnings)


@pytest.mark.parametrize("protocol", ["cold", "random"])
def test_shuffled_labels_cannot_be_learned(protocol: str) -> None:
    rng = np.random.default_rng(6)
    shuffled = replace(
        claims(), labels={**claims().labels, "true": rng.permutation(claims().labels["true"])}
    )
    found = train(shuffled, models=("logistic",), protocols=(protocol,))
    assert found.scores["logistic"][protocol].auc == pytest.approx(0.5, abs=0.06)


@pytest.mark.slow
def test_refitting_for_every_row_gives_what_refitting_for_every_game_gives() -> None:
    """Warm, judged on 120 rows: with the pair's claims up to the row itself, or to its game.

    By logistic regression, in which nothing else differs between two fits.
    """
    rows, y = claims(), claims().labels["true"].astype(int)
    judged = np.sort(np.random.default_rng(9).permutation(len(rows))[:120])

    def given(train_on: np.ndarray, test: np.ndarray) -> np.ndarray:
        made = classifier("logistic", seed=1)
        made.set_params(folds=0)
        made.fit(rows.features[train_on], y[train_on])
        return made.predict_proba(rows.features[test])[:, 1]

    by_game, by_row = np.zeros(len(rows)), np.zeros(len(rows))
    for split in splits(rows, "warm"):
        wanted = np.intersect1d(split.test, judged)
        if len(wanted):
            by_game[wanted] = given(split.train, wanted)
        for row in wanted:
            same_game = split.test[rows.turn[split.test] < rows.turn[row]]
            by_row[row] = given(np.concatenate([split.train, same_game]), np.array([row]))[0]
    found = auc(y[judged], by_row[judged])
    assert found == pytest.approx(auc(y[judged], by_game[judged]), abs=0.01)


def test_one_class_is_refused() -> None:
    labels = {**claims().labels, "true": np.ones(len(claims()), dtype=np.int8)}
    with pytest.raises(RecordError, match="one class"):
        train(replace(claims(), labels=labels))
