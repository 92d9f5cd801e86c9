"""A recorded game of Clue from one viewer's eyes: what they knew, what was worth asking."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

from ...beliefs.games.clue.declaration import ClueDeclaration
from ...beliefs.language.features import Feature
from ...beliefs.posterior import Posterior
from ...data.errors import ContradictionError, CostError, SettingsError, UnsupportedError
from ...data.progress import Tell
from ...models.clue.editions import CLASSIC
from ...models.clue.events import Accusation, ClueEvent, Move, Named, Suggestion
from ...models.clue.refuters import ChoiceModel
from ..kit.analysis.transcript import Standpoint, Transcript
from ..kit.answers.values import Statements
from ..kit.number_words import counted, listed
from .findings import ClueDetail, ClueFindings, ClueMoment, OwnSuggestion, WalkPlan
from .notebook import notebook
from .recorded import Recorded
from .words import cards_of, describe, known_of, rules_said, size_of
from .worth import (
    SPARE,
    all_are_dear,
    dear,
    most_worth,
    on_drawn_deals,
    ranked,
    suggestions_of,
    worth_of,
)

if TYPE_CHECKING:
    from ...beliefs.games.clue.hearing import HearingBelief
    from ...models.clue.seen import SeenClue

#: Suggestions that are named in the end, and at each of the viewer's own turns.
SUGGESTIONS: Final = 10
ADVICE: Final = 3
#: The choice of refuters where it is heard.
HEARD: Final = "learned"
_SETTLED: Final = 1e-9
_Answer = TypeVar("_Answer")


class ClueTranscript(Transcript[ClueDetail, ClueFindings]):
    """A game of Clue as one viewer saw it; what is open is the case file.

    Args:
        recorded: The game, and what stands beside it.
        method: An engine's name, or ``"auto"``: the cheapest exact one.
        choice: How refuters choose among the cards they could show.
        heard: What hears what players ask and show, and knows what follows instead; the method is
            its own.
        suggestions: How many of the best suggestions after the last event to name; None for
            all of them.
        advice: How many of the best suggestions to name at each of the viewer's own turns; 0
            leaves their turns unjudged, which is faster.
        samples, seed: For approximate engines.

    Raises:
        SettingsError: An option has an impossible value.
    """

    game = "clue"
    about = "the case file"

    def __init__(
        self,
        recorded: Recorded,
        *,
        method: str = "auto",
        choice: str | ChoiceModel = "random",
        heard: HearingBelief | None = None,
        suggestions: int | None = SUGGESTIONS,
        advice: int = 0,
        samples: int = 10_000,
        seed: int = 0,
    ) -> None:
        if suggestions is not None and suggestions < 0:
            raise SettingsError("a number of suggestions is not negative", value=suggestions)
        seen = self.seen = recorded.game
        self.declared = ClueDeclaration(seen, choice)
        self.name, self.source = recorded.name, recorded.source
        self.title = recorded.name or "A game of Clue"
        self.heading = tuple(_heading(seen))
        self.viewer, self.sha256, self.events = seen.viewer, seen.digest, len(seen.events)
        self.seed = seed
        self._recorded, self._choice, self._heard = recorded, choice, heard
        self._suggestions, self._advice = suggestions, advice
        self._infer = partial(self.declared.infer, method=method, samples=samples, seed=seed)
        # Beside a table some events may be left out of what was seen.
        self._said = {each.number: describe(each.event) for each in seen.events}

    def standpoints(self) -> Iterator[Standpoint[ClueDetail]]:
        """The viewer's knowledge of the case file before the first event, and after each.

        Raises:
            ContradictionError: The record cannot have happened; the message names the events.
            CostError, UnsupportedError: The method cannot do it.
        """
        posterior: Posterior | None = None
        for number, seen in enumerate((None, *self.seen.events)):
            event, before = None if seen is None else seen.event, posterior
            try:
                if self._heard is not None:
                    posterior = self._heard.posterior(self.seen.until(number))
                elif posterior is None or seen is None:
                    posterior = self._infer()
                else:
                    posterior = posterior.observe(self.declared.evidence(seen))
            except ContradictionError as error:
                raise _readable(error, self.seen) from None
            yield Standpoint(
                text="before the first event" if event is None else describe(event),
                posterior=posterior,
                hidden={"case file": self.declared.case_file},
                own=self.seen.is_player
                and isinstance(event, (Suggestion, Accusation, Move))
                and event.by == self.viewer,
                detail=partial(self._detail, number, event, before, posterior),
            )

    def findings(
        self, timeline: Sequence[ClueMoment], last: Standpoint[ClueDetail], tell: Tell
    ) -> ClueFindings:
        """The possible case files, the suggestion to make, and where to go."""
        posterior, belief, count = last.posterior, self.declared, self._suggestions
        assert posterior is not None
        best: list[tuple[Named, float]] = []
        advised = ()
        if self.seen.is_player and count != 0:
            tell("weighing suggestions", self.events, self.events)
            # All of them are valued if it can be afforded, so that none is missed.
            best = self._valued(self.events, posterior, partial(_telling, belief, count))[:count]
            advised = self._valued(
                self.events, posterior, lambda known: (*most_worth(belief, known, count),)
            )
        tell("planning the walk", self.events, self.events)
        return ClueFindings(
            seen=self.seen,
            choice=belief.choice.name if self._heard is None else HEARD,
            marginals=timeline[-1].detail.marginals,
            case_file=tuple(posterior.most_likely(belief.case_file, n=self.seen.edition.triples)),
            suggestions=tuple(best),
            advised=advised,
            walk=self._walk(timeline),
        )

    def provable(self, last: Standpoint[ClueDetail]) -> Mapping[str, Feature]:
        """The holder of each card."""
        return {card: self.declared.cards.holder_of(card) for card in self.seen.edition.cards}

    def rows(self, now: Standpoint[ClueDetail]) -> Iterator[tuple[str, str, float]]:
        """The holder of each card, with probabilities."""
        assert now.posterior is not None
        for card, shares in self.declared.table(now.posterior).items():
            for holder, share in shares.items():
                if share > 0.0:
                    yield card, holder, share

    def scene(self, now: Standpoint[ClueDetail]) -> Statements:
        """The notebook."""
        assert now.posterior is not None
        return [notebook(self.declared.table(now.posterior), self.seen.edition.categories)]

    def reason(self, posterior: Posterior, unit: str | int) -> str:
        """An event by its number and in words."""
        said = self._said.get(unit) if isinstance(unit, int) else None
        return super().reason(posterior, unit) if said is None else f"event {unit}: {said}"

    def _detail(
        self, number: int, event: ClueEvent | None, before: Posterior | None, posterior: Posterior
    ) -> ClueDetail:
        marginals = {
            card: {holder: share for holder, share in shares.items() if share > 0.0}
            for card, shares in self.declared.table(posterior).items()
        }
        suggestion = None
        if self._advice and before and isinstance(event, Suggestion) and event.by == self.viewer:
            belief = self.declared.at(self.seen.until(number - 1))
            judge = partial(self._judged, belief, event.cards)
            suggestion = self._valued(number - 1, before, judge)
        return ClueDetail(event, marginals, suggestion)

    def _judged(self, belief: ClueDeclaration, cards: Named, before: Posterior) -> OwnSuggestion:
        made = worth_of(belief, before, cards)
        best = most_worth(belief, before, self._advice)
        # Nothing is called better than what was not looked at.
        found = ranked([*(each for each in best if each.cards != cards), made], self.seen.edition)
        return OwnSuggestion(made, tuple(found[: self._advice]))

    def _valued(
        self, events: int, posterior: Posterior, judge: Callable[[Posterior], _Answer]
    ) -> _Answer:
        """The value that ``judge`` gives a posterior; where an exact engine cannot, by another.

        Gains ask for joints of six cards, which some engines refuse; any exact one gives the very
        numbers they would.
        """
        try:
            return judge(posterior)
        except (CostError, UnsupportedError):
            if not posterior.exact:
                raise
            return judge(self.declared.infer(self.seen.until(events)))

    def _walk(self, timeline: Sequence[ClueMoment]) -> WalkPlan | None:
        """The treasure hunt's plan for the last walk with the case file open."""
        from ...planners.clue.treasure_hunt.hunt import TreasureHunt

        standing = next(
            (
                each
                for each in reversed(self._recorded.standings)
                if timeline[each.event].entropy_bits > _SETTLED
            ),
            None,
        )
        walks = self.seen.edition.board is not None and self.seen.rules.room == "own"
        if standing is None or not self.seen.is_player or not walks:
            return None
        known = self.seen.until(standing.event)
        belief = ClueDeclaration(known, self._choice)
        # Without a limit in seconds the same record gives the same report.
        hunt = TreasureHunt(belief=belief, dice=standing.dice, seconds=None)
        posterior = belief.infer(known) if self._heard is None else self._heard.posterior(known)
        return WalkPlan(standing, hunt.plan(posterior, standing.place, standing.last))


