"""Lines as people write them beside Saboteur, and the events that they say.

Cards are called as they lie: by their openings in any order, with ``x`` or ``dead`` for a dead end.
Cells are called as `cell_name` does, or counted from the start: ``3 -1`` is three to the east and
one to the north.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final, TypeVar, cast

from ....data.errors import RecordError, nearest
from ...game import Game
from ..cards import LETTERS, TOOLS, deck, letters, pieces, turned
from ..state import BREAKS, GOLD_PIECE, MAP, PATHS, REPAIRS, ROCKFALL
from ..words import GOAL_NAMES, ROLES, SAID, card_name, cell_name, tool_name
from .events import Goal, Role, RoundDeal, RoundEnd, RoundTurn, SaboteurEvent, Said

#: Words that say what is done, by the words that people use.
VERBS: Final[Mapping[str, str]] = {
    word: verb
    for verb, words in {
        "discard": "discard discards discarded pass passes passed skip skips throws threw",
        "map": "map maps look looks looked peek peeks",
        "rockfall": "rockfall rockfalls rock avalanche dig digs dug remove removes removed",
        "break": "break breaks broke broken block blocks blocked",
        "repair": "repair repairs repaired fix fixes fixed mend mends mended free frees freed",
    }.items()
    for word in words.split()
}
LEFT_OUT: Final = frozenset(
    word
    for line in (
        "a an the card on at to of with before path plays play played lays lay laid puts put goal",
        "is was his her their from and",
    )
    for word in line.split()
)
GOALS_AS: Final[Mapping[str, str]] = {
    **{name: name for name in GOAL_NAMES},
    "left": "top", "upper": "top", "north": "top", "centre": "middle", "center": "middle",
    "mid": "middle", "right": "bottom", "lower": "bottom", "south": "bottom",
}  # fmt: skip
TOOLS_AS: Final[Mapping[str, str]] = {
    **{name: name for name in TOOLS},
    "pick": "pickaxe", "axe": "pickaxe", "lamp": "lantern", "light": "lantern",
    "wagon": "cart", "trolley": "cart", "minecart": "cart", "lorry": "cart",
    "tools": "tools", "tool": "tools",
}  # fmt: skip
STONES_AS: Final[Mapping[str, str]] = {
    "gold": "gold", "stone": "stone", "coal": "stone", "rock": "stone", "nothing": "nothing",
    "none": "nothing",
}  # fmt: skip
SHAPES_AS: Final[Mapping[str, str]] = {
    "cross": "NESW", "crossing": "NESW", "vertical": "NS", "upright": "NS", "horizontal": "EW",
    "flat": "EW",
}  # fmt: skip
DEAD: Final = frozenset({"dead", "deadend", "dead-end", "x", "blind"})
#: Where a line goes on with something else.
SAYS: Final = frozenset({"say", "says", "said", "claims", "claimed"})
SAW: Final = frozenset({"see", "sees", "saw", "seen"})
DREW: Final = frozenset({"draw", "draws", "drew", "drawn"})
CELL: Final = re.compile(r"[a-m]\d{1,2}")
NUMBER: Final = re.compile(r"[+-]?\d{1,2}")
EXAMPLES: Final = (
    "write such as 'Ann NES d7', 'Ann dead EW d7', 'Bob break lantern Cid', "
    "'Bob repair cart Ann', 'rockfall d7', 'map top', or 'discard'"
)

Event = TypeVar("Event")


def _as_written(read: Callable[[Notation, str], Event]) -> Callable[[Notation, str], Event]:
    """A reader of lines whose errors say words as they were written, not in small letters."""

    @wraps(read)
    def reads(notation: Notation, line: str) -> Event:
        try:
            return read(notation, line)
        except RecordError as error:
            if isinstance(error.value, str) and error.value not in line:
                words = r"\s*".join(map(re.escape, error.value.split()))
                if found := re.search(rf"(?<!\w){words}(?!\w)", line, re.IGNORECASE):
                    error.reword(value=found[0])
            raise

    return reads


@dataclass(frozen=True)
class Notation:
    """The reader of lines beside one game.

    Attributes:
        game: The game, whose roles are the players' names.
        mover: Whose turn it is, where a line names nobody; None where somebody must be named.
    """

    game: Game
    mover: str | None = None

    # -- lines

    @_as_written
    def event(self, line: str) -> SaboteurEvent:
        """The event that a line says.

        Raises:
            RecordError: It says none.
        """
        word, _, rest = line.strip().partition(" ")
        first = word.casefold().rstrip(":")
        if first in ("deal", "dealt"):
            return self.deal(rest)
        if first in ("end", "ends", "over"):
            return self.end(rest)
        return self.turn(line)

    @_as_written
    def turn(self, line: str) -> RoundTurn:
        """The turn that a line says."""
        words = _words(line)
        who, words = self._mover(words)
        parts: dict[str, list[list[str]]] = {"what": [], "says": [], "saw": [], "drew": []}
        now = parts["what"]
        now.append([])
        for word in words:
            key = (
                "says" if word in SAYS else "saw" if word in SAW else "drew" if word in DREW else ""
            )
            if key:
                now = parts[key]
                now.append([])
            elif word in (",", ";"):
                now = parts["what"]
                now.append([])
            else:
                now[-1].append(word)
        # What follows a comma without a word of its own says what a goal is.
        told = [part for part in parts["what"] if part]
        if not told:
            raise RecordError("this says nothing that was done", value=line, hint=EXAMPLES)
        acted, facts = _facts(told)
        what, _ = self.action(acted)
        looks = what.startswith("map ")
        says, saw = self._one(parts["says"], SAID, line), self._one(parts["saw"], SAID[:2], line)
        if (says or saw) and not looks:
            raise RecordError("only who plays a map sees a goal and speaks of it", value=line)
        if looks and says is None:
            says = "nothing"
        if len(parts["drew"]) > 1:
            raise RecordError("one card is drawn in a turn", value=line)
        drawn = " ".join(parts["drew"][0]) if parts["drew"] else ""
        return RoundTurn(
            who,
            what,
            cast("Said | None", says),
            cast("Any", saw),
            {goal: self.turned_card(card) for goal, card in facts.items()},
            self.card(drawn) if drawn and drawn not in ("nothing", "none", "no") else None,
        )

    @_as_written
    def deal(self, rest: str) -> RoundDeal:
        """The deal that a line says after its first word: ``Ann miner: NES, map``."""
        head, sign, cards = rest.partition(":")
        words = _words(head)
        who, words = self._mover(words)
        if len(words) != 1 or not sign:
            raise RecordError(
                "a deal names a role and a hand",
                value=rest,
                hint="write 'deal Ann miner: NES, map'",
            )
        return RoundDeal(who, self.role(words[0]), self.hand(cards))

    @_as_written
    def end(self, rest: str) -> RoundEnd:
        """The end of a round that a line says after its first word."""
        saboteurs: list[str] | None = None
        gold: Goal | None = None
        cards: dict[str, tuple[int, ...]] = {}
        for part in rest.replace(":", " ").split(";"):
            words = [word for word in _words(part) if word != ","]
            if not words:
                continue
            if words[0].startswith("saboteur"):
                named = [word for word in words[1:] if word not in ("none", "nobody", "and")]
                saboteurs = []
                while named:
                    who, named = self._mover(named, must=True)
                    saboteurs.append(who)
            elif words[0] == "gold" and len(words) == 2:
                gold = self.goal(words[1])
            else:
                cards |= self._taken(words, part)
        if saboteurs is None:
            raise RecordError(
                "who were the saboteurs?",
                value=rest.strip(),
                hint="write 'end: saboteurs Bob, Cid; gold top'",
            )
        order = [each for each in self.game.roles if each in saboteurs]
        return RoundEnd(tuple(order), gold, cards)

    def _taken(self, words: list[str], part: str) -> dict[str, tuple[int, ...]]:
        """The gold cards that players took: names, each with numbers of nuggets behind it."""
        found: dict[str, tuple[int, ...]] = {}
        while words:
            who, rest = self._mover(words, must=True)
            numbers = list(itertools.takewhile(lambda word: word in ("1", "2", "3"), rest))
            words = rest[len(numbers) :]
            if not numbers or who in found:
                raise RecordError(
                    "gold cards have 1 to 3 nuggets",
                    value=part.strip(),
                    hint="write a player and their cards, such as 'Ann 3 1, Bob 2'",
                )
            found[who] = tuple(map(int, numbers))
        return found

    # -- parts of lines

    def action(self, words: Sequence[str]) -> tuple[str, int | None]:
        """The action, as it is called, and the kind of the card; None where it is not known.

        Raises:
            RecordError: The words say nothing that can be done.
        """
        told = [word for word in words if word not in LEFT_OUT]
        line = " ".join(words)
        if not told:
            raise RecordError("this says nothing that was done", value=line, hint=EXAMPLES)
        verb = VERBS.get(told[0])
        if verb is None:
            # 'lantern of Cid broken': the word may stand behind what is broken.
            places = [place for place, word in enumerate(told) if word in VERBS]
            if len(places) == 1 and VERBS[told[places[0]]] in ("break", "repair"):
                verb = VERBS[told[places[0]]]
                told = [told[places[0]], *told[: places[0]], *told[places[0] + 1 :]]
        rest = told[1:]
        if verb == "discard":
            if not rest:
                return "discard", None
            kind = self.kind(" ".join(rest))
            return f"discard {card_name(kind, self._tools)}", kind
        if verb == "map":
            if len(rest) != 1:
                raise RecordError("a map shows one goal", value=line, hint="write 'map top'")
            return f"map {self.goal(rest[0])}", MAP
        if verb == "rockfall":
            cell, more = self._cell(rest, line)
            if more:
                raise RecordError("a rock-fall removes one card", value=line, hint=EXAMPLES)
            return f"rockfall {cell}", ROCKFALL
        if verb is not None:
            return self._on_tools(verb, rest, line)
        if not any(character.isdigit() for character in line):
            try:
                self._openings(told, line)
            except RecordError:
                raise RecordError(
                    "this says nothing that was done", value=line, hint=EXAMPLES
                ) from None
        cell, card = self._cell(told, line)
        openings, through = self._openings(card, line)
        kind = _piece(openings, through, line)
        dead = "" if through else "dead "
        return f"{dead}{letters(openings)} {cell}", kind

    def kind(self, text: str) -> int:
        """The kind of a card by what people call it.

        Raises:
            RecordError: There is no such card.
        """
        told = [word for word in _words(text) if word not in LEFT_OUT and word != ","]
        verb = VERBS.get(told[0]) if told else None
        if verb == "map":
            return MAP
        if verb == "rockfall":
            return ROCKFALL
        if verb in ("break", "repair"):
            if self._tools == 1 and len(told) == 1:
                told = [told[0], "tools"]
            named = [self._tool(each) for word in told[1:] for each in re.split(r"[+/]", word)]
            return self._tool_card(verb, named, text)
        openings, through = self._openings(told, text)
        return _piece(openings, through, text)

    def card(self, text: str) -> str:
        """A card as the game calls it; see `kind`."""
        return card_name(self.kind(text), self._tools)

    def hand(self, text: str) -> tuple[str, ...]:
        """The cards that a line lists, with commas, or blanks where each card is one word."""
        parts = [part.strip() for part in text.replace(";", ",").split(",") if part.strip()]
        found = [self._several(part) for part in parts]
        return tuple(card for some in found for card in some)

    def _several(self, part: str) -> list[str]:
        """The card that words say, or the cards of one word each."""
        try:
            return [self.card(part)]
        except RecordError:
            words = part.split()
            if len(words) < 2:
                raise
            return [self.card(word) for word in words]

    def goal(self, word: str) -> Goal:
        """The goal that a word stands for."""
        return cast("Goal", _only(word, GOALS_AS, "goal"))

    def role(self, word: str) -> Role:
        """The role that a word stands for."""
        return cast("Role", _only(word, {role: role for role in ROLES}, "role"))

    def turned_card(self, words: Sequence[str]) -> str:
        """A goal that was turned up: ``gold``, ``stone``, or ``stone SW``."""
        told = [word for word in words if word not in LEFT_OUT]
        card = _only(told[0], {"gold": "gold", "stone": "stone"}, "goal card", STONES_AS)
        if len(told) == 1 or card == "gold":
            return card
        openings, _ = self._openings(told[1:], " ".join(words))
        shapes = [pieces()[GOLD_PIECE + number].openings for number in (1, 2)]
        if openings not in (*shapes, *map(turned, shapes)):
            raise RecordError(
                "no stone has these openings", value=" ".join(told[1:]), hint="NE, SW, NW or ES"
            )
        return f"stone {letters(openings)}"

    @property
    def _tools(self) -> int:
        return int(self.game.settings["tools"])

    def _mover(self, words: list[str], *, must: bool = False) -> tuple[str, list[str]]:
        """The player whom the first words name, and the words after these."""
        names = {name: _words(name) for name in self.game.roles}
        exact = [name for name, each in names.items() if words[: len(each)] == each]
        if exact:
            name = max(exact, key=lambda each: len(names[each]))
            rest = words[len(names[name]) :]
            return name, rest[1:] if rest[:1] == [":"] else rest
        first = words[0] if words else ""
        known = first in VERBS or first in DEAD or first in SHAPES_AS or first in DREW
        begun = [name for name, each in names.items() if first and each[0].startswith(first)]
        if not must and (known or self._is_card(first)) and self.mover is not None:
            return self.mover, words
        if len(begun) == 1:
            return begun[0], words[1:]
        if not must and self.mover is not None and not begun:
            return self.mover, words
        problem = "this could be several players" if begun else "no such player"
        hint = f"write {' or '.join(begun)}" if begun else nearest(first, self.game.roles)
        raise RecordError(problem, value=first, hint=hint)

    def _is_card(self, word: str) -> bool:
        return bool(word) and not {*word.upper()} - {*LETTERS}

    def _cell(self, words: Sequence[str], line: str) -> tuple[str, list[str]]:
        """The cell that words name, and the other words."""
        row: Any = self.game.tables.rules[0]
        width, height = int(row.width), int(row.cells) // int(row.width)
        named = [word for word in words if CELL.fullmatch(word)]
        numbers = [int(word) for word in words if NUMBER.fullmatch(word)]
        rest = [w for w in words if not CELL.fullmatch(w) and not NUMBER.fullmatch(w)]
        if len(named) == 1 and not numbers:
            column, down = ord(named[0][0]) - ord("a"), int(named[0][1:]) - 1
        elif len(numbers) == 2 and not named:
            start = divmod(int(row.start), width)
            column, down = start[1] + numbers[0], start[0] + numbers[1]
        else:
            raise RecordError(
                "which cell?",
                value=line,
                hint="write it as 'd7', or counted from the start as '3 -1': to the east, and to "
                "the south",
            )
        if not (0 <= column < width and 0 <= down < height):
            raise RecordError(
                "the board has no such cell",
                value=line,
                hint=f"it goes from a1 to {cell_name(int(row.cells) - 1, width)}",
            )
        return cell_name(down * width + column, width), rest

    def _openings(self, words: Sequence[str], line: str) -> tuple[int, bool]:
        """The openings that words say, as bits, and whether they are connected."""
        dead = [word for word in words if word in DEAD or word == "end"]
        shape = "".join(SHAPES_AS.get(word, word) for word in words if word not in dead).upper()
        if not shape or {*shape} - {*LETTERS} or len({*shape}) < len(shape):
            raise RecordError(
                "no such card",
                value=line,
                hint="a path card is called by its open sides, such as 'NES', or 'dead NES'",
            )
        return sum(1 << LETTERS.index(letter) for letter in shape), not dead

    def _on_tools(self, verb: str, words: Sequence[str], line: str) -> tuple[str, int]:
        """The action on a player's tool, and the card that does it."""
        told = list(words)
        by = ""
        if "by" in told:
            place = told.index("by")
            by, told = " ".join(told[place + 1 :]), told[:place]
        tools = [word for word in told if word in TOOLS_AS]
        names = [word.removesuffix("'s") for word in told if word not in TOOLS_AS]
        if len(tools) > 1 or (not tools and self._tools > 1):
            raise RecordError("which tool?", value=line, hint=f"one of {', '.join(TOOLS)}")
        tool = self._tool(tools[0] if tools else "tools")
        target, rest = self._mover(names, must=True)
        if rest:
            raise RecordError("one player's tool", value=line, hint=f"'{verb} {tool} {target}'")
        kind = self.kind(f"{verb} {by or tool}")
        said = f"{verb} {tool} {target}"
        if kind >= REPAIRS + len(TOOLS):
            named = card_name(kind, self._tools).removeprefix("repair ")
            if tool not in named.split("+"):
                raise RecordError("this card does not mend that tool", value=line)
            said = f"{said} by {named}"
        return said, kind

    def _tool(self, word: str) -> str:
        if self._tools == 1:
            return tool_name(0, 1)
        known = {name: name for name in TOOLS}
        return _only(word, known, "tool", {k: v for k, v in TOOLS_AS.items() if v != "tools"})

    def _tool_card(self, verb: str, named: Sequence[str], text: str) -> int:
        kinds = range(BREAKS, REPAIRS) if verb == "break" else range(REPAIRS, ROCKFALL)
        wanted = f"{verb} {'+'.join(sorted(named, key=self._order))}"
        for kind in kinds:
            if card_name(kind, self._tools) == wanted:
                return kind
        raise RecordError("no such card", value=text, hint=f"such as '{card_name(kinds[0])}'")

    def _order(self, tool: str) -> int:
        return TOOLS.index(tool) if tool in TOOLS else 0

    def _one(self, parts: list[list[str]], known: Sequence[str], line: str) -> str | None:
        """The one thing that is said or seen of a goal."""
        told = [word for part in parts for word in part if word not in {*LEFT_OUT, *GOALS_AS}]
        if not parts:
            return None
        if len(told) != 1:
            raise RecordError("a goal is gold or stone", value=line, hint=f"{' or '.join(known)}")
        return _only(told[0], {name: name for name in known}, "word for a goal", STONES_AS)


