"""Kuhn poker: one card each, one bet (Kuhn 1950, "A simplified two-person poker").

Each antes 1 and gets one of jack, queen, king; the third card is not seen. A player passes or
bets 1. A bet is called by a bet, or the other folds by passing; two passes show the cards. More
players have one card more than there are players, as in OpenSpiel's ``kuhn_poker``: after a bet all
others call or fold once, in turn.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...data.checks import whole_number
from ..game import HIDDEN, OVER, Game
from ..kernels.kernel import kernel
from ..kernels.randomness import below
from ..state_fields import StateField

PASS: Final = 0
BET: Final = 1
CARDS: Final = ("jack", "queen", "king")
#: All cards that there can be, the highest last.
RANKS: Final = ("three", "four", "five", "six", "seven", "eight", "nine", "ten", *CARDS)
ROLES: Final = (
    *("first", "second", "third", "fourth", "fifth"),
    *("sixth", "seventh", "eighth", "ninth", "tenth"),
)

#: An observation is the action, and at the showdown this times (1 + 3 * first card + second card).
#: Among more players it is one more than the number that their cards are the digits of.
SHOWN: Final = 2


def ranks_of(players: int) -> tuple[str, ...]:
    """The cards among so many players, the lowest first.

    >>> from sleuth.models.small.kuhn_poker import ranks_of
    >>> ranks_of(3)
    ('ten', 'jack', 'queen', 'king')
    """
    return RANKS[-players - 1 :]


@kernel(allocates=False)
def start(state: Any, tables: Any, random: Any) -> None:
    players = len(state.cards)
    for player in range(players):
        state.bets[player] = 1
        # One of the cards that nobody has yet.
        left = below(random, players + 1 - player)
        for card in range(players + 1):
            free = True
            for other in range(player):
                free = free and state.cards[other] != card
            if free and left == 0:
                state.cards[player] = card
            left -= free


@kernel(allocates=False)
def legal(state: Any, tables: Any, actions: Any) -> int:
    actions[0] = PASS
    actions[1] = BET
    return 2


@kernel(allocates=False)
def apply(state: Any, action: int, tables: Any, random: Any) -> None:
    mover, players = state.player, len(state.cards)
    if players == 2:  # the same in fewer steps
        called = state.bets[1 - mover] > state.bets[mover]
        state.bets[mover] += action
        state.moves += 1
        over = called or (action == PASS and state.moves == 2)
        state.player = OVER if over else 1 - mover
        return
    state.bets[mover] += action
    state.moves += 1
    following = mover + 1 if mover + 1 < players else 0
    # All move once, and up to who bet first once more.
    if state.moves >= players and (state.bets[following] > 1 or stake(state) == 1):
        state.player = OVER
    else:
        state.player = following


@kernel(allocates=False)
def returns(state: Any, tables: Any, values: Any) -> None:
    # Who put in most was called, or all others folded; of those the highest card wins the pot.
    players = len(state.cards)
    if players == 2:
        ahead = state.bets[0] - state.bets[1]
        if ahead == 0:
            ahead = state.cards[0] - state.cards[1]
        lost = min(state.bets[0], state.bets[1])
        values[0] = lost if ahead > 0 else -lost
        values[1] = -values[0]
        return
    pot, winner, most = 0, 0, 0
    for player in range(players):
        pot += state.bets[player]
        values[player] = -state.bets[player]
        bet, card = state.bets[player], state.cards[player]
        if bet > most or (bet == most and card > state.cards[winner]):
            most, winner = bet, player
    values[winner] += pot


@kernel(allocates=False)
def stake(state: Any) -> int:
    """The number of chips that everybody has put in who did not fold."""
    most = 0
    for player in range(len(state.bets)):
        most = max(most, state.bets[player])
    return most


@kernel(allocates=False)
def showdown(state: Any) -> bool:
    """True if the game ended with cards shown."""
    if state.player != OVER:
        return False
    if len(state.bets) == 2:
        return state.bets[0] == state.bets[1]
    most, calling = stake(state), 0
    for player in range(len(state.bets)):
        calling += state.bets[player] == most
    return calling > 1


@kernel(allocates=False)
def observe(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    if not showdown(state):
        return action
    players, most, told = len(state.cards), stake(state), 0
    for player in range(players):
        if players == 2:
            told = 3 * told + state.cards[player]
        else:  # one digit more, for who folded
            shown = state.bets[player] == most
            told = (players + 2) * told + (state.cards[player] if shown else players + 1)
    return action + SHOWN * (1 + told)


@kernel(allocates=False)
def mask(state: Any, viewer: int, tables: Any) -> None:
    shown = showdown(state)
    for player in range(len(state.cards)):
        if player != viewer and not (shown and state.bets[player] == stake(state)):
            state.cards[player] = HIDDEN


@kernel(allocates=False)
def fill(state: Any, world: Any, tables: Any, random: Any) -> None:
    # One column for each card: 0 and 1 are the players' hands, 2 is the card left over.
    players = len(state.cards)
    for card in range(players + 1):
        if world[card] < players:
            state.cards[world[card]] = card


def kuhn_poker(players: int = 2) -> Game:
    """The game. Payoffs in antes; among two its value for the first player is -1/18.

    Args:
        players: 2 to 10.

    >>> from sleuth.games.small import kuhn_poker
    >>> kuhn_poker().max_depth, kuhn_poker(players=3).max_depth
    (3, 5)
    """
    players = whole_number(players, "players", least=2, most=10)
    ranks = ranks_of(players)
    named = ", ".join(f"{place} {rank}" for place, rank in enumerate(ranks))
    return Game(
        name="kuhn_poker",
        version=1,
        roles=ROLES[:players],
        state=np.dtype(
            [
                ("player", np.int32),
                ("cards", np.int32, (players,)),
                ("bets", np.int32, (players,)),
                ("moves", np.int32),
            ]
        ),
        action_space=2,
        max_actions=2,
        max_depth=2 * players - 1,
        lowest=-2,
        highest=2 * (players - 1),
        start=start,
        legal=legal,
        apply=apply,
        observe=observe,
        returns=returns,
        mask=mask,
        fill=fill,
        columns=players + 1,
        # Among two there was nothing to set when records were first written.
        settings={"players": players} if players > 2 else {},
        action_name=("pass", "bet").__getitem__,
        fields={
            "cards": StateField(f"the card of each player: {named}", 0, players),
            "bets": StateField("what each player has put in", 0, 2),
            "moves": StateField("how many moves were made", 0, 2 * players - 1),
        },
        sum_of_returns=0.0,
    )
