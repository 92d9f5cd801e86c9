"""What one viewer of a recorded game of Clue could have known at every moment, and why.

The one computation behind the command's text, its JSON and the HTML report: none of them
computes anything of its own.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from ..beliefs.clue import ClueBelief
from ..beliefs.engines.base import EXACT, Diagnostics
from ..beliefs.posterior import Posterior
from ..data.errors import (
    ContradictionError,
    CostError,
    EvidenceError,
    SettingsError,
    UnsupportedError,
)
from ..data.version import version
from ..models.clue.cards import CARDS, CASE_FILE, FACE_UP
from ..models.clue.choice import ChoiceModel
from ..models.clue.events import ClueEvent, Suggestion, Triple
from ..models.clue.seen import SeenGame
from .clue_words import describe, listed

Marginals = dict[str, dict[str, float]]
"""Card -> holder -> probability; holders with probability 0 are left out."""

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many steps are done, and how many there are."""

SUGGESTIONS: Final = 10
ADVICE: Final = 3
LEADING: Final = 3
_CERTAIN: Final = 1.0 - 1e-9


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
    """A suggestion that the viewer made, beside the best he could have made then.

    Attributes:
        made: His suggestion, valued by what he knew before the answer.
        best: The suggestions that would have told most, descending.
    """

    made: Advice
    best: tuple[Advice, ...]


@dataclass(frozen=True)
class Certainty:
    """A card whose holder is certain.

    Attributes:
        card, holder: The card and who has it (a player, ``"case file"`` or ``"face up"``).
        because: Numbers of the events that prove it, none of which can be left out; empty for
            what the viewer knew before the first event.
    """

    card: str
    holder: str
    because: tuple[int, ...]


@dataclass(frozen=True)
class Moment:
    """What was known after one event.

    Attributes:
        event: The event's number; 0 is before the first.
        text: The event in words.
        seen: The event itself as the viewer saw it; None at moment 0.
        entropy_bits: Entropy of the case file.
        log_evidence: Natural log of the probability of all that was seen so far; NaN for an
            engine that does not estimate it.
        seconds: Time that observing the event and answering about it took.
        leading: The likeliest contents of the case file with their probabilities, descending.
        marginals: Who has which card.
        turn: For a suggestion by the viewer, its value; None where that was not asked for.
        diagnostics: How far an approximation can be trusted at this moment.
    """

    event: int
    text: str
    seen: ClueEvent | None
    entropy_bits: float
    log_evidence: float
    seconds: float
    leading: tuple[tuple[Triple, float], ...]
    marginals: Marginals
    turn: OwnTurn | None = None
    diagnostics: Diagnostics = EXACT

    @property
    def case_file(self) -> dict[str, float]:
        """Probability of every card to be in the case file, in deck order."""
        return {card: self.marginals[card].get(CASE_FILE, 0.0) for card in CARDS}


@dataclass(frozen=True, kw_only=True)
class Analysis:
    """A whole analysed game.

    Attributes:
        name, source: Free text of the record, if it has any.
        players: Names in turn order.
        hand_sizes: (player, number of cards), in turn order.
        viewer: Whose view it is: a player, ``"spectator"`` or ``"notebook"``.
        is_player: Whether the viewer is one of the players.
        own_hand, face_up: Cards known from the start, in deck order.
        method: The engine that answered.
        exact: Whether its answers are exact.
        choice: The model of the refuters' choices.
        seed: Seed of approximate engines.
        version: The version of sleuth.
        record_sha256: Digest of what the viewer saw.
        timeline: Before the first event, and after each.
        case_file: All possible contents of the case file with their probabilities, descending.
        suggestions: The suggestions that would tell most after the last event, descending;
            empty for one who only looks on.
        certain: Every card whose holder is certain after the last event, in deck order.
        notes: What a reader should know about an approximation.
    """

    name: str | None
    source: str | None
    players: tuple[str, ...]
    hand_sizes: tuple[tuple[str, int], ...]
    viewer: str
    is_player: bool
    own_hand: tuple[str, ...]
    face_up: tuple[str, ...]
    method: str
    exact: bool
    choice: str
    seed: int
    version: str
    record_sha256: str
    timeline: tuple[Moment, ...]
    case_file: tuple[tuple[Triple, float], ...]
    suggestions: tuple[Advice, ...]
    certain: tuple[Certainty, ...]
    notes: tuple[str, ...]

    @property
    def events(self) -> int:
        """Number of events the viewer saw."""
        return len(self.timeline) - 1

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
            "timeline": [
                {
                    "event": moment.event,
                    "entropy_bits": moment.entropy_bits,
                    "log_evidence": _number(moment.log_evidence),
                    "seconds": moment.seconds,
                }
                for moment in self.timeline
            ],
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
                {"card": each.card, "holder": each.holder, "because": list(each.because)}
                for each in self.certain
            ],
            "version": self.version,
            "seed": self.seed,
            "record_sha256": self.record_sha256,
        }


