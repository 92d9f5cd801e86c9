"""Clue as a declaration: who holds which card, and what every event says about it.

One `Deal` of all cards: every player's hand, the face-up cards, and the case file with one card
of each category. Rules give hard evidence (who passed, who showed); which of several cards a
refuter shows is their choice, and its likelihood comes from a choice model.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np

from ....data.errors import RecordError
from ....models.clue.cards import CASE_FILE, FACE_UP
from ....models.clue.edition import KINDS
from ....models.clue.events import Accusation, ClueEvent, Has, Move, NotHas, OneOf, Suggestion
from ....models.clue.refuters import ChoiceModel, choice_model
from ....models.clue.seen import SeenClue
from ....models.records.events import Seen
from ...arrays.problem import Floats
from ...infer import infer
from ...language.deal_features import HolderOf
from ...language.evidence import Evidence
from ...language.features import TupleOf, together
from ...language.questions import Question
from ...language.variables import Deal
from ...modelling.model import Model
from ...posterior import Posterior

#: Least probability of showing any card one holds.
BEHAVIOUR_FLOOR = 0.01


def _subsets(cards: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Subsets in the order of the values of `Deal.which`."""
    return [
        tuple(card for place, card in enumerate(cards) if index >> place & 1)
        for index in range(1 << len(cards))
    ]


#: P(the card at a place is shown | subset held), for a choice at random.
_AT_RANDOM = tuple(
    tuple((index >> place & 1) / max(index.bit_count(), 1) for index in range(8))
    for place in range(3)
)


