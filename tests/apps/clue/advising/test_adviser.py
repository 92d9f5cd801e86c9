"""Beside a table of Clue: a whole game, what is shown, contradictions, corrections, and files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sleuth.apps.clue.advising.adviser import ClueAdviser
from sleuth.apps.clue.advising.showing import to_show
from sleuth.apps.clue.advising.table import ClueSetup, turn
from sleuth.apps.kit.advising.book import Book
from sleuth.apps.kit.advising.session import Advising
from sleuth.errors import SettingsError
from sleuth.games.clue import (
    Accusation,
    ClueDeclaration,
    ClueRecord,
    SeenClue,
    Suggestion,
    load,
    simulate,
)
from sleuth.models import games

from ...conftest import Sleuth
from ...play.scripts import Script, run

GAMES = Path(__file__).parents[4] / "data" / "clue" / "games"
NAMES = ("Ada", "Bob", "Cleo")
SETUP = ["Ada Bob Cleo", "ada", "", "green rope hall stud loun libr", ""]


@pytest.fixture
def told(tmp_path: Path) -> Callable[..., str]:
    """What somebody is told who types these lines, in a file of their own."""

    def says(*lines: str, name: str = "game.jsonl", begun: bool = False) -> str:
        script = Script([*(() if begun else SETUP), *lines], width=200)
        path = tmp_path / name
        with Book(path, ClueAdviser()) as book:
            run(Advising(ClueAdviser(), book, path.with_suffix(".json"), script))
        return script.text

    return says


def typed(game: SeenClue) -> list[str]:
    """What the viewer of a game types, in few letters."""
    lines: list[str] = []
    for seen in game.events:
        event = seen.event
        if isinstance(event, Accusation):
            verdict = "right" if event.correct else "wrong"
            lines.append(f"{event.by} accuses {' '.join(event.cards)} {verdict}")
            continue
        assert isinstance(event, Suggestion)
        saw = event.refuter is not None and game.viewer in (event.by, event.refuter)
        shown = event.shown or ("?" if saw else "")
        words = [event.by, *event.cards, event.refuter or "nobody", shown]
        lines.append(" ".join(words))
    return lines


def whole_games() -> Iterator[tuple[str, ClueRecord, str]]:
    yield "simulated", simulate(NAMES, np.random.default_rng(6), turns=30), "Bob"
    yield "people's", load(GAMES / "ledford_03.json"), "Player1"


@pytest.mark.parametrize(
    "record, viewer", [each[1:] for each in whole_games()], ids=[e[0] for e in whole_games()]
)
def test_a_whole_game_ends_with_the_right_accusation(
    advise: Any, tmp_path: Path, record: ClueRecord, viewer: str
) -> None:
    """Every line of a recorded game is typed; what is said in the end is in the case file."""
    game = record.seen_by(viewer)
    path = tmp_path / "game.jsonl"
    sizes = " ".join(str(size) for _, size in game.hand_sizes)
    face_up = [", ".join(game.face_up)] if game.face_up else []
    setup = [", ".join(game.players), viewer, sizes, *face_up, ", ".join(game.own_hand), "2"]
    ran = advise("clue", path, typed=[*setup, *typed(game), "ready", "log"])
    assert ran.code == 0, ran.err
    assert record.case_file is not None
    suspect, weapon, room = record.case_file
    assert f"Accuse {suspect}, {weapon} and {room}: it is certain." in ran.out
    # It was said from when it was known, and never before.
    belief = ClueDeclaration(game)
    known = next(
        count
        for count in range(len(game.events) + 1)
        if belief.infer(game.until(count)).entropy(belief.case_file) < 1e-9
    )
    said = f"The case file is {suspect}, {weapon} and {room}: accuse."
    assert ran.out.count(": accuse.") == ran.out.count(said) == len(game.events) - known + 1
    assert load(path.with_suffix(".json")).seen_by(viewer) == game


def test_after_a_right_accusation_the_game_is_over(told: Callable[..., str]) -> None:
    said = told("bob acc plum rope kitchen wrong", "cleo acc scar wre ball right", "log")
    assert "The case file was scarlet, wrench and ballroom, and the game is over." in said
    assert "2, the game is over> log" in said


def test_the_transcript_is_a_record_to_analyse(advise: Any, sleuth: Sleuth, tmp_path: Path) -> None:
    game = simulate(NAMES, np.random.default_rng(2), turns=6).seen_by("Cleo")
    path = tmp_path / "game.jsonl"
    advise(
        "clue", path, typed=["Ada Bob Cleo", "cleo", "", " ".join(game.own_hand), "", *typed(game)]
    )
    assert load(tmp_path / "game.json").seen_by("Cleo") == game
    found = sleuth("analyse", tmp_path / "game.json", "--json").json()
    assert found["record_sha256"] == game.digest
    assert found["events"] == len(game.events)


def test_a_game_goes_on_after_any_line(told: Callable[..., str], tmp_path: Path) -> None:
    lines = ["plum knife kitchen bob plum", "wh rope ball", "cleo", "scar wre din nobody"]
    whole = told(*lines, "log", name="whole.jsonl").split("> log\n")[1]
    told(lines[0])
    for line in lines[1:]:
        said = told(line, begun=True)
        assert "already; 'log' lists" in said
    assert whole.split("Everything")[0] in told("log", begun=True)
    one, other = ((tmp_path / f"{name}.json").read_text() for name in ("whole", "game"))
    assert one == other
    # Whatever cut the last line off, the ones before it are there.
    path = tmp_path / "game.jsonl"
    path.write_bytes(path.read_bytes() + b'{"add": {"type": "sugg')
    assert whole.split("Everything")[0] in told("log", begun=True)
    assert (tmp_path / "game.json").read_text() == one


def test_the_setup_is_kept_line_by_line(told: Callable[..., str], tmp_path: Path) -> None:
    script = Script(SETUP[:2], width=200)
    with Book(tmp_path / "half.jsonl", ClueAdviser()) as book:
        run(Advising(ClueAdviser(), book, tmp_path / "half.json", script))
        first = {"edition": "classic", "players": ["Ada", "Bob", "Cleo"]}
        assert book.settings == first | {"me": "Ada"}
    said = told(*SETUP[2:], "log", name="half.jsonl", begun=True)
    assert "which of them are you" not in said
    assert "Nothing has been entered yet." in said


def test_contradictions_name_the_entries_and_can_be_corrected(
    told: Callable[..., str], tmp_path: Path
) -> None:
    said = told(
        "plum knife kitchen bob plum",
        "mus candle ballroom cleo",
        "cleo has plum",
        "best",
        "change 3 cleo has mustard",
        "best",
    )
    parts = said.split("> best\n")
    for part in parts[:2]:
        assert "Entries 1 and 3 cannot all be true" in part
        assert "1: Ada suggests plum, knife and kitchen: Bob shows plum" in part
        assert "3: Cleo has plum" in part
        assert "You hold" not in part  # neither entry names a card of Ada's
        assert "Write 'undo', 'remove 1', or 'change 1 ...' and what really happened." in part
        assert "2: Bob suggests" not in part.split("cannot all be true")[1]
    assert "and suggest" in parts[2]
    assert [event.to_json()["type"] for event in load(tmp_path / "game.json").events][-1] == "has"


def test_undo_takes_back_one_step_after_the_other(told: Callable[..., str], tmp_path: Path) -> None:
    said = told(
        "plum knife kitchen bob plum",
        "bob has wrench",
        "change 2 bob has white",
        "remove 1",
        "log",
        "undo",
        "undo",
        "log",
        "undo",
        "undo",
        "log",
        "undo",
    )
    first, second, third = (
        part.split("\n\n")[0].split("> undo")[0].split("Everything")[0]
        for part in said.split("> log\n")[1:]
    )
    assert first.startswith("1: Bob has white")
    assert second.splitlines()[:2] == [
        "1: Ada suggests plum, knife and kitchen: Bob shows plum",
        "2: Bob has wrench",
    ]
    assert third.startswith("Nothing has been entered yet.")
    assert "There is nothing to take back" in said
    # Everything that was ever typed stands in the file.
    steps = (tmp_path / "game.jsonl").read_text().splitlines()
    assert sum('"undo"' in step for step in steps) == 4
    assert any("wrench" in step for step in steps)


def test_what_was_set_up_can_be_corrected(told: Callable[..., str]) -> None:
    said = told("setup hand", "green rope hall study lounge kitchen", "notebook", "setup nonsense")
    row = next(line for line in said.split("> notebook")[1].splitlines() if "kitchen" in line)
    assert "✓" in row.split()[1]
    assert "known: edition, players, me" in said


def test_what_was_set_up_anew_can_be_taken_back(told: Callable[..., str]) -> None:
    said = told(
        "bob plum knife hall cleo",
        "cleo has kitchen",
        "setup hand",
        "green rope hall study lounge kitchen",
        "undo",
        "log",
    )
    wrong, mended = said.split("> undo\n")
    assert "Entry 2 cannot be true" in wrong
    assert "If what was set up is wrong, write 'setup' and one of edition, players, me" in wrong
    assert "Taken back: 'setup hand'." in mended
    assert "2: Cleo has kitchen" in mended.split("> log\n")[1]
    assert "cannot be true" not in mended


def test_rules_of_a_table_are_asked_for_only_if_wanted(told: Callable[..., str]) -> None:
    """Bob's suggestion moved Ada to the dining room."""
    said = told(
        "at kitchen",
        "plum knife kitchen bob plum",
        "bob white wrench dining nobody",
        "at dining",
        "cleo scarlet wrench kitchen bob",
        "best",
        "setup rules",
        "no",
        "none",
        "best",
        "at i18",
        "best",
        "setup rules",
        "again",
        "best",
    )
    assert said.count("rules of your table") == 3
    assert "These are no rules of a table (got 'no'); write 'again', 'summons'" in said
    assert "now 'again' and 'summons'" in said
    assert "now 'none'" in said
    moved, left, closed, again = (
        part.split(", your turn>")[0] for part in said.split("best\n")[1:]
    )
    assert "Stay in the dining room, suggest " in moved
    assert "do not roll" in moved
    assert "Stay" not in left
    rooms = [[line.split()[0] for line in part.splitlines()[1:6]] for part in (closed, again)]
    assert "dining" not in rooms[0]
    assert "dining" in rooms[1]


