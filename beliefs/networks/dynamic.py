"""Dynamic Bayesian networks in two slices: a filter that goes on, and a smoother.

Reference: K. Murphy, "Dynamic Bayesian networks: representation, inference and learning" (2002).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from typing import Any, cast

from ...data.errors import DeclarationError, EvidenceError, nearest
from ..language.likelihoods import some_of
from ..language.priors import names_in
from ..language.variables import Choice
from ..modelling.history import Observation
from .network import Network
from .node_tables import choices_of
from .pgmpy_models import is_model, slice_tables
from .slice_beliefs import SliceBelief, SmoothedBelief
from .slices import SliceModel, earlier_name, unrolled


def before(choice: Choice) -> Choice:
    """The same variable in the slice before, for those of the next slice to depend on.

    >>> from sleuth import Choice
    >>> from sleuth.networks import before
    >>> before(Choice("rain", ["yes", "no"])).name
    'rain before'
    """
    return Choice(earlier_name(choice.name), choice.options)


@dataclass(frozen=True, init=False, eq=False)
class DynamicNetwork:
    """A Bayesian network that goes on in slices of time, each of which depends on the one before.

    Args:
        first: The variables of the first slice, number 0.
        then: Those of every next slice, under the same names and with the same values. Their priors
            may depend on each other, and on variables of the slice before, as `before` names them.
            A variable that is left out depends on its own slice as in the first one.

    Attributes:
        first, then: As given; ``then`` with what was left out.
        interface: Variables that the next slice depends on.

    Raises:
        DeclarationError: A next slice has another variable, or one with other values; or a prior
            depends on what is not there.
        CostError: A slice hands on too many joint values to the next one.

    >>> from sleuth import Choice
    >>> from sleuth.networks import DynamicNetwork, before
    >>> coin = Choice("coin", {"fair": 0.5, "two heads": 0.5})
    >>> same = Choice("coin", {"fair": ["fair"], "two heads": ["two heads"]}, given=before(coin))
    >>> shows = Choice("shows", {"fair": ["heads", "tails"], "two heads": ["heads"]}, given=coin)
    >>> throws = DynamicNetwork([coin, shows], [same])
    >>> throws.interface
    ('coin',)
    >>> belief = throws.filter({"shows": "heads"}).step({"shows": "heads"})
    >>> {kind: round(p, 2) for kind, p in belief.marginal("coin").items()}
    {'fair': 0.2, 'two heads': 0.8}
    >>> belief = throws.smooth([{"shows": "heads"}, {}, {"shows": "tails"}])
    >>> belief.marginal("shows", 1)
    {'heads': 0.5, 'tails': 0.5}
    """

    first: tuple[Choice, ...]
    then: tuple[Choice, ...]
    interface: tuple[str, ...]

    def __init__(self, first: Iterable[Choice], then: Iterable[Choice]) -> None:
        known = _by_name(first, "the first slice")
        given = _by_name(then, "the next slice")
        for name, choice in given.items():
            if name not in known:
                raise DeclarationError(
                    "the first slice lacks a variable of the next",
                    value=name,
                    hint=nearest(name, known),
                )
            if choice.options != known[name].options:
                raise DeclarationError(
                    f"{name!r} has other values in the first slice, or in another order",
                    value=some_of(choice.options),
                    hint=f"they are {some_of(known[name].options)}",
                )
        earlier = {earlier_name(name): name for name in known}
        if taken := [name for name in known if name in earlier]:
            raise DeclarationError(
                f"{taken[0]!r} is how the slice before has {earlier[taken[0]]!r}",
                value=taken[0],
                hint="call one of the two otherwise",
            )
        complete = tuple(given.get(name, choice) for name, choice in known.items())
        used: set[str] = set()
        for choice in complete:
            for name in () if choice.given is None else names_in(choice.given):
                if name in earlier:
                    used.add(earlier[name])
                elif name not in known:
                    raise DeclarationError(
                        "a prior depends on a variable that neither this slice nor the one before "
                        "has",
                        where=f"choice {choice.name!r}",
                        value=name,
                        hint=nearest(name, [*known, *earlier]),
                    )
        _refuse_circles(complete)
        object.__setattr__(self, "first", tuple(known.values()))
        object.__setattr__(self, "then", complete)
        object.__setattr__(self, "interface", tuple(name for name in known if name in used))
        for part in (self._start, self._next):
            _ = part.model, part.inner, part.outer  # what cannot be is refused here and now

    @staticmethod
    def from_pgmpy(model: Any) -> DynamicNetwork:
        """The network of a `DynamicBayesianNetwork` of pgmpy, which stays as it is.

        A variable without a table of its own in one of the two slices has that of the other, as
        with pgmpy's ``initialize_initial_state``. States without names are numbers from 0.

        Raises:
            DeclarationError: It is no such model, a table is missing or does not fit the graph, or
                a name is no string.

        >>> from pgmpy.factors.discrete import TabularCPD
        >>> from pgmpy.models import DynamicBayesianNetwork
        >>> from sleuth.networks import DynamicNetwork
        >>> model = DynamicBayesianNetwork([(("rain", 0), ("rain", 1)), (("rain", 0), ("wet", 0))])
        >>> model.add_cpds(
        ...     TabularCPD(("rain", 0), 2, [[0.5], [0.5]]),
        ...     TabularCPD(("rain", 1), 2, [[0.7, 0.3], [0.3, 0.7]], [("rain", 0)], [2]),
        ...     TabularCPD(("wet", 0), 2, [[0.8, 0.1], [0.2, 0.9]], [("rain", 0)], [2]),
        ... )
        >>> belief = DynamicNetwork.from_pgmpy(model).filter().step({"wet": 1}).step({"wet": 1})
        >>> {value: round(p, 3) for value, p in belief.marginal("rain").items()}
        {0: 0.117, 1: 0.883}
        """
        if not is_model(model, "DynamicBayesianNetwork"):
            raise DeclarationError(
                "this is no dynamic network of pgmpy",
                value=model,
                hint="give a pgmpy.models.DynamicBayesianNetwork; from_pgmpy takes other models",
            )
        first, then = slice_tables(model, earlier_name)
        begun = choices_of(first)
        return DynamicNetwork(
            begun.values(), choices_of(then, before=map(before, begun.values())).values()
        )

    def __repr__(self) -> str:
        return f"<DynamicNetwork of {', '.join(choice.name for choice in self.first)}>"

    def filter(
        self, values: Mapping[str, Any] | None = None, /, *given: Observation, **options: Any
    ) -> SliceBelief:
        """The belief about the first slice, which goes on slice by slice.

        It keeps what the slices so far say about the present one, however many they were.

        Args:
            values: Values that are observed in the first slice, by name.
            given: Other evidence about its variables.
            **options: Those of `infer`, for all slices.

        Raises:
            EvidenceError: There is no such variable or value.
            ContradictionError: The evidence cannot all be true.
        """
        start = self._start
        return SliceBelief.begin(start, self._next, start.observed(values, given), options)

    def smooth(
        self, evidence: Sequence[Mapping[str, Any] | Iterable[Observation]], **options: Any
    ) -> SmoothedBelief:
        """The belief about every slice, given the evidence of all, in time linear in their number.

        Args:
            evidence: For every slice from the first on the values that are observed there, by name
                (none as ``{}``), or a list of other evidence.
            **options: Those of `infer`, for all slices.

        Raises:
            EvidenceError: There is no slice, or no such variable or value.
            ContradictionError: The evidence cannot all be true.
        """
        if isinstance(evidence, Mapping) or not evidence:
            raise EvidenceError(
                "a smoother needs a list with the evidence of every slice",
                value=evidence,
                hint='write [{}, {"umbrella": "up"}], {} for a slice without evidence',
            )
        slices = [self._start, *[self._next] * (len(evidence) - 1)]
        observed = [
            here.observed(cast("Mapping[str, Any]", seen), ())
            if isinstance(seen, Mapping)
            else here.observed(None, seen)
            for here, seen in zip(slices, evidence, strict=True)
        ]
        return SmoothedBelief.of(self._start, self._next, observed, options)

    def unrolled(self, slices: int) -> Network:
        """The network of so many slices as a whole, with variables such as ``rain 0``, ``rain 1``.

        It answers what a smoother does not: joints of variables of far apart slices, and samples of
        whole courses.

        Raises:
            SettingsError: The number of slices is no whole number of at least 1.

        >>> from sleuth import Choice
        >>> from sleuth.networks import DynamicNetwork, before
        >>> coin = Choice("coin", ["fair", "bent"])
        >>> kept = Choice("coin", {"fair": ["fair"], "bent": ["fair", "bent"]}, given=before(coin))
        >>> whole = DynamicNetwork([coin], [kept]).unrolled(3)
        >>> whole.query(["coin 0", "coin 2"])
        {('fair', 'fair'): 0.5, ('bent', 'fair'): 0.375, ('bent', 'bent'): 0.125}
        """
        return unrolled(self._start, self._next, slices)

    @cached_property
    def _start(self) -> SliceModel:
        return SliceModel({each.name: each for each in self.first}, (), self.interface)

    @cached_property
    def _next(self) -> SliceModel:
        choices = {each.name: each for each in self.then}
        earlier = tuple(before(choices[name]) for name in self.interface)
        return SliceModel(choices, earlier, self.interface)


def _refuse_circles(choices: Sequence[Choice]) -> None:
    """Refuse variables of a next slice that depend on each other all around, or on themselves."""
    above = {each.name: names_in(each.given) for each in choices if each.given is not None}
    try:
        TopologicalSorter(above).prepare()
    except CycleError as error:
        circle: list[str] = error.args[1]
        raise DeclarationError(
            "the variables of the next slice depend on each other in a circle",
            value=" -> ".join(circle),
            hint=f"write given=before({circle[0]}) for what {circle[0]!r} was in the slice before",
        ) from error


def _by_name(choices: Iterable[Choice], where: str) -> dict[str, Choice]:
    found: dict[str, Choice] = {}
    for choice in choices:
        if not isinstance(choice, Choice):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise DeclarationError(
                "a slice is a list of choices",
                where=where,
                value=choice,
                hint="write DynamicNetwork([rain, umbrella], [rain_later])",
            )
        if choice.name in found:
            raise DeclarationError("two variables have one name", where=where, value=choice.name)
        found[choice.name] = choice
    return found
