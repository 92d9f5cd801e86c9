"""Love Letter: a card in hand, one drawn, one played; guess, compare and swap until one is left.

Rules: a round of Seiji Kanai's game as it was first sold in English: 16 cards, one aside, none open
with two players; equal cards at the end are a draw, and nobody plays the princess willingly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

import sleuth
from sleuth import HIDDEN, OVER, Deal, Feature, Posterior, kernel, together
from sleuth.kit import NO_CARD, FilterBelief, PlayHistory, Sight, View, next_card, numbers

CARDS: Final = ("guard", "priest", "baron", "handmaid", "prince", "king", "countess", "princess")
GUARD, PRIEST, BARON, HANDMAID, PRINCE, KING, COUNTESS, PRINCESS = range(8)
COPIES: Final[Any] = np.array([5, 2, 2, 2, 2, 1, 1, 1])
ROLES: Final = ("first", "second", "third", "fourth")
ASK: Final = 8  # Actions before it lay down a card; it and more, 8 * player + guess, ask somebody.
KINDS: Final = np.repeat(np.arange(8), COPIES)
#: Of observations, from the last: see `observe`. All but actions are one more, 0 for none.
DIGITS: Final = (40, 9, 5, 5, 9, 9, 9, 9, 9, 9, 9)


@kernel
def start(state: Any, tables: Any, random: Any) -> None:
    state.left = sleuth.kit.lay_out(COPIES, state.deck)
    sleuth.kit.shuffle(state.deck, state.left, random)
    for player in range(len(state.hands)):
        state.hands[player] = next_card(state)
    state.drawn = next_card(state)
    state.card = state.shown = state.gone = NO_CARD


@kernel
def may_ask(state: Any, card: int, player: int, guess: int) -> bool:
    free = card == PRINCE if player == state.player else not state.safe[player]
    fits = (guess > 0) == (card == GUARD) and card not in (HANDMAID, COUNTESS)
    return free and fits and not state.out[player]


@kernel
def legal(state: Any, tables: Any, actions: Any) -> int:
    kept, drawn, count = state.hands[state.player], state.drawn, 0
    forced = max(kept, drawn) == COUNTESS and min(kept, drawn) in (PRINCE, KING)
    for action in range(ASK + 8 * len(state.hands)):
        if state.card == NO_CARD:
            may = action in (kept, drawn) and (action == COUNTESS or not forced)
        else:
            may = action >= ASK and may_ask(state, state.card, action // 8 - 1, action % 8)
        if may and action != PRINCESS:
            actions[count] = action
            count += 1
    return count


@kernel
def apply(state: Any, action: int, tables: Any, random: Any) -> None:
    mover, card, target, guess = state.player, state.card, action // 8 - 1, action % 8
    state.by, state.shown, state.gone, state.card = card, NO_CARD, NO_CARD, NO_CARD
    if action < ASK:
        if state.hands[mover] == action:
            state.hands[mover] = state.drawn
        state.drawn, state.safe[mover] = NO_CARD, action == HANDMAID
        for player in range(len(state.hands)):
            if may_ask(state, action, player, action == GUARD):
                state.card = action
                return
    else:
        mine, theirs = state.hands[mover], state.hands[target]
        if (card == GUARD and theirs == guess) or (card == PRINCE and theirs == PRINCESS):
            state.gone = target
        elif card == BARON and mine != theirs:
            state.gone = mover if mine < theirs else target
        elif card == KING:
            state.hands[mover], state.hands[target] = theirs, mine
        if state.gone != NO_CARD or card == PRINCE:
            loser = state.gone if state.gone != NO_CARD else target
            state.shown = state.hands[loser]
            state.out[loser] = state.gone == loser
            state.hands[loser] = NO_CARD if state.gone == loser else next_card(state)
    state.player = sleuth.kit.next_in(state.out, mover)
    if state.player == sleuth.kit.next_in(state.out, state.player) or state.left <= 1:
        state.player = OVER
    else:
        state.drawn = next_card(state)


@kernel
def observe(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    """Hands, a card drawn, one looked at, one laid down, the next, who is out, a card's effect."""
    card, target, told = state.by, action // 8 - 1, 0
    for player in range(4):
        seen = player < len(state.hands) and (player == viewer or state.player == OVER)
        told = 9 * told + 1 + int(state.hands[player] if seen else NO_CARD)
    looks = card in (PRIEST, BARON) if viewer == mover else card == BARON and viewer == target
    looked = state.hands[target if viewer == mover else mover] if looks else NO_CARD
    told = 9 * told + 1 + int(state.drawn if viewer == state.player else NO_CARD)
    told = 9 * (9 * told + 1 + int(looked)) + 1 + int(state.shown)
    told = 5 * (5 * told + 1 + int(state.player)) + 1 + int(state.gone)
    return 40 * (9 * told + 1 + int(card)) + action