def test_an_empty_line_keeps_what_was_set_up(told: Callable[..., str], tmp_path: Path) -> None:
    said = told("setup hand", "", "log")
    assert "your 6 cards (empty: as it was)>" in said
    assert "Nothing has been entered yet." in said.split("> log")[1]
    assert (tmp_path / "game.jsonl").read_text().count('"hand"') == 1


def test_what_is_wrong_is_said_in_words(told: Callable[..., str]) -> None:
    said = told(
        "acc plum rope kitchen", "plum rope kitchen wrong", "ada plum rope kitchen bob cleo plum"
    )
    assert "Was the accusation right? Add 'right' or 'wrong'." in said
    assert "Who accuses? Write 'accuse' and three cards." in said
    assert "One player shows a card (got 'Bob and Cleo')" in said


def test_undo_says_what_it_took_back(told: Callable[..., str]) -> None:
    said = told(
        *("bob not plum", "bob not plum", "undo", "remove 1", "undo"),
        *("bob scar wrench kitchen", "cleo", "undo", "change 1 bob not rope", "undo"),
    )
    found = [line for line in said.splitlines() if line.startswith("Taken back: ")]
    assert found == [
        "Taken back: Bob does not have plum.",
        "Taken back: the removal of entry 1.",
        "Taken back: the answer to entry 2.",
        "Taken back: the change of entry 1.",
    ]


