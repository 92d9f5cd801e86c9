"""The lines typed beside a game, in a file that only grows.

JSON Lines: the first line names the game; every other one is a step: something set up, an entry, a
correction, or that the last step is taken back. Nothing is ever removed from the file; what the
game is like now follows from all steps. It is in the system's hands as soon as it was typed, and a
last line that was cut off is dropped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Protocol, cast

from ....data.disk.growing import GrowingFile, same_values
from ....data.errors import SettingsError
from ....models.records.reading import refused
from .entries import UNSURE, Entry, Settings

VERSION: Final = 1
SET: Final = "set"
RENAMED: Final = "renamed"
UNSET: Final = "unset"
ADD: Final = "add"
BEFORE: Final = "before"
CHANGE: Final = "change"
TO: Final = "to"
UNDO: Final = "undo"


class Checks(Protocol):
    """The checker of the form of what stands in the file; a game's adviser is one."""

    @property
    def name(self) -> str:
        """The game's name."""
        ...

    def check_setting(self, key: str, value: object) -> None:
        """A RecordError, if this is nothing that can be set up under the key."""
        ...

    def check_entry(self, entry: object) -> None:
        """A RecordError, if this has not the form of an entry."""
        ...


class EntryLog:
    """The steps beside one game, and what they come to.

    Args:
        checks: The game; what it refuses is no step.

    Attributes:
        settings: What was set up.
        entries: What happened, in order, as far as it was not taken back.
    """

    def __init__(self, checks: Checks) -> None:
        self._past: list[tuple[Settings, tuple[Entry, ...]]] = [({}, ())]
        self._checks = checks

    @property
    def settings(self) -> Settings:
        return self._past[-1][0]

    @property
    def entries(self) -> tuple[Entry, ...]:
        return self._past[-1][1]

    @property
    def can_undo(self) -> bool:
        """True if there is a step to take back."""
        return len(self._past) > 1

    def held(self, key: str) -> bool:
        """True if something was set up before a step that can be taken back."""
        return any(key in settings for settings, _ in self._past[:-1])

    def set_up(
        self,
        key: str,
        value: object,
        renamed: Mapping[str, str] | None = None,
        unset: Sequence[str] = (),
    ) -> None:
        """Keep something that was set up; what it was before is replaced.

        Args:
            key: What.
            value: As plain values of JSON.
            renamed: Names that others take the place of, in all that was set up and entered.
            unset: What was set up and holds no longer: it must be set up again.
        """
        more: dict[str, Any] = {RENAMED: dict(renamed)} if renamed else {}
        self.step({SET: {key: value}} | more | ({UNSET: [*unset]} if unset else {}))

    def add(self, entry: Entry, before: int | None = None) -> None:
        """Keep what happened: as the last entry, or before one, numbered from 1."""
        self.step({ADD: dict(entry)} | ({} if before is None else {BEFORE: before}))

    def change(self, number: int, entry: Entry | None) -> None:
        """Put another entry in place of one, numbered from 1; None removes it."""
        self.step({CHANGE: number, TO: None if entry is None else dict(entry)})

    def undo(self) -> None:
        """Take back the last entry, change, removal, or setting anew."""
        self.step({UNDO: True})

    def begin_from(self, other: EntryLog) -> None:
        """Go on from where another has come to, which stays as it is."""
        self._past = [*other._past]

    def step(self, step: Mapping[str, Any]) -> None:
        """Take a step that somebody does now."""
        self.take(step)

    def take(self, value: object) -> None:
        """Take a step as it was kept.

        Raises:
            RecordError: It is none; nothing has changed.
        """
        step = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
        if isinstance(found := step.get(SET), dict):
            self._take_settings(cast("dict[str, Any]", found), step.get(RENAMED, {}))
            self._unset(step.get(UNSET, []))
        elif ADD in step:
            self._checked(step[ADD])
            place = len(self.entries) + 1
            if BEFORE in step:
                place = self._place(step[BEFORE])
            self._now((*self.entries[: place - 1], step[ADD], *self.entries[place - 1 :]))
        elif CHANGE in step and TO in step:
            if step[TO] is not None:
                self._checked(step[TO])
            self._now(changed(self.entries, self._place(step[CHANGE]), step[TO]))
        elif step.get(UNDO) is True and self.can_undo:
            self._past.pop()
        else:
            raise refused("this is no step of a game", value=cast("object", value))

    def _take_settings(self, found: dict[str, Any], renamed: object) -> None:
        for key, value in found.items():
            self._checks.check_setting(key, value)
        names = cast("dict[str, object]", renamed) if isinstance(renamed, dict) else {"": None}
        if not all(isinstance(name, str) for name in names.values()):
            raise refused(
                "names are needed", where=f"field {RENAMED!r}", value=cast("object", renamed)
            )
        before = replaced(self.settings, cast("dict[str, str]", names))
        if found.keys() <= before.keys():
            entries = replaced(self.entries, cast("dict[str, str]", names))
            self._past.append(({**before, **found}, entries))
        elif any(found.keys() <= settings.keys() for settings, _ in self._past):
            # It completes the step that unset it, and is taken back with that.
            self._past[-1] = ({**before, **found}, self.entries)
        else:
            # What is set up for the first time belongs to the beginning, and is not taken back.
            self._past = [({**settings, **found}, entries) for settings, entries in self._past]

    def _unset(self, found: Any) -> None:
        keys = cast("list[object]", found) if isinstance(found, list) else [None]
        if not all(isinstance(key, str) for key in keys):
            raise refused(
                "a list of names is needed", where=f"field {UNSET!r}", value=cast("object", found)
            )
        settings = {key: value for key, value in self.settings.items() if key not in keys}
        self._past[-1] = (settings, self.entries)

    def _now(self, entries: tuple[Entry, ...]) -> None:
        self._past.append((self.settings, entries))

    def _checked(self, entry: object) -> None:
        if not isinstance(entry, dict):
            raise refused("an entry is a JSON object", value=entry)
        fields = cast("dict[str, object]", entry)
        if fields.get(UNSURE, True) is not True:
            raise refused("true is needed", where=f"field {UNSURE!r}", value=fields[UNSURE])
        self._checks.check_entry(fields)

    def _place(self, number: object) -> int:
        if type(number) is int and 1 <= number <= len(self.entries):
            return number
        count = len(self.entries)
        raise refused("no entry has this number", value=number, hint=f"there are {count}")


