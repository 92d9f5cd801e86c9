"""Models of pyAgrum as tables, and tables as models of pyAgrum.

A table of pyAgrum names its variables from the one that varies fastest on: the axes of its array
are those names backwards, so that a variable's own axis is the last one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from ...data.errors import DeclarationError, SettingsError, UnsupportedError
from .node_tables import NodeTable


def pyagrum_library(where: str) -> Any:
    """The library.

    Raises:
        SettingsError: It is not installed.
    """
    if find_spec("pyagrum") is None:
        raise SettingsError(
            "pyagrum is not installed", where=where, hint="python -m pip install 'pyagrum>=2.0'"
        )
    return import_module("pyagrum")


def is_model(model: Any, kind: str) -> bool:
    """True for a model of this class of pyAgrum; without pyAgrum there are none."""
    return find_spec("pyagrum") is not None and isinstance(
        model, getattr(import_module("pyagrum"), kind)
    )


def network_tables(model: Any) -> list[NodeTable]:
    """The tables of a `BayesNet`, in the order of its nodes.

    Raises:
        DeclarationError: It has no variables.
    """
    if model.size() == 0:
        raise DeclarationError("the model has no variables")
    return [_table(model, model.cpt(node)) for node in model.nodes()]


def factor_tables(model: Any) -> tuple[dict[str, tuple[Any, ...]], list[NodeTable]]:
    """The values of the variables of a `MarkovRandomField`, and its factors.

    Raises:
        DeclarationError: It has no variables.
    """
    if model.size() == 0:
        raise DeclarationError("the model has no variables")
    states = {
        model.variable(node).name(): tuple(model.variable(node).labels()) for node in model.nodes()
    }
    return states, [_table(model, model.factor(clique)) for clique in model.factors()]


def _table(model: Any, tensor: Any) -> NodeTable:
    own, *above = tensor.names
    states = {name: tuple(model.variable(name).labels()) for name in tensor.names}
    parents = {name: states[name] for name in reversed(above)}
    return NodeTable(own, states[own], parents, np.asarray(tensor.toarray(), dtype=np.float64))


def made_network(
    states: Mapping[str, Sequence[Any]], tables: Sequence[NodeTable], title: str
) -> Any:
    """A `BayesNet` of these tables.

    Args:
        states: The values of its variables, in order.
        tables: One for each variable.
        title: Name of the network.
    """
    library = pyagrum_library(title)
    made = library.BayesNet(title)
    for name, values in states.items():
        made.add(_variable(library, name, values))
    for each in tables:
        # In the order of the axes: pyAgrum keeps that of the arcs.
        for parent in reversed([*each.parents]):
            made.addArc(parent, each.name)
    for each in tables:
        made.cpt(each.name).fillWith(each.weights.ravel().tolist())
    return made


def made_markov_network(
    states: Mapping[str, Sequence[Any]], tables: Sequence[NodeTable], title: str
) -> Any:
    """A `MarkovRandomField` of these factors; those about the same variables become one.

    Args:
        states: The values of its variables, in order.
        tables: The factors.
        title: Name of the network.
    """
    library = pyagrum_library(title)
    made = library.MarkovRandomField(title)
    for name, values in states.items():
        made.add(_variable(library, name, values))
    factors: dict[frozenset[str], Any] = {}
    for each in tables:
        tensor = library.Tensor()
        for name in (each.name, *reversed([*each.parents])):
            tensor.add(made.variable(name))
        tensor.fillWith(each.weights.ravel().tolist())
        about = frozenset((each.name, *each.parents))
        factors[about] = tensor if about not in factors else factors[about] * tensor
    for tensor in factors.values():
        made.addFactor(tensor)
    return made


def _variable(library: Any, name: str, values: Sequence[Any]) -> Any:
    labels = [str(value) for value in values]
    if len(set(labels)) < len(labels):
        raise UnsupportedError(
            f"values of {name!r} would have the same label in pyAgrum", value=tuple(values)
        )
    return library.LabelizedVariable(name, name, labels)