def analyse(
    game: SeenGame,
    *,
    method: str = "auto",
    choice: str | ChoiceModel = "random",
    suggestions: int | None = SUGGESTIONS,
    advice: int = 0,
    samples: int = 10_000,
    seed: int = 0,
    name: str | None = None,
    source: str | None = None,
    progress: Progress | None = None,
) -> Analysis:
    """What the viewer of ``game`` could have known at every moment of it.

    Args:
        method: An engine's name, or ``"auto"``: the cheapest exact one.
        choice: How refuters choose among the cards they could show.
        suggestions: How many of the best suggestions after the last event to name; None for
            all 324.
        advice: How many of the best suggestions to name at each of the viewer's own turns; 0
            leaves his turns unjudged, which is faster.
        samples: Worlds of approximate engines.
        seed: Their seed.
        name, source: Free text to carry along.
        progress: Told how far the work has come.

    Raises:
        ContradictionError: The record cannot have happened; the message names the events.
        SettingsError: An option has an impossible value.
        CostError, UnsupportedError: The method cannot do it.
    """
    if suggestions is not None and suggestions < 0:
        raise SettingsError("a number of suggestions is not negative", value=suggestions)
    if samples < 1:
        raise SettingsError("draw at least one sample", where="samples", value=samples)
    tell = progress or _silent
    timeline: list[Moment] = []
    posterior: Posterior | None = None
    belief = ClueBelief(game, choice)
    for moment, after in moments(
        game, belief, method=method, advice=advice, samples=samples, seed=seed, progress=tell
    ):
        timeline.append(moment)
        posterior = after
    assert posterior is not None, "moment 0 is always there"
    tell("weighing suggestions", len(game.events), len(game.events))
    best = _best(game, belief, posterior, suggestions) if game.is_player else ()
    tell("proving what is certain", len(game.events), len(game.events))
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
        choice=belief.choice.name,
        seed=seed,
        version=version(),
        record_sha256=game.digest,
        timeline=tuple(timeline),
        case_file=tuple(posterior.most_likely(belief.case_file, n=_ALL)),
        suggestions=best,
        certain=tuple(_certain(belief, posterior)),
        notes=tuple(_notes(timeline)),
    )


_ALL: Final = 324