@kernel
def returns(state: Any, tables: Any, values: Any) -> None:
    for player in range(len(state.hands)):
        values[player] = state.hands[player]  # NO_CARD, which is least, for a player who is out
    sleuth.kit.win_or_draw(values)


@kernel
def mask(state: Any, viewer: int, tables: Any) -> None:
    for player in range(len(state.hands)):
        if player != viewer and state.player != OVER and not state.out[player]:
            state.hands[player] = HIDDEN
    if state.player not in (viewer, OVER) and state.drawn != NO_CARD:
        state.drawn = HIDDEN
    sleuth.kit.set_all(state.deck[: state.left], HIDDEN)


@kernel
def fill(state: Any, world: Any, tables: Any, random: Any) -> None:
    """The holder of each card: a player, the discards, the deck, or the card that was drawn."""
    place = 0
    for card in range(16):
        if world[card] < len(state.hands):
            state.hands[world[card]] = KINDS[card]
        elif world[card] == len(state.hands) + 1:
            state.deck[place] = KINDS[card]
            place += 1
        elif world[card] == len(state.hands) + 2:
            state.drawn = KINDS[card]
    sleuth.kit.shuffle(state.deck, place, random)


def action_name(action: int) -> str:
    guess = f" {CARDS[action % 8]}" if action % 8 else ""
    return CARDS[action] if action < ASK else f"{ROLES[action // 8 - 1]}{guess}"


def love_letter(players: int = 2) -> sleuth.Game:
    """One round, for two to four players.

    Args:
        players: 2 to 4.
    """
    players = sleuth.kit.whole_number(players, "players", least=2, most=4)
    return sleuth.Game(
        name="love_letter", version=1, roles=ROLES[:players], settings={"players": players},
        state=np.dtype([
            *numbers("player", "drawn"), *numbers("hands", "out", "safe", shape=(players,)),
            *numbers("deck", shape=(16,)), *numbers("left", "card", "by", "shown", "gone"),
        ]),
        action_space=40, max_actions=21, max_depth=28, lowest=-1, highest=1, start=start,
        legal=legal, apply=apply, observe=observe, returns=returns, mask=mask, fill=fill,
        columns=16, action_name=action_name,
        fields={
            "drawn": sleuth.kit.StateField("the card drawn: its value less 1; -1 for none",
                                           -1, 7),
            "hands": sleuth.kit.StateField("the card of each player; -1 for none", -1, 7),
            "out": sleuth.kit.StateField("1 for players that are out", 0, 1),
            "safe": sleuth.kit.StateField("1 for players behind a handmaid", 0, 1),
            "deck": sleuth.kit.StateField("the cards to come, the next one last; -1 for none",
                                          -1, 7),
            "left": sleuth.kit.StateField("cards in the deck", 0, 16),
            "card": sleuth.kit.StateField("one laid down to ask somebody; -1 for none", -1, 7),
            "by": sleuth.kit.StateField("the card of the last move that asked; -1 else", -1, 7),
            "shown": sleuth.kit.StateField("the card that was lost just now; -1 for none",
                                           -1, 7),
            "gone": sleuth.kit.StateField("the player put out just now; -1 for nobody", -1, 3),
        },
    )  # fmt: skip


def deal(players: int) -> Deal:
    holders = {**dict.fromkeys(ROLES[:players], 1), "heap": 0, "deck": 16 - players}
    return Deal({card: int(n) for card, n in zip(CARDS, COPIES, strict=True)}, holders=holders)


