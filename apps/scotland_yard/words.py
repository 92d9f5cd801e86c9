"""Moves of Scotland Yard as sentences, from what everybody sees of them."""

from __future__ import annotations

from typing import Any, Final

from ...models.scotland_yard.events import seeker_name
from ...models.scotland_yard.rules import DOUBLED, SHOWN
from ...models.scotland_yard.state import HIDER, TICKETS

HIDER_NAME: Final = "Mr. X"


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
