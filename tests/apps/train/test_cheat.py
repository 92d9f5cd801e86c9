"""`sleuth train cheat`: from records to a predictor and its reports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sleuth.apps.main import app
from sleuth.apps.train.any_game import words
from sleuth.beliefs.games.cheat.features import NAMES
from sleuth.games.cheat import simulate, write_records
from sleuth.predictors import load_predictor


def run(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["train", "cheat", *map(str, arguments)])
    return result.exit_code, result.output + str(result.exception or "")


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "games.jsonl"
    write_records(simulate(16, seed=8, games=1), path)
    return path


def test_records_become_a_predictor_and_two_reports(records: Path, tmp_path: Path) -> None:
    code, text = run(records, "--out", tmp_path / "p", "--models", "tree,svm", "--json")
    assert code == 0
    value = json.loads(text)
    assert value["model"] == "tree"
    assert set(value["models"]) == {"tree", "svm"}
    assert value["ceilings"] is None
    assert {path.name for path in tmp_path.iterdir()} == {
        "p.npz", "p.json", "p.report.html", "p.report.json",
    }  # fmt: skip
    assert load_predictor(tmp_path / "p", game="cheat", features=NAMES).card["model"] == "tree"
    written = json.loads((tmp_path / "p.report.json").read_text())
    assert written["protocols"] == value["protocols"]
    page = (tmp_path / "p.report.html").read_text()
    assert page.count("<svg") == 2
    assert page.count("<table") == page.count('<div class="scroll"><table') == 1
    assert "<script" not in page
    assert "http" not in page.replace("http-equiv", "")


def test_a_table_with_columns_of_other_names_is_learned_from(tmp_path: Path) -> None:
    table = tmp_path / "games.csv"
    write_records(simulate(16, seed=8, games=1), table)
    head, rest = table.read_text().split("\n", 1)
    table.write_text(head.replace("rank", "claimed").replace(",by,", ",who,") + "\n" + rest)
    code, text = run(table, "--models", "tree", "--json", "--columns", "by=who,rank=claimed")
    assert (code, json.loads(text)["players"]) == (0, 16)
    assert "no such column (got 'who')" in run(table, "--models", "tree")[1]
    assert "columns are of records" in run("--simulate", 4, "--columns", "by=who")[1]


def test_simulated_people_have_ceilings() -> None:
    code, text = run("--simulate", 20, "--models", "tree", "--seed", 4, "--json")
    assert code == 0
    value = json.loads(text)
    assert value["players"] == 20
    assert value["seed"] == 4
    assert 0.8 < value["ceilings"]["reference"] < value["ceilings"]["oracle"] < 1


def test_the_table_is_for_people(records: Path) -> None:
    code, text = run(records, "--models", "tree")
    assert code == 0
    assert "tree, cold" in text
    assert "warning: only 16 players" in text


def test_a_narrow_terminal_cuts_no_number(records: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    code, text = run(records, "--models", "tree")
    assert code == 0
    assert "\N{HORIZONTAL ELLIPSIS}" not in text
    assert max(map(len, text.splitlines())) <= 40


@pytest.mark.parametrize(
    "words, message",
    [
        ((), "records or simulated players"),
        (("--simulate", 7), "pairs"),
        (("--simulate", 20, "--models", "wood"), "no such choice"),
        (("--simulate", 20, "--protocols", "cool"), "did you mean 'cold'"),
        (("--simulate", 20, "--predict", "lie"), "no such choice"),
        (("--simulate", 20, "--models", "svm", "--out", "x"), "cannot be written"),
        (("--simulate", 20, "--models", "tree", "--out", "missing/x"), "no such folder"),
        (("missing.jsonl",), "cannot be read"),
        (("--simulate", 20, "--models", "tree", "--workers", 0), "one process is needed"),
    ],
)
def test_what_cannot_be_done_is_refused(words: tuple[object, ...], message: str) -> None:
    code, text = run(*words)
    assert code != 0
    assert message in text.replace("\n", " ")


def test_ceilings_are_for_simulated_people(records: Path) -> None:
    code, text = run(records, "--ceilings")
    assert code != 0
    assert "simulated people only" in text


def test_nothing_is_written_where_a_record_is_broken(records: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_text(records.read_text().replace('"claim"', '"clam"', 1))
    code, text = run(broken, "--out", tmp_path / "p")
    assert code != 0
    assert "line 1, turn" in text
    assert list(tmp_path.iterdir()) == [broken]


def test_of_several_files_the_broken_one_is_named(records: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_text(records.read_text().replace('"claim"', '"clam"', 1))
    code, text = run(records, broken)
    assert code != 0
    assert f"{broken}: line 1, turn" in text.replace("\n", "")


def test_a_file_that_is_named_twice_does_not_count_twice(records: Path) -> None:
    code, text = run(records, records.parent / "." / records.name)
    assert code != 0
    assert "named twice" in text


def test_words_may_be_all() -> None:
    assert words("all", ("a", "b"), "--x") == ("a", "b")
    assert words(" b, a,b", ("a", "b"), "--x") == ("b", "a")
