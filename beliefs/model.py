"""A model: hidden variables, the layout they make, and draws from it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..data.checks import whole_number
from ..data.errors import CostError, DeclarationError, EvidenceError
from .deal_features import Value
from .evidence import WalkStep
from .features import Feature, TupleOf, as_feature, some_of
from .problem import (
    MOST_PLACES,
    Additive,
    Floats,
    Layout,
    Problem,
    log_multinomial,
    make_layout,
)
from .trail import begin_trail
from .variables import Choice, Deal, Variable
from .walk import At, Walk

if TYPE_CHECKING:
    from .questions import Question


class Model:
    """What is hidden, declared once.

    Args:
        variables: `Deal`s, `Choice`s and `Walk`s.

    Raises:
        DeclarationError: Two variables share a name, or nothing can be dealt as declared.
    """

    def __init__(self, *variables: Variable) -> None:
        if not variables:
            raise DeclarationError("a model needs a hidden variable")
        for variable in variables:
            if not isinstance(variable, (Deal, Choice, Walk)):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise DeclarationError(
                    "a model is made of hidden variables",
                    value=variable,
                    hint="write Model(Deal(...), Choice(...)), one argument for each",
                )
        names = [variable.name for variable in variables]
        for name in names:
            if names.count(name) > 1:
                raise DeclarationError(
                    "two variables have one name", value=name, hint="give each a name="
                )
        self.variables = variables
        self._choices = {
            variable.name: variable.options
            for variable in variables
            if isinstance(variable, Choice)
        }
        self._walks = {
            variable.name: variable.positions
            for variable in variables
            if isinstance(variable, Walk)
        }
        self.problem = _declare(variables)

    def __repr__(self) -> str:
        return f"<Model of {', '.join(variable.name for variable in self.variables)}>"

    @property
    def layout(self) -> Layout:
        return self.problem.layout

    def variable(self, name: str) -> Variable:
        """The variable with this name."""
        for variable in self.variables:
            if variable.name == name:
                return variable
        raise DeclarationError("unknown variable", value=name)

    def check(self, feature: Feature) -> None:
        """Refuse a feature of a choice or a walk that was declared with other values.

        Raises:
            EvidenceError: The feature's values are not those of the model's choice or walk.
        """
        if not self._choices and not self._walks:
            return
        waiting = [feature.base]
        while waiting:
            part = waiting.pop()
            if isinstance(part, TupleOf):
                waiting.extend(part.parts)
            elif isinstance(part, Value) and self._choices.get(part.choice, part.options) != (
                part.options
            ):
                raise EvidenceError(
                    f"the choice {part.choice!r} of this model has other values",
                    value=part.options,
                    hint=f"they are {some_of(self._choices[part.choice])}",
                )
            elif isinstance(part, At) and self._walks.get(part.walk, part.positions) != (
                part.positions
            ):
                raise EvidenceError(
                    f"the walk {part.walk!r} of this model has other positions",
                    value=part.describe(),
                    hint=f"they are {some_of(self._walks[part.walk])}",
                )

    def check_step(self, step: WalkStep) -> None:
        """Refuse a step that depends on a choice that was declared with other values.

        Raises:
            EvidenceError: The values of the tables are not those of the model's choice.
        """
        if step.choice is not None and self._choices.get(step.choice, step.options) != (
            step.options
        ):
            raise EvidenceError(
                f"the choice {step.choice!r} of this model has other values",
                value=step.options,
                hint=f"they are {some_of(self._choices[step.choice])}",
            )

    def simulate(
        self, n: int, rng: np.random.Generator, questions: Sequence[Question] = ()
    ) -> Simulation:
        """Draw hidden values, and an answer to every question, from the declaration.

        Args:
            n: Number of worlds.
            rng: Source of randomness.
            questions: Asked in every world, each answered by its own P(outcome | value).

        Returns:
            The worlds, and the place of the answer among each question's outcomes.

        Raises:
            SettingsError: The number of worlds is no whole number, or negative.
        """
        n = whole_number(n, "n", least=0)
        from .engines.base import feature_index

        solution = prior_graph(self.problem)
        worlds = solution.draw(n, rng)
        answers = np.zeros((n, len(questions)), dtype=np.int64)
        for column, question in enumerate(questions):
            feature = question.feature.on(self.layout)
            index = feature_index(self.problem, feature.base.additive(self.layout), worlds)
            rows = question.table[feature.project[index]]
            uniform = rng.random(n)
            below = rows.cumsum(axis=1) <= uniform[:, None]
            answers[:, column] = np.minimum(below.sum(axis=1), rows.shape[1] - 1)
        return Simulation(self, worlds, answers)

    def value_of(self, feature: Any, worlds: np.ndarray[Any, np.dtype[np.int8]]) -> list[Any]:
        """The value of a feature in every world of `simulate` or of a posterior's sample."""
        from .engines.base import feature_index

        wanted = as_feature(feature).on(self.layout)
        index = feature_index(self.problem, wanted.base.additive(self.layout), worlds)
        return [wanted.values[place] for place in wanted.project[index]]


