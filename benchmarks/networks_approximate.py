"""Approximate methods on networks, against the junction tree.

    python benchmarks/networks_approximate.py [NAME ...]

`measured` gives the numbers of one network as data, for a table of several.
"""

from __future__ import annotations

import sys
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


def compared(name: str, samples: int = 2_000) -> Any:
    """All methods on one network."""
    if name in SEEN:
        network = example_network(name)
        model, given = network.model, network.observe(SEEN[name])
    else:
        model, given = grid() if name == "grid" else chain()
    return compare(
        model, given, methods=METHODS, samples=samples, reference="junction_tree", isolate=False
    )


def measured(name: str, samples: int = 2_000) -> dict[str, Any]:
    """The numbers of every method on one network, by its name."""
    return compared(name, samples).to_json()["methods"]


if __name__ == "__main__":
    for each in sys.argv[1:] or NAMES:
        print(f"{each}\n{compared(each)}\n")
