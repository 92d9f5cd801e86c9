"""Approximate methods on networks, against the junction tree.

    python benchmarks/networks_approximate.py [NAME ...]

`measured` gives the numbers of one network as data, for a table of several.
"""

from __future__ import annotations

import os
import sys
import textwrap
from collections.abc import Mapping
from typing import Any

import numpy as np

from sleuth import Choice, Model, compare, together
from sleuth.networks import example_network

METHODS = (
    "junction_tree",
    "likelihood_weighting",
    "metropolis",
    "gibbs",
    "particles",
    "loopy_bp",
)
#: Evidence on networks that ship with pgmpy.
SEEN = {
    "asia": {"xray": "yes", "dysp": "yes"},
    "alarm": {"HRBP": "HIGH", "BP": "LOW"},
    "hailfinder": {"R5Fcst": "SVR"},
    "win95pts": {"Problem1": "No_Output"},
}
NAMES = (*SEEN, "grid", "chain")
CHAINS = ("metropolis", "gibbs")
SAMPLES = 2_000
HEADS = ("on", "method", "seconds", "KL (bits)", "TV", "largest error", "ESS", "R-hat")
ABOUT = """
    Methods of `compare` with {samples:,} samples each: on four of these networks with evidence, on
    a square grid of a hundred variables whose neighbours are tied by random weights, and on a chain
    of 10,000 variables that is seen in its middle and at its end. KL and TV (total variation) say
    how far the joint of the three most uncertain variables is from that of the junction tree; the
    largest error is that of any single probability. ESS is the effective sample size that a method
    claims for the value it knows worst. Seconds are by the clock, for all single probabilities and
    the joint{loads}.
"""


def grid(side: int = 10, seed: int = 1) -> tuple[Model, list[Any]]:
    """Two-valued variables on a square grid, neighbours tied by random weights."""
    rng = np.random.default_rng(seed)
    cells = {(x, y): Choice(f"{x} {y}", [0, 1]) for x in range(side) for y in range(side)}
    said: list[Any] = []
    for (x, y), cell in cells.items():
        for other in ((x + 1, y), (x, y + 1)):
            if other in cells:
                weights = np.exp(rng.normal(size=4)).tolist()
                said.append(together(cell.value(), cells[other].value()).weigh(weights))
    return Model(*cells.values()), said


def chain(length: int = 10_000) -> tuple[Model, list[Any]]:
    """A chain of two-valued variables that is seen in the middle and at its end."""
    rows = {0: {0: 0.9, 1: 0.1}, 1: {0: 0.2, 1: 0.8}}
    steps = [Choice("0", {0: 0.3, 1: 0.7})]
    for number in range(1, length):
        steps.append(Choice(str(number), rows, given=steps[-1].value()))
    return Model(*steps), [steps[length // 2].equals(1).observed(), steps[-1].equals(0).observed()]


def compared(name: str) -> Any:
    """All methods on one network."""
    if name in SEEN:
        network = example_network(name)
        model, given = network.model, network.observe(SEEN[name])
    else:
        model, given = grid() if name == "grid" else chain()
    return compare(
        model, given, methods=METHODS, samples=SAMPLES, reference="junction_tree", isolate=False
    )


def measured(name: str) -> dict[str, Any]:
    """The numbers of every method on one network, and how busy the machine was meanwhile.

    ``load`` is the number of processes that waited for a processor, or had one, in the last minute.
    """
    found = compared(name)
    methods: dict[str, Any] = found.to_json()["methods"]
    for method, numbers in methods.items():
        del numbers["peak_mb"]  # that of a process of its own
        numbers["reason"] = found[method].reason
    return {"samples": SAMPLES, "load": os.getloadavg()[0], "methods": methods}


def section(runs: Mapping[str, dict[str, Any]]) -> list[str]:
    """The table of all methods on all networks, as a part of a page."""
    answered = {name: run for name, run in runs.items() if "methods" in run}
    if not runs:
        return []
    loads = sorted(run["load"] for run in answered.values())
    busy = f", while the machine had {loads[0]:.1f} to {loads[-1]:.1f} processes to run on its "
    about = ABOUT.format(
        samples=max((run["samples"] for run in answered.values()), default=SAMPLES),
        loads=f"{busy}{os.cpu_count()} processors" if loads else "",
    )
    return [
        "## Approximate methods",
        "",
        *textwrap.wrap(" ".join(about.split()), 100),
        "",
        "| " + " | ".join(HEADS) + " |",
        "|---|---|" + "---:|" * (len(HEADS) - 2),
        *("| " + " | ".join(line) + " |" for line in text_lines(answered)),
        "",
        *(f"- {name}: {run['refused']}" for name, run in runs.items() if "refused" in run),
    ]


def text_lines(runs: Mapping[str, dict[str, Any]]) -> list[list[str]]:
    """A line for every method on every network."""
    return [
        [
            name,
            method,
            _number(numbers["seconds"], ".2g"),
            numbers["reason"] or _number(numbers["kl_bits"], ".2g"),
            *(_number(numbers[key], ".2g") for key in ("tv", "max_marginal_error")),
            _number(numbers["ess"], ",.0f"),
            _rhat(method, numbers),
        ]
        for name, run in runs.items()
        for method, numbers in run.get("methods", {}).items()
    ]


def _rhat(method: str, numbers: Mapping[str, Any]) -> str:
    """R-hat; of chains that never left where they began it is infinite, and null in JSON."""
    stuck = method in CHAINS and numbers["rhat"] is None and not numbers["reason"]
    return "∞" if stuck else _number(numbers["rhat"], ".3f")


def _number(value: float | None, form: str) -> str:
    if value is None:
        return "-"
    return format(0.0 if abs(value) < 1e-12 else value, form)


if __name__ == "__main__":
    for each in sys.argv[1:] or NAMES:
        print(f"{each}\n{compared(each)}\n")
