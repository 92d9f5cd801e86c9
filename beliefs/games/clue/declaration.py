"""Clue as a declaration: who holds which card, and what every event says about it.

One `Deal` of all cards: every player's hand, the cards left over, and the case file with one card
of each category. Rules give hard evidence (who passed, who showed); which of several cards a
refuter shows is their choice, and its likelihood comes from a choice model.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ....data.errors import RecordError
from ....models.clue.cards import CASE_FILE, FACE_DOWN, FACE_UP
from ....models.clue.edition import KINDS
from ....models.clue.events import (
    Accusation,
    ClueEvent,
    Has,
    Look,
    Move,
    NotHas,
    OneOf,
    Refutation,
    Suggestion,
)
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
from .answering import Answers

#: Why nobody has two cards more than another.
AROUND = "cards are dealt around the table"
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


def _places(game: SeenClue) -> tuple[dict[str, int], tuple[str, ...]]:
    """The places for cards of each player, and items for those that are empty.

    All deals that can be have as many empty places, and hands of the same sizes in another order;
    so each is as likely whichever player was dealt the first card.
    """
    every = game.possible_sizes
    if len(every) == 1:
        return dict(zip(game.players, every[0], strict=True)), ()
    most = max(every[0])
    empty = most * len(game.players) - sum(every[0])
    short = tuple(f"no card {number}" for number in range(1, empty + 1))
    return dict.fromkeys(game.players, most), short


class ClueDeclaration:
    """The knowledge one viewer of a game of Clue can have.

    Args:
        game: What the viewer sees; only its players, sizes, rules and own cards are read here,
            and who is out.
        choice: How a refuter chooses among the cards they could show: ``"random"`` (the
            default), ``"ignored"`` (plain counting of deals, as the 2013 paper does),
            ``"preference"``, or a `ChoiceModel`.

    Attributes:
        edition: The cards of the game.
        cards: The deal. Where sizes of hands are not known, every player has a place for as many
            cards as they can have at most, and what is missing are items of their own.
        dealt: The evidence of how cards were dealt, which goes before that of events.
        rules: The house rules.
        skipped: The players whom nobody asks any more, at the end of the game that was given.
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
    >>> belief.asked, len(belief.answers(("plum", "rope", "hall")).outcomes)
    (('bob', 'cid'), 7)
    >>> belief.at(game) is belief, belief.answers_as_usual
    (True, True)
    """

    def __init__(self, game: SeenClue, choice: str | ChoiceModel = "random") -> None:
        self.choice = choice if isinstance(choice, ChoiceModel) else choice_model(choice)
        self.players = tuple(game.players)
        self.edition = game.edition
        self.viewer = game.viewer if game.is_player else None
        self.own_hand = tuple(game.own_hand)
        self.rules = game.rules
        self.skipped = game.rules.skipped(game.out)
        sizes, short = _places(game)
        holders = {**sizes, CASE_FILE: 3}
        known: dict[str, tuple[str, ...]] = {}
        if left := game.left_over:
            holders[FACE_DOWN] = left
        if game.face_up:
            holders[FACE_UP] = len(game.face_up)
            known[FACE_UP] = tuple(game.face_up)
        if self.viewer and self.own_hand:
            known[self.viewer] = self.own_hand
        self.cards = Deal(
            (*game.edition.cards, *short),
            holders=holders,
            categories=game.edition.categories,
            counts={CASE_FILE: dict.fromkeys(KINDS, 1)},
            known=known,
            name="cards",
        )
        self.dealt = tuple(self._dealt_around(game, short))
        self.model = Model(self.cards)
        self.case_file = together(*(self.cards.single(CASE_FILE, category) for category in KINDS))

    def infer(self, game: SeenClue | None = None, **options: Any) -> Posterior:
        """The posterior after all events of ``game`` (before any, without one)."""
        given = [] if game is None else [e for seen in game.events for e in self.evidence(seen)]
        return infer(self.model, [*self.dealt, *given], **options)

    def table(self, posterior: Posterior) -> Mapping[str, Mapping[str, float]]:
        """The probability that each holder has each card: card -> holder -> probability.

        >>> import numpy as np
        >>> from sleuth.games.clue import ClueDeclaration, simulate
        >>> game = simulate(3, np.random.default_rng(1), turns=3).seen_by("p1")
        >>> belief = ClueDeclaration(game)
        >>> belief.table(belief.infer(game))["mustard"]["p1"]
        1.0
        """
        shares = posterior.table(self.cards)
        return {card: shares[card] for card in self.edition.cards}

    def _dealt_around(self, game: SeenClue, short: Sequence[str]) -> Iterator[Evidence]:
        """The evidence of a deal around the table: those with a card less sit side by side."""
        if not short:
            return
        following = dict(zip(self.players, (*self.players[1:], self.players[0]), strict=True))
        for first, second in itertools.pairwise(short):
            pair = together(self.cards.holder_of(first), self.cards.holder_of(second))
            weights = [float(following.get(one) == other) for one, other in pair.values]
            yield pair.weigh(weights, exact=True, because=AROUND)
        for player, size in game.hand_sizes:
            if size is not None:
                missing = self.cards.holders[player] - size
                empty = self.cards.count(player, short).equals(missing)
                yield empty.observed(because=AROUND)

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
        if isinstance(event, Look):
            return [*self._look(event, seen.number)]
        if isinstance(event, Move):  # pyright: ignore[reportUnnecessaryIsInstance]
            return []
        raise RecordError("unknown kind of event", value=event)

    def _suggestion(self, event: Suggestion, number: int) -> Iterator[Evidence]:
        cards = event.cards
        passed = [player for player in event.passed if not self._knows_hand(player)]
        if passed:
            note = f"event {number}: {', '.join(passed)} passed"
            yield self.cards.lacks(passed, cards, because=note, event=number)
        for showing in event.refutations:
            if not self._knows_hand(showing.player):
                yield self._refutation(event, showing, number)

    def _refutation(self, event: Suggestion, showing: Refutation, number: int) -> Evidence:
        cards, refuter, shown = event.cards, showing.player, showing.shown
        if shown is None:
            note = f"event {number}: {refuter} showed a card"
            return self.cards.holds_any(refuter, cards, because=note, event=number)
        note = f"event {number}: {refuter} showed {shown}"
        if refuter == self.viewer or not self.choice.weighs:
            return self.cards.holds(refuter, shown, because=note, event=number)
        return self.cards.which(refuter, cards).weigh(
            self._shown(refuter, event.by, cards, shown),
            exact=True,
            because=note,
            event=number,
        )

    def _look(self, event: Look, number: int) -> Iterator[Evidence]:
        # Of another's look the viewer knows only that they know more.
        if event.cards:
            note = f"event {number}: {event.by} saw {', '.join(event.cards)} left over"
            yield self.cards.all_of(FACE_DOWN, event.cards).observed(because=note, event=number)

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
            return _AT_RANDOM[place][: 1 << len(cards)]
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

        Outcomes are those of `Answers`. Who refutes follows from the deal and the
        order of turns; which card they show is drawn by the choice model (at random under
        ``ignored``, which is no distribution).

        Raises:
            RecordError: The viewer is nobody who could suggest.
        """
        kinds = [*self.edition.categories.values()][: self.rules.named]
        return [self.suggestion(cards) for cards in itertools.product(*kinds)]

    def suggestion(self, cards: tuple[str, ...]) -> Question:
        """One suggestion by the viewer, as a question."""
        feature, name = self._holders_of(cards), ", ".join(cards)
        answers = self.answers(cards)
        if self.choice.name in ("random", "ignored"):
            return self._positional.about(feature, answers.outcomes, name=name)
        return Question(feature, self._answer_table(answers), answers.outcomes, name=name)

    @property
    def answers_as_usual(self) -> bool:
        """True if the first of all others who holds one of three cards shows one."""
        usual = not self.rules.everybody_shows and self.rules.named == len(KINDS)
        return usual and not self.skipped

    def answers(self, cards: tuple[str, ...]) -> Answers:
        """The answers to a suggestion by the viewer.

        Raises:
            RecordError: The viewer is nobody who could suggest.
        """
        if self.viewer is None:
            raise RecordError(
                "a spectator makes no suggestions", hint=f"choose one of {', '.join(self.players)}"
            )
        viewer = self.viewer
        return Answers(
            self.rules, self.asked, cards, lambda player, held: self._shows(player, viewer, held)
        )

    def at(self, game: SeenClue) -> ClueDeclaration:
        """The same for another moment of the game: others may be out there."""
        if game.rules.skipped(game.out) == self.skipped:
            return self
        return ClueDeclaration(game, self.choice)

    def _holders_of(self, cards: tuple[str, ...]) -> TupleOf:
        return together(*(self.cards.holder_of(card) for card in cards))

    @cached_property
    def asked(self) -> tuple[str, ...]:
        """The others in the order in which they are asked."""
        return self.rules.asked(self.players, self.viewer or "", out=self.skipped)

    @cached_property
    def _positional(self) -> Question:
        """One suggestion under a choice at random: the same table serves all of them."""
        kinds = [*self.edition.categories.values()][: self.rules.named]
        cards = tuple(members[0] for members in kinds)
        answers = self.answers(cards)
        return Question(self._holders_of(cards), self._answer_table(answers), answers.outcomes)

    def _answer_table(self, answers: Answers) -> Floats:
        """P(outcome | holders of the cards named), shape (values, outcomes)."""
        cards = answers.cards
        holders = HolderOf(self.cards.name, cards[0], tuple(self.cards.holders)).values
        turn = {player: number for number, player in enumerate(answers.asked)}
        turns = np.array([turn.get(holder, len(turn)) for holder in holders])
        grid = np.indices((len(holders),) * len(cards)).reshape(len(cards), -1)
        return answers.chances[answers.patterns(turns[grid])]
