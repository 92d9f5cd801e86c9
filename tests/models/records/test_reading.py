"""JSON that somebody else wrote is read, or refused with one readable error."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from sleuth.errors import RecordError
from sleuth.models.records.reading import (
    MOST_OWN,
    edit_distance,
    parse_json,
    parse_record,
    read_bytes,
    refuse_slips,
)


def test_json_is_read_with_or_without_a_byte_order_mark():
    assert parse_json(b'{"a": [1, 2.5, null]}') == {"a": [1, 2.5, None]}
    assert parse_json(b'\xef\xbb\xbf{"a": 1}') == {"a": 1}


@pytest.mark.parametrize(
    "text, complaint",
    [
        (b"", "not JSON"),
        (b"{", "line 1, column 2: this is not JSON"),
        (b"[1,\n 2,,]", "line 2, column 4"),
        (b'{"a": 1, "b": 2, "a": 3}', "key stands twice.*'a'"),
        (b'{"a": NaN}', "no such number.*'NaN'"),
        (b"[-Infinity]", "no such number"),
        (b'{"a": "\xff"}', "byte 8: the text is not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b"1" * 10_000, "too many digits"),
    ],
)
def test_what_is_not_json_is_refused(text: bytes, complaint: str):
    with pytest.raises(RecordError, match=complaint):
        parse_json(text)


def test_lines_without_their_game_are_told_how_a_record_in_lines_begins():
    with pytest.raises(RecordError, match=r"not JSON.*'game: saboteur'"):
        parse_record(b"players: Ann, Bob, Cid\nAnn ESW d7\n")
    with pytest.raises(RecordError) as refused:
        parse_record(b'{"game": "saboteur",')
    assert "in lines" not in str(refused.value)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path):
    with pytest.raises(RecordError, match=r"no such file.*missing\.json"):
        read_bytes(tmp_path / "missing.json")
    with pytest.raises(RecordError, match="cannot be read: is a directory"):
        read_bytes(tmp_path)
    with pytest.raises(RecordError, match="cannot be read"):
        read_bytes("nul\0byte")


@pytest.mark.parametrize(
    "one, other, distance",
    [
        ("refuter", "refuter", 0),
        ("refutor", "refuter", 1),
        ("refuer", "refuter", 1),
        ("reffuter", "refuter", 1),
        ("shwon", "shown", 2),
        ("kitten", "sitting", 3),
        ("", "by", 2),
    ],
)
def test_edit_distance_counts_letters_to_change(one: str, other: str, distance: int):
    assert edit_distance(one, other) == distance
    assert edit_distance(other, one) == distance


def test_a_key_near_a_known_one_is_a_slip_and_any_other_is_the_writers_own():
    refuse_slips(["players", "weather"], known={"players"}, where="the record")
    with pytest.raises(RecordError, match=r"event 3: .*'playr'.*did you mean 'players'"):
        refuse_slips(["playr"], known={"players", "events"}, where="event 3")


def test_a_key_that_is_no_text_is_refused():
    with pytest.raises(RecordError, match="must be text"):
        refuse_slips([3], known={"players"}, where=None)


def test_fields_of_ones_own_are_counted_before_they_are_looked_at() -> None:
    refuse_slips([f"weather {number}" for number in range(MOST_OWN)], known={"players"}, where=None)
    with pytest.raises(RecordError, match="the record: there may be at most 50 fields of your own"):
        refuse_slips((str(10**6 + each) for each in count()), known={"players"}, where="the record")
