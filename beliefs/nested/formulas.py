"""Formulas of belief and knowledge, evaluated in every world of a Kripke model.

Believes(1, Believes(0, king))              player 1 believes that player 0 believes it
Knows(0, ~king) | Believes(0, king, given=queen_is_out)
Common(king)                                everybody believes it, believes that everybody does, ...
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ...data.errors import SettingsError
from ..language.features import Condition
from .kripke import Flags, KripkeModel


class Formula(Protocol):
    """Something that is true or false in each world of a model."""

    def truth(self, model: KripkeModel) -> Flags:
        """True for each world in which it is true; shape (worlds,)."""
        ...


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
    """A condition of the belief that the model was made from, or a name with its truth by world.

    >>> import numpy as np
    >>> from sleuth.nested import Fact, KripkeModel
    >>> model = KripkeModel(("rain", "sun"), ("ann",), np.full((1, 2, 2), 0.5))
    >>> Fact("it rains", (True, False)).truth(model).tolist()
    [True, False]
    """

    condition: Condition | str
    by_world: tuple[bool, ...] = ()

    def truth(self, model: KripkeModel) -> Flags:
        if isinstance(self.condition, Condition):
            return model.truth(self.condition)
        if len(self.by_world) != len(model.worlds):
            raise SettingsError(
                f"{self.condition!r} needs a truth value for each of {len(model.worlds)} worlds",
                value=len(self.by_world),
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

    player: int
    what: Formula
    given: Formula | None = None

    def truth(self, model: KripkeModel) -> Flags:
        relation = model.believed[self.player]
        if self.given is not None:
            learned = model.plausibility[self.player] * self.given.truth(model)
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

    player: int
    what: Formula

    def truth(self, model: KripkeModel) -> Flags:
        return _in_all(model.possible[self.player], self.what.truth(model))


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
