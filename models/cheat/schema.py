"""The form of a recorded game of Cheat: which fields it has, and of which types. Version 1.

A file of records has one game in JSON on each line (JSON Lines), or is a table with one row for
each turn (CSV, see `table.py`). What the fields must say to make sense together is checked by
`record.py`.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, cast

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from ..reading import WRONG_TYPE, place_of, readable, refuse_slips, refused

VERSION: Final = 1

#: Names of ranks in records, from the lowest.
RANK_NAMES: Final = (
    "ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king",
)  # fmt: skip


def _printable(name: str) -> str:
    if not name.isprintable() or name != name.strip():
        raise ValueError("only printable characters, no space at either end")
    return name


Name = Annotated[str, Field(min_length=1, max_length=80), AfterValidator(_printable)]
Text = Annotated[str, Field(max_length=2_000)]
Rank = Literal["ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king"]
Cards = Annotated[list[Rank], Field(max_length=52)]
Seconds = Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)]


class _Entry(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


class ClaimEntry(_Entry):
    """A player lays cards face down and says that all of them are of one rank."""

    type: Literal["claim"]
    by: Name
    rank: Rank = Field(description="The rank claimed.")
    count: int = Field(ge=1, le=4, description="How many cards.")
    cards: Cards | None = Field(
        None, description="The true cards, if they are known; needed once the pile was turned up."
    )
    seconds: Seconds | None = Field(None, description="How long the player took.")


class TakeEntry(_Entry):
    """A player takes a card from the deck."""

    type: Literal["take"]
    by: Name
    card: Rank | None = Field(None, description="Which, if it is known.")
    seconds: Seconds | None = Field(None, description="How long the player took.")


class CallEntry(_Entry):
    """A player calls the claim just made; the pile is turned up."""

    type: Literal["call"]
    by: Name
    caught: bool | None = Field(None, description="Whether the claim was false.")
    seconds: Seconds | None = Field(None, description="How long the player took.")


Entry = ClaimEntry | TakeEntry | CallEntry
ENTRIES: Final[dict[str, type[_Entry]]] = {
    "claim": ClaimEntry,
    "take": TakeEntry,
    "call": CallEntry,
}


class SettingsEntry(_Entry):
    """What the game was played by, where it is not the default; see `cheat` in `game.py`."""

    ranks: int = 13
    suits: int = 4
    hand: int = 8
    rounds: int = 100
    most_claimed: int | None = None
    first_card: Literal["pile", "aside"] = "pile"
    follows: Literal["claimed", "valid"] = "claimed"
    turns: Literal["alternate", "call winner"] = "alternate"
    empty_deck: Literal["illegal", "pass"] = "illegal"
    round_of: Literal["one", "both"] = "one"
    equal_hands: Literal["draw", "second"] = "draw"
    false_claim: Literal["none", "some"] = "none"
    false_cards: Literal["farthest", "any"] = "farthest"
    ties: Literal["random", "lowest"] = "random"


class RecordFile(_Entry):
    """A recorded game of Cheat for two, schema version 1."""

    model_config = ConfigDict(title="Cheat record", validate_by_name=False)

    game: Literal["cheat"]
    version: int = Field(VERSION, alias="schema", ge=VERSION, le=VERSION)
    players: list[Name] = Field(
        min_length=2, max_length=2, description="Their names or numbers; who begins stands first."
    )
    match: Name = Field("1", description="Games of one match are between the same two players.")
    number: int = Field(1, ge=1, le=10_000, description="The game's place in its match.")
    settings: SettingsEntry = Field(default_factory=SettingsEntry)
    first: Rank = Field(description="The card that was turned up at the start.")
    hands: dict[str, Cards] | None = Field(
        None, max_length=2, description="What each player was dealt, as far as it is known."
    )
    turns: list[Annotated[Entry, Field(discriminator="type")]] = Field(max_length=200)
    winner: Name | None = Field(None, description="Who won; absent: a draw, or not over.")
    source: Text | None = None
    note: Text | None = None


def json_schema() -> dict[str, Any]:
    """The published JSON Schema of a record, one line of a file (draft 2020-12)."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **RecordFile.model_json_schema(by_alias=True),
    }


def _known(model: type[BaseModel]) -> frozenset[str]:
    return frozenset(field.alias or name for name, field in model.model_fields.items())


_KNOWN_IN_TURN: Final = {kind: _known(model) for kind, model in ENTRIES.items()}
_KNOWN_IN_RECORD: Final = _known(RecordFile)
_KNOWN_IN_SETTINGS: Final = _known(SettingsEntry)

_EXPECTED: Final = {
    "game": 'write "game": "cheat"',
    "schema": f"this version reads schema {VERSION}",
    "players": "list two names, first who begins",
    "match": "write a name or number as text",
    "number": "write 1 for the first game of a match",
    "first": f"write a rank: {', '.join(RANK_NAMES)}",
    "rank": f"write a rank: {', '.join(RANK_NAMES)}",
    "card": "write a rank, or leave it out",
    "cards": 'list ranks, such as ["8", "king"], or leave it out',
    "hands": 'write what is known: {"name": ["ace", "10", ...]}',
    "count": "write 1 to 4",
    "by": "write a player's name",
    "caught": "write true if the claim was false, else false, or leave it out",
    "seconds": "write a number of seconds, or leave it out",
    "turns": "list the turns of the game, each an object with a type",
    "type": f"known: {', '.join(ENTRIES)}",
    "winner": "write a player's name, or leave it out",
}

_WRONG_TYPE: Final = {**WRONG_TYPE, "literal_error": "no such word"}


def place(number: int | None, field: str | None = None, item: object = None) -> str:
    """Where something stands in a record: ``turn 3, field 'cards', item 2``."""
    return place_of("turn", number, field, item)


def expected(field: str) -> str:
    """What to write in a field."""
    return _EXPECTED.get(field, "")


def read_form(value: object) -> RecordFile:
    """``value``, which was read from JSON, as the fields of a record.

    Raises:
        RecordError: A field is missing, of the wrong type, or probably misspelt.
    """
    if not isinstance(value, dict):
        raise refused(
            "a record is a JSON object",
            value=type(value).__name__,
            hint="write one game on each line",
        )
    fields = cast("dict[object, object]", value)
    refuse_slips(fields, known=_KNOWN_IN_RECORD, where="the record")
    settings = fields.get("settings")
    if isinstance(settings, dict):
        refuse_slips(
            cast("dict[object, object]", settings), known=_KNOWN_IN_SETTINGS, where="settings"
        )
    turns = fields.get("turns")
    if isinstance(turns, list):
        for number, turn in enumerate(cast("list[object]", turns), start=1):
            if isinstance(turn, dict):
                entry = cast("dict[object, object]", turn)
                kind = entry.get("type")
                known = _KNOWN_IN_TURN.get(kind) if isinstance(kind, str) else None
                if known is not None:
                    refuse_slips(entry, known=known, where=place(number))
    try:
        return RecordFile.model_validate(fields)
    except ValidationError as problem:
        raise readable(
            problem,
            entry="turn",
            article="a",
            kinds=ENTRIES,
            expected=expected,
            wrong_type=_WRONG_TYPE,
        ) from None