def _heading(seen: SeenClue) -> Iterator[str]:
    """The players, and whose view it is."""
    hands = ", ".join(f"{player} ({size_of(seen, player)})" for player in seen.players)
    if seen.edition != CLASSIC:
        yield f"Edition: {seen.edition.title}"
    yield f"Players, with their number of cards: {hands}"
    if seen.face_up:
        yield f"Face up: {listed(seen.face_up)}"
    if seen.left_over:
        yield f"Face down: {counted(seen.left_over, 'card')}"
    if rules := rules_said(seen.rules):
        yield f"House rules: {'; '.join(rules)}"
    if not seen.is_player:
        what = "the whole notebook" if seen.viewer == "notebook" else "what a spectator sees"
        yield f"This is {what}."
    elif seen.own_hand:
        yield f"Seen by {seen.viewer}, who holds {listed(seen.own_hand)}."
    elif dict(seen.hand_sizes)[seen.viewer] == 0:
        yield f"Seen by {seen.viewer}, who holds no card."
    else:
        yield f"Seen by {seen.viewer}, whose hand is not known."


def _telling(
    belief: ClueDeclaration, count: int | None, posterior: Posterior
) -> list[tuple[Named, float]]:
    """Suggestions with the bits that they tell, descending; so many at least, None for all."""
    every = suggestions_of(belief)
    if dear(belief, posterior):
        drawn = on_drawn_deals(belief, posterior)
        return sorted(((each.cards, each.bits) for each in drawn), key=lambda pair: -pair[1])
    if count is not None and all_are_dear(belief, posterior):
        drawn = sorted(on_drawn_deals(belief, posterior), key=lambda each: -each.bits)
        kept = {each.cards for each in drawn[: count + SPARE]}
        every = [cards for cards in every if cards in kept]
    questions = {", ".join(cards): cards for cards in every}
    best = posterior.best_questions(
        [belief.suggestion(cards) for cards in every], about=belief.case_file, n=len(every)
    )
    return [(questions[question.name], gain) for question, gain in best]


