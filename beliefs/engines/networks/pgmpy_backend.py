"""Exact inference by variable elimination through pgmpy: a backend and a cross-check.

Nothing is shared with the other exact engines but the declaration, what its hard evidence rules
out, and the order in which cards are read. The problem becomes a Markov network of small tables
(see `markov`), which pgmpy contracts in its ``greedy`` order; a query takes milliseconds, so
this is no engine for play.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from ....data.errors import CostError, UnsupportedError
from ...arrays.layout import number_type
from ...arrays.problem import Additive, Floats, Integers, Problem
from ..base import EXACT, Cost, Diagnostics, EngineOptions, Unsupported, Worlds
from .markov import SMALL_TABLE, FactorChain, MarkovNetwork, chain_table, encode, minimal_chain

#: Most entries of a table between two contractions: 400 MB.
MOST_ENTRIES = 5e7
#: Most open physical cards; more are never affordable, and planning alone would take seconds.
MOST_CARDS = 120
#: Most tables of which an order is planned, for the same reason.
MOST_TABLES = 4_000
#: A feature of cards with at most this many combinations is read off their joint table.
SMALL_JOINT = 1_024
#: Below this share of the largest weights, double precision may have lost some.
LEAST_WEIGHT = 1e-200
#: What is said where it has lost what is far less likely than that.
ROUNDED = Diagnostics(
    notes=("strong evidence: what is less likely than 1e-100 is rounded, perhaps to 0",)
)


class VariableTable(NamedTuple):
    """A weight table and the variables of its axes."""

    variables: tuple[str, ...]
    values: Floats


@cache
def pgmpy_modules() -> tuple[Any, Any, Any]:
    """pgmpy's factors, models and inference, imported when first needed and without a word."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return (
            import_module("pgmpy.factors.discrete"),
            import_module("pgmpy.models"),
            import_module("pgmpy.inference"),
        )


def card_name(card: int) -> str:
    """The variable of an open card."""
    return f"card {card}"


def network_tables(network: MarkovNetwork) -> list[VariableTable]:
    """Every table of the network; each open card has at least one."""
    tables = [
        VariableTable((card_name(card),), np.ones(network.options[card].shape[0]))
        for card in network.order
    ]
    for number, chain in enumerate(network.chains):
        tables += chain_tables(chain, f"chain {number}")
    return tables


def chain_tables(chain: FactorChain, name: str, *, ends_open: bool = False) -> list[VariableTable]:
    """A chain as tables, with a variable for its state after each card but the last.

    Args:
        chain: The chain.
        name: What its variables are called.
        ends_open: Keep the final state as a variable, ``"<name> end"``, instead of weighing it.
    """
    entries = math.prod(step.shape[1] for step in chain.steps)
    states = [*(step.shape[0] for step in chain.steps[1:]), 1]
    in_steps = sum(step.size * after for step, after in zip(chain.steps, states, strict=True))
    cards = tuple(card_name(card) for card in chain.cards)
    if entries <= max(SMALL_TABLE, in_steps) and not ends_open:
        return [VariableTable(cards, chain_table(chain))]
    tables: list[VariableTable] = []
    last = len(chain.steps) - 1
    for place, step in enumerate(chain.steps):
        if place == last and not ends_open:
            values: Floats = np.where(step >= 0, chain.weights[np.maximum(step, 0)], 0.0)
            after: tuple[str, ...] = ()
        else:
            states = chain.weights.shape[0] if place == last else chain.steps[place + 1].shape[0]
            # One at the next state; the last column, for -1, is cut off.
            values = np.eye(states + 1)[step][:, :, :states]
            after = (f"{name} end" if place == last else f"{name} after {place}",)
        variables = (f"{name} after {place - 1}", cards[place], *after)
        if place == 0:
            values, variables = values[0], variables[1:]
        tables.append(VariableTable(variables, values))
    return tables


def plan(tables: Sequence[VariableTable], wanted: Sequence[str]) -> Any:
    """opt_einsum's greedy path and its costs, the one pgmpy will take."""
    einsum: Any = import_module("opt_einsum")
    symbol: dict[str, str] = {}
    for table in tables:
        for name in table.variables:
            symbol.setdefault(name, einsum.get_symbol(len(symbol)))
    inputs = ",".join("".join(symbol[name] for name in table.variables) for table in tables)
    output = "".join(symbol[name] for name in wanted)
    shapes = [table.values.shape for table in tables]
    return einsum.contract_path(f"{inputs}->{output}", *shapes, shapes=True, optimize="greedy")


