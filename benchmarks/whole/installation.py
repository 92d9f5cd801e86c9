"""What an installation weighs, and how long a newcomer waits in it, with nothing compiled yet.

    python -m benchmarks.whole.installation WHEEL [--variants default,...] [--json]

Each variant is the wheel in an environment of its own: packages and megabytes (of 10^6 bytes) that
pip added, with what Python compiled, and seconds until it was done, which depend on the network.
Then, in an environment of the variant ``default``, in an empty folder and with an empty folder of
compiled kernels: the README's blocks of Python and first commands, `sleuth table` up to its first
page, `new-game` and `check`. Seconds by the clock, and in brackets those of the processor.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"
#: What is uninstalled for less weight, see docs/installing.md.
NUMBA = ("numba", "llvmlite")
PGMPY = ("pgmpy", "statsmodels", "networkx", "huggingface-hub", "hf-xet")
#: Extras, and what is uninstalled afterwards.
VARIANTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "plots": ("[plots]", ()),
    "default": ("", ()),
    "without numba": ("", NUMBA),
    "without numba and pgmpy": ("", (*NUMBA, *PGMPY)),
    "all": ("[all]", ()),
}


def weight(folder: Path) -> float:
    """Megabytes of the files in a folder, each counted once."""
    files = {
        path.stat().st_ino: path.stat().st_size for path in folder.rglob("*") if path.is_file()
    }
    return sum(files.values()) / 1e6


def packages(python: Path) -> int:
    listed = subprocess.run(
        [python, "-m", "pip", "list", "--format=json", "--disable-pip-version-check"],
        capture_output=True,
        text=True,
        check=True,
    )
    return len(json.loads(listed.stdout))


def install(wheel: Path, variant: str, folder: Path) -> dict[str, float]:
    """Packages, megabytes and seconds that a variant adds to an empty environment."""
    extras, removed = VARIANTS[variant]
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    pip = [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    before = packages(python), weight(folder)
    start, used = time.perf_counter(), spent()
    subprocess.run([*pip, "install", f"{wheel}{extras}"], check=True)
    seconds, used = time.perf_counter() - start, spent() - used
    if removed:
        subprocess.run([*pip, "uninstall", "--yes", *removed], check=True)
    return {
        "packages": packages(python) - before[0],
        "megabytes": round(weight(folder) - before[1]),
        "seconds": round(seconds),
        "processor": round(used),
    }


def steps() -> list[tuple[str, list[str]]]:
    """What a newcomer does: words for it, and what is run."""
    blocks = re.findall(r"^```python\n(.*?)^```", README.read_text("utf-8"), re.S | re.M)
    record = "clue/neller_main"
    return [
        ("`sleuth --help`", ["sleuth", "--help"]),
        *((f"the README's program {number}", ["python", "-c", text])
          for number, text in enumerate(blocks, 1)),
        (f"`sleuth analyse {record} --html`", ["sleuth", "analyse", record, "--html", "r.html"]),
        ("`sleuth table`, up to its page", ["sleuth", "table", "--no-browser", "--port", "PORT"]),
        ("`sleuth new-game my-game`", ["sleuth", "new-game", "my-game"]),
        ("`python my_game.py`", ["python", "my_game.py"]),
        ("`sleuth check my_game.py:GAME`", ["sleuth", "check", "my_game.py:GAME"]),
        ("a match of 20 games", [
            *("sleuth", "match", "my_game.py:GAME", "--agents", "mcts", "random"),
            *("--games", "20"),
        ]),
        ("`sleuth docs analysing`", ["sleuth", "docs", "analysing"]),
    ]  # fmt: skip


def answered(command: list[str], folder: Path, environment: dict[str, str]) -> None:
    """Start a server and wait until it hands out its page."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    command = [port if word == "PORT" else word for word in command]
    kept = ["--folder", str(folder / "tables")]
    serving = subprocess.Popen(
        [*command, *kept], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True
    )
    try:
        assert serving.stdout is not None
        said = next(line for line in serving.stdout if f":{port}" in line)
        (address,) = re.findall(r"http://\S+", said)
        # The address lets the browser in by a cookie.
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        browser.open(address, timeout=60).read()
    finally:
        serving.terminate()
        serving.wait()


def spent() -> float:
    """Seconds of the processor that children have had which have ended."""
    times = os.times()
    return times.children_user + times.children_system


def measure(environment_of: Path) -> dict[str, tuple[float, float]]:
    """Seconds of each step, by the clock and of the processor."""
    found: dict[str, tuple[float, float]] = {}
    programs = environment_of / ("Scripts" if os.name == "nt" else "bin")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "empty"
        folder.mkdir()
        left = ("SLEUTH_COMPILE", "PYTHONPATH")
        environment = {name: value for name, value in os.environ.items() if name not in left}
        environment["PATH"] = f"{programs}{os.pathsep}{environment['PATH']}"
        for number, (words, command) in enumerate(steps()):
            environment["SLEUTH_CACHE_DIR"] = str(Path(place) / f"cache{number}")
            start, before = time.perf_counter(), spent()
            if "PORT" in command:
                answered(command, folder, environment)
            else:
                subprocess.run(
                    [str(programs / command[0]), *command[1:]],
                    cwd=folder,
                    env=environment,
                    check=True,
                    capture_output=True,
                )
            found[words] = time.perf_counter() - start, spent() - before
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--variants", default=",".join(VARIANTS), help="which ones")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    weights: dict[str, dict[str, float]] = {}
    times: dict[str, tuple[float, float]] = {}
    for variant in arguments.variants.split(","):
        with tempfile.TemporaryDirectory() as folder:
            weights[variant] = install(arguments.wheel.resolve(), variant, Path(folder))
            if variant == "default":
                times = measure(Path(folder))
    if arguments.json:
        print(json.dumps({"weights": weights, "times": times}))
        return
    print("| installed | packages | MB | seconds of pip |\n|---|---|---|---|")
    for name, each in weights.items():
        seconds = f"{each['seconds']} ({each['processor']})"
        print(f"| {name} | {each['packages']} | {each['megabytes']} | {seconds} |")
    print("\n| step | seconds |\n|---|---|")
    for name, (clock, processor) in times.items():
        print(f"| {name} | {clock:.1f} ({processor:.1f}) |", flush=True)


if __name__ == "__main__":
    main()
