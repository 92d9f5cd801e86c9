"""A viewer's possible knowledge at every moment of any recorded game, and the worth of actions.

It needs a game and its belief, and nothing else: the record is played again, and after every move
the belief answers from what the viewer has seen.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ....beliefs.games.contract import Asking, GameBelief
from ....beliefs.infer import infer
from ....beliefs.language.features import Feature, together
from ....beliefs.language.questions import Question
from ....beliefs.posterior import Posterior
from ....data.errors import (
    CostError,
    SettingsError,
    UnsupportedError,
    nearest,
    plain_name,
)
from ....data.progress import Tell, silent
from ....models.game import SPECTATOR, Game
from ....models.play import PlayRecord, SeenPlay, View, viewer_name
from ....models.records.replay import Observed, PlayScript, observed
from ....planners.agents import Valuing, parse_agent
from ....planners.search.decision import ActionReport
from ..answers.values import Statements
from ..display import Display, Sight
from ..truth import TrueState
from .following import follow
from .moments import ActionValue, AnyAnalysis, Moment, QuestionValue, TimelineAnalysis, ViewerTurn
from .transcript import Standpoint, Transcript

#: Questions that are named at each of the viewer's own turns.
BEST: Final = 3
#: The agent that values decisions if no other is asked for, and the word for none.
USUAL_AGENT: Final = "mcts:simulations=1000"
NO_AGENT: Final = "none"
#: All viewers, one after the other.
ALL: Final = "all"


def viewers(game: Game, text: str | None) -> tuple[int, ...]:
    """The viewers that a word asks for: a role, ``"spectator"`` or ``"all"``.

    Without a word it is the first role.

    Raises:
        SettingsError: The game has no such role.
    """
    if text is None:
        return (0,)
    word = plain_name(text)
    known = {plain_name(role): number for number, role in enumerate(game.roles)}
    known["spectator"] = SPECTATOR
    if word == ALL:
        return (*range(game.players), SPECTATOR)
    if word not in known:
        raise SettingsError(
            f"{game.name} has no such viewer",
            where="observer",
            value=text,
            hint=nearest(word, (*known, ALL)),
        )
    return (known[word],)


class Analyst:
    """Analyses records of one game.

    Args:
        game: The game.
        belief: What its players can know; None where nothing is hidden.
        display: Its words.
        method: An inference method; ``"auto"`` leaves the choice to the belief.
        agent: The agent that values the viewer's own moves, or ``"none"``.
        samples, seed: For approximate methods and the agent.

    Raises:
        SettingsError: There is no such agent, or it does not value actions.

    >>> import sleuth
    >>> from sleuth.kit import Analyst, display
    >>> game = sleuth.game("kuhn_poker")
    >>> analyst = Analyst(game, sleuth.belief(game), display(game), agent="none")
    >>> play = sleuth.Play.new(game, seed=1)
    >>> play.apply(1)
    >>> view, seen = play.view(0), play.seen_by(0)
    >>> analyst.posterior(view, seen).marginal(analyst.hidden(view)["card of second"])
    {'queen': 0.5, 'king': 0.5}
    >>> [moment.text for moment in analyst.analyse(play.record(), viewer=0).timeline]
    ['before the first event', 'first: bet']
    """

    def __init__(
        self,
        game: Game,
        belief: GameBelief | None,
        display: Display,
        *,
        method: str = "auto",
        agent: str = USUAL_AGENT,
        samples: int = 10_000,
        seed: int = 0,
    ) -> None:
        self.game, self.belief, self.display = game, belief, display
        self.method, self.samples, self.seed = method, samples, seed
        self.agent_name = None if agent == NO_AGENT else parse_agent(agent, game).text
        self.agent = None if agent == NO_AGENT else valuing_agent(game, agent, seed)

    def analyse(
        self, record: PlayScript, viewer: int, progress: Tell = silent
    ) -> TimelineAnalysis[None, PlayFindings]:
        """One viewer's possible knowledge at every moment of a record.

        Args:
            record: The record.
            viewer: A player's number, or ``SPECTATOR``.
            progress: Told how far the work has come.

        Raises:
            RecordError: The record breaks the rules; with the place.
            ContradictionError: By the belief, what was seen cannot have happened.
            CostError, UnsupportedError: The method cannot do it.
        """
        return follow(PlayTranscript(self, record, viewer), progress)

    def posterior(self, view: View, seen: SeenPlay) -> Posterior | None:
        """The posterior of what was seen; None where nothing is hidden or the belief is silent."""
        if self.belief is None:
            return None
        found = self.belief.infer(view, seen)
        if self.method == "auto":
            return found
        return infer(
            found.model, found.history, method=self.method, samples=self.samples, seed=self.seed
        )

    def hidden(self, view: View) -> Mapping[str, Feature]:
        """Everything that the belief calls hidden from a viewer, by name."""
        return {} if self.belief is None else self.belief.hidden(view)


@dataclass(frozen=True)
class PlayFindings:
    """The findings for a play of any game, besides those of all records.

    Attributes:
        settings: The game's settings.
        roles: The players in the order of their numbers.
        over: Whether the game was played to its end.
        last: The game after the last event, as the viewer knows it.
    """

    settings: Mapping[str, Any]
    roles: tuple[str, ...]
    over: bool
    last: View = field(repr=False, compare=False)

    def to_json(self, analysis: AnyAnalysis, /) -> dict[str, object]:
        """As plain values."""
        return {"settings": dict(self.settings), "roles": list(self.roles), "over": self.over}


class PlayTranscript(Transcript[None, PlayFindings]):
    """The record of a play of any game, from one viewer's eyes.

    Args:
        analyst: Says what is known, in which words, and what moves were worth.
        record: The record.
        viewer: A player's number, or ``SPECTATOR``.

    Raises:
        RecordError: The record breaks the rules; with the place.
    """

    def __init__(self, analyst: Analyst, record: PlayScript, viewer: int) -> None:
        game, self._analyst, self._record = analyst.game, analyst, record
        self._viewer = viewer
        last = record.replay(game)
        self.game, self.title = game.name, analyst.display.title
        self.viewer = viewer_name(game.roles, viewer)
        self.name = f"{self.title}, {self.viewer}"
        self.sha256 = last.seen_by(viewer).digest
        self.events = len(record.actions)
        self.agent, self.seed = analyst.agent_name, analyst.seed
        self._last = last.view(viewer)
        #: The true state of the moment that was asked about last.
        self._true: dict[int, TrueState] = {}
        self._prelude = (
            f"Players: {', '.join(game.roles)}",
            "Seen by a spectator, who knows what all players know."
            if viewer == SPECTATOR
            else f"Seen by {self.viewer}.",
        )
        ends = () if last.over else ("The record ends before the game does.",)
        self.heading = (*self._prelude, *ends)

    @property
    def prelude(self) -> Sequence[str]:
        """The players and whose view it is, and not how the record ends."""
        return self._prelude

    def standpoints(self) -> Iterator[Standpoint[None]]:
        """The viewer's knowledge before the first event and after every one that they saw."""
        for each in observed(self._record, self._analyst.game, self._viewer):
            yield Standpoint(
                text=self._text(each),
                posterior=self._analyst.posterior(each.view, each.seen),
                hidden=self._analyst.hidden(each.view),
                own=each.action is not None,
                turn=partial(self._turn, each),
                known=partial(self._known, each),
                truth=partial(self._truth, each),
            )

    def findings(
        self, timeline: Sequence[Moment[None]], last: Standpoint[None], tell: Tell
    ) -> PlayFindings:
        """The settings, the roles, and the game as it was left."""
        game = self._analyst.game
        return PlayFindings(dict(game.settings), game.roles, self._last.over, self._last)

    def value_name(self, feature: Feature, value: Any) -> str:
        """The value's name in the game's display."""
        return self._analyst.display.value_name(feature, value)

    def _known(self, each: Observed) -> Statements:
        return self._analyst.display.situation(_sight(each))

    def _truth(self, each: Observed, feature: Feature) -> int | None:
        belief = self._analyst.belief
        if belief is None or not isinstance(self._record, PlayRecord):
            return None  # what completes a written record is drawn
        if each.number not in self._true:
            play = self._record.begin(self._analyst.game)
            for action in self._record.actions[: each.number]:
                play.apply(action)
            posterior = belief.infer(each.view, each.seen)
            self._true = {each.number: TrueState(belief, posterior, each.view, play.truth())}
        return self._true[each.number].place(feature)

    def _text(self, each: Observed) -> str:
        if each.mover is None:
            return "before the first event"
        sight = _sight(each)
        return self._analyst.display.sentence(sight, len(each.seen.events) - 1)

    def _turn(self, each: Observed) -> ViewerTurn | None:
        if each.before is None or each.action is None:
            return None
        view, seen = each.before
        game, agent = self._analyst.game, self._analyst.agent
        names = {code: game.action_name(code) for code in view.legal().tolist()}
        gain, questions = self._questions(each, names)
        value, best = None, None
        if agent is not None and len(names) > 1:
            decision = agent.decision(view, seen)
            reports = {report.action: report for report in decision.actions}
            made = reports.get(each.action)
            value = None if made is None else valued(made)
            best = valued(reports[decision.action])
            if value is not None and value.value is None:
                self.notes = ("some actions were never tried by the search, so they have no value",)
        return ViewerTurn(
            made=names[each.action],
            gain_bits=gain,
            best_questions=questions,
            value=value,
            best=best,
            alternatives=len(names),
        )

    def _questions(
        self, each: Observed, names: Mapping[int, str]
    ) -> tuple[float | None, tuple[QuestionValue, ...]]:
        """The question of the move, and the legal questions that tell most about what is hidden."""
        assert each.before is not None
        belief = self._analyst.belief
        if not isinstance(belief, Asking):
            return None, ()
        view, seen = each.before
        asking = {
            code: question for code, question in belief.questions(view).items() if code in names
        }
        hidden = self._analyst.hidden(view)
        if not asking or not hidden:
            return None, ()
        posterior = self._analyst.posterior(view, seen)
        assert posterior is not None
        gains = gains_of(posterior, list(asking.values()), list(hidden.values()))
        by_code = dict(zip(asking, (float(gain) for gain in gains), strict=True))
        # Gains that differ by rounding only are equal, and equal ones keep their order.
        ranked = sorted(by_code, key=lambda code: (-round(by_code[code], 12), code))[:BEST]
        best = tuple(QuestionValue(names[code], by_code[code]) for code in ranked)
        return by_code.get(each.action if each.action is not None else -1), best


