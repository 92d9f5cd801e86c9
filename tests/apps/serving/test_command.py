"""`sleuth serve` as an assistant's program starts it, and what it prints without one.

What is answered to lines that the SDK would drop.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from sleuth.apps.serving.tools import TOOLS

from ..conftest import Sleuth
from ..processes import PROGRAM

pytest.importorskip("mcp")

from mcp import Client
from mcp.types import INVALID_REQUEST, PARSE_ERROR

from sleuth.apps.serving.refusing import MOST_BYTES, refusal

PATIENCE = 60.0
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


def test_the_tools_are_listed_without_a_client(sleuth: Sleuth) -> None:
    ran = sleuth("serve", "--list")
    assert ran.code == 0
    assert all(each.name in ran.out for each in TOOLS)
    listed = sleuth("serve", "--list", "--json").json()["tools"]
    assert [each["name"] for each in listed] == [each.name for each in TOOLS]
    for each in listed:
        assert each["description"]
        assert each["inputSchema"]["type"] == each["outputSchema"]["type"] == "object"
        assert each["inputSchema"]["additionalProperties"] is False
        for name, field in each["inputSchema"]["properties"].items():
            assert field.get("description"), f"{each['name']}: {name}"


def test_options_that_make_no_sense_are_refused(sleuth: Sleuth, tmp_path: Path) -> None:
    for arguments, said in (
        (["--http"], "say what to speak"),
        (["--mcp", "--port", "8000"], "no port is needed"),
        (
            ["--mcp", "--http", "--run-code"],
            "code is only run for the parent of the server",
        ),
        (["--mcp", "--json"], "add --list"),
        (["--mcp", "nothing.py:GAME"], "nothing.py"),
    ):
        ran = sleuth("serve", *arguments)
        assert (ran.code, ran.out) == (2, "")
        assert said in ran.err
        assert len(ran.err.strip().splitlines()) == 1 or ran.err.count("Error") <= 1


def test_without_the_extra_it_says_what_to_install(
    sleuth: Sleuth, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    ran = sleuth("serve", "--mcp")
    assert (ran.code, ran.out) == (2, "")
    assert "pip install 'sleuth[mcp]'" in ran.err


def request(number: object, method: str, **params: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()


def asked(value: bytes, number: bytes) -> bytes:
    return (
        request(0, "tools/call", name="log", arguments={"table": 1})
        .replace(b'"id": 0', b'"id": ' + number)
        .replace(b'"table": 1', b'"table": ' + value)
    )


#: Lines that are no requests, and the id and the code of what is answered.
BAD = (
    (asked(b"[" * 200 + b"]" * 200, b'"deep"'), "deep", PARSE_ERROR),
    (asked(b"[" * 10**5, b'"deeper"'), "deeper", PARSE_ERROR),
    (asked(b'{"id": 5, "x":' * 300 + b"1" + b"}" * 300, b"21"), 21, PARSE_ERROR),
    (asked(b"9" * 4_301, b"22"), 22, PARSE_ERROR),
    (asked(rb'"\ud800"', b"23"), 23, PARSE_ERROR),
    (asked(rb'"\" , \"id\": 5"', b"24")[:-1], 24, PARSE_ERROR),
    (asked(b"1", b"9" * 4_301), None, PARSE_ERROR),
    (asked(b"1", b"1.5"), None, INVALID_REQUEST),
    (asked(b"1", b"null"), None, INVALID_REQUEST),
    (asked(b"1", rb'"\ud800"'), None, PARSE_ERROR),
    (b"[" + asked(b"1", b"25") + b"]", None, INVALID_REQUEST),
    (request(26, "ping").replace(b"2.0", b"1.0"), 26, INVALID_REQUEST),
    (b'{"id": 27, "method": "ping"}', 27, INVALID_REQUEST),
    (b'{"jsonrpc": "2.0", "method": 5, "id": "x"}', "x", INVALID_REQUEST),
    (b"no json", None, PARSE_ERROR),
    (b"\xff", None, PARSE_ERROR),
    (b"[]", None, INVALID_REQUEST),
    (asked(b'"' + b"a" * MOST_BYTES + b'"', b"28"), 28, INVALID_REQUEST),
)


def test_a_line_that_is_no_request_is_answered_with_its_id_where_it_can_be_read() -> None:
    for line, number, code in BAD:
        found = refusal(line)
        assert found is not None, line[:100]
        assert (found.id, found.error.code) == (number, code), line[:100]
        assert len(found.error.message) < 300
    for line in (
        asked(b"9" * 4_300, b"1"),
        asked(b"[" * 150 + b"]" * 150, b"1"),
        b'{"jsonrpc": "2.0", "method": "notifications/initialized"}',
        b'{"jsonrpc": "2.0", "id": 1, "result": {}}',
    ):
        assert refusal(line) is None


@pytest.mark.skipif(os.name == "nt", reason="signals are of POSIX")
def test_a_program_has_an_answer_to_every_line_until_ctrl_c(tmp_path: Path) -> None:
    """What the file of a game prints harms nobody, and nothing is printed but the protocol."""
    broken = tmp_path / "broken.py"
    broken.write_text("print('{')\nGAME = [\n")
    # Half a letter, which no line can hold.
    broken.with_stem("half").write_text(r"raise ValueError('\ud800')")
    with started("--mcp", "--run-code") as served:

        def answers(*lines: bytes) -> list[Any]:
            served.stdin.write(b"\n".join(lines) + b"\n")
            served.stdin.flush()
            return [json.loads(served.stdout.readline()) for _ in lines]

        def called(tool: str, **arguments: str) -> Any:
            (found,) = answers(request(1, "tools/call", name=tool, arguments=arguments))
            return found["result"]["structuredContent"]

        (hello,) = answers(json.dumps(HELLO).encode())
        assert hello["result"]["serverInfo"]["name"] == "sleuth"
        table = called("open_advice", game="saboteur")["table"]
        before = called("log", table=table)
        found = answers(*(line for line, _, _ in BAD))
        assert [(each["id"], each["error"]["code"]) for each in found] == [
            (number, code) for _, number, code in BAD
        ]
        assert called("log", table=table) == before
        half = called("check_game", game=f"{broken.with_stem('half')}:GAME")
        assert "ValueError" in json.dumps(half["check"]["findings"])
        checked = called("check_game", game=f"{broken}:GAME")
        assert checked["passed"] is False
        (fault,) = checked["check"]["findings"]
        assert (fault["check"], fault["place"]["line"]) == ("syntax", 2)
        # Its input stays open.
        ended(served)
        assert served.stdout.read() == b""


@pytest.mark.skipif(os.name == "nt", reason="signals are of POSIX")
def test_this_machine_alone_reaches_it_by_the_whole_address_until_ctrl_c() -> None:
    """In a process of its own: a Ctrl-C may end more of the tests' own than the server."""
    with started("--mcp", "--http", "--port", "0") as served:
        served.stdout.readline()
        address = served.stdout.readline().decode().strip()
        assert b"Ctrl-C" in served.stdout.readline()
        reached(address)
        ended(served)


