"""Conclusions of pages: their numbers are those of the games that were played."""

from __future__ import annotations

import importlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sleuth import SleuthError


@pytest.mark.parametrize("game", ["cheat", "scotland_yard"])
def test_the_page_says_what_the_outcomes_fill_in(game: str, tmp_path: Path) -> None:
    tables = importlib.import_module(f"benchmarks.{game}.tables")
    kept = tables.outcomes.read(tables.KEPT)
    found = tables.table_runs.all_finished(tables.TABLES, tables.finished, tmp_path, kept)
    page, said = tables.PAGE.read_text("utf-8"), tables.conclusions(tables.CONCLUSIONS)
    words = {table.word: table for table in tables.TABLES}
    assert tables.page(found) == page
    said.pop("summary", None)
    assert set(said) <= set(words)
    assert sum(text.count("{") for text in said.values()) > 20
    # Where other games had been won, it would say other numbers.
    word = max(said, key=lambda word: said[word].count("{"))
    turned = {
        file: replace(
            one, columns={name: list(np.roll(each, place)) for name, each in one.columns.items()}
        )
        for place, (file, one) in enumerate(found.items())
    }
    assert tables.conclusion(words[word], turned) != tables.conclusion(words[word], found)


def test_what_a_hole_names_has_to_be_there() -> None:
    tables: Any = importlib.import_module("benchmarks.scotland_yard.tables")
    cell = tables.Cell("at random", "random", "random", 50.0, games=20)
    table = tables.Table("small", "Small", "Nothing to see.", (cell,))
    nothing = {cell.file: tables.outcomes.nothing(cell.file, cell.agents, [tables.WON])}
    filled = tables.holes(table, [table], nothing, tables.partial(tables.rate, nothing), None)
    assert "{rate[at random]:.1f}".format_map(filled) == "nan"
    with pytest.raises((StopIteration, SleuthError)):
        "{rate[at rndom]:.1f}".format_map(filled)
