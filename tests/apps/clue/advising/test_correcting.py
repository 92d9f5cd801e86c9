"""What was typed beside a table of Clue is corrected, doubted, and says on what certainty hangs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sleuth.apps.clue.advising.adviser import ClueAdviser
from sleuth.apps.clue.advising.lines import Reader
from sleuth.apps.kit.advising.book import Book
from sleuth.apps.kit.advising.session import Advising
from sleuth.games.clue import load

from ...conftest import Sleuth
from ...play.scripts import Script, run

SETUP = ["Ada Bob Cleo", "ada", "", "green rope hall stud loun libr", ""]


@pytest.fixture
def told(tmp_path: Path) -> Callable[..., str]:
    """What Ada is told who types these lines."""

    def says(*lines: str, name: str = "game.jsonl") -> str:
        script, path = Script([*SETUP, *lines], width=200), tmp_path / name
        with Book(path, ClueAdviser()) as book:
            run(Advising(ClueAdviser(), book, path.with_suffix(".json"), script))
        return script.text

    return says


def log(said: str) -> list[str]:
    return said.split("> log\n")[-1].split("\n2")[0].splitlines()


def test_a_turn_without_a_suggestion_has_a_word(
    told: Callable[..., str], tmp_path: Path, sleuth: Sleuth
) -> None:
    said = told("skip", "bob skips", "cleo", "Cleo makes no suggestion", "log")
    assert "1: Ada makes no suggestion." in said
    assert "2, Bob's turn> bob skips\n2: Bob makes no suggestion." in said
    assert "Nothing was suggested; if Cleo made no suggestion, write 'cleo skips'." in said
    assert "4, your turn> log" in said
    assert "entered before this one" not in said
    assert [event.to_json()["to"] for event in load(tmp_path / "game.json").events] == [
        "no suggestion"
    ] * 3
    assert "Bob makes no suggestion" in sleuth("analyse", tmp_path / "game.json").out


def test_a_skip_leaves_where_one_stands(told: Callable[..., str]) -> None:
    said = told("at kitchen", "skip", "bob skips", "cleo skips", "best 4")
    assert "With a roll of 4 " in said


def test_a_turn_that_nothing_was_entered_of_is_said(told: Callable[..., str]) -> None:
    said = told(
        "plum knife kitchen bob plum", "bob wh kn kitchin cleo", "cleo wh kn kit bob", "log"
    )
    after = said.split("> cleo wh kn kit bob\n")[1]
    assert "The line 'bob wh kn kitchin cleo' was refused, and is not entered." in after
    assert "No turn of Bob was entered before this one." in after
    assert "'insert 2 ...'" in after
    said = told("cleo wh kn kit nobody", name="other.jsonl")
    assert "was refused" not in said
    assert (
        "No turns of Ada and Bob were entered before this one."
        in said.split("> cleo wh kn kit nobody")[1]
    )


@pytest.mark.parametrize("line", ["insert 2 cleo skips", "change 1 bob plum knife kitchen cleo"])
def test_a_correction_that_leaves_out_a_turn_says_so(told: Callable[..., str], line: str) -> None:
    said = told("plum knife kitchen bob plum", "bob skips", line).split(f"> {line}\n")[1]
    assert " was entered before this one. If they did something, write 'insert " in said
    lines = ("cleo skips", "insert 2 bob skips", "change 3 cleo plum knife hall nobody")
    said = told("plum knife kitchen bob plum", *lines, name="right.jsonl")
    said = said.split("> insert 2 bob skips\n")[1]
    assert "before this one" not in said


def test_a_command_without_a_number_asks_for_one(told: Callable[..., str]) -> None:
    said = told("bob has plum", "change", "remove", "unsure")
    assert said.count("Which entry? Write '") == 3
    assert "Nothing has been entered yet." in told("change", "remove 1", name="none.jsonl")
    assert "got ''" not in said


def test_an_entry_can_be_put_between_others(told: Callable[..., str]) -> None:
    said = told(
        *("plum knife kitchen bob plum", "cleo wh kn kit bob", "insert 2 wh rope ball cleo"),
        *("log", "undo", "log", "insert 4 bob skips", "insert 2"),
    )
    inserted, undone = (part.split(", your")[0] for part in said.split("> log\n")[1:])
    assert "2: Bob suggests white, rope and ballroom: Cleo shows a card\n3: Cleo sugg" in inserted
    assert "2: Cleo suggests white, knife and kitchen" in undone
    assert "Taken back: Bob suggests white, rope and ballroom: Cleo shows a card." in said
    assert "No entry has this number (got '4')" in said
    assert "Nothing was written" in said


def test_an_answer_can_be_corrected_alone(told: Callable[..., str]) -> None:
    said = told(
        *("bob wh kn kit", "cleo", "cleo mus rope hall ada hall", "change 1 nobody"),
        *("change 1 ada", "change 2 me rope", "log"),
    )
    assert "1: Bob suggests white, knife and kitchen: nobody can refute." in said
    assert "You saw which card was shown; add one of white, knife or kitchen." in said
    assert "2: Cleo suggests mustard, rope and hall: Ada shows rope" in said.split("> log")[1]


def test_other_names_of_cards_may_be_begun() -> None:
    assert Reader(("Ada", "Bob")).cards("dag spa cand pist") == [
        "knife",
        "wrench",
        "candlestick",
        "revolver",
    ]
    # A player comes before another name of a card.
    reader = Reader(("Ada", "Bob", "Dagmar"), "Ada")
    assert reader.event("dag plum rope hall bob", "Bob")["by"] == "Dagmar"


def test_certainty_says_on_which_entries_it_hangs(told: Callable[..., str]) -> None:
    lines = ["plum knife kitchen bob plum", "bob wh knife kit cleo", "cleo not white",
             "cleo not knife", "why kitchen", "why plum", "why green"]  # fmt: skip
    said = told(*lines)
    assert "Certain: Bob has plum, by entry 1." in said
    assert "Certain: Cleo has kitchen, by entries 2, 3 and 4." in said
    why = said.split("> why kitchen\n")[1]
    assert why.startswith("Cleo has kitchen, by entries 2, 3 and 4.\n")
    for number in (2, 3, 4):
        assert f"If entry {number} is wrong, then who has kitchen is open: " in why
    assert "If entry 1 is wrong, then who has plum is open: " in said.split("> why plum\n")[1]
    assert "Ada has green, from the start." in said


def test_a_certain_case_file_says_on_which_entries_it_hangs(told: Callable[..., str]) -> None:
    said = told("plum wrench kitchen nobody", "ready")
    assert said.count("The case file is plum, wrench and kitchen: accuse.\nThat hangs on entry 1: "
                      "if entry 1 is wrong, then its chance is <1 %.") == 1  # fmt: skip
    assert "it is certain.\nThat hangs on entry 1" in said
    # Two proofs do not hang on one entry.
    lines = ["plum wrench kitchen nobody", "bob skips", "cleo skips", "plum wrench kitchen nobody"]
    said = told(*lines, name="other.jsonl")
    assert "no single wrong entry would change it" in said


def test_what_is_unsure_is_not_counted_until_one_is_sure(
    told: Callable[..., str], tmp_path: Path
) -> None:
    said = told(
        *("plum knife kitchen bob plum", "cleo has plum", "unsure 1", "log", "notebook"),
        *("unsure 9", "undo", "unsure 2", "sure 2", "remove 2", "sure 1"),
    )
    assert "Entries 1 and 2 cannot all be true" in said
    assert "1: Ada suggests plum, knife and kitchen: Bob shows plum (unsure, not counted)" in said
    row = next(line for line in said.split("> notebook")[1].splitlines() if "plum" in line)
    assert row.split()[1:4] == ["✗", "✗", "✓"]
    assert "No entry has this number (got '9')" in said
    assert "Taken back: 'unsure 1'." in said
    assert "Entry 1 is counted already" in said
    assert len(load(tmp_path / "game.json").events) == 1


def test_a_contradiction_of_others_names_them_whatever_is_unsure(told: Callable[..., str]) -> None:
    said = told("bob has plum", "unsure 1", "bob has knife", "cleo has knife", "notebook", "log")
    notebook = said.split("> notebook\n")[1]
    assert notebook.startswith("Entries 2 and 3 cannot all be true")
    assert "2: Bob has knife" in notebook
    assert "Until then nothing can be worked out." in notebook


@pytest.mark.parametrize("answer", ["cleo", "change 2 cleo", "change 2 bob white wrench hall cleo"])
def test_a_doubt_stays_when_the_answer_comes(told: Callable[..., str], answer: str) -> None:
    said = told("plum knife kitchen bob plum", "bob white wrench hall", "unsure 2", answer, "log",
                "sure 2")  # fmt: skip
    entered, log = said.split("> log\n")
    assert "(unsure, not counted)." in entered.split(f"> {answer}\n")[1]
    assert "2: Bob suggests white, wrench and hall: Cleo shows a card (unsure, not counted)" in log
    assert "Entry 2 is counted already" not in log


def test_what_is_not_counted_is_named_where_it_is_left_out(told: Callable[..., str]) -> None:
    said = told("plum knife kitchen bob plum", "cleo has white", "unsure 2", "report")
    report, left = said.split("> report\n")[1].split("Everything is kept")
    assert "It leaves out entry 2, of which you are not sure." in report
    assert "The game as a record, without entry 2, of which you are not sure, to analyse:" in left