def _readable(error: ContradictionError, game: SeenClue) -> ContradictionError:
    """The same contradiction, with what its events say, and what the viewer holds against it."""
    events = {seen.number: seen.event for seen in game.events}
    numbers = [unit for unit in error.evidence if unit in events and isinstance(unit, int)]
    if not numbers:
        return error
    said = [f"{number}: {describe(events[number])}" for number in numbers]
    named = {card for number in numbers for card in cards_of(events[number])}
    facts = "; ".join([*said, *known_of(named, game.viewer, game.own_hand, game.face_up)])
    which = f"event {numbers[0]}" if len(numbers) == 1 else f"events {listed([*map(str, numbers)])}"
    verb = "cannot be true" if len(numbers) == 1 else "cannot all be true"
    return ContradictionError(
        f"{which} {verb} ({facts})", evidence=error.evidence, hint=_house_rule(game, numbers)
    )


def _house_rule(game: SeenClue, numbers: Sequence[int]) -> str:
    """A hint at the house rule by which some events could be true; empty if there is none."""
    for seen in game.events:
        event = seen.event
        if not isinstance(event, Suggestion) or seen.number not in numbers:
            continue
        out = {*event.passed} & {*game.until(seen.number - 1).out}
        if out:
            return (
                f"if nobody asks {sorted(out)[0]} any more, who accused wrongly, "
                'write "rules": {"player_out": "skipped"}'
            )
    return ""
