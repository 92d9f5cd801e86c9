"""The minds of "Saboteurs" (Veldhuis, Jansen and Broers 2012): scores for every deal of the roles.

A player keeps a score for each world, and one more set of scores for every other player: what they
believe that player believes (depth 2; the sets do not depend on the world, which the nested
beliefs of `beliefs/nested` do). All players are taken to reason alike. A world is believed while
its score is at or above a threshold, which counts from the best world's score, or from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

import numpy as np

from ....models.game import HIDDEN
from ....models.saboteur.signs import CLOSE
from ....models.saboteur.state import GOLD, MINER, SABOTEUR
from ...arrays.layout import Floats, Integers
from ...nested.kripke import Flags
from .events import RoundStep
from .likelihoods import AdditiveModel, GoalClaim, Reading, Sign, on_worlds, signs_of_words

#: How often a miner's word is false, to players who combine what they are told.
SLIP: Final = 0.01


@dataclass(frozen=True, kw_only=True)
class Scheme:
    """The settings of the paper's minds.

    Attributes:
        saboteurs: What a saboteur does: ``explicit`` from the start, ``hidden`` for ever, or
            ``switching`` when they are exposed or the gold is near.
        depth: 1, or 2: what others are thought to believe counts.
        factor: How much stronger disbelief is than belief.
        threshold: The least score of a world that is believed.
        relative: Whether the threshold counts from the score of the best world. Then something is
            always believed. Otherwise it counts from 0, where all scores begin, and it may be that
            nothing is believed.
        step: What a slight change adds to a score.
        reading: How the paper's lost chart is read, see `AdditiveModel`.
        pull: What a miner adds to the worlds that the most trusted player believes, each turn, in
            steps.

    >>> from sleuth.games.saboteur import Scheme
    >>> Scheme(factor=1.5).model
    AdditiveModel(factor=1.5, step=1.0, reading='both')
    """

    saboteurs: Literal["explicit", "switching", "hidden"] = "switching"
    depth: Literal[1, 2] = 2
    factor: float = 5.0
    threshold: float = -20.0
    relative: bool = True
    step: float = 1.0
    reading: Reading = "both"
    pull: float = 0.2

    @cached_property
    def model(self) -> AdditiveModel:
        """The score an event adds."""
        return AdditiveModel(self.factor, self.step, self.reading)


class RoleMind:
    """One player's belief about roles, and about what others believe.

    Args:
        scheme: The settings.
        roles: The worlds, as `role_worlds` lists them.
        viewer: The player.
        role: Their role.

    Attributes:
        possible: The worlds that are possible to the player (first), and to each other player as
            far as they know; shape (1 + players, worlds).
        explicit: Whether a saboteur has stopped to hide.

    >>> import sleuth
    >>> from sleuth.games.saboteur import GoalClaim, RoleMind, RoundStep, Scheme, Sign, role_worlds
    >>> mind = RoleMind(Scheme(), role_worlds(3, 1, spare=True), viewer=0, role=0)
    >>> mind.suspicion().round(2).tolist()
    [0.0, 0.33, 0.33]
    >>> unknown = (sleuth.HIDDEN,) * 3
    >>> for player, gold in ((1, True), (2, False)):  # they contradict each other
    ...     mind.take(RoundStep(player, (), GoalClaim(player, 0, gold), unknown, unknown, 5))
    >>> mind.suspicion().round(2).tolist(), mind.chances().round(2).tolist()
    ([0.0, 0.5, 0.5], [0.0, 0.5, 0.5, 0.0])
    >>> mind.believed().tolist(), mind.believed(1).tolist(), mind.scores.shape
    ([False, True, True, True], [True, True, True, True], (4, 4))
    """

    def __init__(self, scheme: Scheme, roles: Integers, viewer: int, role: int) -> None:
        self.scheme, self.roles, self.viewer, self.role = scheme, roles, viewer, role
        worlds, self.players = roles.shape
        self.possible = np.ones((1 + self.players, worlds), dtype=bool)
        self.possible[0] = roles[:, viewer] == role
        if role == SABOTEUR:
            # Everybody is a miner, or pretends to be one.
            self.possible[1:] = roles.T == MINER
        self.explicit = role == SABOTEUR and scheme.saboteurs == "explicit"
        self._added = np.zeros((1 + self.players, worlds))
        self._said = np.zeros((1 + self.players, worlds))
        self._claims: list[GoalClaim] = []
        self._known: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
        self._by_sign: dict[Sign, Floats] = {}

    @property
    def scores(self) -> Floats:
        """The scores: one's own, and those that each other player is thought to have."""
        return self._added + self._said

    def believed(self, player: int | None = None) -> Flags:
        """The worlds that the player believes, or that they think another one believes."""
        place = 0 if player is None else 1 + player
        scores = np.where(self.possible[place], self.scores[place], -np.inf)
        return np.asarray(scores >= self.scheme.threshold + self.scheme.relative * scores.max())

    def chances(self) -> Floats:
        """The probability of each world: proportional to exp(score)."""
        scores = np.where(self.possible[0], self.scores[0], -np.inf)
        shares = np.exp(scores - scores.max())
        return np.asarray(shares / shares.sum())

    def suspicion(self) -> Floats:
        """The probability that each player is a saboteur."""
        return np.asarray(self.chances() @ self.roles)

    def take(self, step: RoundStep) -> None:
        """Learn from an event."""
        # Nobody learns from what they do themselves.
        learns = np.ones((1 + self.players, 1))
        learns[1 + step.mover] = 0.0
        learns[0] = step.mover != self.viewer
        for sign in step.signs:
            self._added += learns * self._vector(sign)
        if step.claim is not None:
            self._claims.append(step.claim)
        if step.claim is not None or self._known != (step.goals, step.shown):
            self._known = (step.goals, step.shown)
            if self._claims:
                self._weigh_words()
        own_card = step.mover == self.viewer and step.claim is None
        if self.scheme.depth == 2 and self.role == MINER and own_card:
            self._follow_trusted()
        if self.role == SABOTEUR and self.scheme.saboteurs == "switching":
            self.explicit = self.explicit or step.missing <= CLOSE or self._exposed()

    def _vector(self, sign: Sign) -> Floats:
        key = sign._replace(about=())
        if key not in self._by_sign:
            self._by_sign[key] = on_worlds(self.scheme.model.of_action(key), self.roles)
        return self._by_sign[key]

    def _weigh_words(self) -> None:
        self._said[:] = 0.0
        owners = [self.viewer, *range(self.players)]
        for place, owner in enumerate(owners):
            for sign in signs_of_words(self._claims, self._known[place > 0], owner):
                self._said[place] += self._vector(sign)

    def _follow_trusted(self) -> None:
        trusted = most_trusted(self.believed(), self.suspicion(), self.roles, self.viewer)
        if trusted is not None:
            theirs = np.where(self.believed(trusted), 1.0, -self.scheme.factor)
            self._added[0] += self.scheme.pull * self.scheme.step * theirs

    def _exposed(self) -> bool:
        others = [player for player in range(self.players) if player != self.viewer]
        theirs = np.array([self.believed(player) for player in others])
        return self.scheme.depth == 2 and is_exposed(theirs, self.roles, self.viewer)


