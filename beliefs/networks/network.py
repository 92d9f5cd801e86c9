"""Discrete networks as declarations: `Choice`s, whose priors are the tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...data.errors import EvidenceError, nearest, shorten
from ..infer import infer
from ..language.evidence import Evidence
from ..language.features import Feature, together
from ..language.variables import Choice
from ..modelling.model import Model
from ..posterior import Posterior
from .formats.text import MOST_LETTERS
from .node_tables import tables_of


@dataclass(frozen=True, eq=False)
class Network:
    """A Bayesian network, or a Markov network, as a declaration.

    The table of a variable of a Bayesian network is the prior of its `Choice`, given its parents.
    A Markov network has uniform choices, and its factors are evidence, whose zeros are exact.

    Attributes:
        name: What the file calls it, or the file's name.
        choices: The variables by name, in the order of the file.
        parents: Parents of every variable, in the order in which their values count the rows of
            its prior; none in a Markov network.
        evidence: The factors of a Markov network.
        observed: Values that the file itself says are observed (see `read_network`).

    >>> import math
    >>> from sleuth.networks import example_network
    >>> asia = example_network("asia")
    >>> sorted(asia.choices)[:4], len(asia.model.variables)
    (['asia', 'bronc', 'dysp', 'either'], 8)
    >>> {value: round(p, 3) for value, p in asia.query("lung", {"xray": "yes"}).items()}
    {'yes': 0.489, 'no': 0.511}
    >>> posterior = asia.infer({"xray": "yes"})
    >>> round(math.exp(asia.log_probability(posterior)), 3)
    0.11
    >>> round(posterior.probability(asia.feature("smoke").equals("yes")), 3)
    0.688
    >>> len(asia.observe(xray="yes")) - len(asia.observe())
    1
    """

    name: str
    choices: Mapping[str, Choice]
    parents: Mapping[str, tuple[str, ...]]
    evidence: tuple[Evidence, ...]
    observed: Mapping[str, str]

    @cached_property
    def model(self) -> Model:
        """The declaration; its evidence is what `observe` gives."""
        return Model(*self.choices.values())

    def observe(self, values: Mapping[str, Any] | None = None, /, **more: Any) -> list[Evidence]:
        """The observed values, and factors: all that `infer` or `compare` must be given.

        Args:
            values: Value of every observed variable; or as keywords, where names allow it.

        Raises:
            EvidenceError: There is no such variable or value; the nearest is named.
        """
        wanted = {**self.observed, **(values or {}), **more}
        given = [*self.evidence]
        for name, value in wanted.items():
            choice = self._choice(name)
            if value not in choice.options:
                raise EvidenceError(
                    f"{name!r} has no such value",
                    value=value,
                    hint=nearest(value, [str(option) for option in choice.options]),
                )
            note = f"{name} = {value}"
            given.append(choice.equals(value).observed(because=note, id=note))
        return given

    def feature(self, names: str | Iterable[str]) -> Feature:
        """The value of one variable, or of several together, as a feature to ask about.

        Raises:
            EvidenceError: There is no such variable, or none is named.
        """
        if isinstance(names, str):
            return self._choice(names).value()
        parts = [self._choice(name).value() for name in names]
        if not parts:
            raise EvidenceError("name at least one variable")
        return together(*parts)

    def infer(self, values: Mapping[str, Any] | None = None, /, **options: Any) -> Posterior:
        """The posterior given observed values; ``options`` are those of `sleuth.beliefs.infer`."""
        return infer(self.model, self.observe(values), **options)

    def query(
        self, names: str | Iterable[str], values: Mapping[str, Any] | None = None, /, **options: Any
    ) -> dict[Any, float]:
        """Probability of every possible value of some variables, given observed values."""
        return self.infer(values, **options).marginal(self.feature(names))

    def log_probability(self, posterior: Posterior) -> float:
        """Natural log of the probability of the observed values, from a posterior of `infer`.

        Of a Markov network it is the log of the sum of the products of its factors over all that
        agrees with them: the partition function. The posterior's own log evidence is measured from
        uniform choices.
        """
        if not self.evidence:
            return posterior.log_evidence
        counts = [len(choice.options) for choice in self.choices.values()]
        return posterior.log_evidence + math.fsum(map(math.log, counts))

    def to_pgmpy(self) -> Any:
        """A `DiscreteBayesianNetwork` of pgmpy; of a Markov network a `DiscreteMarkovNetwork`.

        Values are its states' names. What is observed is no part of it.

        Raises:
            SettingsError: pgmpy is not installed.
            UnsupportedError: A prior, or evidence, is about something else than variables' values.

        >>> from sleuth.networks import example_network
        >>> model = example_network("cancer").to_pgmpy()
        >>> model.check_model(), model.states["Smoker"]
        (True, ['True', 'False'])
        """
        from . import pgmpy_models

        tables = tables_of(self.choices, self.parents, self.evidence)
        if self.evidence:
            return pgmpy_models.made_markov_network(self._states, tables, self.name)
        return pgmpy_models.made_network(self._states, tables, self.name)

    def to_pyagrum(self) -> Any:
        """A `BayesNet` of pyAgrum; of a Markov network a `MarkovRandomField`.

        Labels are the values as strings. What is observed is no part of it.

        Raises:
            SettingsError: pyAgrum is not installed.
            UnsupportedError: Two values of a variable are the same as strings; or a prior, or
                evidence, is about something else than variables' values.

        >>> from sleuth.networks import example_network
        >>> model = example_network("cancer").to_pyagrum()
        >>> model.variable("Smoker").labels(), model.cpt("Smoker").tolist()
        (('True', 'False'), [0.3, 0.7])
        """
        from . import pyagrum_models

        tables = tables_of(self.choices, self.parents, self.evidence)
        if self.evidence:
            return pyagrum_models.made_markov_network(self._states, tables, self.name)
        return pyagrum_models.made_network(self._states, tables, self.name)

    @property
    def _states(self) -> dict[str, tuple[Any, ...]]:
        return {name: choice.options for name, choice in self.choices.items()}

    def _choice(self, name: str) -> Choice:
        found = self.choices.get(name)
        if found is None:
            raise EvidenceError(
                f"{self.name} has no such variable",
                value=name,
                hint=shorten(nearest(name, self.choices), MOST_LETTERS),
            )
        return found
