"""A sentence on where Mr. X may be, and who wins from there, for replays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...models.game import OVER, Game
from ...models.scotland_yard.advice.win_rates import win_rate
from ...planners.matches.winning import WinningChances
from ..kit.number_words import percent
from .words import HIDER_NAME

#: Most possible stations that are named.
NAMED: Final = 12


def likeliest(shares: Mapping[int, float]) -> str:
    """The likeliest stations with their chances; empty where none is possible."""
    ranked = sorted(((at, share) for at, share in shares.items() if share > 0.0), key=_likelier)
    words = [f"{station} ({percent(share)} %)" for station, share in ranked[:NAMED]]
    more = f" and {len(ranked) - NAMED} more" if len(ranked) > NAMED else ""
    return f"{HIDER_NAME} may be at {', '.join(words)}{more}." if words else ""


def counted_chances(state: Any, game: Game) -> WinningChances | None:
    """The share of matches between programs that each side won from such a position.

    Args:
        state: What everybody knows.
        game: The game.

    Returns:
        None where too little was counted, or the game is over.
    """
    found = None if state.player == OVER else win_rate(state, game.settings)
    if found is None:
        return None
    low, high = found.interval
    return WinningChances(
        game.sides,
        (1.0 - found.rate, found.rate),
        ((1.0 - high, 1.0 - low), (low, high)),
        found.games,
        counted="between programs, from such rounds and with so many possible stations",
    )


def _likelier(pair: tuple[int, float]) -> float:
    return -pair[1]
