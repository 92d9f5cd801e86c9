"""Hanabi, small: everybody sees all hands but their own, and all win or lose together.

Rules: the card game by Antoine Bauza (2010) as in the Hanabi Learning Environment (Bard and others,
2020), by default its Hanabi-Small; but a hint may fit no card, as some printed rules have it. The
belief takes hints for true, and nothing else for a sign.
"""

from __future__ import annotations

from collections import namedtuple
from functools import partial
from typing import Any, Final

import numpy as np

import sleuth
from sleuth import HIDDEN, OVER, Deal, Feature, Game, Posterior, below, kernel, kit
from sleuth.answers import Column, Paragraph, Sheet, Statements
from sleuth.kit import NO_CARD, SeenPlay, Sight, View, lay_out, next_card, set_all, shuffle

COLOURS: Final = ("red", "blue", "green", "white", "yellow")
TOLD: Final = 64  # an observation is an action, and this times what was told of it

# A card is colour * ranks + rank, from 0. What hints say of one is a bit for each colour, then each
# rank, that it may have. Actions play one of the hand, discard one, or are hints; these go on with
# player * (colours + ranks) + fact, where a fact is a colour or, after them, a rank.
Sizes = namedtuple("Sizes", "players colours ranks hand hints lives copies")  # pyright: ignore


@kernel
def fits(card: int, fact: int, tables: Any) -> bool:
    alike = card // tables.ranks if fact < tables.colours else tables.colours + card % tables.ranks
    return card != NO_CARD and alike == fact


@kernel
def draw(state: Any, place: int, tables: Any) -> None:
    state.hands[place] = next_card(state) if state.left > 0 else NO_CARD
    state.facts[place] = (1 << tables.colours + tables.ranks) - 1


@kernel
def start(state: Any, tables: Any, random: Any) -> None:
    state.left = lay_out(tables.copies, state.deck)
    shuffle(state.deck, state.left, random)
    for place in range(len(state.hands)):
        draw(state, place, tables)
    state.hints, state.lives, state.turns = tables.hints, tables.lives, tables.players


@kernel
def legal(state: Any, tables: Any, actions: Any) -> int:
    count, facts = 0, tables.colours + tables.ranks
    for action in range(2 * tables.hand + tables.players * facts):
        can = state.hints > 0 and (action - 2 * tables.hand) // facts != state.player
        if action < 2 * tables.hand:
            can = action < tables.hand or state.hints < tables.hints
            can = can and state.hands[state.player * tables.hand + action % tables.hand] != NO_CARD
        actions[count] = action  # written over where it cannot be
        count += can
    return count


