"""Models of pgmpy as tables, and tables as models of pgmpy.

A table of pgmpy has a name for every state of its own variable and of each parent, in an order of
its own; states without names are numbers from 0. Its axes are the variable and then its parents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from itertools import combinations
from typing import Any

import numpy as np

from ...data.errors import DeclarationError, SettingsError
from .node_tables import NodeTable

_EMPTY = "the model has no variables"

#: A node's name in pgmpy as ours.
Naming = Callable[[Any], Any]


def pgmpy_models(where: str) -> Any:
    """pgmpy's module of models.

    Raises:
        SettingsError: pgmpy is not installed.
    """
    if find_spec("pgmpy") is None:
        raise SettingsError(
            "pgmpy is not installed",
            where=where,
            hint="install pgmpy>=1.1,<1.2 (there is none for Python 3.15 yet)",
        )
    return import_module("pgmpy.models")


def is_model(model: Any, *kinds: str) -> bool:
    """True for a model of one of these classes of pgmpy; without pgmpy there are none."""
    if find_spec("pgmpy") is None:
        return False
    models = import_module("pgmpy.models")
    return isinstance(model, tuple(getattr(models, kind) for kind in kinds))


def network_tables(model: Any) -> list[NodeTable]:
    """The tables of a `DiscreteBayesianNetwork`, in the order of its nodes.

    Raises:
        DeclarationError: A node has no table, or one that does not fit the graph.
    """
    if not model.nodes():
        raise DeclarationError(_EMPTY)
    return [
        _table(model.get_cpds(node), node, model.predecessors(node), lambda name: name)
        for node in model.nodes()
    ]


def slice_tables(
    model: Any, earlier: Callable[[str], str]
) -> tuple[list[NodeTable], list[NodeTable]]:
    """The tables of a `DynamicBayesianNetwork`: of its first slice, and of the next ones.

    A variable of a next slice without a table depends on its own slice as in the first one, as
    pgmpy's `initialize_initial_state` has it; so does one of the first slice without a table.

    Args:
        model: The model; it stays as it is.
        earlier: Name of a variable of the slice before.

    Raises:
        DeclarationError: A table is missing, or does not fit the graph.
    """
    found: dict[tuple[Any, int], Any] = {_at(cpd.variable): cpd for cpd in model.cpds}
    names = dict.fromkeys(_at(node)[0] for node in model.nodes())
    if not names:
        raise DeclarationError(_EMPTY)
    parents = {_at(node): [_at(each) for each in model.predecessors(node)] for node in model}
    slices: tuple[list[NodeTable], list[NodeTable]] = ([], [])
    for name in names:
        for number in (0, 1):
            own = (name, number)
            other = (name, 1 - number)
            inside = all(place == 1 for _, place in parents.get((name, 1), ()))
            cpd = found.get(own) or (found.get(other) if inside else None)
            if cpd is None:
                raise DeclarationError(
                    "a variable has no table",
                    value=own,
                    hint=f"add_cpds(TabularCPD({own!r}, ...))",
                )
            home = _at(cpd.variable)[1]

            def named(node: Any, home: int = home) -> Any:
                variable, place = _at(node)
                return variable if place == home else earlier(variable)

            shifted = [(parent, place + home - number) for parent, place in parents.get(own, ())]
            slices[number].append(_table(cpd, (name, home), shifted, named))
    return slices


def _at(node: Any) -> tuple[Any, int]:
    """Name and slice of a node of a dynamic network."""
    return node[0], node[1]


def _table(cpd: Any, node: Any, parents: Iterable[Any], named: Naming) -> NodeTable:
    if cpd is None:
        raise DeclarationError(
            "a variable has no table", value=node, hint=f"add_cpds(TabularCPD({node!r}, ...))"
        )
    known = getattr(cpd, "state_names", None)
    if known is None or not hasattr(cpd, "values"):
        raise DeclarationError(
            "only tables can be taken over", value=f"{type(cpd).__name__} of {node!r}"
        )
    own, *above = cpd.variables
    graph = {_plain(parent) for parent in parents}
    if {_plain(parent) for parent in above} != graph:
        raise DeclarationError(
            f"the table of {named(node)!r} has other parents than the graph",
            value=", ".join(map(str, above)) or "none",
            hint=f"the graph has {', '.join(map(str, sorted(graph, key=str))) or 'none'}",
        )
    values = np.asarray(cpd.values, dtype=np.float64)
    states = {
        name: tuple(known.get(name) or range(size))
        for name, size in zip(cpd.variables, values.shape, strict=True)
    }
    return NodeTable(
        named(node),
        states[own],
        {named(parent): states[parent] for parent in above},
        np.moveaxis(values, 0, -1),
    )


def _plain(node: Any) -> Any:
    """A node that compares as pgmpy's own do, which may be tuples or objects of its own."""
    return _at(node) if hasattr(node, "time_slice") else node


