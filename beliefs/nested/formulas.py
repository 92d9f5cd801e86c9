"""Formulas of belief and knowledge, evaluated in every world of a Kripke model.

Believes(1, Believes(0, king))              player 1 believes that player 0 believes it
Knows(0, ~king) | Believes(0, king, given=queen_is_out)
KnowsValue("ann", hand)                     Ann knows what is in it
Common(king)                                everybody believes it, believes that everybody does, ...
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...data.errors import SettingsError
from ..language.features import Condition
from .kripke import Flags, Formula, KripkeModel, View


class Connected:
    """A formula that can be combined: ``~f``, ``f & g``, ``f | g`` and ``f >> g`` (implies)."""

    def truth(self, model: KripkeModel) -> Flags:
        """True for each world in which it is true; shape (worlds,)."""
        raise NotImplementedError

    def __invert__(self) -> Not:
        return Not(self)

    def __and__(self, other: Formula) -> And:
        return And(self, other)

    def __or__(self, other: Formula) -> Not:
        return Not(And(Not(self), Not(other)))

    def __rshift__(self, other: Formula) -> Not:
        return Not(And(self, Not(other)))


@dataclass(frozen=True)
class Fact(Connected):
    """A condition of the belief that the model was made from, or a name and where it is so.

    Where it is so is said by a function of the world, or by a truth value for each world.

    >>> import numpy as np
    >>> from sleuth.nested import Fact, KripkeModel
    >>> model = KripkeModel(("rain", "sun"), ("ann",), np.full((1, 2, 2), 0.5))
    >>> Fact("it rains", (True, False)).truth(model).tolist()
    [True, False]
    >>> Fact("it rains", lambda world: world == "rain").truth(model).tolist()
    [True, False]
    """

    condition: Condition | str
    by_world: tuple[bool, ...] | Callable[[Any], bool] = ()

    def __post_init__(self) -> None:
        if callable(self.condition):
            raise SettingsError(
                "a fact that is a function of the world needs a name before it",
                value=self.condition,
                hint='write Fact("later", test)',
            )

    def truth(self, model: KripkeModel) -> Flags:
        if isinstance(self.condition, Condition):
            return model.truth(self.condition)
        if callable(self.by_world):
            return np.array([bool(self.by_world(world)) for world in model.worlds])
        if len(self.by_world) != len(model.worlds):
            raise SettingsError(
                f"{self.condition!r} needs a truth value for each of {len(model.worlds)} worlds",
                value=len(self.by_world),
                hint="write a function of the world, which also fits what an announcement leaves",
            )
        return np.array(self.by_world, dtype=bool)


@dataclass(frozen=True)
class Not(Connected):
    """It is not so."""

    what: Formula

    def truth(self, model: KripkeModel) -> Flags:
        return ~self.what.truth(model)


@dataclass(frozen=True)
class And(Connected):
    """Both are so."""

    one: Formula
    other: Formula

    def truth(self, model: KripkeModel) -> Flags:
        return self.one.truth(model) & self.other.truth(model)


@dataclass(frozen=True)
class Believes(Connected):
    """A player believes it: it is true in all worlds that they believe.

    With ``given``, it is what they would believe if they learned that: among the worlds that they
    hold possible and where it is true, the model's rule picks anew.

    >>> import numpy as np
    >>> from sleuth.nested import Believes, Fact, KripkeModel
    >>> plausibility = np.array([[[0.8, 0.2], [0.8, 0.2]]])  # in either world rain is likelier
    >>> model = KripkeModel(("rain", "sun"), ("ann",), plausibility)
    >>> rains = Fact("it rains", (True, False))
    >>> Believes(0, rains).truth(model).tolist()
    [True, True]
    >>> Believes(0, rains, given=~rains).truth(model).tolist()
    [False, False]
    """

    player: int | str
    what: Formula
    given: Formula | None = None

    def truth(self, model: KripkeModel) -> Flags:
        player = model.player(self.player)
        relation = model.believed[player]
        if self.given is not None:
            learned = model.plausibility[player] * self.given.truth(model)
            relation = model.rule.believed(learned)
        return _in_all(relation, self.what.truth(model))


@dataclass(frozen=True)
class Knows(Connected):
    """A player knows it: it is true in all worlds that they hold possible.

    >>> import numpy as np
    >>> from sleuth.nested import Fact, Knows, KripkeModel
    >>> model = KripkeModel(("rain", "sun"), ("ann", "bob"), np.array([np.eye(2), np.ones((2, 2))]))
    >>> rains = Fact("it rains", (True, False))
    >>> Knows(0, rains).truth(model).tolist(), Knows(1, rains).truth(model).tolist()
    ([True, False], [False, False])
    >>> Knows(1, Knows(0, rains) | Knows(0, ~rains)).truth(model).tolist()
    [True, True]
    """

    player: int | str
    what: Formula

    def truth(self, model: KripkeModel) -> Flags:
        return _in_all(model.possible[model.player(self.player)], self.what.truth(model))


@dataclass(frozen=True)
class KnowsValue(Connected):
    """A player knows a value, whatever it is: it is the same in all worlds they hold possible.

    Of what is asked is said by a function of the world, or by a feature of the belief that the
    model was made from. Without it, they know which world they are in. Source: Plaza, "Logics of
    Public Communications" (1989), section 4.

    >>> from sleuth.nested import KnowsValue, KripkeModel
    >>> dates = [("May", 15), ("May", 16), ("June", 16)]
    >>> model = KripkeModel.of_views(dates, {"ann": lambda d: d[0], "bob": lambda d: d[1]})
    >>> KnowsValue("ann").truth(model).tolist(), KnowsValue("bob").truth(model).tolist()
    ([False, False, True], [True, False, False])
    >>> KnowsValue("ann", lambda date: date[0]).truth(model).tolist()  # she sees the month
    [True, True, True]
    """

    player: int | str
    of: View | None = None

    def truth(self, model: KripkeModel) -> Flags:
        possible = model.possible[model.player(self.player)]
        if self.of is None:
            return np.asarray(possible.sum(axis=1) <= 1)
        values = model.numbered(self.of)
        least = np.where(possible, values, values.max()).min(axis=1)
        most = np.where(possible, values, values.min()).max(axis=1)
        return np.asarray(least >= most)


@dataclass(frozen=True)
class Everybody(Connected):
    """Every player believes it (with ``knows``, knows it)."""

    what: Formula
    knows: bool = False

    def truth(self, model: KripkeModel) -> Flags:
        return _in_all(_anybody(model, knows=self.knows), self.what.truth(model))


@dataclass(frozen=True)
class Common(Connected):
    """Common belief (with ``knows``, knowledge): everybody believes it, and that, and so on.

    It is true in all worlds that chains of any length of the players' beliefs lead to.

    >>> import numpy as np
    >>> from sleuth.nested import Common, Fact, KripkeModel
    >>> model = KripkeModel(("rain", "sun"), ("ann", "bob"), np.array([np.eye(2), np.ones((2, 2))]))
    >>> Common(Fact("it rains", (True, False))).truth(model).tolist()
    [False, False]
    >>> Common(Fact("there is weather", (True, True)), knows=True).truth(model).tolist()
    [True, True]
    """

    what: Formula
    knows: bool = False

    def truth(self, model: KripkeModel) -> Flags:
        relation = _anybody(model, knows=self.knows)
        holds = _in_all(relation, self.what.truth(model))
        while True:
            # The greatest fixed point of E(what and common).
            further = holds & _in_all(relation, holds)
            if (further == holds).all():
                return holds
            holds = further


def _anybody(model: KripkeModel, *, knows: bool) -> Flags:
    return np.asarray((model.possible if knows else model.believed).any(axis=0))


def _in_all(relation: Flags, truth: Flags) -> Flags:
    """True for each world that leads only to worlds that have it."""
    return np.asarray(~(relation & ~truth[None, :]).any(axis=1))
