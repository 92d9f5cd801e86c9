"""Cockroach Poker: a card is handed on face down, with a word on what it is, true or not.

Rules: Jacques Zeimet's card game (2004), with eight kinds of eight cards. With two players it takes
five of a kind to lose: `loses=5`. So many cards as `aside` says are left out unseen.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any, Final, Self

import numpy as np

import sleuth
from sleuth import HIDDEN, OVER, Deal, Feature, Game, Posterior, kernel, kit
from sleuth.answers import Column, Paragraph, Sheet, Statements
from sleuth.kit import NO_CARD, SeenPlay, Sight, StateField, View, numbers, set_all

ROLES: Final = ("first", "second", "third", "fourth", "fifth", "sixth")
KINDS: Final = ("bat", "cockroach", "fly", "rat", "scorpion", "spider", "stink bug", "toad")
#: The player to move takes a card of their hand, says what it is and to whom, or answers.
CHOOSE, SAY, ANSWER = range(3)
# Codes offer each of the cards, then say, kinds * player asked + kind, and then answer.
Sizes = namedtuple("Sizes", "players kinds copies loses aside cards believe")  # pyright: ignore


@kernel
def start(state: Any, tables: Any, random: Any) -> None:
    cards = np.arange(int(tables.cards))
    kit.shuffle(cards, len(cards), random)
    for place in range(len(cards) - tables.aside):
        state.hands[place % tables.players, cards[place] // tables.copies] += 1
        state.left[place % tables.players] += 1
    state.card = state.shown = state.giver = state.loser = NO_CARD
    set_all(state.said, NO_CARD)


@kernel
def legal(state: Any, tables: Any, actions: Any) -> int:
    count, may_look = 0, False
    for action in range(tables.believe):
        kind, asked = action // tables.copies, (action - tables.cards) // tables.kinds
        free = asked >= 0 and asked != state.player and state.said[asked] == NO_CARD
        may_look = may_look or free
        own = asked < 0 and action % tables.copies < state.hands[state.player, kind]
        if (own and state.stage == CHOOSE) or (free and state.stage == SAY):
            actions[count] = action
            count += 1
    for answer in range(2 + may_look if state.stage == ANSWER else 0):
        actions[count] = tables.believe + answer
        count += 1
    return count


@kernel
def apply(state: Any, action: int, tables: Any, random: Any) -> None:
    mover, state.shown = state.player, NO_CARD
    if action < tables.cards:
        state.card, state.stage = action // tables.copies, SAY
        state.hands[mover, state.card] -= 1
        state.left[mover] -= 1
    elif action < tables.believe:
        state.said[mover], state.giver = (action - tables.cards) % tables.kinds, mover
        state.player, state.stage = (action - tables.cards) // tables.kinds, ANSWER
    elif action == tables.believe + 2:
        state.stage = SAY
    else:
        true = state.said[state.giver] == state.card
        taker = state.giver if true == (action == tables.believe) else mover
        state.table[taker, state.card] += 1
        lost = state.table[taker, state.card] == tables.loses or state.left[taker] == 0
        state.player, state.stage = OVER if lost else taker, CHOOSE
        state.loser = taker if lost else -1
        state.shown, state.card = state.card, NO_CARD
        set_all(state.said, NO_CARD)


@kernel
def observe(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    """The action, or one more than all for a card unseen; before it, one more than a card shown."""
    codes, looks = tables.believe + 3, viewer == mover and action == tables.believe + 2
    seen = action if viewer == mover or action >= tables.cards else codes
    return (codes + 1) * (1 + (state.card if looks else state.shown)) + seen


@kernel
def returns(state: Any, tables: Any, values: Any) -> None:
    for player in range(tables.players):
        values[player] = -1.0 if player == state.loser else 1.0 / (tables.players - 1)


@kernel
def mask(state: Any, viewer: int, tables: Any) -> None:
    """The card on offer is seen by those who have said what it is, or have to say it now."""
    says = state.stage == SAY and state.player == viewer
    if state.card != NO_CARD and not says and (viewer < 0 or state.said[viewer] == NO_CARD):
        state.card = HIDDEN
    for player in range(tables.players):
        if player != viewer:
            set_all(state.hands[player], HIDDEN)


@kernel
def fill(state: Any, world: Any, tables: Any, random: Any) -> None:
    """The holder of each card: a player, the offer, the table, or those put aside."""
    for player in range(tables.players):
        set_all(state.hands[player], 0)
    for card in range(tables.cards):
        if world[card] < tables.players:
            state.hands[world[card], card // tables.copies] += 1
        elif world[card] == tables.players:
            state.card = card // tables.copies


def action_name(action: int, sizes: Any) -> str:
    if action >= sizes.believe:
        return ("believe", "doubt", "peek")[action - int(sizes.believe)]
    if action >= sizes.cards:
        asked, kind = divmod(action - sizes.cards, sizes.kinds)
        return f"{ROLES[asked]} {KINDS[kind]}"
    kind, number = divmod(action, int(sizes.copies))
    return f"{KINDS[kind]} {1 + number}" if number else KINDS[kind]


def cockroach_poker(
    players: int = 4, kinds: int = 8, copies: int = 8, loses: int = 4, aside: int = 0
) -> Game:
    """The game of two to six players, with up to eight kinds of up to eight cards.

    Args:
        players: 2 to 6.
        kinds: Kinds of cards, 2 to 8.
        copies: Cards of each kind, 2 to 8.
        loses: With so many of a kind a player has lost.
        aside: Cards left out unseen.
    """
    whole, players = kit.whole_number, kit.whole_number(players, "players", least=2, most=6)
    kinds, copies = whole(kinds, "kinds", least=2, most=8), whole(copies, "copies", least=2, most=8)
    loses = whole(loses, "loses", least=2, most=copies)
    cards, believe = kinds * copies, kinds * (copies + players)
    aside = whole(aside, "aside", least=0, most=cards - players)
    sizes: Any = Sizes(players, kinds, copies, loses, aside, cards, believe)
    state = numbers("player", "stage", "card", "giver", "shown", "loser")
    state += numbers("said", "left", shape=(players,))
    state += numbers("hands", "table", shape=(players, kinds))
    rounds = min(cards - aside, players * kinds * (loses - 1) + 1)
    return Game(
        name="cockroach_poker", version=1, roles=ROLES[:players], state=np.dtype(state),
        tables=sizes, action_space=believe + 3, max_actions=max(cards, kinds * players),
        max_depth=rounds * (2 * players - 1), lowest=-1, highest=1, start=start, legal=legal,
        apply=apply, observe=observe, returns=returns, mask=mask, fill=fill,
        columns=cards, action_name=lambda action: action_name(action, sizes),
        settings=dict([*sizes._asdict().items()][:5]),
        fields={
            "stage": StateField("0 a card to choose, 1 a word to say, 2 an answer due", 0, ANSWER),
            "card": StateField("the kind of the card on offer; -1 for none", -1, kinds - 1),
            "giver": StateField("who offered a card at last; -1 before", -1, players - 1),
            "shown": StateField("the kind turned up just now; -1 for none", -1, kinds - 1),
            "loser": StateField("the player that has lost; -1 for nobody", -1, players - 1),
            "said": StateField("the kind each has said it is; -1 for nothing", -1, kinds - 1),
            "left": StateField("cards in each hand", 0, cards),
            "hands": StateField("cards of each kind in each hand", 0, copies),
            "table": StateField("cards of each kind face up before each player", 0, copies),
        }, sum_of_returns=0,
    )  # fmt: skip


def deal(view: View) -> Deal:
    """All cards: in hands, on offer, face up on the table, or aside."""
    state, sizes = view.states[0], view.game.tables
    kinds, table = KINDS[: int(sizes.kinds)], state.table.sum(axis=0).tolist()
    holders = dict(zip(ROLES, state.left.tolist(), strict=False))
    holders |= {"offer": int(state.card != NO_CARD), "table": sum(table), "aside": sizes.aside}
    seen = {"table": table, "offer": [int(state.card == kind) for kind in range(len(kinds))]}
    if view.viewer >= 0:
        seen[ROLES[view.viewer]] = state.hands[view.viewer].tolist()
    facts = {place: dict[str, int](zip(kinds, cards, strict=True)) for place, cards in seen.items()}
    return Deal(dict.fromkeys(kinds, int(sizes.copies)), holders=holders, known=facts)


class CockroachBelief(sleuth.CachedBelief[tuple[Deal, tuple[int, ...]]]):
    """Any card of a hand is offered, each equally likely, and half of what is said of it is a lie.

    Half is a guess, ``lies``; a lie is any other kind. The same goes for who has looked and hands
    it on. Whom players ask, and what they believe or doubt, tells nothing, though they see a hand.
    """

    lies = 0.5  # how often it is not true what somebody says
    heeds = True  # whether it tells anything

    def indifferent(self) -> Self:
        other = type(self)()
        other.heeds = False
        return other

    def known(self, view: View, seen: SeenPlay) -> tuple[Deal, tuple[int, ...]]:
        state = view.states[0]
        return deal(view), tuple(state.said.tolist()) if state.card == HIDDEN else ()

    def posterior(self, known: tuple[Deal, tuple[int, ...]]) -> Posterior:
        (cards, said), given = known, list[sleuth.Evidence]()
        for role, word in zip(ROLES, said if self.heeds else (), strict=False):
            if word != NO_CARD:
                lie, kind = self.lies / (len(cards.items) - 1), KINDS[word]
                chances = dict.fromkeys(cards.items, lie) | {kind: 1 - self.lies}
                offer = cards.item_of("offer")
                given.append(offer.weigh(chances, because=f"{role} says: {kind}"))
        return sleuth.infer(sleuth.Model(cards), given)

    def hidden(self, view: View) -> dict[str, Feature]:
        cards, found = deal(view), dict[str, Feature]()
        if view.states[0].card == HIDDEN:
            found["card on offer"] = cards.item_of("offer")
        for role in view.game.roles:
            kinds = cards.items if cards.holders[role] and role not in cards.known else ()
            found |= {f"{kind} of {role}": cards.count(role, kind) for kind in kinds}
        return found

    def main(self, view: View) -> list[str]:
        return ["card on offer"] if view.states[0].card == HIDDEN else []


class CockroachWords(kit.Display):
    """Cards before everybody; the chances of an offer, and the average number in each hand."""

    title = "Cockroach Poker"
    rules = (
        "Offer somebody a card of yours face down, and say what it is, true or not. They believe "
        "it or doubt it, and it is turned up; who of the two was wrong lays it before themselves "
        "and offers the next. Or they peek, and offer it to somebody who has not seen it. Four of "
        "a kind before you lose, and so does having to offer a card when you have none."
    )
    writing = "A move is a card, such as rat, then 'second toad'; or 'believe', 'doubt' or 'peek'."

    def situation(self, sight: Sight) -> Statements:
        state, rows, said = sight.state, list[tuple[str, ...]](), list[str]()
        for player in range(self.game.players):
            name, hand, left = self.name_of(player, sight), state.hands[player], state.left[player]
            held = f"{left}: {counted(hand)}" if hand[0] != HIDDEN else str(left)
            rows.append((name, held, counted(state.table[player])))
            said += [f"{name}: {KINDS[word]}" for word in [state.said[player]] if word != NO_CARD]
        card = KINDS[int(state.card)] if state.card >= 0 else "unseen"
        offer = f"Of the card on offer ({card}) was said: {', '.join(said) or 'nothing'}"
        sheet = Sheet((Column("player"), Column("in hand"), Column("face up")), tuple(rows))
        return [sheet, Paragraph(offer)] if state.card != NO_CARD else [sheet]

    def belief(self, sight: Sight) -> Statements:
        kinds, known = KINDS[: self.game.tables.kinds], sleuth.belief(self.game)
        posterior, rows = known.infer(sight.view, sight.seen), dict[str, list[str]]()
        for name, feature in known.hidden(sight.view).items():
            chances, row = posterior.marginal(feature), rows.setdefault(name.split(" of ")[-1], [])
            average = sum(float(n) * p for n, p in chances.items() if isinstance(n, int))
            offer = (f"{chances.get(kind, 0):.0%}" for kind in kinds)
            row += [f"{average:.1f}"] if " of " in name else offer
        return [Sheet((Column(""), *map(Column, kinds)), tuple((who, *rows[who]) for who in rows))]

    def sentence(self, sight: Sight, place: int) -> str:
        event, sizes = sight.seen.events[place].event, self.game.tables
        action, shown = kit.digits(event.observation, sizes.believe + 4, sizes.kinds + 1)
        done = "offers a card" if action > sizes.believe + 2 else action_name(action, sizes)
        told = f"; it is: {KINDS[shown - 1]}" if shown else ""
        return f"{self.name_of(event.mover, sight)}: {done}{told}"


def counted(cards: Any) -> str:
    return ", ".join(f"{kind} {n}" for kind, n in zip(KINDS, cards, strict=False) if n) or "none"


GAME = sleuth.GameEntry("cockroach_poker", cockroach_poker, CockroachBelief, display=CockroachWords)
