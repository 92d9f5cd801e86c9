"""Kernels answer before they are compiled, with the same bytes, and nothing is left behind."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sleuth import below, kernel, uniform
from sleuth.errors import SettingsError
from sleuth.kit import generator
from sleuth.models.kernels import compiling
from sleuth.models.kernels.asking import LINGER
from sleuth.models.kernels.compiling import BACKGROUND, NEVER, WAIT, policy, waiting
from sleuth.models.kernels.plain.plain_call import NotPlain, plain_call
from sleuth.models.kernels.plain.twins import INEXACT, twin
from sleuth.models.kernels.randomness import key_of, mix, word

from . import warm_python

PLAIN = os.environ.get("NUMBA_DISABLE_JIT") == "1"
compiles = pytest.mark.skipif(PLAIN, reason="nothing is compiled")
TWO_CORES = compiling.cores() > 1

# Processes that are killed, a third of them in each way. What goes wrong in a sixth of all moments
# is missed by 18 of them with a probability of 4 %; the fuzz run kills more.
KILLS = 6 if "SLEUTH_FUZZ" not in os.environ else 90

# A kernel that takes about half a second to compile, in a file of its own.
KERNELS = """
import numpy as np
from sleuth import below, kernel, uniform

@kernel
def one(values, random):
    total = 0.0
    for place in range(values.shape[0]):
        values[place] += np.log(1.0 + uniform(random)) + below(random, 6)
        total += values[place]
    return total

@kernel
def answer(values, random):
    first = one(values, random)
    return first, first > 3.0, int(values.shape[0])

@kernel
def endless(values, random):
    total = 0
    while values[0] < 1e8:
        values[0] += 1.0
        total += 1
    return total
"""

ANSWER = """
import json, sys, time
import numpy as np
import kernels
from sleuth.kit import generator
from sleuth.models.kernels.kernel import kernel_statistics
start = time.perf_counter()
values, random = np.zeros(5), generator(1)
found = kernels.answer(values, random)
print(json.dumps({
    "bytes": [values.tobytes().hex(), random.tobytes().hex(), repr(found)],
    "compiled": kernel_statistics(kernels.answer).compiled,
    "loaded": kernel_statistics(kernels.answer).loaded,
    "seconds": time.perf_counter() - start,
}), flush=True)
"""

#: Goes on until the other process has done its part.
UNTIL_THERE = """
from sleuth.models.kernels.kernel import kernel_statistics
until = time.monotonic() + 120
while not kernels.answer.overloads and time.monotonic() < until:
    time.sleep(0.02)
    again = kernels.answer(np.zeros(5), generator(1))
    assert repr(again) == repr(found), again
print(json.dumps([kernel_statistics(kernels.answer).loaded]))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "kernels.py").write_text(KERNELS)
    return tmp_path


def start(folder: Path, script: str, how: str = BACKGROUND, **more: str) -> Any:
    environment = {
        **os.environ,
        "PYTHONPATH": str(folder),
        "PYTHONDONTWRITEBYTECODE": "1",
        "SLEUTH_CACHE_DIR": str(folder / "cache"),
        "SLEUTH_COMPILE": how,
        **more,
    }
    return warm_python.start(script, environment=environment, folder=folder)


def run(folder: Path, script: str = ANSWER, how: str = BACKGROUND, **more: str) -> list[Any]:
    process = start(folder, script, how, **more)
    output, errors = process.communicate()
    assert process.returncode == 0, errors
    return [json.loads(line) for line in output.splitlines()]


def compilers(parent: int) -> list[int]:
    """The processes that compile for a process."""
    found: list[int] = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if b".compiler" in (place / "cmdline").read_bytes():
                status = (place / "stat").read_text().rpartition(")")[2].split()
                if int(status[1]) == parent:
                    found.append(int(place.name))
        except OSError:
            continue
    return found


def exists(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def stored(folder: Path) -> list[Path]:
    return list((folder / "cache").rglob("*.bin"))


def unfinished(folder: Path) -> list[Path]:
    return [path for path in (folder / "cache").rglob("*.bin.*") if path.is_file()]


def test_who_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "cores", lambda: 2)
    for asked in (BACKGROUND, WAIT, NEVER):
        monkeypatch.setenv("SLEUTH_COMPILE", asked)
        assert policy() == asked
    monkeypatch.setenv("SLEUTH_COMPILE", "")
    assert policy() == BACKGROUND
    with waiting():
        assert policy() == WAIT
    assert policy() == BACKGROUND
    monkeypatch.setattr(compiling, "cores", lambda: 1)
    assert policy() == WAIT
    monkeypatch.setenv("SLEUTH_COMPILE", "backgroud")
    with pytest.raises(SettingsError, match="background"):
        policy()


