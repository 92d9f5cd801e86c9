"""Files are read up to a limit; what has no end, or is no file, is refused at once."""

from __future__ import annotations

import gzip
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sleuth import Posterior, SleuthError
from sleuth.apps.kit.records.journal import Journal
from sleuth.apps.kit.terminal import MOST_LETTERS
from sleuth.beliefs.networks.formats import text as network
from sleuth.beliefs.networks.formats.contents import MOST_NUMBERS
from sleuth.beliefs.predictors import predictor
from sleuth.beliefs.saving import files as saving
from sleuth.data.disk import growing, reading
from sleuth.data.disk.growing import GrowingFile
from sleuth.data.disk.reading import FileKind
from sleuth.data.disk.writing import write_whole
from sleuth.errors import RecordError, SettingsError, UnsupportedError
from sleuth.kit import PlayRecord
from sleuth.models import cheat, clue, scotland_yard
from sleuth.models.cheat.state import MOST_TURNS
from sleuth.models.play import MOST_ACTIONS
from sleuth.models.records import game_files
from sleuth.models.records.reading import (
    MOST_BYTES,
    MOST_EVENTS,
    MOST_MARKS,
    parse_json,
    read_bytes,
)
from sleuth.networks import read_bif
from sleuth.predictors import load_predictor

unix = pytest.mark.skipif(os.name == "nt", reason="files of another kind")

SMALL = FileKind(what="the record", most=100)


class Results(GrowingFile):
    """A file of results that takes anything."""

    def check(self, found: object, header: object) -> None:
        pass

    def take(self, value: object) -> None:
        pass

    def refusal(self) -> tuple[str, str]:
        return "", ""


READERS: dict[str, Callable[[Path], object]] = {
    "record.json": clue.load,
    "hunt.json": scotland_yard.load,
    "games.jsonl": cheat.read_records,
    "games.csv": cheat.read_records,
    "play.json": PlayRecord.load,
    "posterior.json": Posterior.load,
    "asia.bif": read_bif,
    "predictor.npz": load_predictor,
    "out.jsonl": lambda path: Results(path, {}),
    "table.csv.journal": lambda path: Journal(path.with_suffix(""), {}),
}


@unix
@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize(
    "kind", ["a pipe that no process has open for writing", "a socket", "a device"]
)
def test_no_reader_waits_for_what_never_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, kind: str
) -> None:
    monkeypatch.setattr(reading, "PATIENCE", 0.1)
    path = tmp_path / name
    for each in (path, path.with_suffix(".json")) if name == "predictor.npz" else (path,):
        if kind.startswith("a pipe"):
            os.mkfifo(each)
        elif kind == "a device":
            each.symlink_to("/dev/zero")
        else:
            with socket.socket(socket.AF_UNIX) as bound:
                bound.bind(str(each))
    refusals: list[SleuthError] = []

    def read() -> None:
        with pytest.raises(SleuthError) as caught:
            READERS[name](path)
        refusals.append(caught.value)

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    reader.join(timeout=20)
    assert len(refusals) == 1, "it still waits, or was not refused"
    # What is read only, and what is read to go on with it.
    said = (f"cannot be read: is {kind}", f"this is {' '.join(kind.split()[:2])} and no file")
    assert any(words in str(refusals[0]) for words in said)


