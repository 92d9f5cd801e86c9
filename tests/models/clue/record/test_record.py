"""Records of Clue: what they hold, who can see them, and that they are written as they are read."""

from __future__ import annotations

import json
from importlib.resources.abc import Traversable
from pathlib import Path

import pytest

from sleuth.data.files import shipped
from sleuth.errors import RecordError
from sleuth.games.clue import (
    CASE_FILE,
    Accusation,
    ClueRecord,
    Has,
    Move,
    NotHas,
    OneOf,
    Suggestion,
    json_schema,
    load,
)

from .examples import full, notebook, partial

SCHEMA = Path(__file__).parents[4] / "docs" / "clue" / "record.schema.json"


def test_every_field_of_a_record_is_understood():
    record = ClueRecord.from_json(partial() | {"name": "n", "source": "s", "note": "t"})
    assert record.players == ("ann", "ben", "cleo")
    assert record.hand_sizes == {"ann": 6, "ben": 6, "cleo": 6}
    assert record.observer == "ann"
    assert record.own_hand == ("scarlet", "knife", "kitchen", "ballroom", "hall", "study")
    assert (record.face_up, record.hands, record.case_file) == ((), None, None)
    assert (record.name, record.source, record.note) == ("n", "s", "t")
    rope = ("mustard", "rope", "hall")
    assert record.events == (
        Suggestion("ann", rope, refuter="cleo", shown="rope", passed=("ben",)),
        Suggestion("ben", ("plum", "wrench", "study"), refuter="cleo"),
        Move("cleo", "lounge"),
        Has("ben", "green"),
        NotHas(CASE_FILE, "white"),
        OneOf("ben", ("green", "library")),
        Accusation("ben", ("green", "rope", "lounge"), False),
    )


def test_cards_are_ordered_suspect_weapon_room_however_they_were_written():
    value = full()
    value["case_file"] = ["Lounge", "spanner", "Col. Mustard"]
    value["events"][0]["cards"] = ["hall", "rope", "mustard"]
    record = ClueRecord.from_json(value)
    assert record.case_file == ("mustard", "wrench", "lounge")
    assert record.events[0].to_json()["cards"] == ["mustard", "rope", "hall"]


def test_everybody_between_suggester_and_refuter_passed_in_turn_order():
    value = partial()
    value["events"] = [
        {"type": "suggest", "by": by, "cards": ["plum", "rope", "lounge"], "refuter": refuter}
        for by, refuter in [("ann", "ben"), ("ann", "cleo"), ("cleo", "ben"), ("ben", None)]
    ]
    passed = [
        event.passed
        for event in ClueRecord.from_json(value).events
        if isinstance(event, Suggestion)
    ]
    assert passed == [(), ("ben",), ("ann",), ("cleo", "ann")]


@pytest.mark.parametrize(
    "cards, refuter, shown, expected",
    [
        (["plum", "rope", "study"], "ann", "plum", "ann does not hold this card"),
        (["plum", "rope", "library"], "ann", None, "holds none of the three cards"),
        (["plum", "rope", "study"], None, None, "asked and showed no card, but holds study"),
    ],
)
def test_what_the_observer_did_must_fit_his_own_hand(
    cards: list[str], refuter: str | None, shown: str | None, expected: str
):
    value = partial()
    value["events"] = [
        {"type": "suggest", "by": "cleo", "cards": cards, "refuter": refuter, "shown": shown}
    ]
    with pytest.raises(RecordError, match=expected):
        ClueRecord.from_json(value)


def test_who_passed_may_be_written_though_it_follows():
    value = partial()
    value["events"][0]["passed"] = ["ben"]
    assert ClueRecord.from_json(value) == ClueRecord.from_json(partial())


def test_a_refuter_who_was_not_recorded_leaves_only_those_who_passed():
    value = partial()
    event = {"type": "suggest", "by": "ann", "cards": ["plum", "rope", "study"]}
    value["events"] = [
        event | {"refuter": "not recorded"},
        event | {"refuter": "not recorded", "passed": ["cleo", "ben"]},
        event | {"refuter": None},
    ]
    unknown, passed, nobody = ClueRecord.from_json(value).events
    cards = ("plum", "rope", "study")
    assert unknown == Suggestion("ann", cards, refuter_recorded=False)
    assert passed == Suggestion("ann", cards, passed=("ben", "cleo"), refuter_recorded=False)
    assert nobody == Suggestion("ann", cards, passed=("ben", "cleo"))


def test_hands_imply_the_case_file():
    value = full()
    del value["case_file"]
    assert ClueRecord.from_json(value) == ClueRecord.from_json(full())


@pytest.mark.parametrize(
    "value, kind, viewers, default",
    [
        (full(), "full", ("ann", "ben", "cleo", "spectator"), "ann"),
        (full() | {"observer": None, "own_hand": []}, "full", None, "spectator"),
        (partial(), "partial", ("ann", "spectator"), "ann"),
        (notebook(), "notebook", ("notebook", "spectator"), "notebook"),
        (
            notebook() | {"case_file": ["mustard", "wrench", "lounge"]},
            "partial",
            ("spectator",),
            "spectator",
        ),
    ],
)
def test_what_a_record_holds_decides_who_can_see_it(
    value: object, kind: str, viewers: tuple[str, ...] | None, default: str
):
    record = ClueRecord.from_json(value)
    assert record.kind == kind
    assert viewers is None or record.viewers() == viewers
    assert record.seen_by().viewer == default
    for viewer in record.viewers():
        assert record.seen_by(viewer).viewer == viewer


@pytest.mark.parametrize(
    "value, viewer, complaint",
    [
        (partial(), "ben", "not hold everybody's cards.*'ben'.*available: ann, spectator"),
        (partial(), "notebook", "'notebook'"),
        (partial(), "an", "did you mean 'ann'"),
        (notebook(), "ann", "available: notebook, spectator"),
        (full(), "notebook", "'notebook'"),
        (full(), "dora", "known: ann, ben, cleo, spectator"),
    ],
)
def test_a_viewer_whose_view_is_not_recorded_is_refused(value: object, viewer: str, complaint: str):
    with pytest.raises(RecordError, match=complaint):
        ClueRecord.from_json(value).seen_by(viewer)


@pytest.mark.parametrize("value", [full(), partial(), notebook()])
def test_a_record_is_written_as_it_is_read(value: object, tmp_path: Path):
    record = ClueRecord.from_json(value)
    assert ClueRecord.from_json(record.to_json()) == record
    record.dump(tmp_path / "record.json")
    assert load(tmp_path / "record.json") == record
    assert load(str(tmp_path / "record.json")) == record
    assert [file.name for file in tmp_path.iterdir()] == ["record.json"]


@pytest.mark.parametrize("file", shipped("clue"), ids=lambda file: file.name)
def test_every_shipped_record_is_read_and_written_as_it_is(file: Traversable):
    record = load(file)
    assert record.source
    assert ClueRecord.from_json(record.to_json()) == record
    assert record.to_json() | {"events": []} == json.loads(file.read_text("utf-8")) | {"events": []}


def test_the_published_schema_is_current():
    assert json.loads(SCHEMA.read_text("utf-8")) == json_schema(), (
        "run: python -m sleuth.models.clue > docs/clue/record.schema.json"
    )


def test_a_record_can_be_hashed_and_compared():
    assert len({ClueRecord.from_json(full()), ClueRecord.from_json(full())}) == 1
