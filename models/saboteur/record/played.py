"""The events of a game that was played here, with everything that is known of it."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any, Final, cast

from ...game import Game
from ...play import Play
from ..cards import letters
from ..rules import act_openly
from ..state import (
    DISCARD,
    FACE_DOWN,
    GOLD,
    LOOK,
    MINERS_WIN,
    SABOTEUR,
    SAY,
    card_of,
)
from ..words import GOAL_CARDS, GOAL_NAMES, ROLES, SAID, card_name, hand_of, piece_of
from .events import RoundDeal, RoundEnd, RoundTurn, SaboteurEvent

#: As many gold cards as players are drawn, but no more than these.
MOST_GOLD_CARDS: Final = 9


def events_of(play: Play, game: Game) -> Iterator[SaboteurEvent]:
    """The events of a play, all of which is known.

    Args:
        play: The play.
        game: The same game with the names of its players.
    """
    record = play.record()
    again = record.begin(play.game)
    yield from _deals(game, again.truth()[0])
    waiting: tuple[Any, int] | None = None
    for number, code in enumerate(record.actions, start=1):
        before = again.truth()
        again.apply(code, chance=record.chance(number))
        after = again.truth()[0]
        if after.saying:
            waiting = before, code
            continue
        first, action = waiting or (before, code)
        waiting = None
        ended = int(after.rounds_played) > int(before[0].rounds_played)
        yield _turn(game, first, action, code, None if ended and not again.over else after)
        if ended:
            yield _end(game, before, code, after)
            if not again.over:
                yield from _deals(game, after)


def _deals(game: Game, state: Any) -> Iterator[RoundDeal]:
    tools = int(game.settings["tools"])
    for player, name in enumerate(game.roles):
        cards = tuple(card_name(kind, tools) for kind in hand_of(state, player))
        yield RoundDeal(name, ROLES[int(state.roles[player])], cards)


def _turn(game: Game, before: Any, action: int, last: int, after: Any) -> RoundTurn:
    """A turn of one action, or of a map and words; ``after``: None where a new round was dealt."""
    state, tools = before[0], int(game.settings["tools"])
    mover = int(state.player)
    says = SAID[last - SAY] if last >= SAY else "nothing" if LOOK <= action < SAY else None
    saw = None
    if LOOK <= action < SAY:
        saw = GOAL_CARDS[int(state.goals[action - LOOK])]
    drew = None
    if after is not None:
        held = Counter(hand_of(state, mover))
        held[card_of(action)] -= 1
        new = Counter(hand_of(after, mover)) - held
        drew = next((card_name(kind, tools) for kind in new), None)
    return RoundTurn(
        game.roles[mover],
        game.action_name(action),
        says,
        cast("Any", saw),
        _turned(game, before, action),
        drew,
    )


def _turned(game: Game, before: Any, action: int) -> dict[str, str]:
    """The goals that an action turned up, with their openings."""
    if action >= DISCARD:
        return {}
    state, goals = before.copy()[0], game.tables.rules[0].goals.tolist()
    down = [bool(state.board[cell] == FACE_DOWN) for cell in goals]
    act_openly(state, action, game.tables)
    found: dict[str, str] = {}
    for name, cell, was_down, card in zip(
        GOAL_NAMES, goals, down, state.goals.tolist(), strict=True
    ):
        if was_down and state.board[cell] != FACE_DOWN:
            openings = letters(piece_of(int(state.board[cell]))[1])
            found[name] = "gold" if card == GOLD else f"stone {openings}"
    return found


def _end(game: Game, before: Any, action: int, after: Any) -> RoundEnd:
    state: Any = before[0]
    saboteurs = tuple(
        name for player, name in enumerate(game.roles) if state.roles[player] == SABOTEUR
    )
    goals: list[int] = state.goals.tolist()
    gold = GOAL_NAMES[goals.index(GOLD)]
    miners = int(after.winner) == MINERS_WIN
    cards: dict[str, tuple[int, ...]] = {}
    if miners and game.settings["pay"] == "gold":
        drawn = (state.gold_left - after.gold_left).tolist()
        taken = _taken(state, [k + 1 for k in (2, 1, 0) for _ in range(drawn[k])], game.players)
        cards = {game.roles[player]: tuple(each) for player, each in sorted(taken.items())}
    return RoundEnd(saboteurs, None if miners else cast("Any", gold), cards)


def _taken(state: Any, drawn: list[int], players: int) -> dict[int, list[int]]:
    """The gold cards of each miner: the best is for who finished, and so on counter-clockwise."""
    saboteurs = [player for player in range(players) if state.roles[player] == SABOTEUR]
    taken: dict[int, list[int]] = {}
    for player, nuggets in zip(takers(players, int(state.player), saboteurs), drawn, strict=True):
        taken.setdefault(player, []).append(nuggets)
    return taken


def takers(players: int, finisher: int, saboteurs: Collection[int]) -> list[int]:
    """The miner who takes each gold card: who finished the way, and so on counter-clockwise.

    Args:
        players: How many there are.
        finisher: Who played the last card.
        saboteurs: They; not everybody.
    """
    around = [(finisher - step) % players for step in range(players)]
    miners = itertools.cycle(player for player in around if player not in saboteurs)
    return [*itertools.islice(miners, min(players, MOST_GOLD_CARDS))]
