"""What is shipped with the package is found and read."""

from __future__ import annotations

import pytest

from sleuth.data.files import games_with_records, read_table, resource, shipped
from sleuth.errors import SettingsError


def test_recorded_games_of_clue_are_shipped():
    names = [file.name for file in shipped("clue")]
    assert names == sorted(names)
    assert {"neller_main.json", "plum_game2.json", "cluedoku_slide.json"} < set(names)
    assert sum(name.startswith("gregstoll_") for name in names) == 7
    assert sum(name.startswith("ledford_") for name in names) == 15
    assert all(name.endswith(".json") for name in names)
    assert "clue" in games_with_records()


def test_a_game_without_records_is_refused():
    with pytest.raises(SettingsError, match=r"'cleu'.*did you mean 'clue'"):
        shipped("cleu")
    with pytest.raises(SettingsError, match="scotland"):
        shipped("scotland-yard-of-another-name")


def test_a_table_is_read_by_column():
    rows = read_table("saboteur", "gold_cards.csv")
    assert len(rows) == 3
    assert rows[2] == {"nuggets": "3", "count": "4"}


def test_a_resource_is_found_by_its_path():
    assert resource("clue", "doors.csv").is_file()
    assert not resource("clue", "missing.csv").is_file()
