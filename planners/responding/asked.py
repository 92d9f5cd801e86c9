"""The policy of an agent, asked in the moments that somebody else imagines.

An agent is asked as they would see the game there, by a view and what was seen, and never with the
seed that they play with.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from ...data.errors import SettingsError
from ...models.play import Play, SeenPlay, View
from ..agents.agent import Agent, Maker, Randomizing, Valuing, seed_of
from ..agents.bots import Ending

#: Answers that are kept.
MOST_ANSWERS: Final = 200_000


class AskedAnswer(NamedTuple):
    """An agent's policy at one moment.

    Attributes:
        shares: By action code how likely it is.
        exact: Whether the agent says so itself; else it was seen to choose, once or a few times.
    """

    shares: Mapping[int, float]
    exact: bool


class AskedAgent:
    """The policy of an agent.

    An agent that says its probabilities (`Randomizing`, or the policy of its decision) is taken at
    its word. Another one is asked for its choice, by one seed or several.

    Args:
        make: Makes the agent from a seed.
        seed: Where the seeds come from that it is asked with.
        asks: So many seeds.

    Attributes:
        asked: How often it was asked; what is kept is not asked again.

    Raises:
        SettingsError: The agent is a program, or one that is told how games end: it cannot be asked
            about games that it does not play.
    """

    def __init__(self, make: Maker, *, seed: int, asks: int = 1) -> None:
        self._agents = [make(seed_of(seed, number)) for number in range(asks)]
        self._kept: dict[object, AskedAnswer] = {}
        self.asked = 0
        if isinstance(self._agents[0], Ending):
            raise SettingsError(
                "a program cannot be asked about games that it does not play",
                value=self._agents[0].name,
                hint="name an agent of sleuth, or one of your own that has a decide",
            )

    def at(self, play: Play) -> AskedAnswer:
        """The agent's policy in the role of the player to move."""
        role = play.player
        view, seen = play.view(role), play.seen_by(role)
        events = tuple(
            (each.event.mover, each.event.observation, each.event.action) for each in seen.events
        )
        key = role, view.data, seen.start, events
        if key not in self._kept:
            if len(self._kept) >= MOST_ANSWERS:
                self._kept.clear()
            self._kept[key] = self._answer(view, seen)
        return self._kept[key]

    def _answer(self, view: View, seen: SeenPlay) -> AskedAnswer:
        legal: list[int] = view.legal().tolist()
        if len(legal) == 1:
            return AskedAnswer({legal[0]: 1.0}, exact=True)
        shares = dict.fromkeys(legal, 0.0)
        for agent in self._agents:
            self.asked += 1
            said = _said(agent, view, seen)
            if not isinstance(said, int):
                return AskedAnswer({code: said.get(code, 0.0) for code in legal}, exact=True)
            listed = view.game.listed_code(view.states, said)
            if listed not in shares:
                raise SettingsError(
                    "the agent took an illegal action", where=f"agent {agent.name!r}", value=said
                )
            shares[listed] += 1.0 / len(self._agents)
        return AskedAnswer(shares, exact=False)


def _said(agent: Agent, view: View, seen: SeenPlay) -> Mapping[int, float] | int:
    """The agent's probabilities, or else their choice."""
    if isinstance(agent, Randomizing):
        return agent.probabilities(view, seen)
    # One that filters does not always do what its search says.
    if isinstance(agent, Valuing) and not getattr(agent, "filters", False):
        decision = agent.decision(view, seen)
        # What looks ahead without a search has no mixed policy.
        mixed: Mapping[int, float] | None = getattr(decision, "policy", None)
        return int(decision.action) if mixed is None else mixed
    return int(agent.decide(view, seen))
