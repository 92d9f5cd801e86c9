"""Liar's dice for two to six players, with dice of any number of sides; one round.

Rules: the game is also called Dudo or Perudo; a round is a game. Only dice that count are shown at
the end. Two players with a wild face play OpenSpiel's ``liars_dice``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any, Final, NamedTuple, Self

import numpy as np

import sleuth
from sleuth import HIDDEN, OVER, CachedBelief, Choice, Feature, Model, Posterior, infer, kernel
from sleuth.answers import Paragraph, Statements
from sleuth.errors import SettingsError
from sleuth.kit import Display, SeenPlay, Sight, StateField, View, digits, numbers, whole_number

ROLES: Final = ("first", "second", "third", "fourth", "fifth", "sixth")
#: A hand is the numbers of its dice with each face.
Hand = tuple[int, ...]


class Cups(NamedTuple):
    """The sizes, the code that calls a liar, and all hands, one a row.

    Codes before it are bids: sides * (number of dice - 1) + face, with faces from 0. If ``wild``,
    the highest face counts as any.
    """

    players: int
    dice: int
    sides: int
    wild: int
    liar: int
    hands: Any


def hands_of(dice: int, sides: int) -> list[Hand]:
    rolls = combinations_with_replacement(range(sides), dice)
    return [tuple(roll.count(face) for face in range(sides)) for roll in rolls]


@kernel
def matching(hand: Any, face: int, sides: int, wild: int) -> int:
    """The dice of a hand that count as a face."""
    return hand[face] + (hand[sides - 1] if wild and face < sides - 1 else 0)


@kernel
def start(state: Any, tables: Any, random: Any) -> None:
    for player in range(tables.players):
        for _ in range(tables.dice):
            state.hands[player, sleuth.below(random, tables.sides)] += 1
    state.bid = state.loser = -1


@kernel
def legal(state: Any, tables: Any, actions: Any) -> int:
    count = 0
    for action in range(state.bid + 1, tables.liar + (state.bid >= 0)):
        actions[count] = action
        count += 1
    return count


@kernel
def apply(state: Any, action: int, tables: Any, random: Any) -> None:
    mover = state.player
    if action < tables.liar:
        state.bid = action
        state.player = (mover + 1) % tables.players
        return
    found, face = 0, state.bid % tables.sides
    for player in range(tables.players):
        state.shown[player] = matching(state.hands[player], face, tables.sides, tables.wild)
        found += state.shown[player]
    state.loser = mover if found > state.bid // tables.sides else (mover - 1) % tables.players
    state.player = OVER


@kernel
def observe(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    """The action; at the end, before it, the dice that each player shows."""
    told = 0
    for player in range(tables.players - 1, -1, -1):
        told = (tables.dice + 1) * told + int(state.shown[player])
    return (tables.liar + 1) * told + action


@kernel
def returns(state: Any, tables: Any, values: Any) -> None:
    for player in range(tables.players):
        values[player] = -1.0 if player == state.loser else 1.0 / (tables.players - 1)


@kernel
def mask(state: Any, viewer: int, tables: Any) -> None:
    for player in range(tables.players):
        if player != viewer:
            sleuth.kit.set_all(state.hands[player], HIDDEN)


@kernel
def fill(state: Any, world: Any, tables: Any, random: Any) -> None:
    for player in range(tables.players):
        for face in range(tables.sides):
            state.hands[player, face] = tables.hands[world[player], face]


def action_name(action: int, liar: int, sides: int) -> str:
    return "liar!" if action == liar else f"{action // sides + 1} x {action % sides + 1}"


def liars_dice_for_many(
    players: int = 4, dice: int = 5, sides: int = 6, wild: bool = False
) -> sleuth.Game:
    """A round of two to six players with one to five dice each.

    Args:
        players: 2 to 6.
        dice: Dice of each player, 1 to 5.
        sides: Sides of a die, 2 to 12.
        wild: Whether the highest face counts as any face.
    """
    players = whole_number(players, "players", least=2, most=6)
    dice = whole_number(dice, "dice", least=1, most=5)
    sides = whole_number(sides, "sides", least=2, most=12)
    if wild not in (False, True):
        raise SettingsError("wild is neither true nor false", value=wild)
    liar = sides * players * dice
    chosen = ({"sides": sides} if sides != 6 else {}) | ({"wild": True} if wild else {})
    return sleuth.Game(
        name="liars_dice_for_many", version=1, roles=ROLES[:players],
        state=np.dtype([
            *numbers("player", "bid", "loser"), *numbers("shown", shape=(players,)),
            *numbers("hands", shape=(players, sides)),
        ]),
        tables=Cups(players, dice, sides, int(wild), liar, np.array(hands_of(dice, sides))),
        action_space=liar + 1, max_actions=liar, max_depth=liar + 1, lowest=-1, highest=1,
        start=start, legal=legal, apply=apply, observe=observe, returns=returns, mask=mask,
        fill=fill, columns=players, action_name=lambda action: action_name(action, liar, sides),
        settings={"players": players, "dice": dice, **chosen},
        fields={
            "bid": StateField("the last bid, sides * (dice - 1) + face - 1; -1 before",
                              -1, liar - 1),
            "loser": StateField("the player that has lost; -1 before", -1, players - 1),
            "shown": StateField("dice that each shows at the end: those that count",
                                0, dice),
            "hands": StateField("each player's dice with each face", 0, dice),
        }, sum_of_returns=0,
    )  # fmt: skip


@cache
def cups(players: int, dice: int, sides: int) -> tuple[Choice, ...]:
    """Everybody's hand: each as likely as there are rolls that make it."""
    ways = {hand: factorial(dice) / prod(map(factorial, hand)) for hand in hands_of(dice, sides)}
    return tuple(Choice(role, ways) for role in ROLES[:players])


