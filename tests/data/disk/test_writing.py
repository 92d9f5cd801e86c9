"""Nothing that is written to a name nobody typed replaces other content."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sleuth import Play, game, play_match
from sleuth.apps.kit.matches.playing import write_records
from sleuth.apps.main import app
from sleuth.apps.play.saved import save_new
from sleuth.data.disk import writing
from sleuth.data.disk.writing import numbered, refuse_others, write_new
from sleuth.errors import SettingsError


def texts(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in folder.iterdir()}


def test_a_new_file_takes_a_name_that_is_free(tmp_path: Path) -> None:
    name = tmp_path / "a.json"
    written = [write_new(numbered(name), text) for text in ("one", "two", "one", "three", "two")]
    assert [path.name for path in written] == [
        "a.json", "a-2.json", "a.json", "a-3.json", "a-2.json",
    ]  # fmt: skip
    assert texts(tmp_path) == {"a.json": "one", "a-2.json": "two", "a-3.json": "three"}


def test_what_is_no_file_keeps_its_name(tmp_path: Path) -> None:
    name = tmp_path / "a.json"
    name.mkdir()
    (tmp_path / "a-2.json").symlink_to(tmp_path / "nowhere")
    assert write_new(numbered(name), "text").name == "a-3.json"
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("links", [True, False], ids=["with links", "without"])
def test_of_many_at_once_nothing_is_lost(
    links: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not links:

        def refused(*_: object) -> None:
            raise PermissionError("no links here")

        monkeypatch.setattr(os, "link", refused)
    name, start = tmp_path / "a.json", threading.Barrier(8)

    def write(text: str) -> None:
        start.wait()
        write_new(numbered(name), text)

    threads = [threading.Thread(target=write, args=(f"text {each}",)) for each in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(texts(tmp_path).values()) == [f"text {each}" for each in range(8)]


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="this cannot be written"):
        write_new(numbered(tmp_path / "no folder" / "a.json"), "text")


def test_a_file_of_another_kind_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    refuse_others(path, b"generator")
    path.write_text("<meta name=generator>")
    refuse_others(path, b"generator")
    path.write_text("my diary")
    with pytest.raises(SettingsError, match="would be replaced"):
        refuse_others(path, b"generator")


@pytest.mark.usefixtures("plain_python")
def test_records_of_an_earlier_match_stay(tmp_path: Path) -> None:
    kuhn = game("kuhn_poker")
    first, second = (play_match(kuhn, ["random", "random"], games=3, seed=seed) for seed in (1, 2))
    assert write_records(first, kuhn, tmp_path) == []
    before = texts(tmp_path)
    renamed = write_records(second, kuhn, tmp_path)
    assert [path.name for path in renamed] == [f"kuhn_poker-0000{n}-2.json" for n in (1, 2, 3)]
    assert before.items() <= texts(tmp_path).items()
    # The same match again, also if it was made longer, has its records already.
    longer = play_match(kuhn, ["random", "random"], games=4, seed=1)
    assert write_records(longer, kuhn, tmp_path) == []
    assert len(texts(tmp_path)) == 7


@pytest.mark.usefixtures("plain_python")
def test_the_command_says_that_other_records_stay(tmp_path: Path) -> None:
    def played(seed: int) -> str:
        words = f"match kuhn_poker random random --games 2 --seed {seed} --records".split()
        words[2:2] = ["--agents"]
        return CliRunner().invoke(app, [*words, str(tmp_path)], catch_exceptions=False).stdout

    assert "of another match stay" not in played(1)
    assert "Records of another match stay; 2 got a number: kuhn_poker-00001-2.json" in played(2)
    assert len(texts(tmp_path)) == 4


def test_a_game_that_is_kept_without_a_name_replaces_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    # Two that begin alike go on differently.
    for number, seed in enumerate((1, 1, 2), start=1):
        play = Play.new(game("kuhn_poker"), seed=seed)
        assert save_new(play, ("you", "random")) == Path(f"kuhn_poker-{number}.json")
    seeds = [json.loads(text)["seed"] for _, text in sorted(texts(tmp_path).items())]
    assert seeds == [1, 1, 2]


def gone() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


@pytest.mark.skipif(os.name != "posix", reason="processes are not looked up")
def test_what_a_killed_process_left_is_cleared_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(writing, "_cleared", set[str]())
    machine = writing._prefix().split("-")[1]
    dead, alive = gone(), os.getppid()
    left = [f".sleuth-{machine}-{dead}-abc_1.part", f".sleuth-{machine}-{dead}-x.npy"]
    others = [
        f".sleuth-{machine}-{alive}-abc.part",  # it is being written
        f".sleuth-01234567-{dead}-abc.part",  # on another machine, perhaps
        *(".sleuth-abc.part", f"sleuth-{dead}.txt", f"my-sleuth-{machine}-{dead}-abc.part"),
    ]
    for name in (*left, *others):
        (tmp_path / name).write_text("half")
    folder = tmp_path / f"sleuth-{machine}-{dead}-abc"
    folder.mkdir()
    (folder / "rows").write_text("half")
    (tmp_path / f".sleuth-{machine}-{dead}-link").symlink_to(tmp_path / others[3])
    writing.write_whole(tmp_path / "new.txt", "whole")
    assert {path.name for path in tmp_path.iterdir()} == {*others, "new.txt"}
    with writing.scratch() as place:
        assert place.parent == tmp_path
        assert writing._TEMPORARY.fullmatch(place.name)
    assert not place.exists()


@pytest.mark.skipif(os.name != "posix", reason="it is killed by a signal")
def test_a_process_that_is_killed_while_it_writes_leaves_what_the_next_clears(
    tmp_path: Path,
) -> None:
    killed = (
        "import os, signal, sys; from pathlib import Path; from sleuth.data.disk import writing; "
        "writing.os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL); "
        "writing.write_whole(Path(sys.argv[1]), 'text')"
    )
    path = tmp_path / "a.txt"
    subprocess.run([sys.executable, "-c", killed, str(path)], check=False)
    assert len(list(tmp_path.iterdir())) == 1
    write_new(numbered(path), "text")
    assert texts(tmp_path) == {"a.txt": "text"}
