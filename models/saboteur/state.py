"""The state of Saboteur, its action codes, and the settings its kernels get."""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from ..kernels.cards import NO_CARD as NO_CARD
from ..kernels.kernel import kernel
from ..settings import numbers

MOST_PLAYERS: Final = 10
MOST_HAND: Final = 6
MOST_CELLS: Final = 169
CARDS: Final = 67
GOALS: Final = 3

# Kinds of cards, as in `cards.deck`: path cards first, passages before dead ends.
PASSAGES: Final = 7
PATHS: Final = 16
BREAKS: Final = 16
REPAIRS: Final = 19
ROCKFALL: Final = 25
MAP: Final = 26
KINDS: Final = 27

# What lies on a cell is 0 for nothing, else 1 + 2 * piece + (1 if it is turned); the piece is a
# path card, the start, the gold, one of the two other goals, or a goal that lies face down.
START: Final = PATHS
GOLD_PIECE: Final = PATHS + 1
FACE_DOWN: Final = 1 + 2 * (PATHS + 1 + GOALS)
LAID: Final = FACE_DOWN + 1
#: Which goal card it is, in `state.goals`: the gold, or a stone.
GOLD: Final = 0

MINER: Final = 0
SABOTEUR: Final = 1
#: What `state.winner` says.
NOBODY: Final = 0
MINERS_WIN: Final = 1
SABOTEURS_WIN: Final = 2

#: The first action of each kind: laying a path card comes before, see `place_code`.
DISCARD: Final = 2 * PATHS * MOST_CELLS
BREAK: Final = DISCARD + KINDS
REPAIR: Final = BREAK + 3 * MOST_PLAYERS
DIG: Final = REPAIR + 6 * 3 * MOST_PLAYERS
LOOK: Final = DIG + MOST_CELLS
SAY: Final = LOOK + GOALS
ACTIONS: Final = SAY + 3
#: What is said of a goal, as an action after `SAY` and in `state.claims`: one more.
SAY_GOLD: Final = SAY
SAY_STONE: Final = SAY + 1
SAY_NOTHING: Final = SAY + 2

# Values of settings, in the order of their words.
JOINED: Final = 0
EXTENDS: Final = 1
PASSES: Final = 1
SIDES: Final = 0
EQUAL: Final = 1

# Everything is public but roles, goals that lie face down, hands, the deck, and what was discarded.
#   turn: cards played or discarded in this round. starter: who began it.
#   board: what lies on each cell. reached: 1 where a card's ways are joined to the start.
#   goals: which card each goal is. looked: goals that each player has looked at, as bits.
#   claims: what each player said last of each goal: 0 nothing, 1 gold, 2 stone.
#   saying: the goal + 1 that the player to move has looked at and may speak of; else 0.
#   broken: tools in pieces, as bits. roles: of each player, and then of the card left over.
#   hands: kinds of cards in ascending order. deck: the next card to be drawn is at `left` - 1;
#     those that stay in the box are at its bottom.
#   thrown: what was discarded face down in each turn; -1 where nothing was.
#   used: how many cards of each kind were played. passed: discards in a row, since the deck is
#     empty. winner: of the last round. last: its saboteurs, as bits; -1 before its end.
#   rounds_played: rounds that are over. gold_left: gold cards that are left of each kind.
#   won: what each player has won.
STATE: Final = np.dtype(
    [
        *numbers("player", "turn", "starter"),
        *numbers("board", "reached", shape=(MOST_CELLS,)),
        *numbers("goals", shape=(GOALS,)),
        *numbers("looked", shape=(MOST_PLAYERS,)),
        *numbers("claims", shape=(MOST_PLAYERS, GOALS)),
        *numbers("saying"),
        *numbers("broken", shape=(MOST_PLAYERS,)),
        *numbers("roles", shape=(MOST_PLAYERS + 1,)),
        *numbers("hands", shape=(MOST_PLAYERS, MOST_HAND)),
        *numbers("deck", shape=(CARDS,)),
        *numbers("left"),
        *numbers("thrown", shape=(CARDS,)),
        *numbers("used", shape=(KINDS,)),
        *numbers("passed", "winner", "last", "rounds_played"),
        *numbers("gold_left", shape=(3,)),
        *numbers("won", shape=(MOST_PLAYERS,)),
    ]
)

# The settings, see `saboteur` in game.py, and what follows from the cards and the board.
#   role_cards: one more than players where one is left over. saboteurs: among them.
#   turns: cards that are dealt or drawn in a round; the others stay in the box.
#   start: the start's cell; goals: those of the goals. neighbours: of each cell, -1 for none, to
#     the north, east, south and west. sides: what lies on a cell -> its openings as bits;
#     through: -> whether they are connected. counts: cards of each kind.
#   mends: the tools of each kind of card, as bits.
RULES: Final = np.dtype(
    [
        *numbers("players", "role_cards", "saboteurs", "hand", "turns", "rounds"),
        *numbers("placing", "claims", "ends", "pay"),
        *numbers("width", "cells", "start"),
        *numbers("goals", shape=(GOALS,)),
        *numbers("neighbours", shape=(MOST_CELLS, 4)),
        *numbers("sides", "through", shape=(LAID,)),
        *numbers("counts", "mends", shape=(KINDS,)),
        *numbers("gold", shape=(3,)),
        *numbers("saboteur_gold", shape=(5,)),
    ],
    align=True,
)


class SaboteurTables(NamedTuple):
    """The settings, as a record in an array of one, and what an evaluation weighs.

    Attributes:
        rules: One record of type ``RULES``.
        weights: float64[], of each of the `prospects` of a round.
    """

    rules: Any
    weights: Any


@kernel(allocates=False, inline="late")
def place_code(kind: int, turned: int, cell: int) -> int:
    """The action of laying a path card on a cell; ``turned`` is 0 or 1."""
    return (cell * PATHS + kind) * 2 + turned


@kernel(allocates=False, inline="late")
def repair_code(kind: int, tool: int, player: int) -> int:
    """The action of mending a player's tool with a kind of card."""
    return REPAIR + ((kind - REPAIRS) * 3 + tool) * MOST_PLAYERS + player


@kernel(allocates=False)
def card_of(action: int) -> int:
    """The kind of card that an action takes from the hand; -1 for words."""
    if action < DISCARD:
        return action // 2 % PATHS
    if action < BREAK:
        return action - DISCARD
    if action < REPAIR:
        return BREAKS + (action - BREAK) // MOST_PLAYERS
    if action < DIG:
        return REPAIRS + (action - REPAIR) // (3 * MOST_PLAYERS)
    if action < LOOK:
        return ROCKFALL
    return MAP if action < SAY else NO_CARD


@kernel(allocates=False, inline="late")
def target_of(action: int) -> int:
    """The player whose tool an action breaks or mends."""
    return (action - BREAK) % MOST_PLAYERS


@kernel(allocates=False, inline="late")
def tool_of(action: int) -> int:
    """The tool that an action breaks or mends."""
    return (action - BREAK) // MOST_PLAYERS % 3
