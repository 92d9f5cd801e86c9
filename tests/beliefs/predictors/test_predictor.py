"""Predictors and their files: equal to scikit-learn, and nothing but numbers is ever read."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sleuth.beliefs.predictors.predictor import NODE, VERSION, array_bytes, paths, probability
from sleuth.errors import RecordError, SettingsError, UnsupportedError
from sleuth.kit import save_predictor
from sleuth.predictors import Predictor, load_predictor
from sleuth.training.predictor_file import predictor_of
from sleuth.training.predictor_kinds import STORED, classifier

RNG = np.random.default_rng(0)
X = RNG.normal(size=(400, 6))
X[:, 5] = np.round(X[:, 5])
Y = (X[:, 0] + 0.5 * X[:, 1] * X[:, 2] + RNG.normal(size=400) > 0.3).astype(int)
NEW = np.vstack([RNG.normal(size=(300, 6)), X[:50], X[:50].astype(np.float32)])
NEW[::9, 3] = np.nan
NAMES = tuple("abcdef")


def fitted(model: str) -> Any:
    made = classifier(model, seed=1)
    if model == "forest":
        made.estimator.set_params(n_estimators=37)
    return made.fit(X, Y)


def predictor(model: str = "forest") -> Predictor:
    return predictor_of(model, fitted(model), X, game="cheat", predicts="it", features=NAMES)


SAVED = predictor()


@pytest.mark.parametrize("model", STORED)
def test_a_predictor_says_what_scikit_learn_says(model: str, tmp_path: Path) -> None:
    classifier = fitted(model)
    made = predictor_of(model, classifier, X, game="cheat", predicts="it", features=NAMES)
    save_predictor(made, tmp_path / "p")
    loaded = load_predictor(tmp_path / "p.npz", game="cheat", features=NAMES)
    wanted = classifier.predict_proba(NEW)[:, 1]
    assert np.abs(made(NEW) - wanted).max() < 1e-12
    assert np.abs(loaded(NEW) - wanted).max() < 1e-12
    assert probability(np.ascontiguousarray(NEW[3]), loaded.tables) == loaded(NEW[3])[0]


def test_thresholds_are_met_as_scikit_learn_meets_them() -> None:
    """Values right on, just above and just below every threshold of a tree."""
    classifier = fitted("tree")
    made = predictor_of("tree", classifier, X, game="cheat", predicts="it", features=NAMES)
    tree = classifier.estimator_.tree_
    rows = []
    for feature, threshold in zip(tree.feature, tree.threshold, strict=True):
        for value in (threshold, np.nextafter(threshold, 9), np.nextafter(threshold, -9)):
            row = X[0].copy()
            row[max(feature, 0)] = value
            rows.append(row)
    assert np.abs(made(rows) - classifier.predict_proba(rows)[:, 1]).max() < 1e-12


@pytest.mark.parametrize("model", ["svm", "network"])
def test_models_that_are_only_compared_have_no_file(model: str) -> None:
    with pytest.raises(UnsupportedError, match="forest"):
        predictor(model)


def test_rows_must_have_the_features() -> None:
    with pytest.raises(SettingsError, match="6 features"):
        SAVED(np.zeros((2, 5)))
    outside = SAVED.outside([[99, 0, 0, 0, 0, 0], [0, 0, 0, np.nan, 0, 0]])
    assert outside.tolist() == [[True] + [False] * 5, [False] * 6]


def test_the_same_training_writes_the_same_bytes(tmp_path: Path) -> None:
    save_predictor(predictor(), tmp_path / "a")
    save_predictor(predictor(), tmp_path / "b.json")
    for ending in (".npz", ".json"):
        assert (tmp_path / f"a{ending}").read_bytes() == (tmp_path / f"b{ending}").read_bytes()
    card = json.loads((tmp_path / "a.json").read_text())
    assert card["features"] == list(NAMES)


def test_another_games_predictor_is_refused(tmp_path: Path) -> None:
    save_predictor(SAVED, tmp_path / "p")
    with pytest.raises(RecordError, match="another game"):
        load_predictor(tmp_path / "p", game="clue")
    with pytest.raises(RecordError, match="other features"):
        load_predictor(tmp_path / "p", features=NAMES[:5])


def forged(folder: Path, *, card: dict[str, Any] | None = None, **arrays: Any) -> Path:
    """A predictor somebody has changed, and fitted the digest to it."""
    save_predictor(SAVED, folder / "p")
    made = SAVED.tables._replace(**arrays)
    content = array_bytes(made)
    (folder / "p.npz").write_bytes(content)
    value = {**SAVED.card, "sha256": hashlib.sha256(content).hexdigest(), **(card or {})}
    (folder / "p.json").write_text(json.dumps(value))
    return folder / "p"


def nodes(**changes: Any) -> Any:
    made = SAVED.tables.nodes.copy()
    for name, (place, value) in changes.items():
        made[name][place] = value
    return made


INNER = int(np.flatnonzero(SAVED.tables.nodes["feature"] >= 0)[1])
LEAF = int(np.flatnonzero(SAVED.tables.nodes["feature"] < 0)[0])


@pytest.mark.parametrize(
    "arrays",
    [
        {"nodes": nodes(feature=(INNER, 6))},
        {"nodes": nodes(feature=(INNER, -2))},
        {"nodes": nodes(right=(INNER, INNER))},
        {"nodes": nodes(right=(INNER, 0))},
        {"nodes": nodes(right=(INNER, 10**9))},
        {"nodes": nodes(right=(INNER, len(SAVED.tables.nodes) - 1))},
        {"nodes": nodes(right=(LEAF, 0))},
        {"nodes": nodes(threshold=(LEAF, np.nan))},
        {"nodes": nodes(feature=(-1, 0))},
        {"nodes": np.zeros(3)},
        {"roots": SAVED.tables.roots + np.int32(1)},
        {"roots": SAVED.tables.roots[::-1]},
        {"roots": np.array([0, 10**9], dtype=np.int32)},
        {"roots": np.zeros(0, dtype=np.int32)},
        {"typical": np.zeros(3)},
        {"typical": np.full(6, np.inf)},
        {"numbers": np.array([7.0, 1, 0, 0])},
        {"numbers": np.array([2.0, 1, 0, 0])},
        {"weights": np.zeros(6, dtype=np.float32)},
    ],
)
def test_changed_arrays_are_refused(arrays: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="make no predictor"):
        load_predictor(forged(tmp_path, **arrays))


@pytest.mark.parametrize(
    "card",
    [
        {"format": "other"},
        {"version": "1"},
        {"features": []},
        {"features": [1] * 6},
        {"kind": "pickle"},
        {"lowest": [0.0]},
        {"highest": ["0"] * 6},
        {"highest": [10**400] * 6},
        {"game": 3},
        {"spread": "0.4"},
        {"spread": -0.1},
        {"spread": True},
        {"spread": None},
        {"spread": float("nan")},
        {"spread": 1e200},
    ],
)
def test_changed_cards_are_refused(card: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(RecordError):
        load_predictor(forged(tmp_path, card=card))


def test_players_differ_as_the_card_says(tmp_path: Path) -> None:
    assert load_predictor(forged(tmp_path)).spread == 0.0
    assert load_predictor(forged(tmp_path, card={"spread": 0.4})).spread == 0.4


def test_a_card_that_is_no_json_is_called_by_its_name(tmp_path: Path) -> None:
    save_predictor(SAVED, tmp_path / "p")
    (tmp_path / "p.json").write_text("{")
    with pytest.raises(RecordError, match=r"p\.json: the card cannot be read"):
        load_predictor(tmp_path / "p")


def test_a_newer_predictor_says_that_it_is_newer(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="newer sleuth"):
        load_predictor(forged(tmp_path, card={"version": VERSION + 1}))


def test_arrays_and_card_belong_together(tmp_path: Path) -> None:
    save_predictor(SAVED, tmp_path / "p")
    (tmp_path / "p.npz").write_bytes(array_bytes(predictor("tree").tables))
    with pytest.raises(RecordError, match="not those that the card"):
        load_predictor(tmp_path / "p")


class Evil:
    """Would make a file if it were ever unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return (Path.touch, (self.path,))