class Simulation:
    """Worlds drawn from a declaration, with answers.

    Attributes:
        worlds: Slot of every physical card, shape (worlds, cards).
        answers: Place of the answer among the question's outcomes, shape (worlds, questions).
    """

    def __init__(
        self,
        model: Model,
        worlds: np.ndarray[Any, np.dtype[np.int8]],
        answers: np.ndarray[Any, np.dtype[np.int64]],
    ) -> None:
        self.model = model
        self.worlds = worlds
        self.answers = answers

    def __repr__(self) -> str:
        return f"<Simulation of {len(self)} worlds>"

    def __len__(self) -> int:
        return self.worlds.shape[0]

    def value(self, feature: Any) -> list[Any]:
        """The value of a feature in every world."""
        return self.model.value_of(feature, self.worlds)


def _declare(variables: Sequence[Variable]) -> Problem:
    copies: list[int] = []
    site_names: list[tuple[str, str]] = []
    slot_names: list[tuple[str, str]] = []
    capacity: list[int] = []
    options: dict[int, list[int]] = {}
    priors: list[tuple[int, int, Choice]] = []
    starts: list[tuple[int, int, Walk]] = []
    for variable in variables:
        if isinstance(variable, Deal):
            _declare_deal(variable, copies, site_names, slot_names, capacity, options)
        elif isinstance(variable, Choice):
            site = len(copies)
            first = len(capacity)
            copies.append(1)
            site_names.append((variable.name, variable.name))
            for _ in variable.options:
                slot_names.append((variable.name, variable.name))
                capacity.append(-1)
            options[site] = list(range(first, len(capacity)))
            priors.append((site, first, variable))
        else:
            options[len(copies)] = [*range(len(capacity), len(capacity) + len(variable.positions))]
            starts.append((len(copies), len(capacity), variable))
            copies.append(1)
            site_names.append((variable.name, "0"))
            slot_names.extend((variable.name, variable.name) for _ in variable.positions)
            capacity.extend(-1 for _ in variable.positions)
    allowed = np.zeros((len(copies), len(capacity)), dtype=np.int8)
    for site, slots in options.items():
        allowed[site, slots] = 1
    walked = sum(len(walk.positions) for _, _, walk in starts)
    if len(capacity) - walked > MOST_PLACES:
        raise DeclarationError(f"a model has at most {MOST_PLACES} places", value=len(capacity))
    layout = make_layout(
        np.array(copies, dtype=np.int64),
        np.array(capacity, dtype=np.int64),
        allowed,
        tuple(site_names),
        tuple(slot_names),
    )
    problem = Problem.empty(layout)
    factors: list[tuple[object, Additive, Floats]] = []
    for site, first, choice in priors:
        delta = np.zeros((1, layout.slot_count), dtype=np.int64)
        size = len(choice.options)
        delta[0, first : first + size] = np.arange(size)
        if len(set(choice.prior)) > 1:
            additive = Additive(np.array([site], dtype=np.int64), delta, size)
            factors.append((choice.value(), additive, np.array(choice.prior)))
    for site, first, walk in starts:
        delta = np.zeros((1, layout.slot_count), dtype=np.int64)
        size = len(walk.positions)
        delta[0, first : first + size] = np.arange(size)
        additive = Additive(np.array([site], dtype=np.int64), delta, size)
        factors.append((None, additive, np.array(walk.start)))
    problem = problem.with_factors(factors)
    problem = replace(problem, log_norm=_log_norm(problem, variables), cache={})
    alone = len(starts) == 1 and all(isinstance(each, (Walk, Choice)) for each in variables)
    return begin_trail(problem, starts[0][2].name) if alone else problem


