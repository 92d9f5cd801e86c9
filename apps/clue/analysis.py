"""What one viewer of a recorded game of Clue could have known at every moment, and why.

The one computation behind the command's text, its JSON and the HTML report: none of them
computes anything of its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from ...beliefs.engines.base import EXACT, Diagnostics
from ...beliefs.games.clue.declaration import ClueDeclaration
from ...beliefs.posterior import Posterior
from ...data.errors import ContradictionError, CostError, SettingsError, UnsupportedError
from ...data.version import version
from ...models.clue.cards import CARDS, CASE_FILE, FACE_UP
from ...models.clue.events import Accusation, ClueEvent, Move, Suggestion, Triple
from ...models.clue.refuters import ChoiceModel
from ...models.clue.seen import SeenGame
from ..kit.analysis.moved import Moved, moved
from ..kit.console import Tell
from ..kit.number_words import listed
from ..kit.proving import Proven, proven
from ..kit.records.timeline import Known, Timeline
from .words import cards_of, describe, known_of
from .worth import Worth, most_worth, ranked, worth_of

if TYPE_CHECKING:
    from ...beliefs.games.clue.hearing import HearingBelief
    from ...planners.clue.treasure_hunt.hunt import Plan
    from .whereabouts import Standing

Marginals = dict[str, dict[str, float]]
"""Card -> holder -> probability; holders with probability 0 are left out."""

SUGGESTIONS: Final = 10
ADVICE: Final = 3
LEADING: Final = 3
#: The choice of refuters where it is heard.
HEARD: Final = "learned"


@dataclass(frozen=True)
class Advice:
    """A suggestion and what it tells about the case file on average.

    Attributes:
        cards: Suspect, weapon, room.
        gain_bits: Expected drop of the case file's entropy.
    """

    cards: Triple
    gain_bits: float


@dataclass(frozen=True)
class OwnTurn:
    """A suggestion that the viewer made, beside the best they could have made then.

    Attributes:
        made: Their suggestion, valued by what they knew before the answer.
        best: The suggestions that would have been worth most, descending.
    """

    made: Worth
    best: tuple[Worth, ...]


@dataclass(frozen=True)
class Walk:
    """Where a viewer could go on the board, and why.

    Attributes:
        standing: Where the pawns stood.
        plan: What the treasure hunt says of it.
    """

    standing: Standing
    plan: Plan


@dataclass(frozen=True, kw_only=True)
class Moment(Known):
    """What was known after one event; the entropy is that of the case file.

    Attributes:
        seen: The event itself as the viewer saw it; None at moment 0.
        leading: The likeliest contents of the case file with their probabilities, descending.
        marginals: Who has which card.
        turn: For a suggestion by the viewer, its value; None where that was not asked for.
        diagnostics: How far an approximation can be trusted at this moment.
    """

    seen: ClueEvent | None
    leading: tuple[tuple[Triple, float], ...]
    marginals: Marginals
    turn: OwnTurn | None = None
    diagnostics: Diagnostics = EXACT

    @property
    def case_file(self) -> dict[str, float]:
        """Probability of every card to be in the case file, in deck order."""
        return {card: self.marginals[card].get(CASE_FILE, 0.0) for card in CARDS}


@dataclass(frozen=True, kw_only=True)
class Analysis(Timeline[Moment]):
    """A whole analysed game.

    Attributes:
        name, source: Free text of the record, if it has any.
        players: Names in turn order.
        hand_sizes: (player, number of cards), in turn order.
        viewer: Whose view it is: a player, ``"spectator"`` or ``"notebook"``.
        is_player: Whether the viewer is one of the players.
        own_hand, face_up: Cards known from the start, in deck order.
        exact: Whether the engine's answers are exact.
        choice: The model of the refuters' choices.
        record_sha256: Digest of what the viewer saw.
        case_file: All possible contents of the case file with their probabilities, descending.
        suggestions: The suggestions that would tell most after the last event, descending;
            empty for one who only looks on.
        advised: Those that would be worth most, descending, as many.
        proven: Every card whose holder is certain after the last event, in deck order, and the
            numbers of the events that prove it.
        moved: Which events moved the belief in the likeliest case file most; empty for an
            approximation.
        notes: What a reader should know about an approximation.
        walk: The last walk of the viewer with the case file still open; None off the board, and
            where nobody asked.
    """

    name: str | None
    source: str | None
    players: tuple[str, ...]
    hand_sizes: tuple[tuple[str, int], ...]
    viewer: str
    is_player: bool
    own_hand: tuple[str, ...]
    face_up: tuple[str, ...]
    exact: bool
    choice: str
    record_sha256: str
    case_file: tuple[tuple[Triple, float], ...]
    suggestions: tuple[Advice, ...]
    advised: tuple[Worth, ...]
    proven: tuple[Proven, ...]
    moved: tuple[Moved, ...]
    notes: tuple[str, ...]
    walk: Walk | None = None

    @property
    def own_events(self) -> tuple[int, ...]:
        """Numbers of the events that the viewer did."""
        if not self.is_player:
            return ()
        return tuple(
            moment.event
            for moment in self.timeline
            if isinstance(moment.seen, (Suggestion, Accusation, Move))
            and moment.seen.by == self.viewer
        )

    @property
    def marginals(self) -> Marginals:
        """Who has which card, after the last event."""
        return self.timeline[-1].marginals

    @property
    def holders(self) -> tuple[str, ...]:
        """The players in turn order, ``"case file"``, and ``"face up"`` if cards lie there."""
        return (*self.players, CASE_FILE, *([FACE_UP] if self.face_up else []))

    def to_json(self) -> dict[str, object]:
        """The analysis as ``sleuth analyse --json`` prints it."""
        return {
            "game": "clue",
            "method": self.method,
            "choice": self.choice,
            "events": self.events,
            "timeline": [moment.known_json() for moment in self.timeline],
            "marginals": self.marginals,
            "case_file": [
                {"suspect": suspect, "weapon": weapon, "room": room, "probability": probability}
                for (suspect, weapon, room), probability in self.case_file
            ],
            "suggestions": [
                {"cards": list(advice.cards), "information_gain_bits": advice.gain_bits}
                for advice in self.suggestions
            ],
            "certain": [
                {"card": each.name, "holder": each.value, "because": list(each.events)}
                for each in self.proven
            ],
            "influence": [each.to_json() for each in self.moved],
            "version": self.version,
            "seed": self.seed,
            "record_sha256": self.record_sha256,
        }


def analyse(
    game: SeenGame,
    *,
    method: str = "auto",
    choice: str | ChoiceModel = "random",
    heard: HearingBelief | None = None,
    suggestions: int | None = SUGGESTIONS,
    advice: int = 0,
    samples: int = 10_000,
    seed: int = 0,
    standings: Sequence[Standing] = (),
    name: str | None = None,
    source: str | None = None,
    progress: Tell | None = None,
) -> Analysis:
    """What the viewer of ``game`` could have known at every moment of it.

    Args:
        method: An engine's name, or ``"auto"``: the cheapest exact one.
        choice: How refuters choose among the cards they could show.
        heard: What hears what players ask and show, and knows what follows instead; the method is
            its own.
        suggestions: How many of the best suggestions after the last event to name; None for
            all 324.
        advice: How many of the best suggestions to name at each of the viewer's own turns; 0
            leaves their turns unjudged, which is faster.
        samples: Worlds of approximate engines.
        seed: Their seed.
        standings: Where the pawns stood when the viewer could walk: the last one is planned for
            at which the case file was open.
        name, source: Free text to carry along.
        progress: Told how far the work has come.

    Raises:
        ContradictionError: The record cannot have happened; the message names the events.
        SettingsError: An option has an impossible value.
        CostError, UnsupportedError: The method cannot do it.
    """
    if suggestions is not None and suggestions < 0:
        raise SettingsError("a number of suggestions is not negative", value=suggestions)
    tell = progress or _silent
    timeline: list[Moment] = []
    posterior: Posterior | None = None
    belief = ClueDeclaration(game, choice)
    for moment, after in moments(
        game, belief, heard, method=method, advice=advice, samples=samples, seed=seed, progress=tell
    ):
        timeline.append(moment)
        posterior = after
    assert posterior is not None, "moment 0 is always there"
    tell("weighing suggestions", len(game.events), len(game.events))
    best: tuple[Advice, ...] = ()
    advised: tuple[Worth, ...] = ()
    if game.is_player and suggestions != 0:
        # All of them are valued, so that none is missed.
        best = _valued(game, belief, posterior, lambda known: _best(belief, known, _ALL))
        advised = _valued(
            game, belief, posterior, lambda known: (*most_worth(belief, known, suggestions),)
        )
    tell("planning the walk", len(game.events), len(game.events))
    walk = _walk(game, choice, heard, timeline, standings)
    tell("proving what is certain", len(game.events), len(game.events))
    # Beside a table some events may be left out of what was seen.
    said = {seen.number: describe(seen.event) for seen in game.events}
    return Analysis(
        name=name,
        source=source,
        players=game.players,
        hand_sizes=game.hand_sizes,
        viewer=game.viewer,
        is_player=game.is_player,
        own_hand=game.own_hand,
        face_up=game.face_up,
        method=posterior.method,
        exact=posterior.exact,
        choice=belief.choice.name if heard is None else HEARD,
        seed=seed,
        version=version(),
        record_sha256=game.digest,
        timeline=tuple(timeline),
        case_file=tuple(posterior.most_likely(belief.case_file, n=_ALL)),
        suggestions=best[:suggestions],
        advised=advised,
        proven=tuple(_proven(belief, posterior)),
        moved=moved(
            posterior,
            {"case file": belief.case_file},
            lambda _, triple: ", ".join(triple),
            lambda event: f"event {event}: {said[int(event)]}",
        ),
        notes=tuple(_notes(timeline)),
        walk=walk,
    )


_ALL: Final = 324


def _walk(
    game: SeenGame,
    choice: str | ChoiceModel,
    heard: HearingBelief | None,
    timeline: Sequence[Moment],
    standings: Sequence[Standing],
) -> Walk | None:
    """What the treasure hunt says of the last walk with the case file open."""
    from ...planners.clue.treasure_hunt.hunt import TreasureHunt

    standing = next(
        (each for each in reversed(standings) if timeline[each.event].entropy_bits > _SETTLED),
        None,
    )
    if standing is None or not game.is_player:
        return None
    known = game.until(standing.event)
    belief = ClueDeclaration(known, choice)
    # Without a limit in seconds the same record gives the same report.
    hunt = TreasureHunt(belief=belief, dice=standing.dice, seconds=None)
    posterior = belief.infer(known) if heard is None else heard.posterior(known)
    return Walk(standing, hunt.plan(posterior, standing.place, standing.last))


_SETTLED: Final = 1e-9


def moments(
    game: SeenGame,
    belief: ClueDeclaration,
    heard: HearingBelief | None = None,
    *,
    method: str = "auto",
    advice: int = 0,
    samples: int = 10_000,
    seed: int = 0,
    progress: Tell | None = None,
) -> Iterator[tuple[Moment, Posterior]]:
    """The moments of a game one by one, each with the posterior it was read from.

    Arguments and errors are those of `analyse`.
    """
    tell = progress or _silent
    posterior: Posterior | None = None
    for number, seen in enumerate((None, *game.events)):
        event, turn = None if seen is None else seen.event, None
        before = posterior
        start = time.perf_counter()
        try:
            if heard is not None:
                posterior = heard.posterior(game.until(number))
            elif posterior is None or seen is None:
                posterior = belief.infer(method=method, samples=samples, seed=seed)
            else:
                posterior = posterior.observe(belief.evidence(seen))
        except ContradictionError as error:
            raise _readable(error, game) from None
        leading = posterior.most_likely(belief.case_file, n=LEADING)
        entropy = posterior.entropy(belief.case_file)
        marginals = {
            card: {holder: p for holder, p in shares.items() if p > 0.0}
            for card, shares in posterior.table(belief.cards).items()
        }
        seconds = time.perf_counter() - start
        if before is not None:
            tell("observing events", number - 1, len(game.events))
            if advice and isinstance(event, Suggestion) and event.by == game.viewer:
                turn = _own_turn(game.until(number - 1), belief, before, event, advice)
        moment = Moment(
            event=number,
            text="before the first event" if event is None else describe(event),
            seen=event,
            entropy_bits=entropy,
            log_evidence=posterior.log_evidence,
            seconds=seconds,
            leading=tuple(leading),
            marginals=marginals,
            turn=turn,
            diagnostics=posterior.diagnostics,
        )
        yield moment, posterior


def _own_turn(
    before: SeenGame, belief: ClueDeclaration, posterior: Posterior, event: Suggestion, advice: int
) -> OwnTurn:
    def judge(posterior: Posterior) -> OwnTurn:
        made = worth_of(belief, posterior, event.cards)
        best = [each for each in most_worth(belief, posterior, advice) if each.cards != made.cards]
        # Nothing is called better than what was not looked at.
        return OwnTurn(made, (*ranked([*best, made])[:advice],))

    return _valued(before, belief, posterior, judge)


def _best(belief: ClueDeclaration, posterior: Posterior, count: int) -> tuple[Advice, ...]:
    best = posterior.best_questions(belief.suggestions, about=belief.case_file, n=count)
    return tuple(Advice(_triple(question.name), gain) for question, gain in best)


_Valued = TypeVar("_Valued")


def _valued(
    game: SeenGame,
    belief: ClueDeclaration,
    posterior: Posterior,
    judge: Callable[[Posterior], _Valued],
) -> _Valued:
    """What ``judge`` says of a posterior; where an exact engine cannot, of the same by another.

    Gains ask for joints of six cards, which some engines refuse; any exact one gives the very
    numbers they would.
    """
    try:
        return judge(posterior)
    except (CostError, UnsupportedError):
        if not posterior.exact:
            raise
        return judge(belief.infer(game))


def _notes(timeline: Sequence[Moment]) -> Iterator[str]:
    """What to say of an approximation: how it did where it did worst, and its own notes."""
    told = list(timeline[-1].diagnostics.notes)
    weighed = [(m.diagnostics.effective_samples, m) for m in timeline]
    few = min(((n, m) for n, m in weighed if n is not None), key=lambda pair: pair[0], default=None)
    if few is not None:
        worth, moment = few
        yield (
            f"the answers are worth at least {worth:,.0f} independent samples, fewest {_at(moment)}"
        )
    chained = [(m.diagnostics.rhat, m) for m in timeline]
    far = max(((r, m) for r, m in chained if r is not None), key=lambda pair: pair[0], default=None)
    if far is not None:
        rhat, moment = far
        yield (
            f"R-hat over the chains is at most {rhat:.3f} (1 when they agree), largest "
            f"{_at(moment)}"
        )
    if few is None and far is None:
        unsettled = [m for m in timeline if m.diagnostics.converged is False]
        if unsettled:
            yield f"the iteration did not settle {listed([_at(moment) for moment in unsettled])}"
    yield from told
    for moment in dict.fromkeys(pair[1].event for pair in (few, far) if pair is not None):
        for note in timeline[moment].diagnostics.notes:
            if note not in told:
                yield f"{_at(timeline[moment])}: {note}"


def _at(moment: Moment) -> str:
    return f"after event {moment.event}" if moment.event else "before the first event"


def _triple(name: str) -> Triple:
    suspect, weapon, room = name.split(", ")
    return suspect, weapon, room


def _proven(belief: ClueDeclaration, posterior: Posterior) -> Iterator[Proven]:
    holders = {card: belief.cards.holder_of(card) for card in CARDS}
    for card, holder, because in proven(posterior, holders):
        yield Proven(card, holder, (), tuple(unit for unit in because if isinstance(unit, int)))


def _readable(error: ContradictionError, game: SeenGame) -> ContradictionError:
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
    return ContradictionError(f"{which} {verb} ({facts})", evidence=error.evidence)


def _silent(what: str, done: int, total: int) -> None:
    """No progress wanted."""
