"""`sleuth check`: what it says of a game in order, and of one with a fault."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sleuth.apps.commands.new_game import source

from ..conftest import Sleuth

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
    first, second = ran.out.splitlines()[:2]
    assert first.startswith("This runs the code of ")
    assert second == "my_game"
    assert "checks passed in 2 random games" in ran.out
    assert "belief agrees with 12 random games" in ran.out


def test_json_says_what_was_checked(sleuth: Sleuth) -> None:
    found = sleuth("check", "tic_tac_toe", *FEW, "--json").json()
    assert list(found) == [
        *("game", "plays", "moves", "longest", "checks", "belief", "version", "findings")
    ]
    assert (found["belief"], found["findings"]) == (None, [])
    assert "bounds" in found["checks"]


@pytest.mark.parametrize(
    "old, new, words",
    [
        ("in moves:\n            secret", "in moves[-1:]:\n            secret", "[update]"),
        ("NUMBERS)\n        state.high", "NUMBERS - 4)\n        state.high", "'secret[0]' ="),
        ("actions[count] = number\n", "actions[count + 8] = number\n", "[bounds]"),
    ],
    ids=["forgets", "dealt otherwise", "out of bounds"],
)
def test_a_fault_is_told_with_its_place_and_one_line_of_error(
    sleuth: Sleuth, tmp_path: Path, old: str, new: str, words: str
) -> None:
    ran = sleuth("check", written(tmp_path, old, new), *FEW)
    assert ran.code == 2
    assert words in ran.err
    assert len(ran.err.splitlines()) == 1
    assert "Traceback" not in ran.err + ran.out
    assert words.strip("[]") in ran.out
    assert "my_game.py, line " in ran.out


def test_json_is_printed_of_a_game_with_findings_too(sleuth: Sleuth, tmp_path: Path) -> None:
    ran = sleuth(
        "check", written(tmp_path, "state.winner] = 1", "state.winner] = 2"), *FEW, "--json"
    )
    assert ran.code == 2
    (finding,) = json.loads(ran.out)["findings"]
    assert list(finding) == [
        *("check", "meaning", "message", "place", "value", "hint", "times", "follows")
    ]
    assert list(finding["place"]) == ["kernel", "field", "file", "line", "moment"]
    assert (finding["check"], finding["place"]["kernel"], finding["times"]) == ("returns",) * 2 + (
        2,
    )


def test_a_file_that_is_no_python_is_a_finding(sleuth: Sleuth, tmp_path: Path) -> None:
    ran = sleuth("check", written(tmp_path, "import numpy as np", "import numpy as"), "--json")
    assert ran.code == 2
    found = json.loads(ran.out)
    assert [each["check"] for each in found["findings"]] == ["syntax"]
    assert (found["plays"], found["checks"], found["belief"]) == (0, [], None)


def test_what_never_ends_is_ended(sleuth: Sleuth, tmp_path: Path) -> None:
    loop = "    count = 0\n    while count == 0:\n        other = other\n"
    named = written(tmp_path, "    count = 0\n", loop)
    ran = sleuth("check", named, *FEW, "--seconds", "0.5", "--json")
    assert ran.code == 2
    (finding,) = json.loads(ran.out)["findings"]
    assert (finding["check"], finding["place"]["kernel"]) == ("time", "legal")
