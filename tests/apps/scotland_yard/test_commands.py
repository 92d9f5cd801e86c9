"""`sleuth analyse` and `sleuth compare` on records of Scotland Yard."""

from __future__ import annotations

import csv
import json
import math
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sleuth import Play, game
from sleuth.data.files import resource

from ..commands.test_analyse import assert_refused
from ..conftest import Sleuth
from ..games import small
from .hunts import hunt, played

Write = Callable[..., Path]
GOLDEN = Path(__file__).parent / "golden"


def test_json_is_one_object_with_the_promised_keys(sleuth: Sleuth, write: Write) -> None:
    ran = sleuth("analyse", write(hunt(1).to_json()), "--json")
    assert (ran.code, ran.err) == (0, "")
    found = ran.json()
    assert list(found) == [
        *("game", "viewer", "method", "exact", "agent", "events", "timeline", "certain"),
        *("influence", "notes", "version", "seed", "record_sha256"),
        *("likelihood", "won", "turns", "truth_log_loss_bits"),
    ]
    assert set(found["timeline"][0]) == {
        *("event", "by", "text", "turn", "ticket", "seekers", "shown", "possible", "entropy_bits"),
        *("log_evidence", "seconds", "stations", "truth", "entropy_is_joint", "hidden"),
    }
    assert set(found["turns"][0]) == {"event", "by", "from", "moves"}
    assert set(found["turns"][0]["moves"][0]) == {
        *("ticket", "to", "made", "capture", "information_gain_bits", "threat", "possible")
    }
    assert all(sum(each["made"] for each in turn["moves"]) == 1 for turn in found["turns"])
    assert found["viewer"] == "hider"


def test_a_small_game_says_what_it_said(sleuth: Sleuth, write: Write) -> None:
    record = hunt(6, 8, seekers=2, rounds=4, reveals=(3,)).to_json()
    # What was learned from games may be learned anew; what follows from the rules stays.
    found = sleuth("analyse", write(record), "--likelihood", "steps", "--json").json()
    for moment in found["timeline"]:
        del moment["seconds"]
    del found["version"]
    assert rounded(found) == json.loads((GOLDEN / "hunt.json").read_text("utf-8"))


def rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: rounded(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [rounded(entry) for entry in value]
    return round(value, 9) if isinstance(value, float) else value


def test_the_table_and_the_report_are_written(sleuth: Sleuth, write: Write, tmp_path: Path) -> None:
    page = tmp_path / "hunt.html"
    ran = sleuth("analyse", write(hunt(1).to_json()), "--html", page)
    assert (ran.code, ran.err) == (0, "")
    assert "Mr. X, move 1" in ran.out
    assert "truly at" in ran.out
    assert page.read_text("utf-8").startswith("<!doctype html>")


def test_a_game_that_was_played_in_the_terminal_can_be_analysed(
    sleuth: Sleuth, write: Write
) -> None:
    kept = played(1, 40).record().to_json() | {"played_by": {"hider": "you"}}
    found = sleuth("analyse", write(kept), "--json").json()
    assert found["events"] == 40


SHIPPED = sorted(
    Path(str(each)) for each in resource("scotland_yard", "games").iterdir() if each.name[0] != "_"
)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_the_shipped_games_can_be_analysed(sleuth: Sleuth, path: Path, tmp_path: Path) -> None:
    ran = sleuth("analyse", path, "--html", tmp_path / "report.html")
    assert (ran.code, ran.err) == (0, "")
    found = sleuth("analyse", path, "--json").json()
    assert found["won"] in ("hider", "seekers")
    assert len(found["timeline"]) == found["events"] + 1
    last = found["timeline"][-1]
    assert last["possible"] == 1
    assert list(last["stations"]) == [str(last["shown"])]


def test_a_folder_may_hold_both_games(sleuth: Sleuth, tmp_path: Path) -> None:
    folder, table = tmp_path / "games", tmp_path / "table.csv"
    folder.mkdir()
    (folder / "clue.json").write_text(json.dumps(small()), "utf-8")
    (folder / "hunt.json").write_text(json.dumps(hunt(1).to_json()), "utf-8")
    (folder / "poker.json").write_text(
        json.dumps(Play.new(game("kuhn_poker"), seed=1).record().to_json()), "utf-8"
    )
    ran = sleuth("analyse", folder, "--out", table, "--workers", 1)
    assert ran.code == 0
    with table.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    sums: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for row in rows:
        sums[row["record"], row["event"], row["variable"]].append(float(row["probability"]))
    assert all(math.fsum(each) == pytest.approx(1.0) for each in sums.values())
    assert {record for record, _, _ in sums} == {"clue.json", "hunt.json", "poker.json"}
    events = {event for record, event, _ in sums if record == "hunt.json"}
    assert events == {str(event) for event in range(41)}
    assert {row["viewer"] for row in rows if row["record"] == "hunt.json"} == {"spectator"}


def test_compare_sets_the_list_beside_the_filter(sleuth: Sleuth, write: Write) -> None:
    path = write(hunt(1).to_json())
    ran = sleuth("compare", path, "--methods", "uniform-list", "--event", 30, "--json")
    assert ran.code == 0
    found = ran.json()
    assert found["exact"] == "forward_filter"
    assert list(found["methods"]) == ["uniform_list"]
    text = sleuth("compare", path, "--methods", "uniform_list", "--event", 30)
    assert "where Mr. X is after event 30" in text.out
    assert "uniform list" in text.out


REFUSED = [
    (["analyse", "--choice", "random"], "--choice is not for this game"),
    (["analyse", "--suggestions", "3"], "--suggestions is not for this game"),
    (["analyse", "--likelihood", "step"], "did you mean 'steps'?"),
    (["analyse", "--method", "metropolis"], "analysed by the exact filter"),
    (["analyse", "--observer", "hidder"], "did you mean 'hider'?"),
    (["compare", "--event", "99"], "there is no such event"),
    (["compare", "--methods", "uniform_lists"], "did you mean 'uniform_list'?"),
    (["compare", "--methods", "particle"], "did you mean 'particles'?"),
    (["compare", "--methods", ","], "uniform_list"),
]


@pytest.mark.parametrize(
    "arguments, expected", REFUSED, ids=[" ".join(each[0]) for each in REFUSED]
)
def test_bad_input_is_refused(
    sleuth: Sleuth, write: Write, arguments: list[str], expected: str
) -> None:
    command, *options = arguments
    assert_refused(sleuth(command, write(hunt(1).to_json()), *options), expected)


def test_a_broken_record_says_what_is_wrong_and_where(sleuth: Sleuth, write: Write) -> None:
    record = hunt(1).to_json()
    record["moves"][3]["to"] = 1  # type: ignore[index]
    ran = sleuth("analyse", write(record, "broken.json"))
    assert_refused(ran, "move 4")
    assert "broken.json" in ran.err


def test_the_options_of_one_game_are_not_those_of_another(sleuth: Sleuth, write: Write) -> None:
    clue = write(small())
    assert_refused(sleuth("analyse", clue, "--likelihood", "steps"), "not for this game")
    refused = sleuth("compare", clue, "--methods", "uniform_lists")
    assert_refused(refused, "unknown method")
    assert "uniform_list'" not in refused.err.replace("'uniform_lists'", "")
    assert_refused(sleuth("compare", clue, "--methods", "uniform_list"), "unknown method")
