"""A posterior: the same questions, whatever engine computed it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..data.checks import whole_number
from ..data.errors import (
    ContradictionError,
    CostError,
    EvidenceError,
    SettingsError,
    UnsupportedError,
)
from .arrays.layout import Additive, Floats, Integers
from .arrays.problem import Problem
from .asking.continuations import Continuations
from .asking.information import best, gains, screen
from .asking.information import entropy_bits as entropy_bits
from .asking.listing import MOST_LISTED, every_deal, listed_marginal
from .asking.many_questions import Questions
from .asking.ranking import QuestionRanking
from .engines.abilities import Drawn, Extending, Holding, Listing, Peaking, Weighing
from .engines.base import (
    Diagnostics,
    Engine,
    EngineOptions,
    Solution,
    Worlds,
    refuse_draw,
    worlds_from_options,
)
from .engines.choosing import choose, told
from .language.evidence import Evidence, Merge, Reveal, Split, WalkStep
from .language.features import Condition, Feature, FeatureName
from .language.holders import holders_of
from .language.questions import Asked, Question, asked_of
from .language.variables import Choice, Deal
from .modelling.history import History, Observation, Step
from .modelling.model import Model
from .telling.readout import (
    MOST_TOLD,
    World,
    checked_draw,
    column_sites,
    each_once,
    in_columns,
    table_plan,
    world_of,
    world_of_numbers,
)

if TYPE_CHECKING:
    import pandas

    from ..data.markup import Html
    from .explaining.explain import Explanation
    from .saving.files import SavedPosterior

#: Most factors that are added to a solution; with more it is computed anew.
MOST_CONDITIONED = 8


@dataclass(frozen=True)
class PosteriorRequest:
    """The wanted way to compute a posterior; see `infer`.

    Attributes:
        method: An engine's name, or ``auto``.
        approximate: Whether ``auto`` may choose an approximation.
        options: Settings of approximate engines.
    """

    method: str
    approximate: bool
    options: EngineOptions


@dataclass(frozen=True, eq=False)
class Posterior:
    """The belief about a model's hidden variables; made by `infer`, never changed.

    Attributes:
        past: What was declared and observed.
        engine: The engine that answers; `method` is its name.
        solution: Its solution of the problem.
        wanted: How it was asked to be computed.

    >>> from sleuth import Deal, Model, infer
    >>> cards = Deal(["ace", "king", "queen"], holders={"me": 1, "you": 1, "table": 1})
    >>> belief = infer(Model(cards), [cards.holds("me", "ace", because="my card")])
    >>> king = cards.holder_of("king")
    >>> belief.marginal(king), belief.entropy(king)
    ({'you': 0.5, 'table': 0.5}, 1.0)
    >>> belief.probability(king.equals("you")), belief.distribution(king).tolist()
    (0.5, [0.0, 0.5, 0.5])
    >>> belief.table(cards)["king"]
    {'me': 0.0, 'you': 0.5, 'table': 0.5}
    >>> belief = belief.observe(cards.lacks("you", "king", because="you passed"))
    >>> belief.most_likely(king), belief.explain(king.equals("table"))
    ([('table', 1.0)], ['my card', 'you passed'])
    >>> belief.retract("you passed").joint(king, cards.holder_of("queen"))
    {('you', 'table'): 0.5, ('table', 'you'): 0.5}
    """

    past: History
    engine: Engine
    solution: Solution
    wanted: PosteriorRequest

    def __repr__(self) -> str:
        kind = "exact" if self.exact else "approximate"
        return f"<Posterior by {self.method}, {kind}, {len(self.history)} observations>"

    # -- making

    @staticmethod
    def of(history: History, wanted: PosteriorRequest) -> Posterior:
        """The posterior of a history; see `infer`.

        >>> from sleuth import Choice, Model, Posterior, infer
        >>> belief = infer(Model(Choice("coin", ["heads", "tails"])))
        >>> Posterior.of(belief.past, belief.wanted) == belief
        True
        """
        chosen, solution = choose(
            history.problem,
            wanted.method,
            approximate=wanted.approximate,
            options=wanted.options,
        )
        posterior = Posterior(history, chosen, solution, wanted)
        posterior._refuse_contradiction()
        return posterior

    @staticmethod
    def given(
        model: Model, given: Observation | Iterable[Observation], wanted: PosteriorRequest
    ) -> Posterior:
        """The posterior of a model, given evidence; see `infer`.

        >>> from sleuth import Choice, Model, Posterior, infer
        >>> coin = Choice("coin", ["heads", "tails"])
        >>> belief = infer(Model(coin), method="enumeration")
        >>> Posterior.given(belief.model, [coin.equals("heads")], belief.wanted).marginal(coin)
        {'heads': 1.0}
        """

        def counting(history: History, condition: Condition) -> float:
            return Posterior.of(history.counted(), wanted).probability(condition)

        history = History.begun(model, wanted.method).extend([given], counting)
        return Posterior.of(history, wanted)

    @staticmethod
    def restored(saved: SavedPosterior, *, method: str | None = None) -> Posterior:
        """The posterior of what was saved, computed again; see `load`.

        >>> from sleuth import Choice, Model, Posterior, infer
        >>> belief = infer(Model(Choice("coin", ["heads", "tails"])))
        >>> Posterior.restored(belief.pieces()) == belief
        True
        """
        from .saving.checked_json import damage

        chosen = saved.method if method is None else method
        wanted = PosteriorRequest(chosen, saved.approximate, saved.options)
        # What the chosen method cannot do is no damage.
        with damage(saved.where, CostError, UnsupportedError, SettingsError):
            return Posterior.given(saved.model, saved.history, wanted)

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
            return Posterior(extended, self.engine, solution, self.wanted)
        posterior = self._solved(extended)
        posterior._refuse_contradiction()
        return posterior

    def after_each(self, observations: Iterable[Any], *, about: FeatureName) -> Continuations:
        """The marginal of a feature after each of many continuations, as if it alone were observed.

        All are asked together, which is much cheaper than to observe one after the other: the joint
        of ``about`` and of what is weighed is computed once, and all of them are read off it. What
        is more than evidence on features (moves, predictions set against counting) is observed.

        With an exact engine the answers are exact. A method that samples weighs the worlds that it
        has, and draws no others, so that what none of them allows is impossible.

        >>> from sleuth import Deal, Model, infer
        >>> cards = Deal(["ace", "king", "queen"], holders={"me": 1, "you": 1, "table": 1})
        >>> belief = infer(Model(cards), given=[cards.holds("me", "ace")])
        >>> lies = cards.holder_of("king")
        >>> found = belief.after_each([[], cards.holds("you", "king")], about=lies)
        >>> found.probabilities.round(2).tolist(), found.entropies.round(2).tolist()
        ([1.0, 0.5], [1.0, 0.0])
        >>> dict(zip(found.values, found.distributions[1].round(2).tolist()))
        {'me': 0.0, 'you': 1.0, 'table': 0.0}

        Args:
            observations: Each is what `observe` takes: one observation, or several as a sequence.
            about: The feature.

        Returns:
            Its distribution and entropy after each, and how likely each is. One that is impossible
            has probability 0, and NaN for all else.

        Raises:
            EvidenceError: The feature has too many values for a table, or a piece of evidence does
                not fit the model.
            CostError, UnsupportedError: The method cannot answer.
        """
        # A program that only declares and asks little loads no numba.
        from .asking.continuing import after_each
        from .asking.weighing import Past

        wanted = self.model.feature(about)
        self.model.check(wanted)
        past = Past(self.model, self.problem, self.solution, self.past.ids())
        return after_each(past, observations, wanted, partial(self._after, wanted))

    def retract(self, id: str | int) -> Posterior:
        """The posterior without one piece of evidence, or without all evidence of one event.

        Predictions set against counting get their baseline anew.

        Args:
            id: The id of a piece of evidence, as `evidence` has it (what was said as
                ``because``, where no other was given), or the number of an event.

        Raises:
            EvidenceError: No evidence has this id, or comes from this event; or it is a step of
                a walk, from which everything later goes on.
        """
        kept = self.past.without(id)
        history = History.begun(self.model, self.wanted.method)
        return self._of(history.extend(kept, self._baseline))

    # -- answers

    @property
    def model(self) -> Model:
        """The model that was declared."""
        return self.past.model

    @property
    def history(self) -> tuple[Step, ...]:
        """Evidence and moves so far, in order; evidence with the ids it was given."""
        return self.past.steps

    @property
    def evidence(self) -> tuple[Evidence | Reveal | WalkStep, ...]:
        """The observations, in order, each with the id under which `retract` takes it.

        >>> from sleuth import Deal, Model, infer
        >>> cards = Deal(["ace", "king"], holders={"me": 1, "you": 1})
        >>> belief = infer(Model(cards), [cards.holds("me", "ace", because="my card")])
        >>> [each.id for each in belief.evidence]
        ['my card']
        """
        return tuple(step for step in self.history if not isinstance(step, (Split, Merge)))

    @property
    def problem(self) -> Problem:
        """Declaration and evidence as arrays."""
        return self.past.problem

    @property
    def method(self) -> str:
        return self.engine.name

    def why(self) -> str:
        """The method that was taken, and for each other exact method why it was not.

        >>> from sleuth import Choice, Model, infer
        >>> coins = [Choice(f"coin {n}", ["heads", "tails"]) for n in range(64)]
        >>> print(infer(Model(*coins)).why())
        junction_tree answers, exactly: auto takes the cheapest exact method that it knows here.
        enumeration: it lists at most 2,000,000 worlds
        card_by_card, ...: it takes at most 127 positions, values and places together; ...
        """
        return told(self.problem, self.engine, automatic=self.automatic)

    @property
    def options(self) -> EngineOptions:
        """Settings of approximate engines."""
        return self.wanted.options

    @property
    def automatic(self) -> bool:
        """True if ``auto`` chose the engine.

        >>> from sleuth import Choice, Model, infer
        >>> coin = Choice("coin", ["heads", "tails"])
        >>> infer(Model(coin)).automatic, infer(Model(coin), method="enumeration").automatic
        (True, False)
        """
        return self.wanted.method == "auto"

    @property
    def approximate(self) -> bool:
        """True if ``auto`` may choose an approximation."""
        return self.wanted.approximate

    @property
    def exact(self) -> bool:
        """True if the answers are exact."""
        return self.solution.exact

    @property
    def diagnostics(self) -> Diagnostics:
        """The quality of an approximation; empty for exact engines."""
        return self.solution.diagnostics

    def effective_samples(self, feature: FeatureName) -> float | None:
        """Independent samples that would tell as much about a feature as the drawn ones do.

        The share ``p`` of a value is off by about the square root of ``p (1 - p)`` over this
        number, as the spread of the answers over many seeds shows. It differs from feature to
        feature: a rare value may hang on a few heavy worlds where all else is known well.
        ``diagnostics.effective_samples`` is that of the place or value that is known worst.

        Returns:
            The number for the value of the feature that is known worst. None where nothing is off
            by chance (exact engines, messages), and where all worlds that were drawn have the same
            value: how much was missed they cannot tell.

        >>> from sleuth import Choice, Model, infer
        >>> disease = Choice("disease", {"yes": 0.001, "no": 0.999})
        >>> chances = {"yes": {"+": 0.99, "-": 0.01}, "no": {"+": 0.05, "-": 0.95}}
        >>> test = Choice("test", chances, given=disease.value())
        >>> positive = test.equals("+").observed()
        >>> found = infer(Model(disease, test), positive, method="rejection", samples=2_000)
        >>> round(found.effective_samples(disease))
        2000
        >>> print(found.effective_samples(test), infer(Model(disease)).effective_samples(disease))
        None None
        """
        wanted = self.model.feature(feature).on(self.problem.layout)
        self.model.check(wanted)
        if not isinstance(self.solution, Drawn):
            return None
        drawn, sites = self.solution, [np.zeros(0, dtype=np.int64)]

        def index_of(additive: Additive) -> Integers:
            sites.append(additive.sites)
            return drawn.index_of(additive)

        numbers, _ = wanted.in_worlds(self.problem.layout, index_of)
        return drawn.effective_samples(numbers, np.unique(np.concatenate(sites)))

    @property
    def log_evidence(self) -> float:
        """Natural log of the probability (or weight) of all evidence so far.

        >>> import math
        >>> from sleuth import Choice, Model, infer
        >>> coin = Choice("coin", ["fair", "two heads"])
        >>> heads = coin.value().weigh({"fair": 0.5, "two heads": 1.0}, because="heads")
        >>> round(math.exp(infer(Model(coin), [heads]).log_evidence), 3)
        0.75
        """
        if isinstance(self.solution, Weighing):
            return self.solution.log_evidence
        return self.solution.log_weight - self.problem.log_norm

    def distribution(self, feature: FeatureName) -> Floats:
        """Probability of every value of a feature, in the order of its ``values``.

        Where a holder has come to have more than it was declared with, a count of what it has has
        more values: those of ``feature.on(posterior.problem.layout)``.

        Raises:
            EvidenceError: It has too many values for that; `marginal` names those that are
                possible.
        """
        # Most features are themselves, and to find that out takes longer than some answers.
        wanted = feature if isinstance(feature, Feature) else self.model.feature(feature)
        layout = self.problem.layout
        present = wanted.on(layout) if wanted.late or layout.order else wanted
        if present is not wanted:
            found = self.distribution(present)
            if present.values is wanted.values:
                return found
            try:
                places = [wanted.places[value] for value in present.values]
            except KeyError:
                return found  # it has grown
            shares = np.zeros(wanted.value_count)
            shares[places] = found
            return shares
        self.model.check(wanted)
        if wanted.large:
            values = wanted.values
            listed = listed_marginal(self.problem, self.solution, wanted)
            return np.array([listed.get(value, 0.0) for value in values])
        base = wanted.base
        joint = self.solution.joint(base.additive(layout))
        if base is wanted:
            return joint
        shares = np.bincount(wanted.project, weights=joint, minlength=wanted.value_count)
        return shares.astype(np.float64)

    def marginal(self, feature: FeatureName) -> dict[Any, float]:
        """Probability of every possible value of a feature; impossible values are left out.

        The name of a choice stands for its value, and that of a walk for where it is now, here as
        in all that is asked about a feature.

        A feature may have too many values for a table, such as where everything is, all together,
        where at most a million worlds are left.

        Raises:
            CostError: The values are too many, and so are the worlds.
        """
        wanted = self.model.feature(feature).on(self.problem.layout)
        if wanted.large:
            self.model.check(wanted)
            return listed_marginal(self.problem, self.solution, wanted)
        shares = self.distribution(wanted)
        values = wanted.values
        return {values[place]: float(shares[place]) for place in np.flatnonzero(shares > 0.0)}

    def joint(self, *features: FeatureName) -> dict[tuple[Any, ...], float]:
        """Probability of every possible combination of values."""
        return self.marginal(tuple(map(self.model.feature, features)))

    def probability(self, condition: Condition) -> float:
        """Probability that a condition holds."""
        if not isinstance(condition, Condition):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise EvidenceError(
                "a probability is asked of a condition",
                value=condition,
                hint="write feature.equals(value), or ask for marginal(feature)",
            )
        return min(max(float(self.distribution(condition)[1]), 0.0), 1.0)

    def entropy(self, feature: FeatureName) -> float:
        """Uncertainty about a feature, in bits."""
        wanted = self.model.feature(feature).on(self.problem.layout)
        if wanted.large:
            return entropy_bits(np.array([*self.marginal(wanted).values()]))
        return entropy_bits(self.distribution(wanted))

    def most_likely(self, feature: FeatureName, n: int = 1) -> list[tuple[Any, float]]:
        """The ``n`` likeliest values of a feature with their probabilities, descending."""
        n = whole_number(n, "n", least=0)
        ranked = sorted(self.marginal(feature).items(), key=lambda pair: -pair[1])
        return ranked[:n]

    def most_likely_world(self) -> tuple[World, float]:
        """The likeliest of all worlds, as `sample` tells one, and its probability.

        Raises:
            CostError: There are too many worlds to look through all, and the method does not find
                the likeliest without that.

        >>> from sleuth import Choice, Model, infer
        >>> rain = Choice("rain", {"yes": 0.2, "no": 0.8})
        >>> rows = {"yes": {"wet": 0.9, "dry": 0.1}, "no": {"wet": 0.1, "dry": 0.9}}
        >>> grass = Choice("grass", rows, given=rain.value())
        >>> world, share = infer(Model(rain, grass), [grass.equals("wet")]).most_likely_world()
        >>> world, round(share, 3)
        ({'rain': 'yes', 'grass': 'wet'}, 0.692)
        """
        found = self.solution.likeliest() if isinstance(self.solution, Peaking) else None
        if found is None:
            try:
                rows, shares = self.worlds()
            except CostError as error:
                found = self._likeliest_by_tree()
                if found is None:
                    error.reword(
                        hint="method='junction_tree' finds it where there are choices or a walk, "
                        "and no more hangs together than a table has; else draw some, and take the "
                        "likeliest: posterior.sample(n, rng)"
                    )
                    raise
            else:
                best = int(shares.argmax())
                world = world_of_numbers(self.model, self.problem.layout, rows[best])
                return world, float(shares[best])
        row, share = found
        return world_of(self.model, self.problem.layout, row), share

    def _likeliest_by_tree(self) -> tuple[Worlds, float] | None:
        """The likeliest world where a junction tree finds it, whatever exact method answers."""
        if not self.exact:
            return None
        try:
            _, tree = choose(self.problem, "junction_tree", approximate=False, options=self.options)
        except (CostError, UnsupportedError):
            return None
        return tree.likeliest() if isinstance(tree, Peaking) else None

    def table(self, deal: Deal | str) -> dict[str, dict[str, float]]:
        """Expected number (for distinct items: probability) of every item with every holder."""
        name = deal if isinstance(deal, str) else deal.name
        layout = self.problem.layout
        named = layout.cache.get(("table", name))
        if named is None:
            named = layout.cache[("table", name)] = table_plan(layout, name)
        items, holders, rows, columns = named
        shares = self.solution.expected().dot(columns)
        if rows is not None:
            shares = rows @ shares
        # Both were made together, so they are of one length.
        return {
            item: dict(zip(holders, row))  # noqa: B905
            for item, row in zip(items, shares.tolist())  # noqa: B905
        }

    def information_gain(self, question: Question | Asked, *, about: FeatureName) -> Any:
        """Expected drop of the entropy of ``about`` by asking, in bits.

        Args:
            question: One question, or several (answered together, which is much cheaper); of a
                mapping its values.
            about: The feature whose uncertainty counts.

        Returns:
            A number, or an array with one number per question.

        Raises:
            EvidenceError: Something else than questions.
            CostError: The feature and a question have too many values together, and too many
                deals are left to list them.

        >>> from sleuth import Choice, Model, Question, infer
        >>> number = Choice("number", range(8))
        >>> asked = [Question(number, lambda n, most=most: {n <= most: 1.0}) for most in (0, 3)]
        >>> infer(Model(number)).information_gain(asked, about=number).round(3).tolist()
        [0.544, 1.0]
        """
        one = isinstance(question, Question)
        layout = self.problem.layout
        if isinstance(question, Questions) and not (question.feature.late or layout.order):
            asked = question
        else:
            several = [question] if one else asked_of(question, "information_gain")
            asked = [each.on(layout) for each in several]
        result = gains(self.problem, self.solution, asked, self.model.feature(about).on(layout))
        return float(result[0]) if one else result

    def best_questions(
        self,
        questions: Asked,
        *,
        about: FeatureName,
        n: int = 10,
        samples: int = 4_000,
        seed: int = 0,
    ) -> QuestionRanking:
        """The ``n`` questions that tell most, with their gains in bits, descending.

        All are screened on samples of this posterior; the best are then valued exactly (by an
        exact engine): three times as many as asked for, and ten more. Where no more deals are left
        than would be drawn, all are valued exactly. Of a mapping, such as a game's
        ``belief.questions(view)``, its values are asked.

        Raises:
            EvidenceError: Something else than questions, or none is asked for.

        >>> from sleuth import Choice, Model, Question, infer
        >>> number = Choice("number", range(8))
        >>> asked = [
        ...     Question(number, lambda n, most=most: {n <= most: 1.0}, name=f"at most {most}?")
        ...     for most in range(7)
        ... ]
        >>> ((best, bits),) = infer(Model(number)).best_questions(asked, about=number, n=1)
        >>> best.name, round(bits, 3)
        ('at most 3?', 1.0)
        """
        n = whole_number(n, "n", least=0)
        if n < 1:
            raise EvidenceError("ask for at least one question", value=n)
        samples = whole_number(samples, "samples", least=1)
        seed = whole_number(seed, "seed", least=0)
        if isinstance(questions, Questions):
            found = self.information_gain(questions, about=about)
            return QuestionRanking(
                (questions[place], float(found[place])) for place in best(found, n)
            )
        questions = asked_of(questions, "best_questions")
        (chosen,) = self.promising(
            [questions], about=about, keep=3 * n + 10, samples=samples, seed=seed
        )
        kept = [questions[place] for place in chosen]
        found = self.information_gain(kept, about=about)
        return QuestionRanking(
            (kept[place], float(found[place])) for place in best(found, n, chosen)
        )

    def promising(
        self,
        groups: Sequence[Sequence[Question]],
        *,
        about: FeatureName,
        keep: int,
        samples: int = 4_000,
        seed: int = 0,
    ) -> list[list[int]]:
        """Of each group of questions the places of those that promise to tell most.

        All are screened on the same samples of this posterior. Where no more deals are left than
        would be drawn, every question is kept: to value all exactly takes no longer.

        Args:
            groups: The questions.
            about: The feature whose uncertainty counts.
            keep: How many of each group.
            samples, seed: Of the worlds that are drawn.

        >>> from sleuth import Choice, Model, Question, infer
        >>> number = Choice("number", range(64))
        >>> asked = [Question(number, lambda n, top=top: {n <= top: 1.0}) for top in (0, 31, 62)]
        >>> infer(Model(number)).promising([asked], about=number, keep=1, samples=50)
        [[1]]
        """
        most = max(map(len, groups), default=0)
        solution, layout = self.solution, self.problem.layout
        samples = whole_number(samples, "samples", least=1)
        refuse_draw(samples, len(layout.card_sites))
        few = isinstance(solution, Listing) and solution.listed(samples) is not None
        if few or most <= keep:
            return [[*range(len(group))] for group in groups]
        every = [question.on(layout) for group in groups for question in group]
        ranked = screen(
            self.problem,
            solution,
            every,
            self.model.feature(about).on(layout),
            samples=samples,
            seed=seed,
        )
        ends = np.cumsum([len(group) for group in groups])
        found: list[list[int]] = [[] for _ in groups]
        for place in ranked:
            group = int(ends.searchsorted(place, side="right"))
            if len(found[group]) < keep:
                found[group].append(place - int(ends[group]) + len(groups[group]))
        return found

    def sample(self, n: int, rng: np.random.Generator) -> list[World]:
        """Worlds from the posterior: per deal who has what, per choice its value, per walk the
        list of its positions, from the start to the present one.

        Raises:
            SettingsError: ``n`` is no number of worlds, or ``rng`` no generator.

        >>> import numpy as np
        >>> from sleuth import Choice, Deal, Model, infer
        >>> cards = Deal(["ace", "king"], holders={"me": 1, "you": 1})
        >>> belief = infer(Model(cards, Choice("mood", ["bold"])), [cards.holds("me", "ace")])
        >>> belief.sample(1, np.random.default_rng(1))
        [{'deal': {'me': ['ace'], 'you': ['king']}, 'mood': 'bold'}]
        """
        layout = self.problem.layout
        rows = self.solution.draw(*checked_draw(n, rng, layout, most=MOST_TOLD))
        return [world_of(self.model, layout, row) for row in rows]

    def sample_array(self, n: int, rng: np.random.Generator) -> Worlds:
        """Worlds as numbers of holders, one int8 column per physical item; shape (n, columns).

        `columns` names the columns, `holders` the numbers. A walk has a column for every step;
        with very many positions or values numbers are int16 or int32.

        >>> import numpy as np
        >>> from sleuth import Deal, Model, infer
        >>> cards = Deal(["ace", "king"], holders={"me": 1, "you": 1})
        >>> belief = infer(Model(cards), [cards.holds("you", "ace")])
        >>> belief.sample_array(2, np.random.default_rng(1)).tolist()
        [[1, 0], [1, 0]]
        >>> belief.columns(), belief.holders(cards)
        ([('deal', 'ace'), ('deal', 'king')], ['me', 'you'])
        """
        solution, layout = self.solution, self.problem.layout
        wanted = checked_draw(n, rng, layout)
        if not isinstance(solution, Holding):
            return in_columns(layout, solution.draw(*wanted))
        # All worlds are listed: they are written out once, whatever is drawn.
        found = self.problem.cache.get("public_worlds")
        if found is None:
            found = self.problem.cache["public_worlds"] = in_columns(layout, solution.worlds)
        return found.take(solution.draw_rows(*wanted), axis=0)

    def worlds(self, *, most: int = MOST_LISTED) -> tuple[Worlds, Floats]:
        """Every world that is possible, and how likely each is.

        Args:
            most: So many worlds are listed at most.

        Returns:
            Rows as `sample_array` gives them, shape (worlds, columns), each once, and their
            probabilities, shape (worlds,). Copies of one item stand in the order of their holders.

        Raises:
            CostError: There are more, or no list of them can be made.
            SettingsError: ``most`` is no number of worlds.

        >>> from sleuth import Deal, Model, infer
        >>> cards = Deal(["ace", "king"], holders={"me": 1, "you": 1})
        >>> rows, shares = infer(Model(cards)).worlds()
        >>> rows.tolist(), shares.tolist()
        ([[0, 1], [1, 0]], [0.5, 0.5])
        """
        most = whole_number(most, "most", least=1)
        listed = every_deal(self.problem, self.solution, most=most)
        if listed is None:
            raise CostError(
                f"no list of at most {most:,} worlds can be made",
                hint="draw some: posterior.sample_array(n, rng)",
            )
        rows = worlds_from_options(self.problem, listed.lies, listed.chosen)
        shares: Floats = listed.weights / listed.weights.sum()
        layout = self.problem.layout
        return each_once(in_columns(layout, rows), shares, layout, self.columns())

    def columns(self) -> list[tuple[str, str]]:
        """Variable and item of every column of `sample_array`, whatever moves were made: all copies
        of an item stand together, and the items in the order of the declaration.

        >>> from sleuth import Choice, Deal, Model, infer
        >>> cards = Deal(["ace", "king"], holders={"me": 1, "you": 1})
        >>> infer(Model(cards, Choice("mood", ["bold", "shy"]))).columns()
        [('deal', 'ace'), ('deal', 'king'), ('mood', 'mood')]
        """
        layout = self.problem.layout
        return [layout.site_names[site] for site in column_sites(layout)]

    def holders(self, deal: Deal | str) -> list[str]:
        """Present holders of a deal, in the order in which `sample_array` numbers them.

        Declared holders stand in the order of the declaration, as long as they exist; those that
        moves made stand behind them, in the order in which they were made.

        >>> from sleuth import Deal, Model, infer
        >>> cards = Deal(["ace", "king"], holders={"you": 2})
        >>> infer(Model(cards), [cards.split("you", "claim 1", 1)]).holders(cards)
        ['you', 'claim 1']
        """
        name = deal if isinstance(deal, str) else deal.name
        return holders_of(self.problem.layout, name)

    def explain(self, condition: Condition) -> Explanation:
        """The fewest observations that make a condition certain (or impossible).

        Of several such sets it is the one with the earliest observations. Where there are many
        observations, or each check takes long, the search ends early: then ``shortest`` is False,
        and there may be fewer, though none of these can be left out.

        Returns:
            A list of events where the evidence has them, else ids. Empty when it was certain from
            the start.

        Raises:
            EvidenceError: It is no condition, or neither certain nor impossible.

        >>> from sleuth import Deal, Model, infer
        >>> cards = Deal(["ace", "king", "ten"], holders={"me": 1, "you": 1, "table": 1})
        >>> said = [cards.lacks(who, "ace", because=f"{who} lacks it") for who in ("me", "table")]
        >>> belief = infer(Model(cards), [*said, cards.holds("you", "ace", because="shown")])
        >>> because = belief.explain(cards.holder_of("ace").equals("you"))
        >>> because, because.shortest
        (['shown'], True)
        """
        return self._explained(condition, fewest=True)

    def first_certain(self, condition: Condition) -> str | int | None:
        """The observation after which a condition was certain (or impossible).

        Everything up to it is counted, so it need not be one that `explain` names: what came later
        may prove the same by itself.

        Returns:
            An event, else an id; None when it was certain from the start.

        Raises:
            EvidenceError: It is no condition, or neither certain nor impossible.

        >>> from sleuth import Deal, Model, infer
        >>> cards = Deal(["ace", "king", "ten"], holders={"me": 1, "you": 1, "table": 1})
        >>> said = [cards.lacks(who, "ace", because=f"{who} lacks it") for who in ("me", "table")]
        >>> belief = infer(Model(cards), [*said, cards.holds("you", "ace", because="shown")])
        >>> belief.first_certain(cards.holder_of("ace").equals("you"))
        'table lacks it'
        """
        return self._explained(condition, fewest=False).since

    def _explained(self, condition: Condition, *, fewest: bool) -> Explanation:
        from .explaining.explain import explain

        if not isinstance(condition, Condition):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise EvidenceError(
                "an explanation is asked of a condition",
                where="explain",
                value=condition,
                hint="write feature.equals(value)",
            )
        condition = condition.on(self.problem.layout)
        found = explain(self.model, self.history, condition, fewest=fewest)
        if found is None:
            raise EvidenceError(
                f"{condition.describe()} is neither certain nor impossible",
                value=round(self.probability(condition), 6),
                hint="posterior.influence(condition) says which observations moved it, and how far",
            )
        return found

    def influence(self, condition: Condition | Sequence[Condition]) -> Any:
        """The bits each observation moved the log odds of a condition.

        Once in the order seen, where the movements add up to the way from the prior to now; and
        once with each left out alone and all others kept. Certainty has infinite log odds. An
        observation is an event with all its evidence, or a piece of evidence without an event.
        Splits and merges are kept throughout; a step of a walk that was not seen leads anywhere.

        Args:
            condition: What is believed, or several (measured together, which is much cheaper).

        Returns:
            An `Influence`, or a list with one for each condition.

        Raises:
            EvidenceError: It is no condition, or not about this model.
            CostError, UnsupportedError: What was known in between cannot be computed.

        >>> from sleuth import Choice, Model, infer
        >>> coin = Choice("coin", ["fair", "two heads"])
        >>> throws = [
        ...     coin.value().weigh({"fair": 0.5, "two heads": 1.0}, because=f"throw {n} was heads")
        ...     for n in (1, 2)
        ... ]
        >>> found = infer(Model(coin), throws).influence(coin.equals("two heads"))
        >>> [(each.words, each.in_order) for each in found.rows]
        [('throw 1 was heads', 1.0), ('throw 2 was heads', 1.0)]
        """
        from .explaining.measure import influences

        def solve(given: Sequence[Any]) -> Posterior:
            return Posterior.given(self.model, given, self.wanted)

        if isinstance(condition, Sequence):
            return influences(self, condition, solve)
        return influences(self, [condition], solve)[0]

    def _repr_html_(self) -> str:
        """All marginals as small tables, for a notebook."""
        from .telling.notebook import deal_html, shares_html, shown

        parts: list[Html] = []
        for variable in self.model.variables:
            if isinstance(variable, Deal):
                parts += deal_html(variable, self.table(variable))
            else:
                feature = variable.value() if isinstance(variable, Choice) else variable.at()
                ranked = self.most_likely(feature, feature.value_count)
                parts += shares_html(variable.name, ranked)
        kind = "exact" if self.exact else "an estimate"
        seen = f"{len(self.evidence)} observation{'' if len(self.evidence) == 1 else 's'}"
        return shown(parts, f"{seen}; {self.method.replace('_', ' ')} ({kind})")

    def to_frame(self) -> pandas.DataFrame:
        """All marginals as one tidy table.

        Columns are ``variable``, ``item``, ``value`` (a holder, a value or a position),
        ``probability`` that it is there, and ``expected``: how many are. Both are the same but for
        items of several copies, where the probability is that of at least one.

        >>> from sleuth import Choice, Model, infer
        >>> frame = infer(Model(Choice("coin", {"heads": 1, "tails": 3}))).to_frame()
        >>> print(frame.to_string(index=False))
        variable item value  probability  expected
            coin coin heads         0.25      0.25
            coin coin tails         0.75      0.75
        """
        import pandas

        rows: list[tuple[str, str, Any, float, float]] = []
        for variable in self.model.variables:
            if isinstance(variable, Deal):
                for item, shares in self.table(variable).items():
                    for holder, expected in shares.items():
                        chance = expected
                        if variable.items[item] > 1:
                            chance = self._has(variable, holder, item)
                        rows.append((variable.name, item, holder, chance, expected))
            else:
                feature = variable.value() if isinstance(variable, Choice) else variable.at()
                rows += [
                    (variable.name, variable.name, value, float(p), float(p))
                    for value, p in zip(feature.values, self.distribution(feature), strict=True)
                ]
        names = ["variable", "item", "value", "probability", "expected"]
        return pandas.DataFrame(rows, columns=names)

    @property
    def digest(self) -> str:
        """SHA-256 of declaration and evidence: the same for posteriors that know the same.

        The method does not count; two engines that know the same compare equal.

        >>> from sleuth import Choice, Model, infer
        >>> coin = Model(Choice("coin", ["heads", "tails"]))
        >>> infer(coin).digest == infer(coin, method="enumeration").digest
        True
        """
        from .saving.files import knowledge_digest

        return knowledge_digest(self.model, self.history)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Posterior) and (
            (self.model.variables, self.history) == (other.model.variables, other.history)
        )

    def __hash__(self) -> int:
        return hash((self.model.variables, self.history))

    def save(self, path: Any) -> None:
        """Write declaration, evidence and method as JSON; `load` computes the posterior again.

        Raises:
            UnsupportedError: A choice has a value that JSON cannot hold, or the file would be
                too large to be read again.
            SettingsError: The file cannot be written.

        >>> from sleuth import Choice, Model, Posterior, infer
        >>> coin = Choice("coin", ["heads", "tails"])
        >>> infer(Model(coin), [coin.equals("heads")]).save("coin.json")
        >>> Posterior.load("coin.json").marginal(coin)
        {'heads': 1.0}
        """
        from .saving.files import save

        save(self.pieces(), path)

    @staticmethod
    def load(path: Any, *, method: str | None = None) -> Posterior:
        """The posterior in a file that `save` wrote, computed again.

        Args:
            path: The file.
            method: Another method than the one it was saved with.

        Raises:
            RecordError: It cannot be read, is no such file, is damaged, or was written by a
                newer version.
            CostError, UnsupportedError: The method cannot compute it.

        >>> from sleuth import Choice, Model, Posterior, infer
        >>> infer(Model(Choice("coin", ["heads", "tails"]))).save("coin.json")
        >>> Posterior.load("coin.json", method="enumeration")
        <Posterior by enumeration, exact, 0 observations>
        """
        from .saving.files import load

        return Posterior.restored(load(path), method=method)

    def pieces(self) -> SavedPosterior:
        """The parts that `save` writes, and `restored` puts together again.

        >>> from sleuth import Choice, Model, infer
        >>> infer(Model(Choice("coin", ["heads", "tails"]))).pieces().method
        'auto'
        """
        from .saving.files import SavedPosterior

        return SavedPosterior(
            model=self.model,
            history=self.history,
            method="auto" if self.automatic else self.method,
            approximate=self.approximate,
            options=self.options,
        )

    # -- inside

    def _has(self, deal: Deal, holder: str, item: str) -> float:
        """Probability that a holder has at least one copy of an item."""
        none = float(self.distribution(deal.count(holder, item))[0])
        return min(max(1.0 - none, 0.0), 1.0)

    def _of(self, history: History) -> Posterior:
        return Posterior.of(history, self.wanted)

    def _solved(self, history: History) -> Posterior:
        """The posterior of a longer history by the same engine; nothing may be left."""
        if (history.problem.contents is None) != (self.problem.contents is None):
            return self._of(history)
        try:
            solution = self.engine.solve(history.problem, self.options)
        except (CostError, UnsupportedError):
            if not self.automatic:
                raise
            return self._of(history)
        return Posterior(history, self.engine, solution, self.wanted)

    def _after(self, about: Feature, given: Any) -> tuple[float, Floats] | None:
        """The probability of an observation, and a feature's distribution after it.

        It is None where the observation is impossible.
        """
        extended = self.past.extend([given], self._baseline)
        if extended is self.past:
            return 1.0, self.distribution(about)
        solution = self._conditioned(extended.problem)
        if solution is not None:
            after = Posterior(extended, self.engine, solution, self.wanted)
        else:
            try:
                after = self._solved(extended)
            except ContradictionError:
                return None
            if after.solution.log_weight == -math.inf:
                return None
        chance = math.exp(after.log_evidence - self.log_evidence)
        return chance, after.distribution(about)

    def _conditioned(self, problem: Problem) -> Solution | None:
        """The solution after a few factors more, from this one, where it can do that."""
        if not isinstance(self.solution, Extending):
            return None
        factors = problem.since(self.problem)
        if factors is None or len(factors) > MOST_CONDITIONED:
            return None
        return self.solution.extended(problem, factors)

    def _baseline(self, history: History, condition: Condition) -> float:
        """Probability of a condition by plain counting: the hard evidence alone."""
        return self._of(history.counted()).probability(condition)

    def _refuse_contradiction(self) -> None:
        if self.solution.log_weight != -math.inf:
            return
        from .explaining.elsewhere import elsewhere
        from .explaining.explain import conflict

        try:
            units = conflict(self.model, self.history)
        except (CostError, UnsupportedError):
            raise ContradictionError(
                "the evidence cannot all be true; which of it, is too much to find out here"
            ) from None
        if units is None:
            raise UnsupportedError(
                f"{self.method} found nothing possible, though this evidence can all be true: "
                "it lost the digits of its weights",
                hint="take another exact method, such as 'card_by_card'",
            )
        words = ", ".join(
            f"event {unit}" if isinstance(unit, int) else repr(unit) for unit in units
        )
        raise ContradictionError(
            f"the evidence cannot all be true: {words or 'nothing is possible'}",
            evidence=units,
            hint=elsewhere(self.model, self.history, units),
        )
