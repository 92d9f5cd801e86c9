"""A chain whose steps are probabilities given all evidence, for evidence that leaves the floats.

Where a filter would have to keep masses that are too far apart, what follows every position is
added up with logarithms, from the last step back. Each step then leads on in proportion to that:
the same paths in the same shares, by a chain of which nothing that matters is small (see also
`partial_deals.pushing`).
"""

from __future__ import annotations

import math
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from ....data.errors import CostError
from ...arrays.layout import Floats
from ...arrays.scaling import LEAST_WEIGHT
from ...arrays.transitions import Transition
from ...arrays.walk_problem import WalkProblem
from .chain import Chain, Tables, chain_of, moved, tables_of
from .filter_kernels import pulled_logs

#: Most weights of steps, by the values of the choices.
MOST_NUMBERS = 20_000_000

#: Those that are in use.
_PUSHED: Final[WeakKeyDictionary[WalkProblem, Chain]] = WeakKeyDictionary()


def filtered_chain(walk_problem: WalkProblem) -> Chain:
    """The chain of a walk problem, whose filter has lost nothing.

    Raises:
        CostError: Evidence is strong, and values of choices times steps are too many.
    """
    chain = chain_of(walk_problem)
    return pushed_chain(walk_problem) if chain.faint else chain


def pushed_chain(walk_problem: WalkProblem) -> Chain:
    """The chain of a walk problem, with probabilities for weights.

    Raises:
        CostError: Values of choices times steps are too many.
    """
    if walk_problem not in _PUSHED:
        _PUSHED[walk_problem] = _pushed(walk_problem, chain_of(walk_problem))
    return _PUSHED[walk_problem]


def _logs(numbers: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        return np.log(numbers)


def _evidence(
    walk_problem: WalkProblem, chain: Chain
) -> tuple[list[Floats], list[tuple[Tables, list[Floats]]]]:
    """Logs of the evidence by step, shape (values, positions), and every step with its logs."""
    shape = chain.filter[-1].shape
    weights = [np.zeros(shape) for _ in range(chain.now + 1)]
    strides: list[tuple[Tables, list[Floats]]] = []
    parts: list[WalkProblem] = []
    at: WalkProblem | None = walk_problem
    while at is not None:
        parts.append(at)
        at = at.before
    for part in reversed(parts):
        if part.stride is not None:
            tables = tables_of(chain, part.stride)
            strides.append((tables, [_logs(table.weights) for table in tables]))
        for _, additive, table in part.factors:
            start, rows = chain.split(additive)
            logs = _logs(table)
            if len(rows) < 2:
                step, delta = rows[0] if rows else (0, np.zeros(chain.positions, dtype=np.int64))
                weights[step] += logs[start[:, None] + delta]
                continue
            (step, before), (_, after) = rows
            tables, known = strides[step]
            if len(tables) < chain.values and not (start == start[0]).all():
                tables, known = tables * chain.values, known * chain.values
            tied = [
                log + logs[first + before[each.sources] + after[each.targets]]
                for each, log, first in zip(tables, known, start.tolist(), strict=False)
            ]
            strides[step] = tables, tied
    return weights, strides


def _pushed(walk_problem: WalkProblem, chain: Chain) -> Chain:
    weights, strides = _evidence(walk_problem, chain)
    entries = sum(len(tables[0].weights) for tables, _ in strides)
    if chain.values * entries > MOST_NUMBERS:
        raise CostError(
            "evidence on this walk is so strong that it takes logarithms, and values of choices "
            "times steps are too many for that",
            value=chain.values * entries,
        )
    ahead = weights[-1]
    steps: list[Tables] = []
    for step in range(chain.now - 1, -1, -1):
        tables, logs = strides[step]
        later = np.concatenate(
            [
                pulled_logs(ahead if len(tables) == 1 else ahead[row : row + 1], table.rows, log)
                for row, (table, log) in enumerate(zip(tables, logs, strict=True))
            ]
        )
        steps.append(
            tuple(
                _shared(tables[row % len(tables)], logs[row % len(tables)], ahead[row], later[row])
                for row in range(chain.values)
            )
        )
        ahead = weights[step] + later
    largest = float(ahead.max())
    if largest == -math.inf:
        nothing = tuple(np.zeros_like(mass) for mass in chain.filter)
        return _with(chain, (nothing[0],), tuple(steps[::-1]), nothing, -math.inf)
    shares = np.exp(ahead - largest)
    log_total = largest + math.log(float(shares.sum()))
    mass = np.where(ahead > -math.inf, np.maximum(shares / shares.sum(), LEAST_WEIGHT), 0.0)
    filter = [mass]
    for tables in reversed(steps):
        possible = moved((mass > 0.0).astype(np.float64), tables) > 0.0
        mass = np.where(possible, np.maximum(moved(mass, tables), LEAST_WEIGHT), 0.0)
        filter.append(mass / mass.sum())
    return _with(chain, (filter[0],), tuple(steps[::-1]), tuple(filter), log_total)


def _shared(table: Transition, logs: Floats, ahead: Floats, later: Floats) -> Transition:
    """A step in proportion to all that follows; what is possible stays so."""
    whole = later[table.sources]
    log = logs + ahead[table.targets]
    possible = log > -math.inf
    share = np.exp(np.where(possible, log - np.where(possible, whole, 0.0), -math.inf))
    return table.weighing(np.where(possible, np.maximum(share, LEAST_WEIGHT), 0.0))


def _with(
    chain: Chain,
    start: tuple[Floats],
    strides: tuple[Tables, ...],
    filter: tuple[Floats, ...],
    log_total: float,
) -> Chain:
    """The chain with other weights: all that is known stands in its start and its steps."""
    return Chain(
        sites=chain.sites,
        slots=chain.slots,
        choice_sites=chain.choice_sites,
        choice_slots=chain.choice_slots,
        weights=(*start, *[np.ones((1, 1))] * chain.now),
        scales=(log_total, *[0.0] * chain.now),
        strides=strides,
        filter=filter,
        logs=(log_total,) * (chain.now + 1),
        pushed=True,
    )
