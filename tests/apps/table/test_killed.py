"""A server that is killed loses nothing; what ends it, or keeps it from beginning, is said.

``SLEUTH_KILLS`` says how often the server is killed (3 if unset).
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.whole.table_kills import BEGINNING, PERSON, survive
from benchmarks.whole.table_scripts import clue_script
from sleuth.apps.table import kept
from sleuth.apps.table.kept import SittingFile
from sleuth.apps.table.lobby import Lobby
from sleuth.apps.table.web import run
from sleuth.apps.table.web.run import ServerStart, serve
from sleuth.data.errors import SettingsError

from .servers import Server, TableProcess, counter, until

KILLS = int(os.environ.get("SLEUTH_KILLS", "3"))
COMMAND = [sys.executable, "-m", "sleuth.apps.main", "table", "--no-browser"]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="nobody is killed here")
def test_a_server_that_is_killed_again_and_again_loses_nothing(tmp_path: Path) -> None:
    script = clue_script(4, events=1 + KILLS // 2, bare=True)
    found = survive(
        tmp_path / "table", script, game="kuhn_poker", kills=KILLS, seed=1, others=PERSON
    )
    assert (found.lost, found.twice) == (0, 0)
    assert found.said[0] == len(script)
    assert found.said[1] > 2 * KILLS
    assert found.returned >= 2 * KILLS
    # It was ended by a signal at last, without a word, and its workers with it.
    assert found.code == -signal.SIGTERM


# -- how it ends


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="there are no groups of processes here")
def test_ctrl_c_ends_it_with_its_workers_and_says_that_all_is_kept(tmp_path: Path) -> None:
    # A browser that cannot be opened is no trouble.
    process = TableProcess(
        tmp_path / "table", options=("--browser",), environment={"BROWSER": "/nothing/there"}
    )
    address = process.begin("game", "kuhn_poker")
    process.say(address, "begin", BEGINNING)
    with process.listening(address) as page:
        page.read()
        # One is just being started, and does not know yet what Ctrl-C means.
        until(process.workers)
        assert process.interrupt() == 0
    assert "Everything is kept" in process.printed[-1]
    assert process.errors == []
    assert process.workers() == []


# -- what keeps it from beginning


def said_by(*arguments: str, program: tuple[str, ...] = ()) -> str:
    """What the command says on standard error where it cannot go on: one message, and code 2."""
    found = subprocess.run(
        [*program, *COMMAND, *arguments], capture_output=True, text=True, timeout=60, check=False
    )
    assert found.returncode == 2, found
    assert found.stdout == ""
    assert "Traceback" not in found.stderr
    return " ".join(re.sub(r"[│╭╮╰╯─]", " ", found.stderr).split())


def refused(opening: ServerStart, capsys: pytest.CaptureFixture[str]) -> str:
    """What is raised before anything is printed."""
    with pytest.raises(SettingsError) as error:
        serve(opening)
    assert capsys.readouterr().out == ""
    return f"{error.value}; {error.value.hint}"


def test_a_folder_is_open_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    process = TableProcess(tmp_path)
    said = refused(ServerStart(tmp_path), capsys)
    assert f"open already, at {process.address}" in said
    assert "another folder" in said
    process.kill()
    # Nobody has it now, whatever the file says.
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert "this port" in refused(ServerStart(tmp_path, taken.getsockname()[1]), capsys)


def test_a_port_that_is_taken_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = refused(ServerStart(tmp_path, port, browser=False), capsys)
    assert re.search(f"port: this port cannot be used: address already in use.*{port}", said)


def test_ports_that_are_all_taken_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setattr(run, "PORT", taken.getsockname()[1])
        monkeypatch.setattr(run, "MOST_PORTS", 1)
        assert "none of the usual ports is free" in refused(ServerStart(tmp_path), capsys)


@pytest.mark.parametrize(
    "arguments, words",
    [
        (("--port", "99999"), "'--port': Input should be less than or equal to 65535"),
        (("kuhn_pokr",), "did you mean 'kuhn_poker'"),
    ],
    ids=str,
)
def test_what_is_no_game_and_no_port_is_refused(
    tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    assert words in said_by("--folder", str(tmp_path / "table"), *arguments)
    assert not (tmp_path / "table").exists()


@pytest.mark.skipif(
    shutil.which("setpriv") is None or os.getuid() != 0, reason="there is nobody to be"
)
def test_a_folder_that_can_only_be_read_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "table"
    Lobby(folder).key  # noqa: B018
    for each in (tmp_path.parent.parent, tmp_path.parent, tmp_path, folder, folder / "sittings"):
        each.chmod(0o755)
    (folder / "key").chmod(0o644)
    as_nobody = ("setpriv", "--reuid", "65534", "--clear-groups")
    said = said_by("--folder", str(folder), program=as_nobody)
    assert re.search(r"--folder: this (folder|file) .*permission denied", said)


# -- disks and networks


def test_a_full_disk_is_said_and_nothing_is_half_there(
    serve: Callable[..., Server],
    counters: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = serve()
    (path, _) = counter(server)
    server.say(path, "add 1")
    write, truly = os.write, [False]

    def full(handle: int, content: bytes) -> int:
        if truly[0] and os.fstat(handle).st_size > 0:
            write(handle, content[:5])
            raise OSError(28, "No space left on device")
        return write(handle, content)

    monkeypatch.setattr(os, "write", full)
    truly[0] = True
    heard = server.say(path, "add 2", touch="again")
    assert "no space left" in heard["refused"]
    assert "make room" in heard["hint"]
    assert "the sum is 1" in server.text(path)
    with server.listening(path) as page:
        server.say(path, "double")
        page.wait_for("the sum is 1")
        truly[0] = False
        server.say(path, "add 2", touch="again")
        page.wait_for("the sum is 3")
    assert not (tmp_path / "table" / "errors.log").exists()
    server.stop()
    assert "the sum is 3" in serve().text(path)


def test_a_table_for_which_there_is_no_room_is_not_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(kept.json, "dumps", full)
    with pytest.raises(SettingsError, match="cannot be kept: no space left"):
        SittingFile.new(tmp_path, "counter", {}, 2, 0.0)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(
    shutil.which("unshare") is None
    or subprocess.run(["unshare", "-n", "true"], capture_output=True, check=False).returncode != 0,
    reason="networks cannot be taken away here",
)
def test_without_a_network_it_says_that_nobody_else_can_come(tmp_path: Path) -> None:
    process = TableProcess(tmp_path, options=("--network",), program=("unshare", "-n"))
    until(lambda: process.errors)
    assert process.interrupt() == 0
    assert process.errors == ["This machine is in no network, so no other can reach it.\n"]
    assert "Only this machine can reach it" in "".join(process.printed)