def most_trusted(believed: Flags, suspicion: Floats, roles: Integers, viewer: int) -> int | None:
    """The player who is trusted most, if any is trusted.

    They are a miner in more than one of the believed worlds and a saboteur in at most one.

    Args:
        believed: Worlds that the viewer believes, shape (worlds,).
        suspicion: How likely each player is a saboteur.
        roles: The worlds.
        viewer: Who trusts.
    """
    saboteur = roles[believed].sum(axis=0)
    trusted = (believed.sum() - saboteur > 1) & (saboteur <= 1)
    trusted[viewer] = False
    if not trusted.any():
        return None
    return int(np.where(trusted, suspicion, np.inf).argmin())


def is_exposed(believed: Flags, roles: Integers, viewer: int) -> bool:
    """True if a saboteur may as well stop to hide.

    At least two others each believe at most one world in which they are a miner, and at least as
    many in which they are a saboteur.

    Args:
        believed: What the others believe, shape (others, worlds).
        roles: The worlds.
        viewer: The saboteur.
    """
    saboteur = believed @ roles[:, viewer]
    miner = believed.sum(axis=1) - saboteur
    return int(((miner <= 1) & (saboteur >= miner)).sum()) >= 2


def gold_chances(
    claims: Sequence[GoalClaim], goals: Sequence[int], suspicion: Floats, viewer: int
) -> Floats:
    """The gold's place to a player: chances from what they are told and whom they believe.

    A miner's word is true but for a `SLIP`, a saboteur's is worth nothing.

    Args:
        claims: What was said.
        goals: Which card each goal is, ``HIDDEN`` where the viewer does not know.
        suspicion: How likely each player is a saboteur.
        viewer: Who combines; they know how much their own words are worth.
    """
    possible = (GOLD,) if GOLD in goals else (HIDDEN,)
    found: Floats = np.array([float(card in possible) for card in goals])
    for claim in claims:
        if claim.player != viewer:
            honest = float(1.0 - suspicion[claim.player]) * (1.0 - 2.0 * SLIP)
            found *= 1.0 + np.where(claim.truth, honest, -honest)
    return np.asarray(found / found.sum())
