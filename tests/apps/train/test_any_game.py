"""`sleuth train FILE.py:NAME`: from a folder of records to a predictor, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from sleuth import Play
from sleuth.models.games import entry
from sleuth.predictors import load_predictor

from ...documented import ROOT
from ..conftest import Sleuth

GAME = f"{ROOT}/examples/your_own_game.py:GAME"
TREE = ("--models", "tree", "--workers", 1)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games in which the first player mostly bids a face they have."""
    folder = tmp_path_factory.mktemp("games")
    rules = entry(GAME).game()
    for number in range(60):
        play, rng = Play.new(rules, seed=number), np.random.default_rng(number)
        own = play.truth()[0].dice.tolist()[:2]
        play.apply(int(own[0] if rng.random() < 0.6 else rng.integers(6)))
        play.apply(24)
        play.record().save(folder / f"{number:03d}.json")
    return folder


def test_a_folder_of_records_becomes_a_predictor_and_its_reports(
    sleuth: Sleuth, games: Path, tmp_path: Path
) -> None:
    ran = sleuth("train", GAME, games, *TREE, "--out", tmp_path / "bids", "--json")
    assert ran.code == 0
    value = ran.json()
    assert (value["target"], value["rows"], value["players"]) == ("covered", 60, 60)
    assert {path.name for path in tmp_path.iterdir()} == {
        "bids.npz", "bids.json", "bids.report.html", "bids.report.json",
    }  # fmt: skip
    made = load_predictor(tmp_path / "bids", game="liars_dice")
    assert made.card["trained_on"]["bids"] == 60
    page = (tmp_path / "bids.report.html").read_text()
    assert "Liar&#x27;s dice" in page or "Liar's dice" in page
    assert "do not say who played" in page
    for said in ("AUC", "Brier", "log loss", "TPR", "TNR", "slope", "log odds"):
        assert f"<dt>{said}</dt>" in page, said


def test_a_label_is_chosen_by_its_name(sleuth: Sleuth, games: Path) -> None:
    ran = sleuth("train", GAME, games, *TREE, "--predict", "face")
    assert ran.code == 0
    assert "Predicting that the bidder has the face" in ran.out
    assert "60 bids of 60 players" in ran.out
    # A base rate ranks nothing: it has no slope, and an interval of no width.
    assert "nan" not in ran.out
    assert "0.500 to 0.500" not in ran.out


def test_games_are_played_where_there_are_no_records(sleuth: Sleuth) -> None:
    ran = sleuth("train", GAME, "--simulate", 12, *TREE, "--protocols", "random", "--json")
    assert ran.code == 0
    assert ran.json()["players"] > 12


@pytest.mark.parametrize(
    "words, said",
    [
        (("train", "kuhn-poker"), "nothing says what can be learned"),
        (("train", "no_such.py:GAME"), "there is no such file"),
        (("train", GAME), "either records or simulated"),
        (("train", GAME, "--simulate", 9, "--predict", "coverd"), "did you mean 'covered'"),
        (("train", GAME, "--simulate", 9, "--ceilings"), "simulated people only"),
        (("train", GAME, "missing.json"), "missing.json"),
        (("train", "chaet"), "did you mean 'cheat'"),
        (("train", GAME, "a.json", "--agents", "random random"), "where games are simulated"),
        (("train", GAME, "--simulate", 9, "--agents", "third=random"), "no such role"),
        (("train", "cheat", "--simulate", 9, "--agents", "random random"), "draws who plays"),
    ],
)
def test_what_cannot_be_done_is_refused(sleuth: Sleuth, words: tuple[str, ...], said: str) -> None:
    ran = sleuth(*words)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


def test_a_record_of_another_game_is_named(sleuth: Sleuth, games: Path, tmp_path: Path) -> None:
    value = json.loads((games / "000.json").read_text())
    other = tmp_path / "other.json"
    other.write_text(json.dumps(value | {"game": "kuhn_poker"}))
    ran = sleuth("train", GAME, games, other, "--out", tmp_path / "bids")
    assert ran.code == 2
    assert "other.json" in ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["other.json"]


def test_an_empty_folder_is_refused(sleuth: Sleuth, tmp_path: Path) -> None:
    ran = sleuth("train", GAME, tmp_path)
    assert ran.code == 2
    assert "holds no records" in ran.err


def test_a_record_counts_once(sleuth: Sleuth, games: Path) -> None:
    ran = sleuth("train", GAME, games, games / "003.json")
    assert ran.code == 2
    assert "named twice" in ran.err
