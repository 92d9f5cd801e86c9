"""A server of the table in a thread of the test's process, and what a page does with it."""

from __future__ import annotations

import socket
import threading
from pathlib import Path
from typing import Any

import uvicorn

from benchmarks.whole.table_client import (
    PATIENCE,
    Client,
    Listener,
    Offer,
    TableProcess,
    offers,
    until,
)
from sleuth.apps.table.lobby import Lobby
from sleuth.apps.table.web.app import TableServer
from sleuth.apps.table.web.guard import Rates
from sleuth.apps.table.web.run import configured
from sleuth.apps.table.web.workers import Workers

__all__ = [
    "PATIENCE", "Client", "Listener", "Offer", "Server", "TableProcess", "counter", "offers",
    "until",
]  # fmt: skip


def counter(server: Server, **blanks: str) -> list[str]:
    """The addresses of a new counter's seats."""
    file = server.lobby.make("counter", blanks)
    return [f"/s/{token}" for token in file.tokens]


class Server(Client):
    """A running server.

    Attributes:
        table: The application.
        lobby: Its sittings.
    """

    def __init__(self, folder: Path, port: int = 0, **options: Any) -> None:
        self.socket = socket.create_server(("127.0.0.1", port))
        self.lobby = Lobby(folder)
        super().__init__(f"127.0.0.1:{self.socket.getsockname()[1]}", self.lobby.key)
        options.setdefault("rates", Rates(10_000, 100_000))
        options.setdefault("workers", Workers(1))
        self.table = TableServer(self.lobby, [self.host], **options)
        self._server = uvicorn.Server(configured(self.table.app))
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [self.socket]}, daemon=True
        )
        self._thread.start()
        until(lambda: self._server.started)

    def stop(self) -> None:
        """Stop, if it was not stopped before."""
        if not self._thread.is_alive():
            return
        self._server.should_exit = True
        self.table.stop_soon()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        self.socket.close()