@compiles
@pytest.mark.skipif(not TWO_CORES, reason="there is one core, so it waits")
def test_all_ways_give_the_same_bytes_and_only_one_waits(folder: Path) -> None:
    (never,) = run(folder, how=NEVER)
    assert (never["compiled"], never["loaded"]) == (0, 0)
    assert not list((folder / "cache").rglob("*.bin"))
    (at_once, (loaded,)) = run(folder, ANSWER + UNTIL_THERE)
    assert (at_once["compiled"], at_once["loaded"], loaded) == (0, 0, 1)
    (waited,) = run(folder, how=WAIT, SLEUTH_CACHE_DIR=str(folder / "other"))
    assert waited["compiled"] == 1
    (later,) = run(folder, how=NEVER)
    assert later["loaded"] == 1, "what is on disk is used"
    assert never["bytes"] == at_once["bytes"] == waited["bytes"] == later["bytes"]
    assert not unfinished(folder)


@compiles
@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="cores cannot be chosen")
def test_on_a_single_core_it_waits(folder: Path) -> None:
    alone = "import os\nos.sched_setaffinity(0, list(os.sched_getaffinity(0))[:1])\n"
    (found,) = run(folder, alone + ANSWER)
    assert found["compiled"] == 1


@compiles
def test_without_a_folder_to_keep_kernels_in_it_waits(folder: Path) -> None:
    (folder / "cache").write_text("no folder")
    blocked = f"import tempfile\ntempfile.tempdir = {str(folder / 'cache')!r}\n"
    (found,) = run(folder, blocked + ANSWER)
    assert found["compiled"] == 1


@compiles
@pytest.mark.skipif(not TWO_CORES, reason="there is one core, so it waits")
def test_a_long_plain_call_gives_way_to_the_compiled_kernel(folder: Path) -> None:
    script = (
        ANSWER
        + "count = kernels.endless(np.zeros(1), random)\n"
        + "print(json.dumps([count, kernel_statistics(kernels.endless).loaded]))\n"
    )
    _, (count, loaded) = run(folder, script)  # as plain Python it would take a minute
    assert (count, loaded) == (10**8, 1)


@compiles
def test_two_processes_at_once_compile_a_kernel_once(folder: Path) -> None:
    processes = [start(folder, ANSWER, WAIT) for _ in range(2)]
    found: list[Any] = []
    for process in processes:
        output, errors = process.communicate()
        assert process.returncode == 0, errors
        found.append(json.loads(output))
    assert sorted(each["compiled"] for each in found) == [0, 1]
    assert found[0]["bytes"] == found[1]["bytes"]


@compiles
@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").exists(), reason="processes cannot be looked up")
@pytest.mark.skipif(not TWO_CORES, reason="there is one core, so it waits")
def test_whichever_process_is_killed_the_cache_works_and_nothing_goes_on(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "other")]
    for folder in folders:
        folder.mkdir()
        (folder / "kernels.py").write_text(KERNELS)
    # Most of the time is waited, so two go on beside each other.
    with ThreadPoolExecutor(2) as pool:
        assert len(list(pool.map(killed_now_and_then, folders, range(2)))) == 2


def killed_now_and_then(folder: Path, seed: int) -> None:
    rng = random.Random(seed)
    (expected,) = run(folder, how=NEVER)
    begun = time.monotonic()
    run(folder, ANSWER + UNTIL_THERE)
    lasts = min(time.monotonic() - begun, 3.0)  # busy machines take longer
    for path in stored(folder):
        path.unlink()
    for number in range(KILLS // 2):
        process = start(folder, ANSWER + UNTIL_THERE)
        if number % 3 == 2:
            process.kill()
            process.communicate()
            short = start(folder, ANSWER)
            assert json.loads(short.communicate(timeout=120)[0])["bytes"] == expected["bytes"]
            time.sleep(rng.uniform(0.0, lasts))
            for place in of_folder(folder):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(place.name), signal.SIGKILL)
        elif number % 3 == 0:
            time.sleep(rng.uniform(0.0, 1.5 * lasts))
            children = compilers(process.pid)
            process.kill()
            process.communicate()
            until = time.monotonic() + 30
            while any(map(exists, children)) and time.monotonic() < until:
                time.sleep(0.02)
            assert not any(map(exists, children)), "it goes on without its parent"
        else:
            assert json.loads(process.stdout.readline())["bytes"] == expected["bytes"]
            time.sleep(rng.uniform(0.0, lasts))
            for child in compilers(process.pid):
                os.kill(child, signal.SIGKILL)
            # Its own compiler has the last word then.
            _, errors = process.communicate(timeout=120)
            assert process.returncode == 0, errors
            for path in stored(folder):
                path.unlink()
    (found,) = run(folder, how=WAIT)
    assert found["bytes"] == expected["bytes"]
    assert run(folder, how=WAIT)[0]["loaded"] == 1


