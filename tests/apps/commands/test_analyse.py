"""`sleuth analyse`: what it prints, and what it says when it cannot."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sleuth.apps.clue.game import ClueGame
from sleuth.apps.kit.analysis.text import heading
from sleuth.apps.kit.console import Tell
from sleuth.apps.kit.records.contract import AnalysisRequest, Begin
from sleuth.data.version import version
from sleuth.errors import SettingsError

from ..conftest import Ran, Sleuth
from ..games import full, shipped, small

GOLDEN = Path(__file__).parents[1] / "golden"

Write = Callable[..., Path]


def same(found: Any, expected: Any) -> bool:
    """Whether two JSON values are equal, numbers to 1e-9."""
    if isinstance(expected, dict):
        return list(found) == list(expected) and all(same(found[k], expected[k]) for k in expected)
    if isinstance(expected, list):
        return len(found) == len(expected) and all(map(same, found, expected))
    if isinstance(expected, float):
        return math.isclose(found, expected, rel_tol=0, abs_tol=1e-9)
    return found == expected


# What it prints


def test_the_json_of_a_small_game_is_the_golden_one(sleuth: Sleuth, write: Write) -> None:
    found = sleuth("analyse", write(small()), "--json").json()
    for entry in found["timeline"]:
        assert 0.0 <= entry.pop("seconds") < 600.0
    assert found.pop("version") == version()
    assert same(found, json.loads((GOLDEN / "small.json").read_text("utf-8")))


def test_json_is_all_there_is_on_either_stream(sleuth: Sleuth) -> None:
    ran = sleuth("analyse", shipped("plum_game2.json"), "--json")
    assert (ran.code, ran.err) == (0, "")
    assert list(ran.json()) == [
        *("game", "viewer", "method", "exact", "agent", "events", "timeline", "certain"),
        *("influence", "notes", "version", "seed", "record_sha256"),
        *("choice", "marginals", "case_file", "suggestions"),
    ]


def test_the_observer_decides_what_is_known(sleuth: Sleuth, write: Write) -> None:
    path = write(full())
    views = [
        sleuth("analyse", path, "--json", "--observer", name).json()
        for name in ("ann", "ben", "cleo", "spectator")
    ]
    assert len({view["record_sha256"] for view in views}) == 4
    assert views[0]["record_sha256"] == sleuth("analyse", path, "--json").json()["record_sha256"]
    assert views[1]["marginals"]["green"] == {"ben": 1.0}
    assert [bool(view["suggestions"]) for view in views] == [True, True, True, False]


def test_choices_change_the_answer_and_are_named(sleuth: Sleuth, write: Write) -> None:
    path = write(small())
    views = {
        name: sleuth("analyse", path, "--json", "--choice", name).json()
        for name in ("random", "ignored", "preference")
    }
    assert [view["choice"] for view in views.values()] == list(views)
    assert len({view["timeline"][2]["entropy_bits"] for view in views.values()}) == 3


def test_what_was_learned_is_heard_where_it_is_asked_for(sleuth: Sleuth, write: Write) -> None:
    path = write(full())
    heard, plain = (
        sleuth("analyse", path, "--json", *more).json() for more in (("--predictor", "usual"), ())
    )
    assert (heard["choice"], plain["choice"]) == ("learned", "random")
    assert heard["marginals"] != plain["marginals"]
    assert heard["certain"] == plain["certain"]
    for more, said in (
        (("nowhere",), "cannot be read"),
        (("usual", "--choice", "random"), "leave out --choice or --predictor"),
        (("usual", "--method", "rejection"), "leave out --method or --predictor"),
    ):
        refused = sleuth("analyse", path, "--predictor", *more)
        assert refused.code == 2
        assert said in refused.err


def test_naming_cards_is_choosing_the_preference(sleuth: Sleuth, write: Write) -> None:
    path = write(small())
    one = sleuth("analyse", path, "--json", "--preference", "Rope, Miss Scarlet").json()
    other = sleuth(
        *("analyse", path, "--json", "--choice", "preference", "--preference", "rope,scarlet")
    ).json()
    assert one["choice"] == "preference"
    assert one["marginals"] == other["marginals"]


@pytest.mark.parametrize("asked, count", [("3", 3), ("all", 324), ("0", 0), ("999", 324)])
def test_as_many_suggestions_as_wanted(
    sleuth: Sleuth, write: Write, asked: str, count: int
) -> None:
    view = sleuth("analyse", write(small()), "--json", "--suggestions", asked).json()
    assert len(view["suggestions"]) == count


def test_a_seed_repeats_an_approximate_answer(sleuth: Sleuth, write: Write) -> None:
    path = write(small())

    def marginals(seed: int) -> object:
        ran = sleuth(
            *("analyse", path, "--json", "--method", "likelihood-weighting"),
            *("--samples", 300, "--seed", seed, "--suggestions", 0),
        )
        assert ran.json()["method"] == "likelihood_weighting"
        return ran.json()["marginals"]

    assert marginals(1) == marginals(1) != marginals(2)


def test_what_an_engine_does_not_estimate_is_null(sleuth: Sleuth, write: Write) -> None:
    ran = sleuth(
        *("analyse", write(small()), "--json", "--method", "metropolis"),
        *("--samples", 200, "--suggestions", 0),
    )
    assert ran.json()["timeline"][-1]["log_evidence"] is None


def test_the_text_tells_the_story(sleuth: Sleuth, write: Write) -> None:
    said = sleuth("analyse", write(small())).out
    for words in (
        "A small game",
        "Seen by ann, who holds scarlet, knife, kitchen, ballroom, hall and study.",
        "ann suggests mustard, rope and lounge: ben passes, cleo shows rope",
        "What ann asked",
        "in the case file: mustard",
        "What to suggest next",
        f"sleuth {version()}",
    ):
        assert words in said


def test_the_text_begins_before_all_is_computed(
    sleuth: Sleuth,
    write: Write,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    said: list[str] = []

    def analysed(
        game: ClueGame, value: object, asked: AnalysisRequest, tell: Tell, begin: Begin
    ) -> None:
        begin(heading(game.transcript(value, asked)))
        said.append(capsys.readouterr().out)
        for done in range(2):
            tell("events", done, 2)
            said.append(capsys.readouterr().out)
        raise SettingsError("far enough")

    monkeypatch.setattr(ClueGame, "analysed", analysed)
    assert sleuth("analyse", write(small())).code == 2
    assert said[0] == said[2] == ""
    assert said[1].splitlines()[1].startswith("Players, with their number of cards: ann (6)")


def test_the_report_is_written_beside_the_text(
    sleuth: Sleuth, write: Write, tmp_path: Path
) -> None:
    report = tmp_path / "report.html"
    ran = sleuth("analyse", write(small()), "--html", report)
    assert ran.code == 0
    assert ran.out.rstrip().endswith(f"The report is in {report}")
    assert "</html>" in report.read_text("utf-8")


def test_the_report_can_go_with_json(sleuth: Sleuth, write: Write, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    assert sleuth("analyse", write(small()), "--json", "--html", report).json()["events"] == 6
    assert report.is_file()


# What it says when it cannot

BROKEN = [
    ("no JSON", "{", "not JSON"),
    ("a list", "[]", "one record per file"),
    ("another game", {"game": "chess"}, "game"),
    ("a slip", {**small(), "obsever": "ann"}, "observer"),
    ("hands that do not add up", small(hand_sizes=[6, 6, 7]), "21"),
    ("no such card", small(own_hand=["scarlet", "knive"]), "knife"),
]


@pytest.mark.parametrize("record, expected", [case[1:] for case in BROKEN])
def test_a_broken_record_is_refused(
    sleuth: Sleuth, write: Write, record: object, expected: str
) -> None:
    path = write(record)
    assert_refused(sleuth("analyse", path, "--json"), expected, str(path))


def test_a_contradiction_is_explained(sleuth: Sleuth, write: Write) -> None:
    record = small()
    record["events"].append({"type": "has", "player": "ben", "card": "mustard"})
    path = write(record)
    assert_refused(
        sleuth("analyse", path, "--json"), f"sleuth: {path}: ", "cannot all be true", "ben has"
    )


REFUSED: list[tuple[list[str], str]] = [
    (["missing.json"], "no such file"),
    (["."], "--out"),
    (["game.json", "--observer", "dora"], "available: ann, spectator"),
    (["game.json", "--observer", "ben"], "available: ann, spectator"),
    (["game.json", "--observer", "anne"], "did you mean 'ann'?"),
    (["game.json", "--method", "card_by_cart"], "did you mean 'card_by_card'?"),
    (["game.json", "--method", "type_counting"], "type_counting"),
    (["game.json", "--choice", "rondom"], "did you mean 'random'?"),
    (["game.json", "--preference", "knive"], "knife"),
    (["game.json", "--preference", ","], "at least one card"),
    (["game.json", "--preference", "rope,rope"], "twice"),
    (["game.json", "--choice", "random", "--preference", "rope"], "preference"),
    (["game.json", "--suggestions", "many"], "a whole number, or all"),
    (["game.json", "--suggestions", "-1"], "a whole number, or all"),
    (["game.json", "--samples", "0"], "--samples"),
    (["game.json", "--samples", "10000000000000"], "--samples"),
    (["game.json", "--seed", "-1"], "--seed"),
    (["game.json", "--seed", "x"], "--seed"),
    (["game.json", "--workers", "2"], "--workers needs --out"),
    (["game.json", "--jobs", "2"], "--workers needs --out"),
    (["game.json", "--out", "table.csv", "--workers", "0"], "one process is needed"),
    (["game.json", "--out", "table.csv", "--json"], "--json"),
    (["game.json", "--out", "table.csv", "--suggestions", "3"], "--out and --suggestions"),
    (["game.json", "--out", "table.txt"], ".csv or .jsonl"),
    (["game.json", "--out", "nowhere/table.csv"], "no such folder"),
    (["game.json", "--html", "."], "name a file"),
    (["game.json", "--html", "nowhere/report.html"], "no such folder"),
    (["game.json", "--html", "game.json"], "overwrite"),
    (["game.json", "--colour"], "no such option (got '--colour'); did you mean '--columns'?"),
    (["game.json", "second.json"], "second.json"),
    (["empty", "--out", "table.csv"], "no record"),
    (["missing", "--out", "table.csv"], "no such file or folder"),
]


@pytest.mark.parametrize(
    "arguments, expected", REFUSED, ids=[" ".join(each[0]) for each in REFUSED]
)
def test_bad_input_is_refused_and_nothing_is_written(
    sleuth: Sleuth,
    write: Write,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    expected: str,
) -> None:
    write(small())
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    before = {path: path.is_dir() or path.read_bytes() for path in tmp_path.rglob("*")}
    assert_refused(sleuth("analyse", *arguments), expected)
    assert {path: path.is_dir() or path.read_bytes() for path in tmp_path.rglob("*")} == before


def assert_refused(ran: Ran, *expected: str) -> None:
    assert (ran.code, ran.out) == (2, "")
    # Whatever is played for the first time on a machine says that it compiles.
    said = [line for line in ran.err.splitlines() if not line.startswith("compiling ")]
    assert len(said) == 1, "one line"
    assert said[0].startswith("sleuth: ")
    assert "Traceback" not in ran.err
    for words in expected:
        assert words in ran.err


def test_a_record_cannot_command_the_terminal(sleuth: Sleuth, write: Write) -> None:
    record = small(name="\x1b[2Jgone\x07", source="[bold]not markup[/bold]\x1b]0;title\x07")
    said = sleuth("analyse", write(record)).out
    assert not set(said) & {"\x1b", "\x07"}
    assert "[bold]not markup[/bold]" in said
    refused = sleuth("analyse", write(small(players=["\x1b[2J", "b", "c"])))
    assert "\x1b" not in refused.err


def test_help_says_each_text_of_an_option_once(sleuth: Sleuth) -> None:
    for command in ("analyse", "compare"):
        said = re.sub(r"[\s│]+", " ", sleuth(command, "--help").out)
        assert said.count("how a player chooses which of several cards to show") == 1
