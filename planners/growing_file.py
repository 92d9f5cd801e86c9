"""Results that are kept as they come, a line each, so that an interrupted run goes on.

JSON Lines. The first line says what the results depend on; every other one is a result. A last
line that was cut off is dropped.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..data.errors import RecordError


class GrowingFile(ABC):
    """A file of results; made with the first one, if it is not there.

    Args:
        path: The file.
        header: What the results depend on, as plain values.

    Raises:
        SettingsError: The file has other results, or something else.
        RecordError: A line in the middle cannot be read.
    """

    def __init__(self, path: Path, header: Mapping[str, Any]) -> None:
        self.path = path
        self._head = (json.dumps(header, sort_keys=True) + "\n").encode()
        self._whole = 0
        if path.exists():
            self._read()
        self._stream: Any = None

    @abstractmethod
    def check(self, found: object, header: Mapping[str, Any]) -> None:
        """Refuses a first line, None if it is not JSON, that has other results after it."""

    @abstractmethod
    def take(self, value: Any) -> None:
        """Keeps a result of the file; ValueError, TypeError or KeyError if it is none."""

    @abstractmethod
    def refusal(self) -> tuple[str, str]:
        """What to say of a line that is no result, and what to do."""

    def write(self, value: Mapping[str, Any]) -> None:
        """Writes a result."""
        if self._stream is None:
            self._stream = self.path.open("r+b" if self.path.exists() else "w+b")
            self._stream.truncate(self._whole)
            self._stream.seek(self._whole)
            if self._whole == 0:
                self._stream.write(self._head)
        self._stream.write((json.dumps(value) + "\n").encode())
        # What is in the system's hands outlives this process.
        self._stream.flush()

    def close(self) -> None:
        """Ends the writing."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    def _read(self) -> None:
        content = self.path.read_bytes()
        if self._head.startswith(content):
            return  # nothing, or a first line that was cut off
        lines = content.split(b"\n")
        self.check(_json(lines[0]), json.loads(self._head))
        self._whole = len(lines[0]) + 1
        # What follows the last line's end was cut off while it was written.
        for place, line in enumerate(lines[1:-1], start=2):
            try:
                self.take(json.loads(line))
            except (ValueError, TypeError, KeyError):
                if place == len(lines) - 1:
                    return
                what, hint = self.refusal()
                raise RecordError(what, where=f"{self.path}, line {place}", hint=hint) from None
            self._whole += len(line) + 1


def _json(line: bytes) -> object:
    try:
        return json.loads(line)
    except ValueError:
        return None
