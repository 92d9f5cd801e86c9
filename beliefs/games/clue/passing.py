"""A belief that hears who passes: players of Clue who pass do not know the case file."""

from __future__ import annotations

from ....models.clue.events import Accusation, ClueEvent, Suggestion
from ....models.clue.seen import SeenClue
from ....models.records.events import Seen
from ...language.evidence import Evidence
from ...posterior import Posterior
from .declaration import ClueDeclaration
from .hearing import MISSED, settles
from .play import ClueBelief, declared


class PassingBelief(ClueBelief):
    """The belief from the rules, and from passing after a suggestion that nobody refuted.

    Players who hold none of the three cards would know the case file then, and accuse.
    """

    def posterior(self, known: SeenClue) -> Posterior:
        """The posterior from all that the viewer saw."""
        belief = declared(known.until(0))
        if not known.events:
            return belief.infer()
        *_, last = known.events
        if isinstance(last.event, Accusation) and len(known.events) > 1:
            previous = known.events[-2]
            if isinstance(previous.event, Suggestion) and previous.event.by == last.event.by:
                # They did not pass after their suggestion.
                before = self._posterior(known.until(len(known.events) - 2))
                return before.observe([*belief.evidence(previous), *belief.evidence(last)])
        earlier = known.until(len(known.events) - 1)
        signs = [*belief.evidence(last)]
        if isinstance(last.event, Suggestion) and settles(earlier, last.event):
            signs += passed(belief, known.viewer, last)
        return self._posterior(earlier).observe(signs)


def passed(belief: ClueDeclaration, viewer: str, seen: Seen[ClueEvent]) -> list[Evidence]:
    """The evidence that another player suggested something, and passed; empty if nothing."""
    event = seen.event
    if not isinstance(event, Suggestion) or event.refuter is not None or event.by == viewer:
        return []
    note = f"event {seen.number}: nobody refuted {event.by}, who passed"
    held = belief.cards.which(event.by, event.cards)
    return [held.weigh((MISSED, *[1.0] * 7), because=note, event=seen.number)]
