"""Every command on a game of a reader's own, and on games that have no notation of their own."""

from __future__ import annotations

import ast
import io
import json
import re
import sys
from importlib import import_module
from pathlib import Path

import pytest

from sleuth import Game, Play, check_game, game
from sleuth.apps.commands.new_game import source
from sleuth.beliefs.games.registry import belief_or_none
from sleuth.kit import Display, Sight

from ..conftest import Sleuth
from .test_analyse import assert_refused

QUIET = ("--agent", "none")
RANDOM = ("--agents", "random random")


@pytest.fixture
def own(sleuth: Sleuth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a new game and some records of it."""
    monkeypatch.chdir(tmp_path)
    assert sleuth("new-game", "my-game").code == 0
    agents = ("--agents", "random random")
    ran = sleuth("match", "my_game.py:GAME", *agents, "--games", 4, "--records", "games")
    assert ran.code == 0
    assert "The records are in games" in ran.out
    return tmp_path


def test_a_new_game_passes_every_check_as_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "fresh.py"
    path.write_text(source("fresh", "fresh.py"), "utf-8")
    made = game(f"{path}:GAME")
    report = check_game(made, belief_or_none(made), plays=4)
    assert report.plays == 4


def test_a_new_game_imports_what_is_public_alone() -> None:
    found = [
        each
        for each in ast.walk(ast.parse(source("fresh", "fresh.py")))
        if isinstance(each, ast.ImportFrom | ast.Import)
    ]
    modules = {each.module for each in found if isinstance(each, ast.ImportFrom)}
    assert modules == {"collections.abc", "typing", "sleuth", "sleuth.answers", "sleuth.kit"}
    for each in found:
        if isinstance(each, ast.ImportFrom) and (each.module or "").startswith("sleuth"):
            public = import_module(each.module or "").__all__
            assert {alias.name for alias in each.names} <= set(public)


def test_a_new_game_can_be_played(
    sleuth: Sleuth, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "".join(f"say {number}\n" for number in range(1, 9))
    monkeypatch.setattr(sys, "stdin", io.StringIO(said * 8))
    ran = sleuth("play", "my_game.py:GAME", "--seed", 1, "--against", "random")
    assert ran.code == 0
    assert re.search(r"number of first: \d, known to be 1 to 8", ran.out)
    assert "number of second: ?, known to be 1 to 8" in ran.out


def test_a_new_game_says_what_was_done(sleuth: Sleuth, own: Path) -> None:
    rules = ("--rules", "my_game.py:GAME")
    for record in sorted((own / "games").iterdir()):
        ran = sleuth("analyse", record, *rules, "--observer", "spectator", *QUIET)
        said = re.findall(r"(?:first|second): say (\d+), (lower|right|higher)", ran.out)
        done = json.loads(record.read_text("utf-8"))["actions"]
        assert [int(number) - 1 for number, _ in said] == done
        assert [answer for _, answer in said].index("right") == len(said) - 1


def test_what_others_see_is_named_only_where_it_is_the_action(own: Path) -> None:
    def sentences(made: Game) -> set[str]:
        play = Play.new(made, seed=1)
        while not play.over:
            play.apply(int(play.legal()[0]))
        view, seen = play.view(1), play.seen_by(1)
        sight = Sight(view, seen, view, seen, person=(1,))
        return {each.rpartition(" ")[0] for each in Display(made).happened(sight, 0)}

    assert sentences(game("kuhn_poker")) == {"first:", "you:"}
    assert sentences(game(f"{own / 'my_game.py'}:GAME")) == {"first makes a move", "you: say"}


@pytest.mark.usefixtures("measured_here")
def test_a_game_of_ones_own_is_analysed_with_its_rules(sleuth: Sleuth, own: Path) -> None:
    records = sorted((own / "games").iterdir())
    assert [path.name for path in records] == [f"my_game-{n:05d}.json" for n in (1, 2, 3, 4)]
    rules = ("--rules", "my_game.py:GAME")
    ran = sleuth("analyse", records[0], *rules, "--observer", "all", *QUIET, "--json")
    assert ran.code == 0
    found = json.loads(ran.out)
    assert [each["viewer"] for each in found["viewers"]] == ["first", "second", "spectator"]
    first = found["viewers"][0]
    assert first["timeline"][0]["entropy_bits"] == pytest.approx(3.0)
    turns = [moment["turn"] for moment in first["timeline"] if moment["turn"]]
    assert turns
    assert all(turn["gain_bits"] <= turn["best_questions"][0]["gain_bits"] for turn in turns)
    page = own / "report.html"
    assert sleuth("analyse", records[0], *rules, *QUIET, "--html", page).code == 0
    assert "What the first player could have known" in page.read_text("utf-8")
    assert sleuth("analyse", own / "games", *rules, "--out", own / "table.csv").code == 0
    rows = (own / "table.csv").read_text("utf-8").splitlines()
    assert rows[0] == "record,event,viewer,variable,value,probability"
    assert {row.split(",")[0] for row in rows[1:]} == {path.name for path in records}
    ran = sleuth("compare", records[0], *rules, "--methods", "enumeration,rejection", "--json")
    assert ran.code == 0
    assert json.loads(ran.out)["methods"]["enumeration"]["tv"] == pytest.approx(0.0)


def test_a_record_of_a_game_of_ones_own_asks_for_its_rules(sleuth: Sleuth, own: Path) -> None:
    record = own / "games" / "my_game-00001.json"
    kept = json.loads(record.read_text("utf-8"))
    record.write_text(json.dumps({**kept, "game": "another"}), "utf-8")
    assert_refused(sleuth("analyse", record), "--rules FILE.py:NAME")
    assert_refused(sleuth("analyse", record, "--rules", "my_game.py"), "write my_game.py:GAME")
    rules = ("--rules", "my_game.py:GAME")
    assert_refused(sleuth("analyse", record, *rules, *QUIET), "the record is of another game")


@pytest.mark.parametrize(
    "name, words",
    [
        ("kuhn-poker", "has this name already"),
        ("1st", "begins with a letter"),
        ("class", "begins with a letter"),
        ("typing", "a Python module has this name"),
        ("random", "such as random_game"),
        ("numpy", "a Python module has this name"),
        ("sitecustomize", "runs a file of this name unasked"),
        ("usercustomize", "runs a file of this name unasked"),
        ("conftest", "such as conftest_game"),
        ("my-game --out __init__.py", "such as init_game"),
        ("setup", "runs a file of this name unasked"),
        ("sleuth", "a Python module has this name"),
        ("scikit-learn --out sklearn.py", "a Python module has this name"),
    ],
)
def test_a_name_that_no_game_can_have_is_refused(
    sleuth: Sleuth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert_refused(sleuth("new-game", *name.split()), words)
    assert list(tmp_path.iterdir()) == []


def test_a_new_game_takes_the_place_of_no_file(
    sleuth: Sleuth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert sleuth("new-game", "my-game").code == 0
    assert_refused(sleuth("new-game", "my-game"), "there is such a file already")
    assert_refused(sleuth("new-game", "my-game", "--out", "game.txt"), "end its name in .py")
    # What a file is called is what counts.
    assert sleuth("new-game", "typing", "--out", "typing_game.py").code == 0


@pytest.mark.parametrize("change", [{"cards": [77, 0]}, {"table": 55}, {"player": 1}])
def test_a_start_that_no_seed_makes_is_refused(
    sleuth: Sleuth, tmp_path: Path, change: dict[str, object]
) -> None:
    assert sleuth("match", "leduc-poker", *RANDOM, "--games", 1, "--records", tmp_path).code == 0
    (record,) = tmp_path.iterdir()
    kept = json.loads(record.read_text("utf-8"))
    record.write_text(json.dumps({**kept, "start": {**kept["start"], **change}}), "utf-8")
    for command in ("analyse", "compare"):
        assert_refused(sleuth(command, record), "'start': this is not how a game with this seed")


@pytest.mark.parametrize("content", ["{", "[]", ""])
def test_what_is_no_record_is_not_blamed_on_an_option(
    sleuth: Sleuth, tmp_path: Path, content: str
) -> None:
    (tmp_path / "record.json").write_text(content, "utf-8")
    refused = sleuth("analyse", tmp_path / "record.json", *QUIET)
    assert_refused(refused, "a record is" if content == "[]" else "not JSON")


LIARS_DICE = f"{Path(__file__).parents[3]}/examples/your_own_game.py:GAME"
GAMES = ("kuhn-poker", "leduc-poker", "phantom-tic-tac-toe", LIARS_DICE)


@pytest.mark.usefixtures("measured_here")
@pytest.mark.parametrize("name", GAMES)
def test_small_games_are_matched_analysed_and_compared(
    sleuth: Sleuth, tmp_path: Path, name: str
) -> None:
    agents, rules = ("--agents", "random random"), ("--rules", name) if ":" in name else ()
    folder, table, page = tmp_path / "games", tmp_path / "table.csv", tmp_path / "report.html"
    ran = sleuth("match", name, *agents, "--games", 2, "--records", folder, "--json")
    assert ran.json()["games"] == sum(ran.json()["wins"].values()) + ran.json()["shared"] == 2
    for record in sorted(folder.iterdir()):
        ran = sleuth("analyse", record, *rules, "--observer", "second", *QUIET, "--json")
        assert ran.code == 0
        found = ran.json()
        assert found["viewer"] == "second"
        assert len(found["timeline"]) == found["events"] + 1
        assert found["timeline"][1]["entropy_bits"] > 0.0
    assert sleuth("analyse", record, *rules, "--agent", "mcts:simulations=20").code == 0
    ran = sleuth("analyse", record, *rules, *QUIET, "--observer", "all", "--html", page)
    assert ran.code == 0
    assert page.read_text("utf-8").count("How much was open") == 3
    assert sleuth("analyse", folder, *rules, "--out", table, "--workers", 1).code == 0
    assert table.read_text("utf-8").count(record.name) > found["events"]
    ran = sleuth("compare", record, *rules, "--methods", "enumeration,rejection", "--json")
    assert ran.json()["methods"]["enumeration"]["tv"] == pytest.approx(0.0, abs=1e-12)
    assert sleuth("compare", record, *rules, "--methods", "enumeration").code == 0


@pytest.mark.parametrize("name", GAMES)
def test_small_games_are_played_to_the_end(
    sleuth: Sleuth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    of = game(name)
    words = [of.action_name(code) for code in range(of.action_space)]
    # Whatever is not legal is refused in words, and the next line is tried.
    typed = "belief\nmoves\n" + "\n".join(words[::-1] * of.max_depth) + "\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    kept = tmp_path / "kept.json"
    ran = sleuth("play", name, "--seed", 2, "--against", "random", "--save", kept)
    assert ran.code == 0
    assert "bits open" in ran.out
    assert any(word in ran.out for word in ("You have won", "You have lost", "is a draw"))
    assert json.loads(kept.read_text("utf-8"))["game"] == of.name


def test_liars_dice_says_in_words_what_was_bid_and_shown(sleuth: Sleuth, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    sleuth("match", LIARS_DICE, "--agents", "random random", "--games", 1, "--records", folder)
    (record,) = folder.iterdir()
    ran = sleuth("analyse", record, "--rules", LIARS_DICE, *QUIET)
    assert "Liar's dice" in ran.out
    assert re.search(r"(first|second): liar! The dice are \d and \d against \d and \d", ran.out)
    assert "dice of second" in ran.out


def test_a_value_as_likely_as_others_has_a_strip_from_the_start(
    sleuth: Sleuth, tmp_path: Path
) -> None:
    folder, page = tmp_path / "games", tmp_path / "report.html"
    sleuth("match", LIARS_DICE, "--agents", "random random", "--games", 1, "--records", folder)
    (record,) = folder.iterdir()
    rules = ("--rules", LIARS_DICE)
    assert sleuth("analyse", record, *rules, *QUIET, "--html", page).code == 0
    text = page.read_text("utf-8")
    # 36 hands are equally likely at first: each of the twelve that are drawn begins at event 0.
    starts = re.findall(r"<title>dice of second, [^,]*, after events? 0", text)
    assert len(starts) == 2 * 12  # the wide picture and the narrow one
    assert re.search(r"The darkest is \d+ %", text)
