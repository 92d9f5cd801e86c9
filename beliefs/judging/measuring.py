"""Measurements of an engine: its answer, time and memory, in a fresh process.

A process of its own makes the numbers comparable: no method is charged for another's garbage,
and all imports and compiled kernels are loaded by small problems before the clock starts.
"""

from __future__ import annotations

import os
import pickle
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from ...data.disk.writing import scratch
from ...data.errors import SleuthError
from ...data.workers import SAFE, ending_on_request, follow
from ...models.kernels.compiling import waiting
from ..arrays.problem import Floats, Problem
from ..engines import cost_of, engine
from ..engines.base import Cost, Diagnostics, EngineOptions, Unsupported
from ..infer import infer
from ..language.features import Feature, together
from ..language.variables import Choice, Deal
from ..language.walk import Walk
from ..modelling.history import History, Observation, Step
from ..modelling.model import Model

#: Runs are repeated, at most so often, until they have taken so many seconds together.
ENOUGH = 1.0
REPEATS = 5
#: The first run loads, or compiles, what the warm-up did not: where it is shorter than this
#: (seconds), others are timed in its place.
SHORT = 5.0


@dataclass(frozen=True, eq=False)
class MethodJob:
    """One engine, what it is told, and what it is asked.

    Attributes:
        method: Name of the engine.
        model: What is hidden.
        given: Evidence and moves, in order, with predictions already set against their baseline.
        feature: Whose joint is asked for, besides all site marginals.
        options: Settings, one run each; the first is run in a process that has run nothing else.
    """

    method: str
    model: Model
    given: tuple[Step, ...]
    feature: Feature
    options: tuple[EngineOptions, ...]


@dataclass(frozen=True, eq=False)
class MethodRun:
    """The results of one run.

    Attributes:
        expected: Expected copies of every site in every slot, shape (sites, slots).
        shares: Probability of every value of the feature.
        diagnostics: What the engine says of its own answer.
        seconds: What a caller waits, from the declared model and its evidence to these answers;
            the median of several runs where one is short, without the first.
        peak_mb: Most memory (10^6 bytes, resident) above what the warmed-up process held; None
            where the system does not tell.
        reason: Why there is no answer; empty where there is one.
    """

    expected: Floats
    shares: Floats
    diagnostics: Diagnostics
    seconds: float
    peak_mb: float | None
    reason: str = ""

    @staticmethod
    def none(reason: str) -> MethodRun:
        """No answer, and why."""
        return MethodRun(np.zeros((0, 0)), np.zeros(0), Diagnostics(), 0.0, None, reason)


def measure(job: MethodJob, *, isolate: bool = True, timeout: float = 600.0) -> list[MethodRun]:
    """One run for each of the job's options; failures are runs with a reason.

    Args:
        job: What to do.
        isolate: Do it in a fresh process. Without, memory is not measured.
        timeout: Seconds after which the process is ended.
    """
    if not isolate:
        return work(job, memory=False)
    refusals = [_refusal(job, options) for options in job.options]
    if all(refusals):
        return [*map(MethodRun.none, refusals)]
    with scratch() as folder:
        task, answer = folder / "task", folder / "answer"
        task.write_bytes(pickle.dumps(replace(job, model=_fresh(job.model))))
        code = (
            f"from {follow.__module__} import follow; follow({os.getpid()}); "
            f"from {__name__} import main; main()"
        )
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        try:
            with ending_on_request():
                done = subprocess.run(
                    [sys.executable, SAFE, "-c", code, str(task), str(answer)],
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    timeout=timeout,
                    check=False,
                )
        except subprocess.TimeoutExpired:
            return [MethodRun.none(f"no answer within {timeout:g} seconds")] * len(job.options)
        runs: list[MethodRun] = []
        # One answer after the other, so that those before an abrupt end are kept.
        if answer.exists():
            with answer.open("rb") as file, suppress(EOFError, pickle.UnpicklingError):
                while True:
                    runs.append(pickle.load(file))
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        reason = f"its process ended with {done.returncode} ({' '.join(last) or 'no message'})"
        return runs + [MethodRun.none(reason)] * (len(job.options) - len(runs))


def main() -> None:
    """Do the job in the file named first; append the runs to the file named second."""
    task, answer = sys.argv[1:3]
    job: MethodJob = pickle.loads(Path(task).read_bytes())
    with open(answer, "ab") as file:
        for options in job.options:
            (run,) = work(replace(job, options=(options,)), memory=True)
            pickle.dump(run, file)
            file.flush()


@waiting()
def work(job: MethodJob, *, memory: bool) -> list[MethodRun]:
    """The runs of a job, in this process."""
    try:
        warm_up(job.method)
    except ImportError as error:
        return [MethodRun.none(f"not installed: {error}")] * len(job.options)
    return [_run(job, options, memory=memory) for options in job.options]


