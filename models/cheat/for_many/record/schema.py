"""The form of a recorded game of Cheat for many, version 1: its fields, and of which types.

A file of records has one game in JSON on each line (JSON Lines), or is a table (CSV, see
`files.py`). What the fields must say to make sense together is checked by `replay.py`.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import ConfigDict, Field

from ....records.forms import Form, Name, RecordFile, RecordPart
from ...record.schema import RANK_NAMES, Rank, Seconds, Text
from ..game import NAME, FalseCards, Leads, Order, Shown
from ..state import MOST_CARDS, MOST_CLAIMED, MOST_PLAYERS, MOST_RANKS, MOST_TURNS

#: Every claim can be called, and the others can let it pass.
MOST_ENTRIES: Final = MOST_TURNS * MOST_PLAYERS

Cards = Annotated[list[Rank], Field(max_length=MOST_CARDS)]


class ManyClaimEntry(RecordPart):
    """A player lays cards face down and says that all of them are of one rank."""

    type: Literal["claim"]
    by: Name
    rank: Rank = Field(description="The rank claimed.")
    count: int = Field(ge=1, le=MOST_CLAIMED, description="How many cards.")
    cards: Cards | None = Field(None, description="The true cards, if they are known.")
    seconds: Seconds | None = Field(None, description="How long the player took.")


class ManyCallEntry(RecordPart):
    """A player calls the claim just made; its cards are turned up."""

    type: Literal["call"]
    by: Name
    caught: bool | None = Field(None, description="Whether the claim was false.")
    shown: Cards | None = Field(
        None, description="The cards of the claim; needed if it was false and has no 'cards'."
    )
    pile: Cards | None = Field(
        None, description="The cards of the whole pile, if they are known, from its bottom."
    )
    seconds: Seconds | None = Field(None, description="How long the player took.")


class ManyPassEntry(RecordPart):
    """A player lets a claim pass. It need not be written where others did something after it."""

    type: Literal["pass"]
    by: Name
    seconds: Seconds | None = Field(None, description="How long the player took.")


ManyCheatEntry = ManyClaimEntry | ManyCallEntry | ManyPassEntry


class ManySettingsEntry(RecordPart):
    """The settings of a game, where they are not the common ones; see `cheat_for_many`."""

    packs: int = 1
    ranks: int = MOST_RANKS
    suits: int = 4
    order: Order = "ascending"
    most_claimed: int | None = None
    leads: Leads = "next"
    shown: Shown = "claim"
    false_cards: FalseCards = "latest"
    limit: int = 200


class ManyCheatFile(RecordFile):
    """A recorded game of Cheat for two to six, schema version 1."""

    model_config = ConfigDict(title="Cheat for many record")

    game: Literal["cheat_for_many"]
    players: list[Name] = Field(
        min_length=2, max_length=MOST_PLAYERS, description="In turn order, first who begins."
    )
    match: Name = Field("1", description="Games of one match are by the same people.")
    number: int = Field(1, ge=1, le=10_000, description="The game's place in its match.")
    settings: ManySettingsEntry = Field(default_factory=ManySettingsEntry)
    hands: dict[str, Cards] | None = Field(
        None,
        max_length=MOST_PLAYERS,
        description="What each player was dealt, as far as it is known.",
    )
    turns: list[Annotated[ManyCheatEntry, Field(discriminator="type")]] = Field(
        max_length=MOST_ENTRIES
    )
    winner: Name | None = Field(None, description="Who won; absent: a draw, or not over.")
    source: Text | None = None
    note: Text | None = None


_RANKS: Final = f"write a rank: {', '.join(RANK_NAMES)}"
_EXPECTED: Final = {
    "game": 'it names the game, such as "cheat_for_many"',
    "players": "list two to six names in turn order, first who begins",
    "match": "write a name or number as text",
    "number": "write 1 for the first game of a match",
    "rank": _RANKS,
    "cards": 'list ranks, such as ["8", "king"], or leave it out',
    "shown": 'list the cards of the claim, such as ["8", "king"]',
    "pile": "list the cards of the pile from its bottom, or leave it out",
    "hands": 'write what is known: {"name": ["ace", "10", ...]}',
    "count": f"write 1 to {MOST_CLAIMED}",
    "by": "write a player's name",
    "caught": "write true if the claim was false, else false, or leave it out",
    "seconds": "write a number of seconds, or leave it out",
    "turns": "list the turns of the game, each an object with a type",
    "type": "known: claim, call, pass",
    "winner": "write a player's name, or leave it out",
}

FORM: Final = Form(
    file=ManyCheatFile,
    entry="turn",
    article="a",
    kinds={"claim": ManyClaimEntry, "call": ManyCallEntry, "pass": ManyPassEntry},
    parts={"settings": ManySettingsEntry},
    expected=_EXPECTED,
    alone="write one game on each line",
    most=MOST_ENTRIES,
    wrong_type={"literal_error": "no such word"},
)
place = FORM.place


def many_json_schema() -> dict[str, Any]:
    """The published JSON Schema of a record of Cheat for many (draft 2020-12).

    >>> from sleuth.games.cheat import many_json_schema
    >>> many_json_schema()["title"]
    'Cheat for many record'
    """
    return FORM.json_schema()


__all__ = ["FORM", "NAME", "RANK_NAMES", "many_json_schema", "place"]
