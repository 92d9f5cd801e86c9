"""One process at a time writes to a file, and a killed process does not keep it."""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sleuth.data.disk import holding
from sleuth.data.disk.growing import append_line, read_lines
from sleuth.data.disk.holding import hold
from sleuth.errors import SettingsError

HOLDER = """
import sys, time
from pathlib import Path
from sleuth.data.disk import holding
from sleuth.data.disk.holding import hold
held = hold(Path(sys.argv[1]))
print("held", flush=True)
time.sleep(600)
"""


@pytest.fixture(params=["the system's lock", "a file beside it"])
def locks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways; the second as on a file system that knows no locks."""
    if request.param == "a file beside it":
        fcntl = pytest.importorskip("fcntl")

        def none(*_: object) -> None:
            raise OSError(errno.ENOLCK, "no locks available")

        monkeypatch.setattr(fcntl, "flock", none)
    return request.param


def test_a_second_process_is_refused_until_the_first_lets_go(tmp_path: Path, locks: str) -> None:
    path = tmp_path / "file"
    held = hold(path)
    held.stream.write(b"x")
    with pytest.raises(SettingsError, match=r"--out: another process is writing to this file"):
        hold(path, where="--out")
    held.close()
    again = hold(path)
    assert again.stream.read() == b"x"
    again.close()
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def test_whoever_waits_gets_the_file_when_it_is_free(tmp_path: Path, locks: str) -> None:
    path = tmp_path / "file"
    held = hold(path)
    timer = threading.Timer(0.3, held.close)
    timer.start()
    start = time.monotonic()
    hold(path, wait=20).close()
    assert time.monotonic() - start > 0.2
    timer.join()


def test_a_file_without_content_disappears_and_one_that_was_there_stays(
    tmp_path: Path, locks: str
) -> None:
    hold(tmp_path / "new").close()
    assert not (tmp_path / "new").exists()
    (tmp_path / "old").touch()
    hold(tmp_path / "old").close()
    assert [one.name for one in tmp_path.iterdir()] == ["old"]


def test_a_killed_process_keeps_nothing(tmp_path: Path) -> None:
    path = tmp_path / "file"
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    with pytest.raises(SettingsError, match="another process"):
        hold(path)
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    hold(path).close()


def gone() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_a_lock_beside_the_file_says_who_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fcntl = pytest.importorskip("fcntl")

    def none(*_: object) -> None:
        raise OSError(errno.EOPNOTSUPP, "not supported")

    monkeypatch.setattr(fcntl, "flock", none)
    path, beside = tmp_path / "file", tmp_path / "file.lock"
    with hold(path):
        assert beside.read_text() == f"{socket.gethostname()} {os.getpid()}\n"
    assert not beside.exists()
    for said, free in (
        (f"{socket.gethostname()} {gone()}\n", True),
        (f"{socket.gethostname()} {os.getpid()}\n", False),
        (f"another-machine {gone()}\n", False),
        (f"{socket.gethostname()} {'9' * 5_000}\n", False),
        (f"{socket.gethostname()} \u00b2\n", False),
        ("", False),
    ):
        beside.write_text(said)
        if free:
            hold(path).close()
            assert not beside.exists()
        else:
            with pytest.raises(SettingsError, match="another process"):
                hold(path)
            assert beside.read_text() == said


def test_a_file_that_can_only_be_read_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.write_text("x")
    real: Any = os.open

    def read_only(name: Any, flags: int, *rest: Any, **more: Any) -> int:
        # As a file system that is mounted so; whoever runs the tests may be allowed everything.
        if flags & os.O_EXCL and path.exists():
            raise FileExistsError(errno.EEXIST, "file exists")
        if flags & os.O_RDWR:
            raise OSError(errno.EROFS, "read-only file system")
        return real(name, flags, *rest, **more)

    monkeypatch.setattr(os, "open", read_only)
    with hold(path) as held:
        assert not held.writable
        assert held.stream.read() == b"x"
    with pytest.raises(SettingsError, match="can only be read"):
        append_line(path, "y")


@pytest.mark.parametrize("kind", ["folder", "pipe", "missing folder", "loose link"])
def test_what_is_no_file_is_refused(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "it"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "loose link":
        path.symlink_to(tmp_path / "nowhere" / "at all")
    else:
        path = path / "within"
    with pytest.raises(SettingsError, match=r"this file cannot be opened|this is a .* and no file"):
        hold(path)


def test_lines_of_many_who_add_at_once_are_all_there_and_whole(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_text('{"cut of')

    def add(who: int) -> None:
        for number in range(20):
            append_line(path, f"[{who}, {number}]")

    threads = [threading.Thread(target=add, args=(who,)) for who in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    first, *lines = path.read_text().splitlines()
    assert first == '{"cut of'
    path.write_text("\n".join([*lines, ""]))
    assert sorted(read_lines(path)) == [[who, number] for who in range(4) for number in range(20)]


class _Kernel32:
    """Processes as Windows tells of them: 7 runs, 8 has ended, 9 is somebody else's."""

    def __init__(self) -> None:
        self.open: list[int] = []

    def OpenProcess(self, right: int, inherit: bool, number: int) -> int:
        if number in (7, 8):
            self.open.append(number)
            return number
        self.error = 5 if number == 9 else 87
        return 0

    def GetLastError(self) -> int:
        return self.error

    def GetExitCodeProcess(self, handle: int, code: Any) -> int:
        code._obj.value = 259 if handle == 7 else 0
        return 1

    def CloseHandle(self, handle: int) -> None:
        self.open.remove(handle)


def test_windows_is_asked_for_a_process_without_a_signal_which_would_be_ctrl_c(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def never(*_: object) -> None:
        raise AssertionError("a signal was sent")

    system = _Kernel32()
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=system), raising=False)
    monkeypatch.setattr(os, "kill", never)
    assert [holding.runs(number) for number in (7, 8, 9, 10)] == [True, False, True, False]
    assert system.open == []