def _run(job: MethodJob, options: EngineOptions, *, memory: bool) -> MethodRun:
    try:
        refusal = _refusal(job, options)
        if refusal:
            return MethodRun.none(refusal)
        before = _restart_peak() if memory else None
        run = _timed(job, options)
        seconds = [run.seconds]
        peak = None if before is None else max((_peak() - before) / 1e6, 0.0)
        if run.seconds < SHORT:
            seconds = [_timed(job, options).seconds]
            while len(seconds) < REPEATS and sum(seconds) < ENOUGH:
                seconds.append(_timed(job, options).seconds)
    except SleuthError as error:
        return MethodRun.none(error.message)
    except (ArithmeticError, LookupError, MemoryError, TypeError, ValueError) as error:
        # A comparison goes on where one method breaks, and says so.
        return MethodRun.none(f"failed: {type(error).__name__}: {error}")
    if not all(np.isfinite(values).all() for values in (run.expected, run.shares)):
        return MethodRun.none("its answer has no finite numbers")
    return replace(run, seconds=statistics.median(seconds), peak_mb=peak)


def _refusal(job: MethodJob, options: EngineOptions) -> str:
    """Why an engine does not even begin, as it says itself; empty where it does."""
    cost = cost_of(engine(job.method), _problem(job.model, job.given, job.method))
    if isinstance(cost, Unsupported):
        return f"unsupported: {cost.reason}"
    if engine(job.method).exact and cost.operations > options.limit:
        most = "" if cost.reason else f"; the limit is {options.limit:.1e}"
        return f"too costly: {cost.in_words}{most}"
    return ""


def _timed(job: MethodJob, options: EngineOptions) -> MethodRun:
    """The answers as somebody with a model and evidence gets them, by the clock."""
    model = _fresh(job.model)
    start = time.perf_counter()
    posterior = infer(
        model,
        job.given,
        method=job.method,
        samples=options.samples,
        seed=options.seed,
        chains=options.chains,
        limit=options.limit,
    )
    expected, shares = posterior.solution.expected(), posterior.distribution(job.feature)
    seconds = time.perf_counter() - start
    return MethodRun(expected, shares, posterior.diagnostics, seconds, None)


def _fresh(model: Model) -> Model:
    """The same declaration, with nothing computed yet."""
    return Model(*model.variables)


def _problem(model: Model, given: Iterable[Observation], method: str) -> Problem:
    """Declaration and evidence as arrays, as a method needs them."""
    begun = History.begun(_fresh(model), method)
    return begun.extend(given, lambda _past, _condition: 0.5).problem


def warm_up(method: str) -> None:
    """Load and compile what the engine needs, on problems of a few cards."""
    cards = Deal(
        ["a", "b", "c", "d", "e"],
        holders={"x": 2, "y": 2, "z": 1},
        categories={"vowels": ["a", "e"]},
        counts={"z": {"vowels": 1}},
    )
    held = cards.which("x", ["a", "b", "c"]).weigh(lambda value: 1.0 / (1 + len(value)))
    copies = Deal({"p": 3, "q": 2}, holders={"x": 2, "y": 2, "z": 1})
    first, second = Choice("first", [0, 1, 2]), Choice("second", [0, 1])
    pair = together(first.value(), second.value())
    tied = pair.weigh(lambda values: 0.1 + 0.2 * (values[0] == values[1]))
    walk = Walk("walk", [0, 1, 2])
    step = walk.step({0: [0, 1], 1: [1, 2], 2: [0, 2]})
    faint = walk.at().weigh([1.0, 1e-3, 1e-3])
    for model, given in (
        (Model(cards), [held, cards.holds_any("y", ["b", "c", "d"])]),
        (Model(copies), [copies.count("x", "p").weigh([0.2, 0.5, 0.3])]),
        (Model(first, second), [tied]),
        (Model(walk), [step, faint, step, faint, step]),
    ):
        problem = _problem(model, given, method)
        with suppress(SleuthError):
            if isinstance(cost_of(engine(method), problem), Cost):
                solution = engine(method).solve(problem, EngineOptions(samples=200))
                solution.expected()
                solution.joint(problem.factor(0)[0])


def _restart_peak() -> float | None:
    """Resident bytes now, from which the peak is counted; None where that is not told."""
    try:
        # Linux: sets the high-water mark back to what is held now.
        Path("/proc/self/clear_refs").write_text("5")
        return _status("VmRSS")
    except (OSError, LookupError):
        try:
            # Elsewhere the mark only rises: where the warm-up took more, the growth shows as 0.
            return _peak()
        except ImportError:
            return None


def _peak() -> float:
    """The highest number of resident bytes so far."""
    with suppress(OSError, LookupError):
        return _status("VmHWM")
    resource: Any = import_module("resource")
    scale = 1 if sys.platform == "darwin" else 1024
    return float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) * scale


def _status(field: str) -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    values = dict(line.split(":", 1) for line in lines if ":" in line)
    return float(values[field].split()[0]) * 1024.0
