"""The events of Clue that the words of a line mean, read one way."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ....data.errors import RecordError
from ....models.clue.board.board import board
from ....models.clue.board.squares import square_of, written
from ....models.clue.edition import KINDS, ClueEdition
from ....models.clue.editions import CLASSIC
from ....models.clue.events import NO_SUGGESTION, NOT_RECORDED, asked_in_turn
from ....models.clue.house_rules import USUAL, HouseRules
from ...kit.number_words import listed
from .vocabulary import Word

#: What squares are called, for who writes something else.
SQUARES: Final = "columns are a to x from the left, rows 1 to 25 from the top"


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
class Grammar:
    """The sentences that can be said at one table.

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

    def meaning(
        self, words: Sequence[Word], turn: str, pending: Mapping[str, Any] | None
    ) -> Meaning:
        """The meaning of words that are no fillers; see `Reader.meaning`."""
        kinds = [word.kind for word in words]
        players = [word.name for word in words if word.kind == "player"]
        cards = [word.name for word in words if word.kind == "card"]
        if "skip" in kinds:
            return Meaning(_skipped(words, turn))
        if "accuse" in kinds:
            return Meaning(self._accusation(words, players, turn))
        if {"has", "not", "one of"} & {*kinds}:
            return Meaning(self._note(words, players, cards))
        if "look" in kinds:
            return Meaning(self._look(players, cards, turn))
        if "move" in kinds:
            return Meaning(self._move(words, players, cards, turn))
        if "wrong" in kinds or "right" in kinds:
            raise RecordError("who accuses?", hint="write 'accuse' and three cards")
        if not cards and pending is None and players and {*kinds} <= {"player", "pass"}:
            raise RecordError(
                "nothing was suggested",
                hint=f"if {players[0]} made no suggestion, write '{players[0].casefold()} skips'",
            )
        answers = len(cards) < self.rules.named or self._shows_all(words)
        if answers and pending is not None and "suggest" not in kinds:
            return Meaning(self._answered(words, pending), completes=True)
        return Meaning(self._suggestion(words, cards, turn))

    def _shows_all(self, words: Sequence[Word]) -> bool:
        """True if words say who showed which card, one after the other, and suggest nothing."""
        together = any(one.kind == two.kind == "card" for one, two in itertools.pairwise(words))
        return (
            self.rules.everybody_shows
            and bool(words)
            and not together
            and (words[0].kind == "player")
        )

    def _suggestion(self, words: Sequence[Word], cards: list[str], turn: str) -> dict[str, Any]:
        triple = self._named(cards[: self.rules.named])
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
        left = self.rules.named
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
        if self.rules.everybody_shows:
            return made | {"refuters": self._refuters(words, by, three)}
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

    def _refuters(self, words: Sequence[Word], by: str, named: list[str]) -> list[dict[str, Any]]:
        """All who showed a card, each before the card that they showed."""
        said: list[tuple[str, list[Word]]] = []
        for word in words:
            if word.kind == "player":
                said.append((word.name, []))
            elif not said:
                raise RecordError("who showed a card?", hint="write the player before the card")
            else:
                said[-1][1].append(word)
        found: list[dict[str, Any]] = []
        for player, rest in said:
            if any(word.kind == "pass" for word in rest):
                continue
            if player == by:
                raise RecordError("no player refutes their own suggestion", value=player)
            cards = [word.name for word in rest if word.kind == "card"]
            unseen = any(word.kind == "unseen" for word in rest)
            shown = self._shown(by, player, named, cards, unseen=unseen)
            found.append({"player": player, "shown": shown})
        return found

    def _look(self, players: list[str], cards: list[str], turn: str) -> dict[str, Any]:
        if self.rules.left_over != "looked at":
            message = "nobody looks at cards left over at this table"
            raise RecordError(message, hint="if they do, write 'setup rules', and 'looked' there")
        if len(players) > 1:
            raise RecordError("one player looks", value=listed(players))
        by = players[0] if players else turn
        if cards and by != self.me:
            raise RecordError(
                f"{by} alone sees the cards", value=listed(cards), hint="leave them out"
            )
        return {"type": "look", "by": by} | ({"cards": cards} if cards else {})

    def _named(self, cards: Sequence[str]) -> tuple[str, ...]:
        """The cards of a suggestion."""
        if self.rules.named == len(KINDS):
            return self._triple(cards)
        found = {self.edition.category(card): card for card in cards}
        if len(cards) != 2 or found.keys() != {*KINDS[:2]}:
            named = f"not {', '.join(cards)}" if cards else "and none is named"
            hint = "name a suspect and a weapon: at this table suggestions have no room"
            raise RecordError(f"two cards were expected, {named}", hint=hint)
        return found[KINDS[0]], found[KINDS[1]]

    def _shown(
        self, by: str, refuter: str, three: list[str], shown: list[str], *, unseen: bool
    ) -> str | None:
        if len(shown) > 1 or (shown and unseen):
            raise RecordError("one card is shown", value=listed(shown))
        if shown:
            if shown[0] not in three:
                hint = f"write one of {', '.join(three)}"
                raise RecordError("this card was not suggested", value=shown[0], hint=hint)
            if self.me not in (by, refuter) and not self.rules.open:
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
        if (self.me in (by, refuter) or self.rules.open) and not unseen:
            raise RecordError(
                "you saw which card was shown", hint=f"add one of {listed(three, 'or')}"
            )
        return None

    def _accusation(self, words: Sequence[Word], players: list[str], turn: str) -> dict[str, Any]:
        kinds = [word.kind for word in words]
        told = kinds.index("sees") if "sees" in kinds else len(words)
        triple = self._triple([word.name for word in words[:told] if word.kind == "card"])
        seen = [word.name for word in words[told:] if word.kind == "card"]
        if len(players) > 1:
            raise RecordError("one player accuses", value=listed(players))
        if ("wrong" in kinds) == ("right" in kinds):
            raise RecordError("was the accusation right?", hint="add 'right' or 'wrong'")
        by = players[0] if players else turn
        made = {"type": "accuse", "by": by, "cards": list(triple), "correct": "right" in kinds}
        return made | ({"seen": list(self._triple(seen))} if told < len(words) else {})

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
        room = len(cards) == 1 and cards[0] in self.edition.rooms
        if room and not numbers and not squares:
            to = cards[0]
        elif len(squares) == 1 and not cards and not numbers and self.edition.board:
            square = square_of(squares[0])
            if square is None or square not in board().place_of:
                raise RecordError("the board has no such square", value=squares[0], hint=SQUARES)
            to = written(square)
        else:
            if not self.edition.board:
                hint = f"write 'at {self.edition.rooms[0]}'"
                raise RecordError("a move leads to a room", hint=hint)
            raise RecordError(
                "a move leads to a room, or to a square",
                hint=f"write 'at kitchen', or 'at i18': {SQUARES}",
            )
        if len(players) > 1:
            raise RecordError("one player moves", value=listed(players))
        # Where somebody else stands matters to nobody: 'at' is about the one who types.
        by = players[0] if players else self.me or turn
        return {"type": "move", "by": by, "to": to}

    def _triple(self, cards: Sequence[str]) -> tuple[str, str, str]:
        found = {self.edition.category(card): card for card in cards}
        if len(cards) != 3 or len(found) != 3:
            hint = f"name a suspect, a weapon and a room, such as '{three_named(self.edition)}'"
            named = f"not {', '.join(cards)}" if cards else "and none is named"
            raise RecordError(f"three cards of three kinds were expected, {named}", hint=hint)
        return found["suspect"], found["weapon"], found["room"]


def three_named(edition: ClueEdition) -> str:
    """Three cards as an example of what can be written."""
    return f"{edition.suspects[-1]} {edition.weapons[-2]} {edition.rooms[0]}"


def _skipped(words: Sequence[Word], turn: str) -> dict[str, Any]:
    """A turn that ended without a suggestion."""
    players = [word.name for word in words if word.kind == "player"]
    others = [word for word in words if word.kind not in ("player", "skip")]
    if len(players) > 1 or others:
        raise RecordError(
            "a turn without a suggestion has nothing else in it", hint="write 'bob skips'"
        )
    return {"type": "move", "by": players[0] if players else turn, "to": NO_SUGGESTION}
