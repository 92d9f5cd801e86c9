"""The written form of records of Saboteur: which fields there are, and of which types.

What the rules say is checked by `replaying`.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import ConfigDict, Field

from ...records.forms import Form, Name, RecordFile, RecordPart, Text
from ...records.reading import MOST_EVENTS
from ..state import MOST_HAND, MOST_PLAYERS

Nuggets = Annotated[int, Field(ge=1, le=3)]


class DealEntry(RecordPart):
    """A player's own role and hand at the beginning of a round."""

    type: Literal["deal"]
    player: Name
    role: Literal["miner", "saboteur"]
    hand: list[Text] = Field(max_length=MOST_HAND, description='Such as "NES", "dead EW", "map".')


class TurnEntry(RecordPart):
    """A player's turn."""

    type: Literal["turn"]
    by: Name
    what: Text = Field(
        description='Such as "NES d7", "break lantern Bob", "map top", "discard", "discard NES".'
    )
    says: Literal["gold", "stone", "nothing"] | None = Field(None, description="After a map.")
    saw: Literal["gold", "stone"] | None = Field(
        None, description="What the map showed, where the record knows."
    )
    turned: dict[Literal["top", "middle", "bottom"], Text] = Field(
        default_factory=dict[Literal["top", "middle", "bottom"], Text],
        description='Goals that were turned up: "gold", or "stone" with its openings, "stone SW".',
    )
    drew: Text | None = Field(None, description="The card drawn, where the record knows.")


class EndEntry(RecordPart):
    """The end of a round."""

    type: Literal["end"]
    saboteurs: list[Name] = Field(max_length=MOST_PLAYERS)
    gold: Literal["top", "middle", "bottom"] | None = Field(
        None, description="Where the gold was, if it was not turned up."
    )
    cards: dict[Name, list[Nuggets]] = Field(
        default_factory=dict, description="The gold cards that players took, by their nuggets."
    )


Entry = Annotated[DealEntry | TurnEntry | EndEntry, Field(discriminator="type")]


class SaboteurFile(RecordFile):
    """A recorded game of Saboteur, schema version 1; one record per file."""

    model_config = ConfigDict(title="Saboteur record")

    game: Literal["saboteur"]
    name: Text | None = None
    players: list[Name] = Field(min_length=3, max_length=MOST_PLAYERS)
    observer: Name | None = Field(None, description="Who wrote it, from their own eyes.")
    settings: dict[str, Any] = Field(
        default_factory=dict, description="What differs from the usual rules, such as rounds."
    )
    events: list[Entry] = Field(max_length=MOST_EVENTS)


FORM: Final = Form(
    file=SaboteurFile,
    entry="event",
    article="an",
    kinds={"deal": DealEntry, "turn": TurnEntry, "end": EndEntry},
    expected={
        "game": 'it names the game, "saboteur"',
        "players": "list the names of 3 to 10 players in turn order",
        "observer": "name a player, or leave it out where nobody's cards are known",
        "settings": "write what differs from the usual rules, or leave it out",
        "events": 'list events, such as {"type": "turn", "by": "Ann", "what": "NES d7"}',
        "type": "known: deal, turn, end",
        "what": 'write such as "NES d7", "break lantern Bob", "map top", or "discard"',
        "hand": 'list cards, such as ["NES", "dead EW", "map"]',
        "saboteurs": "list the players who were saboteurs",
    },
    alone="write one record per file",
    ignored=frozenset({"note"}),
)
json_schema = FORM.json_schema
place = FORM.place
read_form = FORM.read
