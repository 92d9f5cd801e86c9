"""One loop reads at every prompt: help, back, setup and quit are understood at each of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sleuth import Play, game
from sleuth.apps.clue.advising.adviser import ClueAdviser
from sleuth.apps.kit.advising.book import Book
from sleuth.apps.kit.advising.session import Advising
from sleuth.apps.kit.records.opening import files_of
from sleuth.apps.play.recording import Recording
from sleuth.games.cheat import cheat

from ..play.scripts import Script, run, told

SETUP = ["Ada Bob Cleo", "ada", "", "green rope hall stud loun libr", ""]


@pytest.fixture
def advised(tmp_path: Path) -> Callable[..., str]:
    """What somebody is told beside a table of Clue who types these lines."""

    def says(*lines: str, name: str = "game.jsonl") -> str:
        script = Script(lines, width=200)
        path = tmp_path / name
        with Book(path, ClueAdviser()) as book:
            run(Advising(ClueAdviser(), book, path.with_suffix(".json"), script))
        return script.text

    return says


@pytest.mark.parametrize("place", range(len(SETUP)))
def test_all_words_are_understood_at_every_question(
    advised: Callable[..., str], place: int
) -> None:
    said = advised(*SETUP[:place], "help", "setup", "quit", "log")
    assert "You are asked for: " in said
    assert "?." not in said
    assert "go back to what was asked before" in said
    assert "To change it, write 'setup' and one of edition, players, me" in said
    assert "log" not in said.split("> quit\n")[1]


def test_names_may_stand_in_a_sentence_and_are_said_back(advised: Callable[..., str]) -> None:
    for line, names in (
        ("Ana, Ben, Cara and Dan", ["Ana", "Ben", "Cara", "Dan"]),
        ("Ana Ben & Cara", ["Ana", "Ben", "Cara"]),
        ("Ana, Dan Brown, and Cara", ["Ana", "Dan Brown", "Cara"]),
        ("Ana and Ben", ["Ana", "Ben"]),
        ("Andy Sandra", ["Andy", "Sandra"]),
        ("Anna; Ben; Cara; Dan; Eve", ["Anna", "Ben", "Cara", "Dan", "Eve"]),
        ("we are Ida Jon and Kim", ["Ida", "Jon", "Kim"]),
        ("The players are Lea, Max", ["Lea", "Max"]),
        ("players: Ned, Ole, Pia", ["Ned", "Ole", "Pia"]),
    ):
        said = advised(line, "2", "setup", "quit", name=f"{names[1]}{len(names)}.jsonl")
        listed = "".join(f"  {place} {name}\n" for place, name in enumerate(names, 1))
        assert f"> {line}\n{listed}which of them are you?> 2\n" in said
        assert f"me: {names[1]}" in said


def test_a_question_can_be_asked_again_before_all_are_answered(
    advised: Callable[..., str],
) -> None:
    said = advised("Ada Bob", "back", "Ada Bob Cleo", "bob", "back", "ada", "", "back", "", "quit")
    # Who names the players at once is asked for the box alone.
    assert said.count("which box") == 1
    assert said.count("players in turn order") == 1
    assert said.count("which of them are you?") == 3
    assert "cards of Ada, Bob, Cleo, or 'unknown' (empty: as it was)>" in said
    assert "This is the first question." in advised("back", "quit", name="b.jsonl")
    said = advised("Ada Bob", "a", "setup players", "Ada Bob Cleo Dan", "setup", name="c.jsonl")
    assert "cards of Ada, Bob, Cleo, Dan" in said
    assert "players: Ada, Bob, Cleo, Dan\nme: Ada\n" in said


def test_of_a_game_that_goes_on_all_that_was_set_up_can_be_mended(
    advised: Callable[..., str],
) -> None:
    """Another number of players changes what cards they hold, which is asked for again."""
    advised(*SETUP, "bob plum knife kitchen cleo")
    said = advised("setup players", "Ada Bob Cleo Dan", "5 5 4 4", "green rope hall stud loun",
                   "bob plum knife hall", "setup")  # fmt: skip
    assert "What this changes is asked for again: sizes" in said
    assert "cards of Ada, Bob, Cleo, Dan, or 'unknown' (empty: 5 5 4 4)>" in said
    assert "your 5 cards>" in said
    assert "sizes: 5, 5, 4, 4\nfaceup: none\nhand: green, rope, lounge, hall, study" in said
    assert "1: Bob suggests plum, knife and kitchen: Cleo shows a card" in advised("log")
    # What was left unfinished is asked for when the game goes on.
    advised("setup players", "Ada Bob")
    said = advised("9 9", "quit")
    undo = "set up anew, but not to the end; 'undo' takes it back.\n"
    assert f"{undo}cards of Ada, Bob, or 'unknown' (empty: 9 9)>" in said
    assert "numbers are needed" not in said
    assert "your 9 cards" in said
    # One step back takes back all that had to be asked again for it.
    advised("gre rop hall stud loun lib kni mus scar")
    said = advised("undo", "setup", "log")
    assert "Taken back: 'setup players'." in said
    assert "players: Ada, Bob, Cleo, Dan" in said


def test_another_player_is_asked_for_their_own_cards(advised: Callable[..., str]) -> None:
    said = advised(*SETUP, "setup me", "bob", "", "gre rop hall stud loun kitch", "setup", "undo",
                   "setup")  # fmt: skip
    mended, taken_back = said.split("> undo\n")
    assert mended.count("your 6 cards>") == 3
    assert "me: Bob\nsizes: 6, 6, 6\nfaceup: none\nhand: green, rope, kitchen, lounge" in mended
    assert "me: Ada" in taken_back
    assert "hand: green, rope, library, lounge, hall, study" in taken_back


def test_numbers_of_cards_do_not_pass_to_whoever_sits_there_now(
    advised: Callable[..., str],
) -> None:
    hand = "gre rop hall stud loun"
    said = advised("Ada Bob Cleo Dan", "ada", "5 5 4 4", hand, "", "setup players",
                   "Cleo Dan Ada Bob", "4 4 5 5", "setup")  # fmt: skip
    assert "cards of Cleo, Dan, Ada, Bob, or 'unknown' (empty: 5 5 4 4)>" in said
    assert "sizes: 4, 4, 5, 5\n" in said


def test_what_was_set_up_anew_is_taken_back_question_by_question(
    advised: Callable[..., str],
) -> None:
    smaller = ("setup sizes", "7 6 5")
    for word in ("back", "undo"):
        said = advised(*SETUP, *smaller, word, *(["back"] if word == "back" else []), "setup",
                       name=f"{word}.jsonl")  # fmt: skip
        assert said.count("your 7 cards>") == 1
        asked = "cards of Ada, Bob, Cleo, or 'unknown' (empty: as it was)>"
        assert said.count(asked) == 1 + (word == "back")
        assert "sizes: 6, 6, 6\nfaceup: none\nhand: green, rope" in said
        assert "No such" not in said
    assert "Taken back: 'setup sizes'." in said


def test_a_name_of_ones_own_that_was_mended_can_be_taken_back(
    advised: Callable[..., str],
) -> None:
    for word in ("undo", "back"):
        said = advised(*SETUP, "plum knife kitchen bob plum", "setup players", "Adda Bob Cleo",
                       word, "why plum", name=f"{word}.jsonl")  # fmt: skip
        assert "cannot be true" not in said
        assert "Bob has plum, by entry 1." in said.split(f"> {word}\n")[1]


def test_an_entry_of_nobody_can_be_removed(advised: Callable[..., str]) -> None:
    """What was known before it was removed cannot be worked out: that is no contradiction."""
    said = advised(*SETUP, "bob plum knife kitchen cleo", "setup players", "Ada Cleo", "",
                   "gre rop hall stud loun lib kni mus scar", "remove 1")  # fmt: skip
    assert said.count("cannot be true") == 1
    assert "Case file: " in said.split("> remove 1\n")[1]


def test_a_player_who_was_misspelt_is_renamed_in_all_entries(advised: Callable[..., str]) -> None:
    said = advised(
        *SETUP, "bob plum knife kitchen cleo", "cleo has white", "setup players", "Ada Rob Cleo",
        "log", "rob not scarlet", "back", "back", "log",
    )  # fmt: skip
    renamed, back = (part.split("\n\n")[0] for part in said.split("> log\n")[1:])
    assert renamed.startswith("1: Rob suggests plum, knife and kitchen: Cleo shows a card")
    assert "Rob does not have scarlet" in renamed
    assert back.startswith("1: Bob suggests plum, knife and kitchen: Cleo shows a card")


def test_an_entry_of_somebody_who_plays_no_more_waits_to_be_corrected(
    advised: Callable[..., str],
) -> None:
    said = advised(
        *SETUP, "bob plum knife kitchen cleo", "setup players", "Ada Cleo", "9 9",
        "gre rop hall stud loun lib kni mus scar", "log", "cleo not rope", "remove 1", "log",
    )  # fmt: skip
    assert "Entry 1 cannot be true, by what was set up and the rules:" in said
    assert "1: Bob plum knife kitchen Cleo" in said
    assert said.split("> log\n")[2].startswith("1: Cleo does not have rope")


def test_before_the_first_entry_back_asks_the_last_question_again(
    advised: Callable[..., str],
) -> None:
    said = advised(*SETUP, "back", "2", "setup")
    assert "dice on the board: 1 or 2 (empty: as it was)> 2" in said
    assert "dice: 2" in said


def test_in_a_play_all_words_are_understood_at_every_prompt(tmp_path: Path) -> None:
    said = told(Play.new(game("kuhn_poker"), seed=4), (0,), ["help", "back", "setup", "quit"])
    assert "You cannot take a move back, because you have already seen" in said
    assert "You play first. random plays second." in said.split("> setup\n")[1]
    assert "nothing is saved" in said
    record = Recording(tmp_path / "records.jsonl", files_of("cheat"))
    lines = ["help", "setup", "quit", "take"]
    said = told(Play.new(cheat(), seed=4), (0,), lines, recording=record)
    assert said.count("When the game is over, all its cards") == 2
    assert f"Games are recorded in {record.path}" in said.replace("\n", "")
    assert "take" not in said.split("> quit\n")[1]
    assert not record.path.exists()
