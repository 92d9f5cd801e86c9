"""The tables of Cheat: games are counted as they were, none is lost, and the page says what is."""

from __future__ import annotations

import importlib
import math
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from sleuth import play_match
from sleuth.agents import parse_agent
from sleuth.games.cheat import cheat


@pytest.fixture(scope="module")
def tables() -> ModuleType:
    return importlib.import_module("benchmarks.cheat.tables")


def _finished(tables: ModuleType, state: Path, kept: Any = None) -> Any:
    """The outcomes of the games of a folder, and of what was kept."""
    return tables.table_runs.all_finished(tables.TABLES, tables.finished, state, kept or {})


def small(tables: ModuleType) -> tuple[Any, ...]:
    cells = (
        tables.Cell("anybody", "people", "random", 3),
        tables.Cell("at random", "random", "random", 2),
    )
    compared = (("anybody", "at random"),)
    both = ("anybody", "at random")
    return (tables.Table("small", "Small", "Nothing to see.", cells, compared, both),)


def test_a_run_goes_on_where_it_was_interrupted(
    tables: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "TABLES", small(tables))
    first, second = tables.TABLES[0].cells
    kept, where = tmp_path / "kept.jsonl", tmp_path / "page.md"
    arguments = ["--state", str(tmp_path), "--page", str(where), "--kept", str(kept)]
    assert tables.main([*arguments, "--games", "4"]) == 0
    assert [len(tables.finished(cell, tmp_path)) for cell in (first, second)] == [1, 1]
    before = (tmp_path / first.file).read_bytes()
    (tmp_path / first.file).write_bytes(before + b'{"number": 4, "cut o')
    assert tables.main(arguments) == 0
    assert (tmp_path / first.file).read_bytes().startswith(before)
    found = tables.finished(first, tmp_path)
    assert len(found) == 3
    whole = play_match("cheat", ["people", "random"], games=12, series=4, seed=tables.SEED)
    assert tables.by_match(found, "won").sum() == whole.wins[0]
    page = where.read_text(encoding="utf-8")
    assert "| anybody |" in page
    assert "anybody minus at random" in page
    assert "over matches of anybody, at random: games won F(1, 3) = " in page
    assert page == tables.page(_finished(tables, tmp_path))  # counted once, and kept
    assert "| anybody |" not in tables.page(_finished(tables, tmp_path / "nowhere"))
    # Another machine needs but what was kept.
    assert tables.page(_finished(tables, tmp_path / "nowhere", tables.outcomes.read(kept))) == page


def test_a_row_of_a_match_is_the_sum_of_its_games(tables: ModuleType, tmp_path: Path) -> None:
    cell = tables.Cell("anybody", "people", "random", 2)
    tables.play(cell, 2, tmp_path, 1, tmp_path / "kept.jsonl")
    games = tables.counted(cell, tmp_path)
    found = tables.finished(cell, tmp_path)
    assert len(games) == 8
    assert found.columns["won_first"][1] == games[4][0].won + games[5][0].won
    assert found.columns["won_last"][1] == games[6][0].won + games[7][0].won
    assert found.columns["takes"][0] == sum(games[number][1].takes for number in range(4))
    assert tables.own_moves(found)[1] == sum(games[number][0].actions for number in range(4, 8))
    cards = sum(games[number][0].cards for number in range(4))
    assert found.columns["cards"][0] == pytest.approx(cards, abs=1e-4)


def test_an_analysis_of_variance_is_the_one_by_hand(tables: ModuleType) -> None:
    groups = [np.array(each, dtype=float) for each in ([1, 2, 3], [2, 3, 4], [6, 7, 8])]
    # Means 2, 3, 7 around 4: 3 (4 + 1 + 9) / 2 between, 6 / 6 within.
    f, p, between, within = tables.analysis_of_variance(groups)
    assert f == pytest.approx(21.0)
    # The chance of more than f with 2 degrees of freedom above: (1 + 2 f / within)^(-within / 2).
    assert p == pytest.approx((1 + 2 * f / 6) ** -3)
    assert (between, within) == (2, 6)


def test_what_was_counted_is_what_was_done(tables: ModuleType) -> None:
    game = cheat()
    result = play_match(game, ["people", "people"], games=4, seed=1)
    for one in result.games:
        first, second = tables.counts_of(game, one.seed, one.actions, one.returns, one.seats)
        assert first.won + second.won == 1
        assert first.rounds == second.rounds == len(one.actions) == first.actions + second.actions
        assert first.cards == -second.cards
        calls = one.actions.count(0)
        assert first.calls + second.calls == calls
        assert first.takes + second.takes == one.actions.count(1)
        assert first.claims + second.claims == sum(code >= 2 for code in one.actions)
        lies = sum(code >= 2 and (code - 2) // 4 % 2 for code in one.actions)
        assert first.lies + second.lies == lies
        end = one.replay(game).truth()[0]
        # Who was caught stands in the state, by seats.
        for agent, other in ((0, second), (1, first)):
            assert int(end.catches[one.seats.index(agent)]) == other.caught


def test_an_interval_of_a_share_is_that_of_whole_matches(tables: ModuleType) -> None:
    of = np.full(200, 4.0)
    rng = np.random.default_rng(1)
    alike = np.where(rng.random(200) < 0.5, 4.0, 0.0)  # all four games of a match end alike
    value, half = tables.share(alike, of)
    assert value == pytest.approx(alike.mean() / 4)
    assert half == pytest.approx(1.96 * math.sqrt(0.25 / 200), rel=0.05)
    assert math.isnan(tables.share(alike, 0 * of)[0])


def test_agents_of_all_cells_are_known(tables: ModuleType) -> None:
    for table in tables.TABLES:
        names = {cell.name for cell in table.cells}
        assert all(name in names for pair in table.compared for name in pair)
        for cell in table.cells:
            assert parse_agent(cell.agent).text == cell.agent
            assert parse_agent(cell.opponent).text == cell.opponent
