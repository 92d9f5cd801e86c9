"""The file of a match: what stands in it is a game of this match, or is named; one writes it."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sleuth import play_match
from sleuth.agents import parse_agent
from sleuth.errors import RecordError, SettingsError
from sleuth.games.small import kuhn_poker
from sleuth.matches import tune
from sleuth.planners.tuning.tournament import HEADER

TWO = ["random", "random"]


def go_on(path: Path, **options: Any) -> Any:
    asked: dict[str, Any] = {"games": 4, "seed": 3, "out": path, **options}
    return play_match("kuhn_poker", TWO, **asked)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "games.jsonl"
    go_on(path)
    return path


def change(path: Path, line: int, **fields: Any) -> None:
    lines = path.read_text("utf-8").splitlines()
    lines[line - 1] = json.dumps({**json.loads(lines[line - 1]), **fields})
    path.write_text("\n".join([*lines, ""]), "utf-8")


@pytest.mark.parametrize("line", [3, 5], ids=["in the middle", "the last"])
@pytest.mark.parametrize(
    "fields, expected",
    [
        ({"seats": [0, 7]}, r"field 'seats', item 2: .*from 0 to 1, is needed \(got 7\)"),
        ({"seats": [0, 0]}, r"field 'seats': .*of this match has \([01], [01]\) \(got \(0, 0\)\)"),
        ({"seats": [0]}, r"field 'seats': .*a list of 2 is needed \(got \[0\]\)"),
        ({"seed": 5}, r"field 'seed': .*of this match has \d+ \(got 5\)"),
        ({"seed": 2**64}, "field 'seed'.*got 18446744073709551616"),
        ({"returns": [math.nan, 0]}, r"no such number \(got 'NaN'\)"),
        ({"returns": [math.inf, 0]}, r"no such number \(got 'Infinity'\)"),
        ({"returns": [10**400, 0]}, "field 'returns', item 1"),
        ({"returns": [3, -3]}, r"field 'returns', item 1: .*from -2 to 2, is needed \(got 3\)"),
        ({"returns": [1.0]}, "field 'returns': .*a list of 2"),
        ({"returns": ["1", "-1"]}, "field 'returns', item 1: .*a number.*got '1'"),
        ({"actions": [2]}, r"field 'actions', item 1: .*from 0 to 1, is needed \(got 2\)"),
        ({"actions": [0.5]}, "field 'actions', item 1.*got 0.5"),
        ({"actions": [True]}, "field 'actions', item 1.*got True"),
        ({"actions": [0] * 9}, "field 'actions': .*a list of at most 3"),
        ({"actions": "01"}, "field 'actions': .*a list is needed"),
        ({"number": -1}, r"field 'number': .*0 to \d+, is needed \(got -1\)"),
        ({"number": 10**30}, "field 'number'"),
        ({"seconds": -1}, "field 'seconds'.*got -1"),
        ({"seconds": math.nan}, "no such number"),
        ({"second": 1}, "no such field.*'seconds'"),
    ],
)
def test_a_line_that_is_no_game_of_this_match_is_named(
    path: Path, line: int, fields: dict[str, Any], expected: str
) -> None:
    change(path, line, **fields)
    before = path.read_bytes()
    with pytest.raises(RecordError, match=rf"games\.jsonl, line {line}.*{expected}"):
        go_on(path)
    assert path.read_bytes() == before


def test_a_field_that_is_missing_or_stands_twice_is_named(path: Path) -> None:
    whole = path.read_text("utf-8")
    path.write_text(whole.replace('"seconds"', '"sekonds"', 1), "utf-8")
    with pytest.raises(RecordError, match=r"line 2, field 'seconds': .*missing"):
        go_on(path)
    path.write_text(whole.replace('"seconds"', '"number": 1, "seconds"', 1), "utf-8")
    with pytest.raises(RecordError, match=r"line 2: .*stands twice.*'number'"):
        go_on(path)


def test_a_game_that_stands_twice_counts_once_and_another_of_its_number_is_refused(
    path: Path,
) -> None:
    whole = go_on(path)
    lines = path.read_text("utf-8").splitlines()
    path.write_text("\n".join([*lines, lines[2], ""]), "utf-8")
    assert go_on(path) == whole
    other = json.loads(lines[2])
    other["returns"] = [-each for each in other["returns"]]
    path.write_text("\n".join([*lines, json.dumps(other), ""]), "utf-8")
    with pytest.raises(RecordError, match=r"line 6, field 'number': .*another game"):
        go_on(path)


@pytest.mark.parametrize("fields", [{"swap": 1}, {"seed": 3.0}, {"match": True}, {"more": 1}])
def test_a_first_line_is_compared_as_it_is_written(path: Path, fields: dict[str, Any]) -> None:
    change(path, 1, **fields)
    with pytest.raises(SettingsError, match="another match"):
        go_on(path)


# Two at once

MATCH = """
import sys, time
from sleuth import play_match

def tell(what, done, total):
    print(done, flush=True)
    time.sleep(600)

play_match("kuhn_poker", ["random", "random"], games=9, seed=3, out=sys.argv[1], progress=tell)
"""


def test_a_second_match_on_the_file_is_refused_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    process = subprocess.Popen(
        [sys.executable, "-c", MATCH, str(path)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "1\n"
        before = path.read_bytes()
        for other in ({}, {"seed": 4}):
            with pytest.raises(SettingsError, match=r"^out: another process is writing"):
                go_on(path, **other)
        assert path.read_bytes() == before
    finally:
        process.kill()
        process.communicate()
    found = go_on(path)
    assert found.resumed == 1
    assert found == play_match("kuhn_poker", TWO, games=4, seed=3)


def inside(begin: Callable[[Callable[[], None]], None], again: Callable[[], None]) -> None:
    """Begin something, and while it is under way begin another of it."""
    seen: list[str] = []

    def second() -> None:
        if not seen:
            seen.append("")
            with pytest.raises(SettingsError, match="another process is writing"):
                again()

    begin(second)
    assert seen


def test_a_second_tournament_in_a_folder_is_refused(tmp_path: Path) -> None:
    few = [parse_agent("random"), parse_agent("mcts:simulations=2")]

    def play(told: Callable[[], None] = lambda: None, **options: Any) -> Any:
        return tune(
            kuhn_poker(), few, games=2, out=tmp_path / "kept", progress=lambda *_: told(), **options
        )

    inside(lambda second: play(second), play)
    whole = play()
    # A first file that was cut off while it was written.
    header = tmp_path / "kept" / HEADER
    content = header.read_bytes()
    for kept in (0, 10):
        header.write_bytes(content[:kept])
        assert play() == whole
        assert header.read_bytes() == content
