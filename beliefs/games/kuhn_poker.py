"""Kuhn poker as a declaration: who has which of the cards.

Betting says nothing here: what a bet means depends on how the opponent plays, which the search
finds out and the cards do not say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...models.game import HIDDEN
from ...models.play import SeenPlay, View
from ...models.small.kuhn_poker import ROLES, ranks_of
from ..infer import infer
from ..language.features import Feature
from ..language.variables import Deal
from ..modelling.model import Model
from ..posterior import Posterior
from .contract import CachedBelief


class KuhnPokerBelief(CachedBelief[tuple[int, ...]]):
    """The cards of the players and the one left over, every deal equally likely.

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

    def known(self, view: View, seen: SeenPlay) -> tuple[int, ...]:
        """The cards of all players, ``HIDDEN`` where the viewer has not seen them.

        Among more than two players a last number says who has shown theirs, as bits.
        """
        # Their own card and what the rules show: whatever else a view let through is not read.
        state, players = view.states[0], view.game.players
        cards = tuple(
            card if view.over or number == view.viewer else HIDDEN
            for number, card in enumerate(state.cards.tolist())
        )
        if players == 2:
            return cards
        called = [view.over and bet == state.bets.max() for bet in state.bets]
        shown = sum(1 << number for number, calls in enumerate(called) if calls)
        return (*cards, shown if sum(called) > 1 else 0)

    def posterior(self, known: tuple[int, ...]) -> Posterior:
        """The other cards may lie either way."""
        players = _players(known)
        ranks = ranks_of(players)
        hands = {
            player: [ranks[card]]
            for player, card in zip(ROLES[:players], known, strict=False)
            if card != HIDDEN
        }
        few = players < 4
        return infer(Model(_deal(players, hands)), method="enumeration" if few else "auto")

    def supposed(
        self, known: tuple[int, ...], world: Sequence[int], viewer: int, rng: np.random.Generator
    ) -> tuple[int, ...]:
        """A viewer's knowledge, if the cards lay so: their card, and what all were shown."""
        players = _players(known)
        shown = known[-1] if players > 2 else 3 * (HIDDEN not in known)
        cards = tuple(
            world.index(player) if shown >> player & 1 or player == viewer else HIDDEN
            for player in range(players)
        )
        return cards if players == 2 else (*cards, shown)

    def hidden(self, view: View) -> Mapping[str, Feature]:
        """The card of every player but the viewer."""
        deal = _deal(view.game.players, {})
        return {
            f"card of {player}": deal.single(player, "cards")
            for number, player in enumerate(view.game.roles)
            if number != view.viewer
        }


def _players(known: tuple[int, ...]) -> int:
    return len(known) - (len(known) > 2)


def _deal(players: int, known: Mapping[str, list[str]]) -> Deal:
    ranks, roles = ranks_of(players), ROLES[:players]
    return Deal(
        ranks,
        holders=dict.fromkeys((*roles, "rest"), 1),
        categories={"cards": ranks},
        counts={player: {"cards": 1} for player in roles},
        known=known,
        name="cards",
    )
