"""How long a newcomer waits for the first answers, with nothing compiled yet.

    python -m benchmarks.whole.first_use [--games kuhn_poker,cheat] [--json]

Seconds by the clock from the shell, each with an empty folder of compiled kernels: the README's
declaration about six cards, its questions to a recorded game of Clue, the analysis that `make run`
makes (after installation), and `sleuth play cheat --against ours` up to the first prompt and, from
typing it there, up to the first hint. ``compile`` is how long the compiler takes for the search in
each game, which nobody waits for. In brackets stand CPU seconds, of the program and of the process
that compiles for it, which goes on for a while after the program's end: the next one is measured
when that is over.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
GAMES = ("kuhn_poker", "leduc_poker", "cheat", "scotland_yard")
PROMPT = b"first> "
SLEUTH = [sys.executable, "-m", "sleuth.apps.main"]
# Of linux/prctl.h.
SET_CHILD_SUBREAPER = 36
COMPILE = """
import sys
from sleuth import Search, game
Search(game(sys.argv[1])).warm()
"""


def readme(holding: str) -> str:
    """The README's example that has some words in it."""
    blocks = re.findall(
        r"^```python\n(.*?)^```", (ROOT / "README.md").read_text("utf-8"), re.S | re.M
    )
    (found,) = (block for block in blocks if holding in block)
    return found


def environment(cache: str, how: str | None) -> dict[str, str]:
    return {
        **{name: value for name, value in os.environ.items() if name != "SLEUTH_COMPILE"},
        **({} if how is None else {"SLEUTH_COMPILE": how}),
        "SLEUTH_CACHE_DIR": cache,
    }


def adopt() -> None:
    """Have processes that outlive those started here as children, where the system can do that."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def wait_for_the_compiler() -> None:
    """Until no child is left."""
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()


def finished(command: list[str], how: str | None) -> float:
    """Seconds until a command has ended."""
    with tempfile.TemporaryDirectory() as cache:
        start = time.perf_counter()
        subprocess.run(
            command, env=environment(cache, how), cwd=ROOT, check=True, stdout=subprocess.DEVNULL
        )
        seconds = time.perf_counter() - start
        wait_for_the_compiler()
        return seconds


def cheat(how: str | None) -> tuple[float, float]:
    """Seconds to the first prompt, and from there to the first hint's end."""
    command = [*SLEUTH, "play", "cheat", "--against", "ours", "--seed", "1"]
    with tempfile.TemporaryDirectory() as cache:
        start = time.perf_counter()
        playing = subprocess.Popen(
            command,
            env=environment(cache, how),
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert playing.stdin is not None
        until(playing, PROMPT)
        prompt = time.perf_counter()
        playing.stdin.write(b"hint\n")
        playing.stdin.flush()
        until(playing, PROMPT)
        hint = time.perf_counter()
        playing.communicate(b"quit\n")
        wait_for_the_compiler()
        return prompt - start, hint - prompt


def until(playing: subprocess.Popen[bytes], words: bytes) -> None:
    """Read what a program says up to some words."""
    assert playing.stdout is not None
    said = b""
    while not said.endswith(words):
        letter = os.read(playing.stdout.fileno(), 1)
        if not letter:
            raise SystemExit(f"it ended before {words!r}: {said.decode(errors='replace')}")
        said += letter


def measure(games: list[str], how: str | None) -> tuple[dict[str, object], dict[str, float]]:
    """Seconds by the clock, and by the CPU."""
    found: dict[str, object] = {}
    spent: dict[str, float] = {}

    def timed(name: str, work: Callable[[], object]) -> object:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        answer = work()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent[name] = round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 2)
        return answer

    python = [sys.executable, "-c"]
    record = str(ROOT / "data" / "clue" / "games" / "neller_main.json")
    with tempfile.TemporaryDirectory() as folder:
        for name, command in (
            ("six_cards", [*python, readme("Deal(")]),
            ("clue_block", [*python, readme("ClueDeclaration(game)")]),
            ("make_run", [*SLEUTH, "analyse", record, "--html", f"{folder}/report.html"]),
        ):
            seconds = timed(name, lambda command=command: finished(command, how))
            found[name] = round(float(seconds), 2)  # type: ignore[arg-type]
    prompt, hint = timed("cheat", lambda: cheat(how))  # type: ignore[misc]
    found |= {"cheat_prompt": round(prompt, 2), "cheat_hint": round(hint, 2)}
    compiling: dict[str, float] = {}
    for game in games:
        seconds = timed(game, lambda game=game: finished([*python, COMPILE, game], "wait"))
        compiling[game] = round(float(seconds), 2)  # type: ignore[arg-type]
    return {**found, "compile": compiling}, spent


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", default=",".join(GAMES), help="whose search is compiled")
    parser.add_argument("--how", help="SLEUTH_COMPILE, to compare: background, wait or never")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    adopt()
    found, spent = measure([game for game in arguments.games.split(",") if game], arguments.how)
    if arguments.json:
        print(json.dumps({**found, "cpu": spent}))
        return
    for name, seconds in found.items():
        for part, number in seconds.items() if isinstance(seconds, dict) else [("", seconds)]:
            cpu = spent.get(part or ("cheat" if name.startswith("cheat") else name), 0.0)
            print(f"{name:13} {part:16} {number:7.1f} s  ({cpu:.1f} s of CPU)")


if __name__ == "__main__":
    main()
