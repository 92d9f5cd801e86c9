"""Training predictors of Cheat from records, and what is said of them."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sleuth.beliefs.games.cheat.features import NAMES
from sleuth.errors import RecordError, SettingsError
from sleuth.games.cheat import CheatRecord, rows_of, simulate
from sleuth.kit import save_predictor
from sleuth.predictors import TrainingRows, load_predictor
from sleuth.training import training
from sleuth.training.finished_fits import FinishedFits
from sleuth.training.protocols import circles
from sleuth.training.training import baselines_of, train


@cache
def simulated() -> tuple[CheatRecord, ...]:
    return simulate(20, seed=8, games=2)


@cache
def claims() -> TrainingRows:
    return rows_of(simulated())


def some_claims() -> TrainingRows:
    """Those of ten players, for what does not depend on how well they are learned from."""
    return claims().where(claims().match < 5)


@pytest.fixture(scope="module")
def trained() -> Any:
    return train(claims(), models=("logistic", "tree"), protocols=("cold",), seed=3)


def test_it_tells_lies_from_true_claims_better_than_what_is_simpler(trained: Any) -> None:
    found = trained.scores["logistic"]["cold"]
    assert found.auc > 0.65
    for name in ("base rate", "running rate"):
        assert found.auc_interval[0] > trained.baselines[name].auc_interval[1]


def test_a_base_rate_ranks_nothing(trained: Any) -> None:
    found = trained.baselines["base rate"]
    assert (found.auc, found.auc_interval) == (0.5, (0.5, 0.5))
    assert math.isnan(found.slope)
    assert found.brier == pytest.approx(0.25, abs=0.01)


def test_the_report_is_json(trained: Any) -> None:
    value = json.loads(json.dumps(trained.to_json(), allow_nan=False))
    assert value["model"] == "logistic"
    assert set(value["protocols"]) == {"cold"}
    assert set(value["protocols"]["cold"]) == {
        "auc", "auc_interval", "brier", "log_loss", "tpr", "tnr", "g_mean", "calibration",
    }  # fmt: skip
    assert set(value["baselines"]) == set(baselines_of(claims().of))
    assert value["ceilings"] is None
    assert value["seed"] == 3


def test_the_predictor_of_the_first_model_is_for_all_claims(trained: Any, tmp_path: Path) -> None:
    save_predictor(trained.predictor, tmp_path / "p")
    loaded = load_predictor(tmp_path / "p", game="cheat", features=NAMES)
    assert np.array_equal(loaded(claims().features), trained.predictor(claims().features))
    assert loaded.card["model"] == "logistic"
    assert loaded.card["trained_on"]["claims"] == len(claims())
    assert loaded.card["scores"]["cold"]["auc"] == pytest.approx(
        trained.scores["logistic"]["cold"].auc, abs=1e-6
    )
    assert not loaded.outside(claims().features).any()


def test_whether_a_claim_is_called_can_be_learned_too() -> None:
    found = train(claims(), target="called", models=("logistic",))
    assert found.scores["logistic"]["cold"].auc > 0.6
    assert found.predictor is not None
    assert found.predictor.card["predicts"] == "the claim will be called"
    called = claims().labels["called"][claims().labels["called"] >= 0]
    assert abs(found.predictor(claims().features).mean() - called.mean()) < 0.03


def test_the_same_seed_trains_the_same(trained: Any) -> None:
    again = train(claims(), models=("logistic",), seed=3)
    assert again.scores["logistic"]["cold"].auc == trained.scores["logistic"]["cold"].auc


def test_an_interrupted_training_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fitted: list[str] = []
    make = training.classifier

    def counting(model: str, **more: Any) -> Any:
        fitted.append(model)
        if len(fitted) == 4:
            raise KeyboardInterrupt
        return make(model, **more)

    monkeypatch.setattr(training, "classifier", counting)
    with pytest.raises(KeyboardInterrupt):
        train(some_claims(), models=("tree",), keep=tmp_path / "kept")
    first = len(fitted)
    train(some_claims(), models=("tree",), keep=tmp_path / "kept")
    # Three of the five folds were done already.
    again = len(fitted) - first
    whole = train(some_claims(), models=("tree",))
    assert len(fitted) - first - again == again + 3
    kept = train(some_claims(), models=("tree",), keep=tmp_path / "kept")
    assert kept.scores["tree"]["cold"].auc == whole.scores["tree"]["cold"].auc


def test_what_others_put_into_the_folder_stays(tmp_path: Path) -> None:
    kept = FinishedFits(tmp_path / "p.parts", "digest")
    kept.put("one", np.zeros(3))
    (tmp_path / "p.parts" / "mine.txt").write_text("mine")
    kept.clear()
    assert [path.name for path in (tmp_path / "p.parts").iterdir()] == ["mine.txt"]
    (tmp_path / "p.parts" / "mine.txt").unlink()
    kept.clear()
    assert not (tmp_path / "p.parts").exists()


def test_what_is_kept_is_not_taken_for_other_rows(tmp_path: Path) -> None:
    train(claims(), models=("tree",), keep=tmp_path)
    files = {path.name for path in tmp_path.iterdir()}
    for path in tmp_path.iterdir():
        path.write_bytes(b"broken")
    other = train(
        replace(claims(), labels={**claims().labels, "true": 1 - claims().labels["true"]}),
        models=("tree",),
        keep=tmp_path,
    )
    assert len({path.name for path in tmp_path.iterdir()}) == 2 * len(files)
    assert other.scores["tree"]["cold"].auc > 0.6
    assert train(claims(), models=("tree",), keep=tmp_path).scores["tree"]["cold"].auc > 0.6


def test_few_players_are_warned_of() -> None:
    few = claims().where(claims().match < 2)
    found = train(few, models=("tree",))
    assert any("4 players" in warning for warning in found.warnings)


def test_what_was_never_learned_from_is_warned_of(trained: Any) -> None:
    place, told = NAMES.index("seconds"), claims().features.copy()
    slow = circles(claims()) == 0
    told[slow, place] += 1e4
    found = train(replace(claims(), features=told), models=("logistic",))
    assert any("in seconds" in warning for warning in found.warnings)
    assert not any("in seconds" in warning for warning in trained.warnings)


def test_no_process_is_refused() -> None:
    with pytest.raises(SettingsError, match="one process"):
        train(claims(), jobs=0)


def test_what_is_too_good_to_be_true_is_warned_of() -> None:
    knowing = claims().features.copy()
    knowing[:, 5] = claims().labels["true"]
    found = train(replace(claims(), features=knowing), models=("tree",))
    assert any("too good to be true" in warning for warning in found.warnings)


def test_wrong_words_are_refused() -> None:
    for more in ({"target": "lie"}, {"models": ("wood",)}, {"protocols": ("hot",)}, {"models": ()}):
        with pytest.raises(SettingsError):
            train(claims(), **more)  # type: ignore[arg-type]


def test_a_game_does_not_count_twice() -> None:
    with pytest.raises(RecordError, match="stands there twice"):
        rows_of([*simulated()[:3], simulated()[1]])
    other = replace(simulated()[1], match="of another file")
    assert len(rows_of([*simulated()[:3], other])) > len(rows_of(simulated()[:3]))


def test_records_without_anybodys_knowledge_teach_nothing() -> None:
    blind = [replace(record, hands=(None, None)) for record in simulated()[:3]]
    one, other = blind[0].players
    with pytest.raises(
        RecordError, match=f"missing are of {one} their hand, or of {other} their hand"
    ):
        rows_of(blind)
    taken = [replace(each, cards=None) if each.kind == "take" else each for each in blind[0].turns]
    untold = replace(simulated()[0], turns=tuple(taken))
    with pytest.raises(RecordError, match=f"missing are of {one} the cards they took"):
        rows_of([untold])


def test_of_some_records_that_teach_nothing_the_report_says_how_many() -> None:
    whole = rows_of(simulated()[:3])
    blind = replace(simulated()[3], match="of another file", hands=(None, None))
    mixed = rows_of([*simulated()[:3], blind])
    assert len(mixed) == len(whole)
    assert "1 of 4 games" in mixed.notes[0]
    assert whole.notes == ()


def test_with_too_few_players_there_is_no_interval_and_the_report_is_json_all_the_same() -> None:
    rows = rows_of(simulate(4, seed=3, games=4))
    found = train(rows, models=("logistic",), protocols=("random",))
    value = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert all(gain[1:] == [None, None] for gain in value["gains"].values())
