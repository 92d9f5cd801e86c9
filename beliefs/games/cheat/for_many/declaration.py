"""Cheat for many as a declaration: who holds which cards, and what claims say about that.

One `Deal` of the ranks, for one pile: from the last time it was taken up until now. Then it was
known which cards players had taken up with a pile, and all others were anywhere. Since
then every claim of another is a holder of its own, split from the claimant's hand.

A claim is any cards of the hand, by counting; a prediction says how likely it is true.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, Literal

from .....data.errors import EvidenceError
from .....models.cheat import RANK_NAMES
from .....models.cheat.for_many import SeenClaim, SeenManyCheat, seen_many_cheat
from .....models.play import View
from ....engines import cost_of, engine
from ....engines.base import Cost
from ....engines.partial_deals.graph import MOST_BITS, build, key_bits
from ....infer import infer
from ....language.deal_features import AllOf, OpenCount
from ....language.features import Condition
from ....language.variables import Deal
from ....modelling.history import History, Observation
from ....modelling.model import Model
from ....posterior import Posterior

#: The cards of the viewer's own claims on the pile.
SEEN: Final = "seen"
#: Most edges of a graph of partial deals, which are a few tenths of a second.
MOST_EDGES: Final = 300_000

#: How hands are counted, see `ManyCheatDeclaration.counting`.
Counting = Literal["type_counting", "card_by_card", "settled"]
#: By the place of a claim: what was predicted, and the baseline that it is set against.
Chances = Mapping[int, tuple[float, float | str]]


@dataclass(frozen=True)
class OpenClaim:
    """Cards that lie face down, as a holder.

    Attributes:
        name: Of the holder.
        place: Of the claim, from 0.
        claim: The claim.
        bottom: How many cards lie below it.
    """

    name: str
    place: int
    claim: SeenClaim
    bottom: int


class ManyCheatDeclaration:
    """The knowledge one viewer of a game of Cheat for many can have at one moment.

    Args:
        game: What the viewer sees.

    Attributes:
        pile: All claims whose cards lie face down.
        claims: Those whose cards the viewer does not know.
        counting: The exact engine that counts, or ``settled`` where none can be afforded. Then
            cards that are known to be in a hand stay there if they must, whatever was laid down
            since, and are forgotten if they need not. The rest is counted by type.
        exact: True if nothing was forgotten: what is counted is all that can be known by counting.

    >>> from sleuth import Play
    >>> from sleuth.games.cheat import ManyCheatDeclaration
    >>> play = Play.new("cheat_for_many", seed=3)
    >>> play.apply(play.legal()[0])  # one ace, it is said
    >>> belief = ManyCheatDeclaration.of(play.view(1))
    >>> (claim,) = belief.claims
    >>> counted = belief.infer()
    >>> belief.counting, belief.exact, round(counted.probability(belief.is_true(claim)), 3)
    ('type_counting', True, 0.051)
    >>> said = belief.infer({claim.place: (0.6, "counting")})  # by a predictor
    >>> round(said.probability(belief.is_true(claim)), 3)
    0.6
    >>> aces = counted.marginal(belief.count(player=0, rank=0))  # of the claimant
    >>> [round(share, 2) for share in aces.values()], belief.model, len([*belief.evidence({})])
    ([0.47, 0.44, 0.09], <Model of cards>, 1)
    >>> [*belief.cards.holders]
    ['hand 1', 'hand 2', 'hand 3', 'hand 4', 'seen']
    """

    def __init__(self, game: SeenManyCheat) -> None:
        self.game = game
        self.viewer = game.viewer if game.viewer >= 0 and game.hand is not None else None
        self.pile = tuple(_pile(game))
        self.claims = tuple(claim for claim in self.pile if claim.claim.cards is None)

    @staticmethod
    def of(view: View) -> ManyCheatDeclaration:
        """The declaration of what the viewer knows."""
        return ManyCheatDeclaration(seen_many_cheat(view))

    @cached_property
    def counting(self) -> Counting:
        """The way in which hands are counted, whatever is predicted of the claims."""
        cards = self._declared(settled=False)
        # Predictions make a graph of partial deals much larger, so they are part of its cost.
        weighed = self._evidence(cards, {claim.place: (0.6, 0.5) for claim in self.claims})
        problem = History.empty(_model(cards)).extend(weighed, _no_baseline).problem
        if isinstance(cost_of(engine("type_counting"), problem), Cost):
            return "type_counting"
        fits = key_bits(problem) <= MOST_BITS and build(problem, most_edges=MOST_EDGES)
        return "card_by_card" if fits else "settled"

    @property
    def exact(self) -> bool:
        """True if nothing was forgotten."""
        return self.counting != "settled" and not self.game.forgot

    @cached_property
    def cards(self) -> Deal:
        """The deal of the cards when the pile began."""
        return self._declared(settled=self.counting == "settled")

    @property
    def model(self) -> Model:
        """The declaration as a model."""
        return _model(self.cards)

    def infer(self, chances: Chances | None = None) -> Posterior:
        """The posterior of the cards that the viewer cannot place.

        Args:
            chances: A predictor's probability that a claim is true, by its place, with the baseline
                that it is set against: a number, or ``"counting"``. It is ignored where the
                baseline says that the claim is true or that it is not.
        """
        method = "type_counting" if self.counting == "settled" else self.counting
        return infer(self.model, [*self.evidence(chances or {})], method=method)

    def evidence(self, chances: Chances) -> Iterator[Observation]:
        """The claims on the pile that are not the viewer's, from bottom to top."""
        return self._evidence(self.cards, chances)

    def _evidence(self, cards: Deal, chances: Chances) -> Iterator[Observation]:
        for claim in self.claims:
            yield cards.split(hand_name(claim.claim.by), claim.name, claim.claim.count)
            if claim.place not in chances or claim.claim.count > self.game.copies:
                continue
            p, given = chances[claim.place]
            said = f"claim {claim.place + 1}: player {claim.claim.by + 1} says " + (
                f"{claim.claim.count} of {RANK_NAMES[claim.claim.rank]}"
            )
            yield self.is_true(claim).predicted(p, given=given, because=said)

    # -- answers

    def is_true(self, claim: OpenClaim) -> Condition:
        """The condition that a claim is true, to be asked of a posterior that has seen it."""
        rank = RANK_NAMES[claim.claim.rank]
        return AllOf("cards", claim.name, rank, self.game.copies).equals(True)

    def count(self, player: int, rank: int) -> OpenCount:
        """The number of cards of a rank that another player holds.

        Raises:
            EvidenceError: The viewer knows this hand.
        """
        if player == self.viewer:
            raise EvidenceError("this hand is not hidden from the viewer", value=player)
        holders = (hand_name(player), kept_name(player))
        return OpenCount(
            "cards",
            tuple(name for name in holders if name in self.cards.holders),
            (RANK_NAMES[rank],),
            self.game.copies,
        )

    # -- the declaration

    def _declared(self, *, settled: bool) -> Deal:
        """The deal when the pile began, but for the cards that the viewer can place by now.

        Args:
            settled: Whether cards that must be in a hand still are set apart in it, and others that
                were known to be there are forgotten.
        """
        game = self.game
        seen, laid = [0] * game.ranks, [0] * game.players
        for each in self.pile:
            if each.claim.by == self.viewer:
                for rank in each.claim.cards or ():
                    seen[rank] += 1
            else:
                laid[each.claim.by] += each.claim.count
        sizes, known = dict[str, int](), dict[str, dict[str, int]]()
        for player in range(game.players):
            if player == self.viewer:
                hand = game.hand or ()
                sizes[hand_name(player)], known[hand_name(player)] = sum(hand), _named(hand)
                continue
            held: Sequence[int] = game.collected[player]
            name, size = hand_name(player), game.sizes[player] + laid[player]
            if settled and laid[player]:
                held = [max(0, count - laid[player]) for count in held]
                size -= sum(held)
                sizes[kept_name(player)] = sum(held)
                known[kept_name(player)] = _named(held)
                held = [0] * game.ranks
            sizes[name], known[name] = size, _named(held)
        sizes[SEEN], known[SEEN] = sum(seen), _named(seen)
        items = {RANK_NAMES[rank]: game.copies for rank in range(game.ranks)}
        return _same_deal(Deal(items, holders=sizes, known=known, name="cards"))


def hand_name(player: int) -> str:
    """A player's hand as a holder."""
    return f"hand {player + 1}"


def kept_name(player: int) -> str:
    """As a holder, the cards of a hand that must be there still."""
    return f"kept {player + 1}"


@lru_cache(maxsize=4096)
def _same_deal(deal: Deal) -> Deal:
    """The deal, or an equal one that was made before."""
    return deal


@lru_cache(maxsize=4096)
def _model(deal: Deal) -> Model:
    return Model(deal)


def _no_baseline(history: History, condition: Condition) -> float:
    raise AssertionError("the baselines are numbers")


def _pile(game: SeenManyCheat) -> Iterator[OpenClaim]:
    """The claims that lie face down, from bottom to top."""
    below = 0
    for place in range(game.since, len(game.claims)):
        claim = game.claims[place]
        yield OpenClaim(f"claim {place + 1} above {below}", place, claim, below)
        below += claim.count


def _named(counts: Sequence[int]) -> dict[str, int]:
    return {RANK_NAMES[rank]: count for rank, count in enumerate(counts) if count}
