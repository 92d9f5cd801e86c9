"""Journals beside a game that somebody edited: each line is read as what it can be, or refused."""

from __future__ import annotations

import contextlib
import copy
import errno
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sleuth import SleuthError
from sleuth.apps.clue.advising.adviser import ClueAdviser
from sleuth.apps.kit.advising.book import Book
from sleuth.apps.kit.advising.session import Advising
from sleuth.apps.scotland_yard.advising.adviser import HuntAdviser
from sleuth.data.disk import growing
from sleuth.errors import RecordError

from ...play.scripts import Script, run

TRIED = int(os.environ.get("SLEUTH_FUZZ", "0")) // 50 or 40
CLUE: list[Any] = [
    {"advice": "clue", "schema": 1},
    {"set": {"players": ["Ada", "Bob", "Cleo"]}},
    {"set": {"me": "Ada"}},
    {"set": {"sizes": [6, 6, 6]}},
    {"set": {"faceup": []}},
    {"set": {"hand": ["green", "rope", "lounge", "library", "hall", "study"]}},
    {"set": {"dice": 1}},
    {"set": {"rules": ["again", "summons"]}},
    {"add": {"type": "suggest", "by": "Ada", "cards": ["plum", "knife", "kitchen"],
             "refuter": "Bob", "shown": "plum"}},
    {"add": {"type": "suggest", "by": "Bob", "cards": ["white", "rope", "hall"],
             "refuter": "not recorded", "passed": []}},
    {"change": 2, "to": {"type": "suggest", "by": "Bob", "cards": ["white", "rope", "hall"],
                         "refuter": "Cleo", "shown": None}},
    {"add": {"type": "move", "by": "Ada", "to": "17 8"}, "before": 1},
    {"add": {"type": "has", "player": "Cleo", "card": "knife"}},
    {"change": 4, "to": {"type": "has", "player": "Cleo", "card": "knife", "unsure": True}},
    {"set": {"players": ["Ada", "Rob", "Cleo"]}, "renamed": {"Bob": "Rob"}},
    {"undo": True},
    {"set": {"me": "Bob"}, "unset": ["hand"]},
    {"set": {"hand": ["green", "rope", "lounge", "library", "kitchen", "study"]}},
    {"undo": True},
]  # fmt: skip
HUNT: list[Any] = [
    {"advice": "scotland_yard", "schema": 1},
    {"set": {"seekers": [13, 26]}},
    {"set": {"black_fares": 2}},
    {"set": {"rules": {"rounds": 22, "reveals": [3, 8]}}},
    {"add": {"by": "hider", "ticket": "taxi"}},
    {"add": {"by": "seeker 1", "ticket": "taxi", "to": 23}},
    {"add": {"by": "seeker 2", "ticket": "taxi", "to": 39}},
    {"change": 1, "to": {"by": "hider", "ticket": "bus"}},
]
GAMES = {"clue": (ClueAdviser(), CLUE), "scotland_yard": (HuntAdviser(), HUNT)}
ASKED = {
    "clue": ["log", "why plum", "setup", "plum knife kitchen bob plum", "undo", "quit"],
    "scotland_yard": ["log", "pieces", "setup", "taxi", "undo", "quit"],
}


