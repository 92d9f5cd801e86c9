"""What was typed beside a game, in a file that only grows.

JSON Lines: the first line names the game; every other one is a step: something set up, an entry, a
correction, or that the last step is taken back. Nothing is ever removed from the file; what the
game is like now follows from all steps. It is in the system's hands as soon as it was typed, and a
last line that was cut off is dropped.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, cast

from ....data.disk.growing import GrowingFile, same_values
from ....data.errors import RecordError, SettingsError
from .contract import Entry, Settings

VERSION: Final = 1
SET: Final = "set"
ADD: Final = "add"
CHANGE: Final = "change"
TO: Final = "to"
UNDO: Final = "undo"


class Book(GrowingFile):
    """The steps of one game, and what they come to; close it.

    Attributes:
        settings: What was set up.
        entries: What happened, in order, as far as it was not taken back.

    Raises:
        SettingsError: The file has something else, or another process has it.
        RecordError: A line cannot be read, or is no step; with file, line and value.
    """

    def __init__(self, path: Path, game: str) -> None:
        self._past: list[tuple[Settings, tuple[Entry, ...]]] = [({}, ())]
        super().__init__(path, {"advice": game, "schema": VERSION}, where="FILE")

    @property
    def settings(self) -> Settings:
        return self._past[-1][0]

    @property
    def entries(self) -> tuple[Entry, ...]:
        return self._past[-1][1]

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to take back."""
        return len(self._past) > 1

    def set_up(self, key: str, value: object) -> None:
        """Keep something that was set up; what it was before is replaced."""
        self._step({SET: {key: value}})

    def add(self, entry: Entry) -> None:
        """Keep what happened."""
        self._step({ADD: dict(entry)})

    def change(self, number: int, entry: Entry | None) -> None:
        """Put another entry in place of one, numbered from 1; None removes it."""
        self._step({CHANGE: number, TO: None if entry is None else dict(entry)})

    def undo(self) -> None:
        """Take back the last entry, change, removal, or setting anew."""
        self._step({UNDO: True})

    # -- as a file

    def check(self, found: object, header: Mapping[str, Any]) -> None:
        if not same_values(found, header):
            raise SettingsError(
                "this file was not written beside such a game",
                where=self.where,
                value=str(self.path),
                hint="name another file",
            )

    def take(self, value: object) -> None:
        step = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
        if isinstance(found := step.get(SET), dict):
            settings = {**self.settings, **cast("dict[str, Any]", found)}
            # What is set up for the first time belongs to the beginning, and is not taken back.
            if settings.keys() == self.settings.keys():
                self._past.append((settings, self.entries))
            else:
                self._past[-1] = (settings, self.entries)
        elif isinstance(added := step.get(ADD), dict):
            self._past.append((self.settings, (*self.entries, cast("Entry", added))))
        elif self._has(step.get(CHANGE)) and isinstance(to := step.get(TO), (dict, type(None))):
            entries = changed(self.entries, step[CHANGE], cast("Entry | None", to))
            self._past.append((self.settings, entries))
        elif step.get(UNDO) is True and self.can_undo:
            self._past.pop()
        else:
            raise RecordError("this is no step of a game", value=cast("object", value))

    def _has(self, number: object) -> bool:
        return type(number) is int and 1 <= number <= len(self.entries)

    def refusal(self) -> tuple[str, str]:
        return "what was typed cannot be read", "name another file"

    def _step(self, step: Mapping[str, Any]) -> None:
        # First on the disk, then in here: what is shown is never more than what is kept.
        self.write(step)
        self.take(step)


def changed(entries: tuple[Entry, ...], number: int, entry: Entry | None) -> tuple[Entry, ...]:
    """Entries with another in place of one, numbered from 1; with None, without it."""
    kept = () if entry is None else (entry,)
    return (*entries[: number - 1], *kept, *entries[number:])
