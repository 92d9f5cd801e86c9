"""`sleuth analyse` and `sleuth compare` on records of Cheat."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from sleuth.apps.kit.records import opening
from sleuth.games.cheat import simulate, write_records
from sleuth.kit import save_predictor

from ..commands.test_analyse import assert_refused
from ..conftest import Sleuth
from .games import FILE, games, given, predictor, short

Write = Callable[..., Path]


def test_json_is_one_object_with_the_promised_keys(sleuth: Sleuth, write: Write) -> None:
    ran = sleuth(
        "analyse", write(short().to_json()), "--agent", "none", "--predictor", "none", "--json"
    )
    assert (ran.code, ran.err) == (0, "")
    found = ran.json()
    assert set(found) == {
        *("game", "players", "match", "number", "place", "games", "viewers", "method"),
        *("predictor", "agent", "turns", "winner", "timeline", "claims", "decisions", "hands"),
        *("learned", "scores", "version", "seed", "record_sha256"),
        *("viewer", "exact", "events", "certain", "influence", "notes"),
    }
    assert set(found["timeline"][0]) == {
        *("event", "text", "entropy_bits", "log_evidence", "seconds", "entropy_is_joint"),
        *("viewer", "hidden", "turn"),
    }
    assert set(found["claims"][0]) == {
        *("turn", "by", "rank", "count", "viewer", "probability", "held", "counting"),
        *("anybody", "predicted", "joined", "certain", "method", "pile", "true", "called"),
    }
    assert set(found["hands"][0]) == {"turn", "viewer", "of", "size", "counts", "truth"}
    assert found["decisions"] == []
    assert found["agent"] is None
    assert found["viewers"] == ["p2", "p1"]


def test_decisions_are_valued_by_a_search(sleuth: Sleuth, write: Write) -> None:
    path = write(short(turns=3).to_json())
    found = sleuth("analyse", path, "--agent", "players:simulations=50", "--json").json()
    decision = found["decisions"][1]
    assert set(decision) == {
        *("turn", "by", "claim", "made", "best", "value", "call_value", "other_value", "lost"),
        *("clearly", "actions"),
    }
    assert (decision["by"], decision["claim"], decision["made"]) == ("p1", 1, "higher false 1")
    assert set(decision["actions"][0]) == {"action", "value", "interval", "visits"}
    assert found["agent"] == "players:simulations=50"


def test_a_file_of_too_many_games_is_refused_while_it_is_read(
    sleuth: Sleuth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "MOST_LOOKED_AT", 2)
    record, path = short(1, 4).to_json(), tmp_path / "games.jsonl"
    whole = [json.dumps(record | {"number": number}) for number in (1, 2, 3)]
    # What follows is not even read.
    path.write_text("\n".join([*whole, "no game"]) + "\n", "utf-8")
    assert_refused(sleuth("analyse", path), "at most 2 games are read here", "file of their own")


def test_a_file_of_many_games_has_each_of_them(sleuth: Sleuth, tmp_path: Path) -> None:
    records = [short(1, 4), short(2, 4), short(3, 4)]
    paths = [tmp_path / "games.jsonl", tmp_path / "games.csv", tmp_path / "games.txt"]
    for path in paths:
        write_records(records, path)
    found = [
        sleuth("analyse", path, "--game", 2, "--agent", "none", "--json").json() for path in paths
    ]
    for moment in (each for one in found for each in one["timeline"]):
        del moment["seconds"]
    assert found[0] == found[1] == found[2]
    assert (found[0]["place"], found[0]["games"], found[0]["number"]) == (2, 3, 2)
    first = sleuth("analyse", paths[0], "--agent", "none").out
    assert "the 1st of 3 in the file (--game N for another)" in first


def test_a_table_with_columns_of_other_names_is_analysed(sleuth: Sleuth, tmp_path: Path) -> None:
    table = tmp_path / "games.csv"
    write_records(games(), table)
    head, rest = table.read_text().split("\n", 1)
    table.write_text(head.replace("rank", "claimed").replace("match", "table") + "\n" + rest)
    (tmp_path / "columns.json").write_text(json.dumps({"rank": "claimed", "match": "table"}))
    options = ("--agent", "none", "--predictor", "none", "--json")
    plain = sleuth("analyse", FILE, *options).json()
    columns = ("--columns", str(tmp_path / "columns.json"))
    assert sleuth("analyse", table, *options, *columns).json()["claims"] == plain["claims"]
    assert_refused(sleuth("analyse", table, *options), "no such column (got 'table')")
    assert_refused(sleuth("analyse", table, *options, "--columns", "rank"), "--columns")


def test_a_predictor_is_joined_with_counting(sleuth: Sleuth, write: Write, tmp_path: Path) -> None:
    save_predictor(predictor(), tmp_path / "p")
    path = write(short().to_json())
    asked = ("analyse", path, "--agent", "none", "--predictor", tmp_path / "p")
    claim = sleuth(*asked, "--json").json()["claims"][0]
    assert claim["joined"] == pytest.approx(given(1)) == claim["predicted"]
    assert "counting and the predictor together" in sleuth(*asked).out


def test_the_table_says_what_became_of_a_claim(sleuth: Sleuth, write: Write) -> None:
    said = sleuth("analyse", write(short().to_json()), "--agent", "none").out
    lines = [line.split() for line in said.splitlines() if line.strip().startswith("10  p1")]
    assert lines
    assert lines[0][-3:] == ["a", "lie", "caught"]


def test_a_hand_without_cards_is_not_listed(sleuth: Sleuth, write: Write) -> None:
    won = next(
        game for game in simulate(4, seed=1) if game.winner is not None and len(game.turns) < 100
    )
    ran = sleuth("analyse", write(won.to_json()), "--agent", "none", "--predictor", "none")
    assert ran.code == 0
    assert "'s 0 cards" not in ran.out
    assert ran.out.count(" could know of ") == 1


def test_a_report_is_written(sleuth: Sleuth, write: Write, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    ran = sleuth("analyse", write(short().to_json()), "--agent", "none", "--html", page)
    assert ran.code == 0
    assert page.read_text("utf-8").startswith("<!doctype html>")


def test_a_folder_becomes_one_table(sleuth: Sleuth, write: Write, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    write(short(turns=4).to_json(), "games/one.json")
    table = tmp_path / "all.csv"
    assert sleuth("analyse", folder, "--out", table, "--workers", 1).code == 0
    with table.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    said = [row for row in rows if row["variable"] == "the claim is true"]
    assert [row["event"] for row in said] == ["1", "2", "3", "4"]
    held = [row for row in rows if row["event"] == "0" and "rank king" in row["variable"]]
    assert sum(float(row["probability"]) for row in held) == pytest.approx(1)


@pytest.mark.parametrize(
    "options, words",
    [
        (("--game", "9"), "the file has no such game"),
        (("--observer", "bob"), "no player has this name"),
        (("--predictor", "nowhere"), "the predictor cannot be read"),
        (("--agent", "random"), "does not say what its actions are worth"),
        (("--agent", "nobody"), "no such agent"),
        (("--method", "metropolis"), "analysed by exact counting"),
        (("--choice", "random"), "not for this game"),
    ],
)
def test_what_cannot_be_is_refused(sleuth: Sleuth, options: tuple[str, str], words: str) -> None:
    assert_refused(sleuth("analyse", FILE, *options, "--json"), words)


def test_a_predictor_of_calls_is_refused(sleuth: Sleuth, tmp_path: Path) -> None:
    save_predictor(predictor(predicts="the claim will be called"), tmp_path / "p")
    ran = sleuth("analyse", FILE, "--predictor", tmp_path / "p")
    assert_refused(ran, "needed of whether the claim is true")


def test_a_broken_game_of_a_file_is_named_by_its_line(sleuth: Sleuth, tmp_path: Path) -> None:
    lines = [json.dumps(record.to_json()) for record in games()[:2]]
    path = tmp_path / "games.jsonl"
    path.write_text("\n".join([lines[0], lines[1].replace('"first": "', '"first": "x')]), "utf-8")
    assert_refused(sleuth("analyse", path), "line 2")
    assert_refused(sleuth("analyse", tmp_path / "none.jsonl"), "cannot be read")
    path.write_text("", "utf-8")
    assert_refused(sleuth("analyse", path), "no game")


@pytest.mark.usefixtures("measured_here")
def test_methods_are_compared_on_one_claim(sleuth: Sleuth) -> None:
    ran = sleuth(
        *("compare", FILE, "--game", 2, "--event", 2, "--methods", "type_counting,enumeration"),
        *("--json", "--observer", "spectator"),
    )
    found = ran.json()
    assert found["exact"] == "type_counting"
    assert list(found["methods"]) == ["type_counting", "enumeration"]
    assert_refused(sleuth("compare", FILE, "--event", 3_000), "there is no such event")


@pytest.mark.usefixtures("measured_here")
def test_methods_are_compared_after_any_turn(sleuth: Sleuth) -> None:
    (record,) = games()[1:2]
    for turn in (0, 1, 2, len(record.turns)):
        ran = sleuth(
            *("compare", FILE, "--game", 2, "--event", turn, "--methods", "type_counting"),
            *("--observer", record.players[0]),
        )
        assert ran.code == 0, ran.err
        assert f"after event {turn}" in " ".join(ran.out.split())


def test_a_narrow_terminal_has_room_for_claims(
    sleuth: Sleuth, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    said = sleuth("analyse", write(short().to_json()), "--agent", "none").out
    assert "had them" not in said.lower()
    assert any(line.split()[:2] in (["1", "p1:"], ["1", "p2:"]) for line in said.splitlines())
