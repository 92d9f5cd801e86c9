"""The card to show: the one that tells the one who asks least, as far as one can know."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ....beliefs.games.clue.rivals import Rivals
from ....data.errors import ContradictionError
from ....models.clue.events import ClueEvent, Named, Suggestion
from ....models.clue.seen import SeenClue
from ....models.records.events import Seen, witness
from ..worth import dear
from .table import ClueSetup

#: Deals that are drawn.
DRAWN: Final = 20
SEED: Final = 0


@dataclass(frozen=True)
class ShowableCard:
    """A card that could be shown.

    Attributes:
        card: The card.
        known: Whether the one who asks knows already that one holds it, since it was shown to them.
        bits: What is open to them of the case file after they saw it, as expected; more is better.
    """

    card: str
    known: bool
    bits: float


def to_show(table: ClueSetup, asker: str, cards: Named) -> list[ShowableCard]:
    """The viewer's cards of three that could be shown, the best first.

    What is known to the one who asks already gives nothing away and is best. Of the others it is
    asked what the asker will believe, in deals drawn from the viewer's belief. Everybody between
    the two has passed; there is nothing to show where one of these must hold one of the cards.

    Raises:
        ContradictionError: What was entered cannot all be true.
    """
    game, posterior = table.game, table.posterior
    held = [card for card in cards if card in game.own_hand]
    seen_before = {
        shown.shown
        for seen in game.events
        if isinstance(seen.event, Suggestion) and (game.rules.open or seen.event.by == asker)
        for shown in seen.event.refutations
        if shown.player == game.viewer
    }
    rng = np.random.default_rng(SEED)
    rivals = Rivals(game, rng)
    # Where all show who can, nobody has passed before.
    passed = game.rules.asked(game.players, asker, out=game.out)
    passed = () if game.rules.everybody_shows else passed[: passed.index(game.viewer)]
    asked = Suggestion(asker, cards, passed=passed, refuter_recorded=False)
    try:
        posterior = posterior.observe(table.belief.evidence(_next(game, asked)))
    except ContradictionError:
        return []
    # What each asker would know is worked out deal by deal, if it does not take minutes.
    imagined = len(held) > 1 and not dear(table.belief, posterior)
    deals = rivals.hands(posterior.sample_array(DRAWN, rng)) if imagined else []
    found: list[ShowableCard] = []
    for card in held:
        event = Suggestion(asker, cards, refuter=game.viewer, shown=card, passed=passed)
        after = replace(game, events=(*game.events, _next(game, event)))
        watching = [each for each in game.players if each != game.viewer]
        watching = watching if game.rules.open else [asker]
        left = [rivals.open(after, each, hands) for hands in deals for each in watching]
        found.append(ShowableCard(card, card in seen_before, float(np.mean(left or [0.0]))))
    return sorted(found, key=lambda each: (not each.known, -each.bits))


def _next(game: SeenClue, event: Suggestion) -> Seen[ClueEvent]:
    number = game.events[-1].number + 1 if game.events else 1
    return witness(number, game.viewer, event)