@dataclass(frozen=True, eq=False)
class Elimination:
    """Answers by variable elimination.

    Attributes:
        network: The encoded problem.
        tables: Its tables.
        log_weight: Log of the total weight of all deals.
        limit: Most elementary steps one query may take.
    """

    network: MarkovNetwork
    tables: tuple[VariableTable, ...]
    log_weight: float
    limit: float
    exact: bool = True
    diagnostics: Diagnostics = field(default_factory=Diagnostics)
    cache: dict[str, Any] = field(default_factory=dict[str, Any], repr=False)

    def expected(self) -> Floats:
        """Expected copies of every site in every slot, shape (sites, slots)."""
        if "expected" not in self.cache:
            network, layout = self.network, self.network.problem.layout
            result = np.zeros((layout.site_count, layout.slot_count))
            for card in np.flatnonzero(network.fixed >= 0):
                result[network.site[card], network.fixed[card]] += 1.0
            done: dict[int, Floats] = {}
            for card in network.order:
                site = int(network.site[card])
                # Copies of one site are exchangeable, so one query serves all of them.
                if site not in done:
                    done[site] = self._query(self.tables, [card_name(card)])
                result[site, network.options[card]] += done[site] / done[site].sum()
            self.cache["expected"] = result
        return self.cache["expected"]

    def joint(self, feature: Additive) -> Floats:
        """Probability of every index of a feature, shape (size,)."""
        start, parts = self.network.start(feature), self.network.parts(feature)
        if not parts:
            return (np.arange(feature.size) == start).astype(np.float64)
        if math.prod(adds.shape[0] for _, adds in parts) <= SMALL_JOINT:
            mass = self._query(self.tables, [card_name(card) for card, _ in parts])
            index = np.array(start)
            for _, adds in parts:
                index = index[..., None] + adds
            return _by_index(mass, index, feature.size)
        # One chain for the cards that count in the same slots (the rooms in the case file, say):
        # a few narrow chains are cheaper than a wide one. Their ends add up to the index.
        groups: dict[frozenset[int], list[tuple[int, Integers]]] = {}
        for card, adds in parts:
            counted = frozenset(int(slot) for slot in self.network.options[card][adds != 0])
            groups.setdefault(counted, []).append((card, adds))
        numbers = np.arange(1.0, feature.size + 1.0)
        tables, ends = [*self.tables], list[str]()
        index = np.array(start)
        for group in groups.values():
            name = f"feature {len(ends)}"
            # The sum itself is the weight, plus one to be positive, so that the end tells it.
            chain = minimal_chain(group, 0, numbers)
            tables += chain_tables(chain, name, ends_open=True)
            ends.append(f"{name} end")
            index = index[..., None] + (chain.weights.astype(np.int64) - 1)
        return _by_index(self._query(tables, ends), index, feature.size)

    def draw(self, count: int, rng: np.random.Generator) -> Worlds:
        """Exact worlds, never rejected; shape (count, cards)."""
        network = self.network
        numbers = number_type(network.problem.layout.slot_count)
        worlds = np.tile(network.fixed.astype(numbers), (count, 1))
        if network.order:
            chosen = draw_backwards(self.tables, count, rng)
            for card in network.order:
                worlds[:, card] = network.options[card][chosen[card_name(card)]]
        return worlds

    def _query(self, tables: Sequence[VariableTable], wanted: list[str]) -> Floats:
        return query(tables, wanted, limit=self.limit)


def _by_index(mass: Floats, index: Integers, size: int) -> Floats:
    """Shares of the weight by index; what has none may stand beyond the last index."""
    held = mass > 0.0
    result = np.bincount(index[held], weights=mass[held], minlength=size)
    return result / result.sum()


def query(tables: Sequence[VariableTable], wanted: list[str], *, limit: float) -> Floats:
    """Total weight by the values of some variables, through pgmpy; not normalised.

    Raises:
        CostError: It would take more than ``limit`` steps, or too much memory.
    """
    _, costs = plan(tables, wanted)
    if costs.opt_cost > limit or costs.largest_intermediate > MOST_ENTRIES:
        raise CostError(
            f"pgmpy would take {float(costs.opt_cost):.1e} steps and a table of "
            f"{float(costs.largest_intermediate):.1e} numbers for one query",
            hint="take method='auto' or 'card_by_card'",
        )
    factors, models, inference = pgmpy_modules()
    network = models.DiscreteMarkovNetwork()
    for table in tables:
        network.add_nodes_from(table.variables)
        network.add_edges_from(
            (first, second)
            for place, first in enumerate(table.variables)
            for second in table.variables[place + 1 :]
        )
    network.add_factors(
        *(
            factors.DiscreteFactor(list(table.variables), table.values.shape, table.values)
            for table in tables
        )
    )
    answer = inference.VariableElimination(network).query(
        wanted, elimination_order="greedy", show_progress=False
    )
    return np.asarray(answer.values, dtype=np.float64)


