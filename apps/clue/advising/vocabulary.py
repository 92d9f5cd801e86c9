"""The words of a line that somebody types at a table of Clue, and what each may stand for.

A shortened word may begin several names, so a line has several readings.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from ....data.errors import RecordError, meant
from ....models.clue.board.squares import square_of
from ....models.clue.edition import ClueEdition
from ....models.clue.editions import CLASSIC
from ....models.clue.events import CASE_FILE_IN_RECORDS
from ...kit.advising.words import FEWEST, begins, words_of

#: Words that say what happened: word -> what it stands for.
KEYWORDS: Final = {
    "accuses": "accuse",
    "accused": "accuse",
    "!": "accuse",
    "wrongly": "wrong",
    "rightly": "right",
    "correctly": "right",
    "nobody": "nobody",
    "none": "nobody",
    "-": "nobody",
    "passes": "pass",
    "passed": "pass",
    "cannot": "pass",
    "has": "has",
    "holds": "has",
    "not": "not",
    "hasnt": "not",
    "lacks": "not",
    "oneof": "one of",
    "moves": "move",
    "enters": "move",
    "at": "move",
    "?": "unseen",
    "suggests": "suggest",
    "suggested": "suggest",
    "sees": "sees",
    "saw": "sees",
    "skip": "skip",
    "skips": "skip",
    "skipped": "skip",
    "looks": "look",
    "looked": "look",
}
#: Words that say so together.
TOGETHER: Final = {
    "at least one": "one of",
    "at least": "one of",
    "a card": "unseen",
    "no suggestion": "skip",
}
#: Words that change nothing.
FILLERS: Final = frozenset(
    {"shows", "showed", "a", "an", "the", "card", "in", "with", "and", "makes", "made"}
    | {"to", "by", "or", "does", "can", "could", "have", "me", "is", "of", "one", "refute", "s"}
)
#: What is done by the player who is named before it.
VERBS: Final = frozenset({"suggest", "accuse", "has", "not", "one of", "move", "skip", "look"})
#: Words for the one who types.
MYSELF: Final = frozenset({"i", "me", "my"})
CASE_FILE_WORDS: Final = frozenset({"cf", "file", "casefile"})
#: Most readings of a line that are tried.
MOST_READINGS: Final = 2_000


@dataclass(frozen=True)
class Word:
    """The reading a word may stand for.

    Attributes:
        kind: ``player``, ``card``, ``holder`` (the case file), ``number``, ``square``, ``filler``,
            or a keyword's own.
        name: The player, card, number or square.
    """

    kind: str
    name: str = ""


@dataclass(frozen=True)
class Vocabulary:
    """The words that mean something at one table.

    Attributes:
        players: Names in turn order.
        me: Who types; None where that is not known yet.
        edition: The cards of the game.
    """

    players: tuple[str, ...]
    me: str | None = None
    edition: ClueEdition = CLASSIC

    def readings(self, line: str) -> Iterator[tuple[Word, ...]]:
        """The readings of the words of a line together, the most natural first."""
        options = self.options(line)
        if not options:
            raise RecordError("nothing was written", hint="write who suggested which three cards")
        every = itertools.islice(itertools.product(*options), MOST_READINGS)
        yield from sorted(every, key=strangeness)

    def options(self, line: str) -> list[list[Word]]:
        """The meanings that each word of a line may have, the most natural first."""
        typed = line.casefold().replace("!", " \0! ").replace("?", " \0? ")
        # The two signs that are words of their own, unless they stand in a name.
        tokens = [word for part in typed.split("\0") for word in _signed(part)]
        found: list[list[Word]] = []
        place = 0
        while place < len(tokens):
            count, whole = self._longest(tokens[place:])
            if whole is not None:
                found.append([whole])
                place += count
                continue
            found.append(self._meanings(tokens[place]))
            place += 1
        return found

    def _longest(self, tokens: Sequence[str]) -> tuple[int, Word | None]:
        """The longest name of several words with which a line goes on, and its words."""
        for count in range(min(len(tokens), self._most_words), 1, -1):
            if (whole := self._whole(" ".join(tokens[:count]))) is not None:
                return count, whole
        return 0, None

    @cached_property
    def _most_words(self) -> int:
        names = [*self.players, *self._cards]
        return max([3, *(len(words_of(name)) for name in names)])

    @cached_property
    def _cards(self) -> dict[str, str]:
        """The cards by all of their names."""
        return {card: card for card in self.edition.cards} | dict(self.edition.aliases)

    @cached_property
    def _spelt(self) -> dict[str, str]:
        """The cards by all of their names, as words are compared."""
        return {" ".join(words_of(name)): card for name, card in self._cards.items()}

    def _card(self, name: str) -> str | None:
        """The card that somebody calls so."""
        return self.edition.find(name) or self._spelt.get(name)

    def _whole(self, name: str) -> Word | None:
        """A name of several words: a player's, a card's under any of its names, the case file."""
        for player in self.players:
            if words_of(player) == name.split():
                return Word("player", player)
        if name == "case file":
            return Word("holder", CASE_FILE_IN_RECORDS)
        if name in TOGETHER:
            return Word(TOGETHER[name])
        # A captain may be a card of an own box, and then no title of the card behind it.
        titled = self._spelt.get(name.split()[0]) is None
        card = self._card(name) if titled else self._spelt.get(name)
        return None if card is None else Word("card", card)

    def _meanings(self, token: str) -> list[Word]:
        exact = [Word("player", name) for name in self.players if words_of(name) == [token]]
        if token in MYSELF and self.me is not None:
            exact.append(Word("player", self.me))
        if token in CASE_FILE_WORDS:
            exact.append(Word("holder", CASE_FILE_IN_RECORDS))
        if token.isascii() and token.isdigit():
            exact.append(Word("number", token))
        if square_of(token) is not None:
            exact.append(Word("square", token))
        if token in KEYWORDS or token in KEYWORDS.values():
            exact.append(Word(KEYWORDS.get(token, token)))
        if (card := self._card(token)) is not None:
            # A player may be called like a card.
            exact.append(Word("card", card))
        found = exact or [
            *(Word("player", name) for name in self.players if begins(token, name)),
            *(Word("card", card) for card in self.edition.cards if begins(token, card)),
        ]
        if not found and len(token) >= FEWEST:
            others = self.edition.aliases.items()
            named = dict.fromkeys(card for name, card in others if begins(token, name))
            found += [Word("card", card) for card in named]
        if not exact and len(token) >= FEWEST:
            kinds = dict.fromkeys(k for word, k in KEYWORDS.items() if word.startswith(token))
            found += [Word(kind) for kind in kinds]
        if token in FILLERS:
            found.append(Word("filler"))
        if not found:
            known = [
                *self.players,
                *self.edition.cards,
                *(word for word in KEYWORDS if word.isalpha()),
            ]
            hint = meant(token, known) or "'help' says what can be written"
            raise RecordError("no such word", value=token, hint=hint)
        return found


def _signed(part: str) -> list[str]:
    """The words of a part of a line, which may begin with a sign that is a word of its own."""
    sign = part[:1] if part[:1] in ("!", "?") else ""
    return [*sign, *words_of(part)]


def strangeness(words: Sequence[Word]) -> int:
    """The distance of a reading from what people write: fillers, and verbs before who does it."""
    kinds = [word.kind for word in words if word.kind != "filler"]
    verb = next((place for place, kind in enumerate(kinds) if kind in VERBS), None)
    if verb is None or {"player", "holder"}.isdisjoint(kinds):
        strange = False
    elif kinds[verb] in ("has", "not", "one of", "suggest"):
        strange = verb != 1 or kinds[0] not in ("player", "holder")
    else:
        strange = kinds[0] != "player"
    return len(words) - len(kinds) + strange
