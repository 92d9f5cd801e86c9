"""The form of a recorded game of Cheat: which fields it has, and of which types. Version 1.

A file of records has one game in JSON on each line (JSON Lines), or is a table with one row for
each turn (CSV, see `table.py`). What the fields must say to make sense together is checked by
`record.py`.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, get_args

from pydantic import ConfigDict, Field

from ...records.forms import Form, Name, RecordFile, RecordPart
from ..state import MOST_TURNS

Rank = Literal["ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king"]
#: Names of ranks in records, from the lowest.
RANK_NAMES: Final[tuple[str, ...]] = get_args(Rank)

Text = Annotated[str, Field(max_length=2_000)]
Cards = Annotated[list[Rank], Field(max_length=52)]
Seconds = Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)]


class ClaimEntry(RecordPart):
    """A player lays cards face down and says that all of them are of one rank."""

    type: Literal["claim"]
    by: Name
    rank: Rank = Field(description="The rank claimed.")
    count: int = Field(ge=1, le=4, description="How many cards.")
    cards: Cards | None = Field(
        None, description="The true cards, if they are known; needed once the pile was turned up."
    )
    seconds: Seconds | None = Field(None, description="How long the player took.")


class TakeEntry(RecordPart):
    """A player takes a card from the deck."""

    type: Literal["take"]
    by: Name
    card: Rank | None = Field(None, description="Which, if it is known.")
    seconds: Seconds | None = Field(None, description="How long the player took.")


class CallEntry(RecordPart):
    """A player calls the claim just made; the pile is turned up."""

    type: Literal["call"]
    by: Name
    caught: bool | None = Field(None, description="Whether the claim was false.")
    seconds: Seconds | None = Field(None, description="How long the player took.")


TurnEntry = ClaimEntry | TakeEntry | CallEntry


class CheatSettingsEntry(RecordPart):
    """The settings of a game, where they are not the default; see `cheat` in `game.py`."""

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


class CheatFile(RecordFile):
    """A recorded game of Cheat for two, schema version 1."""

    model_config = ConfigDict(title="Cheat record")

    game: Literal["cheat"]
    players: list[Name] = Field(
        min_length=2, max_length=2, description="Their names or numbers; who begins stands first."
    )
    match: Name = Field("1", description="Games of one match are between the same two players.")
    number: int = Field(1, ge=1, le=10_000, description="The game's place in its match.")
    settings: CheatSettingsEntry = Field(default_factory=CheatSettingsEntry)
    first: Rank = Field(description="The card that was turned up at the start.")
    hands: dict[str, Cards] | None = Field(
        None, max_length=2, description="What each player was dealt, as far as it is known."
    )
    turns: list[Annotated[TurnEntry, Field(discriminator="type")]] = Field(max_length=MOST_TURNS)
    winner: Name | None = Field(None, description="Who won; absent: a draw, or not over.")
    source: Text | None = None
    note: Text | None = None


_EXPECTED: Final = {
    "game": 'it names the game, such as "cheat"',
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
    "type": "known: claim, take, call",
    "winner": "write a player's name, or leave it out",
}

FORM: Final = Form(
    file=CheatFile,
    entry="turn",
    article="a",
    kinds={"claim": ClaimEntry, "take": TakeEntry, "call": CallEntry},
    parts={"settings": CheatSettingsEntry},
    expected=_EXPECTED,
    alone="write one game on each line",
    most=MOST_TURNS,
    wrong_type={"literal_error": "no such word"},
)
json_schema = FORM.json_schema
place = FORM.place
