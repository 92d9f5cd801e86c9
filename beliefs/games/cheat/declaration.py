"""Cheat as a declaration: who holds which cards, and what every turn says about that.

One `Deal` of the ranks, for one pile: from the last time it was turned up until now. Then everybody
knew where they stood: the player who took a pile holds its cards, and keeps them until they show
that they laid one down. Since then every claim is a holder of its own, split from the claimant's
hand, and every card drawn was split from the deck. The cards that the viewer can place for good are
one holder.

What a claimant chooses is weighed by nothing but a prediction: without one, a claim is any cards of
their hand that the rules allow. And so nothing is concluded from a card that was turned up but that
it was there: where they were known to hold that rank, it is taken to be the card that was known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final

from ....data.errors import EvidenceError, RecordError
from ....models.cheat import RANK_NAMES, SeenCheat, SeenTurn, seen_game
from ....models.play import View
from ...infer import infer
from ...language.deal_features import AllOf, Count, OpenCount
from ...language.features import Condition
from ...language.variables import Deal
from ...modelling.history import Observation
from ...modelling.model import Model
from ...posterior import Posterior

#: Holders: hidden hands, the cards to be drawn, and those that the viewer can place for good: their
#: hand, their claims on the pile, and the card turned up at the start.
HANDS: Final = ("first", "second")
DECK: Final = "deck"
SEEN: Final = "seen"

#: Deals that are kept to go on from.
KEPT: Final = 4096

#: P(a claim is true) by a predictor that knows how many cards there are: by the place of its
#: turn, or for all alike. A pair is set against the baseline that comes with it, as it was when
#: the predictor spoke, and a number against what counting says at that turn by what is known now.
Chance = float | tuple[float, float]
Chances = Mapping[int, Chance] | float | None


@dataclass(frozen=True)
class ClaimHolder:
    """Cards that lie face down, as a holder.

    Attributes:
        name: Of the holder.
        place: Of the turn, from 0.
        turn: The claim.
        bottom: How many cards lie below it that were laid face down.
    """

    name: str
    place: int
    turn: SeenTurn
    bottom: int


class CheatDeclaration:
    """The knowledge one viewer of a game of Cheat can have at one moment.

    Args:
        game: What the viewer sees.
        dealt: How many cards each player was dealt, where taking from an empty deck is a way to
            pass; without it every taker got a card.

    Attributes:
        cards: The deal; the same one where an equal one was made before, so that posteriors can be
            gone on from.
        pile: All claims whose cards lie face down.
        claims: Those whose cards they do not know.

    >>> from sleuth import Play
    >>> from sleuth.games.cheat import RANK_NAMES, CheatDeclaration
    >>> play = Play.new("cheat", seed=21)
    >>> play.apply(2)  # I lay down one card of the rank above, as I say
    >>> play.apply(3)  # they claim two of the next one
    >>> belief = CheatDeclaration.of(play.view(0))
    >>> (claim,) = belief.claims
    >>> (claim.turn.count, RANK_NAMES[claim.turn.rank]), belief.model
    ((2, 'queen'), <Model of cards>)
    >>> counted = belief.infer()
    >>> round(counted.probability(belief.is_true(claim)), 3)
    0.008
    >>> said = belief.infer({claim.place: 0.6})  # by a predictor
    >>> {place: round(p, 3) for place, p in belief.truths(said).items()}
    {0: 1.0, 1: 0.6}
    >>> round(belief.holds_at_least(counted, player=1, rank=claim.turn.rank, number=1), 2)
    0.48
    >>> jacks = counted.marginal(belief.count(1, 10))
    >>> jacks == belief.holding(counted, 1, 10) == belief.hand(counted, 1)["jack"]
    True
    """

    def __init__(
        self,
        game: SeenCheat,
        *,
        dealt: int | None = None,
    ) -> None:
        self.game = game
        self.dealt = dealt
        # Their own hand says nothing about cards that they laid down and that the record lacks.
        self.viewer = game.viewer if game.viewer >= 0 and game.hand is not None else None
        self.pile = tuple(_pile(game))
        self.claims = tuple(claim for claim in self.pile if claim.turn.cards is None)
        for claim in self.claims:
            if claim.turn.by == self.viewer:
                raise RecordError(
                    "players know the cards that they laid down",
                    where=f"turn {claim.place + 1}",
                    hint="write down the claim's cards, or leave out the player's hand",
                )
        self.cards = _same_deal(self._declared())

    @staticmethod
    def of(view: View) -> CheatDeclaration:
        """The declaration of what the viewer knows."""
        return CheatDeclaration(seen_game(view), dealt=dealt_in(view))

    @property
    def model(self) -> Model:
        """The declaration as a model."""
        return _model(self.cards)

    def infer(
        self, chances: Chances = None, *, method: str = "type_counting", **options: Any
    ) -> Posterior:
        """The posterior of the cards that the viewer cannot place.

        Args:
            chances: A predictor's probability that a claim is true, see `Chances`. It is set
                against counting, so that nothing is counted twice, and is ignored where counting
                alone says that the claim is true or that it is not.
            method, options: Those of `infer`.
        """
        return infer(self.model, [*self.evidence(chances)], method=method, **options)

    def evidence(self, chances: Chances = None) -> Iterator[Observation]:
        """The events since the pile was turned up, turn by turn.

        >>> from sleuth import Play
        >>> from sleuth.games.cheat import CheatDeclaration
        >>> play = Play.new("cheat", seed=21)
        >>> play.apply(2)
        >>> play.apply(3)
        >>> split, claimed = CheatDeclaration.of(play.view(0)).evidence()
        >>> split.count, claimed.because
        (2, 'turn 2: second claims 2 of queen')
        """
        for place in range(self.game.since, len(self.game.turns)):
            yield from self.happened(place, chances)

    def happened(self, place: int, chances: Chances = None) -> Iterator[Observation]:
        """The observations of one turn; nothing for a turn of the viewer.

        >>> from sleuth import Play
        >>> from sleuth.games.cheat import CheatDeclaration
        >>> play = Play.new("cheat", seed=21)
        >>> play.apply(2)
        >>> play.apply(3)
        >>> belief = CheatDeclaration.of(play.view(0))
        >>> [len([*belief.happened(place)]) for place in (0, 1)]
        [0, 2]
        """
        turn = self.game.turns[place]
        if turn.by == self.viewer:
            return
        if turn.kind == "claim" and turn.cards is None:
            yield from self.claim(next(c for c in self.claims if c.place == place), chances)
        elif turn.kind == "claim":
            yield from self.shown(place, turn)
        elif turn.kind == "take" and self._drew(place):
            yield from self.take(place, turn)

    def claim(self, claim: ClaimHolder, chances: Chances = None) -> Iterator[Observation]:
        """Cards leave the hand: all of the rank, or by the rules none of it.

        >>> from sleuth import Play
        >>> from sleuth.games.cheat import CheatDeclaration
        >>> play = Play.new("cheat", seed=21)
        >>> play.apply(2)
        >>> play.apply(3)
        >>> belief = CheatDeclaration.of(play.view(0))
        >>> split, whole = belief.claim(belief.claims[0])
        >>> split.holder, whole.because
        ('turn 2 above 1', 'turn 2: second claims 2 of queen')
        """
        turn, rank = claim.turn, RANK_NAMES[claim.turn.rank]
        yield self.cards.split(HANDS[turn.by], claim.name, turn.count)
        said = f"turn {claim.place + 1}: {HANDS[turn.by]} claims {turn.count} of {rank}"
        if not self.game.mixed and turn.count > 1:
            copies = self.cards.items[rank]
            wanted = [0, turn.count] if turn.count <= copies else [0]
            all_or_none = self.cards.count(claim.name, rank).among(wanted)
            yield all_or_none.observed(because=said, event=claim.place + 1)
        chance = chances.get(claim.place) if isinstance(chances, Mapping) else chances
        if chance is None or turn.count > self.cards.items[rank]:
            return
        p, given = chance if isinstance(chance, tuple) else (chance, "counting")
        because = f"{said}, predicted"
        yield self.is_true(claim).predicted(p, given=given, because=because)

    def shown(self, place: int, turn: SeenTurn) -> Iterator[Observation]:
        """A claim whose cards the viewer has seen, though they do not know the hand.

        >>> from dataclasses import replace
        >>> from sleuth import Play
        >>> from sleuth.games.cheat import CheatDeclaration
        >>> play = Play.new("cheat", seed=21)
        >>> play.apply(2)
        >>> belief = CheatDeclaration.of(play.view(1))
        >>> split, reveal = belief.shown(0, replace(belief.game.turns[0], cards=(10,)))
        >>> split.holder, reveal.contents
        ('turn 1', {'jack': 1})
        """
        name = f"turn {place + 1}"
        tally = _tally(turn.cards or ())
        because = f"turn {place + 1}: these cards were laid down"
        yield self.cards.split(HANDS[turn.by], name, turn.count)
        yield self.cards.reveal(name, tally, because=because, event=place + 1)

    def take(self, place: int, turn: SeenTurn) -> Iterator[Observation]:
        """A card that nobody else sees goes from the deck to a hand.

        >>> from sleuth import Play
        >>> from sleuth.games.cheat import CheatDeclaration
        >>> play = Play.new("cheat", seed=21)
        >>> play.apply(1)  # a card is taken
        >>> belief = CheatDeclaration.of(play.view(1))
        >>> split, merge = belief.take(0, belief.game.turns[0])
        >>> (split.source, split.holder), (merge.holders, merge.into)
        (('deck', 'drawn in turn 1'), (('first', 'drawn in turn 1'), 'first'))
        """
        drawn, hand = f"drawn in turn {place + 1}", HANDS[turn.by]
        yield self.cards.split(DECK, drawn, 1)
        yield self.cards.merge([hand, drawn], hand)

    # -- answers

    def is_true(self, claim: ClaimHolder) -> Condition:
        """The condition that a claim is true, to be asked of a posterior that has seen it."""
        rank = RANK_NAMES[claim.turn.rank]
        return AllOf(self.cards.name, claim.name, rank, self.game.suits).equals(True)

    def count(self, player: int, rank: int) -> Count:
        """The number of cards of a rank a player holds; hands grow, so only the suits bound it."""
        return OpenCount(self.cards.name, (HANDS[player],), (RANK_NAMES[rank],), self.game.suits)

    def truths(self, posterior: Posterior) -> dict[int, float]:
        """P(true) of every claim that lies face down, by the place of its turn."""
        result: dict[int, float] = {}
        for claim in self.pile:
            known = claim.turn.true
            result[claim.place] = (
                posterior.probability(self.is_true(claim)) if known is None else float(known)
            )
        return result

    def hand(self, posterior: Posterior, player: int) -> dict[str, dict[int, float]]:
        """The numbers of cards of each rank in a hidden hand, with probabilities."""
        return {
            rank: self.holding(posterior, player, place)
            for place, rank in enumerate(RANK_NAMES[: self.game.ranks])
        }

    def holding(self, posterior: Posterior, player: int, rank: int) -> dict[int, float]:
        """The number of cards of one rank such a player holds, with probabilities."""
        if player not in (0, 1) or player == self.viewer:
            raise EvidenceError("this hand is not hidden from the viewer", value=player)
        return posterior.marginal(self.count(player, rank))

    def holds_at_least(self, posterior: Posterior, player: int, rank: int, number: int) -> float:
        """P(a player whose hand is hidden holds at least so many cards of a rank)."""
        counts = self.holding(posterior, player, rank)
        return sum(share for count, share in counts.items() if count >= number)

    # -- the declaration

    def _declared(self) -> Deal:
        """The deal of the cards when the pile began, but for those the viewer can place by now."""
        game = self.game
        seen = [0] * game.ranks
        for rank in _placed(game, self.viewer, self.pile):
            seen[rank] += 1
        hidden = [player for player in (0, 1) if player != self.viewer]
        sizes = {HANDS[player]: game.sizes[player] for player in hidden}
        sizes[DECK] = game.left
        for place in range(game.since, len(game.turns)):
            turn = game.turns[place]
            if turn.by == self.viewer:
                continue
            if turn.kind == "claim":
                sizes[HANDS[turn.by]] += turn.count
            elif turn.kind == "take" and self._drew(place):
                sizes[HANDS[turn.by]] -= 1
                sizes[DECK] += 1
        sizes[SEEN] = sum(seen)
        collected = collected_before(game)
        known = {HANDS[player]: _named(collected[player]) for player in hidden}
        known[SEEN] = _named(seen)
        # Keys of dict.fromkeys would be of the type of these very words, not strings.
        items: dict[str, int] = {rank: game.suits for rank in RANK_NAMES[: game.ranks]}  # noqa: C420
        return Deal(items, holders=sizes, known=known, name="cards")

    def _drew(self, place: int) -> bool:
        """True if the player who took got a card: there may have been none left."""
        return place in self._draws

    @cached_property
    def _draws(self) -> frozenset[int]:
        return frozenset(_draws(self.game, self.dealt))


def dealt_in(view: View) -> int:
    """The number of cards each player was dealt."""
    return int(view.game.settings["hand"])


def collected_before(game: SeenCheat) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Cards of each rank that each player was known to hold when the pile began.

    The player who takes a pile holds its cards. When a claim is turned up and shows a rank that the
    claimant was known to hold, they hold one less of it for sure.
    """
    known = [[0] * game.ranks, [0] * game.ranks]
    pile = [] if game.aside else [game.first]
    laid: list[SeenTurn] = []
    for place, turn in enumerate(game.turns):
        if turn.kind == "claim":
            laid.append(turn)
        if turn.kind != "call":
            continue
        for claim in laid:
            if claim.cards is None:
                raise RecordError(
                    "a claim was turned up, but the record lacks its cards",
                    where=f"turn {place + 1}",
                )
            for rank in claim.cards:
                known[claim.by][rank] = max(0, known[claim.by][rank] - 1)
            pile.extend(claim.cards)
        loser = turn.by if laid and laid[-1].true else 1 - turn.by
        for rank in pile:
            known[loser][rank] += 1
        pile, laid = [], []
    return tuple(known[0]), tuple(known[1])


