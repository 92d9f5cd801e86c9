"""The tools in words and as JSON, without a client."""

from __future__ import annotations

from typing import Any

from ..kit.answers.values import Paragraph, Statement, Statements
from .tools import TOOLS, Tool


def tools_as_json() -> dict[str, Any]:
    """All tools with their schemas, as the protocol lists them."""
    return {"tools": [_as_json(each) for each in TOOLS]}


def tools_in_words() -> Statements:
    """All tools, one below the other."""
    said: list[Statement] = []
    for each in TOOLS:
        arguments = arguments_in_words(each)
        said.append(Paragraph(f"{each.name}  {arguments}".rstrip(), "strong", blank="above"))
        said.append(Paragraph(each.says))
    return said


def arguments_in_words(tool: Tool) -> str:
    """The arguments of a tool; in brackets those that can be left out."""
    fields = tool.arguments.model_fields.items()
    return ", ".join(name if each.is_required() else f"[{name}]" for name, each in fields)


def _as_json(tool: Tool) -> dict[str, Any]:
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.says,
        "inputSchema": tool.input_schema,
        "outputSchema": tool.output_schema,
        "annotations": {"readOnlyHint": tool.reads, "openWorldHint": tool.runs_code},
    }