def test_what_cannot_be_is_refused(told: Callable[..., str]) -> None:
    said = told(
        *("at b2", "bob acc plum rope kitchen wrong", "bob scar knife hall cleo"),
        *("cleo scar wrench kitchen bob", "cleo acc scar wrench ball right", "cleo has knife"),
        "log",
    )
    assert "The board has no such square (got 'b2')" in said
    assert "Bob has been out since entry 1, and only refutes" in said
    assert "2: Cleo suggests scarlet, wrench and kitchen: Ada passes, Bob shows a card." in said
    assert "The game has been over since entry 3; if it is not, correct entry 3." in said
    assert "3, the game is over> log" in said


def test_words_after_a_command_are_not_passed_over(told: Callable[..., str]) -> None:
    said = told("bob not plum", "undo 3", "quit now", "report now", "log")
    assert "'undo' stands alone (got '3'); to remove entry 3 write 'remove 3'." in said
    assert "'quit' stands alone (got 'now'); write 'quit'." in said
    assert "'report' stands alone (got 'now'); write 'report'." in said
    assert "1: Bob does not have plum" in said.split("> log\n")[1]


def test_mistyped_lines_change_nothing(told: Callable[..., str], tmp_path: Path) -> None:
    said = told(
        "foo",
        "plum knife",
        "change 7 bob has plum",
        "best 5",
        "show me",
        "why",
    )
    assert "No such word (got 'foo')" in said
    assert "Three cards of three kinds were expected, not plum, knife" in said
    assert "Nothing has been entered yet." in said
    assert "write 'at kitchen' first" in said
    assert "Which card?" in said
    kept = (tmp_path / "game.jsonl").read_text().splitlines()[-1]
    assert kept == '{"set": {"rules": ["again", "summons"]}}'
    # What one's own hand rules out is kept, and said to be wrong.
    said = told("green knife kitchen bob green", begun=True)
    assert "Entry 1 cannot be true, by what was set up and the rules" in said
    # What the rules forbid is not kept.
    said = told("undo", "bob mus rope hall cleo passes ada", begun=True)
    assert "You saw which card was shown" in said
    said = told("bob mus rope hall nobody", begun=True)
    assert "Ada was asked and showed no card, but holds hall" in said
    assert "Nothing has been entered yet." in told("log", begun=True)


