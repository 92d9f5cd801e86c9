"""A folder of records as one table: streamed, resumed, and honest about what it left out."""

from __future__ import annotations

import csv
import json
import math
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from sleuth.apps.kit.records import folder as folder_module
from sleuth.apps.kit.records.contract import AnalysisRequest
from sleuth.errors import SettingsError

from ..conftest import Sleuth
from ..games import full, small

COLUMNS = ["record", "event", "viewer", "variable", "value", "probability"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "games"
    made.mkdir()
    short = small()
    short["events"] = short["events"][:2]
    for name, record in (("a.json", small()), ("b.json", full()), ("c.json", short)):
        (made / name).write_text(json.dumps(record))
    (made / "notes.txt").write_text("no record")
    return made


def rows_of(table: Path) -> list[dict[str, Any]]:
    if table.suffix == ".jsonl":
        return [json.loads(line) for line in table.read_text("utf-8").splitlines()]
    with table.open(newline="", encoding="utf-8") as stream:
        return [
            {**row, "event": int(row["event"]), "probability": float(row["probability"])}
            for row in csv.DictReader(stream)
        ]


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_every_card_has_one_holder_after_every_event(
    sleuth: Sleuth, folder: Path, tmp_path: Path, suffix: str
) -> None:
    table = tmp_path / f"table{suffix}"
    assert sleuth("analyse", folder, "--out", table, "--workers", 1).code == 0
    rows = rows_of(table)
    assert list(rows[0]) == COLUMNS
    shares: dict[tuple[str, int, str], list[float]] = defaultdict(list)
    for row in rows:
        assert row["viewer"] == "ann"
        shares[row["record"], row["event"], row["variable"]].append(row["probability"])
    assert {(record, event) for record, event, _ in shares} == {
        *(("a.json", event) for event in range(7)),
        *(("b.json", event) for event in range(7)),
        *(("c.json", event) for event in range(3)),
    }
    assert len(shares) == (7 + 7 + 3) * 21
    assert all(abs(math.fsum(each) - 1.0) < 1e-12 for each in shares.values())


def test_the_table_says_what_the_command_says_of_one_record(
    sleuth: Sleuth, folder: Path, tmp_path: Path
) -> None:
    table = tmp_path / "table.jsonl"
    sleuth("analyse", folder, "--out", table, "--workers", 1)
    last = {
        (row["variable"], row["value"]): row["probability"]
        for row in rows_of(table)
        if (row["record"], row["event"]) == ("a.json", 6)
    }
    marginals = sleuth("analyse", folder / "a.json", "--json").json()["marginals"]
    assert last == {
        (card, holder): share
        for card, shares in marginals.items()
        for holder, share in shares.items()
    }


@pytest.mark.slow
def test_workers_write_what_one_process_writes(
    sleuth: Sleuth, folder: Path, tmp_path: Path
) -> None:
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    assert sleuth("analyse", folder, "--out", one, "--workers", 1).code == 0
    assert sleuth("analyse", folder, "--out", two, "--workers", 2).code == 0
    assert one.read_bytes() == two.read_bytes()


def test_a_bad_record_is_named_and_skipped(sleuth: Sleuth, folder: Path, tmp_path: Path) -> None:
    (folder / "aa.json").write_text("{")
    impossible = small()
    impossible["events"].append({"type": "has", "player": "ben", "card": "mustard"})
    (folder / "bb.json").write_text(json.dumps(impossible))
    table = tmp_path / "table.csv"
    ran = sleuth("analyse", folder, "--out", table, "--workers", 1)
    assert ran.code == 2
    assert "aa.json: line 1" in ran.err
    assert "bb.json: events" in ran.err
    assert "3 records added" in ran.out
    assert {row["record"] for row in rows_of(table)} == {"a.json", "b.json", "c.json"}


def test_a_viewer_whom_a_record_does_not_know_is_a_bad_record(
    sleuth: Sleuth, folder: Path, tmp_path: Path
) -> None:
    table = tmp_path / "table.csv"
    ran = sleuth("analyse", folder, "--out", table, "--workers", 1, "--observer", "ben")
    assert ran.code == 2
    assert {row["record"] for row in rows_of(table)} == {"b.json"}
    assert {row["viewer"] for row in rows_of(table)} == {"ben"}


def test_a_folder_of_other_files_is_refused(sleuth: Sleuth, tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "list.json").write_text("[]")
    table = tmp_path / "table.csv"
    ran = sleuth("analyse", tmp_path / "games", "--out", table, "--workers", 1)
    assert (ran.code, ran.out) == (2, "")
    assert [path.name for path in tmp_path.iterdir()] == ["games"]


Analysed = list[str]


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> Analysed:
    """Names of the records that were really analysed."""
    names: Analysed = []
    real = folder_module.work

    def noted(suffix: str, asked: Any, name: str, content: bytes) -> folder_module.RecordOutcome:
        names.append(name)
        return real(suffix, asked, name, content)

    monkeypatch.setattr(folder_module, "work", noted)
    return names


def test_a_second_run_adds_only_what_is_new(
    sleuth: Sleuth, folder: Path, tmp_path: Path, analysed: Analysed
) -> None:
    table = tmp_path / "table.csv"
    call = ("analyse", folder, "--out", table, "--workers", 1)
    sleuth(*call)
    first = table.read_bytes()
    assert "3 were there already" in sleuth(*call).out
    assert table.read_bytes() == first
    (folder / "d.json").write_text((folder / "c.json").read_text())
    sleuth(*call)
    assert analysed == ["a.json", "b.json", "c.json", "d.json"]
    assert table.read_bytes().startswith(first)


def test_a_record_that_changed_is_analysed_again_without_leaving_old_rows(
    sleuth: Sleuth, folder: Path, tmp_path: Path, analysed: Analysed
) -> None:
    table = tmp_path / "table.csv"
    call = ("analyse", folder, "--out", table, "--workers", 1)
    sleuth(*call)
    changed = small()
    del changed["events"][3:]
    (folder / "a.json").write_text(json.dumps(changed))
    sleuth(*call)
    assert analysed == ["a.json", "b.json", "c.json", "a.json"]
    again = tmp_path / "again.csv"
    # As the option was called before.
    sleuth("analyse", folder, "--out", again, "--jobs", 1)
    assert sorted(table.read_bytes().splitlines()) == sorted(again.read_bytes().splitlines())
    assert table.read_bytes().splitlines()[0] == ",".join(COLUMNS).encode()


def test_an_interrupted_run_goes_on_without_duplicates_or_half_rows(
    sleuth: Sleuth,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    analysed: Analysed,
) -> None:
    table, whole = tmp_path / "table.csv", tmp_path / "whole.csv"
    sleuth("analyse", folder, "--out", whole, "--workers", 1)
    noted = folder_module.work

    def interrupted(
        suffix: str, asked: AnalysisRequest, name: str, content: bytes
    ) -> folder_module.RecordOutcome:
        if name == "b.json":
            raise KeyboardInterrupt
        return noted(suffix, asked, name, content)

    monkeypatch.setattr(folder_module, "work", interrupted)
    analysed.clear()
    call = ("analyse", folder, "--out", table, "--workers", 1)
    assert sleuth(*call).code == 130
    assert {row["record"] for row in rows_of(table)} == {"a.json"}
    # What a process leaves that was killed in the middle of writing.
    with table.open("ab") as stream:
        stream.write(b"b.json,0,ann,scarlet,an")
    with (tmp_path / "table.csv.journal").open("ab") as stream:
        stream.write(b'{"record": "b.js')
    monkeypatch.setattr(folder_module, "work", noted)
    assert sleuth(*call).code == 0
    assert analysed == ["a.json", "b.json", "c.json"]
    assert table.read_bytes() == whole.read_bytes()


def test_a_table_made_otherwise_is_not_touched(
    sleuth: Sleuth, folder: Path, tmp_path: Path
) -> None:
    table = tmp_path / "table.csv"
    sleuth("analyse", folder, "--out", table, "--workers", 1)
    before = table.read_bytes()
    ran = sleuth("analyse", folder, "--out", table, "--workers", 1, "--choice", "ignored")
    assert ran.code == 2
    assert "other options" in ran.err
    foreign = tmp_path / "mine.csv"
    foreign.write_text("my own table\n")
    ran = sleuth("analyse", folder, "--out", foreign, "--workers", 1)
    assert ran.code == 2
    assert foreign.read_text() == "my own table\n"
    assert table.read_bytes() == before


def test_a_journal_that_is_none_is_refused(tmp_path: Path) -> None:
    from sleuth.apps.kit.records.journal import Journal

    (tmp_path / "table.csv.journal").write_text("{]\n")
    with pytest.raises(SettingsError, match="cannot be read"):
        Journal(tmp_path / "table.csv", {})


def test_a_single_record_can_be_a_table_too(sleuth: Sleuth, folder: Path, tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    assert sleuth("analyse", folder / "c.json", "--out", table).code == 0
    assert {row["record"] for row in rows_of(table)} == {"c.json"}


def test_rows_wait_packed_for_their_turn(folder: Path) -> None:
    # They are packed and unpacked a piece at a time, and the table grows record by record.
    options = AnalysisRequest(samples=10)
    name = "c.json"
    outcome = folder_module.work(".csv", options, name, (folder / name).read_bytes())
    assert outcome.rows is not None
    rows = b"".join(folder_module.unpacked(outcome.rows))
    assert 1000 < 5 * len(outcome.rows) < len(rows)
    assert {line.split(b",")[0] for line in rows.splitlines()} == {b"c.json"}
