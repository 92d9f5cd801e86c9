"""The tables of Scotland Yard: no finished game is lost, and the page says what there is."""

from __future__ import annotations

import hashlib
import importlib
import json
import math
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from sleuth import game, play_match
from sleuth.agents import parse_agent
from sleuth.errors import RecordError


@pytest.fixture(scope="module")
def tables() -> ModuleType:
    return importlib.import_module("benchmarks.scotland_yard.tables")


def _finished(tables: ModuleType, state: Path) -> Any:
    """The outcomes of the games of a folder alone."""
    return tables.table_runs.all_finished(tables.TABLES, tables.finished, state, {})


def _page(tables: ModuleType, state: Path) -> str:
    """The page of the games of a folder alone."""
    return tables.page(_finished(tables, state))


def small(tables: ModuleType) -> tuple[object, ...]:
    """Two cells that are played in a moment, the second compared with the first."""
    cells = (
        tables.Cell("at random", "random", "random", 50.0, games=20),
        tables.Cell("at random again", "random", "mcts", 40.0, games=10, playouts=2),
    )
    return (tables.Table("small", "Small", "Nothing to see.", cells, against_first=True),)


def test_a_run_goes_on_where_it_was_interrupted(
    tables: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "TABLES", small(tables))
    first, second = tables.TABLES[0].cells
    kept = tmp_path / "games" / "page.jsonl"
    page = tmp_path / "page.md"
    arguments = ["--state", str(tmp_path), "--page", str(page), "--kept", str(kept)]
    assert tables.main([*arguments, "--games", "4"]) == 0
    assert [len(tables.finished(cell, tmp_path)) for cell in (first, second)] == [4, 4]
    before = (tmp_path / first.file).read_bytes()
    (tmp_path / first.file).write_bytes(before + b'{"number": 4, "cut o')
    assert tables.main(arguments) == 0
    assert (tmp_path / first.file).read_bytes().startswith(before)
    assert [len(tables.finished(cell, tmp_path)) for cell in (first, second)] == [20, 10]
    whole = play_match("scotland_yard", ["random", "random"], games=20, seed=tables.SEED)
    assert tables.finished(first, tmp_path).total("won") == whole.team_wins["seekers"]
    runs = [json.loads(line) for line in (tmp_path / "runs.jsonl").read_text().splitlines()]
    assert [run["to"] for run in runs if run["file"] == first.file][-1] == 20
    assert all(run["sources"] and run["version"] for run in runs)


def test_another_machine_goes_on_with_the_games_that_follow(
    tables: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "TABLES", small(tables))
    cell = tables.TABLES[0].cells[0]
    page = tmp_path / "page.md"
    for machine, games in (("one", "6"), ("other", "20")):
        arguments = ["--state", str(tmp_path / machine), "--page", str(page)]
        tables.main([*arguments, "--kept", str(tmp_path / "kept.jsonl"), "--games", games])
    lines = (tmp_path / "other" / cell.file).read_text("utf-8").splitlines()[1:]
    assert [json.loads(line)["number"] for line in lines] == [*range(6, 20)]
    kept = tables.outcomes.read(tmp_path / "kept.jsonl")[cell.file]
    whole = play_match("scotland_yard", ["random", "random"], games=20, seed=tables.SEED)
    assert kept.columns["won"] == [game.returns[1] > 0 for game in whole.games]
    before = page.read_text("utf-8")  # it needs no games, only their outcomes
    nowhere = ["--state", str(tmp_path / "nowhere"), "--page", str(page), "--report"]
    tables.main([*nowhere, "--kept", str(tmp_path / "kept.jsonl")])
    assert page.read_text("utf-8") == before


def test_the_page_says_how_many_games_there_are_and_how_many_were_planned(
    tables: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "TABLES", small(tables))
    first, second = tables.TABLES[0].cells
    assert _page(tables, tmp_path).endswith("## Not played yet\n\n- Small\n")
    tables.play(first, 5, tmp_path, 1, tmp_path / "kept.jsonl")
    won = tables.finished(first, tmp_path).total("won")
    assert f"| at random | 50.0 | {20 * won:.1f} |" in _page(tables, tmp_path)
    assert "| 5 (20) |" in _page(tables, tmp_path)
    assert "\nNot played yet: at random again.\n" in _page(tables, tmp_path)
    assert "| at random again |" not in _page(tables, tmp_path)
    tables.play(second, 10, tmp_path, 1, tmp_path / "kept.jsonl")
    page = _page(tables, tmp_path)
    assert "| 10 |" in page
    assert "Not played yet" not in page
    assert 'compared with "at random"' in page
    assert "| 5 |\n" in page  # pairs
    assert "`--hider mcts:simulations=2 --seekers random`" in page


