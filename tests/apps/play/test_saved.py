"""Kept games: they go on as they would have gone on, and damaged ones are refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sleuth import Play, game
from sleuth.apps.play.saved import YOU, load, save
from sleuth.errors import RecordError, SettingsError
from sleuth.kit import PlayRecord

Change = Callable[[dict[str, Any]], object]


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    play = Play.new(game("scotland_yard", seekers=2), seed=5)
    play.apply(int(play.legal()[0]))
    path = tmp_path / "game.json"
    save(path, play, (YOU, "random", "mcts:simulations=10"))
    return path


def test_a_kept_game_is_a_play_record_that_says_who_plays(kept: Path) -> None:
    found = load(kept)
    assert found.seats == (YOU, "random", "mcts:simulations=10")
    assert found.play.record() == PlayRecord.load(kept)
    assert len(found.play.actions) == 1


def test_a_record_of_another_source_does_not_say_who_plays(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    Play.new(game("kuhn_poker"), seed=5).record().save(path)
    assert load(path).seats is None


def test_how_long_actions_took_is_kept_where_it_is_known(kept: Path) -> None:
    found = load(kept)
    assert found.seconds == ()
    assert "seconds" not in kept.read_text("utf-8")
    for seconds in ((2.25,), (0.1 + 0.2,), (3,)):
        save(kept, found.play, found.seats or (), seconds)
        assert load(kept).seconds == seconds
    save(kept, found.play, found.seats or (), (None,))
    assert load(kept).seconds == ()


DAMAGED: list[tuple[str, Change]] = [
    ("a field is missing", lambda r: r.pop("actions")),
    ("no such game", lambda r: r.update(game="scotland")),
    ("another game", lambda r: r.update(version=99)),
    ("no such setting", lambda r: r["settings"].update(stations=3)),
    ("1 to 5|from 1 to 5|seekers", lambda r: r["settings"].update(seekers=99)),
    ("settings", lambda r: r["settings"].update(reveals=7)),
    ("settings|three numbers", lambda r: r["settings"].update(seeker_tickets=None)),
    ("must be a whole number", lambda r: r["settings"].update(rounds=9.0)),
    ("another game", lambda r: r["settings"].pop("edition")),
    ("how a game with this seed begins", lambda r: r.update(seed=6)),
    ("how a game with this seed begins", lambda r: r["start"]["stations"].__setitem__(0, 5000)),
    ("how a game with this seed begins", lambda r: r["start"].pop("log")),
    ("not legal", lambda r: r.update(actions=[1801])),
    ("not legal", lambda r: r.update(actions=[*r["actions"], 10**30])),
    ("whole number", lambda r: r.update(actions=[1.5])),
    ("whole numbers", lambda r: r.update(actions="0")),
    ("who plays each role", lambda r: r["played_by"].pop("hider")),
    ("who plays each role", lambda r: r.update(played_by=[YOU])),
    ("an agent, or 'you'", lambda r: r["played_by"].update(hider=7)),
    ("did you mean 'played_by'", lambda r: r.update(playd_by=r.pop("played_by"))),
    ("for each action its seconds", lambda r: r.update(seconds=[])),
    ("for each action its seconds", lambda r: r.update(seconds=3)),
    ("for each action its seconds", lambda r: r.update(seconds=[1.0, 2.0])),
    ("for each action its seconds", lambda r: r.update(seconds=[True])),
    ("for each action its seconds", lambda r: r.update(seconds=[-1])),
    ("for each action its seconds", lambda r: r.update(seconds=["4"])),
    ("for each action its seconds", lambda r: r.update(seconds=[10**30])),
    ("no role of this game is played by a person", lambda r: r["played_by"].update(hider="random")),
]


@pytest.mark.parametrize("message, change", DAMAGED)
def test_a_damaged_file_is_refused(kept: Path, message: str, change: Change) -> None:
    record = json.loads(kept.read_text("utf-8"))
    change(record)
    kept.write_text(json.dumps(record), "utf-8")
    with pytest.raises(RecordError, match=message) as refused:
        load(kept)
    assert str(kept) in str(refused.value)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"game": "kuhn_poker"}', "\x00"])
def test_what_is_no_record_is_refused(kept: Path, text: str) -> None:
    kept.write_text(text, "utf-8")
    with pytest.raises(RecordError):
        load(kept)


def test_half_a_file_is_refused(kept: Path) -> None:
    whole = kept.read_bytes()
    for length in range(0, len(whole) - 2, 37):
        kept.write_bytes(whole[:length])
        with pytest.raises(RecordError):
            load(kept)


def test_a_game_that_cannot_be_written_leaves_what_was_there(kept: Path, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be written"):
        save(tmp_path / "nowhere" / "game.json", load(kept).play, (YOU, YOU, YOU))
