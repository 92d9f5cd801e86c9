"""A match on a small cluster of this machine, measured, and what a million games would cost.

    python -m benchmarks.whole.million [--game NAME] [--agents A B] [--games N] [--json]

A scheduler and two workers are processes of their own, started by the commands that the page
gives. The same games are played by one process first. Measured are seconds and processor seconds a
game, of the workers and of the sender, bytes a game that are kept, in the file and in memory, and
what it costs to begin. From these follow the seconds of a million games with any number of workers:

    begin + games * max(work / workers, sender)

where ``work`` is the seconds that one worker has for a game, and ``sender`` those of the sender,
who alone hands out games and keeps their results. Everything listens on 127.0.0.1 alone.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

import sleuth
from sleuth.jobs import cluster

MILLION: Final = 1_000_000
WORKERS: Final = (2, 16, 64, 256, 1024)
#: Games of the first, short match, which workers load what they need in.
FIRST: Final = 8


def resident() -> int:
    """Bytes that this process has in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@contextmanager
def dask(count: int) -> Generator[str, None, None]:
    """The address of a scheduler with so many workers, each a process that a shell could start."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    here = f"tcp://127.0.0.1:{port}"
    program = [str(Path(sys.executable).with_name("dask"))]
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with ExitStack() as ending, tempfile.TemporaryDirectory() as folder:
        for words in (
            ["scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"],
            *[["worker", here, "--nthreads", "1", "--host", "127.0.0.1", "--no-dashboard"]] * count,
        ):
            process = subprocess.Popen([*program, *words], cwd=folder, **quiet)
            ending.callback(process.wait)
            ending.callback(process.terminate)
        time.sleep(3)
        yield here.replace("tcp://", "dask://")


def played(game: str, agents: list[str], games: int, out: Path) -> tuple[Any, float, float]:
    """The match, its seconds, and the sender's processor seconds."""
    begin, used = time.perf_counter(), time.process_time()
    found = sleuth.play_match(game, agents, games=games, seed=1, out=out)
    return found, time.perf_counter() - begin, time.process_time() - used


def measured(game: str, agents: list[str], games: int) -> dict[str, float]:
    """Measurements of a match, here and on two workers; see above."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        played(game, agents, FIRST, folder / "warm.jsonl")
        before = resident()
        one, alone, _ = played(game, agents, games, folder / "one.jsonl")
        memory = (resident() - before) / games
        with dask(2) as address:
            begin = time.perf_counter()
            with cluster(address):
                played(game, agents, FIRST, folder / "first.jsonl")
                begun = time.perf_counter() - begin
                two, seconds, sender = played(game, agents, games, folder / "two.jsonl")
        size = (folder / "two.jsonl").stat().st_size / games
    assert one == two
    return {
        "games": games,
        "alone": alone / games,
        "begin": begun,
        "work": 2 * seconds / games,
        "sender": sender / games,
        "file_bytes": size,
        "memory_bytes": max(memory, 0.0),
    }


def extrapolated(found: dict[str, float], workers: int) -> float:
    """Seconds of a million games."""
    return found["begin"] + MILLION * max(found["work"] / workers, found["sender"])


def main() -> None:
    """Measure, and print what a million games would cost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="leduc_poker")
    parser.add_argument("--agents", nargs=2, default=["random", "mcts:simulations=1000"])
    parser.add_argument("--games", type=int, default=2_000)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    os.environ.setdefault("SLEUTH_COMPILE", "wait")
    found = measured(asked.game, asked.agents, asked.games)
    found |= {f"hours_{each}": extrapolated(found, each) / 3600 for each in WORKERS}
    if asked.json:
        print(json.dumps(found, indent=2))
        return
    print(f"{asked.game}, {' against '.join(asked.agents)}, {asked.games:,} games measured\n")
    print(f"one process: {1000 * found['alone']:.2f} ms a game")
    print(f"a worker of two: {1000 * found['work']:.2f} ms a game")
    print(f"the sender: {1000 * found['sender']:.3f} ms of a processor a game")
    print(f"begin: {found['begin']:.1f} s until the first {FIRST} games are back")
    print(f"kept of a game: {found['file_bytes']:.0f} bytes on disk")
    print(f"and {found['memory_bytes']:.0f} in memory")
    for each in WORKERS:
        print(f"a million games, {each} workers: {found[f'hours_{each}']:.2f} hours")


if __name__ == "__main__":
    main()