@lru_cache(maxsize=KEPT)
def _same_deal(deal: Deal) -> Deal:
    """The deal, or an equal one that was made before."""
    return deal


@lru_cache(maxsize=KEPT)
def _model(deal: Deal) -> Model:
    return Model(deal)


def _pile(game: SeenCheat) -> Iterator[ClaimHolder]:
    """The claims that lie face down, from bottom to top."""
    below = 0
    for place in range(game.since, len(game.turns)):
        turn = game.turns[place]
        if turn.kind == "claim":
            yield ClaimHolder(f"turn {place + 1} above {below}", place, turn, below)
            below += turn.count


def _placed(game: SeenCheat, viewer: int | None, pile: Sequence[ClaimHolder]) -> Iterator[int]:
    """Ranks of the cards that the viewer can place for good: not in a hidden hand or the deck."""
    if game.aside or game.since == 0:
        yield game.first
    if viewer is None:
        return
    for rank, count in enumerate(game.hand or ()):
        yield from [rank] * count
    for claim in pile:
        if claim.turn.by == viewer:
            yield from claim.turn.cards or ()


def _draws(game: SeenCheat, dealt: int | None) -> Iterator[int]:
    """Places of the turns in which a card was drawn."""
    takes = [place for place, turn in enumerate(game.turns) if turn.kind == "take"]
    if game.left == 0 and dealt is not None:
        # The first ones drew all cards there were.
        takes = takes[: game.ranks * game.suits - 1 - 2 * dealt]
    yield from takes


def _named(counts: Sequence[int]) -> dict[str, int]:
    return {RANK_NAMES[rank]: count for rank, count in enumerate(counts) if count}


def _tally(cards: Sequence[int]) -> dict[str, int]:
    result: dict[str, int] = {}
    for rank in cards:
        result[RANK_NAMES[rank]] = result.get(RANK_NAMES[rank], 0) + 1
    return result
