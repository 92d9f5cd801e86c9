"""Where Mr X can be, as a declaration: a start, a step for every ticket, exclusions and reveals.

A station is possible exactly when the paper's list of possible locations has it (Nijssen and
Winands, 2012, Algorithm 1); how likely it is comes from a model of his moves. Without one, he is
taken to choose evenly among all moves he can make.
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from ..data.errors import EvidenceError, nearest
from .evidence import Evidence, WalkStep
from .infer import infer
from .model import Model
from .posterior import Posterior
from .problem import Flags, Floats
from .transitions import Transition
from .walk import At, Walk

#: The ticket that hides the transport.
BLACK: Final = "black"
NAME: Final = "hider"


class HiderBelief:
    """Where the hider is, from what everybody sees.

    Args:
        stations: Every station.
        reach: For every transport the stations that a station is connected to by it.
        starts: Where the hider can start, apart from where the seekers do.
        seekers: Where the seekers start.
        hidden: Transports that only the black ticket pays for.
    """

    def __init__(
        self,
        stations: Sequence[int],
        reach: Mapping[str, Mapping[int, Iterable[int]]],
        *,
        starts: Iterable[int],
        seekers: Collection[int] = (),
        hidden: Collection[str] = ("ferry",),
    ) -> None:
        self._place = {station: place for place, station in enumerate(stations)}
        self._begin_at(starts, seekers)
        tables = {transport: self._table(pairs) for transport, pairs in reach.items()}
        black = np.any(list(tables.values()), axis=0)
        shown = {name: table for name, table in tables.items() if name not in hidden}
        self._by_ticket: Mapping[str, Transition] = {
            name: _steps(table) for name, table in {**shown, BLACK: black}.items()
        }

    def starting(self, starts: Iterable[int], seekers: Collection[int] = ()) -> HiderBelief:
        """The same map for another game: where he can start, apart from where the seekers do."""
        other = copy.copy(self)
        other._begin_at(starts, seekers)
        return other

    def _begin_at(self, starts: Iterable[int], seekers: Collection[int]) -> None:
        first = [station for station in starts if station not in seekers]
        self.walk = Walk(NAME, tuple(self._place), start=first)
        self.model = Model(self.walk)

    @property
    def tickets(self) -> tuple[str, ...]:
        """The tickets he can play."""
        return tuple(self._by_ticket)

    @property
    def at(self) -> At:
        """The feature: the station he is at now."""
        return self.walk.at()

    def transition(self, ticket: str) -> Transition:
        """Where a ticket leads from every station, with weights of one.

        Raises:
            EvidenceError: There is no such ticket.
        """
        if ticket not in self._by_ticket:
            raise EvidenceError(
                "there is no such ticket", value=ticket, hint=nearest(ticket, self.tickets)
            )
        return self._by_ticket[ticket]

    def begin(self, *, method: str = "auto", samples: int = 10_000, seed: int = 0) -> Posterior:
        """What is known before his first move."""
        return infer(self.model, method=method, samples=samples, seed=seed)

    # -- what is seen

    def moved(
        self,
        ticket: str,
        *,
        seekers: Collection[int],
        playable: Collection[str] | None = None,
        chances: Floats | None = None,
        event: int | None = None,
    ) -> WalkStep:
        """He moved with this ticket, to a station without a seeker.

        Args:
            ticket: The ticket that everybody saw.
            seekers: Where the seekers stand.
            playable: The tickets he could play; by default all.
            chances: P(this ticket and next station | station) from a model of his moves: shape
                (stations, stations), or one number for each entry of ``transition(ticket)``.
                Zero or not where he can go, and ignored elsewhere. By default one over the number
                of his moves.
            event: Number of the event it came from.

        Raises:
            EvidenceError: There is no such ticket, he could not play it, or a chance is missing.
        """
        table = self.transition(ticket)
        could = self.tickets if playable is None else playable
        if ticket not in could:
            raise EvidenceError("he could not play this ticket", value=ticket)
        free = self._free(seekers)
        can = free[table.targets]
        if chances is None:
            weights = can / np.maximum(self._moves(free, could), 1.0)[table.sources]
        else:
            shape = (len(self._place),) * 2
            if chances.shape == shape:
                chances = chances[table.sources, table.targets]
            elif chances.shape != can.shape:
                raise EvidenceError(f"chances of moves have the shape {shape}", value=chances.shape)
            if not (chances[can > 0.0] > 0.0).all():
                raise EvidenceError(
                    "a move that he can make has no chance",
                    hint="raise the chances of a learned model to a floor, such as 1e-6",
                )
            weights = can * chances
        return self.walk.step(table.times(weights), because=f"he moved by {ticket}", event=event)

    def shown(self, station: int, *, event: int | None = None) -> Evidence:
        """He showed himself."""
        return self.walk.seen_at(station, because=f"he surfaced at {station}", event=event)

    def not_caught(self, station: int, *, event: int | None = None) -> Evidence:
        """A seeker moved to this station and did not find him there."""
        because = f"a seeker found nobody at {station}"
        return self.walk.not_at([station], because=because, event=event)

    def can_move(
        self,
        *,
        seekers: Collection[int],
        playable: Collection[str] | None = None,
        event: int | None = None,
    ) -> Evidence:
        """It is his turn and the game goes on, so there is a move that he can make.

        Args:
            seekers: Where the seekers stand.
            playable: The tickets he could play; by default all.
            event: Number of the event it came from.
        """
        could = self.tickets if playable is None else playable
        shut_in = self._moves(self._free(seekers), could) == 0.0
        listed = [self.walk.positions[place] for place in np.flatnonzero(shut_in).tolist()]
        return self.walk.not_at(listed, because="he can move", event=event)

    def possible(self, belief: Posterior) -> set[int]:
        """Where he can be: the paper's list of possible locations."""
        return set(belief.marginal(self.at))

    # -- inside

    def _free(self, seekers: Collection[int]) -> Floats:
        """1 for every station without a seeker."""
        free = np.ones(len(self._place))
        free[[self._place[station] for station in seekers]] = 0.0
        return free

    def _moves(self, free: Floats, playable: Collection[str]) -> Floats:
        """How many moves he can make from every station."""
        moves = np.zeros(len(self._place))
        for name in playable:
            table = self.transition(name)
            moves += np.bincount(table.sources, free[table.targets], minlength=len(moves))
        return moves

    def _table(self, pairs: Mapping[int, Iterable[int]]) -> Flags:
        table = np.zeros((len(self._place), len(self._place)), dtype=np.int8)
        for station, others in pairs.items():
            for other in others:
                if station not in self._place or other not in self._place:
                    raise EvidenceError("unknown station", value=(station, other))
                table[self._place[station], self._place[other]] = 1
        return table


def _steps(table: Flags) -> Transition:
    sources, targets = np.nonzero(table)
    starts = np.searchsorted(sources, np.arange(len(table) + 1))
    return Transition(starts.astype(np.int64), targets, np.ones(len(targets)))