def _sight(each: Observed) -> Sight:
    # The person is nobody here: all players are named by their roles.
    return Sight(each.view, each.seen, each.view, each.seen, ())


def gains_of(
    posterior: Posterior, questions: Sequence[Question], hidden: Sequence[Feature]
) -> NDArray[np.float64]:
    """Bits that questions tell about all that is hidden; where that is too much, about each part,
    added up.
    """
    try:
        about = together(*hidden) if len(hidden) > 1 else hidden[0]
        return np.asarray(posterior.information_gain(questions, about=about))
    except (CostError, UnsupportedError):
        return np.sum(
            [posterior.information_gain(questions, about=each) for each in hidden], axis=0
        )


def valuing_agent(game: Game, text: str, seed: int, usual: str = USUAL_AGENT) -> Valuing:
    """An agent that says what its actions are worth.

    Args:
        game: What it plays.
        text: Its name and options.
        seed: The same seed gives the same answers.
        usual: One that does, for somebody who named another.

    Raises:
        SettingsError: There is no such agent, or it does not say what actions are worth.
    """
    agent: object = parse_agent(text, game).prepare(game)(seed)
    if not isinstance(agent, Valuing):
        raise SettingsError(
            "this agent does not say what its actions are worth",
            where="agent",
            value=text,
            hint=f"name an agent that searches, such as {usual!r}, or {NO_AGENT!r}",
        )
    return agent


def valued(report: ActionReport) -> ActionValue:
    """The value that a search gives an action.

    One visit says nothing of how far others would be off, nor do some that were all alike.
    """
    low, high = report.interval
    finite = report.visits > 0 and math.isfinite(low) and math.isfinite(high) and low < high
    return ActionValue(
        report.name,
        None if not report.visits or math.isnan(report.value) else report.value,
        report.interval if finite else None,
        report.visits,
    )
