"""`sleuth train`: files that can be used, the same ones again, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from sleuth.beliefs.games.scotland_yard.move_model import MoveModel
from sleuth.models.records.reading import parse_json, read_bytes
from sleuth.models.scotland_yard.advice.categories import Categories

from ..conftest import Sleuth

TRAIN = ("train", "scotland-yard", "--hider", "random", "--seekers", "random")


def test_scotland_yard_is_trained_from_games_that_are_played(
    sleuth: Sleuth, tmp_path: Path
) -> None:
    ran = sleuth(*TRAIN, "--games", 10, "--seed", 4, "--out", tmp_path / "made", "--json")
    assert ran.code == 0
    found = ran.json()
    assert (found["game"], found["games"], found["seed"]) == ("scotland_yard", 10, 4)
    assert found["held_out"]["games"] == 2
    assert set(found["held_out"]["log_loss"]) == {
        *("uniform list", "categorization", "even moves", "move model")
    }
    for mean, low, high in found["held_out"]["log_loss"].values():
        assert 0.0 < low <= mean <= high
    moves = MoveModel.from_json(parse_json(read_bytes(found["files"]["moves"])))
    categories = Categories.from_json(parse_json(read_bytes(found["files"]["categories"])))
    assert (moves.card["games"], moves.card["seed"], moves.card["hider"]) == (10, 4, "random")
    assert sum(categories.tables["station"].was) == found["moves"]

    again = sleuth(*TRAIN, "--games", 10, "--seed", 4, "--out", tmp_path / "made")
    assert again.code == 0
    assert "move model" in again.out
    assert MoveModel.from_json(parse_json(read_bytes(found["files"]["moves"]))) == moves


@pytest.mark.parametrize(
    "options, said",
    [
        (("--games", 3), "games"),
        (("--hider", "nobody"), "no such agent"),
        (("--speed", 3), "speed"),
    ],
)
def test_slips_are_refused(
    sleuth: Sleuth, tmp_path: Path, options: tuple[object, ...], said: str
) -> None:
    ran = sleuth(*TRAIN, "--out", tmp_path, *options)
    assert ran.code == 2
    assert said in ran.err


def test_help_names_the_games(sleuth: Sleuth) -> None:
    assert "scotland-yard" in sleuth("train").out