def factor_tables(model: Any) -> tuple[dict[Any, tuple[Any, ...]], list[NodeTable]]:
    """The factors of a `DiscreteMarkovNetwork` or a `FactorGraph`.

    Returns:
        The values of every variable, and the factors: tables whose last variable is called the
        table's own.

    Raises:
        DeclarationError: A variable is in no factor, so that nobody knows its values.
    """
    states: dict[Any, tuple[Any, ...]] = {}
    tables: list[NodeTable] = []
    for factor in model.factors:
        values = np.asarray(factor.values, dtype=np.float64)
        here = {
            name: tuple(factor.state_names.get(name) or range(size))
            for name, size in zip(factor.variables, values.shape, strict=True)
        }
        for name, names in here.items():
            states.setdefault(name, names)
        *above, own = here
        tables.append(NodeTable(own, here[own], {name: here[name] for name in above}, values))
    # Nodes of a factor graph that are tied to variables are factors, whatever they are called.
    graph = hasattr(model, "get_factor_nodes")
    for node in model.nodes():
        if node not in states and not (graph and model.degree(node)):
            raise DeclarationError(
                "a variable is in no factor, so that its values are not known",
                value=node,
                hint="add_factors(DiscreteFactor([variable], [size], values))",
            )
    if not states:
        raise DeclarationError(_EMPTY)
    return {name: states[name] for name in model.nodes() if name in states}, tables


def made_network(names: Iterable[str], tables: Sequence[NodeTable], where: str) -> Any:
    """A `DiscreteBayesianNetwork` of these tables.

    Args:
        names: Its variables, in order.
        tables: One for each.
        where: What is made a model, for messages.
    """
    models, factors = pgmpy_models(where), import_module("pgmpy.factors.discrete")
    made = models.DiscreteBayesianNetwork()
    made.add_nodes_from(names)
    for each in tables:
        made.add_edges_from((parent, each.name) for parent in each.parents)
    for each in tables:
        cpd = factors.TabularCPD(
            each.name,
            len(each.states),
            each.weights.reshape(-1, len(each.states)).T,
            evidence=[*each.parents] or None,
            evidence_card=[len(values) for values in each.parents.values()] or None,
            state_names=_state_names(each),
        )
        made.add_cpds(cpd)
    return made


def made_markov_network(
    states: Mapping[str, Sequence[Any]], tables: Sequence[NodeTable], where: str
) -> Any:
    """A `DiscreteMarkovNetwork` of these factors; a variable without any gets one of ones.

    Args:
        states: The values of its variables, in order.
        tables: The factors.
        where: What is made a model, for messages.
    """
    models, factors = pgmpy_models(where), import_module("pgmpy.factors.discrete")
    made = models.DiscreteMarkovNetwork()
    made.add_nodes_from(states)
    told = {name for each in tables for name in (*each.parents, each.name)}
    alone = [
        NodeTable(name, tuple(values), {}, np.ones(len(values)))
        for name, values in states.items()
        if name not in told
    ]
    for each in (*tables, *alone):
        about = (*each.parents, each.name)
        made.add_edges_from(combinations(about, 2))
        made.add_factors(
            factors.DiscreteFactor(about, each.weights.shape, each.weights, _state_names(each))
        )
    return made


def _state_names(of: NodeTable) -> dict[str, list[Any]]:
    return {name: [*values] for name, values in {**of.parents, of.name: of.states}.items()}
