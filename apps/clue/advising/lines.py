"""Lines that somebody types at a table of Clue, and the events that they mean.

A line is made of names, which may be shortened, and a few words between them, as in ``ada plum rope
kitchen bob`` or ``Ada suggests plum, rope and kitchen: Bob shows a card``. A shortened word may
begin several names (`vocabulary`). Then each of them is tried, and a line means what makes sense
(`sentences`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from ....data.errors import RecordError, SleuthError, shorten
from ....models.clue.edition import ClueEdition
from ....models.clue.editions import CLASSIC
from ....models.clue.events import NOT_RECORDED
from ....models.clue.house_rules import USUAL, HouseRules
from ...kit.advising.words import only
from ...kit.number_words import listed
from .sentences import Grammar, Meaning
from .vocabulary import MYSELF, Vocabulary, strangeness


@dataclass(frozen=True)
class Reader:
    """Reads lines at one table.

    Attributes:
        players: Names in turn order.
        me: Who types; None where that is not known yet.
        hand: Their cards.
        edition: The cards of the game.
        rules: The house rules.
    """

    players: tuple[str, ...]
    me: str | None = None
    hand: tuple[str, ...] = ()
    edition: ClueEdition = CLASSIC
    rules: HouseRules = USUAL

    def event(self, line: str, turn: str) -> dict[str, Any]:
        """The event that a line means by itself; see `meaning`."""
        return self.meaning(line, turn, None).event

    def meaning(self, line: str, turn: str, pending: Mapping[str, Any] | None) -> Meaning:
        """The meaning of a line.

        Args:
            line: What was typed.
            turn: Whose turn it is: they did it, where nobody is named.
            pending: A suggestion whose answer was not entered yet: a line without three cards is
                about this one.

        Raises:
            RecordError: It means nothing, or several things; with what to write instead.
        """
        refused: SleuthError | None = None
        found: dict[str, Meaning] = {}
        least: int | None = None
        for words in self._vocabulary.readings(line):
            strange = strangeness(words)
            if least is not None and strange > least:
                break
            kept = [word for word in words if word.kind != "filler"]
            try:
                meant = self._grammar.meaning(kept, turn, pending)
            except SleuthError as error:
                refused = refused or error
                continue
            found[str(meant)] = meant
            least = strange
        if len(found) == 1:
            return next(iter(found.values()))
        if found:
            both = " or ".join(brief(meant.event) for meant in [*found.values()][:3])
            raise RecordError("this could be several things", value=shorten(line), hint=both)
        assert refused is not None, "a line has a reading"
        raise refused

    def cards(self, line: str) -> list[str]:
        """The cards that a line names, beside any players.

        Raises:
            RecordError: A word is no name, or could be several cards.
        """
        found: list[str] = []
        for options in self._vocabulary.options(line):
            cards = [word.name for word in options if word.kind == "card"]
            if not cards and not any(word.kind == "filler" for word in options):
                raise RecordError("a card was expected", value=options[0].name or line)
            if len(cards) > 1:
                raise RecordError("this could be several cards", value=line, hint=listed(cards))
            found += cards
        return found

    def player(self, text: str) -> str:
        """The player whose name a word begins.

        Raises:
            RecordError: There is none, or several.
        """
        myself = {} if self.me is None else dict.fromkeys(MYSELF, self.me)
        return only(text, self.players, "player", myself)

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        return Vocabulary(self.players, self.me, self.edition)

    @cached_property
    def _grammar(self) -> Grammar:
        return Grammar(self.players, self.me, self.hand, self.edition, self.rules)


def brief(event: Mapping[str, Any]) -> str:
    """The names of an event, in the order in which they can be written."""
    fields = ("by", "player", "cards", "card", "to", "refuter", "shown")
    words: list[str] = []
    for value in (event.get(each) for each in fields):
        if isinstance(value, str) and value != NOT_RECORDED:
            words.append(value)
        elif isinstance(value, list):
            words += cast("list[str]", value)
    return " ".join(words)
