"""What a viewer of any recorded game could have known at every moment, and what was worth doing.

It needs a game and its belief, and nothing else: the record is played again, and after every move
the belief answers from what the viewer has seen.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ....beliefs.games.contract import Asking, GameBelief
from ....beliefs.infer import infer
from ....beliefs.language.evidence import Evidence
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
from ....data.version import version
from ....models.game import SPECTATOR, Game
from ....models.play import PlayRecord, View, viewer_name
from ....models.records.replay import Observed, observed
from ....planners.agents.agent import Valuing
from ....planners.agents.names import parse_agent
from ....planners.search.decision import ActionReport
from ...play.display import Display, Sight
from ..proving import Proven, proven
from ..records.timeline import finite
from .moments import (
    MOST_DRAWN,
    MOST_VALUES,
    Analysis,
    Moment,
    QuestionValue,
    Turn,
    Unknown,
    Valued,
)
from .moved import Moved, moved

#: Most values of a joint whose entropy is computed.
MOST_JOINT: Final = 4096
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
            where="--observer",
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
        self.agent_name = None if agent == NO_AGENT else parse_agent(agent).text
        self._agent = None if agent == NO_AGENT else valuing_agent(game, agent, seed)

    def analyse(self, record: PlayRecord, viewer: int, progress: Tell = silent) -> Analysis:
        """What one viewer could have known at every moment of a record.

        Args:
            record: The record.
            viewer: A player's number, or ``SPECTATOR``.
            progress: Told how far the work has come.

        Raises:
            RecordError: The record breaks the rules; with the place.
            ContradictionError: By the belief, what was seen cannot have happened.
            CostError, UnsupportedError: The method cannot do it.
        """
        timeline: list[Moment] = []
        notes: dict[str, None] = {}
        methods: dict[str, bool] = {}
        last: tuple[Observed, Posterior | None] | None = None
        for each in observed(record, self.game, viewer):
            progress("following the game", len(timeline), len(record.actions) + 1)
            start = time.perf_counter()
            posterior = self.posterior(each)
            unknowns = self._unknowns(each.view, posterior)
            entropy, joint = self._entropy(each.view, posterior, unknowns)
            seconds = time.perf_counter() - start
            if posterior is not None:
                methods[posterior.method] = posterior.exact
            timeline.append(
                Moment(
                    event=len(timeline),
                    text=self._text(each),
                    unknowns=unknowns,
                    entropy_bits=entropy,
                    joint=joint,
                    log_evidence=finite(posterior.log_evidence) if posterior else None,
                    seconds=seconds,
                    turn=self._turn(each, notes),
                )
            )
            last = each, posterior
        assert last is not None, "the moment before the first event is always there"
        return Analysis(
            game=self.game.name,
            title=self.display.title,
            settings=dict(self.game.settings),
            roles=self.game.roles,
            viewer=viewer_name(self.game.roles, viewer),
            method=" and ".join(methods) or "none",
            exact=all(methods.values()),
            agent=self.agent_name if any(moment.turn for moment in timeline) else None,
            seed=self.seed,
            version=version(),
            record_sha256=last[0].seen.digest,
            over=last[0].view.over,
            timeline=tuple(_alike(timeline)),
            proven=tuple(self._proven(*last)),
            moved=self._moved(*last),
            notes=tuple(notes),
            last=last[0].view,
        )

    def posterior(self, each: Observed) -> Posterior | None:
        """What follows from what was seen; None where nothing is hidden or the belief is silent."""
        if self.belief is None:
            return None
        found = self.belief.infer(each.view, each.seen)
        if self.method == "auto":
            return found
        return infer(
            found.model, found.history, method=self.method, samples=self.samples, seed=self.seed
        )

    def hidden(self, view: View) -> Mapping[str, Feature]:
        """Everything that the belief calls hidden from a viewer, by name."""
        return {} if self.belief is None else self.belief.hidden(view)

    def marginal(self, posterior: Posterior, feature: Feature) -> list[tuple[str, float]]:
        """The possible values of something hidden in words, the likeliest first."""
        shares = [(value, p) for value, p in posterior.marginal(feature).items() if p > 0.0]
        shares.sort(key=lambda pair: -pair[1])
        return [(self.display.value_name(feature, value), p) for value, p in shares]

    # -- parts of a moment

    def _unknowns(self, view: View, posterior: Posterior | None) -> tuple[Unknown, ...]:
        if posterior is None:
            return ()
        found: list[Unknown] = []
        for name, feature in self.hidden(view).items():
            shares = self.marginal(posterior, feature)
            entropy = max(0.0, posterior.entropy(feature))
            kept, drawn = tuple(shares[:MOST_VALUES]), tuple(shares[:MOST_DRAWN])
            found.append(Unknown(name, entropy, kept, len(shares), drawn))
        return tuple(found)

    def _entropy(
        self, view: View, posterior: Posterior | None, unknowns: Sequence[Unknown]
    ) -> tuple[float, bool]:
        total = sum(each.entropy_bits for each in unknowns)
        open_ = [each for each in unknowns if each.entropy_bits > 0.0]
        if posterior is None or len(open_) < 2:
            return total, True
        features = self.hidden(view)
        parts = [features[each.name] for each in open_]
        if math.prod(part.value_count for part in parts) > MOST_JOINT:
            return total, False
        try:
            return max(0.0, posterior.entropy(together(*parts))), True
        except (CostError, UnsupportedError):
            return total, False

    def _text(self, each: Observed) -> str:
        if each.mover is None:
            return "before the first event"
        # The person is nobody here: all players are named by their roles.
        sight = Sight(each.view, each.seen, each.view, each.seen, ())
        return self.display.sentence(sight, len(each.seen.events) - 1)

    def _turn(self, each: Observed, notes: dict[str, None]) -> Turn | None:
        if each.before is None or each.action is None:
            return None
        view, seen = each.before
        names = {code: self.game.action_name(code) for code in view.legal().tolist()}
        gain, questions = self._questions(each, names)
        value, best = None, None
        if self._agent is not None and len(names) > 1:
            decision = self._agent.decision(view, seen)
            reports = {report.action: report for report in decision.actions}
            made = reports.get(each.action)
            value = None if made is None else valued(made)
            best = valued(reports[decision.action])
            if value is not None and value.value is None:
                notes["some actions were never tried by the search, so they have no value"] = None
        return Turn(
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
        """What the move asked, and the legal questions that tell most about what is hidden."""
        assert each.before is not None
        if not isinstance(self.belief, Asking):
            return None, ()
        view, seen = each.before
        asking = {
            code: question
            for code, question in self.belief.questions(view).items()
            if code in names
        }
        hidden = self.hidden(view)
        if not asking or not hidden:
            return None, ()
        posterior = self.posterior(Observed(view, seen))
        assert posterior is not None
        gains = _gains(posterior, list(asking.values()), list(hidden.values()))
        by_code = dict(zip(asking, (float(gain) for gain in gains), strict=True))
        # Gains that differ by rounding only are equal, and equal ones keep their order.
        ranked = sorted(by_code, key=lambda code: (-round(by_code[code], 12), code))[:BEST]
        best = tuple(QuestionValue(names[code], by_code[code]) for code in ranked)
        return by_code.get(each.action if each.action is not None else -1), best

    def _proven(self, each: Observed, posterior: Posterior | None) -> Iterator[Proven[str]]:
        if posterior is None:
            return
        hidden = self.hidden(each.view)
        for name, value, because in proven(posterior, hidden):
            words = self.display.value_name(hidden[name], value)
            yield Proven(name, words, tuple(_words(posterior, unit) for unit in because))

    def _moved(self, each: Observed, posterior: Posterior | None) -> tuple[Moved, ...]:
        if posterior is None:
            return ()
        return moved(
            posterior,
            self.hidden(each.view),
            self.display.value_name,
            lambda unit: _words(posterior, unit),
        )


def _gains(
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


def _alike(timeline: list[Moment]) -> list[Moment]:
    """Entropies that can be compared: all of them joint, or all of them sums over the parts."""
    if all(moment.joint for moment in timeline):
        return timeline
    return [
        replace(
            moment,
            entropy_bits=sum(each.entropy_bits for each in moment.unknowns),
            joint=len([each for each in moment.unknowns if each.entropy_bits > 0.0]) < 2,
        )
        for moment in timeline
    ]


def _words(posterior: Posterior, unit: str | int) -> str:
    """What a part of a proof says: the sentences of the evidence that it stands for."""
    said = [
        step.because
        for step in posterior.history
        if isinstance(step, Evidence) and unit in (step.event, step.id) and step.because
    ]
    return "; ".join(dict.fromkeys(said)) or str(unit)


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
    agent: object = parse_agent(text).prepare(game)(seed)
    if not isinstance(agent, Valuing):
        raise SettingsError(
            "this agent does not say what its actions are worth",
            where="--agent",
            value=text,
            hint=f"name an agent that searches, such as {usual!r}, or {NO_AGENT!r}",
        )
    return agent


def valued(report: ActionReport) -> Valued:
    """What a search says of an action.

    One visit says nothing of how far others would be off, nor do some that were all alike.
    """
    low, high = report.interval
    finite = report.visits > 0 and math.isfinite(low) and math.isfinite(high) and low < high
    return Valued(
        report.name,
        report.value if report.visits else None,
        report.interval if finite else None,
        report.visits,
    )
