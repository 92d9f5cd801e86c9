"""Clue as a game on its board: its settings. Without the board it is `clue_table`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ....data.checks import whole_number
from ....data.errors import SettingsError
from ...advice import Playouts
from ...game import Game, any_action
from ...kernels.kernel import plain
from ...view import View
from ..advice import BOARD
from ..cards import ROOMS
from ..edition import FEWEST_PLAYERS
from ..editions import CLASSIC
from ..fields import walking_fields
from ..game import (
    TRIPLES,
    USUAL_PLACES,
    ClueTables,
    cards_dealt,
    clue_table,
    fill,
    mask,
    returns,
    roles,
)
from . import walking
from .walking import BOARD_STATE, MOVE, PLACES, SQUARE, STAY, WALKING, WalkTables, ways

NAME: Final = "clue"
#: What one player does in a turn, and what somebody else does: show a card.
ACTIONS_OF_A_TURN: Final = 5


def clue(
    players: int = 3,
    turns: int | None = None,
    hand: int | None = None,
    board: bool = True,
    dice: int = 1,
    again: bool = False,
    summons: bool = False,
    blocks: bool = False,
    passages: bool = True,
) -> Game:
    """The whole game: 1 for who finds the case file, 0 for all others. Rules: `docs/clue/index.md`.

    Args:
        players: 2 to 6; called p1, p2, ..., with the pawns of the suspects in their order.
        turns: Turns after which the game ends without a winner; None for 200.
        hand: Cards that each player is dealt, the others lie face up; None to deal out all 18.
        board: Whether there is a board; without one this is `clue_table`.
        dice: 1 or 2.
        again: Whether a player may come back to a room without having been in another.
        summons: Whether a player who was moved by another's suggestion may suggest there.
        blocks: Whether nobody can step on a square where a pawn stands.
        passages: Whether there are secret passages.

    Raises:
        SettingsError: A number is out of range, or a setting of the board is given without one.

    >>> from sleuth.games.clue import clue
    >>> game = clue(players=4, dice=2)
    >>> game.roles, game.settings["dice"]
    (('p1', 'p2', 'p3', 'p4'), 2)
    """
    flags = {
        "board": board,
        "again": again,
        "summons": summons,
        "blocks": blocks,
        "passages": passages,
    }
    for name, value in flags.items():
        if type(value) is not bool:
            raise SettingsError("true or false is needed", where=f"{NAME}, {name}", value=value)
    sides = whole_number(dice, f"{NAME}, dice", least=1, most=2)
    if not board:
        if (sides, again, summons, blocks, passages) != (1, False, False, False, True):
            raise SettingsError(
                "without a board nobody walks", where=NAME, hint="leave the settings of walks out"
            )
        return clue_table(players, *(() if turns is None else (turns,)), hand=hand)
    count = whole_number(players, f"{NAME}, players", least=FEWEST_PLAYERS, most=USUAL_PLACES)
    last = 200 if turns is None else whole_number(turns, f"{NAME}, turns", least=1)
    walk = WalkTables(sides, int(again), int(summons), int(blocks), int(passages), *ways())
    settings: dict[str, Any] = {"players": count, "turns": last, "dice": sides, **flags}
    if hand is not None:
        settings["hand"] = hand
    return Game(
        name=NAME,
        version=1,
        roles=roles(count),
        state=BOARD_STATE,
        tables=ClueTables(count, last, cards_dealt(count, hand, f"{NAME}, hand"), walk),
        settings=settings,
        action_space=STAY + 1,
        max_actions=TRIPLES + 1,
        max_depth=ACTIONS_OF_A_TURN * last,
        lowest=0,
        highest=1,
        start=walking.start,
        legal=walking.legal,
        apply=walking.apply,
        observe=walking.observe,
        returns=returns,
        mask=mask,
        fill=fill,
        columns=21,
        policy=walking.policy,
        action_name=walking.action_name,
        advice=replace(
            BOARD,
            playouts={
                "nearest": Playouts(policy=walking.policy, epsilon=(0.0,) * count),
                "random": Playouts(policy=any_action, epsilon=(0.0,) * count),
            },
            considered=considered,
            evaluations={"nearness": walking.nearness},
            usual={"search": {**BOARD.usual["search"], "filter": True}},
        ),
        fields=walking_fields(count, CLASSIC.codes, last, PLACES),
    )


def considered(view: View) -> NDArray[np.int32]:
    """Of the places to walk to, the rooms, and the squares that are nearest to each other room."""
    codes, state = view.legal(), view.states[0]
    if state.stage != WALKING or len(codes) == 1:
        return codes
    tables = view.game.tables
    places = codes[codes != STAY] - MOVE
    closed = plain(walking.barred)(state, tables)
    far: NDArray[np.int32] = tables.walk.distance
    kept = set(places[places < SQUARE].tolist())
    for room in set(range(len(ROOMS))) - kept - {closed}:
        kept.add(int(places[far[places, room].argmin()]))
    return np.array([MOVE + place for place in places.tolist() if place in kept], dtype=np.int32)
