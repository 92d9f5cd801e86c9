"""Clue on its board: walking between suggestions. The cards are those of `game`, kernel by kernel.

At their turn a player rolls and walks, or takes a secret passage, or stays where another's
suggestion has moved them. A player who has come to a room may suggest it with any suspect and
weapon, and the suspect's pawn comes along. Every turn ends with accusing or passing.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernels.kernel import kernel
from ...kernels.randomness import below, uniform
from .. import game
from ..cards import ROOMS, SUSPECTS, WEAPONS
from ..game import PASS, REFUTER, SHOWED, STATE, SUGGESTING, card_of, in_case_file, suggest, unheld
from .board import SQUARES, board
from .squares import square_name

# Further action codes: walking to each place, rolling, the passage, and staying where one is.
MOVE: Final = SHOWED + 1
PLACES: Final = len(ROOMS) + SQUARES
ROLL: Final = MOVE + PLACES
PASSAGE: Final = ROLL + 1
STAY: Final = PASSAGE + 1
#: Suggestions in one room.
PAIRS: Final = len(SUSPECTS) * len(WEAPONS)
#: The rooms are the first places.
SQUARE: Final = len(ROOMS)

# Further stages; 3 is `race.KNOWING`.
TURNING: Final = 4
WALKING: Final = 5

# For each suspect the place of their pawn; the first suspects are the players. For each player the
# room where they were last (-1 for none), and whether a suggestion has moved them since their turn.
# These come first: numba takes a record that begins as another does for one of that kind.
BOARD_STATE: Final = np.dtype(
    [
        ("roll", np.int32),
        ("place", np.int32, (6,)),
        ("last", np.int32, (6,)),
        ("summoned", np.int32, (6,)),
        *((name, STATE[name]) for name in STATE.names or ()),
    ]
)

#: Steps by which a room may be farther than another for a player of playouts to go there instead.
SLACK: Final = 6.0
#: Steps that they go farther for a room that they do not hold.
DETOUR: Final = 12.0
#: Steps of a turn, about, and the turns that are left when one stands in the right room.
STRIDE: Final = 3.5
LEFT: Final = 2.0


class WalkTables(NamedTuple):
    """The board and how it is walked. Places are rooms, then squares, as in `board`.

    Attributes:
        dice: 1 or 2.
        again: 1 if a room may be entered again at another turn, even if no other came between.
        summons: 1 if who was moved by another's suggestion may suggest there without rolling.
        blocks: 1 if nobody can step on a square with a pawn.
        passages: 1 if there are secret passages.
        first: int32[places + 1], where in `beside` the places one step from a place begin.
        beside: int32[steps], those places.
        passage: int32[rooms], the other end of each room's passage; -1 without one.
        distance: int32[places, rooms], steps along the hallway.
        starts: int32[6], where the pawns start.
    """

    dice: int
    again: int
    summons: int
    blocks: int
    passages: int
    first: NDArray[np.int32]
    beside: NDArray[np.int32]
    passage: NDArray[np.int32]
    distance: NDArray[np.int32]
    starts: NDArray[np.int32]


@lru_cache(maxsize=1)
def ways() -> tuple[NDArray[np.int32], ...]:
    """The arrays of a `WalkTables`, in order."""
    found = board()
    first = np.cumsum([0, *map(len, found.steps)], dtype=np.int32)
    beside = np.array([there for each in found.steps for there in each], dtype=np.int32)
    distance = np.ascontiguousarray(found.distances[:, :SQUARE])
    starts = [found.place_of[found.starts[suspect]] for suspect in SUSPECTS]
    return first, beside, np.array(found.passage, np.int32), distance, np.array(starts, np.int32)


@lru_cache(maxsize=2)
def turns_to_a_room(dice: int) -> float:
    """The mean number of turns from a room to the nearest other one, over all rooms.

    One may stop short and go on at the next turn, so a way takes as many turns as it takes rolls
    to add up to its steps. A passage takes less and a room that is not the nearest more; both are
    left out.

    Args:
        dice: How many are rolled.
    """
    rolls = [sum(eyes) for eyes in product(range(1, 7), repeat=dice)]
    far = board().distances[:SQUARE, :SQUARE]
    rows: list[list[int]] = far.tolist()
    steps = [min(row[:room] + row[room + 1 :]) for room, row in enumerate(rows)]
    turns = [0.0]
    for left in range(1, max(steps) + 1):
        turns.append(1.0 + sum(turns[max(0, left - roll)] for roll in rolls) / len(rolls))
    return sum(turns[each] for each in steps) / len(steps)


@kernel(allocates=False)
def barred(state: Any, tables: Any) -> int:
    """The room that the player to move cannot enter in this turn; -1 for none."""
    here = state.place[state.player]
    if tables.walk.again == 1:
        return here if here < SQUARE else -1
    return state.last[state.player]


@kernel
def reachable(state: Any, tables: Any, actions: Any, count: int) -> int:
    """Writes moves to all places within the roll behind so many actions, the nearest first.

    Breadth first, with the list of moves as the queue. A room ends the way.

    Returns:
        How many actions there are then.
    """
    walk = tables.walk
    here = state.place[state.player]
    steps = np.full(PLACES, -1, dtype=np.int32)
    if walk.blocks == 1:
        for suspect in range(6):
            # The pawn of a player who is out stands in nobody's way.
            if state.place[suspect] >= SQUARE and state.out[suspect] == 0:
                steps[state.place[suspect]] = 0
    closed = barred(state, tables)
    if closed >= 0:
        steps[closed] = 0
    steps[here] = 0
    place = here
    head = count - 1
    while True:
        if (place >= SQUARE or place == here) and steps[place] < state.roll:
            for edge in range(walk.first[place], walk.first[place + 1]):
                there = walk.beside[edge]
                if steps[there] < 0:
                    steps[there] = steps[place] + 1
                    actions[count] = MOVE + there
                    count += 1
        head += 1
        if head == count:
            return count
        place = actions[head] - MOVE


@kernel(allocates=False)
def enter(state: Any, suspect: int, place: int) -> None:
    """A pawn comes to a place."""
    state.place[suspect] = place
    if place < SQUARE:
        state.last[suspect] = place


@kernel
def start(state: Any, tables: Any, random: Any) -> None:
    """Deals the cards, and puts the pawns on their starts."""
    game.start(state, tables, random)
    state.stage = TURNING
    for suspect in range(6):
        state.place[suspect] = tables.walk.starts[suspect]
        state.last[suspect] = -1


@kernel
def legal(state: Any, tables: Any, actions: Any) -> int:
    """The actions at the start of a turn, after a roll, and in a room; else as at a table."""
    here = state.place[state.player]
    if state.stage == TURNING:
        actions[0] = ROLL
        count = 1
        if tables.walk.passages == 1 and here < SQUARE and tables.walk.passage[here] >= 0:
            actions[count] = PASSAGE
            count += 1
        if state.summoned[state.player] == 1:
            actions[count] = STAY
            count += 1
        return count
    if state.stage == WALKING:
        actions[0] = STAY
        return reachable(state, tables, actions, 1)
    if state.stage == SUGGESTING:
        for pair in range(PAIRS):
            actions[pair] = pair * len(ROOMS) + here
        actions[PAIRS] = PASS
        return PAIRS + 1
    return game.legal(state, tables, actions)


@kernel(allocates=False)
def apply(state: Any, action: int, tables: Any, random: Any) -> None:
    """Walks and rolls, and brings the suspect of a suggestion along; else as at a table."""
    mover = state.player
    if state.stage == TURNING:
        state.turn += 1
        state.summoned[mover] = 0
        if action == ROLL:
            state.stage = WALKING
            for _ in range(tables.walk.dice):
                state.roll += 1 + below(random, 6)
            return
        if action == PASSAGE:
            enter(state, mover, tables.walk.passage[state.place[mover]])
        state.stage = SUGGESTING
        return
    if state.stage == WALKING:
        state.roll = 0
        if action != STAY:
            enter(state, mover, action - MOVE)
        came = action != STAY and state.place[mover] < SQUARE
        state.stage = SUGGESTING if came else game.ACCUSING
        return
    if state.stage == SUGGESTING:
        if action == PASS:
            state.stage = game.ACCUSING
            return
        suspect = card_of(action, 0, tables.codes)
        if state.place[suspect] != state.place[mover]:
            enter(state, suspect, state.place[mover])
            if suspect < tables.players:
                state.summoned[suspect] = tables.walk.summons
        suggest(state, action, tables)
        return
    game.apply(state, action, tables, random)
    if state.stage == SUGGESTING:
        # Another turn begins.
        state.stage = TURNING
        state.suggestion = -1
        state.refuter = -1


@kernel(allocates=False)
def observe(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    """All see walks and dice; else as at a table."""
    if action == ROLL:
        return ROLL + REFUTER * state.roll
    if action > SHOWED:
        return action
    return game.observe(state, action, mover, viewer, tables)


@kernel(allocates=False)
def wanted(state: Any, tables: Any, random: Any) -> int:
    """A room to walk to: one of the nearest, rather one that the player does not hold."""
    here = state.place[state.player]
    closed = barred(state, tables)
    best = np.inf
    room = -1
    for each in range(SQUARE):
        if each == closed:
            continue
        far = tables.walk.distance[here, each] + SLACK * uniform(random)
        if state.holder[12 + each] == state.player:
            far += DETOUR
        if far < best:
            best = far
            room = each
    return room


@kernel(allocates=False)
def policy(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    """They walk to the nearest rooms, and otherwise play as at a table."""
    if state.stage == TURNING:
        return below(random, count)
    if state.stage == WALKING:
        room = wanted(state, tables, random)
        least = tables.walk.distance[state.place[state.player], room]
        best = 0
        for index in range(1, count):
            far = tables.walk.distance[actions[index] - MOVE, room]
            if far < least:
                least = far
                best = index
        return best
    if state.stage == SUGGESTING:
        suspect = unheld(state, 0, tables.codes, random)
        return suspect * len(WEAPONS) + unheld(state, 1, tables.codes, random)
    return game.policy(state, actions, count, tables, random)


@kernel(allocates=False)
def nearness(state: Any, player: int, tables: Any) -> float:
    """About what a player will get: the sooner they can be in the right room, the more.

    Chances are as 1 / (2 + turns), with the turns that the way takes by 3.5 steps for each die; 0
    for who is out.
    """
    if state.winner >= 0:
        return 1.0 if state.winner == player else 0.0
    room = in_case_file(state, tables) % len(ROOMS)
    mine = 0.0
    total = 0.0
    for each in range(tables.players):
        if state.out[each] == 0:
            far = tables.walk.distance[state.place[each], room]
            chance = 1.0 / (LEFT + far / (STRIDE * tables.walk.dice))
            total += chance
            if each == player:
                mine = chance
    return mine / total if total > 0.0 else 0.0


def place_name(place: int) -> str:
    """The name of a room, or of a square."""
    return ROOMS[place] if place < SQUARE else square_name(board().squares[place - SQUARE])


def action_name(action: int) -> str:
    """The name of an action code, such as ``"move study"``, or as at a table."""
    words = {SHOWED: "show a card", ROLL: "roll", PASSAGE: "passage", STAY: "stay"}
    if action in words:
        return words[action]
    if action >= MOVE:
        return f"move {place_name(action - MOVE)}"
    return game.action_name(action)