def moments(
    game: SeenGame,
    belief: ClueBelief,
    *,
    method: str = "auto",
    advice: int = 0,
    samples: int = 10_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Iterator[tuple[Moment, Posterior]]:
    """The moments of a game one by one, each with the posterior it was read from.

    Arguments and errors are those of `analyse`.
    """
    tell = progress or _silent
    total = len(game.events)
    start = time.perf_counter()
    posterior = belief.infer(method=method, samples=samples, seed=seed)
    yield _moment(belief, posterior, 0, "before the first event", None, start, None), posterior
    for seen in game.events:
        tell("observing events", seen.number - 1, total)
        event = seen.event
        turn = None
        if advice and isinstance(event, Suggestion) and event.by == game.viewer:
            turn = _own_turn(game.until(seen.number - 1), belief, posterior, event, advice)
        start = time.perf_counter()
        try:
            posterior = posterior.observe(belief.evidence(seen))
        except ContradictionError as error:
            raise _readable(error, game) from None
        text = describe(event)
        yield _moment(belief, posterior, seen.number, text, event, start, turn), posterior


def _moment(
    belief: ClueBelief,
    posterior: Posterior,
    number: int,
    text: str,
    seen: ClueEvent | None,
    start: float,
    turn: OwnTurn | None,
) -> Moment:
    leading = posterior.most_likely(belief.case_file, n=LEADING)
    entropy = posterior.entropy(belief.case_file)
    marginals = {
        card: {holder: p for holder, p in shares.items() if p > 0.0}
        for card, shares in posterior.table(belief.cards).items()
    }
    return Moment(
        event=number,
        text=text,
        seen=seen,
        entropy_bits=entropy,
        log_evidence=posterior.log_evidence,
        seconds=time.perf_counter() - start,
        leading=tuple(leading),
        marginals=marginals,
        turn=turn,
        diagnostics=posterior.diagnostics,
    )


def _own_turn(
    before: SeenGame, belief: ClueBelief, posterior: Posterior, event: Suggestion, advice: int
) -> OwnTurn:
    about = belief.case_file

    def judge(posterior: Posterior) -> OwnTurn:
        made = posterior.information_gain(belief.suggestion(event.cards), about=about)
        best = posterior.best_questions(belief.suggestions, about=about, n=advice)
        return OwnTurn(
            Advice(event.cards, made),
            tuple(Advice(_triple(question.name), gain) for question, gain in best),
        )

    return _valued(before, belief, posterior, judge)


def _best(
    game: SeenGame, belief: ClueBelief, posterior: Posterior, count: int | None
) -> tuple[Advice, ...]:
    """The best suggestions, all of them valued so that none is missed."""
    questions = belief.suggestions
    if count == 0:
        return ()

    def judge(posterior: Posterior) -> tuple[Advice, ...]:
        gains: Any = posterior.information_gain(questions, about=belief.case_file)
        # Gains that differ by rounding only are equal, and equal ones keep their order.
        order = sorted(
            range(len(questions)), key=lambda place: (-round(float(gains[place]), 12), place)
        )
        return tuple(
            Advice(_triple(questions[place].name), float(gains[place])) for place in order[:count]
        )

    return _valued(game, belief, posterior, judge)


_Valued = TypeVar("_Valued")


def _valued(
    game: SeenGame, belief: ClueBelief, posterior: Posterior, judge: Callable[[Posterior], _Valued]
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


def _certain(belief: ClueBelief, posterior: Posterior) -> Iterator[Certainty]:
    """Cards whose holder follows from hard facts alone.

    An approximation can give a wrong 1 (nothing else was drawn) and can miss a right one, so its
    likeliest holders are only candidates; the proof is exact either way.
    """
    threshold = _CERTAIN if posterior.exact else 0.5
    for card, shares in posterior.table(belief.cards).items():
        for holder, probability in shares.items():
            if probability < threshold:
                continue
            condition = belief.cards.holder_of(card).equals(holder)
            try:
                because = posterior.explain(condition)
            except EvidenceError:  # very likely, yet not proven
                continue
            yield Certainty(card, holder, tuple(unit for unit in because if isinstance(unit, int)))


def _readable(error: ContradictionError, game: SeenGame) -> ContradictionError:
    """The same contradiction, with what its events say."""
    numbers = [unit for unit in error.evidence if isinstance(unit, int)]
    if not numbers:
        return error
    facts = "; ".join(f"{number}: {describe(game.events[number - 1].event)}" for number in numbers)
    which = f"event {numbers[0]}" if len(numbers) == 1 else f"events {listed(_texts(numbers))}"
    verb = "cannot be true" if len(numbers) == 1 else "cannot all be true"
    return ContradictionError(f"{which} {verb} ({facts})", evidence=error.evidence)


def _texts(numbers: list[int]) -> list[str]:
    return [str(number) for number in numbers]


def _number(value: float) -> float | None:
    """JSON has no NaN."""
    return None if math.isnan(value) else value


def _silent(what: str, done: int, total: int) -> None:
    """No progress wanted."""
