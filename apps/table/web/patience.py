"""Connections that say nothing: each is let go after a while, so that others are let in."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

#: Seconds in which a connection has to make its next request; it has up to twice as many.
SECONDS: Final = 20.0
#: Connections that one address may have.
MOST_OF_AN_ADDRESS: Final = 250


class PatientProtocol(H11Protocol):
    """HTTP for clients of which some begin a request and never end it."""

    # The server hands over nothing but transports of connections, as its own class says, too.
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._idle_since: object = self
        self._look: asyncio.TimerHandle | None = None
        if self.client is not None and self._alike() > MOST_OF_AN_ADDRESS:
            transport.abort()
            return
        self._look_again()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._look is not None:
            self._look.cancel()
        super().connection_lost(exc)

    def _alike(self) -> int:
        """The number of connections from where this one comes from."""
        address = self.client and self.client[0]
        others: Any = self.connections
        return sum(each.client is not None and each.client[0] == address for each in others)

    def _look_again(self) -> None:
        self._look = self.loop.call_later(SECONDS, self._let_go)

    def _let_go(self) -> None:
        """Close the connection if it was as idle the last time, without a request since."""
        cycle: Any = self.cycle
        idle = cycle is None or cycle.response_complete
        if idle and self._idle_since is cycle:
            self.transport.abort()
            return
        self._idle_since = cycle if idle else self
        self._look_again()
