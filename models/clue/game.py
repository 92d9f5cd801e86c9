"""Clue without a board, of any edition: any three cards each turn.

The player to move suggests a suspect, a weapon and a room. The next player in turn who holds any
of them must show one, which the suggester alone sees; they choose which. Then the suggester may
accuse or pass. A right accusation wins; a player who accuses wrongly looks into the case file and
is out, but goes on showing cards. The game ends when somebody is right, when all are out, or after
a set number of suggestions.
"""

from __future__ import annotations

from functools import cache, partial
from typing import Any, Final, NamedTuple

import numpy as np

from ...data.checks import whole_number
from ...data.errors import SettingsError
from ..game import HIDDEN, OVER, Game
from ..kernels.kernel import kernel
from ..kernels.randomness import below
from .advice import TABLE
from .codes import CardCodes
from .edition import FEWEST_PLAYERS, MOST_PLAYERS, ClueEdition
from .editions import CLASSIC, edition_of_text, text_of
from .fields import fields

#: Places for players in the states of the classic game.
USUAL_PLACES: Final = 6

# The codes of the classic edition.
CODES: Final = CLASSIC.codes
TRIPLES: Final = CODES.triples
#: Cards that are not in the case file.
DEALT: Final = CLASSIC.dealt
SHOW: Final = CODES.show
ACCUSE: Final = CODES.accuse
PASS: Final = CODES.passing
SHOWED: Final = CODES.showed
REFUTER: Final = CODES.base
OUTCOME: Final = CODES.base

SUGGESTING: Final = 0
SHOWING: Final = 1
ACCUSING: Final = 2


@cache
def state_of(cards: int, players: int) -> np.dtype[Any]:
    """The fields of a state of a game with so many cards and players.

    ``holder[c]`` is the number of the player who has card c, the number of players for the case
    file, and one more for a card face up.
    """
    return np.dtype(
        [
            ("player", np.int32),
            ("stage", np.int32),
            ("holder", np.int32, (cards,)),
            ("suggester", np.int32),
            ("suggestion", np.int32),
            ("refuter", np.int32),
            ("out", np.int32, (max(players, USUAL_PLACES),)),
            ("turn", np.int32),
            ("winner", np.int32),
        ]
    )


STATE: Final = state_of(CODES.cards, USUAL_PLACES)


class ClueTables(NamedTuple):
    """The settings.

    Attributes:
        players: How many there are.
        turns: After so many suggestions, or turns on a board, the game ends.
        dealt: How many of the cards are dealt; the others lie face up.
        walk: The board and its settings, see `walking.Walk`; 0 without a board.
        codes: The numbers of the edition.
    """

    players: int
    turns: int
    dealt: int = DEALT
    walk: Any = 0
    codes: CardCodes = CODES


@kernel(allocates=False)
def card_of(triple: int, place: int, codes: Any) -> int:
    """The card number of the suspect (place 0), weapon (1) or room (2) of a triple."""
    return codes.named[triple, place]


@kernel(allocates=False)
def holds_any(state: Any, player: int, triple: int, codes: Any) -> bool:
    """True if a player, or the case file, has a card of a triple."""
    return (
        state.holder[card_of(triple, 0, codes)] == player
        or state.holder[card_of(triple, 1, codes)] == player
        or state.holder[card_of(triple, 2, codes)] == player
    )


@kernel(allocates=False)
def in_case_file(state: Any, tables: Any) -> int:
    """The triple in the case file, where the state shows it."""
    codes = tables.codes
    first_room = codes.suspects + codes.weapons
    suspect = 0
    weapon = 0
    room = 0
    for card in range(codes.cards):
        if state.holder[card] == tables.players:
            if card < codes.suspects:
                suspect = card
            elif card < first_room:
                weapon = card - codes.suspects
            else:
                room = card - first_room
    return (suspect * codes.weapons + weapon) * codes.rooms + room


@kernel
def start(state: Any, tables: Any, random: Any) -> None:
    codes = tables.codes
    for card in range(codes.cards):
        state.holder[card] = -1
    state.holder[below(random, codes.suspects)] = tables.players
    state.holder[codes.suspects + below(random, codes.weapons)] = tables.players
    room = below(random, codes.rooms)
    state.holder[codes.suspects + codes.weapons + room] = tables.players
    deck = np.zeros(codes.cards, dtype=np.int64)
    count = 0
    for card in range(codes.cards):
        if state.holder[card] < 0:
            deck[count] = card
            count += 1
    for place in range(count):
        other = place + below(random, count - place)
        card = deck[other]
        deck[other] = deck[place]
        state.holder[card] = place % tables.players if place < tables.dealt else tables.players + 1
    state.suggestion = -1
    state.refuter = -1
    state.winner = -1


@kernel(allocates=False)
def legal(state: Any, tables: Any, actions: Any) -> int:
    codes = tables.codes
    if state.stage == SUGGESTING:
        for triple in range(codes.triples):
            actions[triple] = triple
        return codes.triples
    if state.stage == ACCUSING:
        for triple in range(codes.triples):
            actions[triple] = codes.accuse + triple
        actions[codes.triples] = codes.passing
        return codes.triples + 1
    count = 0
    for place in range(3):
        card = card_of(state.suggestion, place, codes)
        if state.holder[card] == state.player:
            actions[count] = codes.show + card
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
        if holds_any(state, asked, triple, tables.codes):
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
    if action != tables.codes.passing:
        if action - tables.codes.accuse == in_case_file(state, tables):
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
    codes = tables.codes
    if action < codes.show:
        return action + codes.base * (state.refuter + 1)
    if action < codes.accuse:
        return action if viewer == mover or viewer == state.suggester else codes.showed
    if action == codes.passing:
        return action
    if state.winner >= 0:
        return action + codes.base
    if viewer == mover:
        return action + codes.base * (2 + in_case_file(state, tables))
    return action


