"""What came out of the games of a table: kept without gaps, and a longer account stays."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest

from sleuth.errors import RecordError


@pytest.fixture(scope="module")
def outcomes() -> ModuleType:
    return importlib.import_module("benchmarks.tables.outcomes")


def test_rows_are_taken_as_far_as_there_is_no_gap(outcomes: ModuleType) -> None:
    none = outcomes.nothing("a.jsonl", ("one", "two"), ["won"])
    rows = {number: {"won": float(number % 2)} for number in (0, 1, 2, 4)}
    found = none.continued(rows, ["abc"])
    assert len(found) == 3
    assert found.total("won") == 1
    assert found.sources == ("abc",)
    more = found.continued({3: {"won": 1.0}, 0: {"won": 1.0}}, ["abc", "def"])
    assert more.columns["won"] == [0, 1, 0, 1]
    assert more.sources == ("abc", "def")
    assert more.continued({9: {"won": 1.0}}, ["ghi"]) == more


def test_of_what_came_before_the_sums_count(outcomes: ModuleType) -> None:
    before = outcomes.Outcomes("a.jsonl", ("one", "two"), {"won": []}, 200, {"won": 59})
    found = before.continued({0: {"won": 1.0}, 200: {"won": 1.0}, 201: {"won": 0.0}})
    assert (len(found), found.total("won")) == (202, 60)
    assert found.column("won") == {200: 1, 201: 0}
    assert (len(found.cut(201)), found.cut(201).total("won")) == (201, 60)
    with pytest.raises(RecordError, match="sums"):
        outcomes.Outcomes("a.jsonl", (), {"won": []}, 200)


def test_a_file_keeps_the_longer_account(outcomes: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "games" / "kept.jsonl"
    assert outcomes.read(path) == {}
    outcomes.keep(path, [outcomes.nothing("a.jsonl", ("one",), ["won"])])
    assert not path.exists()  # nothing to keep
    long = outcomes.Outcomes("a.jsonl", ("one",), {"won": [1.0, 0.5]}, sources=("abc",))
    other = outcomes.Outcomes("b.jsonl", ("two",), {"won": [1.0]}, 3, {"won": 2.5})
    outcomes.keep(path, [other, long])
    outcomes.keep(path, [outcomes.Outcomes("a.jsonl", ("one",), {"won": [0.0]})])
    assert outcomes.read(path) == {"a.jsonl": long, "b.jsonl": other}
    assert [*tmp_path.glob("games/*")] == [path]


@pytest.mark.parametrize("line", ["3", '{"file": "a"}', '{"agents": 1, "sources": []}'])
def test_a_line_of_another_kind_is_named(outcomes: ModuleType, tmp_path: Path, line: str) -> None:
    path = tmp_path / "kept.jsonl"
    path.write_text(f"{line}\n", "utf-8")
    with pytest.raises(RecordError, match=r"kept\.jsonl, line 1"):
        outcomes.read(path)
