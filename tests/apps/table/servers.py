"""A server of the table in a thread of the test's process, and what a page does with it."""

from __future__ import annotations

import http.client
import itertools
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn

from sleuth.apps.table.lobby import Lobby
from sleuth.apps.table.web.app import TableServer
from sleuth.apps.table.web.guard import Rates
from sleuth.apps.table.web.workers import Workers

#: Seconds in which anything that is waited for has come.
PATIENCE = 20.0


class Server:
    """A running server; everything is asked as a browser asks it.

    Attributes:
        host: Its name with the port.
        key: The key of its lobby.
        table: The application.
    """

    def __init__(self, folder: Path, port: int = 0, **options: Any) -> None:
        self.socket = socket.create_server(("127.0.0.1", port))
        self.host = f"127.0.0.1:{self.socket.getsockname()[1]}"
        self.lobby = Lobby(folder)
        self.key = self.lobby.key
        options.setdefault("rates", Rates(10_000, 100_000))
        self.table = TableServer(self.lobby, [self.host], workers=Workers(1), **options)
        config = uvicorn.Config(
            self.table.app, log_level="critical", access_log=False, server_header=False
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [self.socket]}, daemon=True
        )
        self._thread.start()
        until(lambda: self._server.started)
        self._touches = itertools.count()

    @property
    def address(self) -> str:
        return f"http://{self.host}"

    def stop(self) -> None:
        """Stop, if it was not stopped before."""
        if not self._thread.is_alive():
            return
        self._server.should_exit = True
        self.table.stop_soon()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        self.socket.close()

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
        *,
        own: bool = True,
    ) -> http.client.HTTPResponse:
        """The answer to a request; with the headers of a page of this server, unless not."""
        connection = http.client.HTTPConnection(self.host, timeout=PATIENCE)
        usual = {"Origin": self.address, "Sec-Fetch-Site": "same-origin"} if own else {}
        connection.request(method, path, body, {**usual, **(headers or {})})
        return connection.getresponse()

    @property
    def cookie(self) -> dict[str, str]:
        return {"Cookie": f"sleuth_key={self.key}"}

    def text(self, path: str) -> str:
        return self.ask("GET", path, headers=self.cookie).read().decode()

    def say(
        self,
        address: str,
        line: str,
        blanks: dict[str, str] | None = None,
        touch: str | None = None,
    ) -> dict[str, Any]:
        """Say a line at the page of an address, such as ``/s/TOKEN``; the answer."""
        said = {
            "line": line,
            "blanks": blanks or {},
            "touch": f"touch {next(self._touches)} {time.time_ns()}" if touch is None else touch,
        }
        answer = self.ask("POST", f"{address}/say", json.dumps(said).encode(), self.cookie)
        return json.loads(answer.read())

    @contextmanager
    def listening(self, address: str) -> Iterator[Listener]:
        """The stream of a page."""
        connection = http.client.HTTPConnection(self.host, timeout=PATIENCE)
        connection.request("GET", f"{address}/events", headers=self.cookie)
        listener = Listener(connection.getresponse())
        try:
            yield listener
        finally:
            connection.close()


class Listener:
    """A page that listens.

    Attributes:
        status: The status of the stream's answer.
        panels: What it shows: name -> markup.
        received: All that was sent, as it was sent.
    """

    def __init__(self, answer: http.client.HTTPResponse) -> None:
        self.status = answer.status
        self.panels: dict[str, str] = {}
        self.received: list[str] = []
        self._answer = answer

    def wait_for(self, text: str, *, panel: str | None = None) -> None:
        """Read until a text is shown."""
        end = time.monotonic() + PATIENCE
        while not self._shows(text, panel):
            assert time.monotonic() < end, f"{text!r} does not come: {self.panels}"
            self._read()

    def _shows(self, text: str, panel: str | None) -> bool:
        shown = self.panels.values() if panel is None else [self.panels.get(panel, "")]
        return any(text in each for each in shown)

    def _read(self) -> None:
        event = ""
        while line := self._answer.readline().decode().rstrip("\r\n"):
            self.received.append(line)
            name, _, value = line.partition(": ")
            if name == "event":
                event = value
            elif name == "data" and event == "panels":
                said = json.loads(value)
                self.panels = {
                    each: said["panels"].get(each, self.panels.get(each)) for each in said["order"]
                }


def until(true: Any) -> None:
    """Wait for something."""
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, "this does not come true"
        time.sleep(0.01)
