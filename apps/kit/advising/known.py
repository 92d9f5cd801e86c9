"""The games beside which somebody can be advised."""

from __future__ import annotations

from ....data.errors import SettingsError, nearest, plain_name
from ....models.games import entries, entry, names
from .contract import Adviser


def adviser_of(name: str) -> Adviser:
    """The adviser of a game.

    Args:
        name: Its name, or ``FILE.py:NAME``.

    Raises:
        SettingsError: No game has this name, or there is no advice for it.
    """
    is_known = ":" in name or plain_name(name) in map(plain_name, names())
    make = entry(name).part("adviser") if is_known else None
    if make is None:
        known = sorted(each.name for each in entries() if each.adviser is not None)
        raise SettingsError(
            "there is no advice for this game",
            where="GAME",
            value=name,
            hint=f"there is for {', '.join(known)}" if is_known else nearest(name, known),
        )
    return make()
