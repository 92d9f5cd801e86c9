"""An assistant that speaks the protocol by the SDK's own client, to a server here or elsewhere."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Coroutine
from tempfile import TemporaryFile
from typing import Any

import pytest

from sleuth.apps.table.sitting import Job
from sleuth.apps.table.web.workers import Workers

from ..processes import PROGRAM

pytest.importorskip("mcp")

from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import CallToolResult, TextContent

from sleuth.apps.serving.desk import Desk
from sleuth.apps.serving.server import AssistantServer

CLUE = ["Ada Bob Cleo", "ada", "green rope hall stud loun libr"]


class NearWorkers(Workers):
    """They work in this process: another one costs seconds to start."""

    async def run(self, job: Job, *, urgency: int = 0, seconds: float | None = None) -> Any:
        return await asyncio.to_thread(job.make, *job.arguments)


class Refused(Exception):
    """An error of a tool, as an assistant gets it.

    Attributes:
        parts: Its parts: message, where, value, hint.
    """

    def __init__(self, text: str, parts: dict[str, Any]) -> None:
        super().__init__(text)
        self.parts = parts


class Assistant:
    """A client, and the server that it speaks to.

    Attributes:
        client: The SDK's client.
    """

    def __init__(self, client: Client, served: AssistantServer | None = None) -> None:
        self.client, self._served = client, served

    @property
    def served(self) -> AssistantServer:
        """The server, if it is in this process."""
        assert self._served is not None
        return self._served

    async def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The answer of a tool, which the client has compared with its schema.

        Raises:
            Refused: The tool refuses it, or the server its line.
        """
        try:
            found = await self.client.call_tool(tool, arguments)
        except MCPError as error:
            raise Refused(str(error), {}) from None
        if found.is_error:
            raise Refused(words(found), (found.meta or {})["sleuth/error"])
        assert found.structured_content is not None
        # Whatever stands there can be written.
        json.dumps(found.structured_content, allow_nan=False)
        return found.structured_content

    async def clue(self, *lines: str) -> str:
        """A table beside a game of Clue that is set up, and where these lines were told."""
        table = str((await self.call("open_advice", game="clue"))["table"])
        await self.call("tell", table=table, lines=[*CLUE, *lines])
        return table


Scene = Callable[[Assistant], Awaitable[None]]


def words(found: CallToolResult) -> str:
    """An answer as an assistant that shows text shows it."""
    return "\n".join(each.text for each in found.content if isinstance(each, TextContent))


def assisted(scene: Scene, **options: Any) -> None:
    """What happens between an assistant and a server; the server has no faults of its own."""

    async def run() -> None:
        options.setdefault("workers", NearWorkers(1))
        desk = Desk(**options)
        served = AssistantServer(desk)
        try:
            async with Client(served.server) as client:
                await scene(Assistant(client, served))
        finally:
            desk.close()
        assert served.faults == []

    _together(run())


def assisted_by_program(scene: Scene, *options: str) -> None:
    """What happens between an assistant and `sleuth serve --mcp`, which prints nothing else."""

    async def run() -> None:
        arguments = [*PROGRAM[1:], "serve", "--mcp", *options]
        start = StdioServerParameters(command=PROGRAM[0], args=arguments, env=dict(os.environ))
        with TemporaryFile("w+") as printed:
            async with Client(stdio_client(start, printed)) as client:
                await scene(Assistant(client))
            printed.seek(0)
            assert printed.read() == ""

    _together(run())


def _together(run: Coroutine[Any, Any, None]) -> None:
    try:
        asyncio.run(run)
    except BaseExceptionGroup as group:
        # Of those of tasks inside tasks.
        error: BaseException = group
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        raise error from None
