"""The form of a recorded game of Clue: which fields a record file has, and of which types.

Version 1. What the fields must say to make sense together is checked by ``consistency``.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import ConfigDict, Field

from ...records.forms import Form, Name, RecordFile, RecordPart, Text
from ...records.reading import MOST_EVENTS
from ..edition import MOST_OF_A_KIND, MOST_PLAYERS
from ..editions import Aliases, CardName, EditionCards
from ..house_rules import WORDS, CardShown, LeftOver, PlayerOut, RoomNamed, WhoShows

#: Most cards that a player can hold, of any edition.
MOST_HELD: Final = 3 * MOST_OF_A_KIND

NamedCards = Annotated[list[CardName], Field(min_length=2, max_length=3)]
ThreeCards = Annotated[list[CardName], Field(min_length=3, max_length=3)]


class RefutationPart(RecordPart):
    """A player showed the suggester a card."""

    player: Name
    shown: CardName | None = Field(None, description="The card shown, if it is known.")


class SuggestEntry(RecordPart):
    """A player suggests; the others are asked in turn order until one can refute."""

    type: Literal["suggest"]
    by: Name
    cards: NamedCards = Field(
        description="One suspect, one weapon and one room; no room where the rules say 'none'."
    )
    refuter: Name | None = Field(
        None,
        description="Who showed a card; null if nobody could; or 'not recorded'. Required, unless "
        "'refuters' stands instead.",
    )
    refuters: list[RefutationPart] | None = Field(
        None,
        max_length=3,
        description="All who showed a card, where all show who can; instead of 'refuter'.",
    )
    shown: CardName | None = Field(None, description="The card shown, if it is known.")
    passed: list[Name] | None = Field(
        None, description="Who could not refute; only needed when the refuter is 'not recorded'."
    )


class AccuseEntry(RecordPart):
    """A player accuses and looks into the case file."""

    type: Literal["accuse"]
    by: Name
    cards: ThreeCards = Field(description="One suspect, one weapon and one room.")
    correct: bool
    seen: ThreeCards | None = Field(None, description="The case file, if the accuser tells.")


class LookEntry(RecordPart):
    """A player looks at the cards left over, where the rules say 'looked at'."""

    type: Literal["look"]
    by: Name
    cards: list[CardName] | None = Field(
        None, min_length=1, max_length=18, description="All cards left over, if they are known."
    )


class PawnMoveEntry(RecordPart):
    """A player's pawn goes to a room, a square or a place in words, or they end their turn."""

    type: Literal["move"]
    by: Name
    to: Name = Field(
        description="A room; a square such as 'h8'; 'no suggestion' for a turn that ended without "
        "one; or words for another place."
    )


class HasEntry(RecordPart):
    """The player, or the case file ('cf'), has the card."""

    type: Literal["has"]
    player: Name
    card: CardName


class NotHasEntry(RecordPart):
    """The player, or the case file ('cf'), does not have the card."""

    type: Literal["nothas"]
    player: Name
    card: CardName


class OneOfEntry(RecordPart):
    """The player, or the case file ('cf'), has at least one of the cards."""

    type: Literal["oneof"]
    player: Name
    cards: list[CardName] = Field(min_length=1, max_length=MOST_HELD)


EventEntry = (
    SuggestEntry | AccuseEntry | LookEntry | PawnMoveEntry | HasEntry | NotHasEntry | OneOfEntry
)


class RulesPart(RecordPart):
    """The house rules of the table; what is left out is as usual."""

    who_shows: WhoShows = Field(
        "first", description="Of those who hold a card named, the first shows one, or all do."
    )
    player_out: PlayerOut = Field(
        "shows", description="A player who accused wrongly shows cards still, or is skipped."
    )
    left_over: LeftOver = Field(
        "face up",
        description="How cards lie that are dealt to nobody; 'looked at': face down, and players "
        "look at them in turn, each in an event 'look'.",
    )
    room: RoomNamed = Field(
        "own",
        description="The room that a suggestion names: where the pawn stands, any, or none.",
    )
    card_shown: CardShown = Field(
        "secretly", description="A card is shown to the suggester alone, or openly to everybody."
    )


