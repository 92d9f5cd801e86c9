"""The mine of Saboteur as a board of cards."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from ...models.game import HIDDEN
from ...models.saboteur import cell_name
from ...models.saboteur.state import FACE_DOWN, GOALS, GOLD
from ...models.saboteur.words import piece_of
from ..kit.answers.values import Grid, Tile, Tone

#: What the signs of the board mean.
LEGEND: Final = "S start, [?] goal face down, $ gold, s stone\nx dead end, · free cell"
SIDES: Final = "nesw"


def mine(
    rules: Any,
    state: Any,
    *,
    goals: Sequence[int] | None = None,
    last: Collection[int] = (),
    around: int = 1,
) -> Grid:
    """The mine, cut to where cards lie.

    Args:
        rules: The game's settings, see `models.saboteur.state`.
        state: A masked state.
        goals: The cards of the goals, as far as they are known; None for what the state says.
        last: Cells that stand out.
        around: Free cells to be shown beside the cards; without them signs go unexplained.

    >>> import sleuth
    >>> from sleuth.answers import as_text
    >>> from sleuth.games.saboteur import mine
    >>> view = sleuth.Play.new("saboteur", seed=1).view(0)
    >>> print(as_text(mine(view.game.tables.rules[0], view.states[0], around=0)))
     5                                          [?]
     6
         │
     7 ──S──                                    [?]
         │
     8
     9                                          [?]
         c    d    e    f    g    h    i    j    k
    """
    width, cells = int(rules.width), int(rules.cells)
    laid = [divmod(cell, width) for cell in range(cells) if state.board[cell]]
    rows, columns = (
        range(max(0, min(places) - around), min(most, max(places) + 1 + around))
        for places, most in zip(zip(*laid, strict=True), (cells // width, width), strict=True)
    )
    known = state.goals.tolist() if goals is None else goals
    signs = {int(rules.goals[goal]): _sign(int(known[goal])) for goal in range(GOALS)}
    signs.setdefault(int(rules.start), "S")
    return Grid(
        "The mine",
        tuple(
            tuple(
                _tile(state, cell, signs.get(cell, ""), last) or ("·" if around else "")
                for cell in (row * width + column for column in columns)
            )
            for row in rows
        ),
        tuple(str(row + 1) for row in rows),
        tuple(cell_name(column, width)[0] for column in columns),
        LEGEND if around else "",
    )


def _sign(goal: int) -> str:
    return "?" if goal == HIDDEN else "$" if goal == GOLD else "s"


def _tile(state: Any, cell: int, sign: str, last: Collection[int]) -> Tile | None:
    """The card on a cell; None where there is none."""
    laid = int(state.board[cell])
    tone: Tone = "new" if cell in last else "strong" if laid == FACE_DOWN else "plain"
    title = "stone" if sign == "s" else ""
    if not laid:
        return None
    if laid == FACE_DOWN:
        return Tile(f"[{sign}]", tone=tone, ground="down", title=title)
    card, openings = piece_of(laid)
    return Tile(
        sign,
        ways="".join(side for place, side in enumerate(SIDES) if openings >> place & 1),
        blocked=not card.through,
        tone="soft" if tone == "plain" and not state.reached[cell] else tone,
        ground="gold" if sign == "$" else "open",
        title=title,
    )
