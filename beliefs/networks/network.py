"""Discrete networks as declarations: `Choice`s, whose priors are the tables."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from inspect import signature
from typing import Any, Final

import numpy as np

from ...data.errors import (
    DeclarationError,
    EvidenceError,
    UnsupportedError,
    nearest,
    shorten,
)
from ...data.tables import html_note, html_shown, html_table
from ..infer import infer
from ..language.evidence import Evidence
from ..language.features import Feature, together
from ..language.likelihoods import some_of
from ..language.variables import Choice, choice_of
from ..modelling.model import Model
from ..posterior import Posterior
from .formats.text import MOST_LETTERS
from .node_tables import tables_of
from .parents import nodes_of

#: Most variables that a notebook lists.
MOST_SHOWN: Final = 40
#: What `infer` takes besides a model and evidence, as keywords.
_OPTIONS: Final = frozenset(signature(infer).parameters) - {"model", "given"}


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

    @staticmethod
    def of(choices: Iterable[Choice] | Model, *, name: str = "network") -> Network:
        """The network of choices, each of which may depend on others; or of a model of them.

        A prior that depends on something else than plain values of choices, such as whether two of
        them are equal, becomes a table with those choices as parents.

        Raises:
            DeclarationError: They make no model: a variable is missing, or there is a circle.
            UnsupportedError: A variable is no choice.
            CostError: A table would be too large.

        >>> from sleuth import Choice
        >>> from sleuth.networks import Network
        >>> rain = Choice("rain", {"yes": 0.25, "no": 0.75})
        >>> rows = {"yes": {"wet": 0.9, "dry": 0.1}, "no": {"wet": 0.1, "dry": 0.9}}
        >>> weather = Network.of([rain, Choice("grass", rows, given=rain)], name="weather")
        >>> {value: round(p, 2) for value, p in weather.query("rain", grass="wet").items()}
        {'yes': 0.75, 'no': 0.25}
        """
        if not isinstance(choices, (Model, Iterable)):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise DeclarationError(
                "a network is made of a list of choices, or a model of them",
                value=choices,
                hint="write Network.of([rain, grass])",
            )
        model = choices if isinstance(choices, Model) else Model(*choices)
        return Network(name, *nodes_of(model), (), {})

    def __repr__(self) -> str:
        count = len(self.choices)
        return f"<Network {self.name} of {count} {'variable' if count == 1 else 'variables'}>"

    def _repr_html_(self) -> str:
        """Its variables, with their values and parents."""
        rows = [
            (name, shorten(", ".join(map(str, choice.options)), 60), ", ".join(self.parents[name]))
            for name, choice in [*self.choices.items()][:MOST_SHOWN]
        ]
        left = len(self.choices) - MOST_SHOWN
        table = html_table(("", "values", "depends on"), rows, caption=repr(self).strip("<>"))
        return html_shown(table, *([html_note(f"and {left} more variables")] if left > 0 else []))

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
        given = [*self.evidence]
        for name, value in {**self.observed, **self._values(values, more)}.items():
            note = f"{name} = {value}"
            given.append(self.choices[name].equals(value).observed(because=note, id=note))
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

    def infer(self, values: Mapping[str, Any] | None = None, /, **more: Any) -> Posterior:
        """The posterior given observed values.

        Args:
            values: Value of every observed variable.
            **more: Further ones; those called as an option of `sleuth.infer` are that option.

        Raises:
            EvidenceError: There is no such variable or value.

        >>> from sleuth.networks import example_network
        >>> example_network("asia").infer(xray="yes", method="enumeration")
        <Posterior by enumeration, exact, 1 observations>
        """
        options = {name: more[name] for name in more if name in _OPTIONS}
        seen = {name: more[name] for name in more if name not in _OPTIONS}
        for name in seen:
            if name not in self.choices:
                raise EvidenceError(
                    f"{self.name} has no such variable, and infer no such option",
                    value=name,
                    hint=_near(name, [*self.choices, *sorted(_OPTIONS)]),
                )
        return infer(self.model, self.observe(values, **seen), **options)

    def query(
        self, names: str | Iterable[str], values: Mapping[str, Any] | None = None, /, **more: Any
    ) -> dict[Any, float]:
        """Probability of every possible value of some variables, given observed values.

        Args:
            names: One variable, or several.
            values, **more: As for `infer`.

        >>> from sleuth.networks import example_network
        >>> found = example_network("cancer").query("Smoker", Cancer="True", Pollution="low")
        >>> {value: round(p, 3) for value, p in found.items()}
        {'True': 0.928, 'False': 0.072}
        """
        return self.infer(values, **more).marginal(self.feature(names))

    def do(self, values: Mapping[str, Any] | None = None, /, **more: Any) -> Network:
        """The network after an intervention that sets variables to values, whatever they were.

        A variable that is set depends on its parents no longer, and those that depend on it do so
        as before; to see that it has the value says something of its parents, too. What was
        observed of it is forgotten.

        Reference: J. Pearl, "Causality" (2009), section 3.2.3, equation 3.10.

        Args:
            values: The value of every variable that is set; or as keywords.

        Raises:
            EvidenceError: There is no such variable or value, or none is set.
            UnsupportedError: It is a Markov network, which says nothing of causes.

        >>> from sleuth.networks import example_network
        >>> cancer = example_network("cancer")
        >>> seen, done = cancer.query("Smoker", Xray="positive"), cancer.do(Xray="positive")
        >>> round(seen["True"], 4), done.query("Smoker")["True"], done.query("Xray")
        (0.3206, 0.3, {'positive': 1.0})
        """
        self._refuse_factors("what is set")
        wanted = self._values(values, more)
        if not wanted:
            raise EvidenceError("name a variable, and the value that it is set to")
        choices, parents, observed = {**self.choices}, {**self.parents}, {**self.observed}
        for name, value in wanted.items():
            options = choices[name].options
            table = np.zeros(len(options))
            table[options.index(value)] = 1.0
            choices[name], parents[name] = choice_of(name, options, table), ()
            observed.pop(name, None)
        return replace(self, choices=choices, parents=parents, observed=observed)

    def replace(self, choice: Choice) -> Network:
        """The network with another table for a variable, and perhaps other parents.

        Args:
            choice: Has the name and the values of the variable.

        Raises:
            EvidenceError: There is no such variable.
            DeclarationError: It has other values; its prior depends on what is not there, or on
                itself.
            UnsupportedError: It is a Markov network, whose variables have no tables.

        >>> from sleuth import Choice
        >>> from sleuth.networks import example_network
        >>> cancer = example_network("cancer")
        >>> fewer = cancer.replace(Choice("Smoker", {"True": 0.1, "False": 0.9}))
        >>> round(cancer.query("Cancer")["True"], 5), round(fewer.query("Cancer")["True"], 5)
        (0.01163, 0.00581)
        """
        self._refuse_factors("what is replaced")
        if not isinstance(choice, Choice):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise DeclarationError(
                "a variable is replaced by a choice of its name",
                value=choice,
                hint='write network.replace(Choice("rain", {"yes": 0.1, "no": 0.9}))',
            )
        known = self._choice(choice.name)
        if choice.options != known.options:
            raise DeclarationError(
                f"{choice.name!r} has other values in the network, or in another order",
                value=some_of(choice.options),
                hint=f"they are {some_of(known.options)}",
            )
        model = Model(*{**self.choices, choice.name: choice}.values())
        return Network(self.name, *nodes_of(model), (), self.observed)

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

        Values are its states' names. The model does not say what is observed: give pgmpy's
        inference `observed` as evidence, or all answers are wrong.

        Warns:
            UserWarning: Something is observed.

        Raises:
            SettingsError: pgmpy is not installed.
            UnsupportedError: A prior, or evidence, is about something else than variables' values.

        >>> from sleuth.networks import example_network
        >>> model = example_network("cancer").to_pgmpy()
        >>> model.check_model(), model.states["Smoker"]
        (True, ['True', 'False'])
        """
        from . import pgmpy_models

        self._warn_of_observed("pgmpy")
        tables = tables_of(self.choices, self.parents, self.evidence)
        if self.evidence:
            return pgmpy_models.made_markov_network(self._states, tables, self.name)
        return pgmpy_models.made_network(self._states, tables, self.name)

    def to_pyagrum(self) -> Any:
        """A `BayesNet` of pyAgrum; of a Markov network a `MarkovRandomField`.

        Labels are the values as strings. The model does not say what is observed: give pyAgrum's
        inference `observed` as evidence, or all answers are wrong.

        Warns:
            UserWarning: Something is observed.

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

        self._warn_of_observed("pyAgrum")
        tables = tables_of(self.choices, self.parents, self.evidence)
        if self.evidence:
            return pyagrum_models.made_markov_network(self._states, tables, self.name)
        return pyagrum_models.made_network(self._states, tables, self.name)

    def _warn_of_observed(self, library: str) -> None:
        if self.observed:
            warnings.warn(
                f"the model of {library} does not say what is observed: give its inference "
                f"{dict(self.observed)} as evidence, or all answers are wrong",
                stacklevel=3,
            )

    @property
    def _states(self) -> dict[str, tuple[Any, ...]]:
        return {name: choice.options for name, choice in self.choices.items()}

    def _values(self, values: Mapping[str, Any] | None, more: Mapping[str, Any]) -> dict[str, Any]:
        """Values by the names of variables, as a mapping and as keywords."""
        if values is not None and not isinstance(values, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise EvidenceError(
                "the values of variables are a mapping, or keywords",
                value=values,
                hint='write {"rain": "yes"}, or rain="yes"',
            )
        found = {**(values or {}), **more}
        for name, value in found.items():
            choice = self._choice(name)
            if value not in choice.options:
                raise EvidenceError(
                    f"{name!r} has no such value",
                    value=value,
                    hint=nearest(value, [str(option) for option in choice.options]),
                )
        return found

    def _refuse_factors(self, what: str) -> None:
        if self.evidence:
            raise UnsupportedError(
                f"{what} is a variable of a Bayesian network, and this is a Markov network",
                value=self.name,
                hint="its factors say how variables hang together, not what causes what",
            )

    def _choice(self, name: str) -> Choice:
        found = self.choices.get(name)
        if found is None:
            raise EvidenceError(
                f"{self.name} has no such variable", value=name, hint=_near(name, self.choices)
            )
        return found


def _near(name: object, known: Iterable[str]) -> str:
    return shorten(nearest(name, known), MOST_LETTERS)