def test_an_open_suggestion_says_what_to_show(told: Callable[..., str]) -> None:
    said = told(
        "cleo mus rope hall ada hall",
        "cleo green rope hall",
        "show",
        "ada hall",
    )
    assert "If you are asked, show hall." in said
    shown = said.split("> show\n")[1]
    assert "you showed it to Cleo before" in shown
    assert "2: Cleo suggests green, rope and hall: Ada shows hall." in shown
    assert "3, your turn" not in shown.split("Ada shows hall.")[0]


def test_moves_and_notes_stand_between_a_suggestion_and_its_answer(
    told: Callable[..., str], tmp_path: Path
) -> None:
    said = told("bob scar wrench kitchen", "at kitchen", "bob not plum", "cleo", "log")
    assert said.count("1, who showed Bob a card?> ") == 3
    assert "1: Bob suggests scarlet, wrench and kitchen: Cleo shows a card." in said
    assert "4, Cleo's turn> log" in said
    assert len(load(tmp_path / "game.json").events) == 3


def test_a_suggestion_over_an_open_one_says_that_its_answer_is_missing(
    told: Callable[..., str],
) -> None:
    said = told("bob scar wrench kitchen", "at kitchen", "cleo plum knife kitchen bob")
    assert said.split("> cleo plum")[1].count("Entry 1 has no answer yet.") == 1
    assert "has no answer" not in said.split("> cleo plum")[0]


def test_the_card_that_tells_least_is_shown() -> None:
    """The one who asks knows all rooms but two: to show one of these would tell them all."""
    record = ClueRecord.from_json(
        {
            "game": "clue",
            "players": list(NAMES),
            "hand_sizes": [6, 6, 6],
            "observer": "Ada",
            "own_hand": ["plum", "hall", "rope", "study", "wrench", "mustard"],
            "events": [
                {"type": "has", "player": "Bob", "card": room}
                for room in ("kitchen", "ballroom", "lounge", "library")
            ],
        }
    )
    found = to_show(ClueSetup(record, "Ada", 1, frozenset()), "Bob", ("plum", "knife", "hall"))
    assert {each.card for each in found} == {"plum", "hall"}
    assert found[0].bits >= found[1].bits
    assert found[0].card == "plum"  # of five rooms four are left, of six suspects more
    assert not any(each.known for each in found)


