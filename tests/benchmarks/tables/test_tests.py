"""One test of a whole table: rows that share deals, a paper that drew, too, and many rows."""

from __future__ import annotations

import importlib
import math
from types import ModuleType
from typing import Any

import numpy as np
import pytest

GAMES = 100


@pytest.fixture(scope="module")
def tables() -> ModuleType:
    return importlib.import_module("benchmarks.scotland_yard.tables")


def row(tables: ModuleType, won: Any, paper: float, earlier: int = 0, wins: float = 0.0) -> Any:
    """A row with these games, after some of which only the wins are known."""
    made = tables.outcomes.Outcomes("a", (), {"won": [*won]}, earlier, {"won": wins})
    return tables.table_tests.Row("a row", made, paper)


def compared(tables: ModuleType, rows: Any, **options: Any) -> Any:
    return tables.table_tests.compare(rows, "won", **{"of": None, **options})


def test_rows_that_agree_one_by_one_can_be_lower_as_a_whole(tables: ModuleType) -> None:
    rng = np.random.default_rng(1)
    drawn = [rng.permutation(GAMES) < 43 for _ in range(11)]
    cells = [
        tables.Cell(f"r = {n}", f"mcts:r=0.{n}", "random", 50.0, GAMES) for n in range(len(drawn))
    ]
    table = tables.Table("short", "Short", "Eleven rows.", tuple(cells))
    found = {
        cell.file: tables.outcomes.Outcomes(cell.file, cell.agents, {"won": [*map(float, won)]})
        for cell, won in zip(cells, drawn, strict=True)
    }
    assert {tables.verdict(cell, found[cell.file]) for cell in cells} == {"agrees"}
    test = tables.tests_of([table], found, 0.0)["short"]
    assert (test.lower, test.higher, test.apart) == (11, 0, ())
    assert test.mean == pytest.approx(-0.07)
    assert test.p < 0.01
    said = " ".join(tables._agreement(table, {c: found[c.file] for c in cells}, test))
    assert "in 11 of 11 rows" in said
    assert "All 11 rows are lower, on average by -7.0 points" in said
    assert "no row differs from the paper's" in said


def test_rows_with_the_same_luck_count_once(tables: ModuleType) -> None:
    won = np.random.default_rng(2).permutation(GAMES) < 40
    one = math.sqrt(0.4 * 0.6 / GAMES)
    same = compared(tables, [row(tables, won, 0.5)] * 9)
    assert same.error == pytest.approx(one, rel=0.06)
    apart = [np.random.default_rng(each).permutation(GAMES) < 40 for each in range(9)]
    assert compared(tables, [row(tables, each, 0.5) for each in apart]).error < 0.6 * one
    # Of games before these only the sum is known.
    earlier = [row(tables, [], 0.5, GAMES, 40.0)] * 9
    assert compared(tables, earlier, alike=1.0).error == pytest.approx(one, rel=0.06)
    assert compared(tables, earlier).error == pytest.approx(one / 3, rel=0.06)


def test_a_papers_number_is_drawn_too_and_once_however_often_it_is_quoted(
    tables: ModuleType,
) -> None:
    won = [1.0] * GAMES  # no luck of ours
    theirs = math.sqrt(0.5 * 0.5 / 400)
    assert compared(tables, [row(tables, won, 0.5)] * 2).error == 0.0
    assert compared(tables, [row(tables, won, 0.5)] * 2, of=400).error == pytest.approx(theirs)
    two = compared(tables, [row(tables, won, 0.5), row(tables, won, 0.5 + 1e-9)], of=400)
    assert two.error == pytest.approx(theirs / math.sqrt(2))


def test_how_much_alike_rows_are_is_measured(tables: ModuleType) -> None:
    won = np.random.default_rng(3).permutation(GAMES) < 40
    one, other = (row(tables, each, 0.5).won for each in (won, ~won))
    likeness = tables.table_tests.likeness
    assert likeness([[one, one], [one]], "won") == pytest.approx(1.0)
    assert likeness([[one, other]], "won") == 0.0
    assert likeness([], "won") == 0.0


def test_holms_correction_is_the_usual_one(tables: ModuleType) -> None:
    # As R's p.adjust(p, "holm").
    found = tables.table_tests.holm([0.01, 0.04, 0.03, 0.005])
    assert found == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert tables.table_tests.holm([0.9, 0.8]) == [1.0, 1.0]


def test_the_page_has_a_test_for_each_table(tables: ModuleType) -> None:
    sections = tables.PAGE.read_text("utf-8").split("\n## ")
    (listed,) = (each for each in sections if each.startswith("One test of each table"))
    with_counts = [each for each in sections if "lies in our interval in" in each]
    assert len(with_counts) > 25
    for section in with_counts:
        title = section.partition("\n")[0]
        assert f"[{title}](#" in listed
        assert "With Holm's correction for" in section
