"""Beside a table of Cheat for many: a game line by line, corrections, a page, and what is kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.whole.table_phone import Phone
from sleuth.apps.cheat.for_many.advising.adviser import ManyCheatAdviser
from sleuth.apps.cheat.for_many.advising.table import ManyCheatTable
from sleuth.apps.kit.advising.book import Book
from sleuth.apps.kit.advising.session import Advising
from sleuth.data.errors import RecordError
from sleuth.games.cheat import ManyCheatRecord, cheat_for_many, rows_of_many, simulate_many

from ...conftest import Sleuth
from ...play.scripts import Script, run

SETUP = ["Ann Bob Cid", "bob", "ranks=4 suits=3", "a 2 2 4"]
EVENING = ["2 aces", "1 2 with 4", "cid calls 4", "3", "me 2 4: 2 2", "cid: 1", "why", "call"]


@pytest.fixture
def told(tmp_path: Path) -> Callable[..., str]:
    """What somebody is told who types these lines, in a file of their own."""

    def says(*lines: str, begun: bool = False, width: int = 120) -> str:
        script = Script([*(() if begun else SETUP), *lines], width=width)
        path = tmp_path / "evening.jsonl"
        with Book(path, ManyCheatAdviser()) as book:
            run(Advising(ManyCheatAdviser(), book, path.with_suffix(".json"), script))
        return " ".join(script.text.split())

    return says


def entered(*lines: str) -> tuple[ManyCheatAdviser, dict[str, object], list[dict[str, object]]]:
    """An adviser, and what these lines come to."""
    adviser = ManyCheatAdviser()
    settings: dict[str, object] = {}
    for key, line in zip(adviser.keys, SETUP, strict=True):
        settings[key] = adviser.set_up(key, line, settings)
        adviser.refuse_setting(key, settings)
    entries: list[dict[str, object]] = []
    for line in lines:
        said = adviser.read(line, settings, entries)
        entries[(len(entries) if said.number is None else said.number - 1) :] = [{**said.entry}]
    return adviser, settings, entries


def test_an_evening_is_told_line_by_line(told: Callable[..., str]) -> None:
    text = told(*EVENING, "claims", "hands", "play", "table", "log", "quit")
    assert "1, Ann claims, ace" in text
    assert "true (" in text
    assert "a call pays below 33 %" in text
    assert "write 'pile' and which they are" in text
    assert "'change N pile ...'" in text
    assert "1: Ann claims 2 of ace" in text


def test_the_pile_that_somebody_takes_completes_the_call(told: Callable[..., str]) -> None:
    text = told(*EVENING[:3], "pile 3 4 4", "table", "quit")
    assert "3: Cid calls 4 pile 3 4 4." in text
    assert "Your cards: ace 2 2 3 4 4." in text
    _, settings, entries = entered(*EVENING[:3], "pile 3 4 4")
    table = ManyCheatTable.of(settings, entries)
    assert table.knows
    assert table.hand == (1, 2, 1, 2)


def test_lines_are_understood_as_the_log_says_them() -> None:
    adviser, settings, entries = entered(*EVENING[:3], "pile 3 4 4", "cid 1 with 2", "nobody")
    again: list[dict[str, object]] = []
    for entry in entries:
        said = adviser.read(adviser.sentence(settings, entry), settings, again)
        again.append({**said.entry})
    assert again == entries


@pytest.mark.parametrize(
    "line, words",
    [
        ("2 kings", "the highest is 4"),
        ("eve 2 aces", "no such player"),
        ("cid 2 aces", "write 'Ann'"),
        ("ann", "what do they do"),
        ("ann some aces", "how many cards"),
        ("cid calls", "there is no claim"),
        ("pile 4 4", "pile"),
        ("ann 5 aces", "at most"),
        ("ann 1 knave", "no such rank"),
    ],
)
def test_what_means_nothing_is_refused(line: str, words: str) -> None:
    adviser, settings, entries = entered()
    with pytest.raises(RecordError) as caught:
        adviser.read(line, settings, entries)
    assert words in str(caught.value)


def test_an_own_claim_needs_its_cards() -> None:
    adviser, settings, entries = entered("2 aces")
    with pytest.raises(RecordError, match="which cards do you lay down"):
        adviser.read("2 2", settings, entries)
    with pytest.raises(RecordError, match="Bob holds 1 cards of this rank"):
        adviser.read("2 2 with a a", settings, entries)
    assert adviser.read("2 2 with true", settings, entries).entry["cards"] == ["2", "2"]


def test_a_correction_that_makes_a_later_line_wrong_is_named(told: Callable[..., str]) -> None:
    told("2 aces", "1 2 with 4", "cid 1", "quit")
    text = told("change 2 bob 2 2 with 2 2", "change 1 4 aces", "undo", "log", "quit", begun=True)
    assert "2: Bob claims 2 of 2 with 2 2" in text
    assert "Ann can lay down at most 3 cards" in text


def test_what_is_kept_is_analysed_and_learned_from(
    told: Callable[..., str], sleuth: Sleuth, tmp_path: Path
) -> None:
    told(*EVENING[:3], "pile 3 4 4", "cid 1", "ann calls true", "quit")
    kept = tmp_path / "evening.json"
    record = ManyCheatRecord.load(kept)
    assert record.viewers() == ("Bob", "spectator")
    assert json.loads(kept.read_text())["settings"] == {"ranks": 4, "suits": 3}
    found = sleuth("analyse", kept, "--predictor", "none", "--json").json()
    assert (found["viewer"], len(found["claims"])) == ("Bob", 3)
    assert len(rows_of_many([record])) == 2


def test_altering_what_is_hidden_changes_no_advice() -> None:
    (whole,) = simulate_many(3, seed=2, games=1, game=cheat_for_many(players=3, ranks=4, suits=3))
    me, words = 1, []
    for turn in whole.turns[:6]:
        who = whole.players[turn.by]
        if turn.kind == "call":
            break
        # Nothing of the others' cards is ever typed: what is told depends on these lines alone.
        words.append((who, turn))
    settings = {
        "players": [*whole.players], "me": whole.players[me], "rules": {"ranks": 4, "suits": 3},
        "hand": [["ace", "2", "3", "4"][rank] for rank in (whole.hands[me] or ())],
    }  # fmt: skip
    adviser, entries = ManyCheatAdviser(), []
    names = ["ace", "2", "3", "4"]
    for who, turn in words:
        entry = {"type": "claim", "by": who, "rank": names[turn.rank], "count": turn.count}
        if turn.by == me:
            entry["cards"] = [names[card] for card in turn.cards or ()]
        entries.append(entry)
    assert entries
    adviser.refuse(settings, entries, len(entries))
    table = ManyCheatTable.of(settings, entries)
    seen = whole.seen_by(whole.players[me], turns=len(entries))
    assert table.record.seen_by(whole.players[me]) == seen
    assert adviser.news(settings, entries, []) == adviser.news(settings, entries, entries)


def test_a_game_is_entered_by_touches_in_the_browser(tmp_path: Path) -> None:
    phone = Phone(tmp_path, "cheat_for_many")
    phone.fill("set players", {"line": "Ann Bob Cid"})
    phone.touch("set me Bob")
    phone.fill("set hand", {"line": "a 2 3 4 5 6 7 8 9 10 j q k a 2 3 4"})
    phone.touch("do line Ann 2 ace")
    phone.touch("do line Bob 1 2")
    phone.touch("do word 2")
    assert [entry["by"] for entry in phone.sitting.log.entries] == ["Ann", "Bob"]
    shown = " ".join(str(part) for part in phone.panel("claims").parts)
    assert "Ann: 2" in shown
    phone.close()