class ClueDeclaration:
    """The knowledge one viewer of a game of Clue can have.

    Args:
        game: What the viewer sees; only its players, sizes and own cards are read here.
        choice: How a refuter chooses among the cards they could show: ``"random"`` (the
            default), ``"ignored"`` (plain counting of deals, as the 2013 paper does),
            ``"preference"``, or a `ChoiceModel`.

    Attributes:
        edition: The cards of the game.
        cards: The deal.
        model: The declaration.
        case_file: The feature asked about most: suspect, weapon and room.

    >>> import numpy as np
    >>> from sleuth.games.clue import ClueDeclaration, simulate
    >>> game = simulate(["ann", "bob", "cid"], np.random.default_rng(1), turns=3).seen_by("ann")
    >>> belief = ClueDeclaration(game)
    >>> bits = [each.entropy(belief.case_file) for each in (belief.infer(), belief.infer(game))]
    >>> [round(each, 2) for each in bits]  # before and after three turns
    [6.91, 6.48]
    >>> [each.because for each in belief.evidence(game.events[1])]
    ['event 2: cid showed a card']
    >>> asked = belief.suggestion(("plum", "rope", "hall"))
    >>> asked.name, asked.outcomes[0], len(belief.suggestions)
    ('plum, rope, hall', ('bob', 'plum'), 324)
    """

    def __init__(self, game: SeenClue, choice: str | ChoiceModel = "random") -> None:
        self.choice = choice if isinstance(choice, ChoiceModel) else choice_model(choice)
        self.players = tuple(game.players)
        self.edition = game.edition
        self.viewer = game.viewer if game.is_player else None
        self.own_hand = tuple(game.own_hand)
        holders = {**dict(game.hand_sizes), CASE_FILE: 3}
        known: dict[str, tuple[str, ...]] = {}
        if game.face_up:
            holders[FACE_UP] = len(game.face_up)
            known[FACE_UP] = tuple(game.face_up)
        if self.viewer and self.own_hand:
            known[self.viewer] = self.own_hand
        self.cards = Deal(
            game.edition.cards,
            holders=holders,
            categories=game.edition.categories,
            counts={CASE_FILE: dict.fromkeys(KINDS, 1)},
            known=known,
            name="cards",
        )
        self.model = Model(self.cards)
        self.case_file = together(*(self.cards.single(CASE_FILE, category) for category in KINDS))

    def infer(self, game: SeenClue | None = None, **options: Any) -> Posterior:
        """The posterior after all events of ``game`` (before any, without one)."""
        given = [] if game is None else [e for seen in game.events for e in self.evidence(seen)]
        return infer(self.model, given, **options)

    def evidence(self, seen: Seen[ClueEvent]) -> list[Evidence]:
        """The evidence of one event on who holds what; empty if nothing."""
        event = seen.event
        if isinstance(event, Suggestion):
            return [*self._suggestion(event, seen.number)]
        if isinstance(event, Accusation):
            return [*self._accusation(event, seen.number)]
        if isinstance(event, (Has, NotHas)):
            said, tell = (
                ("has", self.cards.holds)
                if isinstance(event, Has)
                else ("does not have", self.cards.lacks)
            )
            note = f"event {seen.number}: {event.player} {said} {event.card}"
            return [tell(event.player, event.card, because=note, event=seen.number)]
        if isinstance(event, OneOf):
            note = f"event {seen.number}: {event.player} has one of {', '.join(event.cards)}"
            return [
                self.cards.holds_any(event.player, event.cards, because=note, event=seen.number)
            ]
        if isinstance(event, Move):  # pyright: ignore[reportUnnecessaryIsInstance]
            return []
        raise RecordError("unknown kind of event", value=event)

    def _suggestion(self, event: Suggestion, number: int) -> Iterator[Evidence]:
        cards, refuter = event.cards, event.refuter
        passed = [player for player in event.passed if not self._knows_hand(player)]
        if passed:
            note = f"event {number}: {', '.join(passed)} passed"
            yield self.cards.lacks(passed, cards, because=note, event=number)
        if refuter is None or self._knows_hand(refuter):
            return
        if event.shown is None:
            note = f"event {number}: {refuter} showed a card"
            yield self.cards.holds_any(refuter, cards, because=note, event=number)
            return
        note = f"event {number}: {refuter} showed {event.shown}"
        if refuter == self.viewer or not self.choice.weighs:
            yield self.cards.holds(refuter, event.shown, because=note, event=number)
            return
        yield self.cards.which(refuter, cards).weigh(
            self._shown(refuter, event.by, cards, event.shown),
            exact=True,
            because=note,
            event=number,
        )

    def _accusation(self, event: Accusation, number: int) -> Iterator[Evidence]:
        accused = self.cards.all_of(CASE_FILE, event.cards)
        named = ", ".join(event.cards)
        if event.correct:
            note = f"event {number}: {event.by} found {named} in the case file"
            yield accused.observed(because=note, event=number)
            return
        note = f"event {number}: {event.by} accused {named} wrongly"
        yield (~accused).observed(because=note, event=number)
        # A view keeps what the accuser saw only for those who may know it.
        if event.seen is not None:
            note = f"event {number}: {event.by} saw the case file"
            yield self.cards.all_of(CASE_FILE, event.seen).observed(because=note, event=number)

    def _knows_hand(self, player: str) -> bool:
        return player == self.viewer and bool(self.own_hand)

    def _shown(
        self, refuter: str, suggester: str, cards: tuple[str, ...], shown: str
    ) -> tuple[float, ...]:
        """P(they show this card), by the subset of the three that they hold."""
        place = cards.index(shown)
        if self.choice.name == "random":
            return _AT_RANDOM[place]
        return tuple(
            self._shows(refuter, suggester, held).get(shown, 0.0) for held in _subsets(cards)
        )

    def _shows(self, refuter: str, suggester: str, held: tuple[str, ...]) -> dict[str, float]:
        """P(card shown | which of the three they hold); holding none, they show none.

        A card that somebody's own model would never show stays possible: a wrong model of a
        person must not rule the true deal out.
        """
        if not held:
            return {}
        chances = self.choice.probabilities(refuter, suggester, held)
        raised = {card: max(chances.get(card, 0.0), BEHAVIOUR_FLOOR) for card in held}
        total = sum(raised.values())
        return {card: chance / total for card, chance in raised.items()}

    # -- questions

    @cached_property
    def suggestions(self) -> list[Question]:
        """All suggestions as questions: 324 in the classic edition.

        Outcomes are (refuter, card), or (None, None). Who refutes follows from the deal and the
        order of turns; which card they show is drawn by the choice model (at random under
        ``ignored``, which is no distribution).

        Raises:
            RecordError: The viewer is nobody who could suggest.
        """
        return [
            self.suggestion(cards) for cards in itertools.product(*self.edition.categories.values())
        ]

    def suggestion(self, cards: tuple[str, ...]) -> Question:
        """One suggestion by the viewer, as a question."""
        if self.viewer is None:
            raise RecordError(
                "a spectator makes no suggestions", hint=f"choose one of {', '.join(self.players)}"
            )
        feature, name = self._holders_of(cards), ", ".join(cards)
        outcomes = [*itertools.product(self._asked, cards), (None, None)]
        if self.choice.name in ("random", "ignored"):
            return self._positional.about(feature, outcomes, name=name)
        return Question(feature, self._answer_table(cards), outcomes, name=name)

    def _holders_of(self, cards: tuple[str, ...]) -> TupleOf:
        return together(*(self.cards.holder_of(card) for card in cards))

    @cached_property
    def _asked(self) -> tuple[str, ...]:
        """The others in the order in which they are asked."""
        place = self.players.index(self.viewer or "")
        return self.players[place + 1 :] + self.players[:place]

    @cached_property
    def _positional(self) -> Question:
        """One suggestion under a choice at random: the same table serves all of them."""
        cards = tuple(members[0] for members in self.edition.categories.values())
        outcomes = [*itertools.product(self._asked, cards), (None, None)]
        return Question(self._holders_of(cards), self._answer_table(cards), outcomes)

    def _answer_table(self, cards: tuple[str, ...]) -> Floats:
        """P(outcome | holders of the three cards), shape (values, outcomes)."""
        holders = HolderOf(self.cards.name, cards[0], tuple(self.cards.holders)).values
        count = len(holders)
        grid = np.indices((count, count, count)).reshape(3, -1)
        table = np.zeros((grid.shape[1], 3 * len(self._asked) + 1))
        open_rows = np.ones(grid.shape[1], dtype=np.bool_)
        viewer = self.viewer or ""
        for place, player in enumerate(self._asked):
            has = grid == holders.index(player)
            for held in itertools.product((False, True), repeat=3):
                if not any(held):
                    continue
                rows = open_rows & (has == np.array(held)[:, None]).all(axis=0)
                chances = self._shows(player, viewer, tuple(itertools.compress(cards, held)))
                for position, card in enumerate(cards):
                    table[rows, 3 * place + position] = chances.get(card, 0.0)
            open_rows &= ~has.any(axis=0)
        table[open_rows, -1] = 1.0
        return table
