"""A file that another process is writing to is refused by every command that would write there."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from sleuth import Play, game
from sleuth.apps.play.recording import Recording
from sleuth.apps.play.saved import YOU
from sleuth.data.disk.holding import hold
from sleuth.data.files import shipped
from sleuth.games.cheat import read_records

from .commands.test_analyse import assert_refused
from .conftest import Sleuth

RECORD = min(shipped("clue"), key=lambda file: file.name)
#: For every command, the file it holds and how it is called.
COMMANDS = {
    "match": ("out", ["match", "kuhn_poker", "--agents", "random", "random", "--games", "2"]),
    "tune": (
        "out/tournament.json",
        ["tune", "kuhn_poker", "--agent", "mcts:simulations=2", "--options", "exploration=0.5/1"],
    ),
    "analyse": ("out.csv.journal", ["analyse", str(RECORD)]),
    "train scotland-yard": (
        "out.games.jsonl",
        ["train", "scotland-yard", "--agents", "hider=random seekers=random", "--simulate", "10"],
    ),
    "train cheat": (
        "out.parts/in-use",
        ["train", "cheat", "--simulate", "6", "--models", "logistic", "--workers", "1"],
    ),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_the_file_of_another_process_is_refused_and_stays(
    sleuth: Sleuth, tmp_path: Path, command: str
) -> None:
    name, call = COMMANDS[command]
    out = tmp_path / ("out.csv" if command == "analyse" else "out")
    held = tmp_path / name
    held.parent.mkdir(exist_ok=True)
    with hold(held):
        assert_refused(sleuth(*call, "--out", out), "another process is writing to this file")
        there = {path for path in tmp_path.rglob("*") if path.is_file()}
        assert there == {held}
        assert held.read_bytes() == b""


def test_a_recorded_game_waits_for_the_process_that_writes(tmp_path: Path) -> None:
    class Silent:
        def say(self, text: str = "") -> None:
            pass

    cheat = game("cheat")
    path = tmp_path / "games.jsonl"
    recording = Recording.to(path, cheat, [YOU, "random"])
    recording.allowed = True
    play = Play.new(cheat, seed=1)
    while not play.over:
        play.apply(int(play.legal()[-1]))
    held = hold(path)
    timer = threading.Timer(0.3, lambda: held.close(keep_empty=True))
    timer.start()
    for _ in range(2):
        recording.add(play, [YOU, "random"], [None] * len(play.actions), Silent())  # type: ignore[arg-type]
    timer.join()
    assert [json.loads(line)["match"] for line in path.read_text("utf-8").splitlines()] == [
        *("seed 1", "seed 1, 2")
    ]
    assert len(read_records(path)) == 2
