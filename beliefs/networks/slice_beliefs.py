"""Beliefs about the slices of a dynamic network: of the present one, and of all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...data.checks import whole_number
from ...data.errors import EvidenceError
from ..arrays.problem import Floats
from ..infer import infer
from ..language.features import Condition, FeatureLike
from ..modelling.history import Observation
from ..posterior import Posterior
from .node_tables import renamed
from .slices import EARLIER, LATER, Message, SliceModel, names_in_slice, unrolled


@dataclass(frozen=True, eq=False)
class SliceBelief:
    """The belief about the present slice, given all evidence so far; never changed.

    Attributes:
        number: Number of the slice; the first is 0.
        posterior: The posterior of its variables, and of those of the slice before that it depends
            on, which answers whatever a `Posterior` does.
        log_evidence: Natural log of the probability (or weight) of all evidence so far.
        past: What the slices before say of it; None where nothing is handed on.

    >>> import math
    >>> from sleuth import Choice
    >>> from sleuth.networks import DynamicNetwork, before
    >>> rain = Choice("rain", {"yes": 0.5, "no": 0.5})
    >>> later = Choice("rain", {"yes": {"yes": 0.7, "no": 0.3}, "no": {"yes": 0.3, "no": 0.7}},
    ...     given=before(rain))
    >>> umbrella = Choice("umbrella", {"yes": {"up": 0.9, "down": 0.1},
    ...     "no": {"up": 0.2, "down": 0.8}}, given=rain)
    >>> belief = DynamicNetwork([rain, umbrella], [later, umbrella]).filter()
    >>> belief = belief.step({"umbrella": "up"}).step({"umbrella": "up"})
    >>> belief.number, round(belief.probability(rain.equals("yes")), 3)
    (2, 0.883)
    >>> round(math.exp(belief.log_evidence), 4), round(belief.step().marginal("rain")["yes"], 3)
    (0.3515, 0.653)
    """

    number: int
    posterior: Posterior
    log_evidence: float
    past: Message | None
    _weight: float
    _slice: SliceModel
    _next: SliceModel
    _observed: tuple[Observation, ...]
    _options: Mapping[str, Any]

    @staticmethod
    def begin(
        first: SliceModel,
        then: SliceModel,
        observed: Sequence[Observation],
        options: Mapping[str, Any],
    ) -> SliceBelief:
        """The belief about the first slice; see `DynamicNetwork.filter`."""
        posterior, weight = first.posterior(observed, [], options)
        seen = tuple(observed)
        return SliceBelief(0, posterior, weight, None, weight, first, then, seen, options)

    def __repr__(self) -> str:
        return f"<SliceBelief of slice {self.number} by {self.posterior.method}>"

    def step(self, values: Mapping[str, Any] | None = None, /, *given: Observation) -> SliceBelief:
        """The belief about the next slice.

        Args:
            values: Values that are observed there, by name; none predicts it.
            given: Other evidence about its variables.

        Raises:
            ContradictionError: It is impossible after what was seen so far.
            EvidenceError: There is no such variable or value.
        """
        then = self._next
        observed = then.observed(values, given)
        past = self._handed_on
        posterior, weight = then.posterior(observed, [past], self._options)
        # What is handed on sums to something else than one.
        total = 0.0 if past is None else float(np.log(np.exp2(past.logs).sum()))
        return SliceBelief(
            self.number + 1,
            posterior,
            self.log_evidence + weight - total,
            past,
            weight,
            then,
            then,
            tuple(observed),
            self._options,
        )

    def marginal(self, feature: str | FeatureLike) -> dict[Any, float]:
        """Probability of every possible value of one of the slice's variables, or of a feature."""
        return self.posterior.marginal(_feature(self._slice, feature))

    def probability(self, condition: Condition) -> float:
        """Probability that a condition on the slice's variables holds."""
        return self.posterior.probability(condition)

    @cached_property
    def _handed_on(self) -> Message | None:
        """The evidence that the next slice gets of all slices so far."""
        here, inner = self._slice, self._next.inner
        known = self.posterior, self._weight
        logs = here.hand_on(here.outer, self._observed, self.past, self._options, known)
        return None if logs is None or inner is None else Message(inner, logs, EARLIER)