def test_the_tables_are_plain_values_too(
    tables: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(tables, "TABLES", small(tables))
    arguments = ["--state", str(tmp_path), "--page", str(tmp_path / "page.md"), "--games", "6"]
    assert tables.main([*arguments, "--json"]) == 0
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    first, second = found["tables"]["small"]
    assert (first["setting"], first["paper"], first["games"]) == ("at random", 0.5, 6)
    won = tables.finished(tables.TABLES[0].cells[0], tmp_path).total("won")
    assert first["rate"] == won / 6
    assert first["interval"][0] < first["rate"] < first["interval"][1]
    assert first["against_first"] is None
    assert second["against_first"]["pairs"] == 6
    assert second["hider"] == "mcts:simulations=2"
    assert "at random again" in printed.err


def test_a_hider_with_the_filter_is_another_one_when_that_is_learned_anew(
    tables: ModuleType,
) -> None:
    hider = sys.modules["benchmarks.scotland_yard.hiders"].FILTER_HIDER
    one = tables.Cell("one", "mcts:belief=uniform", hider)
    key = json.dumps([*one.agents, tables.SEED]).encode()
    assert one.file != f"{hashlib.sha256(key).hexdigest()[:16]}.jsonl"


def test_rows_that_agree_are_counted_right(tables: ModuleType) -> None:
    page = tables.PAGE.read_text("utf-8")
    sections = page.split("\n## ")
    titles = {table.word: table.title for table in tables.TABLES}
    for reading, words in tables.READINGS.items():
        counted: list[str] = []
        for word in words:
            section = next((s for s in sections if s.startswith(titles[word] + "\n")), "")
            rows = re.findall(r"^\| r = [\d.]+ \|.* (agrees|higher|lower) \|$", section, re.M)
            counted.append(f"{rows.count('agrees')} of {len(rows)}")
        (line,) = re.findall(rf"^\| {re.escape(reading)} \|(.*)\|$", sections[0], re.M)
        told = [column.partition("(")[0].strip() or "0 of 0" for column in line.split("|")]
        assert told == counted


def test_the_interval_of_a_difference_is_the_published_one(tables: ModuleType) -> None:
    # Newcombe 1998, table II, example (a), method 10.
    low, high = tables.newcombe(56, 70, 48, 80)
    assert (round(low, 4), round(high, 4)) == (0.0524, 0.3339)
    assert tables.newcombe(48, 80, 56, 70) == pytest.approx((-high, -low))


def test_nothing_is_said_of_a_row_with_too_few_games(tables: ModuleType) -> None:
    cell = tables.Cell("at random", "random", "random", 50.0)
    won = tables.outcomes.nothing(cell.file, cell.agents, [tables.WON])
    few, enough = (
        won.continued({number: {tables.WON: 1.0} for number in range(games)})
        for games in (tables.FEWEST - 1, tables.FEWEST)
    )
    assert (tables.verdict(cell, few), tables.verdict(cell, enough)) == ("", "higher")


def test_a_line_that_was_changed_is_named(
    tables: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "TABLES", small(tables))
    cell = tables.TABLES[0].cells[0]
    tables.play(cell, 2, tmp_path, 1, tmp_path / "kept.jsonl")
    path, runs = tmp_path / cell.file, tmp_path / "runs.jsonl"
    head, first, second = path.read_text("utf-8").splitlines()
    for change in ({"returns": [1e400, 0]}, {"returns": ["1", 0]}, {"seats": [9] * 6}):
        changed = json.dumps({**json.loads(first), **change})
        path.write_text("\n".join([head, changed, second, ""]), "utf-8")
        with pytest.raises(RecordError, match=rf"{cell.file}, line 2.*({'|'.join(change)}|Inf)"):
            tables.finished(cell, tmp_path)
    runs.write_text('{"sources": 5}\n', "utf-8")
    with pytest.raises(RecordError, match=r"runs\.jsonl, line 1.*field 'sources'"):
        tables.table_runs.played_by(tmp_path)


def test_paired_games_are_compared_game_by_game(tables: ModuleType) -> None:
    one, other = (
        tables.outcomes.Outcomes(name, (), {"won": won}, earlier, {"won": 0})
        for name, won, earlier in (("a", [1, 1, 0, 1], 0), ("b", [0, 0, 0, 1], 1))
    )
    assert tables.difference(one, other)[3] == 3
    other = tables.outcomes.Outcomes("b", (), {"won": [1, 0, 0, 0, 1]})
    mean, low, high, games = tables.difference(one, other)
    # 0, 1, 0, 1: mean 1/2, standard deviation sqrt(1/3).
    half = 1.959964 * math.sqrt(1 / 3) / 2
    assert (mean, low, high) == pytest.approx((0.5, 0.5 - half, 0.5 + half), abs=1e-6)
    assert games == 4


@pytest.mark.usefixtures("plain_python")
def test_every_agent_of_the_tables_can_be_asked_for(tables: ModuleType) -> None:
    yard = game("scotland_yard")
    cells = [cell for table in tables.TABLES for cell in table.cells]
    texts = {text for cell in cells for text in cell.agents}
    for text in texts:
        agent = parse_agent(text)
        assert parse_agent(agent.text) == agent
        agent.prepare(yard)(1)
    assert len({cell.file for cell in cells}) < len(cells)  # equal ones share their games


def test_what_was_learned_anew_makes_another_cell(
    tables: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells = importlib.import_module("benchmarks.scotland_yard.cells")
    learned, fixed = (
        cells.Cell("a cell", f"mcts:belief={belief}", "mcts") for belief in ("moves", "uniform")
    )
    before = learned.file, fixed.file
    (tmp_path / "moves.json").write_text("{}")
    monkeypatch.setattr(cells, "resource", lambda folder, name: tmp_path / name)
    assert learned.file != before[0]
    assert fixed.file == before[1]


def test_no_other_table_is_played(tables: ModuleType) -> None:
    with pytest.raises(SystemExit):
        tables.main(["--cells", "XXL", "--report"])
