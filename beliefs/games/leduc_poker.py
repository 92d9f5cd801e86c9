"""Leduc poker as a declaration: who has which of the six cards, and which one lies on the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from ...models.game import HIDDEN
from ...models.play import SeenPlay, View
from ...models.small.leduc_poker import CARDS
from ..infer import infer
from ..language.features import Feature, together
from ..language.variables import Deal
from ..modelling.model import Model
from ..posterior import Posterior
from .contract import CachedBelief

PLACES: Final = ("first", "second", "table")


class LeducPokerBelief(CachedBelief[tuple[int, int, int]]):
    """Both hands and the card on the table; every deal equally likely, whatever was bet.

    >>> import numpy as np
    >>> from sleuth import HIDDEN, Play
    >>> from sleuth.games.small import LeducPokerBelief
    >>> play, belief = Play.new("leduc_poker", seed=1), LeducPokerBelief()
    >>> known = belief.known(play.view(0), play.seen_by(0))
    >>> known == (0, HIDDEN, HIDDEN)  # the first player holds a jack
    True
    >>> belief.posterior(known).marginal(belief.hidden(play.view(0))["card of second"])
    {(0, 0, 1): 0.4, (0, 1, 0): 0.4, (1, 0, 0): 0.2}
    >>> rng = np.random.default_rng(1)
    >>> world = belief.worlds(belief.posterior(known), 1, rng)[0].tolist()
    >>> belief.supposed(known, world, 1, rng)[0] == HIDDEN
    True
    """

    def known(self, view: View, seen: SeenPlay) -> tuple[int, int, int]:
        """Both players' cards and the one on the table, ``HIDDEN`` where nobody showed them."""
        # Their own card and what the rules show: whatever else a view let through is not read.
        state = view.states[0]
        first, second = (
            card if view.over or number == view.viewer else HIDDEN
            for number, card in enumerate(state.cards.tolist())
        )
        return first, second, int(state.table) if state.stage > 0 else HIDDEN

    def posterior(self, known: tuple[int, int, int]) -> Posterior:
        """The posterior of the rest of the six cards, which lie anyhow."""
        seen = {
            place: [CARDS[card]]
            for place, card in zip(PLACES, known, strict=True)
            if card != HIDDEN
        }
        return infer(Model(_deal(seen)), method="enumeration")

    def supposed(
        self,
        known: tuple[int, int, int],
        world: Sequence[int],
        viewer: int,
        rng: np.random.Generator,
    ) -> tuple[int, int, int]:
        """A viewer's knowledge, if the cards lay so: their card, and what all were shown."""
        shown = HIDDEN not in known[:2]
        # Two columns for each card, one for each of its copies.
        first, second = (
            world.index(player) // 2 if shown or player == viewer else HIDDEN for player in range(2)
        )
        return first, second, known[2]

    def hidden(self, view: View) -> Mapping[str, Feature]:
        """The card of every player but the viewer: (jacks, queens, kings), one of them 1."""
        deal = _deal({})
        return {
            f"card of {player}": together(*(deal.count(player, card) for card in CARDS))
            for number, player in enumerate(PLACES[:2])
            if number != view.viewer
        }


def _deal(known: Mapping[str, list[str]]) -> Deal:
    return Deal(
        dict.fromkeys(CARDS, 2),
        holders={"first": 1, "second": 1, "table": 1, "rest": 3},
        known=known,
        name="cards",
    )
