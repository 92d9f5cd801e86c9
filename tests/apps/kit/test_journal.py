"""The journal of a long table: one process writes, and what is wrong with a line is said."""

from __future__ import annotations

import json
import os
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sleuth import SleuthError
from sleuth.apps.kit.records.journal import Journal
from sleuth.errors import RecordError, SettingsError

from ...data.disk.broken_lines import broken_lines

FILES = int(os.environ.get("SLEUTH_FUZZ", "300"))
SEED = int(os.environ.get("SLEUTH_FUZZ_SEED", "0"))
OPTIONS = {"seed": 1}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A table of three records."""
    table = tmp_path / "table.csv"
    with closing(Journal(table, OPTIONS, b"head\n")) as journal:
        for name in "abc":
            journal.add(f"{name}.json", name * 64, [f"{name},1\n{name},2\n".encode()])
    return table


def sidecar(table: Path) -> Path:
    return table.with_name(table.name + ".journal")


def test_one_process_at_a_time_writes_to_a_table(table: Path) -> None:
    with (
        closing(Journal(table, OPTIONS, b"head\n")),
        pytest.raises(SettingsError, match="another process is writing"),
    ):
        Journal(table, OPTIONS, b"head\n")
    Journal(table, OPTIONS, b"head\n").close()


def test_a_run_without_a_record_leaves_no_journal(tmp_path: Path) -> None:
    Journal(tmp_path / "table.csv", OPTIONS).close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "change, expected",
    [
        ({"begin": 0}, r"journal, line 3, field 'begin': .*13, is needed \(got 0\)"),
        ({"end": float("nan")}, "journal, line 3.*no such number"),
        ({"end": 2**70}, r"line 3, field 'end'.*got 1180591620717411303424"),
        ({"sha256": "b"}, "line 3, field 'sha256': .*a digest is needed"),
        ({"record": None}, "line 3, field 'record': .*a text is needed"),
        ({"rows": 5}, "line 3.*no such field"),
    ],
)
def test_a_line_that_was_changed_is_named(
    table: Path, change: dict[str, Any], expected: str
) -> None:
    lines = sidecar(table).read_text().splitlines()
    lines[2] = json.dumps({**json.loads(lines[2]), **change})
    sidecar(table).write_text("\n".join([*lines, ""]))
    before = table.read_bytes()
    with pytest.raises(RecordError, match=expected):
        Journal(table, OPTIONS, b"head\n")
    assert table.read_bytes() == before


def test_a_broken_journal_is_gone_on_with_or_refused(table: Path) -> None:
    rng = np.random.default_rng([SEED, 1])
    whole, rows = sidecar(table).read_bytes(), table.read_bytes()
    went = refused = 0
    for _ in range(FILES):
        sidecar(table).write_bytes(broken_lines(whole, rng))
        table.write_bytes(rows)
        try:
            with closing(Journal(table, OPTIONS, b"head\n")) as journal:
                kept = journal.entries
        except SleuthError as error:
            said = str(error)
            said.encode()
            assert table.name in said
            assert table.read_bytes() == rows
            refused += 1
            continue
        went += 1
        # What is left is whole records, from the first on.
        assert table.read_bytes() == rows[: kept[-1].end if kept else 0]
    assert went > FILES // 20
    assert refused > FILES // 20
