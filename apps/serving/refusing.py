"""Lines that the SDK's parser would drop, so that their sender would wait for ever."""

from __future__ import annotations

import re
from typing import Final

import mcp_types as types
from pydantic import ValidationError
from pydantic_core import from_json

from ...data.errors import RecordError

#: Bytes of a line.
MOST_BYTES: Final = 2**24
_TEXT: Final = r'"[^"\\]*(?:\\.[^"\\]*)*"'
#: Whatever says where one is in a line.
_PLACES: Final = re.compile(rf"{_TEXT}|[\[{{]+|[\]}}]+", re.DOTALL)
#: Behind a key: a value that can be an id, of as many digits as Python reads.
_ID: Final = re.compile(rf"\s*:\s*(-?[0-9]{{1,4300}}(?![0-9.eE])|{_TEXT})", re.DOTALL)


def refusal(line: bytes) -> types.JSONRPCError | None:
    """The answer to a line that is no message of the protocol, with its id where it can be read.

    The SDK answers requests alone, and drops what it cannot read: lists in lists 200 deep, numbers
    of more than 4,300 digits, and whatever is not quite JSON-RPC 2.0.

    Args:
        line: The line, perhaps only the beginning of one that is too long.

    Returns:
        An error; None for a line that the SDK takes.
    """
    text = line.decode("utf-8", "replace")
    if len(line) > MOST_BYTES:
        error = RecordError("the line is too long", hint=f"write at most {MOST_BYTES} bytes")
        return _answer(types.INVALID_REQUEST, error, text)
    try:
        message = types.jsonrpc_message_adapter.validate_json(text, by_name=False)
    except ValidationError as problem:
        found = problem.errors(include_url=False, include_input=False)[0]
        if found["type"] != "json_invalid":
            return _answer(types.INVALID_REQUEST, _no_request(), text)
        error = RecordError(
            f"the line cannot be read: {found['msg']}",
            hint="write one request a line, nested less than 190 deep, with numbers of at most "
            "4,300 digits",
        )
        return _answer(types.PARSE_ERROR, error, text)
    # A request whose id is neither a number nor a text looks like a message that wants no answer.
    if isinstance(message, types.JSONRPCNotification) and "id" in from_json(text):
        return _answer(types.INVALID_REQUEST, _no_request(), text)
    return None


def _no_request() -> RecordError:
    return RecordError(
        "the line is no request of JSON-RPC 2.0",
        hint='write {"jsonrpc": "2.0", "id": a whole number or a text, "method": a text, '
        '"params": an object}',
    )


def _answer(code: int, error: RecordError, text: str) -> types.JSONRPCError:
    told = types.ErrorData(code=code, message=str(error))
    return types.JSONRPCError(jsonrpc="2.0", id=_id_of(text), error=told)


def _id_of(text: str) -> int | str | None:
    """The id of a request that nobody can read as a whole."""
    depth = 0
    for found in _PLACES.finditer(text):
        part = found[0]
        if part[0] in "[{":
            depth += len(part)
        elif part[0] in "]}":
            depth -= len(part)
        elif depth == 1 and part == '"id"' and (value := _ID.match(text, found.end())):
            try:
                return from_json(value[1])
            except ValueError:  # such as half a letter
                return None
    return None