def test_nothing_in_a_file_is_executed(tmp_path: Path) -> None:
    save_predictor(SAVED, tmp_path / "p")
    trap = tmp_path / "trap"
    np.savez(tmp_path / "p.npz", nodes=np.array([Evil(trap)], dtype=object))
    content = (tmp_path / "p.npz").read_bytes()
    value = {**SAVED.card, "sha256": hashlib.sha256(content).hexdigest()}
    (tmp_path / "p.json").write_text(json.dumps(value))
    with pytest.raises(RecordError, match="cannot be read"):
        load_predictor(tmp_path / "p")
    assert not trap.exists()


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    save_predictor(SAVED, tmp_path / "p")
    for path in paths(tmp_path / "p"):
        whole = path.read_bytes()
        for _ in range(120):
            broken = bytearray(whole)
            place = int(rng.integers(len(broken)))
            kind = rng.random()
            if kind < 0.4:
                broken[place] ^= 1 << int(rng.integers(8))
            elif kind < 0.7:
                del broken[place:]
            else:
                broken[place:place] = bytes(rng.integers(0, 256, size=5).tolist())
            path.write_bytes(bytes(broken))
            try:
                loaded = load_predictor(tmp_path / "p")
            except RecordError:
                continue
            # A digit of the card that the arrays do not depend on.
            assert path.suffix == ".json"
            assert np.array_equal(loaded(NEW), SAVED(NEW))
        path.write_bytes(whole)
    with pytest.raises(RecordError, match="two files"):
        load_predictor(tmp_path / "missing")


def test_an_interrupted_writing_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_predictor(SAVED, tmp_path / "p")
    monkeypatch.setattr("sleuth.training.predictor_file.write_whole", _interrupt)
    with pytest.raises(KeyboardInterrupt):
        save_predictor(predictor("tree"), tmp_path / "p")
    assert np.array_equal(load_predictor(tmp_path / "p")(NEW), SAVED(NEW))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p.json", "p.npz"]


def _interrupt(*arguments: object, **more: object) -> None:
    raise KeyboardInterrupt


def test_a_node_takes_sixteen_bytes() -> None:
    assert NODE.itemsize == 16
