"""`sleuth train`: files that can be used, the same ones again, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from sleuth.games.scotland_yard import Categories, MoveModel
from sleuth.models.records.reading import parse_json, read_bytes
from sleuth.predictors import load_predictor

from ..conftest import Sleuth

TRAIN = ("train", "scotland-yard", "--agents", "hider=random seekers=random", "--workers", 1)


def test_scotland_yard_is_trained_from_games_that_are_played(
    sleuth: Sleuth, tmp_path: Path
) -> None:
    options = ("--simulate", 10, "--seed", 4, "--out", tmp_path / "made")
    ran = sleuth(*TRAIN, *options, "--json")
    assert ran.code == 0
    found = ran.json()
    assert (found["model"], found["target"], found["seed"]) == ("choice", "made", 4)
    assert (found["source"]["hider"], found["source"]["seekers"]) == ("random", "random")
    held_out, choices = found["findings"]["held_out"], found["findings"]["choices"]
    assert held_out["games"] == 2
    assert set(held_out["log_loss"]) == {
        *("uniform list", "categorization", "even moves", "move model")
    }
    for mean, low, high in held_out["log_loss"].values():
        assert 0.0 < low <= mean <= high
    assert set(choices["log_loss"]) == {"choice, cold", "all alike"}
    written = {Path(path).name: Path(path) for path in found["files"]}
    assert written.keys() == {f"made.{ending}" for ending in (
        "npz", "json", "report.html", "report.json", "categories.json", "games.jsonl",
    )}  # fmt: skip
    moves = MoveModel.of(load_predictor(written["made.npz"]))
    categories = Categories.from_json(parse_json(read_bytes(written["made.categories.json"])))
    assert (moves.card["games"], moves.card["seed"], moves.card["hider"]) == (10, 4, "random")
    assert sum(categories.tables["station"].was) == choices["turns"]
    page = written["made.report.html"].read_text()
    for said in ("Where Mr. X is", "Which one is chosen", "move model", "all alike"):
        assert said in page

    again = sleuth(*TRAIN, *options)
    assert again.code == 0
    assert "move model" in again.out
    assert MoveModel.of(load_predictor(written["made.npz"])) == moves


@pytest.mark.parametrize(
    "options, said",
    [
        (("--simulate", 1), "--simulate"),
        (("--simulate", 3, "--agents", "hider=nobody"), "no such agent"),
        (("--simulate", 3, "--agents", "spy=random"), "no such role"),
        (("--models", "choise"), "did you mean 'choice'"),
        ((), "either records or simulated"),
        (("--speed", 3), "speed"),
    ],
)
def test_slips_are_refused(
    sleuth: Sleuth, tmp_path: Path, options: tuple[object, ...], said: str
) -> None:
    ran = sleuth("train", "scotland-yard", "--out", tmp_path / "made", *options)
    assert ran.code == 2
    assert said in ran.err


def test_help_names_the_games(sleuth: Sleuth) -> None:
    assert "scotland-yard" in sleuth("train").out
