"""A belief that also listens: what a player of Clue asks says something about their own cards.

Some players never name a card that they hold, some name one to ask about the others alone, some
name any. Which of these somebody is, is found out while they play. And a player whose suggestion
nobody refuted, and who does not accuse then, most likely holds one of the three cards.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np

from ....models.clue.cards import CATEGORIES
from ....models.clue.events import Accusation, Suggestion
from ....models.clue.seen import SeenGame
from ...arrays.layout import Floats
from ...evidence import Evidence
from ...posterior import Posterior
from ..contract import KEPT
from .declaration import ClueBelief
from .play import ClueTableBelief, declared

#: How often players of each kind name a card of their own, category by category, and how common
#: these kinds are: players who seek the case file, who ask about others, and who name any cards.
#: `names_own` of benchmarks/clue_matches.py says how often the agents here do it.
OWN: Final = (0.02, 0.45, 0.25)
COMMON: Final = (0.4, 0.4, 0.2)
#: How likely it is that a player does not accuse whom nobody refuted and who holds none of the
#: cards.
MISSED: Final = 0.02

#: By which of the three cards somebody holds, the bits of `Deal.which`.
HELD: Final = np.array([[index >> place & 1 for place in range(3)] for index in range(8)])

Heard = tuple[Posterior, dict[str, Floats]]


class HearingBelief(ClueTableBelief):
    """What follows from the rules, and from what the others ask.

    Args:
        walks: Whether players walk to the rooms that they name: then rooms say nothing.
    """

    #: How common the kinds of players are for whom `asking` says how likely they ask.
    common: tuple[float, ...] = COMMON

    def __init__(self, *, walks: bool = False) -> None:
        super().__init__()
        self.walks = walks
        self._heard = lru_cache(maxsize=KEPT)(self._listened)

    def posterior(self, known: SeenGame) -> Posterior:
        """What follows from all that the viewer saw."""
        return self._heard(known)[0]

    def _listened(self, known: SeenGame) -> Heard:
        if not known.events:
            return declared(known).infer(), {}
        last, earlier = known.events[-1], known.until(len(known.events) - 1)
        belief = self.declared(earlier)
        before, kinds = self._heard(earlier)
        if isinstance(last.event, Accusation):
            # Whether they would accuse was judged too early, if it was their own suggestion.
            previous = known.events[-2].event if len(known.events) > 1 else None
            if isinstance(previous, Suggestion) and previous.by == last.event.by:
                return belief.infer(known), kinds
        given = belief.evidence(last)
        if isinstance(last.event, Suggestion) and last.event.by != known.viewer:
            heard, kind = self._said(earlier, belief, before, kinds, last.event, last.number)
            given.append(heard)
            kinds = {**kinds, last.event.by: kind}
        return before.observe(given), kinds

    def declared(self, known: SeenGame) -> ClueBelief:
        """The declaration that says what follows from the next event by the rules."""
        return declared(known.until(0))

    def asking(self, known: SeenGame, event: Suggestion) -> Floats:
        """How likely each kind of player makes the next suggestion; see `asking_chances`."""
        return asking_chances(dict(known.hand_sizes)[event.by], self.walks)

    def _said(
        self,
        known: SeenGame,
        belief: ClueBelief,
        before: Posterior,
        kinds: dict[str, Floats],
        event: Suggestion,
        number: int,
    ) -> tuple[Evidence, Floats]:
        """What a suggestion says about its player's cards, and what kind of player that is then."""
        held = belief.cards.which(event.by, event.cards)
        chances = self.asking(known, event)
        kind = kinds.get(event.by, np.array(self.common))
        weights = kind @ chances
        if event.refuter is None:
            weights = weights * np.where(HELD.any(axis=1), 1.0, MISSED)
        note = f"event {number}: {event.by} asked for {', '.join(event.cards)}"
        kind = kind * (chances @ before.distribution(held))
        said = held.weigh(tuple(weights / weights.max()), because=note, event=number)
        return said, kind / kind.sum()


@lru_cache
def asking_chances(hand: int, walks: bool) -> Floats:
    """How likely each kind of player is to name three cards, by which of them they hold.

    Shape (kinds, 8). Of the cards of a category they hold as many as is usual for their hand.
    """
    chances = np.ones((len(OWN), 8))
    for place, cards in enumerate(CATEGORIES.values()):
        if walks and place == 2:
            continue
        size = len(cards)
        held = min(hand * size / 21, size - 1)
        for kind, own in enumerate(OWN):
            chances[kind] *= np.where(HELD[:, place], own / held, (1.0 - own) / (size - held))
    return chances
