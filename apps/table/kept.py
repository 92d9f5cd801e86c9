"""The file of a sitting: what it was made of, and everything that was done at it, a line each.

A line holds one touch with all that it did, so that both are on the disk or neither is: a page that
says a line again, after a network or a server that was gone, is told that it counts already.
"""

from __future__ import annotations

import contextlib
import json
import secrets
import threading
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast

from ...data.disk.growing import GrowingFile
from ...data.errors import SettingsError
from ...models.records.reading import refused

SCHEMA: Final = 1
KIND: Final = "sitting"
TOUCH: Final = "touch"
STEP: Final = "step"
#: Bytes of what nobody can guess.
SECRET: Final = 16
#: Touches that are remembered where no file has them.
MOST_TOUCHES: Final = 1_000
#: Most bytes of a first line.
MOST_HEAD: Final = 2**22
#: What is done at a sitting at most: a file that nobody can read again is worse than none.
MOST_STEPS: Final = 100_000
#: Most bytes of a sitting's file.
MOST_BYTES: Final = 2**28


class LastTouches:
    """The last touches that stand in no file, each with where it led."""

    def __init__(self) -> None:
        self._led: OrderedDict[str, str] = OrderedDict()

    def led(self, touch: str) -> str | None:
        """The address where a touch led; None for one that is not remembered."""
        return self._led.get(touch)

    def keep(self, touch: str, led: str = "") -> str:
        """Remember a touch; the address where it led."""
        if touch:
            self._led[touch] = led
        while len(self._led) > MOST_TOUCHES:
            self._led.popitem(last=False)
        return led


class SittingLog(ABC):
    """Everything that was done at a sitting, in order; whatever keeps it.

    Args:
        head: The first line of a file: see `head_of`.

    Attributes:
        kind: What it is; see `Sitting`.
        made: What it was made of, as plain values of JSON.
        tokens: The secret part of each seat's address, in order.
        steps: What was done, in order, as plain values of JSON.
    """

    def __init__(self, head: Mapping[str, Any]) -> None:
        self.kind: str = head[KIND]
        self.made: Mapping[str, Any] = head["made"]
        self.tokens: Sequence[str] = head["seats"]
        self.steps: list[Mapping[str, Any]] = []
        self._touches: set[str] = set()

    def known(self, touch: str) -> bool:
        """True if a touch was kept already."""
        return touch in self._touches

    def keep(self, step: Mapping[str, Any], touch: str = "") -> None:
        """Keep what was done, by a touch or by itself.

        Raises:
            SettingsError: It cannot be written, or too much was done; nothing of it is kept.
        """
        if len(self.steps) >= MOST_STEPS:
            raise _too_much(MOST_STEPS)
        value = {STEP: dict(step)} | ({TOUCH: touch} if touch else {})
        self.write(value)
        self.take(value)

    @abstractmethod
    def write(self, value: Mapping[str, Any]) -> None:
        """Put a line where it outlives this process; a SettingsError where it cannot be."""

    @abstractmethod
    def close(self) -> None:
        """Let go of where it is kept."""

    def take(self, value: object) -> None:
        """Take a line that was kept; a RecordError if it is none."""
        found = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
        step, touch = found.get(STEP), found.get(TOUCH, "")
        if not isinstance(step, dict) or not isinstance(touch, str):
            raise refused("this is nothing that was done at a table", value=cast("object", value))
        self.steps.append(cast("dict[str, Any]", step))
        if touch:
            self._touches.add(touch)


class SittingFile(SittingLog, GrowingFile):
    """The file of one sitting; close it.

    Args:
        path: The file; see `new`.

    Raises:
        SettingsError: The file is not there or has something else, or another process has it.
        RecordError: A line cannot be read; with file, line and value.
    """

    def __init__(self, path: Path) -> None:
        head = head_of(path)
        self._lock = threading.Lock()
        SittingLog.__init__(self, head)
        GrowingFile.__init__(self, path, head)

    @classmethod
    def new(
        cls, folder: Path, kind: str, made: Mapping[str, Any], seats: int, now: float
    ) -> SittingFile:
        """A new file in a folder, which only this user can read.

        Args:
            folder: The folder.
            kind: What the sitting is.
            made: What it is made of.
            seats: How many seats it has.
            now: Seconds of the clock.

        Raises:
            SettingsError: It cannot be written.
        """
        path = folder / f"{secrets.token_hex(8)}.jsonl"
        tokens = [secrets.token_urlsafe(SECRET) for _ in range(seats)]
        head = new_head(kind, made, tokens, now)
        try:
            with path.open("xb") as file:
                path.chmod(0o600)
                file.write((json.dumps(head, sort_keys=True) + "\n").encode())
        except OSError as error:
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)
            raise SettingsError(
                f"this table cannot be kept: {(error.strerror or str(error)).lower()}",
                value=str(folder),
                hint="make room for it, and try again",
            ) from None
        return cls(path)

    def write(self, value: Mapping[str, Any]) -> None:
        if self._whole > MOST_BYTES:
            raise _too_much(MOST_BYTES)
        # A number of a file that is closed at this moment may be another file's at the next.
        with self._lock:
            GrowingFile.write(self, value)

    def close(self) -> None:
        with self._lock:
            GrowingFile.close(self)

    # -- as a file

    def check(self, found: object, header: Mapping[str, Any]) -> None:
        """Nothing: the first line was read before."""

    def take(self, value: object) -> None:
        SittingLog.take(self, value)

    def refusal(self) -> tuple[str, str]:
        return "what was kept cannot be read", "take the file away"


def _too_much(most: int) -> SettingsError:
    return SettingsError(
        "too much was done at this table", value=most, hint="begin another in the lobby"
    )


def new_head(
    kind: str, made: Mapping[str, Any], tokens: Sequence[str], now: float
) -> dict[str, Any]:
    """The first line of a file: what a sitting is, is made of, and the secrets of its seats."""
    return {KIND: kind, "schema": SCHEMA, "made": dict(made), "seats": [*tokens], "begun": now}


def head_of(path: Path) -> dict[str, Any]:
    """The first line of a sitting's file.

    Raises:
        SettingsError: The file has something else, or cannot be read.
    """
    try:
        with path.open("rb") as file:
            head = json.loads(file.readline(MOST_HEAD))
    except (OSError, ValueError):
        head = None
    if not _is_head(head):
        raise SettingsError("this is no file of a table", value=str(path))
    return cast("dict[str, Any]", head)


def _is_head(head: object) -> bool:
    if not isinstance(head, dict):
        return False
    found = cast("dict[str, object]", head)
    tokens = found.get("seats")
    return (
        isinstance(found.get(KIND), str)
        and found.get("schema") == SCHEMA
        and isinstance(found.get("made"), dict)
        and isinstance(tokens, list)
        and all(isinstance(token, str) for token in cast("list[object]", tokens))
        and isinstance(found.get("begun"), (int, float))
    )
