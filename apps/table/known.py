"""Games that the server knows: no file is run that a page names."""

from __future__ import annotations

from pathlib import Path

from ...data.errors import SettingsError, nearest, plain_name
from ...models.games import GameEntry, entries


def known_entry(text: str) -> GameEntry:
    """The entry of a game that comes with sleuth, is installed, or was named at the start.

    Args:
        text: Its name, or ``FILE.py:NAME``.

    Raises:
        SettingsError: No such game is known.
    """
    path, _, variable = text.rpartition(":")
    is_file = path.endswith(".py")
    if is_file:
        text = f"{Path(path).expanduser().resolve()}:{variable}"
    every = list(entries())
    for found in every:
        if text and (text == found.source or plain_name(text) == plain_name(found.name)):
            return found
    if is_file:
        raise SettingsError(
            "this file was not named where the table was opened",
            value=text,
            hint="write its name after 'sleuth table'",
        )
    names = [each.name for each in every]
    raise SettingsError("no such game", value=text, hint=nearest(text, names))
