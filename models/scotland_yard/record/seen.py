"""A recorded game of Scotland Yard as one viewer saw it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from ...records.written import SeenRecord
from ..events import HIDER_NAME, HuntEvent

SPECTATOR: Final = "spectator"


@dataclass(frozen=True, kw_only=True)
class SeenHunt(SeenRecord[HuntEvent]):
    """A game as one viewer saw it. Made by ``record.seen_by(viewer)``.

    Attributes:
        settings: All settings of the game, as `scotland_yard` takes them.
        viewer: ``"hider"``, ``"seeker 1"`` and so on, or ``"spectator"``.
        seekers: Where the detectives started.
        hider: Where Mr. X started; ``None`` for all but themselves.
        events: What the viewer saw happen, numbered from 1. Stations that they did not see are
            ``None``.
        observations: Who made each move, and what everybody saw of it, as `rules.observe` says.

    >>> import sleuth
    >>> from sleuth.games.scotland_yard import ScotlandYardRecord, scotland_yard
    >>> play = sleuth.Play.new(scotland_yard(seekers=2, rounds=3), seed=1)
    >>> play.apply(play.legal()[0])
    >>> seen = ScotlandYardRecord.from_play(play).seen_by("spectator")
    >>> seen.known()["seekers"], seen.known()["hider"], seen.is_hider
    ((198, 13), None, False)
    >>> len(seen.until(0).events), len(seen.digest)
    (0, 64)
    """

    game_name = "scotland_yard"
    settings: Mapping[str, Any]
    seekers: tuple[int, ...]
    hider: int | None = None
    observations: tuple[tuple[int, int], ...] = ()

    @property
    def is_hider(self) -> bool:
        """True if the viewer is Mr. X, who knows the true station."""
        return self.viewer == HIDER_NAME

    def known(self) -> dict[str, object]:
        """The viewer's knowledge from the start, as plain values."""
        return {"settings": dict(self.settings), "seekers": self.seekers, "hider": self.hider}

    def until(self, count: int) -> SeenHunt:
        """The game as the viewer had seen it after its first ``count`` moves."""
        return replace(super().until(count), observations=self.observations[:count])
