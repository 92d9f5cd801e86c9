"""A belief that also listens: what a player of Clue asks says something about their own cards.

Some players never name a card that they hold, some name one to ask about the others alone, some
name any. Which of these somebody is, is found out while they play. And a player whose suggestion
nobody refuted, and who does not accuse then, most likely holds one of the three cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple

import numpy as np

from ....models.clue.cards import CATEGORIES
from ....models.clue.events import Accusation, Suggestion
from ....models.clue.seen import SeenGame
from ...arrays.layout import Floats
from ...deal_features import Which
from ...evidence import Evidence
from ...posterior import Posterior
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


class Said(NamedTuple):
    """A suggestion of somebody else.

    Attributes:
        by: Whose it is.
        held: The feature: which of its cards they hold.
        chances: How likely each kind of player makes it, by that; shape (kinds, 8).
        fits: How well it fits each kind, by what was known before.
        missed: By what they hold, how likely it is that they do not accuse then.
        number: Of the event.
        note: The event in words.
    """

    by: str
    held: Which
    chances: Floats
    fits: Floats
    missed: Floats
    number: int
    note: str


#: What follows by the rules, and all that was heard.
Heard = tuple[Posterior, tuple[Said, ...]]


class HearingBelief(ClueTableBelief):
    """What follows from the rules, and from what the others ask.

    What kind of player somebody is shows in all that they ask; each suggestion is weighed by what
    the others of theirs say of it.

    Args:
        walks: Whether players walk to the rooms that they name: then rooms say nothing.
    """

    #: How common the kinds of players are for whom `asking` says how likely they ask.
    common: tuple[float, ...] = COMMON

    def __init__(self, *, walks: bool = False) -> None:
        super().__init__()
        self.walks = walks
        self._heard = lru_cache(maxsize=self.kept)(self._listened)

    def __reduce__(self) -> Any:
        return partial(type(self), walks=self.walks), ()

    def posterior(self, known: SeenGame) -> Posterior:
        """What follows from all that the viewer saw."""
        return self._weighed(*self._heard(known))

    def _listened(self, known: SeenGame) -> Heard:
        if not known.events:
            return declared(known).infer(), ()
        last, earlier = known.events[-1], known.until(len(known.events) - 1)
        plain, said = self._heard(earlier)
        if isinstance(last.event, Suggestion) and last.event.by != known.viewer:
            said = (*said, self._said(earlier, self._weighed(plain, said), last.event, last.number))
        elif (
            said
            and isinstance(last.event, Accusation)
            and (said[-1].by, said[-1].number) == (last.event.by, last.number - 1)
        ):
            # Whether they would accuse was judged too early.
            said = (*said[:-1], said[-1]._replace(missed=np.ones(8)))
        return plain.observe(self.declared(earlier).evidence(last)), said

    def declared(self, known: SeenGame) -> ClueBelief:
        """The declaration that says what follows from the next event by the rules."""
        return declared(known.until(0))

    def asking(self, known: SeenGame, event: Suggestion) -> Floats:
        """How likely each kind of player makes the next suggestion; see `asking_chances`."""
        return asking_chances(dict(known.hand_sizes)[event.by], self.walks)

    def _said(self, known: SeenGame, before: Posterior, event: Suggestion, number: int) -> Said:
        """What a suggestion says about its player."""
        held = declared(known.until(0)).cards.which(event.by, event.cards)
        chances = self.asking(known, event)
        missed = np.ones(8)
        if event.refuter is None:
            missed[0] = MISSED
        note = f"event {number}: {event.by} asked for {', '.join(event.cards)}"
        fits = chances @ before.distribution(held)
        return Said(event.by, held, chances, fits / fits.max(), missed, number, note)

    def _weighed(self, plain: Posterior, said: Sequence[Said]) -> Posterior:
        """A posterior, and what was heard."""
        given: list[Evidence] = []
        for each in said:
            others = [other.fits for other in said if other.by == each.by and other is not each]
            kind = np.array(self.common) * np.prod([np.ones(len(each.fits)), *others], axis=0)
            weights = (kind / kind.sum()) @ each.chances * each.missed
            table = tuple(weights / weights.max())
            given.append(each.held.weigh(table, because=each.note, event=each.number))
        return plain.observe(given)


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
