"""Goofspiel with hidden bids: everybody bids a card for a prize, and only who won it is told.

Rules: Ross (1971), "Goofspiel: the game of pure strategy". As in OpenSpiel's ``goofspiel`` with
``imp_info``, bids are never shown, and nobody gets a prize for which the highest bids are equal;
``order`` and ``payoff`` are its ``points_order`` and ``returns_type``.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np

import sleuth
from sleuth import HIDDEN, OVER, CachedBelief, Deal, Feature, Model, Posterior, infer, kernel
from sleuth.answers import Paragraph, Statements
from sleuth.errors import SettingsError
from sleuth.kit import NO_CARD, Display, SeenPlay, Sight, View, next_card, numbers, shuffle

ROLES: Final = ("first", "second", "third")
# Cards and prizes are numbered from 0, and are worth one more. What is not there yet is NO_CARD.
ORDERS: Final = ("random", "descending", "ascending")
PAYOFFS: Final = ("point_difference", "win_loss")
# The sizes are the numbers of players and of cards of each; then places in the two tuples above.
Sizes = namedtuple("Sizes", "players cards order payoff")  # pyright: ignore


@kernel
def start(state: Any, tables: Any, random: Any) -> None:
    for card in range(tables.cards):
        state.deck[card] = tables.cards - 1 - card if tables.order == 2 else card
        state.went[card] = NO_CARD
        for player in range(tables.players):
            state.hands[player, card] = 1
    if tables.order == 0:
        shuffle(state.deck, tables.cards, random)
    state.left = tables.cards
    state.prize = next_card(state)
    sleuth.kit.set_all(state.bids, NO_CARD)


@kernel
def legal(state: Any, tables: Any, actions: Any) -> int:
    count = 0
    for card in range(tables.cards):
        if state.hands[state.player, card]:
            actions[count] = card
            count += 1
    return count


@kernel
def apply(state: Any, action: int, tables: Any, random: Any) -> None:
    state.hands[state.player, action] = 0
    state.bids[state.player] = action
    state.player += 1
    if state.player < tables.players:
        return
    best, winner = NO_CARD, tables.players  # nobody
    for player in range(tables.players):
        if state.bids[player] == best:
            winner = tables.players
        elif state.bids[player] > best:
            best, winner = state.bids[player], player
    state.went[state.prize] = state.winner = winner
    sleuth.kit.set_all(state.bids, NO_CARD)
    if state.left == 0:
        state.player = OVER
        state.prize = NO_CARD
    else:
        state.player = 0
        state.prize = next_card(state)


@kernel
def observe(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    """The bid, or one more for a bid unseen; in the end who won, and the next prize."""
    seen = action if mover == viewer else tables.cards
    if mover < tables.players - 1:
        return seen
    return seen + (tables.cards + 1) * (1 + state.winner + 4 * (1 + state.prize))


@kernel
def returns(state: Any, tables: Any, values: Any) -> None:
    """The points of each, less the average; or 1 that the best share, and -1 that the others do."""
    for player in range(tables.players):
        values[player] = 0.0
    for prize in range(tables.cards):
        winner = state.went[prize]
        if 0 <= winner < tables.players:
            for player in range(tables.players):
                share = 0.0 if tables.payoff else 1 / tables.players
                values[player] += (prize + 1) * ((player == winner) - share)
    if tables.payoff:
        best, winners = 0.0, 0
        for player in range(tables.players):
            best = max(best, values[player])
        for player in range(tables.players):
            winners += values[player] == best
        for player in range(tables.players):
            won = 1 / winners if values[player] == best else -1 / (tables.players - winners)
            values[player] = won if winners < tables.players else 0.0


@kernel
def mask(state: Any, viewer: int, tables: Any) -> None:
    for player in range(tables.players):
        if player != viewer:
            for card in range(tables.cards):
                state.hands[player, card] = HIDDEN
            if state.bids[player] != NO_CARD:
                state.bids[player] = HIDDEN
    if tables.order == 0:
        for place in range(state.left):
            state.deck[place] = HIDDEN


@kernel
def fill(state: Any, world: Any, tables: Any, random: Any) -> None:
    """Each player's cards in turn: 0 in the hand, else the turn in which it was bid, from 1."""
    for player in range(tables.players):
        for card in range(tables.cards):
            turn = world[player * tables.cards + card]
            state.hands[player, card] = turn == 0
            if state.bids[player] == HIDDEN and turn == tables.cards - state.left:
                state.bids[player] = card
    if tables.order > 0:
        return
    count = 0
    for prize in range(tables.cards):
        if state.went[prize] == NO_CARD and prize != state.prize:
            state.deck[count] = prize
            count += 1
    shuffle(state.deck, count, random)


