"""Lines of standard input, which nobody waits for when they leave."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from typing import Final

from ...data.errors import RecordError

#: Bytes that are read at once, and of a line at most.
CHUNK: Final = 2**16
MOST_BYTES: Final = 2**24
#: Lines that wait to be taken.
WAITING: Final = 16


class InputLines:
    """The lines of a file descriptor, as they come; to be iterated once.

    The SDK's own reader waits for the next line even where the server is to end, such as by
    Ctrl-C. A thread of this one does, which ends with the process.

    Args:
        descriptor: The file.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lines: asyncio.Queue[str | None] = asyncio.Queue(WAITING)
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, daemon=True).start()

    def __aiter__(self) -> InputLines:
        return self

    async def __anext__(self) -> str:
        line = await self._lines.get()
        if line is None:
            raise StopAsyncIteration
        return line

    def _read(self) -> None:
        left = b""
        # The loop may have ended.
        with contextlib.suppress(OSError, RuntimeError, RecordError):
            while found := os.read(self._descriptor, CHUNK):
                *whole, left = (left + found).split(b"\n")
                if len(left) > MOST_BYTES:
                    raise RecordError("a line is too long", value=len(left))
                for line in whole:
                    self._put(line.decode("utf-8", "replace"))
            if left:
                self._put(left.decode("utf-8", "replace"))
        with contextlib.suppress(RuntimeError):
            self._put(None)

    def _put(self, line: str | None) -> None:
        asyncio.run_coroutine_threadsafe(self._lines.put(line), self._loop).result()
