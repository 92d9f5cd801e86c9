"""The seats: who plays each role, on which device, and what the players are shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, cast

from ....data.errors import RecordError
from ....models.game import Game
from ...play.saved import YOU


@dataclass(frozen=True)
class TablePerson:
    """A person at a table.

    Attributes:
        roles: The roles that they play: several of one team are one person's.
        device: The seat of the sitting where they play.
    """

    roles: tuple[int, ...]
    device: int


@dataclass(frozen=True)
class Seating:
    """The seats of a game: who plays, where, and how.

    Attributes:
        agents: For every role the agent's text, or ``"you"`` for a person.
        devices: For every role the seat of the sitting where its person plays; -1 for an agent.
        seed: Where the chance of the first game comes from.
        back: Whether moves can be taken back.
        belief: Whether people are shown what they can know.
        advice: Whether they may ask what an agent would do.
        guess: Whether they are to guess before they are shown what they can know.
    """

    agents: tuple[str, ...]
    devices: tuple[int, ...]
    seed: int
    back: bool = True
    belief: bool = True
    advice: bool = True
    guess: bool = False

    def persons(self, game: Game) -> tuple[TablePerson, ...]:
        """Everybody who plays, in the order of their roles."""
        found: dict[tuple[int, int], list[int]] = {}
        for role, (agent, device) in enumerate(zip(self.agents, self.devices, strict=True)):
            if agent == YOU:
                found.setdefault((device, game.side_of[role]), []).append(role)
        return tuple(TablePerson(tuple(roles), device) for (device, _), roles in found.items())

    def to_json(self) -> dict[str, Any]:
        """The seating as plain values."""
        return asdict(self)

    @staticmethod
    def from_json(value: object, game: Game) -> Seating:
        """The seating that `to_json` wrote.

        Raises:
            RecordError: It is none of this game.
        """
        try:
            fields = dict(cast("Mapping[str, Any]", value))
            fields |= {name: tuple(fields[name]) for name in ("agents", "devices")}
            made = Seating(**fields)
        except (TypeError, KeyError, ValueError):
            raise RecordError("this does not say who plays", value=value) from None
        if not len(made.agents) == len(made.devices) == game.players:
            raise RecordError("this does not say who plays every role", value=value)
        return made
