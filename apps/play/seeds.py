"""The seeds of all chance around a game, so that it goes on as it would have gone on."""

from __future__ import annotations

from typing import Final

from ...planners.agents import seed_of

_AGENT: Final = 1
_HINT: Final = 2
_TOLD: Final = 3


def agent_seed(seed: int, role: int) -> int:
    """The seed of the agent that plays a role of a game of this seed."""
    return seed_of(seed, _AGENT, role)


def hint_seed(seed: int, viewer: int) -> int:
    """The seed of an agent that gives hints to a player."""
    return seed_of(seed, _HINT, viewer)


def told_seed(seed: int) -> int:
    """The seed of what agents are told, where that is not always right."""
    return seed_of(seed, _TOLD)
