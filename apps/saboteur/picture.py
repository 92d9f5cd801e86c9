"""The mine as a report shows it, and what is known of each player: figures 2 and 3 of the paper.

Of each player their own view is shown, as far as the report has it: the goals that they know and
their hand. Of the others stands there what the first viewer of the report knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...models.game import HIDDEN
from ...models.play import View
from ...models.saboteur import GOAL_NAMES, card_name
from ...models.saboteur.state import FACE_DOWN, GOALS, MINERS_WIN
from ...models.saboteur.words import GOAL_CARDS, ROLES, SAID, hand_of, tool_name
from ..kit.answers.values import Column, Grid, Section, Sheet
from ..kit.number_words import counted
from .mine import mine


def ending(views: Sequence[View]) -> Section:
    """The last board and the players, as a section of a report.

    Args:
        views: The last moment, as each viewer of the report knows it.
    """
    first = views[0]
    state: Any = first.states[0]
    won = ("miners" if state.winner == MINERS_WIN else "saboteurs") if first.over else ""
    return Section(
        f"The end: the {won} win" if won else "How it stands",
        (board(views), players(views)),
        "Cards as they lie: pale where no way leads through from the start, with a dark spot for a "
        "dead end. Of the goals, each player knows those that they looked at and those that were "
        "turned up. A hand is named where the report is seen with its player's eyes.",
    )


def board(views: Sequence[View]) -> Grid:
    """The mine, cut to where cards lie."""
    # A goal that lies face down is what any of the viewers knows of it.
    known = [max(int(view.states[0].goals[goal]) for view in views) for goal in range(GOALS)]
    return mine(views[0].game.tables.rules[0], views[0].states[0], goals=known, around=0)


def players(views: Sequence[View]) -> Sheet:
    """Each player's role, tools, knowledge of the goals, words and hand, and the gold, if any."""
    made = views[0].game
    tools, gold = int(made.settings["tools"]), made.settings["pay"] == "gold"
    rows: list[tuple[str, ...]] = []
    for player, name in enumerate(made.roles):
        own = next((view for view in views if view.viewer == player), None)
        state: Any = (own or views[0]).states[0]
        role = int(state.roles[player])
        held = hand_of(state, player)
        names = [card_name(kind, tools) for kind in held if kind != HIDDEN]
        cells = (
            name,
            "" if role == HIDDEN else ROLES[role],
            broken_tools(state, player, tools),
            _known(state, player, views[0]) or "nothing",
            claims(state, player),
            ", ".join(names) or (counted(len(held), "card") if held else "none"),
        )
        won = (str(int(state.won[player])),) if gold else ()
        rows.append(tuple(cell or "–" for cell in (*cells, *won)))
    heads = ("player", "role", "broken", "knows of the goals", "said last", "hand")
    heads += ("gold so far",) if gold else ()
    columns = tuple(Column(head, whole=place < 3) for place, head in enumerate(heads))
    return Sheet(columns, tuple(rows))


def _known(state: Any, player: int, view: View) -> str:
    """The goals that a player looked at or saw turned up, and what they are if that is known."""
    found: list[str] = []
    places: Any = view.game.tables.rules[0].goals
    for goal, (name, card) in enumerate(zip(GOAL_NAMES, state.goals.tolist(), strict=True)):
        if card != HIDDEN and (
            state.looked[player] >> goal & 1 or state.board[places[goal]] != FACE_DOWN
        ):
            found.append(f"{name} is {GOAL_CARDS[card]}")
        elif state.looked[player] >> goal & 1:
            found.append(f"looked at {name}")
    return ", ".join(found)


def broken_tools(state: Any, player: int, tools: int) -> str:
    """The tools of a player that are broken."""
    return ", ".join(
        tool_name(tool, tools) for tool in range(3) if state.broken[player] >> tool & 1
    )


def claims(state: Any, player: int) -> str:
    """The last claim of a player on each goal."""
    return ", ".join(
        f"{name} is {SAID[int(state.claims[player, goal]) - 1]}"
        for goal, name in enumerate(GOAL_NAMES)
        if state.claims[player, goal]
    )
