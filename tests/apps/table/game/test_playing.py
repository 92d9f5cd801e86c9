"""Whole games by lines alone: every game, with servers that are killed and lines said twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sleuth.apps.kit.answers.values import Paragraph
from sleuth.apps.kit.display import Sight
from sleuth.data.errors import SettingsError
from sleuth.models.game import SPECTATOR
from sleuth.models.games import entry

from .played import PlayedTable, play_on

ROOT = Path(__file__).parents[4]
LIARS_DICE = f"{ROOT / 'examples' / 'your_own_game.py'}:GAME"
#: Games with the settings that keep them short.
GAMES: dict[str, dict[str, str]] = {
    "cheat": {"set rounds": "6"},
    "clue": {"set turns": "6"},
    "clue_table": {"set turns": "6"},
    "kuhn_poker": {},
    "leduc_poker": {},
    "phantom_tic_tac_toe": {},
    "saboteur": {"set players": "3"},
    "scotland_yard": {"set seekers": "2", "set rounds": "5"},
    "tic_tac_toe": {},
    LIARS_DICE: {},
}
SEATS = {f"seat {role}": "random" for role in range(1, 6)}


def table_of(folder: Path, game: str, **blanks: str) -> PlayedTable:
    """A game that has begun, against agents that play at random."""
    if ".py" in game:
        entry(game)
    table = PlayedTable(folder, game)
    if GAMES.get(game):
        table.say("rules", **GAMES[game])
    table.begin(**{**SEATS, "seat 0": "a person here", "seed": "5", **blanks})
    return table


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.rpartition(":")[2])
def test_a_game_is_the_same_whatever_happens_to_the_server(tmp_path: Path, game: str) -> None:
    smooth = table_of(tmp_path / "smooth", game)
    play_on(smooth, seed=1)
    rough = table_of(tmp_path / "rough", game)
    play_on(rough, seed=1, trouble=True)
    played = smooth.sitting.course.playing
    assert rough.sitting.course.playing.record() == played.record()
    assert played.over
    assert len(rough.sitting.file.steps) == len(smooth.sitting.file.steps)
    for table in (smooth, rough):
        assert "record.json" in table.words()
        record = json.loads(table.sitting.download(0, "record.json").here())
        assert record == played.record().to_json()
        table.lobby.close()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.rpartition(":")[2])
def test_a_device_where_nobody_plays_shows_what_everybody_saw(tmp_path: Path, game: str) -> None:
    away = {f"seat {role}": "a person on device 2" for role in range(6)}
    table = table_of(tmp_path, game, **{**away, "seat 0": "a person on device 3"})
    course = table.sitting.course
    for number in range(4):
        if course.over:
            break
        mover = course.mover
        assert mover is not None
        table.sitting.eyes(mover.device).roles = mover.roles
        legal = course.sight(mover).view.legal().tolist()
        table.say(f"move {legal[number % len(legal)]} {course.at}", mover.device)
    sight = Sight.of(course.playing, SPECTATOR, ())
    seen = course.name.display().happened(sight, 0)
    assert seen
    for seat in (0, 4):
        (log,) = table.panel("log", seat).parts
        assert isinstance(log, Paragraph)
        assert len(log.text.split("\n")) == len(seen)
        assert not table.sitting.jobs(seat)
        with pytest.raises(SettingsError):
            table.say(f"move 0 {course.at}", seat)
