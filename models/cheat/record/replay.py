"""A recorded game of Cheat, turn by turn, as states; and whether it keeps the rules."""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....data.errors import RecordError, SettingsError
from ...game import OVER, States
from ...kernels.kernel import kernel
from ..rules import call, can_call, lay_down, neighbour, pass_turn, settle
from ..state import CLAIM, MOST_RANKS, TAKE, is_claim, packed_with
from .schema import RANK_NAMES, place
from .turn import Course, Turn


@kernel
def too_many(state: Any, tables: Any) -> int:
    """A rank of which more cards lie somewhere than there are suits; -1 for none."""
    rules = tables.rules[0]
    found = np.zeros(MOST_RANKS, dtype=np.int64)
    for player in range(2):
        for rank in range(rules.ranks):
            found[rank] += state.hands[player, rank]
    for turn in range(state.since, state.turn):
        packed = state.cards[turn]
        while packed > 0:
            found[(packed & 15) - 1] += 1
            packed >>= 4
    if state.since == 0 or rules.aside == 1:
        found[state.first] += 1
    for rank in range(rules.ranks):
        if found[rank] > rules.suits:
            return rank
    return -1


def moments(record: Course) -> Iterator[States]:
    """The state before the first turn, and after each.

    Hands that are not known hold only the cards that everybody knows to be there, and what was
    never seen of the pile and the deck is any card: views show none of that.

    Raises:
        RecordError: A turn breaks the rules; with its place.
    """
    table = _Table(record)
    yield table.states.copy()
    for number, turn in enumerate(record.turns, start=1):
        table.turn(number, turn)
        yield table.states.copy()