@compiles
@pytest.mark.skipif(not TWO_CORES, reason="there is one core, so it waits")
def test_what_kept_plain_python_busy_for_longest_is_compiled_first(folder: Path) -> None:
    # Both are asked for before the other process has begun.
    script = ANSWER + "kernels.endless(np.zeros(1), random)\n" + UNTIL_THERE
    run(folder, script)
    written = {path.name.split("-")[0]: path.stat().st_mtime_ns for path in stored(folder)}
    assert written["kernels.endless"] < written["kernels.answer"]


@compiles
@pytest.mark.skipif(not Path("/proc").exists(), reason="processes cannot be looked up")
@pytest.mark.skipif(not TWO_CORES, reason="there is one core, so it waits")
def test_what_a_short_command_asked_for_is_compiled_after_its_end(folder: Path) -> None:
    for _ in range(5):  # a busy machine may need more than one
        (short,) = run(folder)
        ended = time.monotonic()
        while of_folder(folder) and time.monotonic() < ended + 2 * LINGER:
            time.sleep(0.05)
        assert time.monotonic() < ended + LINGER + 10  # it has to begin first
        assert not unfinished(folder)
        (later,) = run(folder, how=NEVER)
        assert short["loaded"] == 0
        assert later["bytes"] == short["bytes"]
        if later["loaded"]:
            return
    pytest.fail("nothing was compiled after the end")


@compiles
@pytest.mark.skipif(not Path("/proc").exists(), reason="processes cannot be looked up")
@pytest.mark.parametrize("how", ["break_off()", "raise KeyboardInterrupt"])
def test_who_is_broken_off_ends_the_compiler_and_leaves_nothing_half_written(
    folder: Path, how: str
) -> None:
    script = f"{ANSWER}from sleuth.data.workers import break_off\n{how}\n"
    process = start(folder, script)
    process.communicate()
    assert not of_folder(folder)
    assert not unfinished(folder)


@pytest.mark.skipif(not Path("/proc").exists(), reason="processes cannot be looked up")
@pytest.mark.parametrize("how", ["signal.SIGSTOP", "signal.SIGKILL"])
def test_a_parent_that_is_stopped_or_dead_leaves_no_compiler_behind(how: str) -> None:
    """Also where another process still has the other end of the pipe."""
    child = (
        "import sys, time; sys.path[:] = eval(sys.argv[2]); "
        "from sleuth.models.kernels import compiler; compiler.IDLE = 0.2; compiler.LINGER = 1; "
        "print(flush=True); time.sleep(0.5); compiler.serve(int(sys.argv[1]))"
    )
    parent = (
        "import os, signal, subprocess, sys; "
        f"child = subprocess.Popen([sys.executable, '-c', {child!r}, str(os.getpid()), "
        "repr(sys.path)], stdin=int(sys.argv[1]), stdout=subprocess.PIPE); "
        "child.stdout.readline(); print(child.pid, flush=True); "
        f"os.kill(os.getpid(), {how})"
    )
    reads, writes = os.pipe()
    with subprocess.Popen(
        [sys.executable, "-c", parent, str(reads)],
        stdout=subprocess.PIPE,
        pass_fds=[reads],
        text=True,
    ) as first:
        assert first.stdout is not None
        process = int(first.stdout.readline())
        until = time.monotonic() + 20
        while _runs(process) and time.monotonic() < until:
            time.sleep(0.05)
        left = _runs(process)
        first.kill()
    os.close(reads)
    os.close(writes)
    assert not left


def _runs(process: int) -> bool:
    """Whether a process is there and has not ended; a stopped parent takes nobody's end."""
    try:
        return ") Z " not in Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc").exists(), reason="processes cannot be looked up")
