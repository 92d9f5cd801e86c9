"""The command as the shell runs it, and the processes that it starts."""

from __future__ import annotations

import os
import sys
import sysconfig
import time
from pathlib import Path

#: The console script; the module where it is not installed.
_SCRIPT = Path(sysconfig.get_path("scripts"), "sleuth")
PROGRAM = [str(_SCRIPT)] if _SCRIPT.exists() else [sys.executable, "-P", "-m", "sleuth.apps.main"]


def marked(mark: str) -> dict[int, str]:
    """The running processes with this text in their environment: number and command line."""
    found: dict[int, str] = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            environment = (folder / "environ").read_bytes()
            status = (folder / "stat").read_text().rsplit(")", 1)[1].split()[0]
            words = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        if mark.encode() in environment and status != "Z":
            found[int(folder.name)] = words
    return found


def wait_until(holds: object, seconds: float) -> bool:
    """Whether a condition comes true within so many seconds."""
    assert callable(holds)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.1)
    return False


def environment(mark: str) -> dict[str, str]:
    """The environment of a process that `marked` finds, and its children too."""
    return {**os.environ, "SLEUTH_TEST_MARK": mark, "OPENBLAS_NUM_THREADS": "1"}
