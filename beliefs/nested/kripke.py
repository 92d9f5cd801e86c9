"""The Kripke view of nested beliefs: what each player holds possible, and believes, in each world.

A model has worlds and players. For each player it says how plausible each world is to them in each
world. Worlds that are not ruled out are *possible* to a player. Among these the player *believes*
the worlds that a `Rule` picks. Both are relations between worlds; `formulas` are evaluated on them.

Sources: Fagin, Halpern, Moses and Vardi, "Reasoning About Knowledge" (1995), chapters 2 and 3;
Veldhuis, Jansen and Broers, "Saboteurs" (2012), for the absolute threshold.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...data.errors import ContradictionError, CostError, SettingsError
from ..arrays.layout import Floats
from ..language.features import Condition
from ..posterior import Posterior
from .drawn_worlds import places
from .minds import Mind, Nesting
from .worlds import every_world

Flags = NDArray[np.bool_]
Knowledge = TypeVar("Knowledge", bound=Hashable)

#: Most worlds of a model: every player has a table of worlds by worlds.
MOST_WORLDS: Final = 2_000


@dataclass(frozen=True)
class Rule:
    """The rule by which possible worlds are believed.

    Attributes:
        least: The least plausibility of a world that is believed.
        relative: Whether that is a share of the most plausible world's. Then something is always
            believed. Otherwise it is compared as it is, and it may be that nothing is believed.
    """

    least: float
    relative: bool = True

    def believed(self, plausibility: Floats) -> Flags:
        """True for each world that is believed; the last axis has the worlds."""
        possible = plausibility > 0.0
        least = self.least
        if self.relative:
            least = self.least * plausibility.max(axis=-1, keepdims=True)
        return possible & (plausibility >= least)


#: The most plausible worlds, and those at least half as plausible.
HALF: Final = Rule(0.5)


def relative(share: float) -> Rule:
    """Worlds at least ``share`` times as plausible as the most plausible one are believed.

    With 1 it is the most plausible worlds, near 0 all that are possible: knowledge.

    Raises:
        SettingsError: The share is not above 0 and at most 1.

    >>> import numpy as np
    >>> from sleuth.nested import relative
    >>> relative(0.5).believed(np.array([0.6, 0.3, 0.1])).tolist()
    [True, True, False]
    """
    if not 0.0 < share <= 1.0:
        raise SettingsError("a share is above 0 and at most 1", value=share, hint="write 0.5")
    return Rule(share)


def absolute(least: float) -> Rule:
    """Worlds of at least this plausibility are believed: the kind of rule of "Saboteurs" (2012).

    Nothing may be left to believe, and the relation is then not serial.

    >>> import numpy as np
    >>> from sleuth.nested import absolute
    >>> absolute(0.5).believed(np.array([0.6, 0.3, 0.1])).tolist()
    [True, False, False]
    """
    return Rule(least, relative=False)


@dataclass(frozen=True, eq=False)
class KripkeModel:
    """Worlds, and what each player holds plausible in each of them.

    Attributes:
        worlds: A name for each world.
        players: The players' names.
        plausibility: For each player, in each world, how plausible every world is; shape
            (players, worlds, worlds). 0 is impossible.
        rule: Which worlds are believed.
        posterior: What the worlds come from, if they come from a belief.
        rows: The worlds as rows of its ``sample_array``.

    Raises:
        SettingsError: The shapes do not fit, or a plausibility is negative or not finite.

    >>> from sleuth import HIDDEN, Play
    >>> from sleuth.games.small import KuhnPokerBelief
    >>> from sleuth.nested import KripkeModel, Nesting, absolute
    >>> belief = KuhnPokerBelief()
    >>> card = belief.hidden(Play.new("kuhn_poker", seed=1).view(-1))["card of first"]
    >>> model = KripkeModel.of(Nesting(belief), (HIDDEN, HIDDEN), ("first", "second"))
    >>> len(model.worlds), model.truth(card.equals("king")).sum().item()
    (6, 2)
    >>> model.possible[0].sum(axis=1).tolist()  # how many each world leads the first player to
    [2, 2, 2, 2, 2, 2]
    >>> model.properties()["second"]["reflexive"]
    True
    >>> model.with_rule(absolute(0.6)).believed.any().item()
    False
    """

    worlds: tuple[Any, ...]
    players: tuple[str, ...]
    plausibility: Floats
    rule: Rule = HALF
    posterior: Posterior | None = None
    rows: Any = None

    def __post_init__(self) -> None:
        shape = (len(self.players), len(self.worlds), len(self.worlds))
        if self.plausibility.shape != shape:
            raise SettingsError(
                f"plausibility has the shape (players, worlds, worlds), here {shape}",
                value=self.plausibility.shape,
            )
        if not (np.isfinite(self.plausibility) & (self.plausibility >= 0.0)).all():
            raise SettingsError("a plausibility is a finite number that is not negative")

    @staticmethod
    def of(
        nesting: Nesting[Knowledge],
        known: Knowledge,
        players: Sequence[str],
        *,
        rule: Rule = HALF,
        name: Callable[[tuple[int, ...]], Any] | None = None,
    ) -> KripkeModel:
        """The model of all worlds that one viewer holds possible.

        For what is common knowledge, take what a spectator knows.

        Args:
            nesting: The game's nested beliefs.
            known: What that viewer knows.
            players: The names of the players, in the order of their numbers.
            rule: Which worlds are believed.
            name: A world's name, from its row; by default the row itself.

        Raises:
            CostError: There are too many worlds to list.
        """
        mind = nesting.mind(known)
        found = every_world(mind.posterior, most=MOST_WORLDS)
        if found is None:
            raise CostError(
                f"a Kripke model lists at most {MOST_WORLDS:,} worlds",
                hint="look at the game later, when fewer are left, or draw minds with Nesting",
            )
        rows = [tuple(row) for row in found[0].tolist()]
        number = {row: place for place, row in enumerate(rows)}
        plausibility = np.zeros((len(players), len(rows), len(rows)))
        rng = np.random.default_rng(nesting.seed)
        # In many worlds a player is of the same mind: what it holds possible is listed once.
        held: dict[Mind[Knowledge], Floats] = {}
        for player in range(len(players)):
            for place, row in enumerate(rows):
                theirs = nesting.mind(nesting.belief.supposed(known, row, player, rng))
                if theirs not in held:
                    held[theirs] = _on(theirs.posterior, number)
                plausibility[player, place] = held[theirs]
        names = tuple(rows if name is None else (name(row) for row in rows))
        return KripkeModel(names, tuple(players), plausibility, rule, mind.posterior, found[0])

    def truth(self, condition: Condition) -> Flags:
        """In which worlds a condition of the belief is true; shape (worlds,).

        Raises:
            SettingsError: The model was not made from a belief.
        """
        if self.posterior is None:
            raise SettingsError(
                "this model has no belief that knows the condition",
                value=condition.describe(),
                hint="use Fact(name, truth)",
            )
        return places(self.posterior, condition, self.rows).astype(bool)

    @cached_property
    def possible(self) -> Flags:
        """The worlds each player holds possible in each world; shape (players, worlds, worlds)."""
        return np.asarray(self.plausibility > 0.0)

    @cached_property
    def believed(self) -> Flags:
        """The worlds each player believes in each world; shape (players, worlds, worlds)."""
        return self.rule.believed(self.plausibility)

    def with_rule(self, rule: Rule) -> KripkeModel:
        """The same model with another rule."""
        return KripkeModel(
            self.worlds, self.players, self.plausibility, rule, self.posterior, self.rows
        )

    def properties(self) -> dict[str, dict[str, bool]]:
        """For each player, which laws the relation of belief obeys."""
        return {
            player: {law: test(self.believed[number]) for law, test in LAWS.items()}
            for number, player in enumerate(self.players)
        }


def _on(posterior: Posterior, number: dict[tuple[int, ...], int]) -> Floats:
    """The probability of each numbered world."""
    found = every_world(posterior, most=MOST_WORLDS)
    if found is None:
        raise CostError(f"a player holds more than {MOST_WORLDS:,} worlds possible")
    shares = np.zeros(len(number))
    for row, chance in zip(found[0].tolist(), found[1].tolist(), strict=True):
        place = number.get(tuple(row))
        if place is None:
            raise ContradictionError(
                f"a player holds a world possible that the viewer rules out: {row}; "
                "begin with what everybody knows",
                evidence=[],
            )
        shares[place] = chance
    return shares


# -- laws of a relation, shape (worlds, worlds)


def serial(relation: Flags) -> bool:
    """True if every world leads to one (D: nobody believes a contradiction)."""
    return bool(relation.any(axis=1).all())


def reflexive(relation: Flags) -> bool:
    """True if every world leads to itself (T: what is known is true)."""
    return bool(relation.diagonal().all())


def transitive(relation: Flags) -> bool:
    """True if what is led to in two steps is led to in one (4: positive introspection)."""
    return not bool((_steps(relation, relation) & ~relation).any())


def euclidean(relation: Flags) -> bool:
    """True if worlds that one world leads to lead to each other (5: negative introspection)."""
    return not bool((_steps(relation.T, relation) & ~relation).any())


def symmetric(relation: Flags) -> bool:
    """True if each step can be gone back."""
    return bool((relation == relation.T).all())


def _steps(first: Flags, second: Flags) -> Flags:
    return np.asarray((first.astype(np.float32) @ second.astype(np.float32)) > 0.0)


#: The laws by name. Belief is KD45 (serial, transitive, Euclidean), knowledge S5 (reflexive too).
LAWS: Final = {
    "serial": serial,
    "reflexive": reflexive,
    "transitive": transitive,
    "euclidean": euclidean,
    "symmetric": symmetric,
}
