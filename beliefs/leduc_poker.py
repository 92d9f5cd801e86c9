"""Leduc poker as a declaration: who has which of the six cards, and which one lies on the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..models.game import HIDDEN
from ..models.leduc_poker import CARDS
from ..models.play import SeenPlay, View
from .features import Feature, together
from .infer import infer
from .model import Model
from .playing import CachedBelief
from .posterior import Posterior
from .variables import Deal

PLACES: Final = ("first", "second", "table")


class LeducPokerBelief(CachedBelief[tuple[int, int, int]]):
    """Both hands and the card on the table; every deal equally likely, whatever was bet."""

    def known(self, view: View, seen: SeenPlay) -> tuple[int, int, int]:
        """Both players' cards and the one on the table, ``HIDDEN`` where nobody showed them."""
        # His own card and what the rules show: whatever else a view let through is not read.
        state = view.states[0]
        first, second = (
            card if view.over or number == view.viewer else HIDDEN
            for number, card in enumerate(state.cards.tolist())
        )
        return first, second, int(state.table) if state.stage > 0 else HIDDEN

    def posterior(self, known: tuple[int, int, int]) -> Posterior:
        """What is left of the six cards lies anyhow."""
        seen = {
            place: [CARDS[card]]
            for place, card in zip(PLACES, known, strict=True)
            if card != HIDDEN
        }
        return infer(Model(_deal(seen)), method="enumeration")

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
