"""Kinds of players of Clue: those who ask as was learned, and those who ask otherwise.

What suggestions say of those who make them depends on how these choose. So there is a kind for each
of the ways that are known: the ways that were learned from recorded games, three that are declared
in `hearing`, and that of Ledford's heuristic players; and one of those who ask anything. How likely
a player is of each kind follows from all that they ask.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import numpy as np

from ....data.checks import known_name
from ....models.clue.events import Suggestion
from ....models.clue.seen import SeenClue
from ...arrays.layout import Floats
from ...kinds import NONE, Kinds
from .hearing import COMMON, HELD, PASSING, asking_chances
from .learned import ALIKE_KIND, USUAL, ChoiceHistory, LearnedBelief, LearnedChoices
from .tables import normalise_rows

#: Ledford's players: they ask for the cards that they are least sure of.
UNSURE: Final = "asks what is least sure"
#: Those who do not conclude all that follows from what they saw, and so accuse late.
SIMPLE: Final = frozenset({UNSURE, NONE})
#: How common kinds of players are; `NONE` are as usual.
SHARES: Final = {
    ALIKE_KIND: 0.5,
    **{name: 0.3 * share for name, share in COMMON.items()},
    UNSURE: 0.2,
}
#: Cards of a kind are as little sure if they differ by less than this, in bits.
ALIKE_BITS: Final = 1e-6


class KindsBelief(LearnedBelief):
    """The belief from the rules, and from what the others ask, whatever kind of player they are.

    Args:
        predictor: As for a `LearnedBelief`.
        walks: Whether players walk to the rooms that they name: then rooms say nothing.
        exact: Whether kinds are declared; else it is an approximation that takes less time.
        kinds: The kinds that there are, by the names in `SHARES`, and how common each is.

    Raises:
        SettingsError: Nothing is known of how players of a kind ask.

    >>> import numpy as np
    >>> from sleuth.games.clue import KindsBelief, simulate
    >>> record = simulate(["ann", "bob", "cid"], np.random.default_rng(1), turns=4)
    >>> known, belief = record.seen_by("ann"), KindsBelief(exact=False)
    >>> kinds = belief.kinds_of(known)["bob"]
    >>> [*kinds][-2:]
    ['asks what is least sure', 'none of these']
    >>> simple = kinds["asks what is least sure"] + kinds["none of these"]
    >>> round(belief.reasons(known)["bob"] + simple, 6)
    1.0
    >>> belief.asking(known.until(1), known.events[1].event).shape, belief.passing().shape
    ((6, 8), (6, 8))
    >>> belief.worlds(belief.posterior(known), 5, np.random.default_rng(1)).shape
    (5, 21)
    >>> belief.declared(known).choice.weighs
    True
    """

    def __init__(
        self,
        predictor: str | LearnedChoices = USUAL,
        *,
        walks: bool = False,
        exact: bool = True,
        kinds: Kinds | None = None,
    ) -> None:
        super().__init__(predictor, walks=walks)
        self.exact = exact
        self.kinds = Kinds(SHARES) if kinds is None else kinds
        for name in self.kinds.names:
            if name != NONE:
                known_name(name, SHARES, "kind of player", where="belief of clue")
        self._options = {"exact": exact, "kinds": self.kinds}

    def reasons(self, known: SeenClue) -> dict[str, float]:
        """The probability that each other player is of a kind that concludes what follows."""
        return {
            player: sum(share for kind, share in by.items() if kind not in SIMPLE)
            for player, by in self.kinds_of(known).items()
        }

    def __reduce__(self) -> Any:
        predictor, walks, _ = self._made_of
        return partial(type(self), predictor, walks=walks, **self._options), ()

    def asking(self, known: SeenClue, event: Suggestion) -> Floats:
        """The probability that each kind of player makes the next suggestion; shape (kinds, 8)."""
        size, walks = known.expected_size(event.by), self._walked(event)
        past = ChoiceHistory(known)
        found = {
            ALIKE_KIND: self.model.asking(past, event, size, walks=walks),
            **dict(zip(COMMON, asking_chances(size, walks, known.edition), strict=True)),
            UNSURE: unsure_chances(known, past, event, size, walks=walks),
        }
        codes = known.edition.codes
        at_random = 1.0 / (codes.triples // codes.rooms if walks else codes.triples)
        given = {name: found[name] for name in self.kinds.names if name != NONE}
        return self.kinds.chances(given, at_random=at_random)

    def passing(self) -> Floats:
        """The probability that each kind passes after an unrefuted suggestion; (kinds, 8)."""
        anybody = np.array([[name == NONE] for name in self.kinds.names])
        return np.where(anybody, 1.0, PASSING)


def unsure_chances(
    known: SeenClue, past: ChoiceHistory, event: Suggestion, size: float, *, walks: bool
) -> Floats:
    """The probability that a player of Ledford's names these cards, by which of them they hold.

    They name the card of each kind of which their table says least, see `tables.ledford`. Which
    cards they hold, and which were shown to them, the viewer does not know; so this is about what
    everybody saw, and each card that would come before is known to the player as likely as can be.

    Args:
        known: What was seen before.
        past: The same, counted.
        event: The suggestion.
        size: How many cards the player has.
        walks: Whether players walk to the rooms that they name.

    Returns:
        Shape (8,).
    """
    bits, knows = _public_table(known, past, event.by, size)
    found = np.ones(8)
    for place, part in enumerate(known.edition.parts):
        if walks and place == 2:
            continue
        card = past.position[event.cards[place]]
        here: Floats = bits[part] - bits[card]
        more: list[int] = (part.start + np.flatnonzero(here > ALIKE_BITS)).tolist()
        same: list[int] = (part.start + np.flatnonzero(np.abs(here) <= ALIKE_BITS)).tolist()
        # Of those that are as little sure each is as likely.
        ties = np.array([1.0])
        for other in same:
            if other == card:
                continue
            ties = np.convolve(ties, [knows[other], 1.0 - knows[other]])
        share = float(ties @ (1.0 / np.arange(1, len(ties) + 1)))
        found *= np.where(HELD[:, place], 0.0, float(np.prod(knows[more])) * share)
    return found


def _public_table(
    known: SeenClue, past: ChoiceHistory, by: str, size: float
) -> tuple[Floats, Floats]:
    """A player's doubt about each card, in bits, and the probability that they have seen it."""
    me, count = past.seats[by], len(past.seats)
    table = np.full((len(past.open), count + 1), 1.0 / count)
    table[:, me] = 0.0
    knows = past.likely(by, size)
    knows[past.open] = 1.0
    unknown = float(len(past.open) - past.open.sum() - size)
    for seen in known.events:
        event = seen.event
        if not isinstance(event, Suggestion):
            continue
        cards = [past.position[card] for card in event.cards]
        for player in event.passed:
            if player != by:
                table[cards, past.seats[player]] = 0.0
                normalise_rows(table, cards)
        for showing in event.refutations:
            if showing.player == by:
                continue
            refuter = past.seats[showing.player]
            could = [card for card in cards if table[card, refuter] > 0.0]
            if event.by == by:
                # One of them was shown to the player, who knows it now.
                for card in could:
                    shown = showing.shown is not None and past.position[showing.shown] == card
                    chance = 1.0 / len(could) if showing.shown is None else float(shown)
                    knows[card] += (1.0 - knows[card]) * chance
                unknown -= 1.0
            elif could:
                table[could, refuter] *= max(unknown, 1.0) / len(could)
                normalise_rows(table, could)
    shares = np.where(table > 0.0, table, 1.0)
    return -(shares * np.log2(shares)).sum(axis=1), np.minimum(knows, 1.0 - 1e-3)
