"""Lines of standard input, which nobody waits for when they leave."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from typing import Any, Final

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage

from .refusing import MOST_BYTES, refusal

#: Bytes that are read at once.
CHUNK: Final = 2**16
#: Lines that wait to be taken.
WAITING: Final = 16


class InputLines:
    """The lines of a file descriptor, as they come; to be iterated once.

    The SDK's own reader waits for the next line even where the server is to end, such as by
    Ctrl-C. A thread of this one does, which ends with the process. And lines that the SDK would
    drop are answered (see `refusal`).

    Args:
        descriptor: The file.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lines: asyncio.Queue[str | types.JSONRPCError | None] = asyncio.Queue(WAITING)
        self._loop = asyncio.get_running_loop()
        self._replies: asyncio.Future[Any] = self._loop.create_future()
        threading.Thread(target=self._read, daemon=True).start()

    def reply_by(self, stream: Any) -> None:
        """Write what is answered to lines that are refused to this stream of the SDK."""
        self._replies.set_result(stream)

    def __aiter__(self) -> InputLines:
        return self

    async def __anext__(self) -> str:
        while not isinstance(line := await self._lines.get(), str):
            if line is None:
                raise StopAsyncIteration
            replies = await self._replies
            # The server may be about to end.
            with contextlib.suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
                await replies.send(SessionMessage(line))
        return line

    def _read(self) -> None:
        line = bytearray()
        # The loop may have ended.
        with contextlib.suppress(OSError, RuntimeError):
            while found := os.read(self._descriptor, CHUNK):
                *ends, begun = found.split(b"\n")
                for end in ends:
                    self._take(bytes(line + end))
                    line.clear()
                # Of one that is too long, the beginning is enough.
                if len(line) <= MOST_BYTES:
                    line += begun
            self._take(bytes(line))
        with contextlib.suppress(RuntimeError):
            self._put(None)

    def _take(self, line: bytes) -> None:
        if line.strip():
            self._put(refusal(line) or line.decode("utf-8", "replace"))

    def _put(self, line: str | types.JSONRPCError | None) -> None:
        asyncio.run_coroutine_threadsafe(self._lines.put(line), self._loop).result()
