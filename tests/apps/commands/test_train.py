"""`sleuth train`: files that can be used, the same ones again, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sleuth import Play
from sleuth.games.scotland_yard import (
    Categories,
    MoveModel,
    ScotlandYardBelief,
    ScotlandYardRecord,
    scotland_yard,
)
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


def test_records_and_plays_of_one_folder_are_trained_on_together(
    sleuth: Sleuth, tmp_path: Path
) -> None:
    """Of the newer box: plays, what people wrote with Mr. X's log, and what everybody saw."""
    game = scotland_yard(edition="later", seekers=1, rounds=8, reveals=range(2, 9))
    folder = tmp_path / "games"
    folder.mkdir()
    for seed in range(6):
        play, rng = Play.new(game, seed=seed), np.random.default_rng(seed)
        while not play.over:
            play.apply(int(rng.choice(play.legal())))
        record = ScotlandYardRecord.from_play(play)
        if seed % 3 == 0:
            play.record().save(folder / f"{seed}.json")
        else:
            (record if seed % 3 == 1 else record.without_truth()).dump(folder / f"{seed}.json")
    options = ("--workers", 1, "--out", tmp_path / "made", "--json")
    ran = sleuth("train", "scotland-yard", folder, *options)
    assert ran.code == 0, ran.err
    found = ran.json()
    assert found["players"] == 6
    assert any("do not say where Mr. X went: 2 of 6" in each for each in found["warnings"])
    learned = load_predictor(tmp_path / "made", game="scotland_yard")
    assert learned.card["settings"]["edition"] == "later"
    belief = ScotlandYardBelief(moves=MoveModel.of(learned))
    posterior = belief.posterior(ScotlandYardRecord.load(folder / "2.json").seen_by())
    assert posterior.log_evidence < 0.0

    (folder / "other.json").write_text('{"game": "clue"}')
    refused = sleuth("train", "scotland-yard", folder)
    assert refused.code == 2
    assert "other.json" in refused.err


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
