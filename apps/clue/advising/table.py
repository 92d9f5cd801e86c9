"""A game of Clue as somebody at the table has entered it so far."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from numpy.typing import NDArray

from ....beliefs.games.clue.declaration import ClueDeclaration
from ....beliefs.games.clue.suggesting import SuggestionWorth, told_by_rules
from ....beliefs.posterior import Posterior
from ....data.errors import ContradictionError, RecordError
from ....models.clue.edition import ClueEdition
from ....models.clue.events import (
    NO_SUGGESTION,
    NOT_RECORDED,
    Accusation,
    ClueEvent,
    Move,
    Suggestion,
    Triple,
)
from ....models.clue.house_rules import HouseRules
from ....models.clue.record.record import ClueRecord
from ....models.clue.seen import SeenClue
from ....planners.clue.treasure_hunt.ways import Place
from ...kit.advising.entries import UNSURE, Entry, Settings
from ...kit.advising.forms import plainly
from ..whereabouts import followed
from .editions import in_record

#: Probabilities at least so near to 1 are certainties.
CERTAIN = 1.0 - 1e-9
#: Probabilities that differ by less are alike.
ALIKE = 1e-9
#: What players do in their turns; other entries stand between a suggestion and its answer, too.
TURNS = ("suggest", "accuse")
#: What a table may allow on the board, as the booklet does: to come back to the room that one left,
#: and to suggest without rolling where another's suggestion moved one.
RULES = ("again", "summons")
#: House rules by the words for them at a table: the field of a record, and what stands in it.
HOUSE: Final = {
    "all": ("who_shows", "all"),
    "skipped": ("player_out", "skipped"),
    "looked": ("left_over", "looked at"),
    "anyroom": ("room", "any"),
    "noroom": ("room", "none"),
    "openly": ("card_shown", "openly"),
}


@dataclass(frozen=True)
class ClueSetup:
    """The game so far.

    Attributes:
        record: What was entered, as a record.
        me: Whose record it is.
        dice: How many dice are rolled on the board.
        rules: Those of `RULES` that are played.
        unsure: Numbers of the entries that are not counted.
    """

    record: ClueRecord
    me: str
    dice: int
    rules: frozenset[str]
    unsure: frozenset[int] = frozenset()

    @staticmethod
    def of(settings: Settings, entries: Iterable[Entry]) -> ClueSetup:
        """The table of what was set up and entered.

        Raises:
            RecordError: What was set up does not fit the rules.
            ContradictionError: An entry does not go with it; with its number.
        """
        every = list(entries)
        written = {**_set_up(settings), "own_hand": settings["hand"]}
        rules = frozenset(settings.get("rules", RULES))
        unsure = frozenset(number for number, each in enumerate(every, 1) if each.get(UNSURE))
        try:
            record = ClueRecord.from_json({**written, "events": [*map(dict, every)]})
        except RecordError:
            for number, entry in enumerate(every, 1):
                try:
                    refuse_alone(settings, entry, every[: number - 1])
                except RecordError as error:
                    raise ContradictionError(error.message, evidence=[number]) from None
            raise
        return ClueSetup(record, settings["me"], settings["dice"], rules, unsure)

    @property
    def edition(self) -> ClueEdition:
        """The cards of the game."""
        return self.record.edition

    @cached_property
    def game(self) -> SeenClue:
        """The game as the player has seen it, without what they are not sure of."""
        return self.without(*self.unsure)

    def without(self, *numbers: int) -> SeenClue:
        """The game as the player saw it, without some entries and those they are not sure of."""
        game, left = self.record.seen_by(self.me), {*numbers, *self.unsure}
        return replace(game, events=tuple(e for e in game.events if e.number not in left))

    @cached_property
    def belief(self) -> ClueDeclaration:
        return ClueDeclaration(self.game)

    @cached_property
    def posterior(self) -> Posterior:
        """The posterior the player can know.

        Raises:
            ContradictionError: What was entered cannot all be true; with the numbers of entries.
        """
        return self.belief.infer(self.game)

    @cached_property
    def certain(self) -> dict[str, str]:
        """The cards whose holder is certain: card -> holder."""
        shares = self.belief.table(self.posterior)
        return {
            card: holder
            for card in self.edition.cards
            for holder, share in shares[card].items()
            if share >= CERTAIN
        }

    def told(self, deals: NDArray[Any]) -> SuggestionWorth:
        """The information of suggestions to the player, estimated on deals from the posterior."""
        return told_by_rules(self.belief, deals)

    @property
    def leading(self) -> tuple[Triple, float]:
        """The likeliest case file, and its probability."""
        return self.posterior.most_likely(self.belief.case_file)[0]

    @property
    def rivals(self) -> int:
        """The number of other case files that are as likely as the likeliest."""
        shares: list[float] = self.posterior.distribution(self.belief.case_file).tolist()
        least = max(shares) - ALIKE
        return sum(share >= least for share in shares) - 1

    @property
    def bits(self) -> float:
        """The bits that are open of the case file."""
        return self.posterior.entropy(self.belief.case_file)

    @property
    def pending(self) -> int | None:
        """The number of the open suggestion; see `pending`."""
        return pending([event.to_json() for event in self.record.events])

    @property
    def open(self) -> Suggestion | None:
        """The suggestion of the last turn, if its answer was not entered yet."""
        asked = None if self.pending is None else self.record.events[self.pending - 1]
        return asked if isinstance(asked, Suggestion) else None

    @property
    def over(self) -> bool:
        """True if somebody accused rightly."""
        events = (seen.event for seen in self.game.events)
        return any(isinstance(event, Accusation) and event.correct for event in events)

    @property
    def out(self) -> tuple[str, ...]:
        """The players who accused wrongly: they only refute."""
        events = (seen.event for seen in self.game.events)
        return tuple(event.by for event in events if isinstance(event, Accusation))

    @property
    def answered(self) -> ClueSetup:
        """The table without the open suggestion."""
        if self.pending is None:
            return self
        return replace(self, unsure=self.unsure | {self.pending})

    @property
    def place(self) -> tuple[Place, str | None] | None:
        """The place they stand at, and the room that is closed to them; None if nothing says it."""
        standings = [*followed(self.game, self.dice)]
        if not standings:
            return None
        return standings[-1].place, None if "again" in self.rules else standings[-1].last

    @property
    def moved(self) -> str | None:
        """The room to which another's suggestion moved the player, who may suggest there now."""
        if "summons" not in self.rules:
            return None
        here: str | None = None
        for seen in reversed(self.game.events):
            event = seen.event
            if isinstance(event, Move) and event.to == NO_SUGGESTION:
                continue
            if isinstance(event, Move) and event.by == self.me:
                if here is not None:
                    return None  # they have walked since
                here = event.to
            elif isinstance(event, Suggestion) and event.by == self.me:
                return None
            elif isinstance(event, Suggestion) and event.room == here:
                return here
        return None


