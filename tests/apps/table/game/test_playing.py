"""Whole games by lines alone: every game, with servers that are killed and lines said twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

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
