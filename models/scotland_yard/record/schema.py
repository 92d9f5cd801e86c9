"""The form of a recorded game of Scotland Yard: which fields a record file has, of which types.

Version 1. Whether the moves follow the rules is checked by ``replaying``.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import ConfigDict, Field

from ...records.forms import Form, RecordFile, RecordPart, Text
from ...records.reading import MOST_EVENTS
from ..board import STATIONS
from ..editions import EDITIONS
from ..events import role
from ..state import MOST_ROUNDS, MOST_SEEKERS, TICKETS

PLAYERS: Final = tuple(map(role, range(MOST_SEEKERS + 1)))


Station = Annotated[int, Field(ge=1, le=STATIONS)]
Count = Annotated[int, Field(ge=0, le=1_000)]
Cards = Annotated[list[Station], Field(min_length=1, max_length=STATIONS)]
Transports = Annotated[list[Count], Field(min_length=3, max_length=3)]


class HuntMoveEntry(RecordPart):
    """A move of Mr. X or of a detective."""

    by: Literal["hider", "seeker 1", "seeker 2", "seeker 3", "seeker 4", "seeker 5"]
    ticket: Literal["taxi", "bus", "underground", "black"]
    to: Station | None = Field(
        None,
        description="Where to. Of Mr. X in a full record always, else only at a reveal.",
    )
    double: bool = Field(False, description="Mr. X: whether this is the first half of two moves.")
    caught: bool = Field(False, description="A detective: whether Mr. X was there.")
    shown: Station | None = Field(
        None, description="A detective: where Mr. X was, if the game ended without a catch."
    )


class HuntSettingsEntry(RecordPart):
    """The differences from the usual rules."""

    edition: Literal["classic", "later"] | None = None
    seekers: Annotated[int, Field(ge=1, le=MOST_SEEKERS)] | None = None
    rounds: Annotated[int, Field(ge=1, le=MOST_ROUNDS)] | None = None
    reveals: list[Annotated[int, Field(ge=1, le=MOST_ROUNDS)]] | None = None
    seeker_tickets: Transports | None = Field(None, description="Taxi, bus and underground.")
    hider_tickets: Transports | None = Field(None, description="Taxi, bus and underground.")
    black_fares: Count | None = None
    double_moves: Count | None = None
    hider_starts: Cards | None = Field(None, description="The start cards of Mr. X.")
    seeker_starts: Cards | None = Field(None, description="The start cards of the detectives.")


class HuntFile(RecordFile):
    """A recorded game of Scotland Yard, schema version 1; one record per file."""

    model_config = ConfigDict(title="Scotland Yard record")

    game: Literal["scotland_yard"]
    name: Text | None = None
    settings: HuntSettingsEntry | None = Field(
        None, description="The differences from the usual rules."
    )
    seekers: list[Station] = Field(
        min_length=1, max_length=MOST_SEEKERS, description="Where the detectives start."
    )
    hider: Station | None = Field(
        None, description="Where Mr. X starts; then every move of Mr. X needs its station."
    )
    moves: list[HuntMoveEntry] = Field(max_length=MOST_EVENTS)


_EXPECTED: Final = {
    "game": 'it names the game, such as "scotland_yard"',
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
}

FORM: Final = Form(
    file=HuntFile,
    entry="move",
    article="a",
    kinds=HuntMoveEntry,
    parts={"settings": HuntSettingsEntry},
    # An unknown setting would change the rules unseen.
    closed={"settings": "no such setting"},
    expected=_EXPECTED,
    alone="write one record per file",
    ignored=frozenset({"note"}),
    wrong_type={"literal_error": "this is none of the known words"},
    words={"by": PLAYERS, "ticket": TICKETS},
)
json_schema = FORM.json_schema
place = FORM.place
read_form = FORM.read
