"""One slice of time as a model, and what it hands on to the slice after it, or before it.

A slice meets the next one only in the variables that the next one depends on: the *interface*.
What all slices before say about a slice is a weight for each of the interface's joint values, and
so is what all slices after say. To hand on is to ask one slice's own posterior for the joint of its
other end (K. Murphy, "Dynamic Bayesian networks: representation, inference and learning", 2002,
section 3.4: the interface algorithm).

Weights are kept as logarithms, so that they may lie as far apart as thousands of slices drive them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from ...data.checks import whole_number
from ...data.errors import ContradictionError, CostError, EvidenceError, nearest
from ..arrays.problem import Floats
from ..arrays.scaling import PACKED_POWERS, pieces_of_logs
from ..infer import infer
from ..language.evidence import Evidence
from ..language.features import Feature, together
from ..language.likelihoods import MOST_VALUES, some_of
from ..language.priors import names_in
from ..language.variables import Choice, choice_of
from ..modelling.history import Observation
from ..modelling.model import Model
from ..posterior import Posterior
from .network import Network
from .node_tables import renamed

_BEFORE: Final = " before"

#: What evidence that comes from other slices is called.
EARLIER: Final = "the slices before"
LATER: Final = "the slices after"


def earlier_name(name: str) -> str:
    """The name that a slice has for a variable of the slice before."""
    return f"{name}{_BEFORE}"


@dataclass(frozen=True, eq=False)
class Message:
    """The weights that other slices give to the joint values of an interface.

    Attributes:
        feature: The interface's variables together, as this slice has them.
        logs: Logarithm to base two of every weight; minus infinity where it is impossible.
        because: Which slices say so.
    """

    feature: Feature
    logs: Floats
    because: str

    def evidence(self) -> tuple[list[Evidence], float]:
        """The weights as evidence, and the natural logarithm of what it must be multiplied by."""
        pieces, power = pieces_of_logs(self.logs)
        given = [
            Evidence(self.feature, piece, because=self.because, checked=True) for piece in pieces
        ]
        return given, power * math.log(2.0)

    def bands(self) -> Iterable[Message]:
        """The message in parts, in each of which weights lie near enough for plain floats."""
        largest = float(self.logs.max())
        band = np.floor((largest - self.logs) / PACKED_POWERS)
        for number in np.unique(band[np.isfinite(band)]):
            logs = np.where(band == number, self.logs, -math.inf)
            yield Message(self.feature, logs, self.because)


@dataclass(frozen=True, eq=False)
class SliceModel:
    """The model of one slice, given what is handed to it.

    Attributes:
        choices: The slice's own variables, by name.
        earlier: Variables of the slice before that it depends on, in the interface's order.
        handed_on: Names of its own variables that the next slice depends on, in the same order.
    """

    choices: Mapping[str, Choice]
    earlier: tuple[Choice, ...]
    handed_on: tuple[str, ...]

    @cached_property
    def model(self) -> Model:
        """The declaration; what is handed to it is evidence."""
        return Model(*self.earlier, *self.choices.values())

    @cached_property
    def inner(self) -> Feature | None:
        """The end towards the slice before; None where nothing is handed on."""
        return _joint(self.earlier)

    @cached_property
    def outer(self) -> Feature | None:
        """The end towards the next slice; None where nothing is handed on."""
        return _joint([self.choices[name] for name in self.handed_on])

    @cached_property
    def _seen(self) -> dict[tuple[str, Any], Evidence]:
        return {}

    def feature(self, name: str) -> Feature:
        """The value of one of its variables.

        Raises:
            EvidenceError: There is none of this name.
        """
        known = {**{choice.name: choice for choice in self.earlier}, **self.choices}
        found = known.get(name)
        if found is None:
            raise EvidenceError("no variable has this name", value=name, hint=nearest(name, known))
        return found.value()

    def observed(
        self, values: Mapping[str, Any] | None, given: Iterable[Observation]
    ) -> list[Observation]:
        """Observed values, and other evidence, as `infer` takes them."""
        if values is not None and not isinstance(values, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise EvidenceError(
                "the values of a slice are a mapping",
                value=values,
                hint='write {"umbrella": "up"}, and other evidence after it',
            )
        return [*(self._equals(name, value) for name, value in (values or {}).items()), *given]

    def _equals(self, name: str, value: Any) -> Evidence:
        found = self._seen.get((name, value))
        if found is None:
            feature = self.feature(name)
            if value not in feature.places:
                raise EvidenceError(
                    f"{name!r} has no such value",
                    value=value,
                    hint=f"its values are {some_of(feature.values)}",
                )
            found = feature.equals(value).observed(because=f"{name} = {value}")
            self._seen[name, value] = found
        return found

    def posterior(
        self,
        observed: Sequence[Observation],
        messages: Sequence[Message | None],
        options: Mapping[str, Any],
    ) -> tuple[Posterior, float]:
        """The posterior of the slice, given what it saw and what other slices say.

        Returns:
            The posterior, and the natural logarithm of the total weight of all that it was given.
        """
        given: list[Observation] = []
        # Variables of the slice before are declared with uniform priors.
        scale = math.fsum(math.log(len(choice.options)) for choice in self.earlier)
        for message in messages:
            if message is not None:
                evidence, more = message.evidence()
                given += evidence
                scale += more
        found = infer(self.model, [*given, *observed], **options)
        return found, found.log_evidence + scale

    def hand_on(
        self,
        to: Feature | None,
        observed: Sequence[Observation],
        message: Message | None,
        options: Mapping[str, Any],
        known: tuple[Posterior, float] | None = None,
    ) -> Floats | None:
        """The weights that a slice hands on to one of its neighbours, from what the other hands it.

        Args:
            to: The end towards the neighbour, `inner` or `outer`.
            observed: What the slice saw.
            message: What the other neighbour says.
            options: Those of `infer`.
            known: What `posterior` gave for the same, if somebody asked.

        Returns:
            Logarithms to base two, the largest 0; None where nothing is handed on.
        """
        if to is None:
            return None
        parts = [None] if message is None else [*message.bands()]
        found = np.full(to.value_count, -math.inf)
        for part in parts:
            try:
                if known is None or len(parts) > 1:
                    posterior, weight = self.posterior(observed, [part], options)
                else:
                    posterior, weight = known
            except ContradictionError:
                if len(parts) == 1:
                    raise
                continue
            with np.errstate(divide="ignore"):
                logs = np.log2(posterior.distribution(to)) + weight / math.log(2.0)
            found = np.logaddexp2(found, logs)
        return found - found.max()


def unrolled(first: SliceModel, then: SliceModel, slices: int) -> Network:
    """The network of so many slices; see `DynamicNetwork.unrolled`."""
    slices = whole_number(slices, "the number of slices", least=1)
    choices: dict[str, Choice] = {}
    parents: dict[str, tuple[str, ...]] = {}
    for number in range(slices):
        names = names_in_slice(first, number)
        for each in (then if number else first).choices.values():
            name, given = names[each.name], each.given
            parents[name] = ()
            if given is not None:
                given = renamed(given, names)
                parents[name] = tuple(names_in(given))
            choices[name] = choice_of(name, each.options, each.table, given)
    return Network("unrolled network", choices, parents, (), {})


def names_in_slice(model: SliceModel, number: int) -> dict[str, str]:
    """The names that the unrolled network has for variables of a slice and of the one before."""
    names = {name: f"{name} {number}" for name in model.choices}
    return names | {earlier_name(name): f"{name} {number - 1}" for name in model.choices}


def _joint(choices: Sequence[Choice]) -> Feature | None:
    if not choices:
        return None
    if len(choices) == 1:
        return choices[0].value()
    size = math.prod(len(choice.options) for choice in choices)
    if size > MOST_VALUES:
        raise CostError(
            f"what one slice hands on to the next has at most {MOST_VALUES:,} joint values",
            value=size,
            hint="let the next slice depend on fewer variables, or on some with fewer values: "
            + some_of(choice.name for choice in choices),
        )
    return together(*choices)