def goofspiel(
    players: int = 2, cards: int = 5, order: str = "random", payoff: str = "point_difference"
) -> sleuth.Game:
    """The game of two players with two to 13 cards each, or of three with two to five.

    Args:
        players: 2 or 3.
        cards: How many cards each player has.
        order: In which order the prizes are turned up: ``"random"``, ``"descending"`` or
            ``"ascending"``; all know it.
        payoff: What a player wins: ``"point_difference"``, their points less the average; or
            ``"win_loss"``, 1 that those with most points share, and -1 that all others share.
    """
    players = sleuth.kit.whole_number(players, "players", least=2, most=3)
    cards = sleuth.kit.whole_number(cards, "cards", least=2, most=13 if players == 2 else 5)
    for value, known in ((order, ORDERS), (payoff, PAYOFFS)):
        if value not in known:
            raise SettingsError("no such choice", value=value, hint=f"one of {', '.join(known)}")
    sizes = Sizes(players, cards, ORDERS.index(order), PAYOFFS.index(payoff))
    points = cards * (cards + 1) / 2
    lowest = -1 if payoff == PAYOFFS[1] else -points / players
    highest = 1 if payoff == PAYOFFS[1] else points * (players - 1) / players
    chosen = {"order": order} if order != ORDERS[0] else {}
    chosen |= {"payoff": payoff} if payoff != PAYOFFS[0] else {}
    return sleuth.Game(
        name="goofspiel", version=1, roles=ROLES[:players], tables=sizes,
        state=np.dtype([
            *numbers("player", "prize", "left", "winner"), *numbers("deck", "went", shape=(cards,)),
            *numbers("bids", shape=(players,)), *numbers("hands", shape=(players, cards)),
        ]),
        action_space=cards, max_actions=cards, max_depth=players * cards,
        lowest=lowest, highest=highest, start=start, legal=legal, apply=apply,
        observe=observe, returns=returns, mask=mask, fill=fill, columns=players * cards,
        action_name=lambda card: str(card + 1),
        settings={"players": players, "cards": cards, **chosen},
        fields={
            "prize": sleuth.kit.StateField("the card bid for; -1 for none", -1, cards - 1),
            "left": sleuth.kit.StateField("prizes still in the deck", 0, cards),
            "winner": sleuth.kit.StateField("who got the last prize; beyond the players, nobody",
                                            0, players),
            "deck": sleuth.kit.StateField("the prizes to come, the next one last; -1 for none",
                                          -1, cards - 1),
            "went": sleuth.kit.StateField("who got each prize, as in winner; -1 before",
                                          -1, players),
            "bids": sleuth.kit.StateField("the card that each bids now; -1 before",
                                          -1, cards - 1),
            "hands": sleuth.kit.StateField("1 for cards that each player still has", 0, 1),
        }, sum_of_returns=0,
    )  # fmt: skip


class Bids(NamedTuple):
    """Known to a viewer: the sizes, their own bids by turns, the number of bids now, who won."""

    sizes: Any
    viewer: int
    own: tuple[int, ...]
    bidding: int
    winners: tuple[int, ...]


def deals(known: Bids) -> list[Deal]:
    """Every player's cards: in the hand, or bid in some turn."""
    (players, cards, *_), done = known.sizes, len(known.winners)
    names = [str(card + 1) for card in range(cards)]
    found: list[Deal] = []
    for player in range(players):
        bid = [f"turn {turn + 1}" for turn in range(done + (player < known.bidding))]
        own = {turn: [names[card]] for turn, card in zip(bid, known.own, strict=False)}
        own = own if player == known.viewer else {}
        holders = {"hand": cards - len(bid), **dict.fromkeys(bid, 1)}
        found.append(Deal(names, holders=holders, known=own, name=ROLES[player]))
    return found


