"""A match on a small cluster of this machine, measured, and what a million games would cost.

    python -m benchmarks.whole.million [--game NAME] [--agents A B] [--games N] [--json]

A scheduler and two workers are processes of their own, started by the commands that the page
gives. The same games are played by one process first. Measured are processor seconds a game, of the
workers, the scheduler and the sender, so that a busy machine does not count; bytes a game that are
kept, in the file and in memory; and the seconds until the first games are back. From these follow
the seconds of a million games with any number of workers:

    begin + games * max(work / workers, sender, scheduler)

for workers each with a core of its own as quick as this one's, and a network that is no narrower
than what the sender writes. Everything listens on 127.0.0.1 alone.
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
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import sleuth
from sleuth.jobs import cluster

MILLION: Final = 1_000_000
WORKERS: Final = (2, 16, 64, 256, 1024)
#: Options of what Dask starts.
HERE_ALONE: Final = ("--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0")
ONE_THREAD: Final = ("--nthreads", "1")
NAMES: Final = {
    "alone": "one process",
    "work": "the workers together",
    "scheduler": "the scheduler",
    "sender": "the sender",
}
#: Seconds in which is looked what they use when they do nothing.
IDLE: Final = 5.0
#: Fewest games by which memory can be told.
MANY: Final = 1_000
#: Games of the first, short match, which workers load what they need in.
FIRST: Final = 8


def resident() -> int:
    """Bytes that this process has in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@contextmanager
def dask(count: int) -> Generator[tuple[str, list[int]], None, None]:
    """A scheduler with so many workers: its address, and the numbers of all these processes."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    here = f"tcp://127.0.0.1:{port}"
    program = [str(Path(sys.executable).with_name("dask"))]
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    processes: list[int] = []
    with ExitStack() as ending, tempfile.TemporaryDirectory() as folder:
        for words in (["scheduler", "--port", str(port)], *[["worker", here, *ONE_THREAD]] * count):
            process = subprocess.Popen([*program, *words, *HERE_ALONE], cwd=folder, **quiet)
            processes.append(process.pid)
            ending.callback(process.wait)
            ending.callback(process.terminate)
        time.sleep(3)
        yield here.replace("tcp://", "dask://"), processes


def used_by(process: int) -> float:
    """Processor seconds of a process and those that it started."""
    psutil: Any = import_module("psutil")
    first = psutil.Process(process)
    times = [each.cpu_times() for each in (first, *first.children(recursive=True))]
    return sum(each.user + each.system for each in times)


def played(game: str, agents: list[str], games: int, out: Path) -> tuple[Any, float]:
    """The match, and this process' processor seconds."""
    used = time.process_time()
    found = sleuth.play_match(game, agents, games=games, seed=1, out=out)
    return found, time.process_time() - used


def measured(game: str, agents: list[str], games: int) -> dict[str, float]:
    """Measurements of a match, here and on two workers; see above."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        played(game, agents, FIRST, folder / "warm.jsonl")
        before = resident()
        one, alone = played(game, agents, games, folder / "one.jsonl")
        memory = (resident() - before) / games
        with dask(2) as (address, processes), ExitStack() as ending:
            begin = time.perf_counter()
            ending.enter_context(cluster(address))
            played(game, agents, FIRST, folder / "first.jsonl")
            begun = time.perf_counter() - begin
            used = [used_by(each) for each in processes]
            time.sleep(IDLE)
            # What they use when nobody plays is no cost of games.
            rest = [(used_by(each) - was) / IDLE for each, was in zip(processes, used, strict=True)]
            used, begin = [used_by(each) for each in processes], time.perf_counter()
            two, sender = played(game, agents, games, folder / "two.jsonl")
            seconds = time.perf_counter() - begin
            scheduler, *workers = [
                max(used_by(each) - was - idle * seconds, 0.0)
                for each, was, idle in zip(processes, used, rest, strict=True)
            ]
        size = (folder / "two.jsonl").stat().st_size / games
    assert one == two
    return {
        "games": games,
        "alone": alone / games,
        "begin": begun,
        "work": sum(workers) / games,
        "sender": sender / games,
        "scheduler": scheduler / games,
        "file_bytes": size,
        "memory_bytes": max(memory, 0.0),
    }


def extrapolated(found: dict[str, float], workers: int) -> float:
    """Seconds of a million games."""
    each = max(found["work"] / workers, found["sender"], found["scheduler"])
    return found["begin"] + MILLION * each


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
    for who, name in NAMES.items():
        print(f"{name}: {1000 * found[who]:.3f} ms of a processor a game")
    print(f"begin: {found['begin']:.1f} s until the first {FIRST} games are back")
    print(f"kept of a game: {found['file_bytes']:.0f} bytes on disk")
    if asked.games >= MANY:
        print(f"and {found['memory_bytes']:.0f} in memory")
    for each in WORKERS:
        print(f"a million games, {each} workers: {found[f'hours_{each}']:.2f} hours")


if __name__ == "__main__":
    main()