@unix
def test_a_pipe_with_a_writer_is_read(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    # Who opens one end waits for the other.
    writer = threading.Thread(target=lambda: path.write_bytes(b'{"a": 1}'))
    writer.start()
    assert read_bytes(path) == b'{"a": 1}'
    writer.join()


@unix
def test_a_pipe_without_end_is_read_to_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with subprocess.Popen(["sh", "-c", f"exec cat /dev/zero > {path}"]) as writer:
        with pytest.raises(RecordError, match="at most 100 bytes"):
            SMALL.bytes(path)
        assert writer.wait(timeout=20) != 0


def test_a_file_has_at_most_so_many_bytes_and_a_line_too(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * 100)
    assert SMALL.bytes(path) == b"x" * 100
    path.write_bytes(b"x" * 101)
    with pytest.raises(RecordError, match="the record has at most 100 bytes"):
        SMALL.bytes(path)
    path.write_bytes(b"x\n" * 50)
    assert [number for number, _ in SMALL.lines(path, longest=2)] == [*range(1, 51)]
    path.write_bytes(b"x\n" * 51)
    with pytest.raises(RecordError, match="at most 100 bytes"):
        list(SMALL.lines(path, longest=2))
    path.write_bytes(b"x\nxyz\n")
    with pytest.raises(RecordError, match="line 2: a line has at most 2 bytes"):
        list(SMALL.lines(path, longest=2))


def test_what_goes_wrong_with_the_content_is_not_told_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x")
    with pytest.raises(ValueError, match="of the content"), SMALL.opened(path):
        raise ValueError("of the content")


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_one_endless_line_is_refused_before_it_is_held(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"games.{ending}"
    with path.open("wb") as stream:  # a hole, which takes no room on the disk
        stream.write(b"match,number,by,type\n")
        stream.truncate(game_files.MOST_BYTES // 2)
    with pytest.raises(RecordError, match=r"line [12]: a line has at most 1,048,576 bytes"):
        cheat.check_records(path)


def test_a_file_of_endless_lines_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_files, "FILE", FileKind(what="the file of records", most=10_000))
    monkeypatch.setattr(game_files, "MOST_BYTES", 10_000)
    for name, head in (("a.jsonl", ""), ("a.csv", "match,number,by,type\n")):
        (tmp_path / name).write_text(head + "\n" * 10_001)
        with pytest.raises(RecordError, match="has at most 10,000 bytes"):
            cheat.read_records(tmp_path / name)


def test_a_game_of_endless_turns_in_a_table_is_refused_and_not_held(tmp_path: Path) -> None:
    head = "match,number,first_player,second_player,first,by,type\n"
    path = tmp_path / "games.csv"
    path.write_text(head + "1,1,ann,bob,ace,ann,take\n" * 30_000)
    _, problems = cheat.check_records(path)
    assert len(problems) == 1
    assert f"at most {MOST_TURNS} turns (got '{MOST_TURNS + 1} turns')" in str(problems[0].error)


def test_a_file_of_nothing_but_wrong_games_is_another_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_files, "MOST_PROBLEMS", 10)
    path = tmp_path / "games.jsonl"
    path.write_text("{}\n" * 10)
    assert len(cheat.check_records(path)[1]) == 10
    path.write_text("{}\n" * 11)
    with pytest.raises(RecordError, match=r"more than 10 games .*the first: line 1"):
        cheat.check_records(path)


@pytest.mark.parametrize(
    "read, head, field, most",
    [
        (clue.ClueRecord.from_json, {"game": "clue"}, "events", MOST_EVENTS),
        (
            scotland_yard.ScotlandYardRecord.from_json,
            {"game": "scotland_yard"},
            "moves",
            MOST_EVENTS,
        ),
        (cheat.CheatRecord.from_json, {"game": "cheat"}, "turns", MOST_TURNS),
        (PlayRecord.from_json, dict.fromkeys(("version", "seed"), 0), "actions", MOST_ACTIONS),
    ],
)
def test_a_record_has_at_most_so_many_events(
    read: Callable[[object], object], head: dict[str, object], field: str, most: int
) -> None:
    value = {"settings": {}, "start": {}, "game": "any"} | head
    said: list[str] = []
    for count in (most, most + 1):
        with pytest.raises(RecordError) as caught:
            read(value | {field: [None] * count})
        said.append(str(caught.value))
    complaint = f"field '{field}': a record has at most {most:,} {field}"
    assert [complaint in each for each in said] == [False, True]


def test_json_has_at_most_so_many_brackets_and_commas() -> None:
    assert parse_json(b"[" + b"0," * (MOST_MARKS - 2) + b"0]") == [0] * (MOST_MARKS - 1)
    with pytest.raises(RecordError, match=r"1,000,001 brackets and commas; at most 1,000,000"):
        parse_json(b"[" + b"0," * MOST_MARKS + b"0]")


HEAVY = """
import resource, sys
from sleuth.errors import RecordError
from sleuth.games.clue import load
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    load(sys.argv[1])
except RecordError as error:
    print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024, error)
"""


@unix
@pytest.mark.parametrize(
    "objects, complaint",
    [
        (450_000, "a record has at most 5,000 events (got '450,000 events')"),
        (1_100_000, "the JSON is too large"),
        (9_000_000, f"the record has at most {MOST_BYTES:,} bytes"),
    ],
)
def test_a_record_of_a_million_nothings_costs_little(
    tmp_path: Path, objects: int, complaint: str
) -> None:
    path = tmp_path / "record.json"
    events = "{}," * objects
    path.write_text(f'{{"game": "clue", "players": ["a", "b"], "events": [{events[:-1]}]}}')
    program = [sys.executable, "-c", HEAVY, str(path)]
    done = subprocess.run(program, capture_output=True, text=True, timeout=60, check=True)
    megabytes, _, said = done.stdout.partition(" ")
    assert complaint in said
    assert int(megabytes) < 200


def test_a_network_is_not_unpacked_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network, "MOST_BYTES", 10_000)
    path = tmp_path / "bomb.bif.gz"
    path.write_bytes(gzip.compress(b" " * 1_000_000))
    assert path.stat().st_size < 10_000
    with pytest.raises(RecordError, match="the network has at most 10,000 bytes"):
        read_bif(path)