def draw_backwards(
    tables: Sequence[VariableTable], count: int, rng: np.random.Generator
) -> dict[str, Integers]:
    """Joint draws of all variables, in proportion to the product of the tables.

    The contraction is done once, keeping what entered each step. Then the steps are undone:
    the variables that a step summed out are drawn given those that it left, which later steps
    have drawn already.
    """
    path: list[tuple[int, ...]] = plan(tables, [])[0]
    current: list[VariableTable] = list(tables)
    done: list[tuple[list[VariableTable], tuple[str, ...], tuple[str, ...]]] = []
    for places in path:
        taken: list[VariableTable] = [current[place] for place in places]
        current = [table for place, table in enumerate(current) if place not in set(places)]
        outside = {name for table in current for name in table.variables}
        inside = dict.fromkeys(name for table in taken for name in table.variables)
        kept = tuple(name for name in inside if name in outside)
        summed = tuple(name for name in inside if name not in outside)
        done.append((taken, kept, summed))
        current.append(VariableTable(kept, _product(taken, kept)))
    drawn: dict[str, Integers] = {}
    for taken, kept, summed in reversed(done):
        if not summed:
            continue
        if kept:
            given = np.stack([drawn[name] for name in kept], axis=1)
            cases, case = np.unique(given, axis=0, return_inverse=True)
        else:
            cases, case = np.zeros((1, 0), dtype=np.int64), np.zeros(count, dtype=np.int64)
        # An axis for the distinct cases takes the place of the variables that are known.
        known = {name: cases[:, column] for column, name in enumerate(kept)}
        sliced: list[VariableTable] = []
        for table in taken:
            here = [name for name in table.variables if name in known]
            rest = tuple(name for name in table.variables if name not in known)
            if not here:
                sliced.append(table)
                continue
            axes = [table.variables.index(name) for name in (*here, *rest)]
            rows = table.values.transpose(axes)[tuple(known[name] for name in here)]
            sliced.append(VariableTable(("case", *rest), rows))
        first = ("case",) if kept else ()
        mass = _product(sliced, (*first, *summed))
        sizes = mass.shape[len(first) :]
        below = mass.reshape(cases.shape[0], -1).cumsum(axis=1)
        below /= below[:, -1:]
        picked = (below[case.ravel()] <= rng.random(count)[:, None]).sum(axis=1)
        picked = np.minimum(picked, below.shape[1] - 1)
        for name, size in zip(reversed(summed), reversed(sizes), strict=True):
            picked, drawn[name] = picked // size, picked % size
    return drawn


def _product(tables: Sequence[VariableTable], kept: Sequence[str]) -> Floats:
    """The product of tables, summed over all variables but ``kept``."""
    number: dict[str, int] = {}
    operands: list[Any] = []
    for table in tables:
        operands.append(table.values)
        operands.append([number.setdefault(name, len(number)) for name in table.variables])
    return np.einsum(*operands, [number[name] for name in kept])


@dataclass(frozen=True)
class Pgmpy:
    """Variable elimination over small tables."""

    name: str = "pgmpy"
    exact: bool = True
    summary: str = "a cross-check by another library: variable elimination over small tables"

    def cost(self, problem: Problem) -> Cost | Unsupported:
        if find_spec("pgmpy") is None:
            return Unsupported("pgmpy is not installed (there is none for Python 3.15 yet)")
        if int(problem.layout.copies.sum()) > MOST_CARDS:
            return Unsupported(f"it takes at most {MOST_CARDS} physical cards")
        network = encode(problem)
        if not network.order:
            return Cost(operations=1.0)
        tables = network_tables(network)
        if len(tables) > MOST_TABLES:
            return Cost(operations=1e30)
        _, costs = plan(tables, [card_name(network.order[0])])
        entries = float(costs.largest_intermediate)
        if entries > MOST_ENTRIES:
            return Cost(operations=1e30, bytes=8.0 * entries)
        # One query for the total and one for every open card.
        queries = 1 + len(network.order)
        return Cost(operations=float(costs.opt_cost) * queries, bytes=16.0 * entries)

    def solve(self, problem: Problem, options: EngineOptions) -> Elimination:
        network = encode(problem)
        tables = tuple(network_tables(network))
        total = 0.0
        if network.constant > -math.inf:
            total = 1.0
            if network.order:
                wanted = [card_name(network.order[0])]
                total = float(query(tables, wanted, limit=options.limit).sum())
                if total < LEAST_WEIGHT:
                    _check_nothing_is_left(tables, wanted, options.limit)
                    total = 0.0
        log_weight = math.log(total) + network.constant if total > 0.0 else -math.inf
        diagnostics = ROUNDED if problem.strong else EXACT
        return Elimination(network, tables, log_weight, options.limit, diagnostics=diagnostics)


def _check_nothing_is_left(
    tables: Sequence[VariableTable], wanted: list[str], limit: float
) -> None:
    """A total of (nearly) zero must come from zeros, not from small weights multiplied."""
    support = [VariableTable(table.variables, np.sign(table.values)) for table in tables]
    if query(support, wanted, limit=limit).any():
        raise UnsupportedError(
            "pgmpy multiplies these weights to less than double precision holds",
            hint="take method='auto' or 'card_by_card', which rescale",
        )


ENGINE = Pgmpy()
