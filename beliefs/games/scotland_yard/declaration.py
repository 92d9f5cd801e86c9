"""Mr. X's place as a declaration: a start, a step for every ticket, exclusions and reveals.

A station is possible exactly when the paper's list of possible locations has it (Nijssen and
Winands, 2012, Algorithm 1), and Mr. X could move from there at their turn; how likely it is comes
from how likely their moves are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from ....models.scotland_yard.state import STATIONS, TICKETS
from ...arrays.problem import Floats
from ...arrays.transitions import Transition
from ...infer import infer
from ...kinds import Kinds
from ...language.evidence import Evidence, WalkStep
from ...language.walk import Walk
from ...modelling.model import Model
from ...posterior import Posterior

NAME: Final = "hider"
_STATIONS: Final = range(1, STATIONS + 1)


class ScotlandYardDeclaration:
    """The hider's place, from what everybody sees.

    Args:
        starts: Where the hider can start.
        steps: Where each ticket leads, see `steps_of`.
        kinds: The kinds of hiders that there are, if it is open of which this one is.
    """

    def __init__(
        self, starts: Iterable[int], steps: Sequence[Transition], kinds: Kinds | None = None
    ) -> None:
        self.walk = Walk(NAME, tuple(_STATIONS), start=list(starts))
        self.kinds = kinds
        self.model = Model(self.walk, *([] if kinds is None else [kinds.of(NAME)]))
        self._steps = steps

    def begin(self) -> Posterior:
        """The posterior before the hider's first move."""
        return infer(self.model, method="forward_filter")

    def moved(self, ticket: int, chances: Floats, *, event: int | None = None) -> WalkStep:
        """The hider moved with this ticket, to a station without a seeker.

        Args:
            ticket: The ticket that everybody saw.
            chances: P(this move | station it begins at) of all moves with this ticket, in the order
                of their codes; zero where the hider cannot make it.
            event: Number of the event it came from.
        """
        because = f"Mr. X moved by {TICKETS[ticket]}"
        return self.walk.step(self._steps[ticket].times(chances), because=because, event=event)

    def moved_by_kind(
        self,
        ticket: int,
        chances: Mapping[str, Floats],
        at_random: Floats,
        *,
        event: int | None = None,
    ) -> WalkStep:
        """The same, where it is open of which kind the hider is.

        Args:
            ticket: The ticket that everybody saw.
            chances: As for `moved`, for each kind.
            at_random: The same for a hider who makes any move.
            event: Number of the event it came from.
        """
        assert self.kinds is not None, "kinds are declared where moves differ by them"
        because = f"Mr. X moved by {TICKETS[ticket]}"
        return self.kinds.step(
            NAME,
            self.walk,
            self._steps[ticket],
            chances,
            at_random=at_random,
            because=because,
            event=event,
        )

    def shown(self, station: int, *, event: int | None = None) -> Evidence:
        """The hider surfaced."""
        return self.walk.seen_at(station, because=f"Mr. X surfaced at {station}", event=event)

    def not_caught(self, station: int, *, event: int | None = None) -> Evidence:
        """A seeker moved to this station and did not find the hider there."""
        because = f"a seeker found nobody at {station}"
        return self.walk.not_at([station], because=because, event=event)

    def can_move(self, stuck: Collection[int], *, event: int | None = None) -> Evidence:
        """It is the hider's turn and the game goes on, so the hider is not stuck."""
        return self.walk.not_at(stuck, because="Mr. X can move", event=event)


def steps_of(board: Any) -> tuple[Transition, ...]:
    """The steps of each ticket from every station, with weights of one.

    Args:
        board: The map, a record of type ``BOARD``.
    """
    found: list[Transition] = []
    for ticket in range(len(TICKETS)):
        codes = np.flatnonzero(board.ticket[: board.moves] == ticket)
        starts = np.searchsorted(board.origin[codes], np.arange(1, STATIONS + 2))
        targets = board.target[codes].astype(np.int64) - 1
        found.append(Transition(starts.astype(np.int64), targets, np.ones(len(codes))))
    return tuple(found)
