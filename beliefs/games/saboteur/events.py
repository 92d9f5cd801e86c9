"""The events of a round as signs and claims: nothing but what is public.

Whether a viewer's own goals are known at each moment is kept beside it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from ....models.game import HIDDEN, SPECTATOR, Game
from ....models.play import MoveEvent, SeenPlay
from ....models.records.events import Seen
from ....models.saboteur.signs import FACTS, MOST_SIGNS, NOTHING, Parts, parts_of, witness
from ....models.saboteur.state import (
    BREAK,
    DIG,
    DISCARD,
    GOALS,
    GOLD,
    LOOK,
    REPAIR,
    SAY,
    SAY_GOLD,
    SAY_NOTHING,
)
from .likelihoods import GoalClaim, Sign

#: Where the actions of each kind but the first end: path cards, discards, broken tools, repairs,
#: rock-falls, maps.
KINDS: Final = (DISCARD, BREAK, REPAIR, DIG, LOOK)
#: So many missing cards are as good as none to be had.
MOST_MISSING: Final = 20


class RoundStep(NamedTuple):
    """One event of a round, and what the viewer knows after it.

    Attributes:
        mover: Who acted.
        signs: What everybody learned about roles; of every action but words there is one at least.
        claim: What was said; None for nothing.
        goals: Which card each goal is, ``HIDDEN`` where the viewer does not know.
        shown: The same for everybody.
        missing: How many cards are missing to the nearest goal that may hold the gold.
    """

    mover: int
    signs: tuple[Sign, ...]
    claim: GoalClaim | None
    goals: tuple[int, ...]
    shown: tuple[int, ...]
    missing: int


class RoundPast(NamedTuple):
    """A round that is over, as everybody knows it.

    Attributes:
        roles: Of every player.
        signs: What everybody saw of actions, but for the last one.
        claims: What was said, each with a place where the gold may have been: of goals that were
            turned up.
    """

    roles: tuple[int, ...]
    signs: tuple[Sign, ...]
    claims: tuple[tuple[GoalClaim, int], ...]


class RoundReader(ABC):
    """Reads what is new of a game at each call, and begins anew with every round.

    Attributes:
        game: The game.
        viewer: By whose eyes it was read last.
        round: Another number for another round, or another game.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.viewer = SPECTATOR
        self.round = 0
        self._begin = game.masked(game.initial(0), SPECTATOR)
        self._events: tuple[Seen[MoveEvent], ...] = ()
        self._deal()

    def _read(self, seen: SeenPlay) -> None:
        known = len(self._events)
        if seen.viewer != self.viewer or seen.events[:known] != self._events:
            self.viewer, known = seen.viewer, 0
            self._restart()
        for place, each in enumerate(seen.events[known:], start=known):
            parts = parts_of(each.event.observation)
            if parts.ended:
                self._close(parts.ended)
            else:
                self._learn(each.event.mover, parts, place)
        self._events = seen.events

    def _restart(self) -> None:
        """The game is read from its beginning."""
        self._deal()

    def _close(self, ended: int) -> None:
        """A round ends, and the next one begins; ``ended`` as in `Parts`."""
        self._deal()

    def _deal(self) -> None:
        """A round begins."""
        self._states = self._begin.copy()
        self.round += 1

    @abstractmethod
    def _learn(self, mover: int, parts: Parts, place: int) -> None:
        """The event at a place among those that were seen; it did not end the round."""


class Following(RoundReader):
    """The round that goes on, as one viewer sees it.

    Attributes:
        steps: Of this round.
        past: The rounds before it.
    """

    def __init__(self, game: Game) -> None:
        self._signs = np.zeros((MOST_SIGNS, 3), dtype=np.int32)
        self._facts = np.zeros(FACTS, dtype=np.int32)
        self.past: tuple[RoundPast, ...] = ()
        super().__init__(game)

    def read(self, seen: SeenPlay) -> list[RoundStep]:
        """All steps of the round that goes on."""
        self._read(seen)
        return self.steps

    def signs_of(self, code: int, player: int) -> tuple[Sign, ...]:
        """The public signs of a player's role in an action, but for words."""
        return self._witness(self._states.copy(), player, Parts(code, 0, 0), SPECTATOR)

    def _restart(self) -> None:
        self.past = ()
        super()._restart()

    def _close(self, ended: int) -> None:
        roles = tuple(ended >> player & 1 for player in range(self.game.players))
        signs = tuple(sign for step in self.steps for sign in step.signs)
        shown = self.steps[-1].shown if self.steps else ()
        claims = tuple(
            (claim, _a_place(claim.goal, shown))
            for claim in claims_of(self.steps)
            if shown[claim.goal] != HIDDEN
        )
        self.past = (*self.past, RoundPast(roles, signs, claims))
        super()._close(ended)

    def _deal(self) -> None:
        super()._deal()
        self.steps: list[RoundStep] = []

    def _learn(self, mover: int, parts: Parts, place: int) -> None:
        after = self._states.copy()
        signs = self._witness(after, mover, parts, self.viewer)
        claim = None
        if SAY <= parts.code < SAY_NOTHING:
            claim = GoalClaim(mover, int(self._states[0].saying) - 1, parts.code == SAY_GOLD)
        self._states = after
        facts: list[int] = self._facts.tolist()
        goals, shown = tuple(facts[:GOALS]), tuple(facts[GOALS : 2 * GOALS])
        self.steps.append(RoundStep(mover, signs, claim, goals, shown, facts[2 * GOALS]))

    def _witness(self, after: Any, mover: int, parts: Parts, viewer: int) -> tuple[Sign, ...]:
        """Carry out an event in ``after``; its signs, the first with the action in numbers."""
        before = self._states[0]
        count = witness(
            before, after[0], mover, parts.code, parts.goals, viewer, self.game.tables,
            self._signs, self._facts,
        )  # fmt: skip
        signs = [
            Sign(row, bool(double), mover, other)
            for row, double, other in self._signs[:count].tolist()
        ]
        if parts.code < SAY:
            first, *more = signs or [Sign(NOTHING, False, mover)]
            signs = [first._replace(about=self._about(before, mover, parts.code)), *more]
        return tuple(signs)

    def _about(self, before: Any, mover: int, code: int) -> tuple[float, ...]:
        """An action in numbers, in the order of `ABOUT`."""
        missing, now = (min(each, MOST_MISSING) for each in self._facts[-2:].tolist())
        broken = [tools > 0 for tools in before.broken[: self.game.players].tolist()]
        return (
            float(bisect(KINDS, code)),
            float(missing),
            float(missing - now),
            float(len(self.steps)),
            float(broken[mover]),
            float(sum(broken)),
        )


def _a_place(goal: int, shown: Sequence[int]) -> int:
    """A place of the gold that agrees with what one goal turned out to be."""
    return goal if shown[goal] == GOLD else (goal + 1) % GOALS


def claims_of(steps: list[RoundStep]) -> tuple[GoalClaim, ...]:
    """The claims in a round, in order."""
    return tuple(step.claim for step in steps if step.claim is not None)
