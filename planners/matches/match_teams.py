"""Teams of different agents in a match: each member plays the roles they were given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...models.game import Game
from ...models.play import SeenPlay, View
from ..agents import Agent, Contestant, Ending, Maker, seed_of


@dataclass(frozen=True)
class TeamAgents:
    """Agents that play for one team, each in a role of their own.

    Attributes:
        roles: The numbers of their roles.
        members: The agent in each of them.
    """

    roles: tuple[int, ...]
    members: tuple[Contestant, ...]

    @property
    def text(self) -> str:
        """The name of all of them."""
        return " + ".join(member.text for member in self.members)

    def prepare(self, game: Game) -> Maker:
        """Do what takes long for each of them, once for those alike."""
        alike: dict[str, Maker] = {}
        for member in self.members:
            if member.text not in alike:
                alike[member.text] = member.prepare(game)
        makers = {
            role: alike[member.text] for role, member in zip(self.roles, self.members, strict=True)
        }

        def make(seed: int) -> Agent:
            agents = {role: maker(seed_of(seed, role)) for role, maker in makers.items()}
            return _ByRole(agents, self.text)

        return make


@dataclass(frozen=True)
class _ByRole:
    """Lets the agent of the role decide."""

    agents: dict[int, Agent]
    name: str

    def decide(self, view: View, seen: SeenPlay) -> int:
        return self.agents[view.viewer].decide(view, seen)

    def ended(self, view: View, seen: SeenPlay, won: float) -> None:
        agent = self.agents[view.viewer]
        if isinstance(agent, Ending):
            agent.ended(view, seen, won)

    def close(self) -> None:
        for agent in self.agents.values():
            if isinstance(agent, Ending):
                agent.close()


def teams_of(agents: Sequence[Contestant], game: Game) -> tuple[Contestant, ...]:
    """One contestant for each side of a game, from one for each role."""
    made: list[Contestant] = []
    for side in range(len(game.sides)):
        roles = tuple(role for role, its in enumerate(game.side_of) if its == side)
        members = tuple(agents[role] for role in roles)
        alike = len({member.text for member in members}) == 1
        made.append(members[0] if alike else TeamAgents(roles, members))
    return tuple(made)
