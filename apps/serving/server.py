"""The protocol: tools, resources and prompts of a desk, by the official SDK (the extra ``mcp``)."""

from __future__ import annotations

import contextlib
import logging
import os
import traceback
from typing import Any, Final, cast

import anyio
import mcp_types as types
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from ...data.errors import SleuthError, shorten
from ...data.version import version
from .desk import Desk
from .guidance import INSTRUCTIONS, PROMPTS, RESOURCES, TEMPLATES, prompt, resource
from .paging import fields_of, in_words
from .standard_input import InputLines
from .tools import TOOLS, Tool, tool_of

Context = ServerRequestContext[Any]
STANDARD_INPUT: Final = 0
#: Errors of sleuth itself that are remembered.
MOST_FAULTS: Final = 20
#: Where the parts of an error stand in an answer, for programs.
ERROR: Final = "sleuth/error"


class AssistantServer:
    """A desk at the protocol.

    Args:
        desk: The desk.

    Attributes:
        faults: The last errors that are sleuth's own, as Python prints them; an assistant is told
            that there was one, and the desk goes on.
        server: The server of the SDK.
    """

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.faults: list[str] = []
        self.server: Server[Any] = Server(
            "sleuth",
            version=version(),
            title="sleuth",
            description="Exact beliefs, proofs and advice for games with hidden information.",
            instructions=INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
        )

    async def speak(self) -> None:
        """Serve the parent of this process, on standard input and output, until they end it."""
        lines = InputLines(os.dup(STANDARD_INPUT))
        read_from: Any = lines
        async with stdio_server(stdin=read_from) as (read, write):
            lines.reply_by(write)
            await self.server.run(read, write, self.server.create_initialization_options())

    # -- handlers

    async def _list_tools(
        self, context: Context, asked: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_described(each) for each in TOOLS])

    async def _call_tool(
        self, context: Context, asked: types.CallToolRequestParams
    ) -> types.CallToolResult:
        try:
            form = await tool_of(asked.name).call(self.desk, asked.arguments or {})
            content, words = _written(fields_of(form)), _written(in_words(form))
        except SleuthError as error:
            return _refused(error)
        except Exception as error:  # whatever it is, the next call is answered
            return _refused(self._fault(error))
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=words)], structured_content=content
        )

    async def _list_resources(
        self, context: Context, asked: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        listed = [
            types.Resource(uri=uri, name=name, description=says, mime_type=kind)
            for uri, (name, says, kind) in RESOURCES.items()
        ]
        return types.ListResourcesResult(resources=listed)

    async def _list_templates(
        self, context: Context, asked: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        listed = [
            types.ResourceTemplate(uri_template=uri, name=name, description=says, mime_type=kind)
            for uri, name, says, kind in TEMPLATES
        ]
        return types.ListResourceTemplatesResult(resource_templates=listed)

    async def _read_resource(
        self, context: Context, asked: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(asked.uri)
        try:
            text, kind = resource(uri)
        except SleuthError as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from None
        except Exception as error:
            raise MCPError(types.INTERNAL_ERROR, str(self._fault(error))) from None
        made = types.TextResourceContents(uri=uri, text=text, mime_type=kind)
        return types.ReadResourceResult(contents=[made])

    async def _list_prompts(
        self, context: Context, asked: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        listed = [
            types.Prompt(
                name=name,
                description=says,
                arguments=[
                    types.PromptArgument(name=each, description=what, required=True)
                    for each, what in arguments.items()
                ],
            )
            for name, (says, arguments) in PROMPTS.items()
        ]
        return types.ListPromptsResult(prompts=listed)

    async def _get_prompt(
        self, context: Context, asked: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        try:
            text = prompt(asked.name, asked.arguments or {})
        except SleuthError as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from None
        except Exception as error:
            raise MCPError(types.INTERNAL_ERROR, str(self._fault(error))) from None
        content = types.TextContent(type="text", text=text)
        return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=content)])

    def _fault(self, error: Exception) -> SleuthError:
        """An error that is sleuth's own, as an assistant is told of it."""
        self.faults.append("".join(traceback.format_exception(error)))
        del self.faults[:-MOST_FAULTS]
        return SleuthError(
            f"sleuth could not do this, by a fault of its own ({type(error).__name__})",
            hint="nothing that was told before is lost; ask otherwise, and report it",
        )


def speak(desk: Desk) -> None:
    """Serve a desk on standard input and output, until these end or by Ctrl-C."""
    be_quiet()
    served = AssistantServer(desk)
    with contextlib.suppress(KeyboardInterrupt):
        anyio.run(served.speak)


def be_quiet() -> None:
    """Let the SDK print nothing: what goes wrong with a call is told to the caller."""
    for name in ("mcp", "anyio", "asyncio", "uvicorn"):
        logger = logging.getLogger(name)
        logger.addHandler(logging.NullHandler())
        logger.propagate = False


def _described(tool: Tool) -> types.Tool:
    hints = types.ToolAnnotations(
        read_only_hint=tool.reads, destructive_hint=False, open_world_hint=tool.runs_code
    )
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.says,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        annotations=hints,
    )


def _refused(error: SleuthError) -> types.CallToolResult:
    """An error, in words and, for programs, in its parts."""
    value = None if error.value is None else shorten(str(error.value))
    parts = {"message": error.message, "where": error.where, "value": value, "hint": error.hint}
    content = types.TextContent(type="text", text=_written(str(error)))
    return types.CallToolResult(content=[content], is_error=True, _meta={ERROR: _written(parts)})


def _written(value: Any) -> Any:
    """A value that a line can hold: halves of letters, as code of others may say them, are ``?``.

    One of them would end the SDK's writer, and with it the server.
    """
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        pairs = cast("dict[Any, Any]", value).items()
        return {_written(key): _written(each) for key, each in pairs}
    if isinstance(value, list):
        return [_written(each) for each in cast("list[Any]", value)]
    return value
