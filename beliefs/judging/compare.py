"""Any engines on one declaration and one record of evidence, measured against the exact answer."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ...data.errors import SettingsError, nearest, shorten
from ...data.jobs.counting import worker_count
from ...data.jobs.sharing import run_jobs
from ...data.progress import Tell, silent
from ...data.tables import aligned, html_note, html_shown, html_table
from ..arrays.layout import Floats, steps_taken, walk_sites
from ..engines import EXACT, NAMES, engine
from ..engines.base import EngineOptions
from ..infer import infer
from ..language.features import Feature, FeatureLike, as_feature, together
from ..language.variables import Choice, Deal
from ..modelling.history import Observation
from ..modelling.model import Model
from ..posterior import Posterior, entropy_bits
from .measuring import MethodJob, MethodRun, measure
from .method_result import MethodResult as MethodResult

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

#: Engines whose error falls with the number of samples.
SAMPLING = ("rejection", "likelihood_weighting", "metropolis", "gibbs", "particles")
#: Numbers of samples of a curve, as multiples of the number asked for.
CURVE = (1 / 64, 1 / 16, 1 / 4, 4)
#: Most values of the default `about`.
MOST_VALUES = 100_000


#: Headings of a table of results, for `_cells`.
HEADS = ("method", "KL (bits)", "TV", "worst marginal", "ESS", "R-hat", "seconds", "MB")


@dataclass(frozen=True)
class Comparison:
    """Several methods on the same evidence.

    Attributes:
        exact: The method that gave the exact answer.
        about: The feature whose joint was compared, in words.
        results: One result a method, in the order of the request.
        curves: Sampling methods with other numbers of samples.

    >>> from sleuth import Deal, Model, compare
    >>> cards = Deal({"ace": 2, "king": 4}, holders={"me": 2, "you": 2, "table": 2})
    >>> methods = ["enumeration", "rejection"]
    >>> found = compare(Model(cards), methods=methods, samples=500, seed=1, isolate=False)
    >>> found["rejection"].tv < 0.1, found["rejection"].within(0.1), found.exact
    (True, True, 'type_counting')
    >>> [*found.to_json()["methods"]], found.to_frame().shape[0]
    (['enumeration', 'rejection'], 2)
    >>> found
    <Comparison of 2 methods about (count(me, ace), count(me, king)), against type_counting>
    >>> len(found.to_text().splitlines())  # heads, and a line for each
    3
    >>> found.plot("methods.svg").name
    'methods.svg'
    """

    exact: str
    about: str
    results: tuple[MethodResult, ...]
    curves: tuple[MethodResult, ...] = ()

    def __getitem__(self, name: str) -> MethodResult:
        """The result of one method."""
        for result in self.results:
            if result.name == name:
                return result
        raise KeyError(name)

    def to_json(self) -> dict[str, Any]:
        """Name of the exact method, and the numbers of every method."""
        return {
            "exact": self.exact,
            "methods": {result.name: result.to_json() for result in self.results},
        }

    def __repr__(self) -> str:
        methods = f"{len(self.results)} method{'' if len(self.results) == 1 else 's'}"
        return f"<Comparison of {methods} about {shorten(self.about, 60)}, against {self.exact}>"

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self) -> str:
        """A table for people, with the reasons of methods that gave no answer below it."""
        rows: list[list[str]] = [[*HEADS]]
        for result in self.results:
            if result.reason:
                continue
            rows.append([result.name, *_cells(result)])
        lines = aligned(rows)
        lines += [f"{result.name}: {result.reason}" for result in self.results if result.reason]
        lines += [f"{result.name}: {note}" for result in self.results for note in result.notes]
        return "\n".join(lines)

    def to_frame(self) -> pandas.DataFrame:
        """One row a method, also of those with other numbers of samples; NaN for no number."""
        import pandas

        every = [*self.results, *self.curves]
        return pandas.DataFrame(
            [
                {
                    "method": result.name,
                    "exact": result.exact,
                    "samples": result.samples,
                    **{name: getattr(result, name) for name in result.to_json()},
                    "reason": result.reason,
                }
                for result in every
            ]
        )

    def _repr_html_(self) -> str:
        answered = [result for result in self.results if not result.reason]
        missing = [f"{result.name}: {result.reason}" for result in self.results if result.reason]
        return html_shown(
            html_table(
                HEADS,
                [[result.name, *_cells(result)] for result in answered],
                caption=f"How far off {self.about} is, against {self.exact}",
            ),
            *map(html_note, missing),
        )

    @overload
    def plot(self, path: str | Path, *, ax: Axes | None = None) -> Path: ...
    @overload
    def plot(self, path: None = None, *, ax: Axes | None = None) -> Axes: ...
    def plot(self, path: str | Path | None = None, *, ax: Axes | None = None) -> Path | Axes:
        """Draw error against time.

        Args:
            path: Where the picture goes; its ending says the format. None for one to look at, which
                a notebook shows below its cell.
            ax: Axes for the approximate methods alone; None for a figure of its own.

        Returns:
            The path, else the axes.
        """
        from .comparison_plot import plot

        return plot(self.results, self.curves, about=self.about, path=path, axes=ax)


def _cells(result: MethodResult) -> list[str]:
    """The numbers of a method as people read them."""
    numbers = [
        (result.kl_bits, "{:.2g}"),
        (result.tv, "{:.2g}"),
        (result.max_marginal_error, "{:.2g}"),
        (result.ess, "{:,.0f}"),
        (result.rhat, "{:.3f}"),
        (result.seconds, "{:.4f}"),
        (result.peak_mb, "{:.1f}"),
    ]
    return ["-" if number is None else form.format(number) for number, form in numbers]


def compare(
    model: Model,
    given: Iterable[Observation] = (),
    *,
    methods: Sequence[str] | None = None,
    about: FeatureLike | Sequence[FeatureLike] | None = None,
    about_name: str = "",
    samples: int = 10_000,
    seed: int = 0,
    chains: int = 4,
    limit: float = 2e9,
    reference: str = "auto",
    curves: bool = False,
    isolate: bool = True,
    timeout: float = 600.0,
    workers: int = 1,
    progress: Tell = silent,
) -> Comparison:
    """Run several methods on one declaration and the same evidence.

    Methods that do not support the declaration, cost too much or give up are listed with the
    reason.

    Args:
        model: What is hidden.
        given: Evidence, conditions, predictions and moves, in order.
        methods: Engines to run; by default all of them.
        about: Whose joint to compare; by default the three most uncertain items and choices.
        about_name: What people call that, such as ``"the case file"``.
        samples: Worlds of sampling methods.
        seed: Seed of sampling methods.
        chains: Chains of `metropolis` and `gibbs`.
        limit: Most elementary steps of an exact method.
        reference: The exact method that all are compared with.
        curves: Also run sampling methods with fewer and more samples, for `Comparison.plot`.
        isolate: Run every method in a fresh process, which memory and honest times need.
        timeout: Seconds after which a method is given up.
        workers: Methods that run at once; -1 for as many as there are cores. Where they share
            a machine, their seconds are longer. Inside `sleuth.jobs.cluster` its workers.
        progress: Told the name of every method when it begins, or how many are done where
            several run at once.

    Raises:
        CostError: There is no affordable exact answer to compare with.
        ContradictionError: The evidence cannot all be true.
        SettingsError: A method is unknown, or ``reference`` is not exact.

    >>> from sleuth import Deal, Model, compare
    >>> cards = Deal({"ace": 2, "king": 4}, holders={"me": 2, "you": 2, "table": 2})
    >>> methods = ["enumeration", "likelihood_weighting"]
    >>> found = compare(
    ...     Model(cards), [cards.lacks("me", "ace")], methods=methods, samples=500, isolate=False
    ... )
    >>> [(each.name, each.max_marginal_error < 0.1) for each in found.results]
    [('enumeration', True), ('likelihood_weighting', True)]
    """
    names = [engine_name(name) for name in (NAMES if methods is None else methods)]
    # Refused before the exact answer is computed.
    options = EngineOptions(samples=samples, seed=seed, chains=chains, limit=limit)
    if reference != "auto" and not engine(reference).exact:
        raise SettingsError("the reference must be an exact method", value=reference)
    truth = infer(model, given, method=reference, limit=limit)
    feature = most_uncertain(truth) if about is None else _feature(about)
    expected, joint = truth.solution.expected(), truth.distribution(feature)
    results: list[MethodResult] = []
    more: list[MethodResult] = []
    distinct = list(dict.fromkeys(names))
    jobs: list[MethodJob] = []
    for name in distinct:
        sizes = [samples]
        if curves and name in SAMPLING:
            sizes += [max(round(factor * samples), 2) for factor in CURVE]
        settings = tuple(replace(options, samples=size) for size in sizes)
        jobs.append(MethodJob(name, model, truth.history, feature, settings))

    def measured() -> Iterator[list[MethodRun]]:
        workers_used = worker_count(workers, len(jobs), "methods")
        if workers_used == 1:
            for place, job in enumerate(jobs):
                progress(job.method.replace("_", " "), place, len(jobs))
                yield measure(job, isolate=isolate, timeout=timeout)
            return
        calls = [(job,) for job in jobs]
        how = partial(measure, isolate=isolate, timeout=timeout)
        yield from run_jobs(
            how, calls, workers=workers, named=_called, doing="comparing", progress=progress
        )

    for job, runs in zip(jobs, measured(), strict=True):
        name, sizes = job.method, [each.samples for each in job.options]
        scored = [
            _scored(name, run, size, truth, expected, joint)
            for run, size in zip(runs, sizes, strict=True)
        ]
        results.append(scored[0])
        more += [result for result in scored[1:] if not result.reason]
    words = about_name or shorten(feature.describe(), 200)
    return Comparison(truth.method, words, tuple(results), tuple(more))


def engine_name(name: str) -> str:
    """The registered name of an engine; ``-`` and ``_`` are the same.

    Raises:
        SettingsError: There is no such engine.
    """
    word = name.strip().replace("-", "_")
    if word not in NAMES:
        raise SettingsError("unknown method", value=name, hint=nearest(word, NAMES))
    return word


def most_uncertain(posterior: Posterior, count: int = 3) -> Feature:
    """The most uncertain features: the holders of items, and the values of choices."""
    candidates: list[tuple[float, Feature]] = []
    expected = posterior.solution.expected()
    layout = posterior.problem.layout
    for variable in posterior.model.variables:
        if isinstance(variable, Choice):
            (site,) = layout.sites[(variable.name, variable.name)]
            candidates.append((entropy_bits(expected[site]), variable.value()))
        elif isinstance(variable, Deal):
            present = posterior.holders(variable)
            for item, copies in variable.items.items():
                if copies == 1:
                    (site,) = layout.sites[(variable.name, item)]
                    candidates.append((entropy_bits(expected[site]), variable.holder_of(item)))
                    continue
                counts: list[Feature] = [variable.count(holder, item) for holder in present]
                bits = [posterior.entropy(count) for count in counts]
                best = max(range(len(counts)), key=bits.__getitem__)
                candidates.append((bits[best], counts[best]))
        else:
            step = steps_taken(layout, variable.name)
            site = walk_sites(layout, variable.name)[step]
            candidates.append((entropy_bits(expected[site]), variable.at(step=step)))
    candidates.sort(key=lambda pair: -pair[0])
    chosen: list[Feature] = []
    size = 1
    for _, feature in candidates[:count]:
        if size * feature.size <= MOST_VALUES:
            chosen.append(feature)
            size *= feature.size
    return chosen[0] if len(chosen) == 1 else together(*chosen)


def divergence_bits(exact: Floats, other: Floats) -> float:
    """KL(exact || other) in bits; infinite where ``other`` rules out what is possible."""
    held = exact > 0.0
    if (other[held] <= 0.0).any():
        return math.inf
    return max(float((exact[held] * np.log2(exact[held] / other[held])).sum()), 0.0)


def _called(job: MethodJob) -> str:
    return f"the method {job.method}"


def _feature(about: FeatureLike | Sequence[FeatureLike]) -> Feature:
    return as_feature(tuple(about) if isinstance(about, list) else about)  # pyright: ignore[reportArgumentType]


def _scored(
    name: str,
    run: MethodRun,
    samples: int,
    truth: Posterior,
    expected: Floats,
    joint: Floats,
) -> MethodResult:
    drawn = samples if name in SAMPLING else None
    if run.reason:
        # The engine itself may be what is missing, so it is not asked.
        return MethodResult(name=name, exact=name in EXACT, samples=drawn, reason=run.reason)
    answer = smoothed = run.shares
    if drawn is not None:
        smoothed = (drawn * answer + 1.0 / answer.shape[0]) / (drawn + 1.0)
    copies = truth.problem.layout.copies[:, None]
    worst = np.abs(joint - answer)
    if run.expected.shape == expected.shape:
        # Else the exact answer has forgotten where cards were that have moved since.
        worst = np.abs((run.expected - expected) / copies)
    return MethodResult(
        name=name,
        exact=engine(name).exact,
        samples=drawn,
        kl_bits=divergence_bits(joint, smoothed),
        tv=0.5 * float(np.abs(joint - answer).sum()),
        max_marginal_error=float(worst.max()),
        ess=run.diagnostics.effective_samples,
        rhat=run.diagnostics.rhat,
        seconds=run.seconds,
        peak_mb=run.peak_mb,
        notes=run.diagnostics.notes,
    )
