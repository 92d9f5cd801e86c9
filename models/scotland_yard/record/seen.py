"""A recorded game of Scotland Yard as one viewer saw it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from ....data.errors import SettingsError
from ...records.events import Seen, digest
from ..events import HIDER_NAME, HuntEvent

SPECTATOR: Final = "spectator"


@dataclass(frozen=True)
class SeenGame:
    """What one viewer saw of a game. Made by ``record.seen_by(viewer)``.

    Equal for games that differ only in what the viewer could not see.

    Attributes:
        settings: All settings of the game, as `scotland_yard` takes them.
        viewer: ``"hider"``, ``"seeker 1"`` and so on, or ``"spectator"``.
        seekers: Where the detectives started.
        hider: Where Mr X started; ``None`` for all but themselves.
        events: What the viewer saw happen, numbered from 1. Stations that they did not see are
            ``None``.
        observations: Who made each move, and what everybody saw of it, as `rules.observe` says.
    """

    settings: Mapping[str, Any]
    viewer: str
    seekers: tuple[int, ...]
    hider: int | None = None
    events: tuple[Seen[HuntEvent], ...] = ()
    observations: tuple[tuple[int, int], ...] = ()

    @property
    def is_hider(self) -> bool:
        """Whether the viewer is Mr X, who knows the true station."""
        return self.viewer == HIDER_NAME

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the viewer's own view in canonical JSON, as 64 hexadecimal digits."""
        return digest(
            {
                "game": "scotland_yard",
                "settings": dict(self.settings),
                "viewer": self.viewer,
                "seekers": self.seekers,
                "hider": self.hider,
                "events": [seen.event.to_json() for seen in self.events],
            }
        )

    def until(self, count: int) -> SeenGame:
        """The game as the viewer had seen it after its first ``count`` moves.

        Raises:
            SettingsError: If it has fewer moves, or ``count`` is negative.
        """
        if not 0 <= count <= len(self.events):
            raise SettingsError(
                "no such moment of the game",
                value=count,
                hint=f"the viewer saw {len(self.events)} moves",
            )
        return replace(self, events=self.events[:count], observations=self.observations[:count])
