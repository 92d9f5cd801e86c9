"""The mine as a report shows it, and what is known of each player: figures 2 and 3 of the paper.

Of each player their own view is shown, as far as the report has it: the goals that they know and
their hand. Of the others stands there what the first viewer of the report knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ...models.game import HIDDEN
from ...models.play import View
from ...models.saboteur import GOAL_NAMES, card_name, cell_name
from ...models.saboteur.state import FACE_DOWN, GOALS, GOLD, MINERS_WIN
from ...models.saboteur.words import GOAL_CARDS, ROLES, SAID, hand_of, piece_of, tool_name
from ..kit.number_words import counted
from ..kit.pages.document import section
from ..kit.pages.markup import Html, drawing, element, join

#: Size of a card, of the way on it, and of the margin for names of rows and columns.
WIDTH: Final = 44
HEIGHT: Final = 58
WAY: Final = 13
MARGIN: Final = 26
#: Where a way ends that comes from a side, in card sizes: north, east, south, west.
SIDES: Final = ((0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5))
_STYLE: Final = Html(f"""
.mine .piece {{ fill: #8d7355; stroke: var(--line); stroke-width: 1.5; }}
.mine .down {{ fill: #54483a; }}
.mine .gold {{ fill: #d9a521; }}
.mine .way {{ stroke: #f1e7d3; stroke-width: {WAY}; fill: none; }}
.mine .cut {{ opacity: .45; }}
.mine .end {{ fill: #3b2f22; }}
.mine text.on {{ fill: #fff; font-weight: 600; font-size: 15px; text-anchor: middle; }}
.mine text.dark {{ fill: #2c2114; }}
""")


def ending(views: Sequence[View]) -> Html:
    """The last board and the players, as a section of a report.

    Args:
        views: The last moment, as each viewer of the report knows it.
    """
    first = views[0]
    state: Any = first.states[0]
    won = ("miners" if state.winner == MINERS_WIN else "saboteurs") if first.over else ""
    return section(
        f"The end: the {won} win" if won else "How it stands",
        "Cards as they lie: pale where no way leads through from the start, with a dark spot for a "
        "dead end. Of the goals, each player knows those that they looked at and those that were "
        "turned up. A hand is named where the report is seen with its player's eyes.",
        element("div", board(views), class_="scroll"),
        element("div", players(views), class_="scroll"),
    )


def board(views: Sequence[View]) -> Html:
    """The mine, cut to where cards lie."""
    state: Any = views[0].states[0]
    rules: Any = views[0].game.tables.rules[0]
    across = int(rules.width)
    laid = [cell for cell in range(int(rules.cells)) if state.board[cell]]
    columns = range(min(c % across for c in laid), max(c % across for c in laid) + 1)
    rows = range(laid[0] // across, laid[-1] // across + 1)
    # A goal that lies face down is what any of the viewers knows of it.
    known = [max(int(view.states[0].goals[goal]) for view in views) for goal in range(GOALS)]
    goals = {int(cell): card for cell, card in zip(rules.goals, known, strict=True)}
    parts: list[Html] = [element("style", _STYLE)]
    for column in columns:
        x = MARGIN + (column - columns[0] + 0.5) * WIDTH
        name = cell_name(column, across)[0]
        parts.append(element("text", name, x=x, y=MARGIN - 8, text_anchor="middle"))
    for row in rows:
        y = MARGIN + (row - rows[0] + 0.5) * HEIGHT + 4
        parts.append(element("text", row + 1, x=MARGIN - 8, y=y, text_anchor="end"))
    for cell in laid:
        x = MARGIN + (cell % across - columns[0]) * WIDTH
        y = MARGIN + (cell // across - rows[0]) * HEIGHT
        sign = "S" if cell == rules.start else ""
        if cell in goals:
            sign = "?" if goals[cell] == HIDDEN else "$" if goals[cell] == GOLD else "stone"
        parts.append(_card(state, cell, sign, x, y))
    width, height = MARGIN + WIDTH * len(columns) + 4, MARGIN + HEIGHT * len(rows) + 4
    style = f"max-width:{1.3 * width:.0f}px;min-width:{0.6 * width:.0f}px;margin-bottom:1rem"
    return drawing("The mine", f"0 0 {width} {height}", "mine", *parts, style=style)


def _card(state: Any, cell: int, sign: str, x: float, y: float) -> Html:
    """A card on its cell, with a sign on it."""
    laid = int(state.board[cell])
    kind = "piece down" if laid == FACE_DOWN else "piece gold" if sign == "$" else "piece"
    parts = [
        element("rect", x=x + 1, y=y + 1, width=WIDTH - 2, height=HEIGHT - 2, rx=4, class_=kind)
    ]
    middle = x + WIDTH / 2, y + HEIGHT / 2
    if laid != FACE_DOWN:
        card, openings = piece_of(laid)
        # In a dead end no two openings are connected: ways stop before the middle.
        reach = 1.0 if card.through else 0.55
        path = ""
        for side, (right, down) in enumerate(SIDES):
            if openings >> side & 1:
                edge = x + 1 + right * (WIDTH - 2), y + 1 + down * (HEIGHT - 2)
                inner = [e + reach * (m - e) for e, m in zip(edge, middle, strict=True)]
                path += f"M{edge[0]:g} {edge[1]:g}L{inner[0]:g} {inner[1]:g}"
        parts.append(element("path", d=path, class_="way"))
        if card.through:
            parts.append(element("circle", cx=middle[0], cy=middle[1], r=WAY / 2, fill="#f1e7d3"))
        else:
            parts.append(element("circle", cx=middle[0], cy=middle[1], r=WAY / 2.6, class_="end"))
    if sign:
        dark = " dark" if laid != FACE_DOWN else ""
        size = "font-size:11px" if len(sign) > 1 else None
        parts.append(
            element("text", sign, x=middle[0], y=middle[1] + 5, class_=f"on{dark}", style=size)
        )
    cut = laid != FACE_DOWN and not state.reached[cell]
    return element("g", *parts, class_="cut" if cut and sign != "S" else None)


def players(views: Sequence[View]) -> Html:
    """Each player's role, tools, knowledge of the goals, words and hand."""
    made = views[0].game
    tools = int(made.settings["tools"])
    head = ("player", "role", "broken", "knows of the goals", "said last", "hand")
    rows = [element("tr", *(element("th", word) for word in head))]
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
        rows.append(
            element(
                "tr",
                *(element("td", word or "–", class_="card") for word in cells[:3]),
                *(element("td", word or "–") for word in cells[3:]),
            )
        )
    return element("table", join(rows), class_="turns")


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
    """What a player said last of each goal."""
    return ", ".join(
        f"{name} is {SAID[int(state.claims[player, goal]) - 1]}"
        for goal, name in enumerate(GOAL_NAMES)
        if state.claims[player, goal]
    )
