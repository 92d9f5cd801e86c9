"""Rows of any game: what was known makes features, what came of it labels, and they never mix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sleuth import GameEntry, Play
from sleuth.errors import RecordError, SettingsError
from sleuth.kit import (
    Outcome,
    Played,
    PlayRecord,
    RowMaker,
    SeenPlay,
    View,
    check_rows,
    rows_of_plays,
)
from sleuth.models.games import entry
from sleuth.predictors import TrainingRows
from sleuth.training.training import train

from ..documented import ROOT

GAME: GameEntry = entry(f"{ROOT}/examples/your_own_game.py:GAME")
RULES = GAME.game()
MAKE: Any = GAME.part("rows")
BELIEF: Any = GAME.part("belief")
LIAR = 24


def honest_games(count: int, seed: int = 0) -> Iterator[PlayRecord]:
    """The first player bids one of a face; mostly one they have. The other calls them a liar."""
    for number in range(count):
        play, rng = Play.new(RULES, seed=seed + number), np.random.default_rng((seed, number))
        own = play.truth()[0].dice.tolist()[:2]
        play.apply(int(own[0] if rng.random() < 0.6 else rng.integers(6)))
        play.apply(int(rng.integers(6, 12)))
        play.apply(LIAR)
        yield play.record()


def rows_of(records: Iterator[PlayRecord], names: Any = None) -> TrainingRows:
    return rows_of_plays(MAKE(), [Played(record, RULES, names) for record in records])


def test_a_row_is_what_the_other_player_sees_of_a_bid_and_its_label_is_the_truth() -> None:
    record = next(honest_games(1))
    rows = rows_of(iter([record]))
    dice = Play.new(RULES, seed=record.seed).truth()[0].dice.tolist()
    first, second = record.actions[:2]
    assert rows.turn.tolist() == [1, 2]
    assert rows.features[0].tolist() == [1, dice[2:].count(first), 1, first + 1, 0, 0]
    assert rows.features[1][:4].tolist() == [2, dice[:2].count(second % 6), 2, second - first]
    assert rows.labels["face"].tolist() == [first in dice[:2], second % 6 in dice[2:]]
    assert rows.labels["covered"].tolist() == [
        first in dice[:2], dice[2:].count(second % 6) >= 2,
    ]  # fmt: skip
    assert rows.player.tolist() == rows.viewer.tolist()[::-1] == [0, 1]


def test_what_follows_changes_no_feature() -> None:
    record = next(honest_games(1))
    early = replace(record, actions=record.actions[:1])
    later = replace(record, actions=(record.actions[0], 23, LIAR))
    (one,) = rows_of(iter([early])).features
    for other in (record, later):
        assert rows_of(iter([other])).features[0].tolist() == one.tolist()


def test_changing_what_is_hidden_changes_no_feature() -> None:
    assert check_rows(MAKE(), RULES, BELIEF()) > 5


class Remembering(MAKE):  # type: ignore[misc]
    """Keeps the truth that a label was made of, and tells it to the features."""

    truth: Any = None

    def label(self, outcome: Outcome) -> Mapping[str, bool | None]:
        Remembering.truth = outcome.before[0].dice.tolist()
        return super().label(outcome)

    def row(self, view: View, seen: SeenPlay) -> Sequence[float] | None:
        found = super().row(view, seen)
        return None if found is None else (*found[:-1], float(sum(Remembering.truth)))


class Peeking(MAKE):  # type: ignore[misc]
    """Reads dice that are hidden from the player that predicts."""

    def row(self, view: View, seen: SeenPlay) -> Sequence[float] | None:
        found = super().row(view, seen)
        return None if found is None else (*found[:-1], float(view.states[0].dice.sum()))


def test_a_maker_that_remembers_the_truth_is_found() -> None:
    with pytest.raises(SettingsError, match="depends on what its viewer cannot see"):
        check_rows(Remembering(), RULES, BELIEF())


def test_a_feature_of_hidden_numbers_is_refused_when_rows_are_made() -> None:
    with pytest.raises(SettingsError, match="'mine before': a feature is made of what is HIDDEN"):
        rows_of_plays(Peeking(), [Played(next(honest_games(1)), RULES)])


def test_features_of_a_record_are_made_before_any_of_its_labels() -> None:
    asked: list[str] = []

    class Noting(MAKE):  # type: ignore[misc]
        def row(self, view: View, seen: SeenPlay) -> Sequence[float] | None:
            asked.append("row")
            return super().row(view, seen)

        def label(self, outcome: Outcome) -> Mapping[str, bool | None]:
            asked.append("label")
            return super().label(outcome)

    rows_of_plays(Noting(), [Played(next(honest_games(1)), RULES)])
    assert asked == sorted(asked, reverse=True)


@pytest.mark.parametrize(
    "row, label, said",
    [
        ((1.0,), {"covered": True}, "6 features are declared"),
        ((float("inf"),) * 6, {"covered": True}, "finite"),
        ((0.0,) * 6, {"coverd": True}, "did you mean 'covered'"),
    ],
)
def test_what_was_not_declared_is_refused(row: Any, label: Any, said: str) -> None:
    class Wrong(RowMaker):
        game, features, labels = "liars_dice", MAKE.features, MAKE.labels

        def row(self, view: View, seen: SeenPlay) -> Sequence[float] | None:
            return row

        def label(self, outcome: Outcome) -> Mapping[str, bool | None]:
            return label

    with pytest.raises(SettingsError, match=said):
        rows_of_plays(Wrong(), [Played(next(honest_games(1)), RULES)])


def test_nobody_in_particular_is_somebody_else_in_every_game() -> None:
    rows = rows_of(honest_games(4))
    assert (rows.acting, len(set(rows.match.tolist()))) == (8, 4)
    assert "do not say who played" in rows.notes[0]


def test_a_person_is_the_same_in_all_games() -> None:
    rows = rows_of(honest_games(4), ("you", None))
    assert rows.acting == 5
    assert rows.game.tolist() == [1, 1, 2, 2, 3, 3, 4, 4]
    assert rows.notes == ()


def test_what_players_do_is_learned() -> None:
    found = train(rows_of(honest_games(150)), models=("tree",), target="face", seed=1)
    assert found.scores["tree"]["cold"].auc > 0.6
    assert found.required_predictor.card["predicts"] == "the bidder has the face"
    assert found.required_predictor.card["trained_on"]["bids"] == 300


def test_few_records_are_refused_and_not_fitted() -> None:
    with pytest.raises(RecordError, match="only one class"):
        train(rows_of(honest_games(2)), models=("logistic",))


def test_nothing_to_learn_from_is_refused() -> None:
    with pytest.raises(RecordError, match="no bids"):
        rows_of(iter(()))