def event_of(settings: Settings, entry: Entry) -> ClueEvent:
    """The event that an entry describes, at a table where nobody's hand is known.

    Raises:
        RecordError: It names somebody who does not play, or what is no card.
    """
    event = ClueRecord.from_json({**_set_up(settings), "events": [dict(entry)]}).events[0]
    if isinstance(event, Suggestion) and house_rules(settings).player_out == "skipped":
        # Who is asked depends on what happened before.
        return replace(event, passed=())
    return event


def house_rules(settings: Settings) -> HouseRules:
    """The house rules of a table."""
    words = (HOUSE[word] for word in settings.get("rules", ()) if word in HOUSE)
    return HouseRules(**dict(words))  # pyright: ignore[reportArgumentType]


def refuse_alone(settings: Settings, entry: Entry, before: Sequence[Entry] = ()) -> None:
    """Refuses an entry that does not go with what was set up, whatever else happened.

    Args:
        settings: What was set up.
        entry: The entry.
        before: Those before it: only who accused wrongly is looked at.

    Raises:
        RecordError: The entry does not go with it; without the place in a record, which nobody
            sees.
    """
    wrong = [dict(each) for each in before if each["type"] == "accuse" and not each["correct"]]
    events = [*(wrong if house_rules(settings).player_out == "skipped" else []), dict(entry)]
    written = {**_set_up(settings), "own_hand": settings["hand"], "events": events}
    plainly(lambda: ClueRecord.from_json(written))


def refuse_set_up(settings: Settings) -> None:
    """Refuses what was set up, where it does not go together; what is missing is not looked at.

    Raises:
        RecordError: What was set up contradicts itself.
    """
    written: dict[str, Any] = {**_set_up(settings), "events": []}
    hand = {"own_hand": settings["hand"]} if "hand" in settings else {}
    plainly(lambda: ClueRecord.from_json({**written, **hand}))


def _set_up(settings: Settings) -> dict[str, Any]:
    return {
        "game": "clue",
        **in_record(settings),
        "players": settings["players"],
        "hand_sizes": settings["sizes"],
        "observer": settings["me"],
        "face_up": settings["faceup"],
        "rules": house_rules(settings).to_json(),
    }


def is_turn(entry: Entry) -> bool:
    """True if an entry is what somebody did in their turn."""
    return entry["type"] in TURNS or (entry["type"] == "move" and entry["to"] == NO_SUGGESTION)


def pending(entries: Sequence[Entry]) -> int | None:
    """The number of a suggestion whose answer was not entered yet, if no other turn came after."""
    for place in range(len(entries), 0, -1):
        if is_turn(entries[place - 1]):
            return place if entries[place - 1].get("refuter") == NOT_RECORDED else None
    return None


def turn(settings: Settings, entries: Sequence[Entry]) -> str:
    """Whose turn it is: the next after who had the last, without those who accused wrongly."""
    players = list(settings["players"])
    out = {entry["by"] for entry in entries if entry["type"] == "accuse"}
    who = 0
    for entry in entries:
        # Who is set up no more has no turn.
        if not is_turn(entry) or entry["by"] not in players:
            continue
        if entry["type"] != "accuse":
            who = players.index(entry["by"]) + 1
        elif who == players.index(entry["by"]):
            who += 1
    for step in range(len(players)):
        name = str(players[(who + step) % len(players)])
        if name not in out:
            return name
    return str(players[who % len(players)])


def passed_over(settings: Settings, entries: Sequence[Entry], number: int) -> list[str]:
    """Whose turns came before that of an entry, numbered from 1, and were not entered."""
    entry, players = entries[number - 1], list(settings["players"])
    if not is_turn(entry) or entry["by"] not in players:
        return []
    before = entries[: number - 1]
    out = {each["by"] for each in before if each["type"] == "accuse"}
    passed: list[str] = []
    place = players.index(turn(settings, before))
    # Who suggested may still accuse in the same turn.
    last = next((each for each in reversed(before) if is_turn(each)), None)
    if last is not None and entry["type"] == "accuse" and last["by"] == entry["by"]:
        return []
    while players[place] != entry["by"]:
        if players[place] not in out:
            passed.append(str(players[place]))
        place = (place + 1) % len(players)
    return passed
