"""A model: hidden variables, the layout they make, and draws from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ...data.checks import whole_number
from ...data.errors import DeclarationError, EvidenceError, nearest, shorten
from ...data.tables import html_shown, html_table
from ..arrays.layout import HolderName, Layout
from ..language.deal_features import Value
from ..language.evidence import OBSERVE, Evidence, WalkStep
from ..language.features import CountEach, Feature, FeatureName, TupleOf, as_feature
from ..language.likelihoods import some_of
from ..language.priors import check_given
from ..language.quantities import Quantity
from ..language.sums import SumOf
from ..language.variables import Choice, Deal
from ..language.walk import At, Walk
from .declared import Variable as Variable
from .declared import declare, prior_graph

if TYPE_CHECKING:
    from ..language.features import FeatureLike
    from ..language.questions import Question


class Model:
    """The hidden variables, declared once.

    Args:
        variables: `Deal`s, `Choice`s and `Walk`s.

    Raises:
        DeclarationError: Two variables share a name, a prior depends on a variable that is not
            there or on itself, or nothing can be dealt as declared.

    >>> import numpy as np
    >>> from sleuth import Choice, Model, Walk
    >>> gold = Choice("gold", ["left", "right"])
    >>> model = Model(gold, Walk("thief", ["dock", "inn"]))
    >>> model.variable("gold") is gold, [walk.name for walk in model.walks]
    (True, ['thief'])
    >>> drawn = model.simulate(1_000, np.random.default_rng(1))
    >>> 400 < model.value_of(gold, drawn.worlds).count("left") < 600
    True
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
        for name, times in Counter(names).items():
            if times > 1:
                raise DeclarationError(
                    "two variables have one name", value=name, hint="give each a name="
                )
        self.variables = variables
        self._named = dict(zip(names, variables, strict=True))
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
        choices = [variable for variable in variables if isinstance(variable, Choice)]
        check_given(choices, names)
        for choice in choices:
            if choice.given is not None:
                self._check_given(choice, choice.given)
        self.problem = declare(variables)

    def __repr__(self) -> str:
        return f"<Model of {', '.join(variable.name for variable in self.variables)}>"

    def _repr_html_(self) -> str:
        """Its variables, and what each can be."""
        table = html_table(("", "", ""), map(_row, self.variables), caption="What is hidden")
        return html_shown(table)

    @property
    def layout(self) -> Layout:
        return self.problem.layout

    @property
    def walks(self) -> tuple[Walk, ...]:
        """Those of the variables that are walks."""
        return tuple(each for each in self.variables if isinstance(each, Walk))

    @property
    def holders(self) -> tuple[HolderName, ...]:
        """Names of the holders of all deals, as they were declared."""
        return self.layout.holders

    def variable(self, name: str) -> Variable:
        """The variable with this name."""
        variable = self._named.get(name)
        if variable is not None:
            return variable
        raise DeclarationError(
            "unknown variable",
            value=name,
            hint=nearest(name, self._named),
        )

    def feature(self, named: FeatureName) -> Feature:
        """A feature; a name stands for the value of its choice, or for where its walk is now.

        Raises:
            EvidenceError: No choice and no walk has this name.

        >>> from sleuth import Choice, Model
        >>> model = Model(Choice("season", ["dry", "wet"]), Choice("sky", ["blue", "grey"]))
        >>> model.feature("season").values, model.feature(("season", "sky")).value_count
        (('dry', 'wet'), 4)
        """
        if isinstance(named, str):
            variable = self._named.get(named)
            if variable is None:
                raise EvidenceError(
                    "no variable has this name", value=named, hint=nearest(named, self._named)
                )
            if isinstance(variable, Deal):
                raise EvidenceError(
                    "a deal has no value of its own",
                    value=named,
                    hint="ask for deal.holder_of(item), deal.count(holder, items) and the like",
                )
            return variable.value()
        if isinstance(named, (tuple, list)) and any(isinstance(part, str) for part in named):
            named = tuple(self.feature(part) if isinstance(part, str) else part for part in named)
        return as_feature(cast("FeatureLike", named))

    def evidence_of(self, values: Mapping[str, Any]) -> list[Evidence]:
        """The evidence that choices have these values, by name; of a walk, where it is now.

        Raises:
            EvidenceError: No choice and no walk has a name or a value.

        >>> from sleuth import Choice, Model
        >>> model = Model(Choice("season", ["dry", "wet"]))
        >>> [each.because for each in model.evidence_of({"season": "dry"})]
        ['season = dry']
        """
        found: list[Evidence] = []
        for name, value in values.items():
            if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise EvidenceError("not evidence", value=name, hint=OBSERVE)
            if isinstance(self._named.get(name), Deal):
                raise EvidenceError(
                    "a deal has no value of its own",
                    value=name,
                    hint="write deal.holds(holder, item), deal.lacks(...), deal.reveal(...)",
                )
            note = f"{name} = {value}"
            found.append(self.feature(name).equals(value).observed(because=note))
        return found

    def check(self, feature: Quantity) -> None:
        """Refuse a feature of a choice or a walk that was declared with other values.

        Raises:
            EvidenceError: The feature's values are not those of the model's choice or walk.

        >>> from sleuth import Choice, Model
        >>> Model(Choice("gold", ["left", "right"])).check(Choice("gold", ["here"]).value())
        Traceback (most recent call last):
            ...
        sleuth.data.errors.EvidenceError: the choice 'gold' of this model has other values ...
        """
        if not self._choices and not self._walks:
            return
        waiting = [feature.base]
        while waiting:
            part = waiting.pop()
            if isinstance(part, TupleOf):
                waiting.extend(part.parts)
            elif isinstance(part, CountEach):
                waiting.extend(condition.base for condition in part.conditions)
            elif isinstance(part, SumOf):
                waiting.extend(each.base for each in part.parts)
            elif isinstance(part, Value):
                self._same_values(part.choice, part.options)
            elif isinstance(part, At):
                known = self._walks.get(part.walk, part.positions)
                if known != part.positions:
                    raise EvidenceError(
                        f"the walk {part.walk!r} of this model has other positions",
                        value=part.describe(),
                        hint=f"they are {some_of(known)}",
                    )

    def _check_given(self, choice: Choice, given: Feature) -> None:
        try:
            self.check(given)
        except EvidenceError as error:
            raise DeclarationError(
                f"the prior cannot depend on this: {error}", where=f"choice {choice.name!r}"
            ) from error

    def check_step(self, step: WalkStep) -> None:
        """Refuse a step that depends on a choice that was declared with other values.

        Raises:
            EvidenceError: The values of the tables are not those of the model's choice.

        >>> from sleuth import Choice, Model, Walk
        >>> thief, gold = Walk("thief", ["dock", "inn"]), Choice("gold", ["left", "right"])
        >>> go = {"dock": ["inn"], "inn": ["dock"]}
        >>> Model(thief, gold).check_step(thief.step({"here": go}, by=Choice("gold", ["here"])))
        Traceback (most recent call last):
            ...
        sleuth.data.errors.EvidenceError: the choice 'gold' of this model has other values ...
        """
        if step.choice is not None:
            self._same_values(step.choice, step.options)

    def _same_values(self, choice: str, options: tuple[Any, ...]) -> None:
        known = self._choices.get(choice, options)
        if known != options:
            raise EvidenceError(
                f"the choice {choice!r} of this model has other values",
                value=options,
                hint=f"they are {some_of(known)}",
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
        from ..engines.base import feature_index, refuse_draw

        refuse_draw(n, int(self.layout.copies.sum()) + len(questions))

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
        from ..engines.base import feature_index

        wanted = self.feature(feature).on(self.layout)
        numbers, values = wanted.in_worlds(
            self.layout, lambda additive: feature_index(self.problem, additive, worlds)
        )
        return [values[number] for number in numbers]


def _row(variable: Variable) -> tuple[str, str, str]:
    """A variable in words."""
    if isinstance(variable, Deal):
        holders = ", ".join(f"{name} {size}" for name, size in variable.holders.items())
        return variable.name, f"{sum(variable.items.values())} items", f"dealt to {holders}"
    if isinstance(variable, Walk):
        return variable.name, f"{len(variable.positions)} positions", "moves"
    values = shorten(", ".join(map(str, variable.options)), 60)
    return variable.name, f"{len(variable.options)} values", values


@dataclass(frozen=True, eq=False, repr=False)
class Simulation:
    """Worlds drawn from a declaration, with answers.

    Attributes:
        model: What was declared.
        worlds: Slot of every physical card, shape (worlds, cards).
        answers: Place of the answer among the question's outcomes, shape (worlds, questions).

    >>> import numpy as np
    >>> from sleuth import Choice, Model, Question
    >>> coin = Choice("coin", ["heads", "tails"])
    >>> asked = Question(coin, {"heads": {"yes": 1.0}, "tails": {"no": 1.0}}, name="heads?")
    >>> drawn = Model(coin).simulate(3, np.random.default_rng(1), [asked])
    >>> drawn.value(coin), drawn.answers.ravel().tolist()
    (['tails', 'tails', 'heads'], [1, 1, 0])
    """

    model: Model
    worlds: np.ndarray[Any, np.dtype[np.int8]]
    answers: np.ndarray[Any, np.dtype[np.int64]]

    def __repr__(self) -> str:
        return f"<Simulation of {len(self)} worlds>"

    def __len__(self) -> int:
        return self.worlds.shape[0]

    def value(self, feature: Any) -> list[Any]:
        """The value of a feature in every world."""
        return self.model.value_of(feature, self.worlds)
