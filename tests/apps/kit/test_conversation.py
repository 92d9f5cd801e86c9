"""Sessions as machines: a line goes in, values come out; and as JSON, line by line."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sleuth import Play, game
from sleuth.answers import Command, Machine, Paragraph, Reply, Sheet, reply, to_json
from sleuth.apps.clue.advising.adviser import ClueAdviser
from sleuth.apps.kit.advising.book import Book
from sleuth.apps.kit.advising.session import Advising
from sleuth.apps.kit.terminal import MOST_LETTERS
from sleuth.apps.play.saved import YOU
from sleuth.apps.play.session import Session
from sleuth.kit import display

from ..conftest import Ran, Sleuth

SETUP = ["Ada Bob Cleo", "ada", "", "green rope hall stud loun libr", ""]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def clue(tmp_path: Path) -> Iterator[Machine]:
    with Book(tmp_path / "game.jsonl", ClueAdviser()) as book:
        record = tmp_path / "game.json"
        yield Machine(lambda hearer: Advising(ClueAdviser(), book, record, hearer).steps())


@pytest.fixture
def spoken(sleuth: Sleuth, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Any]]:
    """The objects that a command answers to lines, the first before any."""

    def says(*arguments: object, lines: list[str]) -> list[Any]:
        typed = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(typed), encoding="utf-8"))
        ran: Ran = sleuth(*arguments, "--json")
        assert ran.code == 0, ran.err
        found = [json.loads(line) for line in ran.out.splitlines()]
        assert [to_json(reply(each)) for each in found] == found, "each is what the schema says"
        return found

    return says


def poker() -> Machine:
    play = Play.new(game("kuhn_poker"), seed=4)
    return Machine(
        lambda hearer: Session(play, display(play.game), (YOU, "random"), hearer).steps()
    )


def words(said: Reply) -> list[str]:
    return [each.text for each in said.said if isinstance(each, Paragraph)]


def test_a_machine_takes_lines_and_gives_values(clue: Machine) -> None:
    first = clue.start()
    assert first.prompt is not None
    assert first.prompt.text.startswith("which box")
    for line in SETUP:
        answer = clue.take(line)
    assert words(answer) == ["Type what happens; 'help' explains how, and what you can ask."]
    answer = clue.take("plum knife kitchen bob plum")
    assert answer.error is None
    assert words(answer)[0] == "1: Ada suggests plum, knife and kitchen: Bob shows plum."
    (table,) = clue.take("notebook").said
    assert isinstance(table, Sheet)
    assert next(row for row in table.rows if row[0] == "plum")[2] == Paragraph("✓", "strong")
    refused = clue.take("plumm kniffe")
    assert refused.error is not None
    assert (refused.said, refused.prompt) == ((), answer.prompt)
    # What asks for more goes on from line to line: a setup anew, and what depends on it.
    asked = clue.take("setup me")
    assert asked.prompt is not None
    assert asked.prompt.text.startswith("which of them are you?")
    assert "hand" in words(clue.take("bob"))[0]
    end = clue.take(None)
    assert end.prompt is None
    assert Command("sleuth advise clue game.jsonl") in [
        Command(each.text.replace(str(Path.cwd()) + "/", ""))
        for each in end.said
        if isinstance(each, Command)
    ]


def test_a_move_is_chosen_by_its_code_or_typed() -> None:
    ends: list[Reply] = []
    for choose in (lambda m: m.take("bet"), lambda m: m.choose(1)):
        machine = poker()
        prompt = machine.start().prompt
        assert prompt is not None
        assert [move.name for move in prompt.moves] == ["pass", "bet"]
        assert prompt.view is not None
        assert prompt.view["legal"] == [move.code for move in prompt.moves]
        ends.append(choose(machine))
    assert ends[0] == ends[1]
    assert ends[0].prompt is None
    refused = poker()
    refused.start()
    answer = refused.choose(7)
    assert answer.error is not None
    assert answer.error.value == "7"


def test_what_a_player_cannot_see_is_null_in_what_they_are_told() -> None:
    prompt = poker().start().prompt
    assert prompt is not None
    assert prompt.view is not None
    assert prompt.seen is not None
    assert prompt.view["state"]["cards"] == [0, None]
    assert None in prompt.seen["start"]


def test_a_play_is_spoken_in_json(spoken: Callable[..., list[Any]]) -> None:
    wrong = [
        "nonsense",
        "\udcff",
        '{"move": 99}',
        '{"line": 3}',
        "{broken",
        '{"move": 1, "line": "bet"}',
        "x" * (MOST_LETTERS + 10),
        '{"line": "bet\\nbet"}',
        "hint nobody",
    ]
    lines = [*wrong, '{"line": "belief"}', '{"move": 1}', "too late"]
    arguments = ("play", "kuhn-poker", "--seed", 4, "--against", "random")
    found = spoken(*arguments, lines=lines)
    said = [each for reply in found for each in reply["said"]]
    assert [each for each in said if not each.get("text", each["kind"])] == []  # no blank lines
    assert len(found) == 1 + len(wrong) + 2, "the game is over after the move"
    for each in found[1 : 1 + len(wrong)]:
        assert each["error"]["text"]
        assert each["said"] == []
        assert each["prompt"] == found[0]["prompt"]
    (bars,) = found[-2]["said"]
    assert (bars["kind"], bars["bits"]) == ("bars", 1.0)
    assert "prompt" not in found[-1]
    assert {"kind": "paragraph", "text": "You have lost 2 chips.", "tone": "strong"} in found[-1][
        "said"
    ]


def test_who_stops_speaking_leaves_and_the_game_is_kept(spoken: Callable[..., list[Any]]) -> None:
    arguments = ("play", "tic-tac-toe", "--seed", 1, "--against", "random")
    end = spoken(*arguments, lines=["b2"])[-1]
    assert end["said"][-1] == {
        "kind": "command", "text": "sleuth play --resume tic_tac_toe-1.json"
    }  # fmt: skip
    (again, *_) = spoken("play", "--resume", "tic_tac_toe-1.json", lines=["quit"])
    assert len(again["prompt"]["view"]["legal"]) == 7


def test_advice_is_spoken_in_json(spoken: Callable[..., list[Any]]) -> None:
    setup = ["13 26", "", ""]
    found = spoken("advise", "scotland-yard", "hunt.jsonl", lines=[*setup, "taxi", "39 99", "map"])
    assert found[5]["error"]["text"].startswith("one ticket")
    (board,) = found[6]["said"]
    assert board["kind"] == "map"
    assert [spot["name"] for spot in board["spots"] if spot.get("piece")] == ["13", "26"]
    assert sum(spot.get("possible", False) for spot in board["spots"]) == 57
