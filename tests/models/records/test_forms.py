"""Records that people write, read by a form that says which fields there are."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from sleuth.errors import RecordError
from sleuth.models.records.forms import Form, Name, RecordFile, RecordPart


class Draw(RecordPart):
    type: Literal["draw"]
    by: Name
    card: int


class Pass(RecordPart):
    type: Literal["pass"]
    by: Name


class Rules(RecordPart):
    cards: int = 5


class File(RecordFile):
    game: Literal["war"]
    rules: Rules = Field(default_factory=Rules)
    moves: list[Annotated[Draw | Pass, Field(discriminator="type")]]


FORM = Form(
    file=File,
    entry="move",
    article="a",
    kinds={"draw": Draw, "pass": Pass},
    parts={"rules": Rules},
    expected={"card": "write a number"},
    alone="write one game to a file",
    most=3,
)


def record(*moves: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"game": "war", "moves": list(moves), **more}


def test_a_record_is_read() -> None:
    found = FORM.read(record({"type": "draw", "by": "ann", "card": 3}, rules={"cards": 4}))
    assert (found.moves[0].by, found.rules.cards) == ("ann", 4)
    assert FORM.json_schema()["properties"]["moves"]["type"] == "array"


@pytest.mark.parametrize(
    "value, message",
    [
        ([], "a record is a JSON object.*write one game to a file"),
        (record(ruels={}), "the record: an unknown field, probably a slip.*'rules'"),
        (record(rules={"crads": 4}), "rules: an unknown field, probably a slip.*'cards'"),
        (
            record({"type": "pass", "by": "ann"}, {"type": "draw", "by": "bob", "crad": 3}),
            "move 2: an unknown field, probably a slip.*'card'",
        ),
        (record({"type": "draw", "by": "ann"}), "move 1: the field 'card' is missing.*a number"),
        (record({"type": "drwa", "by": "ann"}), "move 1, field 'type': no such type of move"),
        (record({"type": "pass", "by": " "}), "move 1, field 'by': only printable characters"),
        (record({"type": "draw", "by": "ann", "card": "x"}), "field 'card': this must be a whole"),
        (record(*[{"type": "pass", "by": "ann"}] * 4), "a record has at most 3 moves"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(value: object, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        FORM.read(value)
