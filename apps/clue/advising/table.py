"""A game of Clue as somebody at the table has entered it so far."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from numpy.typing import NDArray

from ....beliefs.games.clue.declaration import ClueBelief
from ....beliefs.games.clue.suggesting import Told, told
from ....beliefs.posterior import Posterior
from ....models.clue.cards import CARDS
from ....models.clue.events import NOT_RECORDED, Accusation, Move, Suggestion, Triple
from ....models.clue.game import TRIPLES
from ....models.clue.record.record import Record
from ....models.clue.seen import SeenGame
from ....planners.treasure_hunt.ways import Place
from ...kit.advising.contract import Entry, Settings
from ..whereabouts import followed

#: Probabilities at least so near to 1 are certainties.
CERTAIN = 1.0 - 1e-9
#: What players do in their turns; other entries stand between a suggestion and its answer, too.
TURNS = ("suggest", "accuse")
#: What a table may allow on the board, as the booklet does: to come back to the room that one left,
#: and to suggest without rolling where another's suggestion moved one.
RULES = ("again", "summons")


@dataclass(frozen=True)
class Table:
    """The game so far.

    Attributes:
        record: What was entered, as a record.
        me: Whose record it is.
        dice: How many dice are rolled on the board.
        rules: Those of `RULES` that are played.
    """

    record: Record
    me: str
    dice: int
    rules: frozenset[str]

    @staticmethod
    def of(settings: Settings, entries: Iterable[Entry], *, checked: bool = True) -> Table:
        """The table of what was set up and entered.

        Raises:
            RecordError: It does not fit the rules; where it is checked, the own hand neither.
        """
        written: dict[str, Any] = {
            "game": "clue",
            "players": settings["players"],
            "hand_sizes": settings["sizes"],
            "observer": settings["me"],
            "face_up": settings["faceup"],
            "events": [dict(entry) for entry in entries],
        }
        if checked:
            written["own_hand"] = settings["hand"]
        rules = frozenset(settings.get("rules", RULES))
        return Table(Record.from_json(written), settings["me"], settings["dice"], rules)

    @cached_property
    def game(self) -> SeenGame:
        """What the player has seen."""
        return self.record.seen_by(self.me)

    @cached_property
    def belief(self) -> ClueBelief:
        return ClueBelief(self.game)

    @cached_property
    def posterior(self) -> Posterior:
        """What they can know.

        Raises:
            ContradictionError: What was entered cannot all be true; with the numbers of entries.
        """
        return self.belief.infer(self.game)

    @cached_property
    def certain(self) -> dict[str, str]:
        """The cards whose holder is certain: card -> holder."""
        shares = self.posterior.table(self.belief.cards)
        return {
            card: holder
            for card in CARDS
            for holder, share in shares[card].items()
            if share >= CERTAIN
        }

    def told(self, deals: NDArray[Any], *, triples: Sequence[int] = range(TRIPLES)) -> Told:
        """What suggestions would tell the player, estimated on deals drawn from the posterior.

        Args:
            deals, triples: As for `told`.
        """
        players = self.game.players
        return told(deals, len(players), players.index(self.me), triples=triples)

    @property
    def leading(self) -> tuple[Triple, float]:
        """The likeliest case file, and its probability."""
        return self.posterior.most_likely(self.belief.case_file)[0]

    @property
    def bits(self) -> float:
        """What is open of the case file."""
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
        """Whether somebody accused rightly."""
        events = (seen.event for seen in self.game.events)
        return any(isinstance(event, Accusation) and event.correct for event in events)

    @property
    def out(self) -> tuple[str, ...]:
        """The players who accused wrongly: they only refute."""
        events = (seen.event for seen in self.game.events)
        return tuple(event.by for event in events if isinstance(event, Accusation))

    @property
    def answered(self) -> Table:
        """The table without the open suggestion."""
        if self.pending is None:
            return self
        events = (*self.record.events[: self.pending - 1], *self.record.events[self.pending :])
        return replace(self, record=replace(self.record, events=events))

    @property
    def place(self) -> tuple[Place, str | None] | None:
        """Where they stand, and the room that is closed to them; None if nothing says it."""
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
            if isinstance(event, Move) and event.by == self.me:
                if here is not None:
                    return None  # they have walked since
                here = event.to
            elif isinstance(event, Suggestion) and event.by == self.me:
                return None
            elif isinstance(event, Suggestion) and event.cards[2] == here:
                return here
        return None


def pending(entries: Sequence[Entry]) -> int | None:
    """The number of a suggestion whose answer was not entered yet, if no other turn came after."""
    for place in range(len(entries), 0, -1):
        if entries[place - 1]["type"] in TURNS:
            return place if entries[place - 1].get("refuter") == NOT_RECORDED else None
    return None


def turn(settings: Settings, entries: Sequence[Entry]) -> str:
    """Whose turn it is: the next after who suggested last, without those who accused wrongly."""
    players = list(settings["players"])
    out = {entry["by"] for entry in entries if entry["type"] == "accuse"}
    who = 0
    for entry in entries:
        if entry["type"] == "suggest":
            who = players.index(entry["by"]) + 1
        elif entry["type"] == "accuse" and who == players.index(entry["by"]):
            who += 1
    for step in range(len(players)):
        name = str(players[(who + step) % len(players)])
        if name not in out:
            return name
    return str(players[who % len(players)])