class _Table:
    """The state as far as it is recorded, changed turn by turn."""

    def __init__(self, record: Course) -> None:
        try:
            self.game = record.game
        except SettingsError as error:
            raise RecordError(error.message, where=error.where, value=error.value) from None
        self.players = record.players
        self.rules: Any = self.game.tables.rules[0]
        self.states: States = self.game.states(1)
        self.state: Any = self.states[0]
        self.hands: NDArray[Any] = self.states["hands"][0]
        self.sizes: NDArray[Any] = self.states["sizes"][0]
        self.known = [dealt is not None for dealt in record.hands]
        # Whether cards may have gone that everybody knew to be in a hand.
        self.loose = False
        self._start(record)

    def turn(self, number: int, turn: Turn) -> None:
        """Carry out a turn."""
        state, mover = self.state, turn.by
        if state.player == OVER:
            raise RecordError("the game is over before this turn", where=place(number))
        if mover != state.player:
            raise RecordError(
                "it is the other player's turn",
                where=place(number, "by"),
                value=self.players[mover],
                hint=f"write {self.players[state.player]!r}",
            )
        cornered = bool(self.sizes[1 - mover] == 0)
        caught = False
        if turn.kind == "call":
            caught = self._call(number, turn)
        elif turn.kind == "take":
            self._take(number, turn)
        else:
            self._claim(number, turn)
        settle(state, mover, cornered, caught, self.game.tables)
        self._count(number)

    def _start(self, record: Course) -> None:
        state, rules = self.state, self.rules
        self._rank(record.first, "field 'first'")
        for player, dealt in enumerate(record.hands):
            self.sizes[player] = rules.hand
            if dealt is None:
                continue
            where = f"field 'hands', {record.players[player]!r}"
            for rank in dealt:
                self._rank(rank, where)
                self.hands[player, rank] += 1
            if len(dealt) != rules.hand:
                raise RecordError(
                    f"{rules.hand} cards are dealt to each player", where=where, value=len(dealt)
                )
        state.first = state.rank = state.rank_before = record.first
        state.pile = 1 - rules.aside
        state.log[:] = -1
        state.deck[:] = -1
        state.left = rules.ranks * rules.suits - 2 * rules.hand - 1
        state.deck[: state.left] = self._deck(record)
        self._count(None)

    def _deck(self, record: Course) -> list[int]:
        """The deck, the next card last: as it was drawn, then what is left."""
        left = int(self.state.left)
        rest: NDArray[Any] = np.full(int(self.rules.ranks), int(self.rules.suits))
        rest -= self.hands.sum(axis=0)[: len(rest)]
        rest[record.first] -= 1
        takes = [turn for turn in record.turns if turn.kind == "take"][:left]
        taken = [turn.cards[0] if turn.cards else -1 for turn in takes]
        for card in taken:
            if 0 <= card < len(rest):
                rest[card] -= 1
        others = np.repeat(np.arange(len(rest)), np.maximum(rest, 0)).tolist()
        order: list[int] = []
        for card in taken:
            order.append(card if card >= 0 else others.pop() if others else 0)
        return [*order, *others, *[0] * left][:left][::-1]

    def _claim(self, number: int, turn: Turn) -> None:
        state, rules, mover = self.state, self.rules, turn.by
        self._rank(turn.rank, place(number, "rank"))
        neighbours = [int(neighbour(state.rank, lower, self.game.tables)) for lower in range(2)]
        if turn.rank not in neighbours:
            raise RecordError(
                "a claim is one above or below the last one",
                where=place(number, "rank"),
                value=RANK_NAMES[turn.rank],
                hint=f"{' or '.join(RANK_NAMES[rank] for rank in neighbours)} can be claimed",
            )
        most = min(int(rules.most), int(self.sizes[mover]))
        if turn.count > most:
            raise RecordError(
                f"{self.players[mover]} can lay down at most {most} cards",
                where=place(number, "count"),
                value=turn.count,
            )
        packed = 0
        if turn.cards is None:
            self.known[mover] = False
            self.loose = True
        else:
            self._check_cards(number, turn)
            for card in turn.cards:
                # Of a hand that is not known, only cards that were shown to be in it are there.
                self.hands[mover, card] = max(0, self.hands[mover, card] - 1)
                packed = int(packed_with(packed, card))
        lower = neighbours.index(turn.rank)
        lay_down(state, CLAIM + 4 * lower + turn.count - 1, turn.rank, packed)

    def _check_cards(self, number: int, turn: Turn) -> None:
        cards, where = turn.cards or (), place(number, "cards")
        if len(cards) != turn.count:
            raise RecordError(
                f"a claim of {turn.count} lays down as many cards", where=where, value=len(cards)
            )
        for card in cards:
            self._rank(card, where)
            held = int(self.hands[turn.by, card])
            if self.known[turn.by] and cards.count(card) > held:
                raise RecordError(
                    f"{self.players[turn.by]} holds {held} cards of this rank",
                    where=where,
                    value=RANK_NAMES[card],
                    hint="check the hand, what was drawn, and the claims before",
                )
        true = cards.count(turn.rank)
        if self.rules.mixed == 0 and 0 < true < turn.count:
            raise RecordError(
                "a false claim has no card of the claimed rank",
                where=where,
                value=[RANK_NAMES[card] for card in cards],
                hint='write "settings": {"false_claim": "some"} if it may',
            )

    def _take(self, number: int, turn: Turn) -> None:
        state = self.state
        if state.left > 0:
            state.left -= 1
            state.deck[state.left] = -1
            self.sizes[turn.by] += 1
            if turn.cards is None:
                self.known[turn.by] = False
            else:
                self._rank(turn.cards[0], place(number, "card"))
                self.hands[turn.by, turn.cards[0]] += 1
        elif self.rules.passes == 0:
            raise RecordError(
                "there is no card left to take",
                where=place(number),
                hint='write "settings": {"empty_deck": "pass"} if that is a way to pass',
            )
        pass_turn(state, TAKE)

    def _call(self, number: int, turn: Turn) -> bool:
        state = self.state
        if not can_call(state):
            raise RecordError("there is no claim to call", where=place(number))
        for laid in range(int(state.since), int(state.turn)):
            if is_claim(state.log[laid]) and state.cards[laid] == 0:
                raise RecordError(
                    f"the cards of this claim were turned up in turn {number}",
                    where=place(laid + 1, "cards"),
                    hint="write them down: everybody has seen them",
                )
        caught = bool(call(state, turn.by, self.game.tables))
        if turn.caught is not None and turn.caught != caught:
            raise RecordError(
                f"the claim was {'false' if caught else 'true'}, by its cards",
                where=place(number, "caught"),
                value=turn.caught,
            )
        return caught

    def _count(self, number: int | None) -> None:
        """No rank has more cards than suits, as far as it is known where they are."""
        rank = -1 if self.loose else int(too_many(self.state, self.game.tables))
        if rank >= 0:
            raise RecordError(
                f"there are only {self.rules.suits} cards of a rank",
                where=place(number) if number else "fields 'hands' and 'first'",
                value=RANK_NAMES[rank],
                hint="by the record there are more by now",
            )

    def _rank(self, rank: int, where: str) -> None:
        if not 0 <= rank < self.rules.ranks:
            raise RecordError(
                "the deck has no such rank",
                where=where,
                value=RANK_NAMES[rank],
                hint=f"the highest is {RANK_NAMES[int(self.rules.ranks) - 1]}",
            )
