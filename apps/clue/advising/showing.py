"""Which card to show: the one that tells the one who asks least, as far as one can know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ....beliefs.games.clue.declaration import ClueBelief
from ....beliefs.posterior import Posterior
from ....models.clue.events import Suggestion, Triple, asked_in_turn
from ....models.clue.seen import SeenGame, as_seen_by
from ....models.records.events import witness

#: Ways the cards may lie that are drawn.
DRAWN: Final = 20
SEED: Final = 0
#: Bits that are left to somebody who knows the case file.
KNOWN: Final = 1e-6


@dataclass(frozen=True)
class Shown:
    """A card that could be shown.

    Attributes:
        card: The card.
        known: Whether the one who asks knows already that one holds it, since it was shown to them.
        bits: What is open to them of the case file after they saw it, as expected; more is better.
    """

    card: str
    known: bool
    bits: float


def to_show(game: SeenGame, posterior: Posterior, asker: str, cards: Triple) -> list[Shown]:
    """The viewer's cards of three that could be shown, the best first.

    What is known to the one who asks already gives nothing away and is best. Of the others it is
    asked what the asker will believe, in worlds drawn from the viewer's belief.
    """
    held = [card for card in cards if card in game.own_hand]
    seen_before = {
        seen.event.shown
        for seen in game.events
        if isinstance(seen.event, Suggestion)
        and (seen.event.refuter, seen.event.by) == (game.viewer, asker)
    }
    worlds = drawn(posterior)
    found: list[Shown] = []
    for card in held:
        passed = asked_in_turn(game.players, asker, game.viewer)
        event = Suggestion(asker, cards, refuter=game.viewer, shown=card, passed=passed)
        after = _with(game, event)
        open_bits = [_open(after, asker, hands) for hands in worlds] if len(held) > 1 else [0.0]
        found.append(Shown(card, card in seen_before, float(np.mean(open_bits))))
    return sorted(found, key=lambda each: (not each.known, -each.bits))


def knowing(game: SeenGame, posterior: Posterior) -> dict[str, list[bool]]:
    """Whether each other player knows the case file by now, in each of the drawn worlds."""
    worlds = drawn(posterior)
    return {
        player: [_open(game, player, hands) <= KNOWN for hands in worlds]
        for player in game.players
        if player != game.viewer
    }


def drawn(posterior: Posterior) -> list[Mapping[str, frozenset[str]]]:
    """Who may hold what, a few times."""
    rng = np.random.default_rng(SEED)
    return [
        {holder: frozenset(cards) for holder, cards in world["cards"].items()}
        for world in posterior.sample(DRAWN, rng)
    ]


def _open(game: SeenGame, player: str, hands: Mapping[str, frozenset[str]]) -> float:
    """Bits that are open to a player of the case file, if the cards lie so."""
    theirs = as_seen_by(game, player, hands, np.random.default_rng(SEED))
    belief = ClueBelief(theirs)
    return belief.infer(theirs).entropy(belief.case_file)


def _with(game: SeenGame, event: Suggestion) -> SeenGame:
    number = len(game.events) + 1
    events = (*game.events, witness(number, game.viewer, event))
    return replace(game, events=events)
