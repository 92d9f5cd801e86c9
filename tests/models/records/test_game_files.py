"""Tables of somebody else: their columns by other names, and what is said where they are wrong."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from sleuth.data.errors import RecordError, SettingsError
from sleuth.games.cheat import mini_cheat, read_records, simulate, write_records
from sleuth.models.records.game_files import head_of, named_columns

THEIRS = {"by": "who", "rank": "claimed", "match": "table"}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A table of two games with three columns called otherwise, and one more."""
    write_records(simulate(2, seed=1, games=2, game=mini_cheat()), tmp_path / "ours.csv")
    with (tmp_path / "ours.csv").open(newline="") as ours:
        rows = list(csv.reader(ours))
    rows[0] = [THEIRS.get(name, name) for name in rows[0]]
    made = [[*row, "mood" if place == 0 else "fine"] for place, row in enumerate(rows)]
    with (tmp_path / "theirs.csv").open("w", newline="") as theirs:
        csv.writer(theirs, lineterminator="\n").writerows(made)
    return tmp_path / "theirs.csv"


def test_a_table_with_other_columns_holds_the_same_games(table: Path) -> None:
    assert read_records(table, columns=THEIRS) == read_records(table.with_name("ours.csv"))


@pytest.mark.parametrize("separator", [";", "\t"])
def test_tables_have_semicolons_or_tabs_between_their_columns(table: Path, separator: str) -> None:
    with table.open(newline="") as theirs:
        rows = list(csv.reader(theirs))
    rows[0][-1] = "mood, if any, of this player, or of others"
    with (table.parent / "sheet.csv").open("w", newline="", encoding="utf-8-sig") as sheet:
        csv.writer(sheet, delimiter=separator, quoting=csv.QUOTE_ALL).writerows(rows)
    ours = read_records(table, columns=THEIRS)
    assert read_records(table.parent / "sheet.csv", columns=THEIRS) == ours
    assert head_of(table.parent / "sheet.csv") == tuple(rows[0])


def test_columns_are_named_in_a_line_or_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "columns.json").write_text(json.dumps(THEIRS))
    assert named_columns(str(tmp_path / "columns.json")) == THEIRS
    assert named_columns(" by=who,rank = claimed, match=table") == THEIRS


@pytest.mark.parametrize("text", ["by", "by=", "=who", "by=who,by=other", ""])
def test_what_names_no_column_is_refused(text: str) -> None:
    with pytest.raises(SettingsError, match="columns"):
        named_columns(text)


def test_a_file_of_columns_that_is_none_is_refused(tmp_path: Path) -> None:
    for content in ("[]", '{"by": 3}', '{"by": ""}'):
        (tmp_path / "columns.json").write_text(content)
        with pytest.raises(SettingsError, match="object of names"):
            named_columns(str(tmp_path / "columns.json"))


def test_errors_name_the_line_their_column_and_the_value(table: Path) -> None:
    text = table.read_text()
    lines = text.splitlines()
    place = next(at for at, line in enumerate(lines) if ",claim," in line)
    lines[place] = (
        lines[place].replace(",claim,4,", ",claim,fuor,").replace(",claim,2,", ",claim,fuor,")
    )
    table.write_text("\n".join(lines) + "\n")
    with pytest.raises(RecordError) as caught:
        read_records(table, columns=THEIRS)
    assert f"line {place + 1}" in str(caught.value)
    assert "column 'claimed'" in str(caught.value)
    assert "fuor" in str(caught.value)


def test_columns_that_are_not_there_are_refused(table: Path) -> None:
    with pytest.raises(RecordError, match=r"'whoo'.*did you mean 'who'"):
        read_records(table, columns={**THEIRS, "by": "whoo"})
    with pytest.raises(SettingsError, match=r"'byy'.*did you mean 'by'"):
        read_records(table, columns={"byy": "who"})
    with pytest.raises(SettingsError, match="only a table"):
        read_records(table.with_suffix(".jsonl"), columns=THEIRS)
    with pytest.raises(RecordError, match="column 'match' is missing"):
        read_records(table, columns={"by": "who"})
