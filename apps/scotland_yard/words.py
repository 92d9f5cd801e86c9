"""Moves of Scotland Yard as sentences, from what everybody sees of them."""

from __future__ import annotations

import re
from typing import Any, Final

from ...models.scotland_yard.events import seeker_name
from ...models.scotland_yard.rules import DOUBLED, SHOWN
from ...models.scotland_yard.state import HIDER, TICKETS
from ..kit.number_words import whole_number

HIDER_NAME: Final = "Mr. X"
#: Letters that stand for tickets, on the map and in what is typed.
LETTERS: Final = {"t": "taxi", "b": "bus", "u": "underground", "x": "black"}
#: A station as the map names it: tickets that lead there, its number, whether Mr. X may be there.
_ON_THE_MAP: Final = re.compile(f"([{''.join(LETTERS)}]*)([0-9]+)[?]?", re.ASCII)


def spelt_out(text: str) -> str:
    """A line in whose words stations may be called as on the map: ``t108`` is taxi 108.

    Where several tickets lead to a station (``bu46``) it is named alone.
    """
    words: list[str] = []
    for word in text.lower().replace(",", " ").split():
        found = _ON_THE_MAP.fullmatch(word)
        if found is None:
            words.append(word)
            continue
        words += [LETTERS[found[1]]] if len(found[1]) == 1 else []
        words.append(found[2])
    return " ".join(words)


def describe(mover: int, observation: int, number: int, tables: Any) -> str:
    """A move as everybody saw it, without a full stop.

    Args:
        mover: Who moved.
        observation: What was seen of it, as `rules.observe` says.
        number: How many moves the hider had made then, this one included.
        tables: Map and rules.
    """
    shown, seen = divmod(observation, SHOWN)
    if mover == HIDER:
        said = f"{HIDER_NAME}, move {number}: {TICKETS[seen % DOUBLED]}"
        if shown:
            said += f", and is seen at {shown}"
        return f"{said} (first of two)" if seen >= DOUBLED else said
    board = tables.board[0]
    goal = int(board.target[seen])
    ticket = TICKETS[int(board.ticket[seen])]
    said = f"{seeker_name(mover)}: {ticket} from {board.origin[seen]} to {goal}"
    if shown == goal:
        return f"{said}, and finds {HIDER_NAME}"
    return f"{said}; {HIDER_NAME} was at {shown}" if shown else said


def station_in(text: str, most: int) -> int | None:
    """The station that a text names by its number or as on the map; None if it names none."""
    found = _ON_THE_MAP.fullmatch(text.strip().lower())
    return None if found is None else whole_number(found[2], 1, most)
