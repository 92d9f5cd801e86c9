"""A command that is ended, by any signal, ends all its processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from sleuth.data.files import shipped

from .processes import PROGRAM, environment, marked, wait_until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc"),
]

#: What takes long enough to be ended in the middle of it.
COMMANDS = {
    "match": [
        *("match", "leduc_poker", "--agents", "mcts:simulations=20000", "mcts:simulations=20000"),
        *("--games", "5000", "--workers", "2"),
    ],
    "train": [
        *("train", "cheat", "--simulate", "60", "--models", "forest", "--protocols", "all"),
        *("--workers", "2"),
    ],
    "compare": [
        *("compare", str(min(shipped("clue"), key=lambda file: file.name))),
        *("--methods", "metropolis", "--samples", "10000000"),
    ],
}


@pytest.fixture
def mark() -> Iterator[str]:
    """A word in the environment of the processes; whatever is left of them is ended."""
    word = uuid.uuid4().hex
    yield word
    for process in marked(word):
        os.kill(process, signal.SIGKILL)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL], ids=["TERM", "KILL"])
@pytest.mark.parametrize("command", COMMANDS)
def test_no_process_is_left(tmp_path: Path, mark: str, command: str, how: signal.Signals) -> None:
    with (tmp_path / "said").open("wb") as said:
        process = subprocess.Popen(
            [*PROGRAM, *COMMANDS[command]],
            cwd=tmp_path,
            env=environment(mark),
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
        )
    kind = "measuring" if command == "compare" else "popen_loky"

    def children() -> list[int]:
        return [one for one, words in marked(mark).items() if kind in words]

    try:
        wait_until(lambda: process.poll() is not None or children(), 120)
        assert process.poll() is None, (tmp_path / "said").read_text()
        assert children()
        process.send_signal(how)
        code = process.wait(20)
    finally:
        process.kill()
        process.wait()
    assert wait_until(lambda: not marked(mark), 5), marked(mark)
    assert code == (-how if how == signal.SIGKILL else 128 + how)
