"""`sleuth check`: what it says of a game in order, and of one with a fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from sleuth.apps.commands.new_game import source

from ..conftest import Sleuth
from .test_analyse import assert_refused

FEW = ("--plays", "2", "--belief-plays", "12")


def written(folder: Path, old: str = "", new: str = "") -> str:
    """The file of a new game as plain Python, which needs no compiler, with something replaced."""
    text = source("my_game", "my_game.py").replace("@kernel\n", "")
    assert old in text
    (folder / "my_game.py").write_text(text.replace(old, new), "utf-8")
    return f"{folder / 'my_game.py'}:GAME"


def test_a_new_game_and_its_belief_are_in_order(sleuth: Sleuth, tmp_path: Path) -> None:
    ran = sleuth("check", written(tmp_path), *FEW)
    assert ran.code == 0
    assert ran.out.startswith("my_game\n")
    assert "checks passed in 2 random games" in ran.out
    assert "belief agrees with 12 random games" in ran.out


def test_json_says_what_was_checked(sleuth: Sleuth) -> None:
    found = sleuth("check", "tic_tac_toe", *FEW, "--json").json()
    assert list(found) == ["game", "plays", "moves", "longest", "checks", "belief", "version"]
    assert found["belief"] is None
    assert "bounds" in found["checks"]


@pytest.mark.parametrize(
    "old, new, words",
    [
        ("in moves:\n            secret", "in moves[-1:]:\n            secret", "[update]"),
        ("NUMBERS)\n        state.high", "NUMBERS - 4)\n        state.high", "'secret' ="),
        ("actions[count] = number\n", "actions[count + 8] = number\n", "[bounds]"),
    ],
    ids=["forgets", "dealt otherwise", "out of bounds"],
)
def test_a_fault_is_one_message(
    sleuth: Sleuth, tmp_path: Path, old: str, new: str, words: str
) -> None:
    assert_refused(sleuth("check", written(tmp_path, old, new), *FEW), words)
