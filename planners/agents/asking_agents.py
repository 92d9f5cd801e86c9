"""Agents that ask what tells most, one step ahead or two, and search where there is nothing to ask.

What a question costs beside its turn is not weighed: a search with a gain does that (`mcts`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...beliefs.asking.many_questions import ByCode
from ...beliefs.games.contract import Asking, GameBelief, Showing
from ...beliefs.language.features import together
from ...beliefs.language.questions import Question
from ...beliefs.language.walk import At
from ...data.checks import CERTAIN
from ...data.errors import SettingsError
from ...models.game import Game
from ...models.play import Play, SeenPlay, View
from ..look_ahead.asking import AskingAhead, QuestionPlan
from .advised import belief_of
from .agent import Agent, Maker, inferred
from .learning import check_about, named, questions_of


@dataclass(frozen=True, kw_only=True)
class AskingSettings:
    """Options of the agents that ask.

    Attributes:
        steps, looked_into, later: How far ahead, and how much of it, see `AskingAhead`.
        about: What about: something hidden by its name, or several by how their names begin, all
            together; None for the game's main thing.
        simulations, seconds, cpu_seconds: The budget of a search where nothing is asked.
    """

    steps: int = 2
    looked_into: int = 20
    later: int = 200
    about: str | None = None
    simulations: int | None = None
    seconds: float | None = None
    cpu_seconds: float | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class AskingAgent:
    """Takes the action that tells most, and does what another agent does where none tells anything.

    Two steps ahead it takes it that the same can be asked again at its next turn.

    Attributes:
        belief: What players of the game can know; some actions are questions.
        otherwise: Who decides where there is no question, or nothing more to learn.
        planner: Chooses the questions.
        about: What is to be known, by its name; None for the main thing.
        name: What it is called in results.

    Raises:
        SettingsError: In this game no action is a question, or one shows more than it asks.

    >>> import sleuth
    >>> player = sleuth.agent("asking:steps=1", "clue_table", seed=1)
    >>> play = sleuth.Play.new("clue_table", seed=1)
    >>> view, seen = play.view(0), play.seen_by(0)
    >>> round(player.asked(view, seen).gain, 2)
    0.65
    >>> play.game.action_name(player.decide(view, seen))
    'suggest peacock, candlestick, conservatory'
    """

    belief: GameBelief
    otherwise: Agent
    planner: AskingAhead = field(default_factory=AskingAhead)
    about: str | None = None
    name: str = "asking"

    def __post_init__(self) -> None:
        _check_asks(self.belief, self.name)

    def decide(self, view: View, seen: SeenPlay) -> int:
        """The question that tells most; what the other agent does where there is none."""
        found = self.asked(view, seen)
        return self.otherwise.decide(view, seen) if found is None else found.code

    def asked(self, view: View, seen: SeenPlay) -> QuestionPlan | None:
        """The whole answer of the planner; None where there is nothing to ask or to learn.

        Raises:
            SettingsError: Nothing hidden has the name that they shall learn about.
        """
        questions = self._questions(view)
        features = [*named(self.belief, view, self.about).values()] if questions else []
        if not features:
            return None
        found = self.planner.choose(
            inferred(self.belief, view, seen),
            questions,
            about=features[0] if len(features) == 1 else together(*features),
        )
        return found if found.gain + found.later > CERTAIN else None

    def _questions(self, view: View) -> Mapping[int, Question]:
        """The questions that can be asked now."""
        questions, legal = questions_of(self.belief, view), {*view.legal().tolist()}
        if isinstance(questions, ByCode) and legal.issuperset(questions.codes):
            return questions
        return {code: question for code, question in questions.items() if code in legal}


def asking(
    searching: Callable[[Game, Mapping[str, Any]], Maker],
) -> Callable[[Game, AskingSettings, str], Maker]:
    """The preparation of agents that ask, from their options.

    Args:
        searching: Makes those who decide where nothing is asked, from their options.
    """

    def prepare(game: Game, settings: AskingSettings, text: str) -> Maker:
        planner = AskingAhead(
            steps=settings.steps, looked_into=settings.looked_into, later=settings.later
        )
        known, _ = belief_of(game, None)
        if known is None:
            raise SettingsError(
                "nothing is hidden in this game, so nothing is to be asked",
                where=f"game {game.name!r}",
                hint="take mcts",
            )
        budget = {
            name: getattr(settings, name)
            for name in ("simulations", "seconds", "cpu_seconds")
            if getattr(settings, name) is not None
        }
        _check_asks(known, f"game {game.name!r}")
        check_about(game, known, settings.about)
        if planner.steps == 2:
            _check_rest(game, known, settings.about)
        search = searching(game, budget)
        return lambda seed: AskingAgent(
            belief=known,
            otherwise=search(seed),
            planner=planner,
            about=settings.about,
            name=text,
        )

    return prepare


def _check_asks(belief: GameBelief, where: str) -> None:
    """Refuse a belief of a game in which nothing is asked, or more is shown than asked.

    Raises:
        SettingsError: No action of the game is a question, or one shows more than it asks.
    """
    if not isinstance(belief, Asking):
        raise SettingsError(
            "in this game no action is a question",
            where=where,
            hint="take mcts, or a belief that has questions (sleuth.kit.Asking)",
        )
    if isinstance(belief, Showing):
        raise SettingsError(
            "in this game an action shows more than it asks, so nothing says what it tells",
            where=where,
            hint="take mcts with a gain",
        )


def _check_rest(game: Game, known: GameBelief, about: str | None) -> None:
    """Refuse two steps where what is hidden moves in between.

    Raises:
        SettingsError: What is hidden is the position of a walk.
    """
    play = Play.new(game, seed=0)
    for player in range(game.players):
        hidden = named(known, play.view(player), about)
        if any(isinstance(feature.base, At) for feature in hidden.values()):
            raise SettingsError(
                "what is hidden in this game moves between two questions",
                where="steps",
                value=2,
                hint="write steps=1",
            )