def _words(text: str) -> list[str]:
    """The words of a line, small; commas, semicolons and colons are words of their own."""
    return re.sub(r"([,;:])", r" \1 ", text.casefold()).rstrip(" .").split()


def _facts(told: list[list[str]]) -> tuple[list[str], dict[str, list[str]]]:
    """The words for what is done, and for goals that were turned up: ``top is gold``, behind it."""
    facts: dict[str, list[str]] = {}
    acted, *more = told
    if VERBS.get(acted[0]) != "map" and not any(VERBS.get(word) == "map" for word in acted):
        places = [place for place, word in enumerate(acted) if word in GOALS_AS and place > 0]
        if places:
            ends = [*places[1:], len(acted)]
            more = [*(acted[a:b] for a, b in zip(places, ends, strict=True)), *more]
            acted = acted[: places[0]]
    for part in more:
        plain = [word for word in part if word not in LEFT_OUT]
        if len(plain) < 2 or plain[0] not in GOALS_AS:
            raise RecordError(
                "this says nothing", value=" ".join(part), hint="write such as 'top is gold'"
            )
        facts[GOALS_AS[plain[0]]] = plain[1:]
    return acted, facts


def _piece(openings: int, through: bool, line: str) -> int:
    """The kind of a path card with these openings as it lies, or turned."""
    for kind, card in enumerate(deck()[:PATHS]):
        if card.through == through and openings in (card.openings, turned(card.openings)):
            return kind
    raise RecordError("no card of the deck has these openings", value=line)


def _only(
    word: str, known: Mapping[str, str], what: str, also: Mapping[str, str] | None = None
) -> str:
    """The thing that a word stands for, or the only thing that it begins."""
    said, word = word, word.casefold()
    found = known.get(word) or (also or {}).get(word)
    if found in known.values():
        return cast("str", found)
    begun = {value for name, value in known.items() if word and name.startswith(word)}
    if len(begun) == 1:
        return begun.pop()
    raise RecordError(f"no such {what}", value=said, hint=nearest(word, [*known.values()]))
