"""The treasure hunt with additive profits: which cells to visit, in which order.

Every cell offers a measurement with a profit, and ways between cells cost something. A plan makes
each measurement at most once. It is worth its profits less the costs of its ways. A benefit such as
entropy is not additive; for it this is an approximation. Source: "Clue as a treasure hunt" (2013),
section 4, problem 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from ....beliefs.arrays.layout import Floats
from ....data.checks import whole_number
from ....data.errors import CostError, SettingsError

#: Every set of cells has a row in a table.
MOST_CELLS: Final = 16


@dataclass(frozen=True)
class Route:
    """A plan.

    Attributes:
        cells: The cells whose measurements are made, in order.
        value: Profits less costs.
    """

    cells: tuple[int, ...]
    value: float


def best_route(
    profits: Floats,
    from_here: Floats,
    between: Floats,
    *,
    measurements: int | None = None,
    most: int | None = None,
) -> Route:
    """The plan that is worth most: Held and Karp's dynamic programme over sets of cells.

    Args:
        profits: What each cell's measurement is worth, shape (cells,).
        from_here: What the way to each cell costs, shape (cells,).
        between: What the way from each cell to each other costs, shape (cells, cells); the way may
            lead through other cells without measuring there.
        measurements: So many are made, neither more nor fewer; by default as many as pay.
        most: At most so many are made.

    Raises:
        SettingsError: The shapes do not fit, or so many measurements cannot be made.
        CostError: There are too many cells.
    """
    count = profits.shape[0]
    if from_here.shape != (count,) or between.shape != (count, count):
        raise SettingsError(
            f"costs have the shapes ({count},) and ({count}, {count})",
            value=(from_here.shape, between.shape),
        )
    if count > MOST_CELLS:
        raise CostError(f"a route is found among at most {MOST_CELLS} cells, not {count}")
    if measurements is not None:
        measurements = whole_number(measurements, "measurements", least=0, most=count)
    if most is not None:
        most = whole_number(most, "most", least=0)
    # best[visited, last] is the most that a plan is worth which ends there.
    best = np.full((1 << count, count), -np.inf)
    before = np.full((1 << count, count), -1)
    for cell in range(count):
        best[1 << cell, cell] = profits[cell] - from_here[cell]
    for visited in range(1 << count):
        for cell in range(count):
            if visited >> cell & 1 or visited == 0:
                continue
            ways = best[visited] - between[:, cell]
            last = int(ways.argmax())
            after = visited | 1 << cell
            if ways[last] + profits[cell] > best[after, cell]:
                best[after, cell] = ways[last] + profits[cell]
                before[after, cell] = last
    sizes = np.array([visited.bit_count() for visited in range(1 << count)])
    ends = best.max(axis=1, initial=-np.inf)
    ends[0] = 0.0
    if measurements is not None:
        ends = np.where(sizes == measurements, ends, -np.inf)
    if most is not None:
        ends = np.where(sizes <= most, ends, -np.inf)
    visited = int(ends.argmax())
    value = float(ends[visited])
    cells: list[int] = []
    last = int(best[visited].argmax())
    while visited:
        cells.append(last)
        visited, last = visited & ~(1 << last), int(before[visited, last])
    return Route(tuple(reversed(cells)), value)