@kernel(allocates=False)
def returns(state: Any, tables: Any, values: Any) -> None:
    for player in range(tables.players):
        values[player] = 1.0 if state.winner == player else 0.0


@kernel(allocates=False)
def mask(state: Any, viewer: int, tables: Any) -> None:
    looked = viewer >= 0 and state.out[viewer] == 1
    for card in range(tables.codes.cards):
        own = viewer >= 0 and state.holder[card] == viewer
        face_up = state.holder[card] == tables.players + 1
        if not own and not face_up and not (looked and state.holder[card] == tables.players):
            state.holder[card] = HIDDEN


@kernel(allocates=False)
def fill(state: Any, world: Any, tables: Any, random: Any) -> None:
    # One column for each card: the players' numbers, then the case file's, then face up.
    for card in range(tables.codes.cards):
        state.holder[card] = world[card]


@kernel(allocates=False)
def unheld(state: Any, kind: int, codes: Any, random: Any) -> int:
    """Any suspect (kind 0), weapon (1) or room (2) that the player to move does not hold."""
    first = 0
    size = codes.suspects
    if kind == 1:
        first = codes.suspects
        size = codes.weapons
    elif kind == 2:
        first = codes.suspects + codes.weapons
        size = codes.rooms
    unseen = 0
    for card in range(size):
        if state.holder[first + card] != state.player:
            unseen += 1
    pick = below(random, unseen)
    for card in range(size):
        if state.holder[first + card] != state.player:
            if pick == 0:
                return card
            pick -= 1
    return 0


@kernel(allocates=False)
def policy(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    # They suggest cards they do not hold, and accuse when nobody could refute them.
    codes = tables.codes
    if state.stage == SHOWING:
        return below(random, count)
    if state.stage == ACCUSING:
        told = state.suggestion >= 0 and state.refuter < 0
        if told and not holds_any(state, state.player, state.suggestion, codes):
            return state.suggestion
        return codes.triples
    suspect = unheld(state, 0, codes, random)
    weapon = unheld(state, 1, codes, random)
    return (suspect * codes.weapons + weapon) * codes.rooms + unheld(state, 2, codes, random)


triple_cards = CLASSIC.triple
number_of = CLASSIC.number_of


def action_name(action: int, edition: ClueEdition = CLASSIC) -> str:
    """The name of an action code, such as ``"suggest green, rope, study"``."""
    codes = edition.codes
    if action == codes.passing:
        return "pass"
    if action >= codes.accuse:
        return f"accuse {', '.join(edition.triple(action - codes.accuse))}"
    if action >= codes.show:
        return f"show {edition.cards[action - codes.show]}"
    return f"suggest {', '.join(edition.triple(action))}"


def edition_of(game: Game) -> ClueEdition:
    """The edition that a game is played with."""
    return edition_of_text(game.settings.get("edition", CLASSIC.name))


def clue_table(
    players: int = 3,
    turns: int = 60,
    hand: int | None = None,
    edition: str | ClueEdition = CLASSIC.name,
) -> Game:
    """The game: 1 for who finds the case file, 0 for all others.

    Args:
        players: 2 to 10; called p1, p2, ....
        turns: Suggestions after which the game ends without a winner.
        hand: Cards that each player is dealt, the others lie face up; None to deal out all.
        edition: The cards: an edition by name, or in a JSON file.

    Raises:
        SettingsError: Another number of players, no turn at all, more cards than there are, or no
            such edition.

    >>> from sleuth.games.clue import clue_table
    >>> clue_table(players=4, turns=40).settings
    {'players': 4, 'turns': 40}
    >>> clue_table(edition="master_detective").max_actions
    961
    """
    if type(players) is not int or not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
        message = f"this game is for {FEWEST_PLAYERS} to {MOST_PLAYERS} players"
        raise SettingsError(message, where="clue_table, players", value=players)
    if type(turns) is not int or turns < 1:
        message = "at least one suggestion is needed"
        raise SettingsError(message, where="clue_table, turns", value=turns)
    box = edition_of_text(edition) if isinstance(edition, str) else edition
    settings: dict[str, Any] = {"players": players, "turns": turns}
    if hand is not None:
        settings["hand"] = hand
    if box != CLASSIC:
        settings["edition"] = text_of(box)
    codes = box.codes
    dealt = cards_dealt(players, hand, "clue_table, hand", box.dealt)
    classic = box == CLASSIC
    return Game(
        name="clue_table",
        version=1,
        roles=roles(players),
        state=state_of(codes.cards, players),
        tables=ClueTables(players, turns, dealt, codes=codes),
        settings=settings,
        action_space=codes.passing + 1,
        max_actions=codes.triples + 1,
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
        columns=codes.cards,
        policy=policy,
        action_name=action_name if classic else partial(action_name, edition=box),
        advice=TABLE,
        fields=fields(players, codes, turns),
    )


def roles(players: int) -> tuple[str, ...]:
    """The names of the players."""
    return tuple(f"p{seat}" for seat in range(1, players + 1))


def cards_dealt(players: int, hand: int | None, where: str, most: int = DEALT) -> int:
    """The number of cards that are dealt, when each player gets so many.

    Args:
        players: How many there are.
        hand: Cards of each; None to deal out all.
        where: The setting to name in an error.
        most: Cards that are not in the case file.

    Raises:
        SettingsError: There are not so many cards, or it is no number.
    """
    if hand is None:
        return most
    return players * whole_number(hand, where, least=1, most=most // players)
