"""`sleuth serve` as an assistant's program starts it, and what it prints without one."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sleuth.apps.serving.tools import TOOLS

from ..conftest import Sleuth
from ..processes import PROGRAM

pytest.importorskip("mcp")

from mcp import Client, StdioServerParameters

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


def test_a_program_starts_it_and_has_a_game_checked(tmp_path: Path) -> None:
    """By the SDK's client; what the game's file prints harms nobody."""
    broken = tmp_path / "broken.py"
    broken.write_text("print('{')\nGAME = [\n")

    async def run() -> dict[str, Any]:
        arguments = [*PROGRAM[1:], "serve", "--mcp", "--run-code"]
        start = StdioServerParameters(command=PROGRAM[0], args=arguments, env=dict(os.environ))
        async with Client(start) as client:
            opened = await client.call_tool("open_advice", {"game": "saboteur"})
            assert not opened.is_error
            checked = await client.call_tool("check_game", {"game": f"{broken}:GAME"})
        assert checked.structured_content is not None
        return checked.structured_content

    checked = asyncio.run(run())
    assert checked["passed"] is False
    (fault,) = checked["check"]["findings"]
    assert (fault["check"], fault["place"]["line"]) == ("syntax", 2)


@pytest.mark.skipif(os.name == "nt", reason="signals are of POSIX")
def test_ctrl_c_ends_it_and_nothing_is_printed_but_the_protocol() -> None:
    with subprocess.Popen(
        [*PROGRAM, "serve", "--mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as served:
        assert served.stdin is not None
        assert served.stdout is not None
        assert served.stderr is not None
        served.stdin.write(json.dumps(HELLO).encode() + b"\nno json\n[]\n\xff\n")
        served.stdin.flush()
        assert json.loads(served.stdout.readline())["result"]["serverInfo"]["name"] == "sleuth"
        # Its input stays open.
        served.send_signal(signal.SIGINT)
        assert served.wait(PATIENCE) == 0
        for line in served.stdout.read().splitlines():
            assert json.loads(line)["jsonrpc"] == "2.0"
        assert served.stderr.read() == b""
