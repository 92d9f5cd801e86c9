"""The picture of the mine: lines for ways, signs for goals, and no line more than is needed."""

from __future__ import annotations

from typing import Any

from sleuth import HIDDEN
from sleuth.apps.kit.answers.grid_text import grid_text
from sleuth.games.saboteur import card_name, flood, saboteur
from sleuth.games.saboteur import mine as board
from sleuth.models.saboteur.cards import deck
from sleuth.models.saboteur.state import GOLD_PIECE

GAME = saboteur("tight")
CARDS = {
    card_name(kind, is_turned=bool(turned)): 1 + 2 * kind + turned
    for kind in range(15, -1, -1)
    for turned in (1, 0)
}


def mine() -> Any:
    states = GAME.initial(1)
    state = states[0]
    for cell, name in ((19, "ESW"), (20, "dead EW"), (28, "NE"), (29, "EW"), (7, "NS")):
        state.board[cell] = CARDS[name]
    state.goals[:] = 1, HIDDEN, 0
    state.board[8] = 1 + 2 * (GOLD_PIECE + 1) + 1
    flood(state, GAME.tables)
    return states


def picture(width: int, *, ascii_only: bool = False) -> list[str]:
    drawn, _ = grid_text(board(GAME.tables.rules[0], mine()[0]), width, ascii_only=ascii_only)
    return drawn.plain.splitlines()


def test_it_shows_ways_dead_ends_and_goals() -> None:
    assert len(deck()) == 27
    assert picture(80) == [
        "                                        │",
        " 1   ·    ·    ·    ·    ·    ·    ·    │  ──s",
        "                                        │    │",
        " 2   ·    ·    ·    ·    ·    ·    ·    ·    ·",
        "     │",
        " 3 ──S────┬────x──  ·    ·    ·    ·    ·   [?]",
        "     │    │",
        "          │",
        " 4   ·    └───────  ·    ·    ·    ·    ·    ·",
        " 5   ·    ·    ·    ·    ·    ·    ·    ·   [$]",
        "     a    b    c    d    e    f    g    h    i",
    ]


def test_a_narrow_terminal_without_lines_gets_ascii() -> None:
    assert picture(47, ascii_only=True) == [
        "                         |",
        " 1  .  .  .  .  .  .  .  | -s",
        "                         |  |",
        " 2  .  .  .  .  .  .  .  .  .",
        "    |",
        " 3 -S--+--x- .  .  .  .  . [?]",
        "    |  |",
        "       |",
        " 4  .  +---- .  .  .  .  .  .",
        " 5  .  .  .  .  .  .  .  . [$]",
        "    a  b  c  d  e  f  g  h  i",
    ]


def test_what_is_cut_off_is_dim() -> None:
    text, _ = grid_text(board(GAME.tables.rules[0], mine()[0]), 80)
    styles = {text.plain[span.start : span.end].strip(): str(span.style) for span in text.spans}
    assert "──S──" not in styles
    assert "└────" not in styles
    assert styles["──s"] == "dim"
