"""Kuhn poker as a declaration: who has which of the three cards.

Betting says nothing here: what a bet means depends on how the opponent plays, which the search
finds out and the cards do not say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...models.game import HIDDEN
from ...models.play import SeenPlay, View
from ...models.small.kuhn_poker import CARDS
from ..infer import infer
from ..language.features import Feature
from ..language.variables import Deal
from ..modelling.model import Model
from ..posterior import Posterior
from .contract import CachedBelief

PLAYERS = ("first", "second")


class KuhnPokerBelief(CachedBelief[tuple[int, int]]):
    """The cards of both players and the one left over, every deal equally likely.

    >>> import numpy as np
    >>> from sleuth import HIDDEN, Play
    >>> from sleuth.games.small import KuhnPokerBelief
    >>> play, belief = Play.new("kuhn_poker", seed=1), KuhnPokerBelief()
    >>> known = belief.known(play.view(0), play.seen_by(0))
    >>> known == (0, HIDDEN)  # the first player holds the jack
    True
    >>> belief.posterior(known).marginal(belief.hidden(play.view(0))["card of second"])
    {'queen': 0.5, 'king': 0.5}
    >>> belief.supposed(known, [0, 1, 2], 1, np.random.default_rng(1)) == (HIDDEN, 1)
    True
    """

    def known(self, view: View, seen: SeenPlay) -> tuple[int, int]:
        """The cards of both players, ``HIDDEN`` where the viewer has not seen them."""
        # Their own card and what the rules show: whatever else a view let through is not read.
        first, second = (
            card if view.over or number == view.viewer else HIDDEN
            for number, card in enumerate(view.states[0].cards.tolist())
        )
        return first, second

    def posterior(self, known: tuple[int, int]) -> Posterior:
        """The other two cards may lie either way."""
        hands = {
            player: [CARDS[card]]
            for player, card in zip(PLAYERS, known, strict=True)
            if card != HIDDEN
        }
        return infer(Model(_deal(hands)), method="enumeration")

    def supposed(
        self, known: tuple[int, int], world: Sequence[int], viewer: int, rng: np.random.Generator
    ) -> tuple[int, int]:
        """A viewer's knowledge, if the cards lay so: their card, and what all were shown."""
        shown = HIDDEN not in known
        first, second = (
            world.index(player) if shown or player == viewer else HIDDEN for player in range(2)
        )
        return first, second

    def hidden(self, view: View) -> Mapping[str, Feature]:
        """The card of every player but the viewer."""
        deal = _deal({})
        return {
            f"card of {player}": deal.single(player, "cards")
            for number, player in enumerate(PLAYERS)
            if number != view.viewer
        }


def _deal(known: Mapping[str, list[str]]) -> Deal:
    return Deal(
        CARDS,
        holders={"first": 1, "second": 1, "rest": 1},
        categories={"cards": CARDS},
        counts={player: {"cards": 1} for player in PLAYERS},
        known=known,
        name="cards",
    )