@dataclass(frozen=True, eq=False)
class SmoothedBelief:
    """The belief about every slice, given the evidence of all of them.

    Attributes:
        log_evidence: Natural log of the probability (or weight) of all evidence.

    >>> from sleuth import Choice
    >>> from sleuth.networks import DynamicNetwork, before
    >>> rain = Choice("rain", {"yes": 0.5, "no": 0.5})
    >>> later = Choice("rain", {"yes": {"yes": 0.7, "no": 0.3}, "no": {"yes": 0.3, "no": 0.7}},
    ...     given=before(rain))
    >>> umbrella = Choice("umbrella", {"yes": {"up": 0.9, "down": 0.1},
    ...     "no": {"up": 0.2, "down": 0.8}}, given=rain)
    >>> weather = DynamicNetwork([rain, umbrella], [later, umbrella])
    >>> belief = weather.smooth([{}, {"umbrella": "up"}, {"umbrella": "up"}])
    >>> len(belief), round(belief.marginal("rain", 1)["yes"], 3)
    (3, 0.883)
    >>> belief.distribution("rain").round(3).tolist()
    [[0.653, 0.347], [0.883, 0.117], [0.883, 0.117]]
    """

    log_evidence: float
    _slices: tuple[SliceModel, ...]
    _observed: tuple[Sequence[Observation], ...]
    _past: tuple[Message | None, ...]
    _future: tuple[Message | None, ...]
    _options: Mapping[str, Any]

    @staticmethod
    def of(
        first: SliceModel,
        then: SliceModel,
        observed: Sequence[Sequence[Observation]],
        options: Mapping[str, Any],
    ) -> SmoothedBelief:
        """The belief after all evidence, forwards and backwards; see `DynamicNetwork.smooth`."""
        slices = (first, *[then] * (len(observed) - 1))
        belief = SliceBelief.begin(first, then, observed[0], options)
        past: list[Message | None] = [None]
        for seen in observed[1:]:
            belief = belief.step(None, *seen)
            past.append(belief.past)
        future: list[Message | None] = [None]
        for number in range(len(slices) - 1, 0, -1):
            here, outer = slices[number], slices[number - 1].outer
            logs = here.hand_on(here.inner, observed[number], future[-1], options)
            future.append(None if logs is None or outer is None else Message(outer, logs, LATER))
        future.reverse()
        return SmoothedBelief(
            belief.log_evidence, slices, tuple(observed), tuple(past), tuple(future), options
        )

    def __repr__(self) -> str:
        return f"<SmoothedBelief of {len(self)} slices>"

    def __len__(self) -> int:
        return len(self._slices)

    def posterior(self, number: int) -> Posterior:
        """The posterior of one slice's variables, and of those before that it depends on.

        Args:
            number: Of the slice; negative ones count from the last.

        Raises:
            EvidenceError: There is no such slice.
        """
        place = self._place(number)
        messages = (self._past[place], self._future[place])
        here = self._slices[place]
        return here.posterior(self._observed[place], messages, self._options)[0]

    def marginal(self, feature: str | FeatureLike, number: int) -> dict[Any, float]:
        """Probability of every possible value of a variable, or a feature, in one slice."""
        found = self.posterior(number)
        return found.marginal(_feature(self._slices[self._place(number)], feature))

    def probability(self, condition: Condition, number: int) -> float:
        """Probability that a condition holds in one slice."""
        return self.posterior(number).probability(condition)

    def distribution(self, feature: str | FeatureLike) -> Floats:
        """Probability of every value of a variable, or a feature, in all slices.

        Returns:
            One row a slice and one column a value, in the order in which they were declared.
        """
        return np.array(
            [
                self.posterior(number).distribution(_feature(here, feature))
                for number, here in enumerate(self._slices)
            ]
        )

    def most_likely_path(self) -> list[dict[str, Any]]:
        """The likeliest values of all variables in all slices together, the Viterbi path.

        Values that are likeliest each for itself need not follow one another; these do.

        Reference: A. Viterbi, "Error bounds for convolutional codes" (1967).

        Returns:
            For every slice the value of each of its variables, by name.

        Raises:
            CostError: The slices hang together too closely.

        >>> from sleuth import Choice
        >>> from sleuth.networks import DynamicNetwork, before
        >>> rain = Choice("rain", {"yes": 0.5, "no": 0.5})
        >>> later = Choice("rain", {"yes": {"yes": 0.7, "no": 0.3}, "no": {"yes": 0.3, "no": 0.7}},
        ...     given=before(rain))
        >>> umbrella = Choice("umbrella", {"yes": {"up": 0.9, "down": 0.1},
        ...     "no": {"up": 0.2, "down": 0.8}}, given=rain)
        >>> weather = DynamicNetwork([rain, umbrella], [later])
        >>> seen = [{"umbrella": value} for value in ("up", "up", "down", "up", "up")]
        >>> [values["rain"] for values in weather.smooth(seen).most_likely_path()]
        ['yes', 'yes', 'no', 'yes', 'yes']
        """
        first, then = self._slices[0], self._slices[-1]
        given: list[Any] = []
        for number, observed in enumerate(self._observed):
            names = names_in_slice(first, number)
            for piece in observed:
                # One piece of evidence, with its name, may be seen in many slices.
                moved: Any = renamed(piece, names)
                given.append(replace(moved, id=None) if hasattr(moved, "id") else moved)
        # Other engines would look through all worlds.
        options: dict[str, Any] = {**self._options, "method": "junction_tree"}
        whole = unrolled(first, then, len(self))
        world, _ = infer(whole.model, given, **options).most_likely_world()
        return [
            {name: world[f"{name} {number}"] for name in first.choices}
            for number in range(len(self))
        ]

    def _place(self, number: int) -> int:
        place = whole_number(number, "the number of a slice", least=-len(self), error=EvidenceError)
        if place >= len(self):
            raise EvidenceError(
                f"there are only {len(self)} slices, of which the first is 0", value=number
            )
        return place % len(self)


def _feature(of: SliceModel, feature: str | FeatureLike) -> FeatureLike:
    return of.feature(feature) if isinstance(feature, str) else feature