def test_who_passed_holds_none_of_the_cards_that_are_asked_for(told: Callable[..., str]) -> None:
    """Cleo showed Bob one of three; if she passes now, it was the plum or the knife."""
    said = told(
        "bob plum knife kitchen cleo", "bob plum rope hall", "undo", "show bob plum rope hall"
    )
    assert "cannot all be true" not in said
    assert "If you are asked, show " in said
    assert "bits still open to Bob" in said
    # Cleo is asked before Ada, and has the plum.
    said = told("cleo has plum", "bob plum rope hall", "undo", "show bob plum rope hall", name="b")
    assert "If you are asked" not in said
    assert "You will not be asked: a player who is asked before you holds one of these" in said


def test_entries_that_contradict_are_named_whatever_is_asked(told: Callable[..., str]) -> None:
    said = told("bob has rope", "show bob plum rope hall").split("> show bob")[1]
    assert "Entry 1 cannot be true" in said
    assert "You will not be asked" not in said


def test_where_nothing_is_told_there_is_advice_all_the_same(told: Callable[..., str]) -> None:
    entries = [
        "bob has " + card for card in ("kitchen", "ballroom", "conserv", "dining", "knife", "plum")
    ]
    said = told(
        *entries, "cleo plum knife kitchen bob", "at kitchen", "best", "best kitchen", "best ²"
    )
    assert "go to" in said
    assert ", kitchen" in said.split("> best kitchen")[1]
    assert "This is neither a roll nor a room (got '²')" in said


def test_a_contradiction_names_the_cards_that_one_holds(told: Callable[..., str]) -> None:
    said = told("bob has rope")
    assert "Entry 1 cannot be true" in said
    assert "You hold rope." in said


def test_suggestions_can_be_asked_for_in_a_room(told: Callable[..., str]) -> None:
    said = told(
        "best 5", "plum knife kitchen bob plum", "best lou", "best plum", "best 5 x", "best 9"
    )
    listed, *others = said.split("> best lou")[1].splitlines()[1:7]
    assert listed.split()[:2] == ["suggestion", "bits"]
    assert all("lounge" in line for line in others)
    assert said.count("neither a roll nor a room") == 2
    assert "This is no roll (got '9'); write a number from 1 to 6." in said
    assert "Where you stand is not known" in said


def test_turns_go_round_without_those_who_are_out() -> None:
    setup = {"players": list(NAMES)}
    entries: list[dict[str, Any]] = []
    assert turn(setup, entries) == "Ada"
    entries.append({"type": "suggest", "by": "Ada"})
    assert turn(setup, entries) == "Bob"
    entries.append({"type": "accuse", "by": "Bob"})
    assert turn(setup, entries) == "Cleo"
    entries.append({"type": "suggest", "by": "Cleo"})
    entries.append({"type": "suggest", "by": "Ada"})
    assert turn(setup, entries) == "Cleo"


def test_where_one_stands_follows_from_moves_and_suggestions() -> None:
    settings = {
        "players": list(NAMES), "sizes": [6, 6, 6], "me": "Ada", "faceup": [],
        "hand": ["green", "rope", "hall", "study", "lounge", "library"], "dice": 1,
        "rules": [],
    }  # fmt: skip
    entries: list[dict[str, Any]] = []
    assert ClueSetup.of(settings, entries).place is None
    entries.append({"type": "move", "by": "Bob", "to": "hall"})
    assert ClueSetup.of(settings, entries).place is None
    cards = ["plum", "knife", "kitchen"]
    entries.append({"type": "suggest", "by": "Ada", "cards": cards, "refuter": None})
    assert ClueSetup.of(settings, entries).place == ("kitchen", "kitchen")
    entries.append({"type": "move", "by": "Ada", "to": "17 8"})
    assert ClueSetup.of(settings, entries).place == ((17, 8), "kitchen")
    assert ClueSetup.of({**settings, "rules": ["again"]}, entries).place == ((17, 8), None)


