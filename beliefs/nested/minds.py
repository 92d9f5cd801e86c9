"""Nested beliefs: what one player believes that another believes, to any depth.

A player who knows K has a posterior over worlds. In each of these worlds another player has seen
something else, and so has a posterior of their own. `Mind` is one state of knowledge; `Minds` are
the states of knowledge that another player may be in, each with its probability. A mind has `Minds`
of every player, and so have these, so that "what I think you think I hold" is

    mine.of(1).of(0)

One mechanism serves every depth: a belief says what a player would know in a world
(`Supposing.supposed`), and the same declaration infers from it. Players with the same knowledge
share one posterior, which is computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Protocol, TypeVar

import numpy as np

from ...data.errors import SettingsError
from ..arrays.problem import Floats
from ..language.features import Condition, FeatureLike, as_feature
from ..posterior import Posterior, entropy_bits
from .worlds import MOST_LISTED, drawn_worlds, every_world

#: Worlds that are drawn where there are too many to list.
DRAWN: Final = 200

Knowledge = TypeVar("Knowledge", bound=Hashable)


class Supposing(Protocol[Knowledge]):
    """A belief that can say what another player would know; most are a `CachedBelief`."""

    def posterior(self, known: Knowledge) -> Posterior:
        """The posterior from what a viewer knows."""
        ...

    def supposed(
        self, known: Knowledge, world: Sequence[int], viewer: int, rng: np.random.Generator
    ) -> Knowledge:
        """A viewer's knowledge, if the world were so.

        Args:
            known: What one viewer knows.
            world: One row of ``posterior(known).sample_array``.
            viewer: The other viewer: a player's number.
            rng: Draws what the world leaves open, such as which of two cards was shown.

        Returns:
            Only what the other viewer can see of ``known`` and of the world.
        """
        ...


@dataclass(frozen=True, eq=False)
class Nesting(Generic[Knowledge]):
    """The way nested beliefs of one game are computed, and the answers so far.

    Attributes:
        belief: Infers, and says what others would know.
        listed: Most worlds that are listed; beliefs over more are drawn from, and approximate.
        drawn: Worlds that are drawn then.
        seed: Seed of every draw.

    Raises:
        SettingsError: A number of worlds is not positive.

    >>> from sleuth import HIDDEN, Play
    >>> from sleuth.games.small import KuhnPokerBelief
    >>> from sleuth.nested import Nesting
    >>> belief = KuhnPokerBelief()
    >>> card = belief.hidden(Play.new("kuhn_poker", seed=1).view(-1))["card of first"]
    >>> me = Nesting(belief).mind((2, HIDDEN))  # the first player, who holds the king
    >>> me.of(1).marginal(card)  # of the first player's card, as the second knows it
    {'jack': 0.25, 'queen': 0.25, 'king': 0.5}
    """

    belief: Supposing[Knowledge]
    listed: int = MOST_LISTED
    drawn: int = DRAWN
    seed: int = 0
    _minds: dict[Knowledge, Mind[Knowledge]] = field(
        default_factory=dict[Any, Any], init=False, repr=False
    )

    def __post_init__(self) -> None:
        for name in ("listed", "drawn"):
            if getattr(self, name) < 1:
                raise SettingsError(f"{name} is a number of worlds", value=getattr(self, name))

    def mind(self, known: Knowledge) -> Mind[Knowledge]:
        """The mind of a viewer who knows this."""
        if known not in self._minds:
            self._minds[known] = Mind(self, known, self.belief.posterior(known))
        return self._minds[known]


@dataclass(frozen=True, eq=False)
class Mind(Generic[Knowledge]):
    """One viewer's knowledge, and their posterior.

    Attributes:
        nesting: What it was made by.
        known: All that the viewer knows.
        posterior: What follows.
    """

    nesting: Nesting[Knowledge]
    known: Knowledge
    posterior: Posterior
    _of: dict[int, Minds[Knowledge]] = field(default_factory=dict[Any, Any], init=False, repr=False)

    def of(self, player: int) -> Minds[Knowledge]:
        """This viewer's belief about the mind of a player."""
        if player not in self._of:
            self._of[player] = self._imagine(player)
        return self._of[player]

    def _imagine(self, player: int) -> Minds[Knowledge]:
        nesting = self.nesting
        # The same draws for everybody: what two minds have in common stays comparable.
        rng = np.random.default_rng(nesting.seed)
        found = every_world(self.posterior, most=nesting.listed)
        rows, chances = found or drawn_worlds(self.posterior, nesting.drawn, rng)
        states: dict[Knowledge, float] = {}
        for row, chance in zip(rows.tolist(), chances.tolist(), strict=True):
            known = nesting.belief.supposed(self.known, row, player, rng)
            states[known] = states.get(known, 0.0) + chance
        return Minds(
            tuple(nesting.mind(known) for known in states),
            np.array(list(states.values())),
            listed=found is not None,
        )