def opened(path: Path, name: str, lines: list[Any]) -> str:
    """What a person is told who goes on with such a journal, and asks this and that."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    adviser, script = GAMES[name][0], Script(ASKED[name], width=200)
    with Book(path, adviser) as book:
        run(Advising(adviser, book, path.with_suffix(".json"), script))
    return script.text


@pytest.mark.parametrize("name", GAMES)
def test_a_journal_is_read_line_by_line(tmp_path: Path, name: str) -> None:
    assert "Everything is kept." in opened(tmp_path / "game.jsonl", name, GAMES[name][1])


WRONG: list[tuple[str, int, Any, str]] = [
    (
        "clue",
        5,
        {"set": {"faceup": 3}},
        "cannot be read: this must be a list",
    ),
    ("clue", 4, {"set": {"sizes": [6, 6, "6"]}}, "line 4, field 'sizes', item 3"),
    ("clue", 6, {"set": {"hand": [3]}}, "line 6, field 'hand', item 1"),
    ("clue", 6, {"set": {"edition": "moon"}}, "no such edition"),
    ("clue", 6, {"set": {"edition": {"name": "x", "cards": 3}}}, "line 6, cards"),
    ("clue", 2, {"set": {"players": ["Ada", "cf"]}}, "a meaning of its own"),
    ("clue", 3, {"set": {"mine": "Ada"}}, "nothing of this name is set up"),
    (
        "clue",
        9,
        {"add": {"type": "suggest"}},
        "cannot be read: the field 'by' is miss",
    ),
    ("clue", 9, {"add": {"type": ["suggest"]}}, "line 9"),
    ("clue", 9, {"add": 3}, "an entry is a JSON object"),
    ("clue", 9, {"add": {"type": "has", "player": "Bob", "card": "rope", "unsure": 1}}, "true is"),
    ("clue", 9, {"change": 10**40, "to": None}, "no entry has this number"),
    ("clue", 15, {"set": {"players": ["Ada", "Rob"]}, "renamed": {"Bob": 3}}, "names are needed"),
    ("clue", 15, {"set": {"me": "Bob"}, "unset": [3]}, "a list of names is needed"),
    ("clue", 15, {"set": {"me": "Bob"}, "unset": "hand"}, "a list of names is needed"),
    ("clue", 15, {"set": ["players"]}, "this is no step of a game"),
    ("scotland_yard", 4, {"set": {"rules": [3]}}, "line 4, field 'rules'"),
    ("scotland_yard", 4, {"set": {"rules": {"lives": 3}}}, "no such setting"),
    ("scotland_yard", 2, {"set": {"seekers": ["13"]}}, "line 2, field 'seekers', item 1"),
    ("scotland_yard", 5, {"add": {"by": "hider", "ticket": 3}}, "line 5, field 'ticket'"),
]


@pytest.mark.parametrize(
    "name, place, line, said", WRONG, ids=[str(each[2])[:40] for each in WRONG]
)
def test_a_line_that_is_no_step_is_named(
    tmp_path: Path, name: str, place: int, line: Any, said: str
) -> None:
    lines = [*GAMES[name][1][: place - 1], line, *GAMES[name][1][place:]]
    with pytest.raises(RecordError) as refused:
        opened(tmp_path / "game.jsonl", name, lines)
    assert said in str(refused.value)
    assert f"game.jsonl, line {place}" in str(refused.value)


STRANGE = (None, True, -1, 0, 3, 10**30, 1.5, "", "Zed", "not recorded", [], {}, ["Zed"], [[]])


def mutated(lines: list[Any], rng: np.random.Generator) -> list[Any]:
    """A journal in which somebody changed a value, a key, or the order of lines."""
    made = copy.deepcopy(lines)
    place = int(rng.integers(1, len(made)))
    match rng.integers(4):
        case 0:
            del made[place]
        case 1:
            made.insert(place, copy.deepcopy(made[int(rng.integers(1, len(made)))]))
        case _:
            parts = [*_parts(made[place])]
            where, key = parts[int(rng.integers(len(parts)))]
            if rng.random() < 0.2 and isinstance(where, dict):
                where[str(rng.choice(["by", "cards", "to", "Zed"]))] = where.pop(key)
            else:
                where[key] = STRANGE[int(rng.integers(len(STRANGE)))]
    return made


def _parts(value: Any) -> Iterator[tuple[Any, Any]]:
    keys = value if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield value, key
        if isinstance(value[key], (dict, list)):
            yield from _parts(value[key])


@pytest.mark.parametrize("name", GAMES)
def test_an_edited_journal_is_refused_or_a_game(tmp_path: Path, name: str) -> None:
    rng, refused = np.random.default_rng(1), 0
    for number in range(TRIED):
        said = ""
        with contextlib.suppress(SleuthError):
            said = opened(tmp_path / f"{number}.jsonl", name, mutated(GAMES[name][1], rng))
        refused += not said
    assert 0 < refused < TRIED


@pytest.mark.parametrize("digits", ["9" * 5_000, "0" * 5_000 + "1", "²", "-1"])
def test_numbers_of_any_length_are_answered(tmp_path: Path, digits: str) -> None:
    lines = [f"{word} {digits}" for word in ("change", "remove", "insert", "unsure", "best", "at")]
    path = tmp_path / "game.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in CLUE[:9]))
    with Book(path, ClueAdviser()) as book:
        run(Advising(ClueAdviser(), book, tmp_path / "game.json", Script(lines)))
    path = tmp_path / "hunt.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in HUNT))
    with Book(path, HuntAdviser()) as book:
        lines = [digits, f"t {digits}", f"was {digits}", f"map {digits}", f"why {digits}"]
        run(Advising(HuntAdviser(), book, tmp_path / "hunt.json", Script(lines)))


def test_undo_reaches_back_before_what_was_set_up_later(tmp_path: Path) -> None:
    """Journals of an older version lack what is asked for today."""
    path = tmp_path / "game.jsonl"
    old = [line for line in CLUE[:9] if line.get("set", {}).keys().isdisjoint({"dice", "rules"})]
    path.write_text("".join(json.dumps(line) + "\n" for line in old))
    script = Script(["2", "undo", "setup", "bob skips", "undo", "undo", "log"], width=200)
    with Book(path, ClueAdviser()) as book:
        run(Advising(ClueAdviser(), book, tmp_path / "game.json", script))
    assert "Taken back: Ada suggests plum, knife and kitchen: Bob shows plum." in script.text
    assert "dice: 2\nrules: again, summons" in script.text
    assert "There is nothing to take back." in script.text
    assert "Nothing has been entered yet." in script.text


def test_on_a_full_disk_the_line_that_was_not_kept_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, usual = tmp_path / "game.jsonl", os.write
    lines = [*CLUE[:9], {"set": {"edition": "classic"}}]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    before = path.read_bytes()

    def full(handle: int, content: bytes) -> int:
        # Some of it has room.
        if len(content) <= 10:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return usual(handle, content[:10])

    script = Script(["bob not plum", "log"], width=200)
    with Book(path, ClueAdviser()) as book:
        with monkeypatch.context() as patched:
            patched.setattr(growing.os, "write", full)
            run(Advising(ClueAdviser(), book, tmp_path / "game.json", script))
        assert "this is not kept: no space left on device" in script.text
        assert "make room for it, and try again" in script.text
        assert "1: Ada suggests plum" in script.text.split("> log\n")[1]
        assert "2: " not in script.text.split("> log\n")[1]
        assert "All is kept but 'bob not plum'. To go on, type" in script.text
        assert "Everything is kept" not in script.text
        assert path.read_bytes() == before
        # As soon as there is room, all goes on.
        again = Script(["bob not plum"], width=200)
        run(Advising(ClueAdviser(), book, tmp_path / "game.json", again))
        assert "Everything is kept." in again.text
    assert path.read_bytes().startswith(before)
    assert json.loads(path.read_text().splitlines()[-1])["add"]["card"] == "plum"
