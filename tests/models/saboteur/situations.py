"""Mines of Saboteur drawn by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sleuth import Game
from sleuth.games.saboteur import card_name, flood, saboteur
from sleuth.models.game import States
from sleuth.models.saboteur.cards import deck
from sleuth.models.saboteur.state import FACE_DOWN, MOST_HAND, NO_CARD, START

TIGHT = saboteur("tight")
#: Cards by their names as they lie: (kind, whether turned).
CARDS = {
    card_name(kind, is_turned=bool(turned)): (kind, turned)
    for kind in range(15, -1, -1)
    for turned in (1, 0)
}
NAMES = {**{card_name(kind): kind for kind in range(len(deck()) - 1, -1, -1)}}


def laid(card: str) -> int:
    """What lies on a cell: openings in capitals, an x before them for a dead end."""
    if card == ".":
        return 0
    if card in "S?":
        return 1 + 2 * START if card == "S" else FACE_DOWN
    kind, turned = CARDS[f"dead {card[1:]}" if card[0] == "x" else card]
    return 1 + 2 * kind + turned


def drawn(
    picture: str, hand: Sequence[str] = (), goals: Sequence[int] = (0, 1, 2), game: Game = TIGHT
) -> States:
    """A state with this mine; the first player has these cards and whole tools.

    Args:
        picture: Rows of cells, a word each.
        hand: Names of cards, as they are called upright.
        goals: Which card each goal is.
        game: With a board of this size.
    """
    states = game.initial(0)
    state: Any = states[0]
    cells = [word for row in picture.strip().splitlines() for word in row.split()]
    assert len(cells) == game.tables.rules[0].cells
    state.board[: len(cells)] = [laid(word) for word in cells]
    state.goals[:] = goals
    kinds = sorted(NAMES[name] for name in hand)
    state.hands[0] = [*kinds, *[NO_CARD] * (MOST_HAND - len(kinds))]
    flood(state, game.tables)
    return states


def legal_names(states: States, game: Game = TIGHT) -> set[str]:
    """What the player to move can do, in words."""
    actions = np.zeros(game.max_actions, dtype=np.int32)
    count = int(game.legal(states[0], game.tables, actions))
    return {game.action_name(int(code)) for code in actions[:count]}


def code_of(name: str, states: States, game: Game = TIGHT) -> int:
    """The code of a legal action."""
    actions = np.zeros(game.max_actions, dtype=np.int32)
    count = int(game.legal(states[0], game.tables, actions))
    return next(int(code) for code in actions[:count] if game.action_name(int(code)) == name)
