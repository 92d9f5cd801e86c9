"""This package's own posterior, as somebody who uses the library gets it; and its pgmpy engine."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sleuth import Posterior
from sleuth.beliefs.engines.partial_deals.graph import forget
from sleuth.data.version import version
from sleuth.games.clue import CARDS, ClueDeclaration
from sleuth.models.clue import ClueEvent
from sleuth.models.records.events import Seen

from .states import Answer, Array, State, with_version

Everything = tuple[dict[str, dict[str, float]], Array]


@dataclass(frozen=True)
class Observed:
    """The posterior of the past, which observes the new event."""

    state: State
    belief: ClueDeclaration
    posterior: Posterior

    def after(self, event: Seen[ClueEvent]) -> Everything:
        forget()  # an answer of before is not taken for this one
        posterior = self.posterior.observe(self.belief.evidence(event))
        return posterior.table(self.belief.cards), posterior.distribution(self.belief.case_file)

    def answer(self, posterior: Everything) -> Answer:
        table, case = posterior
        held = np.array([[table[card][player] for player in self.state.others] for card in CARDS])
        return Answer(held, case.reshape(6, 6, 9))


@dataclass(frozen=True)
class Sleuth:
    """Observe one event, and read off everything.

    Attributes:
        choice: How refuters choose: the peers do plain counting, ``"ignored"``.
        engine: The engine that answers.
    """

    choice: str = "ignored"
    engine: str = "card_by_card"
    once: bool = False

    @property
    def name(self) -> str:
        if self.engine == "pgmpy":
            return "pgmpy"
        return "ours" if self.choice == "ignored" else f"ours, choice {self.choice}"

    @property
    def library(self) -> str:
        if self.engine == "pgmpy":
            return with_version("pgmpy")
        return f"sleuth {version()}"

    @property
    def note(self) -> str:
        if self.engine == "pgmpy":
            return "variable elimination over the small tables of sleuth's own backend"
        return "the posterior of the past is ready; the event is observed"

    def refuses(self, players: int) -> str:
        return ""

    def prepare(self, state: State) -> Observed:
        belief = ClueDeclaration(state.game, self.choice)
        return Observed(state, belief, belief.infer(state.past, method=self.engine))
