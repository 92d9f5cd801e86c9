"""Models of other libraries taken over as networks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...data.errors import DeclarationError
from ..language.variables import Choice
from . import pgmpy_models, pyagrum_models
from .network import Network
from .node_tables import NodeTable, check_name, choices_of, factor_of

#: What a network is called that its model does not name.
UNNAMED = "network"


def from_pgmpy(model: Any) -> Network:
    """The network of a model of pgmpy, which stays as it is; `Network.to_pgmpy` gives it back.

    It may be a `DiscreteBayesianNetwork`, a `DiscreteMarkovNetwork` or a `FactorGraph`. States keep
    their names, and are numbers from 0 without names. Latent variables are variables like others.

    Raises:
        DeclarationError: It is no such model, or one that is not finished: a table is missing, does
            not fit the graph or add up to one, a factor is none, or a name is no string.

    >>> from pgmpy.factors.discrete import TabularCPD
    >>> from pgmpy.models import DiscreteBayesianNetwork
    >>> import sleuth
    >>> model = DiscreteBayesianNetwork([("rain", "wet")])
    >>> states = {"rain": ["yes", "no"], "wet": ["yes", "no"]}
    >>> model.add_cpds(
    ...     TabularCPD("rain", 2, [[0.2], [0.8]], state_names=states),
    ...     TabularCPD("wet", 2, [[0.9, 0.3], [0.1, 0.7]], ["rain"], [2], state_names=states),
    ... )
    >>> network = sleuth.from_pgmpy(model)
    >>> {value: round(p, 3) for value, p in network.query("rain", {"wet": "yes"}).items()}
    {'yes': 0.429, 'no': 0.571}
    """
    if pgmpy_models.is_model(model, "DiscreteBayesianNetwork"):
        return _bayesian(pgmpy_models.network_tables(model), model.name)
    if pgmpy_models.is_model(model, "DiscreteMarkovNetwork", "FactorGraph"):
        return _markov(*pgmpy_models.factor_tables(model), model.name)
    dynamic = pgmpy_models.is_model(model, "DynamicBayesianNetwork")
    raise DeclarationError(
        "this is no discrete network of pgmpy",
        value=model,
        hint="sleuth.networks.DynamicNetwork.from_pgmpy takes it over"
        if dynamic
        else "give a DiscreteBayesianNetwork, a DiscreteMarkovNetwork or a FactorGraph of tables",
    )


def from_pyagrum(model: Any) -> Network:
    """The network of a model of pyAgrum, which stays as it is; `Network.to_pyagrum` gives it back.

    It may be a `BayesNet` or a `MarkovRandomField`. Values are the labels of the variables, which
    are strings also where pyAgrum counts or measures something.

    Raises:
        DeclarationError: It is no such model, or one whose tables do not add up to one.

    >>> import pyagrum
    >>> from sleuth.networks import from_pyagrum
    >>> model = pyagrum.fastBN("rain{yes|no}->wet{yes|no}")
    >>> _ = model.cpt("rain").fillWith([0.2, 0.8])
    >>> _ = model.cpt("wet").fillWith([0.9, 0.1, 0.3, 0.7])
    >>> network = from_pyagrum(model)
    >>> {value: round(p, 3) for value, p in network.query("rain", {"wet": "yes"}).items()}
    {'yes': 0.429, 'no': 0.571}
    """
    if pyagrum_models.is_model(model, "BayesNet"):
        return _bayesian(pyagrum_models.network_tables(model), _title(model))
    if pyagrum_models.is_model(model, "MarkovRandomField"):
        return _markov(*pyagrum_models.factor_tables(model), _title(model))
    raise DeclarationError(
        "this is no discrete network of pyAgrum",
        value=model,
        hint="give a pyagrum.BayesNet or a pyagrum.MarkovRandomField",
    )


def _title(model: Any) -> str:
    return model.propertyWithDefault("name", "")


def _bayesian(tables: Sequence[NodeTable], title: str) -> Network:
    choices = choices_of(tables)
    parents = {table.name: tuple(table.parents) for table in tables}
    return _checked(Network(title or UNNAMED, choices, parents, (), {}))


def _markov(
    states: Mapping[Any, tuple[Any, ...]], factors: Sequence[NodeTable], title: str
) -> Network:
    for name in states:
        check_name(name)
    choices = {name: Choice(name, values) for name, values in states.items()}
    evidence = [factor_of(each, states, number) for number, each in enumerate(factors, start=1)]
    parents = dict.fromkeys(choices, ())
    return _checked(Network(title or UNNAMED, choices, parents, tuple(evidence), {}))


def _checked(network: Network) -> Network:
    """The network, of which what cannot be is refused here and now."""
    _ = network.model
    return network
