"""A posterior: the same questions, whatever engine computed it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ..data.checks import whole_number
from ..data.errors import (
    ContradictionError,
    CostError,
    EvidenceError,
    SettingsError,
    UnsupportedError,
    nearest,
)
from .engines.base import Diagnostics, Engine, GainQuestion, Options, Solution, Worlds, card_sites
from .evidence import Evidence, Merge, Observation, Split, WalkStep
from .features import Condition, Feature, FeatureLike, as_feature
from .history import History, Step
from .model import Model
from .problem import MOST_PLACES, Additive, Floats, Layout, Problem
from .questions import Question
from .variables import Choice, Deal
from .walk import Walk

if TYPE_CHECKING:
    import pandas

World = dict[str, Any]

#: Most factors that are added to a solution; with more it is computed anew.
MOST_CONDITIONED = 8


@dataclass(frozen=True, eq=False)
class Posterior:
    """What is known about a model's hidden variables; made by `infer`, never changed.

    Attributes:
        past: What was declared and observed.
        engine: The engine that answers; `method` is its name.
        solution: Its solution of the problem.
        options: Settings of approximate engines.
        automatic: Whether ``auto`` chose the engine.
        approximate: Whether ``auto`` may choose an approximation.
    """

    past: History
    engine: Engine
    solution: Solution
    options: Options
    automatic: bool
    approximate: bool

    def __repr__(self) -> str:
        kind = "exact" if self.exact else "approximate"
        return f"<Posterior by {self.method}, {kind}, {len(self.history)} observations>"

    # -- making

    @staticmethod
    def of(history: History, *, method: str, approximate: bool, options: Options) -> Posterior:
        """The posterior of a history; see `infer`."""
        from .infer import choose

        chosen, solution = choose(history.problem, method, approximate=approximate, options=options)
        posterior = Posterior(history, chosen, solution, options, method == "auto", approximate)
        posterior._refuse_contradiction()
        return posterior

    def observe(self, *given: Observation | Iterable[Observation]) -> Posterior:
        """The posterior after more evidence; this one stays as it is.

        Raises:
            ContradictionError: The evidence cannot all be true; with an irreducible set.
            EvidenceError: A piece of evidence does not fit the model.
        """
        extended = self.past.extend(given, self._baseline)
        if extended is self.past:
            return self
        solution = self._conditioned(extended.problem)
        if solution is not None:
            observed = object.__new__(Posterior)
            observed.__dict__.update(self.__dict__, past=extended, solution=solution)
            return observed
        try:
            solution = self.engine.solve(extended.problem, self.options)
        except (CostError, UnsupportedError):
            if not self.automatic:
                raise
            return self._of(extended)
        posterior = Posterior(
            extended, self.engine, solution, self.options, self.automatic, self.approximate
        )
        posterior._refuse_contradiction()
        return posterior

    def retract(self, id: str | int) -> Posterior:
        """The posterior without one piece of evidence, or without all evidence of one event.

        Predictions set against counting get their baseline anew.

        Args:
            id: The id of a piece of evidence, or the number of an event.

        Raises:
            EvidenceError: No evidence has this id, or comes from this event; or it is a step of
                a walk, from which everything later goes on.
        """
        kept: list[Observation] = []
        known: list[str] = []
        for step in self.history:
            if isinstance(step, (Split, Merge)):
                kept.append(step)
                continue
            known.append(str(step.id))
            if id == (step.event if isinstance(id, int) else step.id):
                if isinstance(step, WalkStep):
                    raise EvidenceError(
                        "a step of a walk cannot be taken back: later positions go on from it",
                        value=id,
                        hint="infer(model, given=...) anew, with another transition for this step",
                    )
                continue
            if isinstance(step, Evidence) and step.prediction is not None:
                kept.append(replace(step.prediction, id=step.id))
            else:
                kept.append(step)
        if len(kept) == len(self.history):
            raise EvidenceError("no evidence has this id", value=id, hint=nearest(id, known))
        return self._of(History.empty(self.model).extend(kept, self._baseline))

    # -- answers

    @property
    def model(self) -> Model:
        """What was declared."""
        return self.past.model

    @property
    def history(self) -> tuple[Step, ...]:
        """Evidence and moves so far, in order; evidence with the ids it was given."""
        return self.past.steps

    @property
    def problem(self) -> Problem:
        """Declaration and evidence as arrays."""
        return self.past.problem

    @property
    def method(self) -> str:
        return self.engine.name

    @property
    def exact(self) -> bool:
        """Whether the answers are exact."""
        return self.solution.exact

    @property
    def diagnostics(self) -> Diagnostics:
        """How far an approximation can be trusted; empty for exact engines."""
        return self.solution.diagnostics

    @property
    def log_evidence(self) -> float:
        """Natural log of the probability (or weight) of all evidence so far."""
        known = getattr(self.solution, "log_evidence", None)
        return self.solution.log_weight - self.problem.log_norm if known is None else known

    def distribution(self, feature: FeatureLike) -> Floats:
        """Probability of every value of a feature, in the order of its ``values``."""
        wanted = as_feature(feature)
        if wanted.late:
            present = wanted.on(self.problem.layout)
            if present.places is wanted.places:
                return self.distribution(present)
            shares = np.zeros(wanted.value_count)
            shares[[wanted.places[value] for value in present.values]] = self.distribution(present)
            return shares
        self.model.check(wanted)
        base = wanted.base
        joint = self.solution.joint(base.additive(self.problem.layout))
        if base is wanted:
            return joint
        shares = np.bincount(wanted.project, weights=joint, minlength=wanted.value_count)
        return shares.astype(np.float64)

    def marginal(self, feature: FeatureLike) -> dict[Any, float]:
        """Probability of every possible value of a feature; impossible values are left out."""
        wanted = as_feature(feature).on(self.problem.layout)
        shares = self.distribution(wanted)
        values = wanted.values
        return {values[place]: float(shares[place]) for place in np.flatnonzero(shares > 0.0)}

    def joint(self, *features: FeatureLike) -> dict[tuple[Any, ...], float]:
        """Probability of every possible combination of values."""
        return self.marginal(tuple(features))

    def probability(self, condition: Condition) -> float:
        """Probability that a condition holds."""
        if not isinstance(condition, Condition):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise EvidenceError(
                "a probability is asked of a condition",
                value=condition,
                hint="write feature.equals(value), or ask for marginal(feature)",
            )
        return min(max(float(self.distribution(condition)[1]), 0.0), 1.0)

    def entropy(self, feature: FeatureLike) -> float:
        """Uncertainty about a feature, in bits."""
        return entropy_bits(self.distribution(as_feature(feature).on(self.problem.layout)))

    def most_likely(self, feature: FeatureLike, n: int = 1) -> list[tuple[Any, float]]:
        """The ``n`` likeliest values of a feature with their probabilities, descending."""
        n = whole_number(n, "n", least=0)
        ranked = sorted(self.marginal(feature).items(), key=lambda pair: -pair[1])
        return ranked[:n]

    def table(self, deal: Deal | str) -> dict[str, dict[str, float]]:
        """Expected number (for distinct items: probability) of every item with every holder."""
        name = deal if isinstance(deal, str) else deal.name
        layout = self.problem.layout
        named = layout.cache.get(("table", name))
        if named is None:
            named = layout.cache[("table", name)] = _table_plan(layout, name)
        items, holders, rows, columns = named
        shares = self.solution.expected() @ columns
        if rows is not None:
            shares = rows @ shares
        # Both were made together, so they are of one length.
        return {
            item: dict(zip(holders, row))  # noqa: B905
            for item, row in zip(items, shares.tolist())  # noqa: B905
        }

    def information_gain(
        self, question: Question | Sequence[Question], *, about: FeatureLike
    ) -> Any:
        """Expected drop of the entropy of ``about`` by asking, in bits.

        Args:
            question: One question, or several (answered together, which is much cheaper).
            about: The feature whose uncertainty counts.

        Returns:
            A number, or an array with one number per question.
        """
        one = isinstance(question, Question)
        layout = self.problem.layout
        questions = [each.on(layout) for each in ([question] if one else question)]
        wanted = as_feature(about).on(layout)
        additive = wanted.base.additive(layout)
        prepared: list[GainQuestion] = []
        for asked in questions:
            outcomes, chances = asked.sparse
            base = asked.feature.base.additive(layout)
            prepared.append((base, asked.feature.project, outcomes, chances, len(asked.outcomes)))
        batch = getattr(self.solution, "gains", None)
        if batch is not None:
            result = batch(additive, wanted.project, prepared)
        else:
            result = np.array(
                [
                    self._gain(wanted, additive, asked, base)
                    for asked, base in zip(questions, (entry[0] for entry in prepared), strict=True)
                ]
            )
        return float(result[0]) if one else result

    def best_questions(
        self,
        questions: Sequence[Question],
        *,
        about: FeatureLike,
        n: int = 10,
        samples: int = 4_000,
        seed: int = 0,
    ) -> list[tuple[Question, float]]:
        """The ``n`` questions that tell most, with their gains in bits, descending.

        All are screened on samples of this posterior; the best are then valued exactly (by an
        exact engine), three times as many as asked for.
        """
        from .screening import screen

        n = whole_number(n, "n", least=0)
        if n < 1:
            raise EvidenceError("ask for at least one question", value=n)
        samples = whole_number(samples, "samples", least=1)
        seed = whole_number(seed, "seed", least=0)
        layout = self.problem.layout
        chosen = screen(
            self,
            [question.on(layout) for question in questions],
            as_feature(about).on(layout),
            samples=samples,
            seed=seed,
            keep=3 * n + 10,
        )
        kept = [questions[place] for place in chosen]
        gains = self.information_gain(kept, about=about)
        # Gains that differ by rounding only are equal, and equal ones keep their order.
        order = sorted(
            range(len(kept)), key=lambda place: (-round(float(gains[place]), 12), chosen[place])
        )[:n]
        return [(kept[place], float(gains[place])) for place in order]

    def sample(self, n: int, rng: np.random.Generator) -> list[World]:
        """Worlds from the posterior: per deal who has what, per choice its value, per walk the
        list of its positions, from the start to the present one.

        Raises:
            SettingsError: ``n`` is no number of worlds, or ``rng`` no generator.
        """
        return [self._world(row) for row in self._draw(n, rng)]

    def sample_array(self, n: int, rng: np.random.Generator) -> Worlds:
        """Worlds as numbers of holders, one int8 column per physical item; shape (n, columns).

        `columns` names the columns, `holders` the numbers. A walk has a column for every step;
        with very many positions numbers are int16.
        """
        draw_rows = getattr(self.solution, "draw_rows", None)
        if draw_rows is None:
            return self._public_slots()[self._draw(n, rng)]
        # All worlds are listed: they are written out once, whatever is drawn.
        found = self.problem.cache.get("public_worlds")
        if found is None:
            found = self._public_slots()[cast(Any, self.solution).worlds]
            self.problem.cache["public_worlds"] = found
        return found.take(draw_rows(*_checked_draw(n, rng)), axis=0)

    def columns(self) -> list[tuple[str, str]]:
        """Variable and item of every column of `sample_array`."""
        return [self.problem.layout.site_names[site] for site in card_sites(self.problem)]

    def holders(self, deal: Deal | str) -> list[str]:
        """Present holders of a deal, in the order in which `sample_array` numbers them."""
        name = deal if isinstance(deal, str) else deal.name
        return [holder for owner, holder in self.problem.layout.slots if owner == name]

    def explain(self, condition: Condition) -> list[str | int]:
        """An irreducible set of observations that makes a condition certain (or impossible).

        Returns:
            Events where the evidence has them, else ids; taking any one away leaves the
            condition open. Empty when it was certain from the start.

        Raises:
            EvidenceError: The condition is neither certain nor impossible.
        """
        from .explain import explain

        return explain(self, condition)

    def to_frame(self) -> pandas.DataFrame:
        """All marginals as one tidy table: variable, item, holder, probability (or count)."""
        import pandas

        rows: list[tuple[str, str, Any, float]] = []
        for variable in self.model.variables:
            if isinstance(variable, Deal):
                for item, shares in self.table(variable).items():
                    rows += [(variable.name, item, holder, p) for holder, p in shares.items()]
            elif isinstance(variable, Choice):
                shares = self.distribution(variable.value())
                rows += [
                    (variable.name, variable.name, value, float(p))
                    for value, p in zip(variable.options, shares, strict=True)
                ]
            else:
                shares = self.distribution(variable.at())
                rows += [
                    (variable.name, variable.name, position, float(p))
                    for position, p in zip(variable.positions, shares, strict=True)
                ]
        return pandas.DataFrame(rows, columns=["variable", "item", "value", "probability"])

    @property
    def digest(self) -> str:
        """SHA-256 of declaration and evidence: the same for posteriors that know the same.

        The method does not count; two engines that know the same compare equal.
        """
        from .saving import knowledge_digest

        return knowledge_digest(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Posterior) and (
            (self.model.variables, self.history) == (other.model.variables, other.history)
        )

    def __hash__(self) -> int:
        return hash((self.model.variables, self.history))

    def save(self, path: Any) -> None:
        """Write declaration and evidence as JSON; `load` computes the posterior again."""
        from .saving import save

        save(self, path)

    @staticmethod
    def load(path: Any, *, method: str | None = None) -> Posterior:
        """Read what `save` wrote."""
        from .saving import load

        return load(path, method=method)

    # -- inside

    def _draw(self, n: int, rng: np.random.Generator) -> Worlds:
        return self.solution.draw(*_checked_draw(n, rng))

    def _of(self, history: History) -> Posterior:
        method = "auto" if self.automatic else self.engine.name
        return Posterior.of(
            history, method=method, approximate=self.approximate, options=self.options
        )

    def _conditioned(self, problem: Problem) -> Solution | None:
        """The solution after a few factors more, from this one, where it can do that."""
        condition = getattr(self.solution, "conditioned", None)
        factors = None if condition is None else problem.since(self.problem)
        if condition is None or factors is None or len(factors) > MOST_CONDITIONED:
            return None
        return condition(problem, factors)

    def _baseline(self, history: History, condition: Condition) -> float:
        """Probability of a condition by plain counting: the hard evidence alone."""
        return self._of(history.counted()).probability(condition)

    def _refuse_contradiction(self) -> None:
        if self.solution.log_weight != -math.inf:
            return
        from .explain import conflict

        units = conflict(self.model, self.history)
        words = ", ".join(
            f"event {unit}" if isinstance(unit, int) else repr(unit) for unit in units
        )
        raise ContradictionError(
            f"the evidence cannot all be true: {words or 'nothing is possible'}", evidence=units
        )

    def _gain(
        self, about: Feature, additive: Additive, question: Question, base: Additive
    ) -> float:
        from .engines.card_by_card import combine

        joint = self.solution.joint(combine(additive, base)).reshape(additive.size, base.size)
        by_value = np.zeros((len(about.values), base.size))
        np.add.at(by_value, about.project, joint)
        outcomes = by_value @ question.table[question.feature.project]
        return max(
            entropy_bits(by_value.sum(axis=1))
            + entropy_bits(outcomes.sum(axis=0))
            - entropy_bits(outcomes.ravel()),
            0.0,
        )

    def _public_slots(self) -> Any:
        """Number of the holder (or of the value) behind every slot."""
        layout = self.problem.layout
        found = layout.cache.get("public")
        if found is None:
            wide = layout.slot_count > MOST_PLACES
            found = np.zeros(layout.slot_count, dtype=np.int16 if wide else np.int8)
            number: dict[str, int] = {}
            for (owner, _), slots in layout.slots.items():
                if layout.capacity[slots[0]] < 0:
                    found[list(slots)] = np.arange(len(slots))
                else:
                    found[list(slots)] = number.get(owner, 0)
                    number[owner] = number.get(owner, 0) + 1
            layout.cache["public"] = found
        return found

    def _world(self, row: Any) -> World:
        layout = self.problem.layout
        public = self._public_slots()
        world: World = {}
        for variable in self.model.variables:
            if isinstance(variable, Deal):
                world[variable.name] = {holder: [] for holder in self.holders(variable)}
            elif isinstance(variable, Walk):
                world[variable.name] = []
        for card, site in enumerate(card_sites(self.problem).tolist()):
            owner, item = layout.site_names[int(site)]
            variable = self.model.variable(owner)
            if isinstance(variable, Choice):
                world[owner] = variable.options[public[row[card]]]
            elif isinstance(variable, Walk):
                world[owner].append(variable.positions[public[row[card]]])
            else:
                world[owner][layout.slot_names[row[card]][1]].append(item)
        return world


def entropy_bits(shares: Floats) -> float:
    """Entropy of a distribution, in bits."""
    positive = shares[shares > 0.0]
    return max(0.0, float(-(positive * np.log2(positive)).sum()))


def _table_plan(layout: Layout, name: str) -> tuple[list[str], list[str], Floats | None, Floats]:
    """Items and holders of a deal, and 0/1 matrices that add up sites and slots of each.

    There is no matrix for the sites where every site is an item of its own.
    """
    items = [item for owner, item in layout.sites if owner == name]
    holders = [holder for owner, holder in layout.slots if owner == name]
    if not items or not holders:
        raise EvidenceError("unknown deal", value=name)
    rows = np.zeros((len(items), layout.site_count))
    for place, item in enumerate(items):
        rows[place, list(layout.sites[(name, item)])] = 1.0
    columns = np.zeros((layout.slot_count, len(holders)))
    for place, holder in enumerate(holders):
        columns[list(layout.slots[(name, holder)]), place] = 1.0
    return items, holders, None if np.array_equal(rows, np.eye(*rows.shape)) else rows, columns


def _checked_draw(n: int, rng: np.random.Generator) -> tuple[int, np.random.Generator]:
    """What a draw was asked for.

    Raises:
        SettingsError: If ``n`` is no whole number >= 0, or ``rng`` is no generator.
    """
    n = whole_number(n, "n", least=0)
    if not isinstance(rng, np.random.Generator):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise SettingsError(
            "a source of randomness is needed",
            value=rng,
            hint="write np.random.default_rng(seed)",
        )
    return n, rng