def _declare_deal(
    deal: Deal,
    copies: list[int],
    site_names: list[tuple[str, str]],
    slot_names: list[tuple[str, str]],
    capacity: list[int],
    options: dict[int, list[int]],
) -> None:
    """Holders with counted categories become one slot per category, and one for the rest."""
    slots_of_item: dict[str, list[int]] = {item: [] for item in deal.items}
    slots_of_holder: dict[str, list[int]] = {}
    for holder, size in deal.holders.items():
        counts = deal.counts.get(holder, {})
        counted: set[str] = set()
        for category, number in counts.items():
            counted |= set(deal.categories[category])
            for item in deal.categories[category]:
                slots_of_item[item].append(len(capacity))
            slots_of_holder.setdefault(holder, []).append(len(capacity))
            slot_names.append((deal.name, holder))
            capacity.append(number)
        rest = size - sum(counts.values())
        if rest > 0 or not counts:
            for item in deal.items:
                if item not in counted:
                    slots_of_item[item].append(len(capacity))
            slots_of_holder.setdefault(holder, []).append(len(capacity))
            slot_names.append((deal.name, holder))
            capacity.append(rest)
    for item, number in deal.items.items():
        rest = number
        for holder, contents in deal.known.items():
            taken = contents.get(item, 0)
            if taken:
                options[len(copies)] = [
                    slot for slot in slots_of_holder[holder] if slot in slots_of_item[item]
                ]
                copies.append(taken)
                site_names.append((deal.name, item))
                rest -= taken
        if rest:
            options[len(copies)] = slots_of_item[item]
            copies.append(rest)
            site_names.append((deal.name, item))


def prior_graph(problem: Problem) -> Any:
    """The exact solution of a declaration without evidence."""
    if problem.trail is not None:
        from .engines.forward_filter import filtered

        return filtered(problem)
    from .engines.card_by_card import build

    graph = problem.layout.cache.get("prior")
    if graph is None:
        graph = build(problem)
        if graph is None:
            raise CostError("the declaration is too large to be dealt from exactly")
        problem.layout.cache["prior"] = graph
    return graph


def _prior_log_weight(problem: Problem) -> float:
    """Log of the weight of all deals of a declaration without evidence."""
    from .engines.base import Options
    from .engines.enumeration import ENGINE, FEW_WORLDS, most_worlds

    if problem.trail is None and most_worlds(problem.layout) <= FEW_WORLDS:
        return ENGINE.solve(problem, Options()).log_weight  # without a kernel to compile
    return prior_graph(problem).log_weight


def _log_norm(problem: Problem, variables: Sequence[Variable]) -> float:
    plain = all(
        isinstance(variable, (Choice, Walk)) or not variable.counts for variable in variables
    )
    if plain:
        # Priors of choices sum to one; those that were left out as constant do not. Tables may
        # have been scaled, which the problem remembers.
        result = problem.log_norm
        for variable in variables:
            if isinstance(variable, Deal):
                # Known items lie where they lie; the others are dealt to the places that are left.
                known = {h: sum(variable.known.get(h, {}).values()) for h in variable.holders}
                sizes = [size - known[holder] for holder, size in variable.holders.items()]
                result += log_multinomial(sum(sizes), sizes)
            elif isinstance(variable, Choice) and len(set(variable.prior)) == 1:
                result += math.log(len(variable.options))
        return result
    log_weight = _prior_log_weight(problem)
    if log_weight == -math.inf:
        deals = [variable.name for variable in variables if isinstance(variable, Deal)]
        raise DeclarationError(
            "nothing can be dealt as declared: sizes, counts and known items exclude each other",
            value=", ".join(deals),
        )
    return log_weight
