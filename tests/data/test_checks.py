"""Checks of names and choices: what is taken, and what the refusal says."""

from __future__ import annotations

from typing import Literal

import pytest

from sleuth.data.checks import known_name, place_of
from sleuth.errors import SettingsError


def test_a_known_name_is_itself() -> None:
    assert known_name("table", {"table": 1, "uniform": 2}, "likelihood") == "table"


def test_a_strange_name_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(SettingsError) as refused:
        known_name("tabel", ("table", "uniform"), "likelihood", where="belief")
    assert str(refused.value) == ("belief: no such likelihood (got 'tabel'); did you mean 'table'?")


def test_the_place_of_a_choice_is_that_in_its_literal() -> None:
    assert [place_of(each, Literal["a", "b"], "game") for each in ("a", "b")] == [0, 1]
    assert place_of(3, Literal[1, 3], "game, tools") == 1
    with pytest.raises(SettingsError, match=r"game, tools: no such choice.*known: 1, 3"):
        place_of(2, Literal[1, 3], "game, tools")
