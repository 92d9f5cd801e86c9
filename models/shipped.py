"""The door by which the games of the package itself come in.

What stands above all floors hands over the list of them; no floor below has to name one above. It
is handed over when sleuth is imported, whichever part of it is wanted, and read when a game is
first looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

#: The entry points of games that other packages bring.
GROUP: Final = "sleuth.games"

_lists: list[Callable[[], Iterable[Any]]] = []
_pictures: list[Callable[[Any, int], str]] = []


def ship(listed: Callable[[], Iterable[Any]]) -> None:
    """Hand over what lists the entries of the games that come with the package."""
    _lists.append(listed)


def illustrate(draw: Callable[[Any, int], str]) -> None:
    """Hand over what shows a play as text, as a viewer sees it: displays stand above all floors."""
    _pictures.append(draw)


def pictured(play: Any, viewer: int) -> str:
    """A play as text, as a viewer sees it."""
    return "\n".join(draw(play, viewer) for draw in _pictures)


def shipped_games() -> list[Any]:
    """The entries of the games that come with the package, a `GameEntry` each."""
    return [entry for listed in _lists for entry in listed()]