def test_another_moves_a_pawn_to_the_room_of_their_suggestion() -> None:
    settings = {
        "players": list(NAMES), "sizes": [6, 6, 6], "me": "Ada", "faceup": [],
        "hand": ["green", "rope", "hall", "study", "lounge", "library"], "dice": 1,
        "rules": ["summons"],
    }  # fmt: skip

    def moved(*entries: dict[str, Any], rules: Sequence[str] = ("summons",)) -> str | None:
        return ClueSetup.of({**settings, "rules": rules}, entries).moved

    bob = {"type": "suggest", "by": "Bob", "cards": ["plum", "knife", "kitchen"], "refuter": None}
    here, ball = ({"type": "move", "by": "Ada", "to": room} for room in ("kitchen", "ballroom"))
    assert moved(bob, here) == "kitchen"
    assert moved(bob, here, rules=["again"]) is None
    assert moved(bob) is None  # nothing says that her pawn was moved
    assert moved(bob, ball) is None
    assert moved(bob, here, {**bob, "by": "Ada"}) is None  # she has suggested there
    assert moved(here, bob) is None
    assert moved(bob, here, ball, here) is None  # she walked since


def test_ctrl_c_says_how_to_go_on(tmp_path: Path) -> None:
    class Interrupted(Script):
        def ask(self, prompt: str, words: Sequence[str] = ()) -> str | None:
            if not self.lines:
                raise KeyboardInterrupt
            return super().ask(prompt, words)

    script = Interrupted([*SETUP, "plum knife kitchen bob plum"], width=200)
    with Book(tmp_path / "game.jsonl", ClueAdviser()) as book, pytest.raises(KeyboardInterrupt):
        run(Advising(ClueAdviser(), book, tmp_path / "game.json", script))
    assert f"sleuth advise clue {tmp_path / 'game.jsonl'}" in script.text
    assert len(load(tmp_path / "game.json").events) == 1


def test_files_are_refused_before_anything_is_typed(advise: Any, tmp_path: Path) -> None:
    ran = advise("clue", tmp_path / "game.txt")
    assert ran.code == 2
    assert "write" in ran.err
    assert "game.jsonl" in ran.err
    (tmp_path / "game.json").write_text("{}")
    assert "would replace this file" in advise("clue", tmp_path / "game.jsonl").err
    (tmp_path / "other.jsonl").write_text('{"rows": 1}\n')
    assert "not written beside such a game" in advise("clue", tmp_path / "other.jsonl").err
    (tmp_path / "bad.jsonl").write_text('{"advice": "clue", "schema": 1}\n{"undo": true}\n{}\n')
    ran = advise("clue", tmp_path / "bad.jsonl")
    assert ran.code == 2
    assert "line 2" in ran.err
    with Book(tmp_path / "held.jsonl", ClueAdviser()) as book:
        book.set_up("players", ["Ada", "Bob"])
        with pytest.raises(SettingsError, match="another process"):
            Book(tmp_path / "held.jsonl", ClueAdviser())


def test_other_games_are_refused(sleuth: Sleuth) -> None:
    ran = sleuth("advise", "clues")
    assert ran.code == 2
    assert "clue" in ran.err
    assert "did you mean 'clue'?" in sleuth("advise", "cleu").err


def test_a_game_of_ones_own_can_name_an_adviser(
    advise: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "_opened", {})
    file = tmp_path / "mine.py"
    file.write_text(
        "from sleuth.models.games import GameEntry\n"
        "TABLE = GameEntry('my_table', 'models.clue.board.whole:clue',\n"
        "    adviser='apps.clue.advising.adviser:ClueAdviser')\n"
        "NONE = GameEntry('no_table', 'models.clue.board.whole:clue')\n"
    )
    ran = advise(f"{file}:TABLE", tmp_path / "game.jsonl", typed=[*SETUP, "quit"])
    assert ran.code == 0, ran.err
    assert f"sleuth advise {file}:TABLE {tmp_path / 'game.jsonl'}" in ran.out
    ran = advise(f"{file}:NONE", tmp_path / "none.jsonl")
    assert ran.code == 2
    assert "there is for cheat_for_many, clue, my_table, saboteur, scotland_yard" in ran.err


def test_nothing_typed_leaves_nothing(advise: Any, tmp_path: Path) -> None:
    ran = advise("clue", tmp_path / "game.jsonl")
    assert ran.code == 0
    assert "nothing is kept" in ran.out
    assert list(tmp_path.iterdir()) == []
