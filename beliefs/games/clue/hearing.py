"""A belief that also listens: what a player of Clue asks says something about their own cards.

Some players never name a card that they hold, some name one to ask about the others alone, some
name any. Which of these somebody is, is found out while they play. And a player whose suggestion
nobody refuted, and who does not accuse then, most likely holds one of the three cards.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....models.clue.edition import ClueEdition
from ....models.clue.events import Accusation, ClueEvent, Suggestion
from ....models.clue.seen import SeenClue
from ....models.records.events import Seen
from ...arrays.layout import Floats
from ...engines.partial_deals.graph import Graph
from ...infer import infer
from ...kinds import KindMixture, Kinds
from ...language.features import together
from ...language.variables import Choice
from ...modelling.model import Model
from ...posterior import Posterior
from .declaration import ClueDeclaration
from .play import ClueBelief, declared

#: Kinds of players who seek the case file, who ask about others, and who name any cards: how often
#: each names a card of their own, category by category, and how common these kinds are.
#: `names_own` of benchmarks/clue/matches.py says how often the agents here do it.
OWN: Final = {"seeks the file": 0.02, "asks about others": 0.45, "names any": 0.25}
COMMON: Final = {"seeks the file": 0.4, "asks about others": 0.4, "names any": 0.2}
KINDS: Final = Kinds(COMMON, none=0.0, slip=0.0)
#: How likely it is that a player does not accuse whom nobody refuted and who holds none of the
#: cards.
MISSED: Final = 0.02

#: By which of the three cards somebody holds, the bits of `Deal.which`.
HELD: Final = np.array([[index >> place & 1 for place in range(3)] for index in range(8)])
#: How likely it is by that, that somebody passes whom nobody refuted.
PASSING: Final = np.array([MISSED, *[1.0] * 7])

METHOD: Final = "card_by_card"
#: With more edges than this in its graph a posterior is not quick any more: some 30 ms.
MOST_EDGES: Final = 40_000


class HearingMoment(NamedTuple):
    """A viewer's knowledge, and what they heard.

    Attributes:
        plain: What follows by the rules. Where kinds of players are declared, with all that was
            heard.
        heard: What was heard of those whose kinds are not declared; None where they are.
    """

    plain: Posterior
    heard: KindMixture | None

    def posterior(self) -> Posterior:
        """The posterior from both."""
        return self.plain if self.heard is None else self.plain.observe(self.heard.evidence())


class HearingBelief(ClueBelief):
    """The belief from the rules, and from what the others ask.

    All that somebody asks shows what kind of player they are; each suggestion is weighed by what
    their others say of it, see `KindMixture`. With ``declared`` kinds are part of the model.

    Args:
        walks: Whether players walk to the rooms that they name: then rooms say nothing.
    """

    #: The kinds of players for whom `asking` says how likely they ask.
    kinds: Kinds = KINDS
    #: Whether kinds are declared, and everything is exact, as long as that is quick.
    exact: bool = False

    def __init__(self, *, walks: bool = False) -> None:
        super().__init__()
        self.walks = walks
        self._heard = lru_cache(maxsize=self.kept)(self._listened)

    def __reduce__(self) -> Any:
        return partial(type(self), walks=self.walks), ()

    def posterior(self, known: SeenClue) -> Posterior:
        """The posterior from all that the viewer saw."""
        return self._heard(known).posterior()

    def kinds_of(self, known: SeenClue) -> dict[str, dict[str, float]]:
        """For each other player how likely they are of which kind, by all that the viewer saw."""
        found = self._heard(known)
        others = [player for player in known.players if player != known.viewer]
        if found.heard is not None:
            return {player: found.heard.marginal(player) for player in others}
        return {
            player: dict(
                zip(
                    self.kinds.names,
                    found.plain.distribution(self.kinds.of(player).value()).tolist(),
                    strict=True,
                )
            )
            for player in others
        }

    def worlds(self, posterior: Posterior, n: int, rng: np.random.Generator) -> NDArray[np.int16]:
        """``n`` draws for the game's ``fill``: the holder of each card; shape (n, cards)."""
        kinds = sum(isinstance(each, Choice) for each in posterior.model.variables)
        worlds = super().worlds(posterior, n, rng)
        return np.ascontiguousarray(worlds[:, : worlds.shape[1] - kinds])

    def _listened(self, known: SeenClue) -> HearingMoment:
        if not known.events:
            return self._begin(known)
        count = len(known.events)
        last, earlier = known.events[-1], known.until(count - 1)
        if isinstance(last.event, Accusation) and count > 1:
            previous, before = known.events[-2], known.until(count - 2)
            if isinstance(previous.event, Suggestion) and previous.event.by == last.event.by:
                # They did not pass after their suggestion.
                asked = self._after(self._heard(before), before, previous, passed=False)
                return self._after(asked, earlier, last)
        return self._after(self._heard(earlier), earlier, last)

    def _begin(self, known: SeenClue) -> HearingMoment:
        belief = declared(known.until(0))
        if not self.exact:
            return HearingMoment(belief.infer(), KindMixture(self.kinds))
        others = [player for player in known.players if player != known.viewer]
        model = Model(belief.cards, *map(self.kinds.of, others))
        return HearingMoment(infer(model, belief.dealt, method=METHOD), None)

    def _after(
        self, before: HearingMoment, known: SeenClue, seen: Seen[ClueEvent], *, passed: bool = True
    ) -> HearingMoment:
        """The knowledge after one more event.

        Args:
            before: What was known.
            known: What had been seen.
            seen: The event.
            passed: Whether a player whom nobody refuted did not accuse then.
        """
        event, heard = seen.event, before.heard
        given = self.declared(known).evidence(seen)
        if isinstance(event, Suggestion) and event.by != known.viewer:
            chances = self.asking(known, event)
            if passed and event.refuter is None and settles(known, event):
                chances = chances * self.passing()
            # By which of the cards named they hold: without a room there are fewer.
            chances = chances[:, : 1 << len(event.cards)]
            note = f"event {seen.number}: {event.by} asked for {', '.join(event.cards)}"
            held = declared(known.until(0)).cards.which(event.by, event.cards)
            if heard is None:
                pair = together(held, self.kinds.of(event.by).value())
                table = (chances.T / chances.max()).ravel()
                given += [pair.weigh(table, because=note, event=seen.number)]
            else:
                posterior = before.posterior()
                heard = heard.hear(
                    event.by, held, chances, posterior, because=note, event=seen.number
                )
        after = HearingMoment(before.plain.observe(given), heard)
        if heard is None and _slow(after.plain):
            return self._forward(known, seen, passed=passed)
        return after

    def _forward(self, known: SeenClue, seen: Seen[ClueEvent], *, passed: bool) -> HearingMoment:
        """The knowledge after one more event, where kinds are not declared any more."""
        events = (*known.events, seen)
        found = HearingMoment(declared(known.until(0)).infer(), KindMixture(self.kinds))
        for place, (each, following) in enumerate(zip(events, (*events[1:], None), strict=True)):
            if following is None:
                passes = passed
            else:
                passes = not isinstance(following.event, Accusation) or (
                    getattr(each.event, "by", None) != following.event.by
                )
            found = self._after(found, known.until(place), each, passed=passes)
        return found

    def declared(self, known: SeenClue) -> ClueDeclaration:
        """The declaration that says what follows from the next event by the rules."""
        return declared(known.until(0))

    def asking(self, known: SeenClue, event: Suggestion) -> Floats:
        """The probability that each kind makes the next suggestion; see `asking_chances`."""
        size = known.expected_size(event.by)
        return asking_chances(size, self._walked(event), known.edition)

    def _walked(self, event: Suggestion) -> bool:
        """True if the room of a suggestion says nothing, or there is none."""
        return self.walks or event.room is None

    def passing(self) -> Floats:
        """The probability that each kind passes after an unrefuted suggestion; (kinds, 8)."""
        return PASSING


def settles(known: SeenClue, event: Suggestion) -> bool:
    """True if the case file is what a suggester named and does not hold, when nobody refuted.

    A card that was named may also lie face down, or be with somebody whom nobody asks any more;
    and a suggestion without a room says nothing of that.

    Args:
        known: What had been seen before.
        event: The suggestion.
    """
    named = event.room is not None
    return named and not known.left_over and not known.rules.skipped(known.out)


@lru_cache
def asking_chances(hand: float, walks: bool, edition: ClueEdition) -> Floats:
    """The probability that each kind of player names three cards, by which of them they hold.

    Shape (kinds, 8). Of the cards of a category they hold as many as is usual for their hand.
    """
    chances = np.ones((len(OWN), 8))
    for place, cards in enumerate(edition.categories.values()):
        if walks and place == 2:
            continue
        size = len(cards)
        held = min(hand * size / len(edition.cards), size - 1)
        for kind, own in enumerate(OWN.values()):
            chances[kind] *= np.where(HELD[:, place], own / held, (1.0 - own) / (size - held))
    return chances


def _slow(posterior: Posterior) -> bool:
    """True if it takes long to answer, and to go on from."""
    solution = posterior.solution
    return isinstance(solution, Graph) and solution.edges > MOST_EDGES
