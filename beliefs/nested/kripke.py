"""The Kripke view of nested beliefs: what each player holds possible, and believes, in each world.

A model has worlds and players. For each player it says how plausible each world is to them in each
world. Worlds that are not ruled out are *possible* to a player. Among these the player *believes*
the worlds that a `Rule` picks. Both are relations between worlds; `formulas` are evaluated on them.

What is announced to everybody rules out worlds, and with them what players hold possible: `after`.

Sources: Fagin, Halpern, Moses and Vardi, "Reasoning About Knowledge" (1995), chapters 2 and 3;
Plaza, "Logics of Public Communications" (1989, reprinted in Synthese 158, 2007), for announcements;
Veldhuis, Jansen and Broers, "Saboteurs" (2012), for the absolute threshold.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from ...data.checks import listed
from ...data.errors import ContradictionError, CostError, SettingsError, nearest
from ...data.tables import html_note, html_shown, html_table
from ..arrays.layout import Floats, Integers
from ..infer import infer
from ..language.features import Condition, FeatureLike, as_feature
from ..language.priors import prior_weight
from ..modelling.model import Model
from ..posterior import Posterior
from .drawn_worlds import named_worlds, places
from .minds import Mind, Nesting
from .worlds import every_world

Flags = NDArray[np.bool_]
Knowledge = TypeVar("Knowledge", bound=Hashable)

#: Most worlds of a model: every player has a table of worlds by worlds.
MOST_WORLDS: Final = 2_500

#: Most worlds that a notebook lists.
MOST_SHOWN: Final = 12

MANY: Final = f"a Kripke model lists at most {MOST_WORLDS:,} worlds"
FEWER: Final = "look at the game later, when fewer are left, or draw minds with Nesting"

#: A player's view of a world: a function of it, or a feature of the belief that it is from.
View = Callable[[Any], Hashable] | FeatureLike


class Formula(Protocol):
    """Something that is true or false in each world of a model: a formula."""

    def truth(self, model: KripkeModel) -> Flags:
        """True for each world in which it is true; shape (worlds,)."""
        ...


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
    >>> from sleuth.nested import Fact, KripkeModel, Nesting, absolute
    >>> belief = KuhnPokerBelief()
    >>> card = belief.hidden(Play.new("kuhn_poker", seed=1).view(-1))["card of first"]
    >>> model = KripkeModel.of(Nesting(belief), (HIDDEN, HIDDEN), ("first", "second"))
    >>> len(model.worlds), model.truth(card.equals("king")).sum().item()
    (6, 2)
    >>> model.player("second"), len({*model.numbered(card).tolist()})  # three cards in six worlds
    (1, 3)
    >>> sum(model.holds(Fact(card.equals("king")), world) for world in model.worlds)
    2
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

    def _repr_html_(self) -> str:
        """Its worlds, and how many each player holds possible there."""
        counts = self.possible.sum(axis=-1)
        rows = [
            (str(world), *(str(each) for each in counts[:, place].tolist()))
            for place, world in enumerate(self.worlds[:MOST_SHOWN])
        ]
        heads = ("world", *(f"possible for {player}" for player in self.players))
        left = len(self.worlds) - MOST_SHOWN
        more = [html_note(f"and {left:,} more")] if left > 0 else []
        return html_shown(html_table(heads, rows, caption=f"{len(self.worlds):,} worlds"), *more)

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
            raise CostError(MANY, hint=FEWER)
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

    @staticmethod
    def of_views(
        worlds: Iterable[Any] | Mapping[Any, float] | Model | Posterior,
        views: Mapping[str, View],
        *,
        rule: Rule = HALF,
    ) -> KripkeModel:
        """The model of worlds of which each player sees a part.

        In every world a player holds those worlds possible that look the same to them.

        Args:
            worlds: All of them, equally likely; or a mapping from world to prior weight; or a model
                or a posterior, whose worlds are named as `Posterior.sample` gives them.
            views: For each player what they see: a function of the world, or a feature of the
                model.
            rule: Which worlds are believed.

        Raises:
            CostError: There are too many worlds.
            SettingsError: There is no world, or no player, or what somebody sees is not hashable.

        >>> from sleuth import Choice, Model
        >>> from sleuth.nested import Fact, Knows, KripkeModel
        >>> coins = ["HH", "HT", "TH", "TT"]
        >>> model = KripkeModel.of_views(coins, {"ann": lambda both: both[0], "bob": lambda _: 0})
        >>> two_heads = Fact("two heads", lambda both: both == "HH")
        >>> model.holds(Knows("ann", two_heads), "HH"), model.holds(Knows("ann", ~two_heads), "TT")
        (False, True)
        >>> one, other = (Choice(name, ["heads", "tails"]) for name in ("one", "other"))
        >>> model = KripkeModel.of_views(Model(one, other), {"ann": one, "bob": other})
        >>> len(model.worlds), model.holds(Knows("ann", Fact(one.equals("tails"))), model.worlds[3])
        (4, True)
        """
        if not isinstance(views, Mapping) or not views:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise SettingsError(
                "say for each player what they see",
                value=views,
                hint='write {"ann": lambda w: ...}',
            )
        posterior = infer(worlds) if isinstance(worlds, Model) else worlds
        if isinstance(posterior, Posterior):
            found = every_world(posterior, most=MOST_WORLDS)
            if found is None:
                raise CostError(MANY, hint=FEWER)
            rows, shares = found
            names = named_worlds(posterior, rows)
        else:
            names, shares = _weighed(posterior)
            posterior, rows = None, None
        if not names:
            raise SettingsError("a Kripke model needs a world", value=len(names))
        alike = np.broadcast_to(shares, (1, len(names), len(names)))
        model = KripkeModel(tuple(names), ("anybody",), alike, rule, posterior, rows)
        tables: list[Floats] = []
        for view in views.values():
            seen = model.numbered(view)
            table = (seen[:, None] == seen[None, :]) * shares
            tables.append(table / table.sum(axis=1, keepdims=True))
        return replace(model, players=tuple(views), plausibility=np.stack(tables))

    def after(self, *announced: Formula) -> KripkeModel:
        """The model after something true was announced to everybody, and they know that it was.

        Only worlds in which it is true are left; what each player holds plausible there keeps its
        proportions. What is said about knowledge was true when it was said: it need not be so
        afterwards ("you do not know it, but it rains"). Somebody who had ruled out all that is left
        holds nothing possible then.

        Args:
            announced: Formulas, one after the other: each is about the model after those before.

        Raises:
            ContradictionError: One of them is true nowhere.
            SettingsError: One is no formula.

        >>> from itertools import product
        >>> from sleuth.nested import Fact, KnowsValue, KripkeModel
        >>> heads = [*product(["mud", "clean"], repeat=2)]  # of Ann and Bob, who see each other
        >>> model = KripkeModel.of_views(heads, {"ann": lambda h: h[1], "bob": lambda h: h[0]})
        >>> model = model.after(Fact("one of them is muddy", lambda h: "mud" in h))
        >>> model.holds(KnowsValue("ann"), ("mud", "mud"))
        False
        >>> model.after(~KnowsValue("ann") & ~KnowsValue("bob")).worlds
        (('mud', 'mud'),)
        """
        model = self
        for number, formula in enumerate(announced):
            # A condition has a `truth` of another kind.
            if not callable(getattr(formula, "truth", None)):
                raise SettingsError(
                    "a formula is announced", value=formula, hint="write Fact(condition)"
                )
            kept = np.flatnonzero(formula.truth(model))
            if not kept.size:
                raise ContradictionError(
                    f"announcement {number + 1} of {len(announced)} is true in none of the "
                    f"{len(model.worlds)} worlds that are left"
                )
            before = model.plausibility
            table = before[:, kept[:, None], kept]
            left = table.sum(axis=-1, keepdims=True)
            share = before[:, kept].sum(axis=-1, keepdims=True) / np.where(left > 0.0, left, 1.0)
            model = replace(
                model,
                worlds=tuple(model.worlds[place] for place in kept),
                plausibility=table * share,
                rows=None if model.rows is None else model.rows[kept],
            )
        return model

    def holds(self, formula: Formula, world: Any) -> bool:
        """True if a formula is true in one of the worlds, which is called by its name.

        Raises:
            SettingsError: There is no such world (any more).
        """
        if world not in self.worlds:
            raise SettingsError("the model has no such world", value=world)
        return bool(formula.truth(self)[self.worlds.index(world)])

    def player(self, player: int | str) -> int:
        """The number of a player, who may be called by it or by their name.

        Raises:
            SettingsError: There is no such player.
        """
        if isinstance(player, str):
            if player in self.players:
                return self.players.index(player)
        elif isinstance(player, int | np.integer) and 0 <= player < len(self.players):  # pyright: ignore[reportUnnecessaryIsInstance]
            return int(player)
        raise SettingsError(
            "the model has no such player", value=player, hint=nearest(player, self.players)
        )

    def numbered(self, view: View) -> Integers:
        """Equal numbers for worlds in which a view is the same; shape (worlds,).

        Raises:
            SettingsError: The view is a feature, and the model was not made from a belief; or a
                value of it is not hashable.
        """
        if not callable(view):
            return places(self._known(view), view, self.rows)
        numbers: dict[Hashable, int] = {}
        try:
            return np.array([numbers.setdefault(view(w), len(numbers)) for w in self.worlds])
        except TypeError as error:
            raise SettingsError(
                f"a view of {self.worlds[0]!r} cannot be compared: {error}", hint="return a tuple"
            ) from None

    def truth(self, condition: Condition) -> Flags:
        """In which worlds a condition of the belief is true; shape (worlds,).

        Raises:
            SettingsError: The model was not made from a belief.
        """
        return places(self._known(condition), condition, self.rows).astype(bool)

    def _known(self, feature: FeatureLike) -> Posterior:
        if self.posterior is None:
            raise SettingsError(
                "this model has no belief that knows the condition",
                value=as_feature(feature).describe(),
                hint="use Fact(name, truth)",
            )
        return self.posterior

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
        return replace(self, rule=rule)

    def properties(self) -> dict[str, dict[str, bool]]:
        """For each player, which laws the relation of belief obeys."""
        return {
            player: {law: test(self.believed[number]) for law, test in LAWS.items()}
            for number, player in enumerate(self.players)
        }


def _weighed(worlds: Iterable[Any]) -> tuple[list[Any], Floats]:
    """The possible ones of some listed worlds, and how likely each is."""
    if isinstance(worlds, (str, set, frozenset)) or not isinstance(worlds, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise SettingsError("worlds are a list, in an order that is theirs", value=worlds)
    names = listed(worlds, MOST_WORLDS, MANY, error=CostError, hint=FEWER)
    weights = [1.0] * len(names)
    if isinstance(worlds, Mapping):
        prior = cast("Mapping[Any, Any]", worlds)
        weights = [prior_weight(name, prior[name], "worlds") for name in names]
    kept = [(name, weight) for name, weight in zip(names, weights, strict=True) if weight > 0.0]
    shares = np.array([weight for _, weight in kept])
    return [name for name, _ in kept], shares / shares.sum()


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
