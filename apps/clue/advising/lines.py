"""Lines that somebody types at a table of Clue, and the events that they mean.

A line is made of names, which may be shortened, and a few words between them, as in ``ada plum rope
kitchen bob`` or ``Ada suggests plum, rope and kitchen: Bob shows a card``. A shortened word may
begin several names. Then each of them is tried, and a line means what makes sense.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from ....data.errors import RecordError, SleuthError, meant, shorten
from ....models.clue.board.board import board
from ....models.clue.board.squares import square_of, written
from ....models.clue.cards import CARDS, ROOMS, aliases, canonical, category
from ....models.clue.events import (
    CASE_FILE_IN_RECORDS,
    NO_SUGGESTION,
    NOT_RECORDED,
    asked_in_turn,
)
from ...kit.advising.words import FEWEST, begins, only, words_of
from ...kit.number_words import listed

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
VERBS: Final = frozenset({"suggest", "accuse", "has", "not", "one of", "move", "skip"})
#: Other names of cards, which can be begun as well.
ALIASES: Final = aliases()
#: Words for the one who types.
MYSELF: Final = frozenset({"i", "me", "my"})
CASE_FILE_WORDS: Final = frozenset({"cf", "file", "casefile"})
#: What squares are called, for who writes something else.
SQUARES: Final = "columns are a to x from the left, rows 1 to 25 from the top"
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
class Meaning:
    """The meaning of a line.

    Attributes:
        event: The event, as it stands in a record.
        completes: Whether it is the open suggestion, with its answer, and no event of its own.
    """

    event: dict[str, Any]
    completes: bool = False


@dataclass(frozen=True)
class Reader:
    """Reads lines at one table.

    Attributes:
        players: Names in turn order.
        me: Who types; None where that is not known yet.
        hand: Their cards.
    """

    players: tuple[str, ...]
    me: str | None = None
    hand: tuple[str, ...] = ()

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
        for words in self._readings(line):
            strange = _strangeness(words)
            if least is not None and strange > least:
                break
            try:
                meant = self._meaning([w for w in words if w.kind != "filler"], turn, pending)
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
        for options in self._options(line):
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

    # -- words

    def _readings(self, line: str) -> Iterator[tuple[Word, ...]]:
        """The readings of the words of a line together, the most natural first."""
        options = self._options(line)
        if not options:
            raise RecordError("nothing was written", hint="write who suggested which three cards")
        every = itertools.islice(itertools.product(*options), MOST_READINGS)
        yield from sorted(every, key=_strangeness)

    def _options(self, line: str) -> list[list[Word]]:
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

    @property
    def _most_words(self) -> int:
        return max([3, *(len(words_of(player)) for player in self.players)])

    def _whole(self, name: str) -> Word | None:
        """A name of several words: a player's, a card's under any of its names, the case file."""
        for player in self.players:
            if words_of(player) == name.split():
                return Word("player", player)
        if name == "case file":
            return Word("holder", CASE_FILE_IN_RECORDS)
        if name in TOGETHER:
            return Word(TOGETHER[name])
        try:
            return Word("card", canonical(name))
        except RecordError:
            return None

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
        with contextlib.suppress(RecordError):
            # A player may be called like a card.
            exact.append(Word("card", canonical(token)))
        found = exact or [
            *(Word("player", name) for name in self.players if begins(token, name)),
            *(Word("card", card) for card in CARDS if begins(token, card)),
        ]
        if not found and len(token) >= FEWEST:
            named = dict.fromkeys(card for name, card in ALIASES.items() if begins(token, name))
            found += [Word("card", card) for card in named]
        if not exact and len(token) >= FEWEST:
            kinds = dict.fromkeys(k for word, k in KEYWORDS.items() if word.startswith(token))
            found += [Word(kind) for kind in kinds]
        if token in FILLERS:
            found.append(Word("filler"))
        if not found:
            known = [*self.players, *CARDS, *(word for word in KEYWORDS if word.isalpha())]
            hint = meant(token, known) or "'help' says what can be written"
            raise RecordError("no such word", value=token, hint=hint)
        return found

    # -- sentences

    def _meaning(
        self, words: Sequence[Word], turn: str, pending: Mapping[str, Any] | None
    ) -> Meaning:
        kinds = [word.kind for word in words]
        players = [word.name for word in words if word.kind == "player"]
        cards = [word.name for word in words if word.kind == "card"]
        if "skip" in kinds:
            return Meaning(_skipped(words, turn))
        if "accuse" in kinds:
            return Meaning(self._accusation(words, players, turn))
        if {"has", "not", "one of"} & {*kinds}:
            return Meaning(self._note(words, players, cards))
        if "move" in kinds:
            return Meaning(self._move(words, players, cards, turn))
        if "wrong" in kinds or "right" in kinds:
            raise RecordError("who accuses?", hint="write 'accuse' and three cards")
        if not cards and pending is None and players and {*kinds} <= {"player", "pass"}:
            raise RecordError(
                "nothing was suggested",
                hint=f"if {players[0]} made no suggestion, write '{players[0].casefold()} skips'",
            )
        if len(cards) < 3 and pending is not None and "suggest" not in kinds:
            return Meaning(self._answered(words, pending), completes=True)
        return Meaning(self._suggestion(words, cards, turn))

    def _suggestion(self, words: Sequence[Word], cards: list[str], turn: str) -> dict[str, Any]:
        triple = _triple(cards[:3])
        first = next(place for place, word in enumerate(words) if word.kind == "card")
        before, after = [word for word in words[:first] if word.kind != "suggest"], words[first:]
        if len(before) > 1 or any(word.kind != "player" for word in before):
            raise RecordError(
                "before the three cards stands who suggested them, and nobody else",
                value=" ".join(word.name or word.kind for word in before),
            )
        by = before[0].name if before else turn
        asked: dict[str, Any] = {"type": "suggest", "by": by, "cards": list(triple)}
        rest: list[Word] = []
        left = 3
        for word in after:
            if word.kind == "card" and left:
                left -= 1
            else:
                rest.append(word)
        if not rest:
            return asked | {"refuter": NOT_RECORDED, "passed": []}
        return self._answered(rest, asked)

    def _answered(self, words: Sequence[Word], asked: Mapping[str, Any]) -> dict[str, Any]:
        """A suggestion with its answer: who showed, who passed before, and which card."""
        by, three = str(asked["by"]), [str(card) for card in asked["cards"]]
        made = {"type": "suggest", "by": by, "cards": three}
        wrong = [w for w in words if w.kind not in ("player", "card", "nobody", "pass", "unseen")]
        if wrong:
            raise RecordError(
                "an answer names who showed a card, or 'nobody', and the card if you saw it",
                value=wrong[0].name or wrong[0].kind,
            )
        if any(word.kind == "nobody" for word in words):
            if any(word.kind in ("player", "card") for word in words):
                raise RecordError("nobody showed a card, yet more is written", hint="leave it out")
            return made | {"refuter": None, "shown": None}
        shown = [word.name for word in words if word.kind == "card"]
        passed: list[str] = []
        named: list[str] = []
        for word in words:
            if word.kind == "player":
                named.append(word.name)
            elif word.kind == "pass":
                if not named:
                    raise RecordError("who passed?", hint="write the player before it")
                passed += named
                named = []
        if not named:
            everybody = asked_in_turn(self.players, by, None)
            if passed and {*passed} == {*everybody}:
                return made | {"refuter": None, "shown": None}
            raise RecordError(
                "who showed a card?",
                hint=f"add {listed([name for name in self.players if name != by], 'or')}, "
                "or 'nobody'",
            )
        if len(named) > 1:
            raise RecordError(
                "one player shows a card",
                value=listed(named),
                hint=f"write '{named[0]} passes {named[1]}'",
            )
        refuter = named[0]
        if refuter == by:
            raise RecordError("no player refutes their own suggestion", value=refuter)
        before = asked_in_turn(self.players, by, refuter)
        strange = [name for name in passed if name not in before]
        if strange:
            raise RecordError(
                f"{strange[0]} is not asked before {refuter}, when {by} suggests",
                hint=f"asked are {', '.join(asked_in_turn(self.players, by, None))}, in this order",
            )
        unseen = any(word.kind == "unseen" for word in words)
        card = self._shown(by, refuter, three, shown, unseen=unseen)
        return made | {"refuter": refuter, "shown": card}

    def _shown(
        self, by: str, refuter: str, three: list[str], shown: list[str], *, unseen: bool
    ) -> str | None:
        if len(shown) > 1 or (shown and unseen):
            raise RecordError("one card is shown", value=listed(shown))
        if shown:
            if shown[0] not in three:
                hint = f"write one of {', '.join(three)}"
                raise RecordError("this card was not suggested", value=shown[0], hint=hint)
            if self.me not in (by, refuter):
                raise RecordError(
                    f"{refuter} shows the card to {by} alone",
                    value=shown[0],
                    hint="leave it out; if you know it all the same, write "
                    f"'{refuter.casefold()} has {shown[0]}' as the next line",
                )
            return shown[0]
        if refuter == self.me and self.hand and not unseen:
            held = [card for card in three if card in self.hand]
            if len(held) == 1:
                return held[0]
        if self.me in (by, refuter) and not unseen:
            raise RecordError(
                "you saw which card was shown", hint=f"add one of {listed(three, 'or')}"
            )
        return None

    def _accusation(self, words: Sequence[Word], players: list[str], turn: str) -> dict[str, Any]:
        kinds = [word.kind for word in words]
        told = kinds.index("sees") if "sees" in kinds else len(words)
        triple = _triple([word.name for word in words[:told] if word.kind == "card"])
        seen = [word.name for word in words[told:] if word.kind == "card"]
        if len(players) > 1:
            raise RecordError("one player accuses", value=listed(players))
        if ("wrong" in kinds) == ("right" in kinds):
            raise RecordError("was the accusation right?", hint="add 'right' or 'wrong'")
        by = players[0] if players else turn
        made = {"type": "accuse", "by": by, "cards": list(triple), "correct": "right" in kinds}
        return made | ({"seen": list(_triple(seen))} if told < len(words) else {})

    def _note(self, words: Sequence[Word], players: list[str], cards: list[str]) -> dict[str, Any]:
        kinds = [word.kind for word in words]
        holders = [*players, *(word.name for word in words if word.kind == "holder")]
        if len(holders) != 1 or not cards:
            raise RecordError(
                "a note says who has what",
                hint="write 'bob has rope', 'bob not rope' or 'bob oneof rope plum', 'cf' for the "
                "case file",
            )
        if "not" not in kinds and ("one of" in kinds or len(cards) > 1):
            return {"type": "oneof", "player": holders[0], "cards": cards}
        if len(cards) > 1:
            raise RecordError(
                "one card in each such note", value=listed(cards), hint="write a line each"
            )
        kind = "nothas" if "not" in kinds else "has"
        return {"type": kind, "player": holders[0], "card": cards[0]}

    def _move(
        self, words: Sequence[Word], players: list[str], cards: list[str], turn: str
    ) -> dict[str, Any]:
        numbers = [word.name for word in words if word.kind == "number"]
        squares = [word.name for word in words if word.kind == "square"]
        if len(cards) == 1 and cards[0] in ROOMS and not numbers and not squares:
            to = cards[0]
        elif len(squares) == 1 and not cards and not numbers:
            square = square_of(squares[0])
            if square is None or square not in board().place_of:
                raise RecordError("the board has no such square", value=squares[0], hint=SQUARES)
            to = written(square)
        else:
            raise RecordError(
                "a move leads to a room, or to a square",
                hint=f"write 'at kitchen', or 'at i18': {SQUARES}",
            )
        if len(players) > 1:
            raise RecordError("one player moves", value=listed(players))
        # Where somebody else stands matters to nobody: 'at' is about the one who types.
        by = players[0] if players else self.me or turn
        return {"type": "move", "by": by, "to": to}


def _skipped(words: Sequence[Word], turn: str) -> dict[str, Any]:
    """A turn that ended without a suggestion."""
    players = [word.name for word in words if word.kind == "player"]
    others = [word for word in words if word.kind not in ("player", "skip")]
    if len(players) > 1 or others:
        raise RecordError(
            "a turn without a suggestion has nothing else in it", hint="write 'bob skips'"
        )
    return {"type": "move", "by": players[0] if players else turn, "to": NO_SUGGESTION}


def _signed(part: str) -> list[str]:
    """The words of a part of a line, which may begin with a sign that is a word of its own."""
    sign = part[:1] if part[:1] in ("!", "?") else ""
    return [*sign, *words_of(part)]


def _strangeness(words: Sequence[Word]) -> int:
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


def _triple(cards: Sequence[str]) -> tuple[str, str, str]:
    found = {category(card): card for card in cards}
    if len(cards) != 3 or len(found) != 3:
        hint = "name a suspect, a weapon and a room, such as 'plum rope kitchen'"
        named = f"not {', '.join(cards)}" if cards else "and none is named"
        raise RecordError(f"three cards of three kinds were expected, {named}", hint=hint)
    return found["suspect"], found["weapon"], found["room"]


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
