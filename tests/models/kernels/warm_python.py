"""Processes that begin with numba at hand: importing it takes longer than what most are asked.

Two interpreters have imported numba and compiled something, but nothing of sleuth; in turn they
fork. So a process and the next one differ, as any two do, in the order of what is hashed and in
all addresses.
"""

from __future__ import annotations

import atexit
import itertools
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO

INTERPRETER = """
import gc, json, os, socket, sys
import numba, numpy
numba.njit(lambda x: x + 1)(1)
gc.collect()
gc.freeze()
link = socket.socket(fileno=int(sys.argv[1]))
running = 0
while True:
    given, files, _, _ = socket.recv_fds(link, 1 << 16, 3)
    more = given
    while more and len(given) < 8 + int.from_bytes(given[:8], "big"):
        more = link.recv(1 << 16)
        given += more
    while running and os.waitpid(-1, os.WNOHANG if more else 0)[0]:
        running -= 1
    if not more:
        os._exit(0)
    if not os.fork():
        break
    running += 1
    for file in files:
        os.close(file)
link.close()
answers, *outputs = files
process = os.fork()
if process:
    for file in outputs:
        os.close(file)
    os.write(answers, b"%d\\n" % process)
    os.write(answers, b"%d\\n" % os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
    os._exit(0)
os.close(answers)
for place, file in enumerate(outputs, 1):
    os.dup2(file, place)
    os.close(file)
given = json.loads(given[8:])
os.environ.clear()
os.environ.update(given["environment"])
os.chdir(given["folder"])
sys.path[:1] = ["", *given["path"]]
sys.dont_write_bytecode = True
sys.argv = ["-c"]
script = given["script"]
for name in set(globals()) - {name for name in globals() if name[:2] == "__"} - {"script"}:
    del globals()[name]
exec(compile(script, "<string>", "exec"), globals())
"""

_turns = itertools.count()


class Forked:
    """As much of `subprocess.Popen` as is asked of a process that was forked.

    Attributes:
        pid: Its number.
        stdout: What it prints.
        returncode: How it ended; None until `communicate` has waited for it.
    """

    def __init__(self, answers: IO[bytes], stdout: IO[str], stderr: IO[str]) -> None:
        self.pid = int(answers.readline())
        self.stdout = stdout
        self.returncode: int | None = None
        self._answers, self._stderr = answers, stderr

    def kill(self) -> None:
        with suppress(ProcessLookupError):  # it has ended
            os.kill(self.pid, signal.SIGKILL)

    def communicate(self, timeout: float = 300) -> tuple[str, str]:
        """What it has printed, once it has ended; pipes have to hold all of that."""
        if not select.select([self._answers], [], [], timeout)[0]:
            self.kill()
            raise subprocess.TimeoutExpired("a forked process", timeout)
        self.returncode = int(self._answers.readline())
        printed, said = self.stdout.read(), self._stderr.read()
        for file in (self._answers, self.stdout, self._stderr):
            file.close()
        return printed, said


@cache
def _interpreter(number: int) -> socket.socket:
    """The link to an interpreter, which ends when nobody is left at this end."""
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-c", INTERPRETER, str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            # Without threads, which a fork would leave behind.
            env={**without_numba(os.environ), "OPENBLAS_NUM_THREADS": "1"},
        )
    atexit.register(process.wait)
    atexit.register(ours.close)
    return ours


def without_numba(environment: Mapping[str, str]) -> dict[str, str]:
    """Variables without those of numba."""
    return {name: value for name, value in environment.items() if "NUMBA" not in name}


def start(
    script: str, *, environment: Mapping[str, str], folder: Path
) -> Forked | subprocess.Popen[str]:
    """``python -c script`` in a folder, without numba's own variables."""
    environment = without_numba(environment)
    if not hasattr(os, "fork"):
        return subprocess.Popen(
            [sys.executable, "-c", script],
            env=environment,
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
    link = _interpreter(next(_turns) % 2)
    path = environment.get("PYTHONPATH", "").split(os.pathsep)
    given = {"script": script, "environment": environment, "folder": str(folder), "path": path}
    (answers, *outputs), handed = zip(*(os.pipe() for _ in range(3)), strict=True)
    text = json.dumps(given).encode()
    content = len(text).to_bytes(8, "big") + text
    sent = socket.send_fds(link, [content], handed)
    link.sendall(content[sent:])
    for file in handed:
        os.close(file)
    return Forked(os.fdopen(answers, "rb", buffering=0), *map(os.fdopen, outputs))
