"""A turn of Saboteur as it is touched: a card, and where or on whom it is played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations_with_replacement
from typing import Any, Final

from ....data.errors import RecordError
from ....models.game import legal_actions
from ....models.saboteur.rules import drawable
from ....models.saboteur.state import (
    GOLD,
    KINDS,
    NO_CARD,
)
from ....models.saboteur.words import (
    GOAL_NAMES,
    SAID,
    card_name,
    cell_name,
    hand_of,
)
from ...kit.advising.drafts import Draft, NextTouches, touched_words, typing
from ...kit.answers.values import Grid, Paragraph, Statement, Tile, Touch, Touches
from .answers import drawn
from .table import MineTable

#: The words of touches, and the fields of a draft.
KIND, CARD, AT, TOOL, ON, BY = "kind", "card", "at", "tool", "on", "by"
GOAL, SAYS, SAW, IS, DREW, TOOK = "goal", "says", "saw", "is", "drew", "took"
EXPOSED, ROLE, PICK, DONE = "exposed", "role", "pick", "done"
FIELDS: Final = (KIND, CARD, AT, TOOL, ON, BY, GOAL, SAYS, SAW, DREW, ROLE)
LISTS: Final = (EXPOSED, PICK)
WRITTEN: Final = "line"
KINDS_OF_TURN: Final = {
    "path": "Path card", "break": "Broken tool", "repair": "Repair", "rockfall": "Rock-fall",
    "map": "Map", "discard": "Discards",
}  # fmt: skip
#: What comes after each field is forgotten when it is touched anew.
BEHIND: Final[Mapping[str, tuple[str, ...]]] = {
    KIND: (CARD, AT, TOOL, ON, BY, GOAL, SAYS, SAW, IS, DREW),
    CARD: (AT, IS, DREW),
    AT: (IS, DREW),
    TOOL: (ON, BY, DREW),
    GOAL: (SAYS, SAW, DREW),
    EXPOSED: (TOOK,),
}


@dataclass(frozen=True)
class MineDraft:
    """A turn that is being entered by touches.

    Attributes:
        draft: It.
        table: The game before the turn.
    """

    draft: Draft
    table: MineTable

    # -- what it comes to

    @property
    def line(self) -> str:
        """The line that says it; empty as long as something is missing."""
        draft, missing = self.draft, self.table.missing
        if draft.get(KIND) == WRITTEN:
            return ""
        if missing == "draw":
            return f"drew {draft[DREW]}" if draft.get(DREW) else ""
        if missing == "goal":
            return "".join(f"{goal} is {card}" for goal, card in draft.get(IS, {}).items())
        if missing == "end":
            return self._end_line()
        if missing == "deal":
            whole = len(draft.get(PICK, ())) == self._hand_size and draft.get(ROLE)
            return f"deal {draft[ROLE]}: {', '.join(draft[PICK])}" if whole else ""
        return self._turn_line()

    def _end_line(self) -> str:
        if not self.draft.get(DONE):
            return ""
        gold = f"; gold {self.draft[GOAL]}" if self.draft.get(GOAL) else ""
        taken = self.draft.get(TOOK, {}).items()
        took = "".join(f"; {name} {cards.replace('+', ' ')}" for name, cards in taken)
        return f"end: saboteurs {', '.join(self.draft.get(EXPOSED, ())) or 'none'}{gold}{took}"

    def _turn_line(self) -> str:
        draft, kind = self.draft, self.draft.get(KIND)
        said: list[str] = []
        if kind == "path" and draft.get(AT) and not self._to_turn:
            said = [f"{draft[CARD]} {draft[AT]}"]
            said += [f"{goal} is {card}" for goal, card in draft.get(IS, {}).items()]
        elif kind == "rockfall" and draft.get(AT):
            said = [f"rockfall {draft[AT]}"]
        elif kind in ("break", "repair") and draft.get(ON) and draft.get(BY, not self._cards):
            by = draft.get(BY, draft[TOOL])
            said = [f"{kind} {draft[TOOL]} {draft[ON]}"]
            said[0] += f" by {by}" if by != draft[TOOL] else ""
        elif kind == "map" and draft.get(SAYS) and (draft.get(SAW) or not self.table.mine):
            said = [f"map {draft[GOAL]}"]
            said += [f"saw {draft[SAW]}"] if self.table.mine else []
            said += [f"says {draft[SAYS]}"]
        elif kind == "discard" and (draft.get(CARD) or not self.table.mine):
            said = [f"discard {draft.get(CARD, '')}".strip()]
        if not said or (self._draws and not draft.get(DREW)):
            return ""
        said += [f"drew {draft[DREW]}"] if draft.get(DREW) and self._draws else []
        return f"{self.table.mover} {', '.join(said)}"

    # -- what comes next

    def next(self) -> NextTouches:
        """The choices that go on with it, but for what it means; see `Adviser.offered`."""
        other = Touch("Write a line", f"{KIND} {WRITTEN}", "soft")
        if self.draft.get(KIND) == WRITTEN:
            return NextTouches((typing(str(self.draft.get(WRITTEN, ""))),))
        missing = self.table.missing
        if missing == "draw":
            return NextTouches((self._any_card("Which card did you draw?", DREW),), more=(other,))
        if self.table.asked is not None:
            return NextTouches((_goal(*self.table.asked),), more=(other,))
        if missing == "end":
            return NextTouches(self._end(), more=(other,))
        if missing == "deal":
            return NextTouches(self._deal(), more=(other,))
        if self.table.mover is None:
            return NextTouches((), more=(other,))
        return NextTouches(self._turn(), more=(other,))

    def _end(self) -> tuple[Statement, ...]:
        exposed = self.draft.get(EXPOSED, ())
        players = tuple(
            Touch(name, f"{EXPOSED} {name}", pressed=name in exposed)
            for name in self.table.game.roles
        )
        parts: list[Statement] = [Touches("Who were the saboteurs?", players)]
        known = GOLD in self.table.state.goals.tolist()
        if not known and self.table.events[-1].to_json().get("turned", {}) == {}:
            parts.append(self._choices("Where was the gold?", GOAL, GOAL_NAMES))
        parts += [self._gold_cards(name, count) for name, count in self.table.gold_cards(exposed)]
        parts.append(Touches("", (Touch("That is all", DONE, "strong"),), "row"))
        if self.table.game.settings["pay"] == "gold":
            told = "If the miners took gold cards, write a line: 'Cid; Ann 3 1, Bob 2'."
            parts.append(Paragraph(told, "soft"))
        return tuple(parts)

    def _gold_cards(self, name: str, count: int) -> Touches:
        """The gold cards that a miner may have taken."""
        now = self.draft.get(TOOK, {}).get(name)
        choices = ("+".join(each) for each in combinations_with_replacement("321", count))
        return Touches(
            f"Gold of {name}, if you saw it",
            tuple(Touch(each, f"{TOOK} {each} {name}", pressed=each == now) for each in choices),
        )

    def _deal(self) -> tuple[Statement, ...]:
        picked = self.draft.get(PICK, ())
        return (
            self._choices("Your role in the next round", ROLE, ("miner", "saboteur")),
            self._any_card(f"Your cards: {len(picked)} of {self._hand_size}", PICK),
            *(
                (Touches("", (Touch(f"Take {picked[-1]} off", f"{PICK} -", "soft"),)),)
                if picked
                else ()
            ),
        )

    def _turn(self) -> tuple[Statement, ...]:
        draft, table = self.draft, self.table
        who = "you" if table.mine else table.mover
        verb = "do" if table.mine else "does"
        able = self._able
        kinds = tuple(
            Touch(
                words if key != "discard" or not table.mine else "Discard",
                f"{KIND} {key}",
                pressed=draft.get(KIND) == key,
                enabled=key in able,
            )
            for key, words in KINDS_OF_TURN.items()
        )
        parts: list[Statement] = [Touches(f"What {verb} {who} play?", kinds)]
        kind = draft.get(KIND)
        if kind == "path":
            parts += self._path()
        elif kind == "rockfall":
            cells = tuple(name.split()[-1] for name in self._fits.get("rockfall", ()))
            parts.append(
                self._choices("Which card is removed? Touch it in the mine, or", AT, cells)
            )
        elif kind in ("break", "repair"):
            parts += self._tools(str(kind))
        elif kind == "map":
            parts += self._map()
        elif kind == "discard" and table.mine:
            parts.append(self._choices("Which card?", CARD, tuple(self._held)))
        if self._draws and self._complete_but_draw:
            parts.append(self._any_card("And which card did you draw?", DREW))
        return tuple(parts)

    def _path(self) -> list[Statement]:
        draft = self.draft
        parts: list[Statement] = [self._choices("Its open sides, as it lies", CARD, [*self._paths])]
        if draft.get(CARD):
            cells = self._paths.get(str(draft[CARD]), ())
            parts.append(self._choices("Where? Touch the cell in the mine, or", AT, cells))
        return [*parts, *(_goal(goal, cards) for goal, cards in self._to_turn.items())]

    def _tools(self, kind: str) -> list[Statement]:
        draft, names = self.draft, self._fits.get(kind, ())
        told = [name.split(" by ")[0].split(" ", 2)[1:] for name in names]
        parts: list[Statement] = [
            self._choices("Which tool?", TOOL, [*dict.fromkeys(tool for tool, _ in told)])
        ]
        if draft.get(TOOL):
            whose = dict.fromkeys(target for tool, target in told if tool == draft[TOOL])
            parts.append(self._choices("Whose?", ON, [*whose]))
        if draft.get(ON) and len(self._cards) > 1:
            parts.append(self._choices("By which card?", BY, self._cards))
        return parts

    def _map(self) -> list[Statement]:
        goals = [name.split()[-1] for name in self._fits.get("map", ())]
        parts: list[Statement] = [self._choices("Which goal?", GOAL, goals)]
        if self.draft.get(GOAL):
            if self.table.mine:
                parts.append(self._choices("What did you see?", SAW, SAID[:2]))
            speaks = "you" if self.table.mine else "they"
            parts.append(self._choices(f"What do {speaks} say?", SAYS, SAID))
        return parts

    # -- what the rules allow

    @cached_property
    def _fits(self) -> dict[str, tuple[str, ...]]:
        """Names of actions of cards that the player may have, by what is done."""
        table, found = self.table, dict[str, list[str]]()
        for name in self._names:
            first = name.split()[0]
            key = first if first in KINDS_OF_TURN else "path"
            found.setdefault(key, []).append(name)
        assert table.mover is not None
        return {key: tuple(dict.fromkeys(names)) for key, names in found.items()}

    @cached_property
    def _names(self) -> list[str]:
        table = self.table
        if table.mine:
            return [table.game.action_name(code) for code in table.view.legal().tolist()]
        # Nobody knows the hands of others: all that any card can do.
        states, found = table.view.states.copy(), list[str]()
        counts = table.game.tables.rules[0].counts.tolist()
        for kind in range(KINDS):
            if counts[kind]:
                hands: Any = states[0].hands
                hands[table.view.player] = NO_CARD
                hands[table.view.player, 0] = kind
                codes = legal_actions(table.game, states).tolist()
                found += [table.game.action_name(code) for code in codes]
        return found

    @property
    def _able(self) -> set[str]:
        return {*self._fits}

    @cached_property
    def _paths(self) -> dict[str, list[str]]:
        """The cells on which each path card fits, as it lies."""
        found: dict[str, list[str]] = {}
        for name in self._fits.get("path", ()):
            card, _, cell = name.rpartition(" ")
            found.setdefault(card, []).append(cell)
        return found

    @property
    def _cards(self) -> list[str]:
        """The cards with which the touched tool can be mended there."""
        draft = self.draft
        start = f"{draft.get(KIND)} {draft.get(TOOL)} {draft.get(ON)}"
        found = [
            name for name in self._fits.get(str(draft.get(KIND)), ()) if name.startswith(start)
        ]
        cards = [name.partition(" by ")[2] or str(draft.get(TOOL)) for name in found]
        return [*dict.fromkeys(cards)] if len(cards) > 1 else []

    @cached_property
    def _to_turn(self) -> dict[str, list[str]]:
        """The goals that a path card reaches, of which nothing was said, and what they may be."""
        draft = self.draft
        if draft.get(KIND) != "path" or not draft.get(AT):
            return {}
        found = self.table.reached(f"{draft[CARD]} {draft[AT]}", draft.get(IS, {}))
        return {goal: cards for goal, cards in found.items() if len(cards) > 1}

    # -- cards

    @property
    def _hand_size(self) -> int:
        return int(self.table.game.settings["hand"])

    @property
    def _draws(self) -> bool:
        """True if the person draws a card after this turn."""
        table = self.table
        return table.mine and int(drawable(table.state, table.game.tables)) > 0

    @property
    def _complete_but_draw(self) -> bool:
        assumed = MineDraft({**self.draft, DREW: "map"}, self.table)
        return bool(assumed.line)

    @property
    def _held(self) -> list[str]:
        tools = int(self.table.game.settings["tools"])
        cards = hand_of(self.table.state, self.table.number)
        return [*dict.fromkeys(card_name(kind, tools) for kind in cards)]

    def _any_card(self, title: str, key: str) -> Touches:
        made, now = self.table.game, self.draft.get(key)
        counts: list[int] = made.tables.rules[0].counts.tolist()
        chosen = now if isinstance(now, str) else None
        return Touches(title, cards(counts, made.settings["tools"], key, chosen), "grid")

    def _choices(self, title: str, key: str, words: Any) -> Touches:
        now = self.draft.get(key)
        return Touches(
            title, tuple(Touch(word, f"{key} {word}", pressed=word == now) for word in words)
        )

    # -- the mine

    @property
    def board(self) -> Grid:
        """The mine, in which the cells that come next are touched."""
        grid, draft = drawn(self.table), self.draft
        if self.table.missing is not None or self.table.mover is None:
            return grid
        kind = draft.get(KIND)
        wanted: dict[str, str] = {}
        if kind == "path" and draft.get(CARD):
            wanted = dict.fromkeys(self._paths.get(str(draft[CARD]), ()), AT)
        elif kind == "rockfall":
            wanted = {name.split()[-1]: AT for name in self._fits.get("rockfall", ())}
        elif kind == "map":
            wanted = dict.fromkeys(self._goal_cells, GOAL)

        def touchable(tile: Tile | str, cell: str) -> Tile | str:
            if cell not in wanted:
                return tile
            key = wanted[cell]
            made = tile if isinstance(tile, Tile) else Tile("+", tone="new")
            if kind == "path" and cell == draft.get(AT):
                made = replace(made, mark="●")
            value = self._goal_cells[cell] if key == GOAL else cell
            return replace(made, line=f"do {key} {value}")

        rows = tuple(
            tuple(
                touchable(tile, f"{grid.columns[column]}{grid.names[row]}")
                for column, tile in enumerate(tiles)
            )
            for row, tiles in enumerate(grid.rows)
        )
        return replace(grid, rows=rows)

    @cached_property
    def _goal_cells(self) -> dict[str, str]:
        row = self.table.game.tables.rules[0]
        able = {name.split()[-1] for name in self._fits.get("map", ())}
        return {
            cell_name(cell, int(row.width)): goal
            for cell, goal in zip(row.goals.tolist(), GOAL_NAMES, strict=True)
            if goal in able
        }


def _goal(goal: str, cards: Sequence[str]) -> Touches:
    """The cards that a goal may be which was reached."""
    choices = tuple(Touch(card, f"{IS} {goal} {card}") for card in cards)
    return Touches(f"What is the {goal} goal, as it lies now?", choices)


def cards(counts: list[int], tools: int, key: str, now: str | None) -> tuple[Touch, ...]:
    """The kinds of cards, to be touched."""
    kinds = [kind for kind in range(KINDS) if counts[kind]]
    names = [card_name(kind, tools) for kind in kinds]
    # A name that can be broken between its tools fits a narrow place.
    return tuple(
        Touch(name.replace("+", " + "), f"{key} {name}", pressed=name == now) for name in names
    )


def touched(draft: Draft, words: str, blanks: Mapping[str, str]) -> Draft:
    """A draft after a touch; see `Adviser.touched`.

    Raises:
        RecordError: This is nothing that is touched in Saboteur.
    """
    key, _, value = words.partition(" ")
    if (key, value) == (KIND, WRITTEN):
        return {KIND: WRITTEN}
    if draft.get(KIND) == WRITTEN:
        return {KIND: WRITTEN, **touched_words(draft, words, blanks)}
    if key == DONE:
        return {**draft, DONE: True}
    if key == TOOK and value:
        cards, _, name = value.partition(" ")
        return {**draft, TOOK: {**draft.get(TOOK, {}), name: cards}}
    if key in LISTS and value:
        draft = {name: each for name, each in draft.items() if name not in BEHIND.get(key, ())}
        now = list(draft.get(key, ()))
        if value == "-":
            return {**draft, key: now[:-1]}
        toggled = [each for each in now if each != value]
        return {**draft, key: [*now, value] if key == PICK or value not in now else toggled}
    if key == IS and value.partition(" ")[0] in GOAL_NAMES:
        goal, _, card = value.partition(" ")
        return {**draft, IS: {**draft.get(IS, {}), goal: card}}
    if key in FIELDS and value:
        kept = {name: each for name, each in draft.items() if name not in BEHIND.get(key, ())}
        return {**kept, key: value}
    raise RecordError("this cannot be touched now", value=words)


def draft_of(line: str) -> dict[str, Any]:
    """The draft that comes to an entry: its line, to be written anew."""
    return {KIND: WRITTEN, WRITTEN: line}
