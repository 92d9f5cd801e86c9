"""The cards of Saboteur, as the package's tables list them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from ...data.errors import RecordError
from ...data.files import read_table
from .state import KINDS, PATHS

FOLDER: Final = "saboteur"
TOOLS: Final = ("pickaxe", "lantern", "cart")
#: The sides of a card, in the order of their bits.
SIDES: Final = ("north", "east", "south", "west")
LETTERS: Final = "NESW"

#: In which order the kinds of cards have their numbers.
ORDER: Final = (*("path",) * 7, *("dead_end",) * 9, *("break",) * 3, *("repair",) * 6)


@dataclass(frozen=True)
class Card:
    """One kind of card.

    Attributes:
        name: Its name in the tables.
        kind: Such as ``"path"`` or ``"repair"``.
        count: How many there are.
        openings: Of a card that is laid in the mine: its sides with a way out, as bits.
        tools: Of a broken tool or a repair: the numbers of its tools.
    """

    name: str
    kind: str
    count: int
    openings: int = 0
    tools: tuple[int, ...] = ()

    @property
    def through(self) -> bool:
        """True if its openings are connected."""
        return self.kind in ("path", "start", "goal")


@cache
def deck() -> tuple[Card, ...]:
    """The kinds of cards of the deck, each at the place of its number.

    Raises:
        RecordError: The cards are not in the order of their numbers.
    """
    actions: list[Card] = []
    for row in read_table(FOLDER, "action_cards.csv"):
        tools = tuple(TOOLS.index(tool) for tool in row["tools"].split("|") if tool)
        actions.append(Card(row["name"], row["kind"], int(row["count"]), tools=tools))
    found = (*pieces()[:PATHS], *actions)
    if tuple(card.kind for card in found) != (*ORDER, "rockfall", "map") or len(found) != KINDS:
        raise RecordError("the cards are not in their order", where=FOLDER, value=len(found))
    return found


@cache
def pieces() -> tuple[Card, ...]:
    """The pieces in the mine: the path cards of the deck, the start, and the goals."""
    found: list[Card] = []
    for row in read_table(FOLDER, "path_cards.csv"):
        openings = sum(1 << bit for bit, side in enumerate(SIDES) if row[side] == "1")
        found.append(Card(row["name"], row["kind"], int(row["count"]), openings=openings))
    return tuple(found)


def turned(openings: int) -> int:
    """The openings of a card that is turned by 180 degrees."""
    return (openings << 2 | openings >> 2) & 15


def letters(openings: int) -> str:
    """Openings as letters, such as ``NES``."""
    return "".join(letter for bit, letter in enumerate(LETTERS) if openings >> bit & 1)


def role_cards(players: int) -> tuple[int, int]:
    """The number of saboteurs among the role cards of so many players, and the size of hands."""
    rows = {int(row["players"]): row for row in read_table(FOLDER, "roles.csv")}
    return int(rows[players]["saboteur_cards"]), int(rows[players]["hand_size"])


def gold_cards() -> list[int]:
    """The numbers of gold cards with one nugget, two and three."""
    return [int(row["count"]) for row in read_table(FOLDER, "gold_cards.csv")]


def saboteur_gold() -> list[int]:
    """The nuggets each saboteur gets, by the number of saboteurs, from none."""
    return [int(row["nuggets_each"]) for row in read_table(FOLDER, "saboteur_gold.csv")]


def tools_of(kind: int, tools: int) -> tuple[int, ...]:
    """The tools that a kind of card breaks or mends, in a game with so many tools."""
    return tuple(tool for tool in deck()[kind].tools if tool < tools)


def counts_of(tools: int) -> list[int]:
    """The number of cards of each kind.

    Args:
        tools: 3, or 1 for a game in which all tools are alike.
    """
    counts = [card.count for card in deck()]
    if tools == len(TOOLS):
        return counts
    for kind in ("break", "repair"):
        numbers = [number for number, card in enumerate(deck()) if card.kind == kind]
        total = sum(counts[number] for number in numbers)
        for number in numbers:
            counts[number] = 0
        counts[numbers[0]] = total
    return counts


def weights() -> list[float]:
    """The weight of each of the `prospects` of a round, in nats."""
    return [float(row["weight"]) for row in read_table(FOLDER, "prospects.csv")]
