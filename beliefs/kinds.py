"""Kinds of players: a `Choice` for each player, and what they do as evidence on it.

A model of behaviour says how likely an action is with each thing that its player may hold. Which
of several models fits a player is hidden as well, so it is declared: every player has a kind, and
an action weighs the pairs of what they hold and of what kind they are. Nothing else is new: the
kind has a marginal like anything hidden, and what a kind explains badly makes it unlikely.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, cast

import numpy as np
from numpy.typing import ArrayLike

from ..data.checks import is_number
from ..data.errors import DeclarationError, EvidenceError, nearest
from .arrays.layout import Floats
from .arrays.transitions import Transition
from .language.evidence import Evidence, WalkStep
from .language.features import Feature, as_feature, together
from .language.likelihoods import Likelihood, tabulate
from .language.priors import normalised, prior_weight
from .language.variables import Choice
from .language.walk import Walk
from .posterior import Posterior

#: The kind of those who are of no other kind: they take any action, whatever they hold.
NONE: Final = "none of these"
#: By how much a probability may come out above 1.
ROUNDING: Final = 1e-9
#: How common they usually are.
NONE_SHARE: Final = 0.1
#: How often a player of any kind does something at random.
SLIP: Final = 0.02


@dataclass(frozen=True, init=False)
class Kinds:
    """The kinds of players that there are, and how common each is.

    A likelihood that is wrong about a player misleads, the more the surer it is of itself. Two
    things keep that small. Every kind is taken to act at random now and then (``slip``), so that
    no action is impossible for any of them, and no kind can rule out what is true. And there is
    one kind more, of those who always act at random: of a player whom no other kind explains
    better, nothing is concluded.

    Args:
        common: How common each kind is: weights by their names, or names that are equally likely.
        none: How common players are who are of none of these kinds; 0 if there are none.
        slip: How often players of each kind act at random.

    Attributes:
        names: Of the kinds, `NONE` the last.
        prior: Their probabilities, by the names.

    Raises:
        DeclarationError: A name is missing, given twice or `NONE`, or a weight is none.

    >>> from sleuth import Deal, Model, infer
    >>> from sleuth.predictors import Kinds
    >>> cards = Deal(["ace", "king", "queen"], holders={"me": 1, "you": 1, "table": 1})
    >>> kinds = Kinds({"careful": 1, "bold": 1}, none=0.5)
    >>> ace = cards.holder_of("ace").equals("you")
    >>> belief = infer(Model(cards, kinds.of("you")))
    >>> raised = {"careful": {True: 0.9, False: 0.1}, "bold": {True: 0.9, False: 0.8}}
    >>> said = kinds.evidence("you", ace, raised, at_random=0.5, because="you raised")
    >>> belief = belief.observe(said, cards.lacks("you", "ace", because="you had no ace"))
    >>> {kind: round(p, 2) for kind, p in belief.marginal(kinds.of("you")).items()}
    {'careful': 0.06, 'bold': 0.42, 'none of these': 0.53}
    """

    names: tuple[str, ...]
    prior: tuple[float, ...]
    slip: float

    def __init__(
        self,
        common: Mapping[str, float] | Iterable[str],
        *,
        none: float = NONE_SHARE,
        slip: float = SLIP,
    ) -> None:
        where = "kinds of players"
        weights = cast("Mapping[str, float]", common) if isinstance(common, Mapping) else None
        if not isinstance(cast(object, common), Iterable) or isinstance(common, str):
            raise DeclarationError(
                "kinds are named",
                where=where,
                value=cast(object, common),
                hint="write Kinds({'honest': 3, 'bluffer': 1})",
            )
        names = tuple(cast("Iterable[str]", common))
        for name in names:
            if not isinstance(name, str) or not name or name == NONE:  # pyright: ignore[reportUnnecessaryIsInstance]
                raise DeclarationError(
                    "a kind needs a name of its own", where=where, value=name, hint=f"not {NONE!r}"
                )
        if not names or len(set(names)) != len(names):
            raise DeclarationError(
                "name each kind once, and at least one", where=where, value=names
            )
        for word, share, most in (("none", none, 1.0), ("slip", slip, 1.0)):
            if not is_number(share) or not 0.0 <= share < most:
                raise DeclarationError(
                    f"{word}= is a probability below 1", where=where, value=share
                )
        given = [
            1.0 if weights is None else prior_weight(name, weights[name], where) for name in names
        ]
        shares = [(1.0 - none) * share for share in normalised(given, where)]
        if none:
            names, shares = (*names, NONE), [*shares, none]
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "prior", tuple(shares))
        object.__setattr__(self, "slip", float(slip))

    def of(self, player: str) -> Choice:
        """The kind of a player: a hidden variable, to be declared in the model.

        Raises:
            DeclarationError: The player has no name.
        """
        if not isinstance(player, str) or not player:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise DeclarationError(
                "a player is named", where="kinds of players", value=player, hint="write of('anna')"
            )
        return _choice(player, self.names, self.prior)

    # -- what an action says

    def chances(self, given: Mapping[str, ArrayLike], *, at_random: ArrayLike) -> Floats:
        """The probability of an action for each kind, slips included; shape (kinds, ...).

        Args:
            given: For each kind its likelihood of the action: an array, such as by the values of
                a feature, of the same shape for all; or a number.
            at_random: How likely the action is for who acts at random: the same, or a number. One
                in 324, if the player could choose among 324 actions.

        Raises:
            EvidenceError: A kind is unknown or missing, or something is no likelihood.

        >>> from sleuth.predictors import Kinds
        >>> kinds = Kinds(["careful", "bold"], none=0.1, slip=0.0)
        >>> kinds.names
        ('careful', 'bold', 'none of these')
        >>> kinds.chances({"careful": [0.1, 0.9], "bold": [0.8, 0.9]}, at_random=0.5).tolist()
        [[0.1, 0.9], [0.8, 0.9], [0.5, 0.5]]
        """
        told = [name for name in self.names if name != NONE]
        _check_by_kind(given)
        for name in given:
            if name not in told:
                raise EvidenceError("unknown kind", value=name, hint=nearest(name, told))
        for name in told:
            if name not in given:
                raise EvidenceError("a kind has no likelihood of this action", value=name)
        rows = [_numbers(given[name], f"kind {name!r}") for name in told]
        rows += [_numbers(at_random, "at_random")] * (1 + (NONE in self.names))
        try:
            table = np.array(np.broadcast_arrays(*rows))
        except ValueError as error:
            raise EvidenceError(
                "the likelihoods of all kinds need one shape", value=[row.shape for row in rows]
            ) from error
        if not (np.isfinite(table) & (table >= 0.0)).all():
            raise EvidenceError("a likelihood is finite and not negative", value=table.min())
        chance, random = table[:-1], table[-1]
        return (1.0 - self.slip) * chance + self.slip * random

    def evidence(
        self,
        player: str,
        feature: Feature | None,
        likelihoods: Mapping[str, Likelihood | float],
        *,
        at_random: Likelihood | float,
        because: str = "",
        id: str | None = None,
        event: int | None = None,
    ) -> Evidence:
        """The evidence of an action on what its player holds, and on their kind; exact.

        Args:
            player: Who acted.
            feature: What the action depends on. None for an action that says nothing but of the
                kind; then likelihoods are numbers.
            likelihoods: For each kind P(action | value), as `Feature.weigh` takes it, or one number
                for all values. These have to be probabilities of the same thing: kinds are told
                apart by their size.
            at_random: The same for who acts at random.
            because, id, event: As for `Feature.weigh`.

        Raises:
            EvidenceError: A kind is unknown or missing, or something is no likelihood.
        """
        kind = self.of(player).value()
        feature = None if feature is None else as_feature(feature)
        _check_by_kind(likelihoods)
        rows = {name: _row(feature, each) for name, each in likelihoods.items()}
        table = self.chances(rows, at_random=_row(feature, at_random))
        if table.max() > 1.0 + ROUNDING:
            raise EvidenceError(
                "kinds are told apart by how likely each made an action: that is a probability",
                where=because or player,
                value=float(table.max()),
                hint="write at most 1, for at_random as well",
            )
        of = kind if feature is None else together(feature, kind)
        return Evidence(of, table.T.ravel(), because, id, event)

    def step(
        self,
        player: str,
        walk: Walk,
        ways: Transition,
        chances: Mapping[str, ArrayLike],
        *,
        at_random: ArrayLike,
        because: str = "",
        id: str | None = None,
        event: int | None = None,
    ) -> WalkStep:
        """A step of a walk whose player has a kind.

        Args:
            player: Who steps.
            walk: Where they are.
            ways: What steps there are, and their weights.
            chances: For each kind P(step | where it begins), in the order of ``ways``.
            at_random: The same for who steps at random.
            because, id, event: As for `Walk.step`.

        Raises:
            EvidenceError: A kind is unknown or missing, or something is no likelihood.

        >>> from sleuth import Model, Walk, infer
        >>> from sleuth.predictors import Kinds
        >>> kinds = Kinds(["lazy", "busy"], none=0.0, slip=0.0)
        >>> thief = Walk("thief", ["dock", "inn"], start=["dock"])
        >>> ways = thief.transition({"dock": ["dock", "inn"], "inn": ["inn"]})  # three steps
        >>> moved = kinds.step(
        ...     "thief", thief, ways, {"lazy": [1, 0, 1], "busy": [0, 1, 1]}, at_random=1
        ... )
        >>> belief = infer(Model(thief, kinds.of("thief")), [moved, thief.seen_at("inn")])
        >>> belief.marginal(kinds.of("thief"))
        {'busy': 1.0}
        """
        table = self.chances(chances, at_random=at_random)
        tables = {name: ways.times(row) for name, row in zip(self.names, table, strict=True)}
        choice = self.of(player)
        return walk.step(tables, by=choice, because=because, id=id, event=event)


def _check_by_kind(given: object) -> None:
    if not isinstance(given, Mapping):
        raise EvidenceError(
            "a likelihood is needed for each kind, by its name",
            value=given,
            hint="write {'honest': ..., 'bluffer': ...}",
        )


def _numbers(given: ArrayLike, where: str) -> Floats:
    try:
        return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise EvidenceError("a likelihood is a number", where=where, value=given) from error


def _row(feature: Feature | None, likelihood: Likelihood | float) -> Floats:
    if is_number(likelihood):
        return np.full(1 if feature is None else feature.value_count, float(likelihood))  # pyright: ignore[reportArgumentType]
    if feature is None:
        raise EvidenceError("without a feature a likelihood is a number", value=likelihood)
    # Some kinds never do some things, whatever they hold.
    return tabulate(feature, likelihood, possible=False)  # pyright: ignore[reportArgumentType]


@lru_cache(maxsize=1024)
def _choice(player: str, names: tuple[str, ...], prior: tuple[float, ...]) -> Choice:
    return Choice(f"kind of {player}", dict(zip(names, prior, strict=True)))


@dataclass(frozen=True)
class KindSign:
    """The sign that an action gives.

    Attributes:
        player: Who acted.
        feature: What the action depends on.
        chances: How likely it is for each kind and value; shape (kinds, values).
        fits: How likely it was for each kind, by what was known before; shape (kinds,).
        because, event: As for `Feature.weigh`.
    """

    player: str
    feature: Feature
    chances: Floats
    fits: Floats
    because: str = ""
    event: int | None = None


@dataclass(frozen=True)
class KindMixture:
    """The actions of players whose kinds are not declared: an approximation, at the cost of one.

    To declare the kinds multiplies the work by how many there are, for every player. Here each
    action is evidence on what its player holds alone. It is weighed by the mixture of the kinds, as
    likely as all *other* actions of the player make them (what it says of the kind itself is in the
    mixture already). How well an action fits a kind is counted by what was known when it was
    done. This is belief propagation in which everything else that is hidden is one node: exact for
    one action of each player, and as soon as a kind is certain.

    Args:
        kinds: The kinds that there are.
        said: What was heard, in order.
        log_evidence: Natural log of the probability of all that was heard, as it was expected.

    >>> from sleuth import Deal, Model, infer
    >>> from sleuth.predictors import KindMixture, Kinds
    >>> cards = Deal(["ace", "king", "queen"], holders={"me": 1, "you": 1, "table": 1})
    >>> kinds, ace = Kinds(["careful", "bold"], none=0.0), cards.holder_of("ace").equals("you")
    >>> chances = kinds.chances({"careful": [0.1, 0.9], "bold": [0.8, 0.9]}, at_random=0.5)
    >>> heard = KindMixture(kinds).hear("you", ace, chances, infer(Model(cards)), because="a raise")
    >>> {kind: round(p, 2) for kind, p in heard.marginal("you").items()}
    {'careful': 0.31, 'bold': 0.69}
    >>> heard.weights("somebody else").tolist()
    [0.5, 0.5]
    >>> round(infer(Model(cards), heard.evidence()).probability(ace), 2)
    0.5
    """

    kinds: Kinds
    said: tuple[KindSign, ...] = field(default=())
    log_evidence: float = 0.0

    def hear(
        self,
        player: str,
        feature: Feature,
        chances: Floats,
        before: Posterior | Callable[[Feature], Floats],
        *,
        because: str = "",
        event: int | None = None,
    ) -> KindMixture:
        """The mixture after one more action.

        Args:
            player: Who acted.
            feature: What the action depends on.
            chances: How likely it is for each kind and value, see `Kinds.chances`.
            before: What was known before it, with all that was heard.
            because, event: As for `Feature.weigh`.
        """
        known = before.distribution(feature) if isinstance(before, Posterior) else before(feature)
        fits: Floats = chances @ known
        expected = float(self.weights(player) @ fits)
        if not expected > 0.0:
            raise EvidenceError("no kind of player does this", value=because or feature.describe())
        said = KindSign(player, feature, chances, fits / fits.max(), because, event)
        return KindMixture(self.kinds, (*self.said, said), self.log_evidence + math.log(expected))

    def weights(self, player: str, *, but: KindSign | None = None) -> Floats:
        """The weight of each kind for a player, by all that was heard but one action."""
        found = np.array(self.kinds.prior)
        for each in self.said:
            if each.player == player and each is not but:
                found = found * each.fits
                found /= found.sum()
        return found

    def marginal(self, player: str) -> dict[str, float]:
        """The same by the names of the kinds."""
        return dict(zip(self.kinds.names, self.weights(player).tolist(), strict=True))

    def evidence(self) -> list[Evidence]:
        """The evidence of all that was heard on what players hold."""
        found: list[Evidence] = []
        for each in self.said:
            weights = self.weights(each.player, but=each) @ each.chances
            table = weights / weights.max()
            found.append(Evidence(each.feature, table, each.because, None, each.event))
        return found


@dataclass(frozen=True)
class KindWeights:
    """One player's kind by actions that say nothing else that is hidden.

    Such as claims that were turned up. The same as a model of the kind alone, but as numbers.

    Attributes:
        kinds: The kinds that there are.
        weights: How likely each is; shape (kinds,).
    """

    kinds: Kinds
    weights: Floats

    @staticmethod
    def nothing(kinds: Kinds) -> KindWeights:
        """Nobody has done anything yet."""
        return KindWeights(kinds, np.array(kinds.prior))

    def after(self, chances: Floats) -> KindWeights:
        """The weights after an action, by its probability for each kind; shape (kinds,).

        Raises:
            EvidenceError: No kind does that.
        """
        weights = self.weights * chances
        total = float(weights.sum())
        if not total > 0.0:
            raise EvidenceError("no kind of player does this", value=chances.tolist())
        return KindWeights(self.kinds, weights / total)

    def expected(self, chances: Floats) -> float:
        """The probability of something, by that for each kind; shape (kinds,)."""
        return float(self.weights @ chances)

    def marginal(self) -> dict[str, float]:
        """The probability of each kind, by its name."""
        return dict(zip(self.kinds.names, self.weights.tolist(), strict=True))