@dataclass(frozen=True, eq=False)
class Minds(Generic[Knowledge]):
    """The states of knowledge that somebody may be in.

    Attributes:
        minds: Each of them once.
        chances: How likely each is, shape (minds,).
        listed: Whether every world was taken into account; otherwise some were drawn.

    >>> from sleuth import HIDDEN, Play, game
    >>> from sleuth.games.small import KuhnPokerBelief
    >>> from sleuth.nested import Nesting
    >>> belief = KuhnPokerBelief()
    >>> cards = belief.hidden(Play.new(game("kuhn_poker"), seed=1).view(-1))
    >>> mine, theirs = cards["card of first"], cards["card of second"]
    >>> you = Nesting(belief).mind((2, HIDDEN)).of(1)  # the first player holds the king
    >>> you.marginal(mine), you.probability(mine.equals("king")), you.entropy(mine)
    ({'jack': 0.25, 'queen': 0.25, 'king': 0.5}, 0.5, 1.0)
    >>> you.of(0).probabilities(theirs.equals("jack"))
    {0.0: 0.25, 0.5: 0.75}
    >>> you.chance(lambda mind: mind.posterior.probability(mine.equals("king")) == 0.5)
    1.0
    >>> you.expected(lambda mind: mind.posterior.entropy(mine)), you.information_gain(mine)
    (1.0, 0.5)
    """

    minds: tuple[Mind[Knowledge], ...]
    chances: Floats
    listed: bool = True

    def of(self, player: int) -> Minds[Knowledge]:
        """Their belief about the mind of a player: one level deeper."""
        states: dict[Knowledge, float] = {}
        minds: dict[Knowledge, Mind[Knowledge]] = {}
        listed = self.listed
        for mind, chance in zip(self.minds, self.chances.tolist(), strict=True):
            theirs = mind.of(player)
            listed = listed and theirs.listed
            for other, share in zip(theirs.minds, theirs.chances.tolist(), strict=True):
                minds[other.known] = other
                states[other.known] = states.get(other.known, 0.0) + chance * share
        return Minds(tuple(minds.values()), np.array(list(states.values())), listed=listed)

    def expected(self, answer: Callable[[Mind[Knowledge]], Any]) -> Any:
        """The average of a number, or of an array, that each mind gives."""
        return sum(
            chance * answer(mind)
            for mind, chance in zip(self.minds, self.chances.tolist(), strict=True)
        )

    def chance(self, test: Callable[[Mind[Knowledge]], bool]) -> float:
        """The probability that they are in a state of knowledge that passes a test."""
        return float(self.expected(lambda mind: float(test(mind))))

    def probability(self, condition: Condition) -> float:
        """The probability that they give to a condition, on average."""
        return float(self.expected(lambda mind: mind.posterior.probability(condition)))

    def probabilities(self, condition: Condition, *, digits: int = 12) -> dict[float, float]:
        """The chance of each probability they give a condition: {probability: chance}, ascending.

        Args:
            condition: What it is about.
            digits: Probabilities that are equal to so many places are one.
        """
        found: dict[float, float] = {}
        for mind, chance in zip(self.minds, self.chances.tolist(), strict=True):
            given = round(mind.posterior.probability(condition), digits)
            found[given] = found.get(given, 0.0) + chance
        return dict(sorted(found.items()))

    def marginal(self, feature: FeatureLike) -> dict[Any, float]:
        """The probability that they give to each possible value of a feature, on average."""
        wanted = as_feature(feature)
        shares = self.expected(lambda mind: mind.posterior.distribution(wanted)).tolist()
        return {value: p for value, p in zip(wanted.values, shares, strict=True) if p > 0.0}

    def entropy(self, feature: FeatureLike) -> float:
        """Bits that are open to them about a feature, on average."""
        return float(self.expected(lambda mind: mind.posterior.entropy(feature)))

    def information_gain(self, feature: FeatureLike) -> float:
        """Bits that they know more about a feature than the average of their beliefs does.

        It is the entropy of `marginal` less `entropy`: what somebody who sees only that average
        would learn from being told which state of knowledge they are in.
        """
        wanted = as_feature(feature)
        shares = self.expected(lambda mind: mind.posterior.distribution(wanted))
        return max(entropy_bits(shares) - self.entropy(wanted), 0.0)


def pooled(own: Floats, other: Floats, share: float) -> Floats:
    """Logarithmic pooling of two beliefs: own^(1 - share) * other^share, made to add up to 1.

    What both have learned from the same events counts twice, so no belief here pools by itself.

    Args:
        own: Probabilities.
        other: Somebody else's, of the same worlds.
        share: What that weighs, 0 to 1.
    """
    found: Floats = own ** (1.0 - share) * other**share
    return np.asarray(found / found.sum())
