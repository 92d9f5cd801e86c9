"""Leduc poker: one card each, two rounds, one card face up between them.

Southey et al. (2005), "Bayes' bluff: opponent modelling in poker", with the numbers of OpenSpiel's
``leduc_poker``: each antes 1 and gets one of two jacks, two queens, two kings; a raise is 2 in the
first round and 4 in the second, at most two raises a round; then a pair with the card face up wins,
else the higher card, and equal cards split. Suits do not matter here. More players have two cards
more for each of them; a round ends when all who did not fold have put in as much.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...data.checks import whole_number
from ..game import HIDDEN, OVER, Game
from ..kernels.kernel import kernel
from ..kernels.randomness import below
from ..state_fields import StateField
from .kuhn_poker import ROLES, ranks_of, stake

FOLD: Final = 0
CALL: Final = 1
RAISE: Final = 2
MOST_RAISES: Final = 2
#: An observation is the action, and this times (1 + the card) when a card comes to the table, or
#: (4 + 3 * first card + second card) at the showdown. Among more players it is one more than all
#: cards and the number that the players' cards are the digits of.
SHOWN: Final = 3


@kernel
def start(state: Any, tables: Any, random: Any) -> None:
    # The card face up, `table`, lies there from the start; nobody sees it in the first round.
    players = len(state.cards)
    cards = 2 * (players + 1)
    deck = np.arange(cards)
    for place in range(players + 1):
        other = place + below(random, cards - place)
        card = deck[other]
        deck[other] = deck[place]
        deck[place] = card
    for player in range(players):
        state.cards[player] = deck[player] // 2
        state.bets[player] = 1
    state.table = deck[players] // 2
    state.folded = -1


@kernel(allocates=False)
def legal(state: Any, tables: Any, actions: Any) -> int:
    count = 0
    if stake(state) > state.bets[state.player]:
        actions[count] = FOLD
        count += 1
    actions[count] = CALL
    count += 1
    if state.raises < MOST_RAISES:
        actions[count] = RAISE
        count += 1
    return count


@kernel(allocates=False)
def plays(state: Any, player: int) -> bool:
    """True if a player has not folded."""
    return ((state.folded + 1) >> player) & 1 == 0


@kernel(allocates=False)
def playing(state: Any) -> int:
    """The number of players that have not folded."""
    count = 0
    for player in range(len(state.cards)):
        count += plays(state, player)
    return count


@kernel(allocates=False)
def following(state: Any, player: int) -> int:
    """The first player from one on, in turn, who has not folded."""
    player %= len(state.cards)
    while not plays(state, player):
        player = (player + 1) % len(state.cards)
    return player


@kernel(allocates=False)
def apply(state: Any, action: int, tables: Any, random: Any) -> None:
    mover, players = state.player, len(state.cards)
    state.moves += 1
    if action == FOLD:
        state.folded += 1 << mover
        if players == 2 or playing(state) == 1:
            state.player = OVER
            return
    else:
        state.bets[mover] = stake(state)
        if action == RAISE:
            state.bets[mover] += 2 if state.stage == 0 else 4
            state.raises += 1
    # Among two nobody has folded here, and asking would cost the search three tenths of its speed.
    if action == RAISE:
        even = False
    elif players == 2:
        even = state.raises > 0 or state.moves == 2
    else:
        even, most = state.raises > 0 or state.moves == playing(state), stake(state)
        for player in range(players):
            even = even and (state.bets[player] == most or not plays(state, player))
    if even:
        state.raises = 0
        state.moves = 0
        state.stage += 1
        if state.stage == 2:
            state.player = OVER
        else:
            state.player = 0 if players == 2 else following(state, 0)
    else:
        state.player = 1 - mover if players == 2 else following(state, mover + 1)


@kernel(allocates=False)
def strength(state: Any, player: int) -> int:
    """A greater number for a better card: any pair is better than any other."""
    card = state.cards[player]
    return card + len(state.cards) + 1 if card == state.table else card


@kernel(allocates=False)
def returns(state: Any, tables: Any, values: Any) -> None:
    pot, best, winners = 0, 0, 0
    for player in range(len(state.cards)):
        pot += state.bets[player]
        values[player] = -state.bets[player]
        if plays(state, player):
            hand = strength(state, player)
            if winners == 0 or hand > best:
                best = hand
                winners = 1
            elif hand == best:
                winners += 1
    share = pot / winners if winners > 1 else float(pot)
    for player in range(len(state.cards)):
        if plays(state, player) and strength(state, player) == best:
            values[player] += share


@kernel(allocates=False)
def showdown(state: Any) -> bool:
    """True if the game ended with cards shown."""
    if len(state.cards) == 2:
        return state.player == OVER and state.folded < 0
    return state.player == OVER and playing(state) > 1


@kernel(allocates=False)
def observe(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    if showdown(state):
        players, told = len(state.cards), 0
        for player in range(players):
            if players == 2:
                told = 3 * told + state.cards[player]
            else:  # one digit more, for who folded
                shown = plays(state, player)
                told = (players + 2) * told + (state.cards[player] if shown else players + 1)
        return action + SHOWN * (players + 2 + told)
    if state.stage == 1 and state.moves == 0:
        return action + SHOWN * (1 + state.table)
    return action


@kernel(allocates=False)
def mask(state: Any, viewer: int, tables: Any) -> None:
    shown = showdown(state)
    for player in range(len(state.cards)):
        if player != viewer and not (shown and plays(state, player)):
            state.cards[player] = HIDDEN
    if state.stage == 0:
        state.table = HIDDEN


@kernel(allocates=False)
def fill(state: Any, world: Any, tables: Any, random: Any) -> None:
    # Two columns for each rank: 0 and 1 are the players' hands, 2 the table, 3 the rest.
    players = len(state.cards)
    for card in range(2 * (players + 1)):
        if world[card] < players:
            state.cards[world[card]] = card // 2
        elif world[card] == players:
            state.table = card // 2


def leduc_poker(players: int = 2) -> Game:
    """The game. Payoffs in antes; among two its value for the first player is about -0.0856.

    Args:
        players: 2 to 10.

    >>> from sleuth.games.small import leduc_poker
    >>> game = leduc_poker()
    >>> [game.action_name(action) for action in range(game.action_space)]
    ['fold', 'call', 'raise']
    >>> game.max_depth, leduc_poker(players=3).max_depth
    (8, 14)
    """
    players = whole_number(players, "players", least=2, most=10)
    named = ", ".join(f"{place} {rank}" for place, rank in enumerate(ranks_of(players)))
    # At most, the last to speak in a round raises, and so does the last of the others.
    longest = 3 * players - 2
    folded = (
        "the player that has folded"
        if players == 2
        else "the sum of 2**player of all who folded, less 1"
    )
    return Game(
        name="leduc_poker",
        version=1,
        roles=ROLES[:players],
        state=np.dtype(
            [
                ("player", np.int32),
                ("cards", np.int32, (players,)),
                ("table", np.int32),
                ("stage", np.int32),
                ("bets", np.int32, (players,)),
                ("raises", np.int32),
                ("moves", np.int32),
                ("folded", np.int32),
            ]
        ),
        action_space=3,
        max_actions=3,
        max_depth=2 * longest,
        lowest=-13,
        highest=13 * (players - 1),
        start=start,
        legal=legal,
        apply=apply,
        observe=observe,
        returns=returns,
        mask=mask,
        fill=fill,
        columns=2 * (players + 1),
        # Among two there was nothing to set when records were first written.
        settings={"players": players} if players > 2 else {},
        action_name=("fold", "call", "raise").__getitem__,
        fields={
            "cards": StateField(f"the card of each player: {named}", 0, players),
            "table": StateField("the card face up, by the same numbers", 0, players),
            "stage": StateField("the round: 0 the first, 1 the second, 2 over", 0, 2),
            "bets": StateField("what each player has put in", 1, 13),
            "raises": StateField("how many raises there were in this round", 0, MOST_RAISES),
            "moves": StateField("how many moves were made in this round", 0, longest),
            "folded": StateField(f"{folded}, -1 for nobody", -1, 2**players - 3),
        },
        sum_of_returns=0.0,
    )
