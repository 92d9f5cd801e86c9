"""The same work by one process, by two, and by clusters on this machine: is it the same, how long?

    python -m benchmarks.whole.jobs [--with NAME ...] [--work NAME ...] [--json]

Every kind of long work is done by commands, as people give them, or by a call where there is no
command: a match of a game in a file of its own, a folder of analyses, a training by all protocols,
a tournament, a calibration, a comparison. Digests are of what was written, or printed as JSON,
without seconds and memory. Then the seconds of jobs that do nothing: the cost of handing one over.
Ray is left out where it is not installed.

Everything listens on 127.0.0.1 alone. Nothing is left.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, cast

import sleuth
from sleuth.jobs import cluster, run_jobs

RECORDS: Final = Path(__file__).resolve().parents[2] / "data" / "clue" / "games"
#: What differs from run to run.
TIMES: Final = ("seconds", "peak_mb", "cpu_seconds", "files")
#: Records in the folder, the smallest there are.
FILES: Final = 6
#: Jobs that do nothing, of which the cost of handing over is measured.
IDLE: Final = (1_000, 10_000)
#: Ways to do it: the options of a command, and the address for a call.
ONE: Final = "one process"
TWO: Final = "two processes"
DASK: Final = "Dask, two workers"
RAY: Final = "Ray, two cores"


def command(at: Path, *words: object) -> bytes:
    """The output of a command, given in a folder."""
    program = Path(sys.executable).with_name("sleuth")
    ran = subprocess.run(
        [str(program), *map(str, words)],
        cwd=at,
        capture_output=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    if ran.returncode:
        raise SystemExit(f"{words}: {ran.stderr.decode()}")
    return ran.stdout


def without_times(value: object) -> object:
    """Plain values without what differs from run to run."""
    if isinstance(value, dict):
        values = cast("dict[str, object]", value)
        return {name: without_times(each) for name, each in values.items() if name not in TIMES}
    if isinstance(value, list):
        return [without_times(each) for each in cast("list[object]", value)]
    return value


def of_json(output: bytes) -> bytes:
    """The text of a JSON answer without times."""
    return json.dumps(without_times(json.loads(output)), sort_keys=True).encode()


def match(how: Sequence[str], folder: Path) -> bytes:
    """A match of a game in a file that no worker has, and its records."""
    command(folder, "new-game", "mine")
    agents = ("--agents", "mcts:simulations=50", "random", "--games", 20, "--seed", 1)
    found = command(folder, "match", "mine.py:GAME", *agents, *how, "--json")
    kept = ("--out", "leduc.jsonl")
    leduc = command(folder, "match", "leduc_poker", *agents, *kept, *how, "--json")
    return of_json(found) + of_json(leduc)


def analyses(how: Sequence[str], folder: Path) -> bytes:
    """A folder of records of Clue as one table."""
    (folder / "games").mkdir()
    for file in sorted(RECORDS.glob("*.json"), key=lambda each: each.stat().st_size)[:FILES]:
        shutil.copy(file, folder / "games")
    command(folder, "analyse", "games", "--out", "table.csv", *how)
    return (folder / "table.csv").read_bytes()


def training(how: Sequence[str], folder: Path) -> bytes:
    """A predictor of Cheat by all protocols, from games of simulated people."""
    asked = ("--simulate", 20, "--protocols", "all", "--models", "logistic,tree", "--seed", 1)
    found = command(folder, "train", "cheat", *asked, "--out", "mine", *how, "--json")
    return of_json(found) + (folder / "mine.npz").read_bytes()


def tournament(how: Sequence[str], folder: Path) -> bytes:
    """A tournament of four candidates."""
    tried = ("--agent", "mcts:simulations=100", "--options", "exploration=0.3/0.7/1.4/3")
    asked = ("--games", 12, "--final", 20, "--seed", 1, "--out", "tuned")
    return of_json(command(folder, "tune", "kuhn_poker", *tried, *asked, *how, "--json"))


def comparison(how: Sequence[str], folder: Path) -> bytes:
    """Methods on a recorded game."""
    methods = ("--methods", "enumeration,card-by-card,metropolis,gibbs")
    asked = ("--samples", 1000, "--seed", 1, "--json")
    return of_json(command(folder, "compare", RECORDS / "plum_game2.json", *methods, *asked, *how))


def calibration(how: Sequence[str], folder: Path) -> bytes:
    """A calibration of a deal of cards, called from Python."""
    options = dict(zip(how[::2], how[1::2], strict=True))
    cards = sleuth.Deal(list("abcdefgh"), holders={"x": 3, "y": 3, "z": 2})
    signs = {"x": {"seen": 0.8, "not": 0.2}, "y": {"seen": 0.3, "not": 0.7}}
    signs["z"] = {"seen": 0.5, "not": 0.5}
    questions = [sleuth.Question(cards.holder_of(card), signs) for card in "abc"]
    with cluster(options.get("--cluster")):
        found = sleuth.calibrate(
            sleuth.Model(cards),
            questions,
            "metropolis",
            games=60,
            seed=1,
            samples=400,
            workers=int(options.get("--workers", 1)),
        )
    return repr(found.to_frame().to_dict()).encode()


WORK: Final[dict[str, Callable[[Sequence[str], Path], bytes]]] = {
    "match": match,
    "folder of analyses": analyses,
    "training, all protocols": training,
    "tournament": tournament,
    "calibration": calibration,
    "comparison": comparison,
}


@contextmanager
def dask() -> Generator[str, None, None]:
    """The address of a Dask cluster on this machine."""
    distributed: Any = import_module("distributed")
    with (
        tempfile.TemporaryDirectory() as folder,
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            worker_dashboard_address="127.0.0.1:0",
            local_directory=folder,
            silence_logs="CRITICAL",
        ) as made,
    ):
        yield made.scheduler_address.replace("tcp://", "dask://")


def idle(how: Sequence[str]) -> dict[int, float]:
    """Seconds for jobs that do nothing, by their number; workers have begun already."""
    options = dict(zip(how[::2], how[1::2], strict=True))
    found: dict[int, float] = {}
    with cluster(options.get("--cluster")):
        workers = int(options.get("--workers", 1))
        list(run_jobs(abs, [(-1,)] * 10, workers=workers))
        for count in IDLE:
            begin = time.perf_counter()
            list(run_jobs(abs, [(number,) for number in range(count)], workers=workers))
            found[count] = time.perf_counter() - begin
    return found


def measured(name: str, how: Sequence[str], chosen: Sequence[str]) -> dict[str, Any]:
    """Digest and seconds of every kind of work, done in one way."""
    found: dict[str, Any] = {}
    for work in chosen:
        with tempfile.TemporaryDirectory() as folder:
            begin = time.perf_counter()
            digest = hashlib.sha256(WORK[work](how, Path(folder))).hexdigest()[:12]
            found[work] = {"digest": digest, "seconds": time.perf_counter() - begin}
        print(f"{name}: {work}: {found[work]}", file=sys.stderr)
    found["idle"] = {str(count): seconds for count, seconds in idle(how).items()}
    return found


def main() -> None:
    """Measure, and print a table."""
    ways = [ONE, TWO, DASK, *([RAY] if find_spec("ray") else [])]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--with", nargs="+", choices=ways, default=ways, dest="ways")
    parser.add_argument("--work", nargs="+", choices=[*WORK], default=[*WORK])
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    os.environ.setdefault("SLEUTH_COMPILE", "wait")
    found: dict[str, dict[str, Any]] = {}
    for way in asked.ways:
        if way == DASK:
            with dask() as address:
                found[way] = measured(way, ["--cluster", address], asked.work)
            continue
        how = {ONE: ["--workers", "1"], TWO: ["--workers", "2"], RAY: ["--cluster", "ray://local"]}
        found[way] = measured(way, how[way], asked.work)
    if asked.json:
        print(json.dumps(found, indent=2))
        return
    print("| work | same bytes | " + " | ".join(f"{way}, s" for way in found) + " |")
    print("|---" * (2 + len(found)) + "|")
    for work in asked.work:
        digests = {each[work]["digest"] for each in found.values()}
        same = next(iter(digests)) if len(digests) == 1 else f"NO: {', '.join(sorted(digests))}"
        seconds = " | ".join(f"{each[work]['seconds']:.1f}" for each in found.values())
        print(f"| {work} | `{same}` | {seconds} |")
    for count in map(str, IDLE):
        seconds = " | ".join(f"{each['idle'][count]:.2f}" for each in found.values())
        print(f"| {int(count):,} jobs that do nothing | | {seconds} |")


if __name__ == "__main__":
    main()
