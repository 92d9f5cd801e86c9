"""Clue without a board, for 2 to 6 players: any three cards each turn.

The player to move suggests a suspect, a weapon and a room. The next player in turn who holds any
of them must show one, which the suggester alone sees; they choose which. Then the suggester may
accuse or pass. A right accusation wins; a player who accuses wrongly looks into the case file and
is out, but goes on showing cards. The game ends when somebody is right, when all are out, or after
a set number of suggestions.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from ...data.checks import whole_number
from ...data.errors import SettingsError
from ..game import HIDDEN, OVER, Game
from ..kernels.kernel import kernel
from ..kernels.randomness import below
from .advice import TABLE
from .cards import CARDS, ROOMS, SUSPECTS, WEAPONS
from .events import Triple

FEWEST_PLAYERS: Final = 2
MOST_PLAYERS: Final = 6
TRIPLES: Final = len(SUSPECTS) * len(WEAPONS) * len(ROOMS)
#: Cards that are not in the case file.
DEALT: Final = len(CARDS) - 3

# Action codes: the suggestions, the cards to show, the accusations, and passing.
SHOW: Final = TRIPLES
ACCUSE: Final = SHOW + len(CARDS)
PASS: Final = ACCUSE + TRIPLES
#: What those see of a card shown who do not see which.
SHOWED: Final = PASS + 1
#: An observation of a suggestion is its code, and this times (1 + who must show, -1 for nobody).
REFUTER: Final = 1000
#: An observation of an accusation is its code, and this if it was right. A player who accuses
#: wrongly sees the case file: this times (2 + its code) more.
OUTCOME: Final = 1000

SUGGESTING: Final = 0
SHOWING: Final = 1
ACCUSING: Final = 2

# `holder[c]` is the number of the player who has card c, the number of players for the case file,
# and one more for a card face up.
STATE: Final = np.dtype(
    [
        ("player", np.int32),
        ("stage", np.int32),
        ("holder", np.int32, (21,)),
        ("suggester", np.int32),
        ("suggestion", np.int32),
        ("refuter", np.int32),
        ("out", np.int32, (MOST_PLAYERS,)),
        ("turn", np.int32),
        ("winner", np.int32),
    ]
)


class ClueTables(NamedTuple):
    """The settings.

    Attributes:
        players: How many there are.
        turns: After so many suggestions, or turns on a board, the game ends.
        dealt: How many of the 18 cards are dealt; the others lie face up.
        walk: The board and its settings, see `walking.Walk`; 0 without a board.
    """

    players: int
    turns: int
    dealt: int = DEALT
    walk: Any = 0


@kernel(allocates=False)
def card_of(triple: int, place: int) -> int:
    """The card number of the suspect (place 0), weapon (1) or room (2) of a triple."""
    if place == 0:
        return triple // 54
    return 6 + triple // 9 % 6 if place == 1 else 12 + triple % 9


@kernel(allocates=False)
def holds_any(state: Any, player: int, triple: int) -> bool:
    """True if a player, or the case file, has a card of a triple."""
    return (
        state.holder[card_of(triple, 0)] == player
        or state.holder[card_of(triple, 1)] == player
        or state.holder[card_of(triple, 2)] == player
    )


@kernel(allocates=False)
def in_case_file(state: Any, players: int) -> int:
    """The triple in the case file, where the state shows it."""
    suspect = 0
    weapon = 0
    room = 0
    for card in range(21):
        if state.holder[card] == players:
            if card < 6:
                suspect = card
            elif card < 12:
                weapon = card - 6
            else:
                room = card - 12
    return suspect * 54 + weapon * 9 + room


@kernel
def start(state: Any, tables: Any, random: Any) -> None:
    for card in range(21):
        state.holder[card] = -1
    state.holder[below(random, 6)] = tables.players
    state.holder[6 + below(random, 6)] = tables.players
    state.holder[12 + below(random, 9)] = tables.players
    deck = np.zeros(18, dtype=np.int64)
    count = 0
    for card in range(21):
        if state.holder[card] < 0:
            deck[count] = card
            count += 1
    for place in range(18):
        other = place + below(random, 18 - place)
        card = deck[other]
        deck[other] = deck[place]
        state.holder[card] = place % tables.players if place < tables.dealt else tables.players + 1
    state.suggestion = -1
    state.refuter = -1
    state.winner = -1


@kernel(allocates=False)
def legal(state: Any, tables: Any, actions: Any) -> int:
    if state.stage == SUGGESTING:
        for triple in range(TRIPLES):
            actions[triple] = triple
        return TRIPLES
    if state.stage == ACCUSING:
        for triple in range(TRIPLES):
            actions[triple] = ACCUSE + triple
        actions[TRIPLES] = PASS
        return TRIPLES + 1
    count = 0
    for place in range(3):
        card = card_of(state.suggestion, place)
        if state.holder[card] == state.player:
            actions[count] = SHOW + card
            count += 1
    return count


@kernel(allocates=False)
def suggest(state: Any, triple: int, tables: Any) -> None:
    """The player to move suggests; the next in turn who holds one of the cards must show one."""
    mover = state.player
    state.suggester = mover
    state.suggestion = triple
    state.refuter = -1
    for step in range(1, tables.players):
        asked = (mover + step) % tables.players
        if holds_any(state, asked, triple):
            state.refuter = asked
            break
    if state.refuter >= 0:
        state.stage = SHOWING
        state.player = state.refuter
    else:
        state.stage = ACCUSING


@kernel(allocates=False)
def apply(state: Any, action: int, tables: Any, random: Any) -> None:
    mover = state.player
    if state.stage == SUGGESTING:
        state.turn += 1
        suggest(state, action, tables)
        return
    if state.stage == SHOWING:
        state.stage = ACCUSING
        state.player = state.suggester
        return
    if action != PASS:
        if action - ACCUSE == in_case_file(state, tables.players):
            state.winner = mover
            state.player = OVER
            return
        state.out[mover] = 1
    state.stage = SUGGESTING
    state.player = OVER
    if state.turn < tables.turns:
        for step in range(1, tables.players + 1):
            following = (mover + step) % tables.players
            if state.out[following] == 0:
                state.player = following
                break


@kernel(allocates=False)
def observe(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    if action < SHOW:
        return action + REFUTER * (state.refuter + 1)
    if action < ACCUSE:
        return action if viewer == mover or viewer == state.suggester else SHOWED
    if action == PASS:
        return action
    if state.winner >= 0:
        return action + OUTCOME
    if viewer == mover:
        return action + OUTCOME * (2 + in_case_file(state, tables.players))
    return action


@kernel(allocates=False)
def returns(state: Any, tables: Any, values: Any) -> None:
    for player in range(tables.players):
        values[player] = 1.0 if state.winner == player else 0.0


@kernel(allocates=False)
def mask(state: Any, viewer: int, tables: Any) -> None:
    looked = viewer >= 0 and state.out[viewer] == 1
    for card in range(21):
        own = viewer >= 0 and state.holder[card] == viewer
        face_up = state.holder[card] == tables.players + 1
        if not own and not face_up and not (looked and state.holder[card] == tables.players):
            state.holder[card] = HIDDEN


@kernel(allocates=False)
def fill(state: Any, world: Any, tables: Any, random: Any) -> None:
    # One column for each card: the players' numbers, then the case file's, then face up.
    for card in range(21):
        state.holder[card] = world[card]


@kernel(allocates=False)
def unheld(state: Any, kind: int, random: Any) -> int:
    """Any suspect (kind 0), weapon (1) or room (2) that the player to move does not hold."""
    size = 9 if kind == 2 else 6
    unseen = 0
    for card in range(size):
        if state.holder[6 * kind + card] != state.player:
            unseen += 1
    pick = below(random, unseen)
    for card in range(size):
        if state.holder[6 * kind + card] != state.player:
            if pick == 0:
                return card
            pick -= 1
    return 0


@kernel(allocates=False)
def policy(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    # They suggest cards they do not hold, and accuse when nobody could refute them.
    if state.stage == SHOWING:
        return below(random, count)
    if state.stage == ACCUSING:
        told = state.suggestion >= 0 and state.refuter < 0
        if told and not holds_any(state, state.player, state.suggestion):
            return state.suggestion
        return TRIPLES
    suspect = unheld(state, 0, random)
    weapon = unheld(state, 1, random)
    return suspect * 54 + weapon * 9 + unheld(state, 2, random)


def triple_cards(triple: int) -> Triple:
    """The suspect, weapon and room of a triple's number, from 0 to 323."""
    return SUSPECTS[triple // 54], WEAPONS[triple // 9 % 6], ROOMS[triple % 9]


def number_of(cards: Triple) -> int:
    """The number of a triple: what `triple_cards` is the reverse of."""
    suspect, weapon, room = cards
    return SUSPECTS.index(suspect) * 54 + WEAPONS.index(weapon) * 9 + ROOMS.index(room)


def action_name(action: int) -> str:
    """The name of an action code, such as ``"suggest green, rope, study"``."""
    if action == PASS:
        return "pass"
    if action >= ACCUSE:
        return f"accuse {', '.join(triple_cards(action - ACCUSE))}"
    if action >= SHOW:
        return f"show {CARDS[action - SHOW]}"
    return f"suggest {', '.join(triple_cards(action))}"


def clue_table(players: int = 3, turns: int = 60, hand: int | None = None) -> Game:
    """The game: 1 for who finds the case file, 0 for all others.

    Args:
        players: 2 to 6; called p1, p2, ....
        turns: Suggestions after which the game ends without a winner.
        hand: Cards that each player is dealt, the others lie face up; None to deal out all 18.

    Raises:
        SettingsError: Another number of players, no turn at all, or more cards than there are.

    >>> from sleuth.games.clue import clue_table
    >>> clue_table(players=4, turns=40).settings
    {'players': 4, 'turns': 40}
    """
    if type(players) is not int or not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
        message = f"this game is for {FEWEST_PLAYERS} to {MOST_PLAYERS} players"
        raise SettingsError(message, where="clue_table, players", value=players)
    if type(turns) is not int or turns < 1:
        message = "at least one suggestion is needed"
        raise SettingsError(message, where="clue_table, turns", value=turns)
    settings = {"players": players, "turns": turns}
    if hand is not None:
        settings["hand"] = hand
    return Game(
        name="clue_table",
        version=1,
        roles=roles(players),
        state=STATE,
        tables=ClueTables(players, turns, cards_dealt(players, hand, "clue_table, hand")),
        settings=settings,
        action_space=PASS + 1,
        max_actions=TRIPLES + 1,
        max_depth=3 * turns,
        lowest=0,
        highest=1,
        start=start,
        legal=legal,
        apply=apply,
        observe=observe,
        returns=returns,
        mask=mask,
        fill=fill,
        columns=21,
        policy=policy,
        action_name=action_name,
        advice=TABLE,
    )


def roles(players: int) -> tuple[str, ...]:
    """The names of the players."""
    return tuple(f"p{seat}" for seat in range(1, players + 1))


def cards_dealt(players: int, hand: int | None, where: str) -> int:
    """The number of cards that are dealt, when each player gets so many.

    Raises:
        SettingsError: There are not so many cards, or it is no number.
    """
    if hand is None:
        return DEALT
    return players * whole_number(hand, where, least=1, most=DEALT // players)