@kernel
def apply(state: Any, action: int, tables: Any, random: Any) -> None:
    mover, hand, facts = state.player, tables.hand, tables.colours + tables.ranks
    state.player = (mover + 1) % tables.players
    state.turns -= state.left == 0
    if action < 2 * hand:
        card = state.told = state.hands[mover * hand + action % hand]
        state.gone[card] += 1
        if action >= hand:
            state.hints += 1
        elif state.built[card // tables.ranks] == card % tables.ranks:
            state.built[card // tables.ranks] += 1
            state.points += 1
            state.hints += (card + 1) % tables.ranks == 0 and state.hints < tables.hints
        else:
            state.lives -= 1
        draw(state, mover * hand + action % hand, tables)
    else:
        state.hints, state.told = state.hints - 1, 0
        player, fact = (action - 2 * hand) // facts, (action - 2 * hand) % facts
        colour = (1 << tables.colours) - 1
        alike = colour if fact < tables.colours else (1 << facts) - 1 - colour
        for slot in range(hand):
            fitting = fits(state.hands[player * hand + slot], fact, tables)
            state.told += fitting << slot
            state.facts[player * hand + slot] &= ~alike | 1 << fact if fitting else ~(1 << fact)
    if state.lives == 0 or state.turns == 0 or state.points == tables.colours * tables.ranks:
        state.player = OVER


@kernel
def observe(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    """The card that was played, and to others what was drawn; or the cards that a hint fits."""
    told = state.told
    if action < 2 * tables.hand and viewer not in (mover, -1):
        told += len(tables.copies) * (1 + state.hands[mover * tables.hand + action % tables.hand])
    return action + TOLD * told


@kernel
def returns(state: Any, tables: Any, values: Any) -> None:
    set_all(values, state.points if state.lives > 0 else 0)


@kernel
def mask(state: Any, viewer: int, tables: Any) -> None:
    set_all(state.deck[: state.left], HIDDEN)
    for place in range(len(state.hands)):
        if viewer in (place // tables.hand, -1) and state.hands[place] != NO_CARD:
            state.hands[place] = HIDDEN


@kernel
def fill(state: Any, world: Any, tables: Any, random: Any) -> None:
    """Of each copy of a card its holder: a place in a hand, or then the deck, or what is gone."""
    left, places = 0, len(state.hands)
    for copy in range(lay_out(tables.copies, state.deck)):
        card, place = state.deck[copy], world[copy]
        state.deck[copy] = NO_CARD
        if place < places:
            state.hands[place] = card
        elif place == places:
            state.deck[left] = card
            left += 1
    shuffle(state.deck, left, random)


@kernel
def sensible(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    """Play what fits for sure, as far as hints say; else tell or discard anything."""
    for place in range(count):
        if actions[place] >= tables.hand:
            return place + below(random, count - place)
        facts, sure = state.facts[state.player * tables.hand + actions[place]], True
        for card in range(len(tables.copies)):
            colour, rank = card // tables.ranks, card % tables.ranks
            possible = facts >> colour & facts >> tables.colours + rank & 1 == 1
            sure = sure and not (possible and state.built[colour] != rank)
        if sure:
            return place
    return 0


def named(sizes: Any, facts: int = -1) -> tuple[str, ...]:  # the cards that one may be
    cards = [(colour, rank) for colour in range(sizes.colours) for rank in range(sizes.ranks)]
    fitting = [(c, r) for c, r in cards if facts >> c & facts >> sizes.colours + r & 1]
    return tuple(f"{COLOURS[colour]} {1 + rank}" for colour, rank in fitting)


class HanabiBelief(sleuth.CachedBelief[Any]):
    """A card that the viewer does not see is anywhere, as far as hints allow."""

    def known(self, view: View, seen: SeenPlay | None) -> Any:
        state, sizes, slots = view.states[0], view.game.tables, list[Any]()
        for place, card in enumerate(state.hands.tolist()):
            name = f"card {1 + place % sizes.hand} of p{1 + place // sizes.hand}"
            unseen = view.viewer in (place // sizes.hand, -1) and card != NO_CARD
            slots.append((name, HIDDEN if unseen else card, named(sizes, int(state.facts[place]))))
        cards = zip(named(sizes), sizes.copies.tolist(), state.gone.tolist(), strict=True)
        return tuple(slots), tuple(cards), int(state.left)

    def deal(self, known: Any) -> Deal:
        slots, cards, left = known
        gone = {name: gone for name, _, gone in cards if gone}
        seen: Any = {"gone": gone} | {name: [cards[at][0]] for name, at, _ in slots if at >= 0}
        sizes = {name: int(card != NO_CARD) for name, card, _ in slots}
        sizes |= {"deck": left, "gone": sum(gone.values())}
        return Deal({name: copies for name, copies, _ in cards}, holders=sizes, known=seen)

    def posterior(self, known: Any) -> Posterior:
        deal = self.deal(known)
        hints = [
            deal.item_of(name).among(fitting).observed(because=f"hints about {name}")
            for name, card, fitting in known[0]
            if card == HIDDEN
        ]
        return sleuth.infer(sleuth.Model(deal), hints)

    def hidden(self, view: View) -> dict[str, Feature]:
        slots, *_ = known = self.known(view, None)
        return {name: self.deal(known).item_of(name) for name, card, _ in slots if card == HIDDEN}


def action_name(sizes: Any, action: int) -> str:
    if action < 2 * sizes.hand:
        return f"{('play', 'discard')[action // sizes.hand]} {1 + action % sizes.hand}"
    player, fact = divmod(action - 2 * sizes.hand, sizes.colours + sizes.ranks)
    return f"tell p{1 + player} {(*COLOURS[: sizes.colours], *range(1, 1 + sizes.ranks))[fact]}"


class HanabiWords(kit.Display):
    """Hands as a table, and of a hint the cards that it fits."""

    unit = "point"
    rules = (
        "Together, build each colour up from 1. You see all cards but yours. Play one, discard one "
        "for a hint more, or spend a hint: say which cards of a player have a colour or number. A "
        "card that does not fit costs a life; without lives nothing counts. After the last card is "
        "drawn, everybody has one more turn."
    )
    writing = "A move is 'play 1', 'discard 2', 'tell p2 red' or 'tell p2 3'."

    def situation(self, sight: Sight) -> Statements:
        state, sizes = sight.state, self.game.tables
        built = ", ".join(map("{} {}".format, COLOURS[: sizes.colours], state.built.tolist()))
        words: Any = {HIDDEN: "?", NO_CARD: ""} | dict(enumerate(named(sizes)))
        hands = enumerate(state.hands.reshape(-1, sizes.hand).tolist())
        rows = tuple((self.name_of(who, sight), *map(words.get, hand)) for who, hand in hands)
        columns = (Column(), *(Column(f"card {1 + slot}") for slot in range(sizes.hand)))
        left = f"hints: {state.hints}, lives: {state.lives}, cards to draw: {state.left}"
        return [Paragraph(f"Built: {built}\nLeft: {left}"), Sheet(columns, rows)]

    def sentence(self, sight: Sight, place: int) -> str:
        event, sizes = sight.seen.events[place].event, self.game.tables
        told, action = divmod(event.observation, TOLD)
        cards = " and ".join(str(1 + slot) for slot in range(sizes.hand) if told >> slot & 1)
        if action < 2 * sizes.hand:
            cards = named(sizes)[told % len(sizes.copies)]
        said = action_name(sizes, action)
        return f"{self.name_of(event.mover, sight)}: {said}: {cards or 'none'}"


def hanabi(players: int = 2, colours: int = 2, ranks: int = 5, hand: int = 2,
           hints: int = 3, lives: int = 1) -> Game:  # fmt: skip
    """The game. Everybody wins a point for each card that was built, or none without lives.

    Args:
        players: 2 to 5.
        colours: 1 to 5.
        ranks: 2 to 5.
        hand: Cards of each player, 1 to 5.
        hints: Hints at the start, 1 to 8.
        lives: Mistakes until all is lost, 1 to 8.
    """
    given = (players, colours, ranks, hand, hints, lives)
    for name, value, most in zip(Sizes._fields, given, (5, 5, 5, 5, 8, 8), strict=False):
        kit.whole_number(value, name, least=2 if name in ("players", "ranks") else 1, most=most)
    copies = np.array([3, *[2] * (ranks - 2), 1] * colours, dtype=np.int32)
    deck, actions = int(copies.sum()), 2 * hand + players * (colours + ranks)
    sizes = Sizes(*given, copies)
    kit.whole_number(players * hand, "players * hand", least=2, most=deck)
    state = kit.numbers("player", "left", "hints", "lives", "turns", "told", "points")
    state += kit.numbers("hands", "facts", shape=(players * hand,))
    state += kit.numbers("built", "gone", shape=(len(copies),)) + kit.numbers("deck", shape=(deck,))
    return Game(
        name="hanabi", version=1, roles=tuple(f"p{1 + player}" for player in range(players)),
        teams=("team",) * players, state=np.dtype(state), tables=sizes,
        action_space=actions, max_actions=actions, lowest=0, highest=colours * ranks, columns=deck,
        max_depth=2 * (deck - players * hand + players + colours) + hints, start=start, legal=legal,
        apply=apply, observe=observe, returns=returns, mask=mask, fill=fill, policy=sensible,
        settings=dict(zip(Sizes._fields[:-1], given, strict=True)),
        action_name=partial(action_name, sizes),
        fields={
            "left": kit.StateField("cards in the deck", 0, deck),
            "hints": kit.StateField("hints that may be given", 0, hints),
            "lives": kit.StateField("mistakes until the game is lost", 0, lives),
            "turns": kit.StateField("turns left once the deck is empty", 0, players),
            "told": kit.StateField("the card played or discarded, or the places of a hint as bits",
                                   0, max(len(copies), 2**hand) - 1),
            "points": kit.StateField("cards that were built", 0, colours * ranks),
            "hands": kit.StateField("the cards, colour * ranks + rank; -1 none",
                                    -1, len(copies) - 1),
            "facts": kit.StateField("colours, then ranks that a card may have by its hints, bits",
                                    0, 2 ** (colours + ranks) - 1),
            "built": kit.StateField("cards built of each colour, these come first", 0, ranks),
            "gone": kit.StateField("copies of each card that were played or discarded", 0, 3),
            "deck": kit.StateField("the cards to come, the next one last; -1 for none", -1,
                               len(copies) - 1),
        },
    )  # fmt: skip


GAME = sleuth.GameEntry("hanabi", hanabi, HanabiBelief, display=HanabiWords)
