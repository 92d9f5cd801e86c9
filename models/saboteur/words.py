"""Words for the cards, cells and actions of Saboteur."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from .cards import TOOLS, Card, deck, letters, pieces, tools_of, turned
from .state import (
    BREAK,
    DIG,
    DISCARD,
    LOOK,
    NO_CARD,
    PATHS,
    REPAIR,
    REPAIRS,
    SAY,
    SaboteurTables,
    card_of,
    target_of,
    tool_of,
)

#: The goals from north to south.
GOAL_NAMES: Final = ("top", "middle", "bottom")
#: Of players, by the numbers of their roles.
ROLES: Final = ("miner", "saboteur")
#: What is said of a goal.
SAID: Final = ("gold", "stone", "nothing")
#: Which card a goal is.
GOAL_CARDS: Final = ("gold", "stone", "stone")


def tool_name(tool: int, tools: int) -> str:
    """A tool's name; where all are alike they need none."""
    return TOOLS[tool] if tools > 1 else "tools"


def card_name(kind: int, tools: int = len(TOOLS), *, is_turned: bool = False) -> str:
    """A kind of card by its openings as it lies, such as ``NES``, or by what it does.

    Args:
        kind: Its number.
        tools: How many kinds of tools the game has.
        is_turned: Whether a path card is turned.

    >>> from sleuth.games.saboteur import card_name
    >>> [card_name(kind) for kind in (0, 12, 16)], card_name(4, is_turned=True)
    (['NESW', 'dead NE', 'break pickaxe'], 'EW')
    """
    card: Card = deck()[kind]
    if kind < PATHS:
        opens = letters(turned(card.openings) if is_turned else card.openings)
        return opens if card.through else f"dead {opens}"
    names = "+".join(tool_name(tool, tools) for tool in tools_of(kind, tools))
    return f"{card.kind} {names}".strip()


def cell_name(cell: int, width: int) -> str:
    """Column and row, such as ``c7``: columns are letters from the west, rows count from north.

    >>> from sleuth.games.saboteur import cell_name
    >>> cell_name(12, width=9)
    'd2'
    """
    return f"{'abcdefghijklm'[cell % width]}{cell // width + 1}"


def piece_of(laid: int) -> tuple[Card, int]:
    """The piece on a cell, and its openings as it lies."""
    card = pieces()[(laid - 1) // 2]
    return card, turned(card.openings) if (laid - 1) % 2 else card.openings


def hand_of(state: Any, player: int) -> list[int]:
    """The cards of a hand, by their numbers."""
    return [kind for kind in state.hands[player].tolist() if kind != NO_CARD]


class ActionName:
    """The name of an action code: picklable, unlike a function within a function.

    Args:
        tables: The game's.
        tools: How many kinds of tools it has.
        players: The names of people at a table; empty for players by their numbers.
    """

    def __init__(self, tables: SaboteurTables, tools: int, players: Sequence[str] = ()) -> None:
        self.tables = tables
        self.tools = tools
        self.players = players

    def __call__(self, action: int) -> str:
        width = int(self.tables.rules[0].width)
        if action >= SAY:
            return f"say {SAID[action - SAY]}"
        kind = card_of(action)
        if action < DISCARD:
            name = card_name(kind, is_turned=action % 2 == 1)
            return f"{name} {cell_name(action // (2 * PATHS), width)}"
        if action < BREAK:
            return f"discard {card_name(kind, self.tools)}"
        if action >= LOOK:
            return f"map {GOAL_NAMES[action - LOOK]}"
        if action >= DIG:
            return f"rockfall {cell_name(action - DIG, width)}"
        tool = tool_name(tool_of(action), self.tools)
        target = target_of(action)
        whose = self.players[target] if self.players else f"player {target + 1}"
        if action < REPAIR:
            return f"break {tool} {whose}"
        said = f"repair {tool} {whose}"
        card = card_name(kind, self.tools).removeprefix("repair ")
        return said if kind < REPAIRS + len(TOOLS) else f"{said} by {card}"
