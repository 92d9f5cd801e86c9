"""Where Mr X can be, as a declaration: a start, a step for every ticket, exclusions and reveals.

A station is possible exactly when the paper's list of possible locations has it (Nijssen and
Winands, 2012, Algorithm 1); how likely it is comes from a model of his moves. Without one, he is
taken to choose evenly among all moves he can make.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from ..data.errors import EvidenceError, nearest
from .evidence import Evidence, WalkStep
from .infer import infer
from .model import Model
from .posterior import Posterior
from .problem import Floats
from .walk import At, Walk

#: The ticket that hides the transport.
BLACK: Final = "black"


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
        seekers: Collection[int],
        hidden: Collection[str] = ("ferry",),
    ) -> None:
        first = [station for station in starts if station not in seekers]
        self.walk = Walk("hider", stations, start=first)
        self.model = Model(self.walk)
        self._place = {station: place for place, station in enumerate(self.walk.positions)}
        tables = {transport: self._table(pairs) for transport, pairs in reach.items()}
        black = np.zeros((len(self._place), len(self._place)))
        for table in tables.values():
            black = np.maximum(black, table)
        shown = {name: table for name, table in tables.items() if name not in hidden}
        self._by_ticket: Mapping[str, Floats] = {**shown, BLACK: black}

    @property
    def tickets(self) -> tuple[str, ...]:
        """The tickets he can play."""
        return tuple(self._by_ticket)

    @property
    def at(self) -> At:
        """The feature: the station he is at now."""
        return self.walk.at()

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
            chances: P(this ticket and next station | station), shape (stations, stations), from
                a model of his moves; zero or not where he can go, and ignored elsewhere. By
                default one over the number of his moves.
            event: Number of the event it came from.

        Raises:
            EvidenceError: There is no such ticket, he could not play it, or a chance is missing.
        """
        if ticket not in self._by_ticket:
            raise EvidenceError(
                "there is no such ticket", value=ticket, hint=nearest(ticket, self.tickets)
            )
        could = self.tickets if playable is None else playable
        if ticket not in could:
            raise EvidenceError("he could not play this ticket", value=ticket)
        free = np.ones(len(self._place))
        for station in seekers:
            free[self._place[station]] = 0.0
        table = self._by_ticket[ticket] * free
        if chances is None:
            moves = np.zeros(len(self._place))
            for name in could:
                moves += self._by_ticket[name] @ free
            table = table / np.maximum(moves, 1.0)[:, None]
        else:
            if chances.shape != table.shape:
                raise EvidenceError(
                    f"chances of moves have the shape {table.shape}", value=chances.shape
                )
            if not (chances[table > 0.0] > 0.0).all():
                raise EvidenceError(
                    "a move that he can make has no chance",
                    hint="raise the chances of a learned model to a floor, such as 1e-6",
                )
            table = table * chances
        return self.walk.step(table, because=f"he moved by {ticket}", event=event)

    def shown(self, station: int, *, event: int | None = None) -> Evidence:
        """He showed himself."""
        return self.walk.seen_at(station, because=f"he surfaced at {station}", event=event)

    def not_caught(self, station: int, *, event: int | None = None) -> Evidence:
        """A seeker moved to this station and did not find him there."""
        because = f"a seeker found nobody at {station}"
        return self.walk.not_at([station], because=because, event=event)

    def possible(self, belief: Posterior) -> set[int]:
        """Where he can be: the paper's list of possible locations."""
        return set(belief.marginal(self.at))

    def _table(self, pairs: Mapping[int, Iterable[int]]) -> Floats:
        table = np.zeros((len(self._place), len(self._place)))
        for station, others in pairs.items():
            for other in others:
                if station not in self._place or other not in self._place:
                    raise EvidenceError("unknown station", value=(station, other))
                table[self._place[station], self._place[other]] = 1.0
        return table
