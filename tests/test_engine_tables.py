"""The tables of engines in the documentation are what the engines declare, and it is true."""

from __future__ import annotations

import importlib
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sleuth.beliefs.engines import EXACT, NAMES, cost_of, engine
from sleuth.beliefs.engines.base import EngineOptions, Unsupported
from sleuth.beliefs.engines.choosing import choose, parts_for
from sleuth.errors import SettingsError, UnsupportedError

ROOT = Path(__file__).resolve().parent.parent
OPTIONS = EngineOptions(samples=500)

sys.path.insert(0, str(ROOT / "docs" / "tools"))
tables = importlib.import_module("make_engine_tables")
sys.path.remove(str(ROOT / "docs" / "tools"))


@pytest.mark.parametrize("page", ["README.md", "docs/beliefs/engines.md"])
def test_the_pages_hold_the_tables_that_would_be_made_now(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    assert "<!-- engines -->" in text
    assert tables.renewed(text) == text, (
        "run: python docs/tools/make_engine_tables.py README.md docs/beliefs/engines.md"
    )


def test_every_engine_stands_in_the_table() -> None:
    table = tables.engine_table()
    for name in NAMES:
        assert f"| `{name}` |" in table
        assert engine(name).summary in table


def test_notes_of_the_support_table_are_referred_to() -> None:
    table = tables.support_table()
    notes = [line.split(".")[0] for line in table.splitlines() if line[:1].isdigit()]
    assert notes
    assert all(f"({number})" in table for number in notes)


@cache
def small_ones() -> list[tuple[Any, np.ndarray]]:
    """What is small enough to be counted, with the answers."""
    count = engine("enumeration").solve
    small = [probe for probe in tables.probes() if probe.small]
    return [(probe, count(probe.problem, OPTIONS).expected()) for probe in small]


@pytest.mark.parametrize("name", NAMES)
def test_an_engine_solves_what_it_says_it_supports_and_refuses_the_rest(name: str) -> None:
    for probe, expected in small_ones():
        chosen = engine(name)
        refused = isinstance(cost_of(chosen, probe.problem), Unsupported)
        if refused and parts_for(chosen, probe.problem, OPTIONS) is None:
            with pytest.raises(UnsupportedError, match=name):
                choose(probe.problem, name, approximate=False, options=OPTIONS)
        else:
            found = choose(probe.problem, name, approximate=False, options=OPTIONS)[1].expected()
            tolerance = 1e-12 if name in EXACT else 0.25
            np.testing.assert_allclose(found, expected, atol=tolerance, err_msg=probe.name)


def test_a_table_between_marks_is_renewed_and_the_rest_of_the_page_kept(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("before <!-- engines -->\nold\n<!-- end --> between <!-- end -->\n", "utf-8")
    tables.main([str(page)])
    text = page.read_text("utf-8")
    assert text.startswith("before <!-- engines -->\n\n| engine |")
    assert text.endswith("|\n\n<!-- end --> between <!-- end -->\n")
    assert "old" not in text


def test_a_page_that_is_not_there_is_named() -> None:
    with pytest.raises(SettingsError, match="nowhere"):
        tables.main(["nowhere.md"])
