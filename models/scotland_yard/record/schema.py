"""The form of a recorded game of Scotland Yard: which fields a record file has, of which types.

Version 1. Whether the moves follow the rules is checked by ``replaying``.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ....data.errors import nearest
from ...records.form import Form, Text
from ...records.reading import (
    MOST_EVENTS,
    WRONG_TYPE,
    place_of,
    readable,
    refuse_long,
    refuse_slips,
    refused,
)
from ..board import EDITIONS, STATIONS
from ..events import role
from ..state import MOST_ROUNDS, MOST_SEEKERS, TICKETS

VERSION: Final = 1
PLAYERS: Final = tuple(map(role, range(MOST_SEEKERS + 1)))


Station = Annotated[int, Field(ge=1, le=STATIONS)]
Count = Annotated[int, Field(ge=0, le=1_000)]
Transports = Annotated[list[Count], Field(min_length=3, max_length=3)]


class MoveEntry(Form):
    """A move of Mr X or of a detective."""

    by: Literal["hider", "seeker 1", "seeker 2", "seeker 3", "seeker 4", "seeker 5"]
    ticket: Literal["taxi", "bus", "underground", "black"]
    to: Station | None = Field(
        None,
        description="Where to. Of Mr X in a full record always, else only at a reveal.",
    )
    double: bool = Field(False, description="Mr X: whether this is the first half of two moves.")
    caught: bool = Field(False, description="A detective: whether Mr X was there.")
    shown: Station | None = Field(
        None, description="A detective: where Mr X was, if the game ended without a catch."
    )


class SettingsEntry(Form):
    """What differs from the usual rules."""

    edition: Literal["classic", "later"] | None = None
    seekers: Annotated[int, Field(ge=1, le=MOST_SEEKERS)] | None = None
    rounds: Annotated[int, Field(ge=1, le=MOST_ROUNDS)] | None = None
    reveals: list[Annotated[int, Field(ge=1, le=MOST_ROUNDS)]] | None = None
    seeker_tickets: Transports | None = Field(None, description="Taxi, bus and underground.")
    hider_tickets: Transports | None = Field(None, description="Taxi, bus and underground.")
    black_fares: Count | None = None
    double_moves: Count | None = None


class RecordFile(Form):
    """A recorded game of Scotland Yard, schema version 1; one record per file."""

    model_config = ConfigDict(title="Scotland Yard record", validate_by_name=False)

    game: Literal["scotland_yard"]
    version: int = Field(VERSION, alias="schema", ge=VERSION, le=VERSION)
    name: Text | None = None
    source: Text | None = None
    note: Text | None = None
    settings: SettingsEntry | None = Field(None, description="What differs from the usual rules.")
    seekers: list[Station] = Field(
        min_length=1, max_length=MOST_SEEKERS, description="Where the detectives start."
    )
    hider: Station | None = Field(
        None, description="Where Mr X starts; then every move of Mr X needs its station."
    )
    moves: list[MoveEntry] = Field(max_length=MOST_EVENTS)


def json_schema() -> dict[str, Any]:
    """The published JSON Schema of a record file (draft 2020-12)."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **RecordFile.model_json_schema(by_alias=True),
    }


def _known(model: type[BaseModel]) -> frozenset[str]:
    return frozenset(field.alias or name for name, field in model.model_fields.items())


_KNOWN_IN_RECORD: Final = _known(RecordFile)
_KNOWN_IN_MOVE: Final = _known(MoveEntry) | {"note"}
_KNOWN_IN_SETTINGS: Final = _known(SettingsEntry)

_EXPECTED: Final = {
    "game": 'write "game": "scotland_yard"',
    "schema": f"this version reads schema {VERSION}",
    "settings": "write what differs from the usual rules, or leave it out",
    "edition": f"known: {', '.join(EDITIONS)}",
    "seekers": "list where the detectives start, in the order in which they move",
    "hider": f"write a station from 1 to {STATIONS}, or leave it out where it is not known",
    "moves": 'list the moves, such as {"by": "seeker 1", "ticket": "taxi", "to": 46}',
    "by": f"known: {', '.join(PLAYERS)}",
    "ticket": f"known: {', '.join(TICKETS)}",
    "to": f"write a station from 1 to {STATIONS}",
    "shown": f"write a station from 1 to {STATIONS}, or leave it out",
    "double": "write true or false, or leave it out",
    "caught": "write true or false, or leave it out",
    "name": "write text, or leave it out",
    "source": "write text, or leave it out",
    "note": "write text, or leave it out",
}

_WRONG_TYPE: Final = {**WRONG_TYPE, "literal_error": "this is none of the known words"}


def place(number: int | None, field: str | None = None, item: object = None) -> str:
    """Where something stands in a record: ``move 3, field 'to'``."""
    return place_of("move", number, field, item)


def expected(field: str) -> str:
    """What to write in a field."""
    return _EXPECTED.get(field, "")


def read_form(value: object) -> RecordFile:
    """``value``, which was read from JSON, as the fields of a record.

    Raises:
        RecordError: If a field is missing, of the wrong type, or probably misspelt.
    """
    if not isinstance(value, dict):
        raise refused(
            "a record is a JSON object",
            value=type(value).__name__,
            hint="write one record per file",
        )
    fields = cast("dict[object, object]", value)
    refuse_slips(fields, known=_KNOWN_IN_RECORD, where="the record")
    settings, moves = fields.get("settings"), fields.get("moves")
    refuse_long(moves, name="moves")
    if isinstance(settings, dict):
        given = cast("dict[object, object]", settings)
        refuse_slips(given, known=_KNOWN_IN_SETTINGS, where=place(None, "settings"))
        for name in given:
            if name not in _KNOWN_IN_SETTINGS:
                # An unknown setting would change the rules unseen.
                raise refused(
                    "no such setting",
                    where=place(None, "settings"),
                    value=name,
                    hint=nearest(name, sorted(_KNOWN_IN_SETTINGS)),
                )
    if isinstance(moves, list):
        for number, move in enumerate(cast("list[object]", moves), start=1):
            if isinstance(move, dict):
                entry = cast("dict[object, object]", move)
                refuse_slips(entry, known=_KNOWN_IN_MOVE, where=place(number))
    try:
        return RecordFile.model_validate(fields)
    except ValidationError as problem:
        raise readable(
            problem,
            entry="move",
            article="a",
            kinds=None,
            expected=expected,
            wrong_type=_WRONG_TYPE,
            words={"by": PLAYERS, "ticket": TICKETS},
            within=("settings",),
        ) from None
