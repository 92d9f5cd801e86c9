"""A record that says what cannot be is refused, with the place, the value and what to write."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from sleuth.errors import RecordError
from sleuth.games.clue import ClueRecord

from .examples import Json, full, notebook, partial


def changed(base: Callable[[], Json], *path: Any) -> Json:
    """The record with the field at ``path[:-1]`` set to ``path[-1]``."""
    value = copy.deepcopy(base())
    *way, key, new = path
    inner: Any = value
    for step in way:
        inner = inner[step]
    inner[key] = new
    return value


def without(base: Callable[[], Json], *path: Any) -> Json:
    """The record without the field at ``path``."""
    value = copy.deepcopy(base())
    *way, key = path
    inner: Any = value
    for step in way:
        inner = inner[step]
    del inner[key]
    return value


def suggested(by: str, cards: list[str], refuter: str | None, shown: str | None = None) -> Json:
    made: Json = {"type": "suggest", "by": by, "cards": cards, "refuter": refuter}
    return made | {"shown": shown} if shown is not None else made


@pytest.mark.parametrize(
    "value, complaint",
    [
        (without(partial, "game"), "field 'game' is missing"),
        (changed(partial, "game", "cluedo"), "field 'game'"),
        (changed(partial, "schema", 2), "field 'schema'.*got 2.*schema 1"),
        (changed(partial, "schema", True), "field 'schema'.*whole number.*True"),
        (changed(partial, "schema", 1.0), "field 'schema'"),
        (without(partial, "players"), "field 'players' is missing"),
        (changed(partial, "players", ["ann"]), "field 'players'"),
        (changed(partial, "players", list("abcdefghijk")), "field 'players'"),
        (changed(partial, "players", ["ann", "ben", "ann"]), "item 3: .*same name.*'ann'"),
        (changed(partial, "players", 1, "Case File"), "item 2: .*meaning.*'Case File'"),
        (changed(partial, "players", 1, "spectator"), "meaning"),
        (changed(partial, "players", 1, ""), "players', item 2"),
        (changed(partial, "players", 1, "b\x1b[31m"), "printable"),
        (changed(partial, "players", 1, "b\ud800"), "players', item 2"),
        (changed(partial, "hand_sizes", [6, 6]), "there are 3 players"),
        (changed(partial, "hand_sizes", [6, 6, 7]), "make 22 cards.*make 21"),
        (
            changed(partial, "hand_sizes", [6, 6, 5]) | {"rules": {"left_over": "face up"}},
            "make 20 cards.*make 21",
        ),
        (changed(partial, "hand_sizes", [6, 6, True]), "item 3.*whole number"),
        (changed(partial, "hand_sizes", [6, 6, 6.0]), "item 3.*whole number"),
        (changed(partial, "hand_sizes", [-6, 12, 12]), "item 1"),
        (changed(partial, "hand_sizes", [6, 6, 10**30]), "item 3"),
        (changed(partial, "hand_sizes", [6, 6, 10**6000]), "item 3"),
        (changed(partial, "hand_sizes", [6, 6, float("nan")]), "item 3"),
        (changed(partial, "observer", "an"), "observer.*did you mean 'ann'"),
        (changed(partial, "observer", 3), "field 'observer': this must be text.*got 3"),
        (without(partial, "observer"), "own_hand.*not the player who holds it"),
        (changed(partial, "own_hand", 0, "mustrd"), "own_hand', item 1: no such card"),
        (changed(partial, "own_hand", 0, "hall"), "own_hand', item 5: .*twice"),
        (changed(partial, "own_hand", ["hall"]), "observer holds 6 cards"),
        (
            changed(partial, "face_up", ["hall"]) | {"hand_sizes": [6, 6, 5]},
            "face up as well.*'hall'",
        ),
        (changed(partial, "face_up", ["hall"]), "make 22 cards"),
        (without(partial, "events"), "field 'events' is missing"),
        (changed(partial, "events", {}), "field 'events': this must be a list"),
        (changed(partial, "note", 3), "field 'note'"),
        (changed(partial, "source", "\udfff"), "field 'source'"),
        ([partial()], "record is a JSON object.*one record per file"),
        (None, "record is a JSON object"),
    ],
)
def test_the_head_of_a_record_must_make_sense(value: object, complaint: str):
    with pytest.raises(RecordError, match=complaint):
        ClueRecord.from_json(value)


@pytest.mark.parametrize(
    "value, complaint",
    [
        (changed(partial, "events", 1, 3), "event 2: this must be a JSON object.*got 3"),
        (without(partial, "events", 1, "type"), "event 2, field 'type': an event must say"),
        (changed(partial, "events", 1, "type", "sugest"), "event 2, .*did you mean 'suggest'"),
        (changed(partial, "events", 1, "type", []), "event 2, field 'type'"),
        (without(partial, "events", 1, "by"), "event 2: the field 'by' is missing"),
        (changed(partial, "events", 1, "by", "bem"), "event 2, field 'by': .*mean 'ben'"),
        (changed(partial, "events", 1, "by", None), "event 2, field 'by': this must be text"),
        (changed(partial, "events", 1, "cards", ["plum", "rope"]), "event 2, field 'cards'"),
        (
            changed(partial, "events", 1, "cards", ["plum", "green", "hall"]),
            "event 2, field 'cards': these are not one suspect, one weapon and one room",
        ),
        (changed(partial, "events", 1, "cards", 1, "knif"), "event 2, .*item 2.*mean 'knife'"),
        (without(partial, "events", 1, "refuter"), "event 2: the field 'refuter' is missing"),
        (changed(partial, "events", 1, "refuter", "ben"), "no player refutes their own"),
        (changed(partial, "events", 1, "refuter", "clio"), "mean 'cleo'"),
        (changed(partial, "events", 1, "refuter", False), "event 2, field 'refuter'"),
        (changed(partial, "events", 0, "shown", "knife"), "shown is none of the three.*'knife'"),
        (changed(partial, "events", 0, "refuter", None), "names nobody who showed it"),
        (changed(partial, "events", 0, "refuter", "not recorded"), "names nobody"),
        (changed(partial, "events", 0, "passed", []), "event 1, field 'passed': .*turn order"),
        (changed(partial, "events", 0, "passed", ["cleo"]), "item 1: the refuter did not pass"),
        (changed(partial, "events", 0, "passed", ["ann"]), "suggester is not asked"),
        (changed(partial, "events", 0, "passed", ["ben", "ben"]), "item 2: .*only once"),
        (changed(partial, "events", 3, "card", "grene"), "event 4, field 'card'"),
        (changed(partial, "events", 3, "player", "face up"), "event 4, field 'player'"),
        (changed(partial, "events", 5, "cards", []), "event 6, field 'cards'"),
        (changed(partial, "events", 5, "cards", ["hall", "Hall"]), "event 6, .*twice"),
        (changed(partial, "events", 6, "correct", 1), "event 7, field 'correct'"),
        (without(partial, "events", 6, "correct"), "event 7: the field 'correct' is missing"),
        (
            changed(partial, "events", 6, "seen", ["green", "rope", "lounge"]),
            "event 7, field 'correct': this does not fit what the accuser saw",
        ),
        (changed(partial, "events", 2, "to", ""), "event 3, field 'to'"),
    ],
)
def test_an_event_must_make_sense(value: object, complaint: str):
    with pytest.raises(RecordError, match=complaint):
        ClueRecord.from_json(value)


SWAPPED = full()["hands"] | {"ben": full()["hands"]["cleo"], "cleo": full()["hands"]["ben"]}


@pytest.mark.parametrize(
    "value, complaint",
    [
        (without(full, "hands", "ben"), "hand is missing.*'ben'"),
        (changed(full, "hands", "dora", []), "no such player.*'dora'"),
        (changed(full, "hands", "ben", 0, "plum"), "in another hand"),
        (changed(full, "hands", "ben", ["green"]), "holds 6 cards"),
        (changed(full, "hands", "ben", 1, "mustard"), "in a hand, or face up.*'mustard'"),
        (changed(full, "case_file", ["peacock", "wrench", "lounge"]), "'peacock'"),
        (changed(full, "case_file", ["plum", "wrench", "rope"]), "one suspect, one weapon"),
        (changed(full, "own_hand", 0, "mustard"), "another one in the field 'hands'"),
        (changed(full, "hands", SWAPPED), "event 1, field 'refuter': ben was asked"),
        (
            changed(full, "events", 0, "refuter", "ben") | {"note": ""},
            "event 1, field 'refuter': by the hand given this player holds none",
        ),
        (changed(full, "events", 1, "shown", "wrench"), "event 2, field 'shown'"),
        (changed(full, "events", 1, "refuter", None) | {"note": ""}, "event 2"),
        (changed(full, "events", 3, "card", "plum"), "event 4, .*ben does not have"),
        (changed(full, "events", 4, "card", "wrench"), "event 5, .*case file has this card"),
        (changed(full, "events", 5, "cards", ["plum"]), "event 6, .*has none of these"),
        (changed(full, "events", 6, "correct", True), "event 7, field 'correct'"),
        (
            changed(full, "events", 6, "cards", ["mustard", "wrench", "lounge"]),
            "event 7, field 'correct': this does not fit the record's case file",
        ),
        (
            changed(full, "events", 6, "seen", ["mustard", "wrench", "hall"]),
            "event 7, field 'seen': .*another case file",
        ),
    ],
)
def test_a_full_record_must_agree_with_its_own_truth(value: object, complaint: str):
    with pytest.raises(RecordError, match=complaint):
        ClueRecord.from_json(value)


def test_hands_that_leave_no_case_file_are_refused():
    value = without(full, "case_file")
    value["hands"]["ben"][1] = "wrench"
    with pytest.raises(RecordError, match="leave no suspect, weapon and room"):
        ClueRecord.from_json(value)


SUSPECTS = ["scarlet", "mustard", "white", "green", "peacock", "plum"]


def test_own_cards_that_leave_no_suspect_are_refused_with_their_field():
    value = partial() | {"own_hand": SUSPECTS, "events": []}
    with pytest.raises(
        RecordError, match=r"field 'own_hand': these cards leave no suspect.*mustard"
    ):
        ClueRecord.from_json(value)


def test_face_up_cards_count_as_well():
    value = partial() | {
        "hand_sizes": [4, 4, 4],
        "own_hand": ["scarlet", "knife", "kitchen", "ballroom"],
        "face_up": ["mustard", "white", "green", "peacock", "plum", "rope"],
        "events": [],
    }
    with pytest.raises(RecordError, match=r"'own_hand': .*with the face-up cards leave no suspect"):
        ClueRecord.from_json(value)
    value = notebook() | {"hand_sizes": [4, 4, 4], "face_up": SUSPECTS, "events": []}
    with pytest.raises(RecordError, match=r"field 'face_up': these cards leave no suspect"):
        ClueRecord.from_json(value)
    value["face_up"] = [*SUSPECTS[:5], "rope"]
    assert ClueRecord.from_json(value).face_up


@pytest.mark.parametrize(
    "event, complaint",
    [
        ({"type": "has", "player": "ben", "card": "mustard"}, "field 'card': ben cannot have"),
        ({"type": "has", "player": "cf", "card": "plum"}, "field 'card': .*not have this card"),
        ({"type": "nothas", "player": "cf", "card": "wrench"}, "field 'card': .*has this card"),
        ({"type": "oneof", "player": "cf", "cards": ["plum", "rope"]}, "field 'cards': .*none of"),
        (
            {"type": "oneof", "player": "ben", "cards": ["wrench", "mustard"]},
            "field 'cards': ben cannot",
        ),
        (suggested("ben", ["mustard", "rope", "hall"], "cleo", "mustard"), "field 'shown': a card"),
        (
            suggested("ben", ["mustard", "wrench", "lounge"], "cleo"),
            "field 'refuter': nobody can refute",
        ),
        (
            suggested("ann", ["mustard", "rope", "hall"], None),
            "field 'refuter': nobody showed a card, but rope is not",
        ),
    ],
)
def test_events_are_checked_against_a_case_file_without_hands(event: Json, complaint: str):
    value = partial() | {"case_file": ["mustard", "wrench", "lounge"], "events": [event]}
    with pytest.raises(RecordError, match=f"event 1, {complaint}"):
        ClueRecord.from_json(value)
    # Without the case file nothing is wrong with it.
    del value["case_file"]
    assert len(ClueRecord.from_json(value).events) == 1


def test_events_that_fit_a_case_file_without_hands_are_accepted():
    fitting = [
        {"type": "oneof", "player": "ben", "cards": ["mustard", "green"]},
        {"type": "nothas", "player": "ben", "card": "mustard"},
        suggested("ann", ["mustard", "knife", "hall"], None),
        suggested("ben", ["green", "knife", "lounge"], "ann", "knife"),
    ]
    value = partial() | {"case_file": ["mustard", "wrench", "lounge"], "events": fitting}
    assert len(ClueRecord.from_json(value).events) == 4


def test_a_case_file_in_the_observers_own_hand_is_refused():
    value = partial() | {"case_file": ["scarlet", "wrench", "lounge"]}
    with pytest.raises(RecordError, match=r"in the own hand.*'scarlet'"):
        ClueRecord.from_json(value)


@pytest.mark.parametrize(
    "path, key, meant",
    [
        ((), "playrs", "players"),
        ((), "handsizes", "hand_sizes"),
        ((), "Observer", "observer"),
        ((), "event", "events"),
        ((), "computd", "computed"),
        (("events", 0), "shwon", "shown"),
        (("events", 0), "refutor", "refuter"),
        (("events", 5), "card", "cards"),
    ],
)
def test_an_unknown_key_near_a_known_one_is_a_probable_slip(
    path: tuple[Any, ...], key: str, meant: str
):
    with pytest.raises(RecordError, match=rf"probably a slip.*{key!r}.*did you mean {meant!r}"):
        ClueRecord.from_json(changed(partial, *path, key, None))


def test_keys_known_to_say_nothing_and_keys_of_the_writers_own_change_nothing():
    value = changed(partial, "weather", {"rain": True})
    value |= {"expected_by_source": 3, "computed": {"deals": 1}}
    value["events"][0] |= {"could_show": ["rope"], "note": 7, "remarks": []}
    assert ClueRecord.from_json(value) == ClueRecord.from_json(partial())


@pytest.mark.parametrize("field", ["observer", "own_hand", "face_up", "hands", "case_file", "name"])
def test_an_optional_field_may_be_null(field: str):
    assert ClueRecord.from_json(notebook() | {field: None}) == ClueRecord.from_json(notebook())


def test_any_sizes_that_add_up_are_legal():
    value = notebook() | {"hand_sizes": [1, 0, 13], "face_up": ["rope", "hall", "plum", "white"]}
    value["events"] = []
    record = ClueRecord.from_json(value)
    assert record.face_up == ("white", "plum", "rope", "hall")