class LoveLetterBelief(FilterBelief):
    """A hand is followed from draw to play. Of two cards either is played, as far as rules allow.

    Whom a player asks, and for which card, tells nothing, though people ask for what they saw."""

    def first(self, seen: PlayHistory) -> Posterior:
        cards = deal(seen.players)
        told = zip(("drawn", *ROLES), seen.start[1 : 2 + seen.players], strict=False)
        known = [cards.reveal(place, [CARDS[card]]) for place, card in told if card >= 0]
        return sleuth.infer(sleuth.Model(cards), [cards.split("deck", "drawn", 1), *known])

    def steps(self, seen: PlayHistory, event: sleuth.kit.MoveEvent) -> Iterator[Any]:
        """A card is played, or does something, as far as the viewer saw; and the next is drawn."""
        mover, (action, *more) = event.mover, sleuth.kit.digits(event.observation, *DIGITS)
        card, gone, following, shown, looked, drawn, *hands = (digit - 1 for digit in more)
        cards, who, whom = deal(seen.players), ROLES[mover], ROLES[action // 8 - 1]
        if action < ASK:
            yield from (cards.merge([who, "drawn"], who), cards.split(who, "laid", 1))
            if mover != seen.viewer:
                pair = together(cards.item_of("laid"), cards.item_of(who))
                weights = {two: self.chance(*two) for two in pair.values}
                yield pair.weigh(weights, exact=True, because=f"{who} plays the {CARDS[action]}")
        elif card == BARON:
            pair, rank = together(cards.item_of(who), cards.item_of(whom)), CARDS.index
            won = 0 if gone < 0 else -1 if gone == mover else 1
            fits = [two for two in pair.values if np.sign(rank(two[0]) - rank(two[1])) == won]
            yield pair.among(fits).observed(because=f"{who} and {whom} compare")
        elif card == KING:
            yield from (cards.split(who, "one", 1), cards.split(whom, "two", 1))
            yield from (cards.merge([who, "two"], who), cards.merge([whom, "one"], whom))
        elif card == GUARD and gone < 0:
            yield cards.lacks(whom, CARDS[action % 8], because=f"no {CARDS[action % 8]} of {whom}")
        if shown >= 0:
            yield cards.split(ROLES[gone] if gone >= 0 else whom, "laid", 1)
        if action < ASK or shown >= 0:
            laid = CARDS[action if action < ASK else shown]
            yield from (cards.reveal("laid", [laid]), cards.merge(["laid", "heap"], "heap"))
        if card == PRINCE and gone < 0:
            yield from (cards.split("deck", "new", 1), cards.merge([whom, "new"], whom))
        if following not in (mover, OVER):
            yield cards.split("deck", "drawn", 1)
        places = (*reversed(ROLES), whom if seen.viewer == mover else who, "drawn")
        for place, item in zip(places, (*hands, looked, drawn), strict=True):
            yield from [cards.reveal(place, [CARDS[item]])] if item >= 0 else []

    def chance(self, played: str, kept: str) -> float:  # against that of a split, one half
        if "countess" in (played, kept) and {"king", "prince"} & {played, kept}:
            return 2.0 * (played == "countess")
        return 0.0 if played == "princess" else 1.0 + (kept == "princess")

    def hidden(self, view: View) -> Mapping[str, Feature]:
        roles, hands = view.game.roles, view.states[0].hands
        cards, pairs = deal(len(roles)), zip(roles, hands, strict=True)
        return {f"card of {role}": cards.item_of(role) for role, card in pairs if card == HIDDEN}


class LoveLetterWords(sleuth.kit.Display):
    """Cards in hands, and what becomes of them."""

    title = "Love Letter"
    rules = (
        "Everybody has a card. Draw another, play one of the two. Guard: name a card of somebody, "
        "who is out if it is right. Priest: see a card. Baron: compare; the lower is out. "
        "Handmaid: nobody asks you until your next turn. Prince: somebody lays down their card and "
        "draws. King: swap. Countess: must be played with a king or a prince. Princess: who lays "
        "it down is out. The last one in wins, or the highest card when none is left."
    )
    writing = "A move is a card, and then whom it asks, with what a guard names: second baron."

    def situation(self, sight: Sight) -> Any:
        state, lines = sight.state, [f"{sight.state.left} cards are left, with the one aside"]
        for player, card in enumerate(state.hands.tolist()):
            own = [card, int(state.drawn)] if player == state.player else [card]
            held = " and ".join([CARDS[each] for each in own if each >= 0]) or "a card"
            lines.append(f"{self.name_of(player, sight)}: {'out' if state.out[player] else held}")
        return [sleuth.answers.Paragraph("\n".join(lines))]

    def sentence(self, sight: Sight, place: int) -> str:
        event = sight.seen.events[place].event
        action, _, gone, _, shown, looked, *_ = sleuth.kit.digits(event.observation, *DIGITS)
        said = f"{self.name_of(event.mover, sight)}: {action_name(action)}"
        said += f"; the {CARDS[looked - 1]} is seen" if looked else ""
        said += f"; the {CARDS[shown - 1]} is laid down" if shown else ""
        return f"{said}; out: {self.name_of(gone - 1, sight)}" if gone else said


GAME = sleuth.GameEntry("love_letter", love_letter, LoveLetterBelief, display=LoveLetterWords)
