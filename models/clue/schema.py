"""The form of a recorded game of Clue: which fields a record file has, and of which types.

Version 1. What the fields must say to make sense together is checked by ``rules``.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, cast

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from ..reading import place_of, readable, refuse_slips, refused

VERSION: Final = 1
MAXIMAL_PLAYERS: Final = 6


def _printable(name: str) -> str:
    if not name.isprintable() or name != name.strip():
        raise ValueError("only printable characters, no space at either end")
    return name


def _encodable(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("half of a surrogate pair is no character") from None
    return text


Name = Annotated[str, Field(min_length=1, max_length=80), AfterValidator(_printable)]
CardName = Annotated[str, Field(max_length=80)]
Text = Annotated[str, AfterValidator(_encodable)]
ThreeCards = Annotated[list[CardName], Field(min_length=3, max_length=3)]


class _Entry(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


class SuggestEntry(_Entry):
    """A player suggests; the others are asked in turn order until one can refute."""

    type: Literal["suggest"]
    by: Name
    cards: ThreeCards = Field(description="One suspect, one weapon and one room.")
    refuter: Name | None = Field(
        description="Who showed a card; null if nobody could; or 'not recorded'."
    )
    shown: CardName | None = Field(None, description="The card shown, if it is known.")
    passed: list[Name] | None = Field(
        None, description="Who could not refute; only needed when the refuter is 'not recorded'."
    )


class AccuseEntry(_Entry):
    """A player accuses and looks into the case file."""

    type: Literal["accuse"]
    by: Name
    cards: ThreeCards = Field(description="One suspect, one weapon and one room.")
    correct: bool
    seen: ThreeCards | None = Field(None, description="The case file, if the accuser tells.")


class MoveEntry(_Entry):
    """A player's pawn goes to a room, or to a place in words."""

    type: Literal["move"]
    by: Name
    to: Name


class HasEntry(_Entry):
    """The player, or the case file ('cf'), has the card."""

    type: Literal["has"]
    player: Name
    card: CardName


class NotHasEntry(_Entry):
    """The player, or the case file ('cf'), does not have the card."""

    type: Literal["nothas"]
    player: Name
    card: CardName


class OneOfEntry(_Entry):
    """The player, or the case file ('cf'), has at least one of the cards."""

    type: Literal["oneof"]
    player: Name
    cards: list[CardName] = Field(min_length=1, max_length=21)


Entry = SuggestEntry | AccuseEntry | MoveEntry | HasEntry | NotHasEntry | OneOfEntry

_ENTRIES: Final[dict[str, type[_Entry]]] = {
    "suggest": SuggestEntry,
    "accuse": AccuseEntry,
    "move": MoveEntry,
    "has": HasEntry,
    "nothas": NotHasEntry,
    "oneof": OneOfEntry,
}


class RecordFile(_Entry):
    """A recorded game of Clue, schema version 1; one record per file."""

    model_config = ConfigDict(title="Clue record", validate_by_name=False)

    game: Literal["clue"]
    version: int = Field(VERSION, alias="schema", ge=VERSION, le=VERSION)
    players: list[Name] = Field(
        min_length=2, max_length=MAXIMAL_PLAYERS, description="Names in turn order."
    )
    hand_sizes: list[Annotated[int, Field(ge=0, le=18)]] = Field(
        min_length=2,
        max_length=MAXIMAL_PLAYERS,
        description="Cards per player; with the face-up cards and three more they make 21.",
    )
    observer: Name | None = Field(None, description="The player who recorded what he saw.")
    own_hand: list[CardName] | None = Field(
        None, max_length=18, description="The observer's hand; empty or absent: not known."
    )
    face_up: list[CardName] | None = Field(
        None, max_length=18, description="Cards dealt to nobody that everybody sees."
    )
    hands: dict[str, list[CardName]] | None = Field(
        None, max_length=MAXIMAL_PLAYERS, description="The truth: every player's cards."
    )
    case_file: ThreeCards | None = Field(None, description="The truth: suspect, weapon, room.")
    name: Text | None = None
    source: Text | None = None
    note: Text | None = None
    events: list[Annotated[Entry, Field(discriminator="type")]]


def json_schema() -> dict[str, Any]:
    """The published JSON Schema of a record file (draft 2020-12)."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **RecordFile.model_json_schema(by_alias=True),
    }


# Fields a record may carry that say nothing about the game.
_IGNORED: Final = ("could_show", "expected_by_source", "computed", "name", "source", "note")


def _known(model: type[_Entry]) -> frozenset[str]:
    fields = (field.alias or name for name, field in model.model_fields.items())
    return frozenset(fields).union(_IGNORED)


_KNOWN_IN_EVENT: Final = {kind: _known(model) for kind, model in _ENTRIES.items()}
_KNOWN_IN_RECORD: Final = _known(RecordFile)

_EXPECTED: Final = {
    "game": 'write "game": "clue"',
    "schema": f"this version reads schema {VERSION}",
    "players": f"list 2 to {MAXIMAL_PLAYERS} names in turn order",
    "hand_sizes": "list how many cards each player holds, in turn order",
    "observer": "write the name of one of the players, or leave it out",
    "own_hand": "list the observer's cards, or leave it out",
    "face_up": "list cards, or leave it out",
    "hands": 'write every player\'s cards: {"name": ["card", ...], ...}',
    "case_file": "write [suspect, weapon, room]",
    "events": "list the events of the game, each an object with a type",
    "type": f"known: {', '.join(_ENTRIES)}",
    "by": "write a player's name",
    "player": "write a player's name, or 'cf' for the case file",
    "card": "write a card, such as 'lead pipe'",
    "cards": "list cards, such as 'plum', 'rope', 'hall'",
    "refuter": "write a player's name, null (nobody could refute) or 'not recorded'",
    "shown": "write the card shown, or null if it is not known",
    "passed": "list the players who could not refute",
    "correct": "write true or false",
    "seen": "write [suspect, weapon, room], or leave it out",
    "to": "write a room, or words for another place",
    "name": "write text, or leave it out",
    "source": "write text, or leave it out",
    "note": "write text, or leave it out",
}


def place(number: int | None, field: str | None = None, item: object = None) -> str:
    """Where something stands in a record: ``event 3, field 'cards', item 2``."""
    return place_of("event", number, field, item)


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
    events = fields.get("events")
    if isinstance(events, list):
        for number, event in enumerate(cast("list[object]", events), start=1):
            if isinstance(event, dict):
                entry = cast("dict[object, object]", event)
                kind = entry.get("type")
                known = _KNOWN_IN_EVENT.get(kind) if isinstance(kind, str) else None
                if known is not None:
                    refuse_slips(entry, known=known, where=place(number))
    try:
        return RecordFile.model_validate(fields)
    except ValidationError as problem:
        raise readable(
            problem,
            entry="event",
            article="an",
            kinds=_ENTRIES,
            expected=expected,
        ) from None
