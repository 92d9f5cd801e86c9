"""The converter of Ledford's games."""

from __future__ import annotations

import copy
import json
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import pytest

from sleuth.data.files import shipped
from sleuth.errors import RecordError
from sleuth.games.clue import Accusation, Suggestion, load
from sleuth.models.clue.record.ledford import convert, main

COLLECTION: dict[str, Any] = {
    "source": "a log",
    "games": [
        {
            "game": 7,
            "envelope": ["dining room", "white", "wrench"],
            "face_up": ["mustard", "rope"],
            "hands": {
                "Player1": ["ballroom", "conservatory", "green", "kitchen"],
                "Player2": ["revolver", "scarlet", "peacock", "lounge"],
                "Player3": ["candlestick", "hall", "billiard room", "library"],
                "Player4": ["lead pipe", "plum", "study", "knife"],
            },
            "events": [
                {
                    "type": "suggest",
                    "by": "Player1",
                    "cards": ["scarlet", "knife", "hall"],
                    "refuter": "Player2",
                    "could_show": ["scarlet"],
                },
                {
                    "type": "suggest",
                    "by": "Player2",
                    "cards": ["white", "wrench", "lounge"],
                    "refuter": None,
                },
                {"type": "accuse", "by": "Player2"},
                {
                    "type": "accuse",
                    "by": "Player3",
                    "cards": ["white", "wrench", "dining room"],
                    "correct": True,
                },
            ],
            "turns_taken": 82,
        }
    ],
}


def test_a_game_becomes_a_full_record_in_which_the_cards_shown_are_unknown():
    record = convert(COLLECTION)[7]
    assert record.kind == "full"
    assert record.players == ("Player1", "Player2", "Player3", "Player4")
    assert record.case_file == ("white", "wrench", "dining room")
    assert record.face_up == ("mustard", "rope")
    assert record.source == "a log"
    assert record.events == (
        Suggestion("Player1", ("scarlet", "knife", "hall"), refuter="Player2"),
        Suggestion(
            "Player2",
            ("white", "wrench", "lounge"),
            passed=("Player3", "Player4", "Player1"),
        ),
        Accusation("Player3", ("white", "wrench", "dining room"), True),
    )


@pytest.mark.parametrize(
    "path, value, complaint",
    [
        (("games",), 3, "the collection, field 'games': this must be a list"),
        (("games", 0), 3, "game 1 of the collection: .*JSON object"),
        (("games", 0, "game"), "7", "field 'game': this must be a whole number"),
        (("games", 0, "hands"), None, "'hands'"),
        (("games", 0, "hands", "Player1"), None, "game 1 of the collection, field 'hands'"),
        (("games", 0, "events"), {}, "field 'events': this must be a list"),
        (("games", 0, "envelope"), ["hall", "white", "wrench"], "game 1 of the collection"),
        (("games", 0, "events", 0, "refuter"), "Player3", "game 1 of the collection: event 1"),
        (("source",), 3, "field 'source'"),
    ],
)
def test_a_collection_of_another_form_is_refused(
    path: tuple[Any, ...], value: object, complaint: str
):
    collection: Any = copy.deepcopy(COLLECTION)
    inner = collection
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    with pytest.raises(RecordError, match=complaint):
        convert(collection)


def test_one_record_is_written_per_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = tmp_path / "collection.json"
    source.write_text(json.dumps(COLLECTION), encoding="utf-8")
    assert main([str(source), str(tmp_path / "out")]) == 0
    assert load(tmp_path / "out" / "ledford_07.json") == convert(COLLECTION)[7]
    source.write_text("[]", encoding="utf-8")
    assert main([str(source), str(tmp_path / "other")]) == 2
    assert "JSON object" in capsys.readouterr().err
    assert main([]) == 2
    assert not (tmp_path / "other").exists()


LEDFORD = [file for file in shipped("clue") if file.name.startswith("ledford")]


def test_fifteen_games_are_shipped():
    assert [file.name for file in LEDFORD] == [f"ledford_{game:02}.json" for game in range(2, 17)]


@pytest.mark.parametrize("file", LEDFORD, ids=lambda file: file.name)
def test_a_shipped_game_can_be_seen_from_every_seat(file: Traversable):
    record = load(file)
    assert record.kind == "full"
    assert record.sizes == (4, 4, 4, 4)
    assert record.viewers() == ("Player1", "Player2", "Player3", "Player4", "spectator")
    assert all(isinstance(event, Suggestion) for event in record.events)