class Book(EntryLog, GrowingFile):
    """The steps of one game in a file; close it.

    Args:
        path: The file.
        checks: The game; what it refuses stands in no file.

    Raises:
        SettingsError: The file has something else, or another process has it.
        RecordError: A line cannot be read, or is no step; with file, line and value.
    """

    def __init__(self, path: Path, checks: Checks) -> None:
        EntryLog.__init__(self, checks)
        GrowingFile.__init__(self, path, first_line(checks), where="FILE")

    def step(self, step: Mapping[str, Any]) -> None:
        # First on the disk, then in here: what is shown is never more than what is kept.
        self.write(step)
        self.take(step)

    # -- as a file

    def check(self, found: object, header: Mapping[str, Any]) -> None:
        if not same_values(found, header):
            raise SettingsError(
                "this file was not written beside such a game",
                where=self.where,
                value=str(self.path),
                hint="name another file",
            )

    def refusal(self) -> tuple[str, str]:
        return "what was typed cannot be read", "name another file"


def first_line(checks: Checks) -> dict[str, Any]:
    """The first line of the file of a game."""
    return {"advice": checks.name, "schema": VERSION}


def changed(entries: tuple[Entry, ...], number: int, entry: Entry | None) -> tuple[Entry, ...]:
    """Entries with another in place of one, numbered from 1; with None, without it."""
    kept = () if entry is None else (entry,)
    return (*entries[: number - 1], *kept, *entries[number:])


def replaced(value: Any, names: Mapping[str, str]) -> Any:
    """Plain values with other texts in the place of some."""
    if not names:
        return value
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        return {key: replaced(each, names) for key, each in fields.items()}
    if isinstance(value, (list, tuple)):
        listed = [replaced(each, names) for each in cast("list[Any]", value)]
        return tuple(listed) if isinstance(value, tuple) else listed
    return value
