"""The other process: compiles kernels into the cache on disk while its parent answers."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import pickle
import signal
import sys
import threading
from importlib import import_module
from queue import Empty, SimpleQueue
from typing import Any, Final, cast

from ...data.workers import follow, is_stopped, outlive
from .asking import GOES_ON, LINGER
from .disk.folder import goes_on_alone

#: How much it leaves to others.
NICE: Final = 10
#: Seconds without work after which it looks whether its parent was stopped.
IDLE: Final = 20.0


def serve(parent: int) -> None:
    """Compile what standard input asks for; a line on standard output when it is done with it.

    Args:
        parent: The process to end with, unless that one says that this one may go on.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    # What it compiles is for later: it waits for what it calls, and never asks another process.
    os.environ["SLEUTH_COMPILE"] = "wait"
    with contextlib.suppress(AttributeError, OSError):
        os.nice(NICE)
    requests, answers = sys.stdin.buffer, os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # imported modules may print
    messages: SimpleQueue[bytes | None] = SimpleQueue()
    listen = threading.Thread(target=_listen, args=(parent, requests, answers, messages))
    listen.daemon = True
    listen.start()
    while (message := _next(messages, parent)) is not None:
        # Whatever goes wrong, the parent sees that the kernel is not there, and says why itself.
        with contextlib.suppress(Exception):
            _compile(message)
        with contextlib.suppress(OSError):  # the parent may have ended
            os.write(answers, b"\n")


def _next(messages: SimpleQueue[bytes | None], parent: int) -> bytes | None:
    """The next message; where there is none, a parent that was stopped is not waited for."""
    while True:
        try:
            return messages.get(timeout=IDLE)
        except Empty:
            if is_stopped(parent):
                os._exit(0)


def _listen(parent: int, requests: Any, answers: int, messages: SimpleQueue[bytes | None]) -> None:
    """Takes what the parent says, until it ends; an empty message is its last."""
    # A short command may have ended by now, and have said all there is to say.
    if os.getppid() == parent:
        follow(parent)
    else:
        # Where another process has the pipe, its end would be waited for.
        outlive(LINGER)
    with contextlib.suppress(OSError):
        os.write(answers, b"\n")
    while head := requests.read(8):
        if length := int.from_bytes(head, "big"):
            messages.put(requests.read(length))
            continue
        if not goes_on_alone() or not outlive(LINGER):
            break
        messages.put(None)
        with contextlib.suppress(OSError):
            os.write(answers, GOES_ON)
        return
    os._exit(0)


def _compile(message: bytes) -> None:
    files, module, name, kinds = pickle.loads(message)
    for each, file in files.items():
        _import(each, file)
    function: Any = sys.modules[module]
    for part in name.split("."):
        function = getattr(function, part)
    function.compile(pickle.loads(kinds))


def _import(name: str, file: str) -> None:
    """Import a module by its name, or from its file: a game may have been loaded from one."""
    if name in sys.modules:
        return
    if importlib.util.find_spec(name.partition(".")[0]) is not None:
        import_module(name)
        return
    spec = cast(Any, importlib.util.spec_from_file_location(name, file))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
