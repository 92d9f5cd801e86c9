"""Leduc poker as a declaration: who has which of the cards, and which one lies on the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...models.game import HIDDEN
from ...models.play import SeenPlay, View
from ...models.small.kuhn_poker import ROLES, ranks_of
from ..infer import infer
from ..language.features import Feature, together
from ..language.variables import Deal
from ..modelling.model import Model
from ..posterior import Posterior
from .contract import CachedBelief


class LeducPokerBelief(CachedBelief[tuple[int, ...]]):
    """The cards of the players and on the table; every deal equally likely, whatever was bet.

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

    def known(self, view: View, seen: SeenPlay) -> tuple[int, ...]:
        """The cards of all players and on the table, ``HIDDEN`` where nobody showed them.

        Among more than two players a last number says who has shown theirs, as bits.
        """
        # Their own card and what the rules show: whatever else a view let through is not read.
        state, players = view.states[0], view.game.players
        cards = tuple(
            card if view.over or number == view.viewer else HIDDEN
            for number, card in enumerate(state.cards.tolist())
        )
        known = (*cards, int(state.table) if state.stage > 0 else HIDDEN)
        if players == 2:
            return known
        playing = (1 << players) - 2 - int(state.folded)
        return (*known, playing if view.over and playing.bit_count() > 1 else 0)

    def posterior(self, known: tuple[int, ...]) -> Posterior:
        """The posterior of the rest of the cards, which lie anyhow."""
        players = _players(known)
        ranks = ranks_of(players)
        seen = {
            place: [ranks[card]]
            for place, card in zip((*ROLES[:players], "table"), known, strict=False)
            if card != HIDDEN
        }
        few = players < 4
        return infer(Model(_deal(players, seen)), method="enumeration" if few else "auto")

    def supposed(
        self, known: tuple[int, ...], world: Sequence[int], viewer: int, rng: np.random.Generator
    ) -> tuple[int, ...]:
        """A viewer's knowledge, if the cards lay so: their card, and what all were shown."""
        players = _players(known)
        shown = known[-1] if players > 2 else 3 * (HIDDEN not in known[:2])
        # Two columns for each card, one for each of its copies.
        cards = tuple(
            world.index(player) // 2 if shown >> player & 1 or player == viewer else HIDDEN
            for player in range(players)
        )
        return (*cards, *known[players:])

    def hidden(self, view: View) -> Mapping[str, Feature]:
        """The card of every player but the viewer, as how many of each rank: one of them is 1."""
        players = view.game.players
        deal = _deal(players, {})
        return {
            f"card of {player}": together(*(deal.count(player, card) for card in ranks_of(players)))
            for number, player in enumerate(view.game.roles)
            if number != view.viewer
        }


def _players(known: tuple[int, ...]) -> int:
    return 2 if len(known) == 3 else len(known) - 2


def _deal(players: int, known: Mapping[str, list[str]]) -> Deal:
    return Deal(
        dict.fromkeys(ranks_of(players), 2),
        holders={**dict.fromkeys((*ROLES[:players], "table"), 1), "rest": players + 1},
        known=known,
        name="cards",
    )