def test_who_outlives_their_parent_is_ended_by_the_system() -> None:
    child = (
        "import sys, time; from sleuth.data.workers import follow, outlive; "
        "follow(int(sys.argv[1])); print(outlive(2), flush=True); time.sleep(60)"
    )
    parent = (
        "import os, subprocess, sys; "
        f"child = subprocess.Popen([sys.executable, '-c', {child!r}, str(os.getpid())], "
        "stdout=subprocess.PIPE); "
        "assert child.stdout.readline() == b'True\\n'; print(child.pid); os._exit(0)"
    )
    found = subprocess.run(
        [sys.executable, "-c", parent], stdout=subprocess.PIPE, text=True, check=True
    )
    process = int(found.stdout)
    time.sleep(0.8)
    assert exists(process), "it goes on"
    until = time.monotonic() + 10
    while exists(process) and time.monotonic() < until:
        time.sleep(0.05)
    assert not exists(process)


def of_folder(folder: Path) -> list[Path]:
    """Processes that were told of a folder."""
    word = str(folder).encode()
    return [place for place in Path("/proc").glob("[0-9]*") if word in _command_line(place)]


def _command_line(place: Path) -> bytes:
    try:
        return (place / "cmdline").read_bytes()
    except OSError:
        return b""


@kernel
def draws(words: Any, numbers: Any, random: Any) -> int:
    for place in range(len(words)):
        words[place] = mix(word(random), place)
        numbers[place] = uniform(random) + below(random, 1 + place)
    return int(words[0] >> np.uint64(60))


@kernel
def small(values: Any) -> int:
    return values[0] * values[1]


@kernel
def halves(values: Any) -> float:
    for place in range(len(values)):
        values[place] = values[place] / 2
    return 1 / int(values[0])


def test_chance_and_hashes_are_the_same_bytes_in_plain_python() -> None:
    found: list[tuple[bytes, bytes, int]] = []
    for how in (draws, twin(draws)):
        words, numbers = np.zeros(500, np.uint64), np.zeros(500)
        answer = how(words, numbers, generator(7))
        found.append((words.tobytes(), numbers.tobytes(), int(answer)))
    assert found[0] == found[1]
    codes = np.arange(-50, 50, dtype=np.int32)
    assert key_of(codes) == twin(key_of)(codes)


@kernel
def logarithms(values: Any, found: Any) -> None:
    for place in range(len(values)):
        x = values[place]
        found[place, 0], found[place, 1], found[place, 2] = np.log(x), np.log2(x), np.exp(-x)
        found[place, 3], found[place, 4], found[place, 5] = np.log1p(x), np.sqrt(x), x**0.37


def test_logarithms_are_the_same_to_the_last_bit() -> None:
    values = np.concatenate((np.random.default_rng(3).random(3_000) * 20 + 1e-9, [0.0, np.inf]))
    found = [np.zeros((len(values), 6)) for _ in range(2)]
    for how, numbers in zip((logarithms, twin(logarithms)), found, strict=True):
        with np.errstate(all="ignore"):
            how(values, numbers)
    assert found[0].tobytes() == found[1].tobytes()
    assert {"log", "exp"} <= set(INEXACT)


def test_what_overflows_in_plain_python_is_left_to_compiled_code() -> None:
    with pytest.raises(NotPlain) as caught:
        plain_call(small, (np.array([100, 100], np.int8),), lambda: False)
    assert isinstance(caught.value.__cause__, FloatingPointError)


def test_what_is_taken_back_leaves_its_arguments_as_they_were() -> None:
    values = np.array([0.0, 3.0])
    with pytest.raises(NotPlain):
        plain_call(halves, (values,), lambda: False)
    assert values.tolist() == [0.0, 3.0]


def test_states_are_changed_through_their_quick_forms() -> None:
    kind = np.dtype((np.record, [("player", np.int32), ("cards", np.int32, (2,))]))
    states = np.zeros(2, kind).view(np.recarray)

    def move(given: Any) -> Any:
        given[1].player = 7
        given[1].cards[0] = 3
        return given[1].player

    assert plain_call(move, (states,), lambda: False) == 7
    assert (states[0].player, states[1].player) == (0, 7)
    assert states[1].cards.tolist() == [3, 0]
    assert type(plain_call(move, (states,), lambda: False)) is int
    assert plain_call(lambda given: given.sum(), (states.view(np.int32),), lambda: False) == 10
