"""A recorded game of Cheat for many, turn by turn, as states; and whether it keeps the rules."""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from .....data.errors import RecordError, SettingsError
from ....game import OVER, States
from ..chosen import many_claim_code
from ..rules import call, is_true, lay_down, may_claim, settle
from ..state import (
    CALL,
    EVERYBODY,
    NOBODY,
    PASS,
    cards_of,
    claim_code,
    claimant_of,
    count_of,
    packed_of,
    rank_of,
)
from .schema import RANK_NAMES, place
from .turn import ManyCheatCourse, ManyCheatTurn


@dataclass(frozen=True, eq=False)
class ReplayStep:
    """One action of a recorded game.

    Attributes:
        turn: The number of the turn that it is, from 1; of who let a claim pass without a word,
            the turn that says so.
        by: Who did it.
        code: Its code; of cards that are not known, as if they were what was claimed.
        states: The state after it, in an array of one. What the record does not know is anything
            in it: show nobody more of it than a view.
        written: Whether it is a turn of the record, and does not follow from another.
    """

    turn: int
    by: int
    code: int
    states: States
    written: bool


class TableReplay:
    """The state of a game as far as it is recorded, changed turn by turn.

    Hands that are not known hold only the cards that were seen to go there.

    Args:
        record: The game.

    Attributes:
        states: The state now, in an array of one.
        complete: For each player, whether it is known which cards they hold.
    """

    def __init__(self, record: ManyCheatCourse) -> None:
        try:
            self.game = record.game
        except SettingsError as error:
            raise RecordError(error.message, where=error.where, value=error.value) from None
        self.players = record.players
        self.rules: Any = self.game.tables.rules[0]
        self.states: States = self.game.states(1)
        self.state: Any = self.states[0]
        self.complete = [dealt is not None for dealt in record.hands]
        # Claims of which the cards are not known; a card of theirs may be anywhere.
        self._unseen: set[int] = set()
        self._start(record)

    def steps(self, number: int, turn: ManyCheatTurn) -> Iterator[ReplayStep]:
        """Carry out a turn, and what must have been before it.

        Args:
            number: The turn's number, from 1.
            turn: The turn. The cards of a claim that is called must be known.

        Raises:
            RecordError: It breaks the rules; with its place.
        """
        for passing in self._passing(number, turn):
            self._pass()
            yield ReplayStep(number, passing, PASS, self.states.copy(), written=False)
        code = PASS
        if turn.kind == "claim":
            code = self._claim(number, turn)
        elif turn.kind == "call":
            code = self._call(number, turn)
        else:
            self._pass()
        self._count(place(number))
        yield ReplayStep(number, turn.by, code, self.states.copy(), written=True)

    @property
    def left_to_pass(self) -> Iterator[int]:
        """The players who could still call the last claim."""
        claimant = int(self.state.claimant)
        player = int(self.state.player)
        while claimant not in (NOBODY, player):
            yield player
            player = (player + 1) % len(self.players)

    # -- parts

    def _start(self, record: ManyCheatCourse) -> None:
        state, rules = self.state, self.rules
        dealt, more = divmod(int(rules.cards), len(self.players))
        for player, hand in enumerate(record.hands):
            size = dealt + (player < more)
            state.sizes[player] = size
            if hand is None:
                continue
            where = f"field 'hands', {self.players[player]!r}"
            for rank in hand:
                self._rank(rank, where)
                state.hands[player, rank] += 1
            if len(hand) != size:
                raise RecordError(
                    f"{self.players[player]} is dealt {size} cards",
                    where=where,
                    value=len(hand),
                    hint="all cards are dealt in turn, beginning with the first player",
                )
        state.claimant = state.rank = state.winner = NOBODY
        state.log[:] = -1
        state.callers[:] = NOBODY
        self._count("field 'hands'")

    def _passing(self, number: int, turn: ManyCheatTurn) -> list[int]:
        """The players who let the last claim pass before a turn, without a word."""
        state, where = self.state, place(number, "by")
        name = self.players[turn.by]
        asked = [*self.left_to_pass]
        if turn.kind == "claim":
            if state.player == OVER or (asked and state.sizes[state.claimant] == 0):
                raise RecordError("the game is over before this turn", where=place(number))
            leader = (state.claimant + 1) % len(self.players) if asked else state.player
            if turn.by != leader:
                raise RecordError(
                    "it is another player's turn to claim",
                    where=where,
                    value=name,
                    hint=f"write {self.players[leader]!r}",
                )
            return asked
        if turn.by not in asked:
            if state.claimant == NOBODY:
                said = "there is no claim to call" if turn.kind == "call" else "nobody is asked"
                hint = f"{self.players[state.player]} has to claim" if state.player != OVER else ""
                raise RecordError(said, where=place(number), value=name, hint=hint)
            own = turn.by == state.claimant
            raise RecordError(
                "nobody is asked about their own claim" if own else "they let it pass already",
                where=where,
                value=name,
                hint=f"{' or '.join(self.players[player] for player in asked)} can call",
            )
        return asked[: asked.index(turn.by)]

    def _pass(self) -> None:
        state = self.state
        following = (state.player + 1) % len(self.players)
        if following == state.claimant:
            settle(state, following, (following + 1) % len(self.players), self.game.tables)
        else:
            state.player = following

    def _claim(self, number: int, turn: ManyCheatTurn) -> int:
        state, mover = self.state, turn.by
        self._rank(turn.rank, place(number, "rank"))
        if not may_claim(state, turn.rank, self.game.tables):
            ranks = [
                RANK_NAMES[rank]
                for rank in range(int(self.rules.ranks))
                if may_claim(state, rank, self.game.tables)
            ]
            raise RecordError(
                "this rank cannot be claimed now",
                where=place(number, "rank"),
                value=RANK_NAMES[turn.rank],
                hint=f"it is the turn of {' or '.join(ranks)}; 'order' of the settings says which "
                "ranks follow each other",
            )
        most = min(int(self.rules.most), int(state.sizes[mover]))
        if turn.count > most:
            raise RecordError(
                f"{self.players[mover]} can lay down at most {most} cards",
                where=place(number, "count"),
                value=turn.count,
            )
        laid = (turn.rank,) * turn.count
        code = int(claim_code(turn.rank, turn.count, turn.count))
        if turn.cards is None:
            self.complete[mover] = False
            self._unseen.add(int(state.turn))
        else:
            self._check_cards(number, turn, turn.cards)
            laid, code = turn.cards, many_claim_code(turn.rank, turn.cards)
            for card in laid:
                # Of a hand that is not known, only cards that were seen to go there are in it.
                state.hands[mover, card] = max(0, state.hands[mover, card] - 1)
        lay_down(state, turn.rank, turn.count, packed_of(laid), self.game.tables)
        return code

    def _check_cards(self, number: int, turn: ManyCheatTurn, cards: tuple[int, ...]) -> None:
        where = place(number, "cards")
        if len(cards) != turn.count:
            raise RecordError(
                f"a claim of {turn.count} lays down as many cards", where=where, value=len(cards)
            )
        for card in cards:
            self._rank(card, where)
            held = int(self.state.hands[turn.by, card])
            if self.complete[turn.by] and cards.count(card) > held:
                raise RecordError(
                    f"{self.players[turn.by]} holds {held} cards of this rank",
                    where=where,
                    value=RANK_NAMES[card],
                    hint="check the hand, what was taken up, and the claims before",
                )

    def _call(self, number: int, turn: ManyCheatTurn) -> int:
        state, last = self.state, int(self.state.turn) - 1
        pile = range(int(state.since), last + 1)
        needed = pile if self.rules.whole_pile == 1 else (last,)
        lied = turn.caught is True and self.rules.whole_pile == 0 and last in self._unseen
        if not lied and not self._unseen.isdisjoint(needed):
            raise RecordError(
                "the cards that were turned up are needed",
                where=place(number, "pile" if self.rules.whole_pile == 1 else "shown"),
                hint='list them, such as "shown": ["8", "king"]; or write "caught": false if the '
                "claim was true, and true if it was a lie whose cards nobody wrote down",
            )
        caught = lied or not is_true(state.cards[last], state.log[last])
        if turn.caught is not None and turn.caught != caught:
            raise RecordError(
                f"the claim was {'false' if caught else 'true'}, by its cards",
                where=place(number, "caught"),
                value=turn.caught,
            )
        taker = int(claimant_of(state.log[last])) if caught else turn.by
        if not self._unseen.isdisjoint(pile):
            self.complete[taker] = False
        for claim in self._unseen.intersection(pile):
            # Placeholders are no cards that were seen to go there.
            for card in cards_of(int(state.cards[claim])):
                state.hands[taker, card] -= 1
        if lied:
            self._call_unseen(turn.by)
        else:
            call(state, turn.by, self.game.tables)
        return CALL

    def _call_unseen(self, caller: int) -> None:
        """Somebody calls a lie, and nobody wrote which cards it had.

        As little is kept in mind of them as of any that are taken up unseen, though that not all
        of them had the rank is more than nothing.
        """
        state, last = self.state, int(self.state.turn) - 1
        claimant, rank = int(state.claimant), int(rank_of(state.log[last]))
        count = int(count_of(state.log[last]))
        stand_in = (rank + 1) % int(self.rules.ranks)
        state.cards[last] = packed_of((stand_in,) * count)
        state.hands[claimant, rank] += count
        state.hands[claimant, stand_in] -= count
        others = [player for player in (*range(len(self.players)), EVERYBODY) if player != claimant]
        for viewer in others:
            knows = state.knows[viewer, claimant]
            knows[:] = np.maximum(knows - count, 0)
            state.forgot[viewer] = 1
        call(state, caller, self.game.tables)
        # Everybody has seen the stand-ins go to the claimant: they forget that.
        for viewer in others:
            knows = state.knows[viewer, claimant]
            knows[stand_in] = max(0, knows[stand_in] - count)
        state.shown[last], state.cards[last] = 0, 0

    def _count(self, where: str) -> None:
        """No rank has more cards than there are, as far as it is known where they lie."""
        state = self.state
        found = np.zeros(int(self.rules.ranks), dtype=np.int64)
        pile = range(int(state.since), int(state.turn))
        for player in range(len(self.players)):
            if self.complete[player]:
                found += state.hands[player, : len(found)]
                continue
            logged = [state.log[claim] for claim in pile]
            laid = sum(int(count_of(each)) for each in logged if claimant_of(each) == player)
            found += np.maximum(state.knows[EVERYBODY, player, : len(found)] - laid, 0)
        for claim in pile:
            if claim not in self._unseen:
                for card in cards_of(int(state.cards[claim])):
                    found[card] += 1
        if (found > self.rules.copies).any():
            rank = int(np.argmax(found > self.rules.copies))
            raise RecordError(
                f"there are only {self.rules.copies} cards of a rank",
                where=where,
                value=RANK_NAMES[rank],
                hint="by the record there are more by now",
            )

    def _rank(self, rank: int, where: str) -> None:
        if not 0 <= rank < self.rules.ranks:
            raise RecordError(
                "the pack has no such rank",
                where=where,
                value=RANK_NAMES[rank],
                hint=f"the highest is {RANK_NAMES[int(self.rules.ranks) - 1]}",
            )


def steps(record: ManyCheatCourse) -> Iterator[ReplayStep]:
    """Every action of a record, with the state after it.

    Raises:
        RecordError: A turn breaks the rules; with its place.
    """
    table = TableReplay(record)
    for number, turn in enumerate(record.turns, start=1):
        yield from table.steps(number, turn)


def moments(record: ManyCheatCourse) -> Iterator[States]:
    """The state before the first turn, and after each.

    Raises:
        RecordError: A turn breaks the rules; with its place.
    """
    yield TableReplay(record).states.copy()
    for step in steps(record):
        if step.written:
            yield step.states