def reached(address: str) -> None:
    """What comes of asking at this address, and at others."""
    assert re.fullmatch(r"http://127\.0\.0\.1:[1-9]\d+/[\w-]{20,}/mcp", address)
    path, hello = urlsplit(address).path, json.dumps(HELLO).encode()
    assert posted(address, path, hello) == 200
    for other in ("/mcp", f"/{'x' * 22}/mcp", "/"):
        assert posted(address, other, hello) == 404
    assert posted(address, path, hello, host="evil.example") == 421
    assert posted(address, path, hello, origin="http://evil.example") == 403
    assert posted(address, path, b"no json") == 400

    async def ask() -> None:
        async with Client(address) as client:
            assert len((await client.list_tools()).tools) == len(TOOLS)
            opened = await client.call_tool("open_advice", {"game": "saboteur"})
            assert opened.structured_content is not None
            checked = await client.call_tool("check_game", {"game": "nothing.py:GAME"})
            assert checked.is_error
            deep: Any = "x"
            for _ in range(210):
                deep = [deep]
            assert (await client.call_tool("log", {"table": deep})).is_error

    asyncio.run(ask())


def posted(address: str, path: str, line: bytes, **headers: str) -> int:
    """The status that an HTTP server answers a line with."""
    both = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
    with contextlib.closing(
        HTTPConnection(str(urlsplit(address).netloc), timeout=PATIENCE)
    ) as connection:
        connection.request("POST", path, line, {**both, **headers})
        return connection.getresponse().status


@contextlib.contextmanager
def started(*options: str) -> Iterator[Any]:
    """The command; it is ended where it says nothing for too long."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*PROGRAM, "serve", *options], stdin=pipe, stdout=pipe, stderr=pipe
    ) as served:
        watch = threading.Timer(PATIENCE, served.kill)
        watch.start()
        try:
            yield served
        finally:
            watch.cancel()
            served.kill()


def ended(served: Any) -> None:
    served.send_signal(signal.SIGINT)
    assert served.wait(PATIENCE) == 0
    assert served.stderr.read() == b""
