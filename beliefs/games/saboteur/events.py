"""What was seen of a round, event by event, as signs and claims: nothing but what is public.

Whether a viewer's own goals are known at each moment is kept beside it.
"""

from __future__ import annotations

from bisect import bisect
from typing import Any, Final, NamedTuple

import numpy as np

from ....models.game import SPECTATOR, Game
from ....models.play import Moved, SeenPlay
from ....models.records.events import Seen
from ....models.saboteur.signs import FACTS, MOST_SIGNS, NOTHING, Parts, parts_of, witness
from ....models.saboteur.state import (
    BREAK,
    DIG,
    DISCARD,
    GOALS,
    LOOK,
    REPAIR,
    SAY,
    SAY_GOLD,
    SAY_NOTHING,
)
from .likelihoods import Claim, Sign

#: Where the actions of each kind but the first end: path cards, discards, broken tools, repairs,
#: rock-falls, maps.
KINDS: Final = (DISCARD, BREAK, REPAIR, DIG, LOOK)
#: So many missing cards are as good as none to be had.
MOST_MISSING: Final = 20


class Step(NamedTuple):
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
    claim: Claim | None
    goals: tuple[int, ...]
    shown: tuple[int, ...]
    missing: int


class Following:
    """The round that goes on, as one viewer sees it; reads what is new of a game at each call.

    Attributes:
        steps: Of this round.
        round: Another number for another round, or another game.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.steps: list[Step] = []
        self.round = 0
        self._begin = game.masked(game.initial(0), SPECTATOR)
        self._events: tuple[Seen[Moved], ...] = ()
        self._viewer = SPECTATOR
        self._signs = np.zeros((MOST_SIGNS, 3), dtype=np.int32)
        self._facts = np.zeros(FACTS, dtype=np.int32)
        self._deal()

    def read(self, seen: SeenPlay) -> list[Step]:
        """All steps of the round that goes on."""
        known = len(self._events)
        if seen.viewer != self._viewer or seen.events[:known] != self._events:
            self._viewer, known = seen.viewer, 0
            self._deal()
        for each in seen.events[known:]:
            parts = parts_of(each.event.observation)
            if parts.ended:
                self._deal()
            else:
                self.steps.append(self._step(each.event.mover, parts))
        self._events = seen.events
        return self.steps

    def signs_of(self, code: int, player: int) -> tuple[Sign, ...]:
        """What everybody would learn about a player's role from an action, but for words."""
        after = self._states.copy()
        count = witness(
            self._states[0], after[0], player, code, 0, SPECTATOR, self.game.tables, self._signs,
            self._facts,
        )  # fmt: skip
        return self._noted(self._states[0], player, code, count)

    def _noted(self, before: Any, mover: int, code: int, count: int) -> tuple[Sign, ...]:
        """The signs that a witness has just noted, the first with the action in numbers."""
        signs = tuple(
            Sign(row, bool(double), mover, other)
            for row, double, other in self._signs[:count].tolist()
        )
        if code >= SAY:
            return signs
        first, *more = signs or (Sign(NOTHING, False, mover),)
        return (first._replace(about=self._about(before, mover, code)), *more)

    def _deal(self) -> None:
        self._states = self._begin.copy()
        self.steps = []
        self.round += 1

    def _step(self, mover: int, parts: Parts) -> Step:
        before, after = self._states, self._states.copy()
        count = witness(
            before[0], after[0], mover, parts.code, parts.goals, self._viewer, self.game.tables,
            self._signs, self._facts,
        )  # fmt: skip
        self._states = after
        claim = None
        if SAY <= parts.code < SAY_NOTHING:
            claim = Claim(mover, int(before[0].saying) - 1, parts.code == SAY_GOLD)
        facts: list[int] = self._facts.tolist()
        signs = self._noted(before[0], mover, parts.code, count)
        goals, shown = tuple(facts[:GOALS]), tuple(facts[GOALS : 2 * GOALS])
        return Step(mover, signs, claim, goals, shown, facts[2 * GOALS])

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


def claims_of(steps: list[Step]) -> tuple[Claim, ...]:
    """What was said in a round, in order."""
    return tuple(step.claim for step in steps if step.claim is not None)