def test_a_network_of_thousands_of_variables_is_read_in_moments(tmp_path: Path) -> None:
    path = tmp_path / "chain.bif"
    parts = ["variable v0 { type discrete [2] {a, b}; }\nprobability (v0) { table 1, 0; }\n"]
    for n in range(1, 2_000):
        parts.append(f"variable v{n} {{\n type discrete [2] {{a, b}};\n}}\n")
        parts.append(f"probability ( v{n} | v{n - 1} ) {{ (a) 0.9, 0.1; (b) 0.2, 0.8; }}\n")
    path.write_text("".join(parts))
    start = time.process_time()
    found = read_bif(path)
    assert time.process_time() - start < 5.0
    assert len(found.choices) == 2_000


def test_a_posterior_too_large_to_be_read_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sleuth import Choice, Model, infer

    posterior = infer(Model(Choice("type", {"bold": 0.5, "shy": 0.5})))
    path = tmp_path / "posterior.json"
    posterior.save(path)
    monkeypatch.setattr(saving, "MOST_MARKS", 5)
    with pytest.raises(RecordError, match="the JSON is too large"):
        Posterior.load(path)
    path.unlink()
    with pytest.raises(UnsupportedError, match="too large for a file"):
        posterior.save(path)
    assert not path.exists()


@unix
@pytest.mark.parametrize("kind", ["a pipe", "a device", "a directory"])
def test_nothing_is_written_in_place_of_what_is_no_file(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "report.html"
    if kind == "a pipe":
        os.mkfifo(path)
    elif kind == "a device":
        path.symlink_to("/dev/full")
    else:
        path.mkdir()
    before = path.lstat()
    with pytest.raises(SettingsError, match=f"this is {kind} and no file"):
        write_whole(path, "text")
    assert path.lstat() == before
    assert [*tmp_path.iterdir()] == [path]


def test_the_docs_name_the_limits() -> None:
    text = (Path(__file__).parents[3] / "docs" / "command-line.md").read_text("utf-8")
    section = text.split("## Limits of files\n")[1].split("\n## ")[0]
    rows = {
        "a record of one game": (f"{mebibytes(MOST_BYTES)},", f"{MOST_MARKS:,} brackets"),
        "of it in Clue": (f"{MOST_EVENTS:,} events",),
        "of it in Cheat": (f"{MOST_TURNS} turns",),
        "of it, of any game": (f"{MOST_ACTIONS:,} actions",),
        "records of many games": (
            mebibytes(game_files.MOST_BYTES),
            f"{mebibytes(game_files.MOST_BYTES_OF_A_LINE)} a line",
            f"{game_files.MOST_GAMES:,} games",
        ),
        "finished games": (
            f"{growing.MOST_BYTES // 2**30} GiB",
            f"{mebibytes(growing.MOST_BYTES_OF_A_LINE)} a line",
        ),
        "a predictor": (mebibytes(predictor.MOST_BYTES),),
        "a saved posterior": (mebibytes(saving.MOST_BYTES), f"{saving.MOST_MARKS:,} brackets"),
        "a network": (mebibytes(network.MOST_BYTES), f"{MOST_NUMBERS:,} numbers"),
        "a line typed": (f"{MOST_LETTERS:,} letters",),
    }
    for start, limits in rows.items():
        (row,) = [line for line in section.splitlines() if line.startswith(f"| {start}")]
        for limit in limits:
            assert limit in row


def mebibytes(number: int) -> str:
    return f"{number // 2**20} MiB"