@cache
def hidden_from(viewer: int, players: int, dice: int, sides: int) -> Mapping[str, Feature]:
    """The others' dice of each face, counted together, and each of their hands."""
    hands = [hand for player, hand in enumerate(cups(players, dice, sides)) if player != viewer]
    found: dict[str, Feature] = {}
    for face in range(sides):
        there = [
            hand.satisfies(lambda value, face=face, least=least: value[face] >= least)
            for hand in hands
            for least in range(1, dice + 1)
        ]
        found[f"others' {face + 1}s"] = sleuth.count_of(*there)
    return found | {f"dice of {hand.name}": hand.value() for hand in hands}


class SpokenBids(NamedTuple):
    """Known to a viewer: players, dice and sides, their hand, bids of others, and dice shown."""

    sizes: tuple[int, int, int]
    wild: int
    viewer: int
    own: Hand
    bids: tuple[tuple[int, int], ...]
    face: int
    shown: Hand


class LiarsDiceForManyBelief(CachedBelief[SpokenBids]):
    """Dice are rolled one by one; a player who has a face is likelier to bid it.

    How much likelier is a guess, ``bluff``, and one player's bids say nothing of another's dice.
    """

    bluff = 0.4  # how often a player without a face bids it, against 1 with it

    def indifferent(self) -> Self:
        other = type(self)()
        other.bluff = 1.0
        return other

    def known(self, view: View, seen: SeenPlay) -> SpokenBids:
        state, sizes = view.states[0], view.game.tables
        bids = [(each.event.mover, each.event.observation) for each in seen.events]
        faces = {
            (who, bid % sizes.sides): None
            for who, bid in bids
            if bid < sizes.liar and who != view.viewer
        }
        own = tuple(state.hands[view.viewer].tolist()) if view.viewer >= 0 else ()
        shown = tuple(state.shown.tolist()) if view.over else ()
        face = int(state.bid) % sizes.sides
        return SpokenBids(sizes[:3], sizes.wild, view.viewer, own, tuple(faces), face, shown)

    def posterior(self, known: SpokenBids) -> Posterior:
        hands, sides = cups(*known.sizes), known.sizes[2]
        given: list[sleuth.Evidence] = []
        if known.own:
            given.append(hands[known.viewer].equals(known.own).observed(because="my dice"))
        for who, face in known.bids:
            has = {hand: matching(hand, face, sides, known.wild) for hand in hands[who].values}
            weights = {hand: 1.0 if number else self.bluff for hand, number in has.items()}
            said = f"{ROLES[who]} bids {face + 1}s"
            given.append(hands[who].value().weigh(weights, because=said))
        for hand, shown in zip(hands, known.shown, strict=False):
            fits = [
                value
                for value in hand.values
                if matching(value, known.face, sides, known.wild) == shown
            ]
            given.append(hand.among(fits).observed(because="the dice that were shown"))
        return infer(Model(*hands), given)

    def hidden(self, view: View) -> Mapping[str, Feature]:
        return hidden_from(view.viewer, *view.game.tables[:3])

    def main(self, view: View) -> list[str]:
        return [f"others' {face + 1}s" for face in range(view.game.tables.sides)]


class LiarsDiceForManyWords(Display):
    """Bids, and the dice that are shown at the end."""

    title = "Liar's dice for many"
    rules = (
        "All roll their dice unseen. In turn, say how many of all dice have some face: more dice "
        "than was said before, or as many of a higher face. Or call the last one a liar: then all "
        "show their dice of that face. Who was wrong loses. If it is agreed so, the highest face "
        "counts as any."
    )
    writing = "A move is a bid, such as '4 x 5' for four fives, or 'liar!'."

    def situation(self, sight: Sight) -> Statements:
        hand = sight.state.hands[max(sight.view.viewer, 0)].tolist()
        own = [str(face + 1) for face, number in enumerate(hand) for _ in range(max(number, 0))]
        bid = self.game.action_name(int(sight.state.bid)) if sight.state.bid >= 0 else "no bid"
        return [Paragraph(f"the last bid: {bid}\nyour dice: {' '.join(own) or 'none'}")]

    def sentence(self, sight: Sight, place: int) -> str:
        event, sizes = sight.seen.events[place].event, self.game.tables
        action, *shown = digits(
            event.observation, sizes.liar + 1, *[sizes.dice + 1] * sizes.players
        )
        said = f"{self.name_of(event.mover, sight)}: {self.game.action_name(action)}"
        return (
            f"{said} The dice shown: {', '.join(map(str, shown))}" if action == sizes.liar else said
        )

    def value_name(self, feature: Feature, value: Hand | int) -> str:
        if isinstance(value, int):
            return str(value)
        faces = [str(face + 1) for face, number in enumerate(value) for _ in range(number)]
        return " ".join(faces)


GAME = sleuth.GameEntry(
    "liars_dice_for_many",
    liars_dice_for_many,
    LiarsDiceForManyBelief,
    display=LiarsDiceForManyWords,
)
