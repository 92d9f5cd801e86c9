"""Enumeration with NumPy: a table of all deals, from which events take rows away.

Every hand of a deal is a bit mask of 32 bits. What is known of single
cards is one comparison of masks for each player, an unseen refutation one more.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from sleuth.models.clue import ClueEvent
from sleuth.models.records.events import Seen

from .states import Answer, Array, Fact, State, categories

#: Deals of the hand that leaves most of them open.
DEALS = {3: 115_500, 4: 45_405_360, 5: 3_405_402_000, 6: 36_324_288_000}
#: Most deals a table is made for: 14 bytes each, and as much again while it is made.
MOST_DEALS = 50_000_000

BITS = np.arange(21, dtype=np.uint32)


@dataclass(frozen=True)
class Table:
    """Deals as bit masks.

    Attributes:
        hands: For each other player the cards they hold as bits, shape (deals,).
        case: Place of the case file among the 324, shape (deals,).
    """

    hands: tuple[Array, ...]
    case: Array

    def rows(self, kept: Array) -> Table:
        return Table(tuple(hand[kept] for hand in self.hands), self.case[kept])

    def filtered(self, others: tuple[str, ...], facts: list[Fact]) -> Table:
        """The deals in which the facts are true."""
        lacks = dict.fromkeys(others, 0)
        holds = dict.fromkeys(others, 0)
        for fact in facts:
            if fact.kind == "lacks":
                lacks[fact.player] |= 1 << fact.cards[0]
            elif fact.kind == "holds":
                holds[fact.player] |= 1 << fact.cards[0]
        kept = None
        for player, hand in zip(others, self.hands, strict=True):
            read = lacks[player] | holds[player]
            if read:
                fits = (hand & np.uint32(read)) == np.uint32(holds[player])
                kept = fits if kept is None else kept & fits
        table = self if kept is None else self.rows(np.flatnonzero(kept))
        for fact in facts:
            if fact.kind == "any":
                hand = table.hands[others.index(fact.player)]
                bits = np.uint32(sum(1 << card for card in fact.cards))
                table = table.rows(np.flatnonzero(hand & bits))
        return table

    def answer(self) -> Answer:
        count = self.case.shape[0]
        held = np.stack(
            [((hand[:, None] >> BITS) & np.uint32(1)).sum(axis=0) / count for hand in self.hands],
            axis=1,
        )
        case = np.bincount(self.case, minlength=324) / count
        return Answer(held, case.reshape(6, 6, 9))


def all_deals(state: State) -> Table:
    """Every deal that fits the viewer's hand."""
    open_cards = state.open_cards
    parts = splits(len(open_cards) - 3, state.sizes)
    hands: list[list[Array]] = [[] for _ in parts]
    case: list[Array] = []
    for suspect, weapon, room in itertools.product(*categories(open_cards)):
        inside = {suspect, weapon, room}
        cards = [card for card in open_cards if card not in inside]
        for hand, part in zip(hands, parts, strict=True):
            hand.append(deposit(part, cards))
        place = 54 * suspect + 9 * (weapon - 6) + room - 12
        case.append(np.full(parts[0].shape[0], place, dtype=np.int16))
    return Table(tuple(np.concatenate(hand) for hand in hands), np.concatenate(case))


def splits(cards: int, sizes: tuple[int, ...]) -> list[Array]:
    """Every way to deal cards to hands, as bits of the cards' places; shape (ways,) per hand."""
    free = np.array([(1 << cards) - 1], dtype=np.uint32)
    hands: list[Array] = []
    for size in sizes:
        left = int(free[0]).bit_count()
        ways = np.array(
            [
                sum(1 << place for place in hand)
                for hand in itertools.combinations(range(left), size)
            ],
            dtype=np.uint32,
        )
        # Place k of a way is the k-th place that the hands so far have left free.
        places = np.stack([np.flatnonzero(row) for row in (free[:, None] >> BITS) & 1])
        hand = np.zeros((free.shape[0], ways.shape[0]), dtype=np.uint32)
        for place in range(left):
            bit = (np.uint32(1) << places[:, place].astype(np.uint32))[:, None]
            hand |= np.where((ways >> np.uint32(place)) & np.uint32(1), bit, np.uint32(0))
        hands = [np.repeat(earlier, ways.shape[0]) for earlier in hands]
        free = (free[:, None] & ~hand).ravel()
        hands.append(hand.ravel())
    return hands


def deposit(places: Array, cards: list[int]) -> Array:
    """Bits of places as bits of cards."""
    result = np.zeros_like(places)
    for place, card in enumerate(cards):
        result |= ((places >> np.uint32(place)) & np.uint32(1)) << np.uint32(card)
    return result


@dataclass(frozen=True)
class Ready:
    """The table of all deals, to which all that was seen is applied."""

    state: State
    table: Table

    def answer(self, posterior: Answer) -> Answer:
        return posterior

    def after(self, event: Seen[ClueEvent]) -> Answer:
        facts = self.state.facts([*self.state.past.events, event])
        return self.table.filtered(self.state.others, facts).answer()


@dataclass(frozen=True)
class Kept:
    """The table of the deals that the past has left, to which the new event is applied."""

    state: State
    table: Table

    def answer(self, posterior: Answer) -> Answer:
        return posterior

    def after(self, event: Seen[ClueEvent]) -> Answer:
        facts = self.state.facts([event])
        return self.table.filtered(self.state.others, facts).answer()


@dataclass(frozen=True)
class NumpyEnumeration:
    """Filter a table of deals."""

    keep: bool = False
    once: bool = False

    @property
    def name(self) -> str:
        return "numpy_enumeration, kept" if self.keep else "numpy_enumeration"

    @property
    def library(self) -> str:
        return f"NumPy {np.__version__}"

    @property
    def note(self) -> str:
        if self.keep:
            return "the deals that the past has left are ready; the event is applied"
        return "the table of all deals is ready; all that was seen is applied"

    def refuses(self, players: int) -> str:
        return (
            f"its table would have {DEALS[players]:,} rows" if DEALS[players] > MOST_DEALS else ""
        )

    def prepare(self, state: State) -> Ready | Kept:
        table = all_deals(state)
        if not self.keep:
            return Ready(state, table)
        return Kept(state, table.filtered(state.others, state.facts(state.past.events)))