def won(cards: list[Deal], turn: int, winner: int) -> sleuth.Evidence:
    """In a turn the highest bid was this player's alone; or nobody's, if it is no player."""

    def fits(bids: tuple[str, ...]) -> bool:
        *_, second, best = sorted(map(int, bids))
        return second == best if winner == len(bids) else second < best == int(bids[winner])

    bids = sleuth.together(*(each.item_of(f"turn {turn}") for each in cards))
    return bids.satisfies(fits).observed(because=f"who won turn {turn}")


class GoofspielBelief(CachedBelief[Bids]):
    """Every order of the others' cards is equally likely, as far as it fits who won what.

    Who looks on at more than seven cards gets samples by `metropolis` after the third turn: two
    orders that nobody shows are too many to be counted.
    """

    def known(self, view: View, seen: SeenPlay) -> Bids:
        sizes = view.game.tables
        told = [each.event.observation // (sizes.cards + 1) for each in seen.events]
        own = [each.event.action for each in seen.events if each.event.action is not None]
        winners = tuple((number - 1) % 4 for number in told if number)
        return Bids(sizes, view.viewer, tuple(own), len(told) % sizes.players, winners)

    def posterior(self, known: Bids) -> Posterior:
        cards = deals(known)
        told = [won(cards, turn, winner) for turn, winner in enumerate(known.winners, 1)]
        many = known.viewer < 0 and known.sizes.cards > 7 and len(told) > 3
        return infer(Model(*cards), told, method="metropolis" if many else "auto")

    def hidden(self, view: View) -> Mapping[str, Feature]:
        sizes, turns = view.game.tables, view.game.tables.cards - int(view.states[0].left)
        bidding = int(np.sum(view.states[0].bids != NO_CARD))
        cards = deals(Bids(sizes, view.viewer, (), bidding, (0,) * (turns - (not view.over))))
        found: dict[str, Feature] = {}
        for player, own in enumerate(cards):
            if player != view.viewer:
                hand, *bids = own.holders
                found |= {} if view.over else {f"{hand} of {own.name}": own.which(hand, own.items)}
                found |= {f"{own.name} in {turn}": own.item_of(turn) for turn in bids}
        return found

    def main(self, view: View) -> list[str]:
        return [name for name in self.hidden(view) if name.startswith("hand")]


class GoofspielWords(Display):
    """Prizes, who won them, and cards."""

    unit = "point"
    rules = (
        "Everybody has the cards 1 to 5 (or as many as are played with). Prizes of the same worth "
        "are turned up one by one, in any order or as agreed. All bid a card in secret; the "
        "highest bid wins the prize, and if two are equal, nobody does. Bids are never shown. A "
        "player wins or loses what their points are above or below the average; or it counts "
        "alone who has most."
    )
    writing = "A move is the card that you bid, such as 4."

    def situation(self, sight: Sight) -> Statements:
        state, (players, cards, *_) = sight.state, self.game.tables
        lines = [] if sight.view.over else [f"The prize is {state.prize + 1}."]
        for player in range(players):
            got = [str(prize + 1) for prize in range(cards) if state.went[prize] == player]
            hand = [str(card + 1) for card in range(cards) if state.hands[player, card] == 1]
            held = f"; in hand: {' '.join(hand)}" if hand else ""
            lines.append(f"{self.name_of(player, sight)}: won {' '.join(got) or 'nothing'}{held}")
        return [Paragraph("\n".join(lines))]

    def sentence(self, sight: Sight, place: int) -> str:
        event, (players, cards, *_) = sight.seen.events[place].event, self.game.tables
        told, card = divmod(event.observation, cards + 1)
        said = f"{self.name_of(event.mover, sight)}: {'a card' if card == cards else card + 1}"
        if told:
            prize, winner = divmod(told - 1, 4)
            who = "nobody" if winner == players else self.name_of(winner, sight)
            said += f"; the prize goes to {who}"
            said += f", the next one is {prize}" if prize else ""
        return said

    def value_name(self, feature: Feature, value: Any) -> str:
        return value if isinstance(value, str) else " ".join(value)


GAME = sleuth.GameEntry("goofspiel", goofspiel, GoofspielBelief, display=GoofspielWords)