class ClueFile(RecordFile):
    """A recorded game of Clue, schema version 1; one record per file."""

    model_config = ConfigDict(title="Clue record")

    game: Literal["clue"]
    edition: Name | None = Field(
        None,
        description="The edition: one that comes with sleuth, or the word for the cards given here;"
        " absent: it is recognised by its cards.",
    )
    cards: EditionCards | None = Field(
        None, description="All cards of the edition, where it is none that comes with sleuth."
    )
    aliases: Aliases | None = Field(None, description="Other names of these cards: name -> card.")
    players: list[Name] = Field(
        min_length=2, max_length=MOST_PLAYERS, description="Names in turn order."
    )
    hand_sizes: list[Annotated[int, Field(ge=0, le=MOST_HELD)] | None] | None = Field(
        None,
        min_length=2,
        max_length=MOST_PLAYERS,
        description="Cards per player; with the cards left over and three more they make all cards."
        " Null where it is not known; absent: nobody's is known.",
    )
    rules: RulesPart | None = Field(None, description="House rules; absent: the usual ones.")
    observer: Name | None = Field(None, description="The player who recorded what they saw.")
    own_hand: list[CardName] | None = Field(
        None, max_length=MOST_HELD, description="The observer's hand; empty or absent: not known."
    )
    face_up: list[CardName] | None = Field(
        None, max_length=MOST_HELD, description="Cards dealt to nobody that everybody sees."
    )
    hands: dict[str, list[CardName]] | None = Field(
        None, max_length=MOST_PLAYERS, description="The truth: every player's cards."
    )
    case_file: ThreeCards | None = Field(None, description="The truth: suspect, weapon, room.")
    name: Text | None = None
    events: list[Annotated[EventEntry, Field(discriminator="type")]] = Field(max_length=MOST_EVENTS)


_EXPECTED: Final = {
    "game": 'it names the game, such as "clue"',
    "edition": "write the name of an edition, or leave it out",
    "aliases": 'write {"other name": "card"}, or leave it out',
    "suspect": "list the cards of the category",
    "weapon": "list the cards of the category",
    "room": "list the cards of the category",
    "players": f"list 2 to {MOST_PLAYERS} names in turn order",
    "hand_sizes": "list how many cards each player holds, in turn order",
    "observer": "write the name of one of the players, or leave it out",
    "rules": 'write house rules, such as {"who_shows": "all"}, or leave it out',
    "refuters": 'list who showed a card: [{"player": "name", "shown": "card"}, ...]',
    "own_hand": "list the observer's cards, or leave it out",
    "face_up": "list cards, or leave it out",
    "hands": 'write every player\'s cards: {"name": ["card", ...], ...}',
    "case_file": "write [suspect, weapon, room]",
    "events": "list the events of the game, each an object with a type",
    "type": "known: suggest, accuse, look, move, has, nothas, oneof",
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
}


FORM: Final = Form(
    file=ClueFile,
    entry="event",
    article="an",
    kinds={
        "suggest": SuggestEntry,
        "accuse": AccuseEntry,
        "look": LookEntry,
        "move": PawnMoveEntry,
        "has": HasEntry,
        "nothas": NotHasEntry,
        "oneof": OneOfEntry,
    },
    parts={"cards": EditionCards, "rules": RulesPart},
    closed={"cards": "no such category of cards", "rules": "no such house rule"},
    expected=_EXPECTED | {rule: f"known: {', '.join(words)}" for rule, words in WORDS.items()},
    alone="write one record per file",
    ignored=frozenset(
        {"could_show", "expected_by_source", "computed", "name", "source", "note"},
    ),
)
json_schema = FORM.json_schema
place = FORM.place
