"""A page of `sleuth table` without a browser, and the command itself as a process.

What a page says and hears goes over HTTP as from a browser: with its headers, a line a touch, and a
stream of events. Benchmarks and tests of the table measure and check it by these.
"""

from __future__ import annotations

import contextlib
import http.client
import itertools
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import IO, Any, Final

from sleuth.apps.table.web.app import cookie_of

#: Seconds in which anything that is waited for has come.
PATIENCE: Final = 20.0
COMMAND: Final = [sys.executable, "-m", "sleuth.apps.main", "table"]


class Client:
    """Everything that browsers say to a server; it is asked as a browser asks it.

    Args:
        host: Its name with the port.
        key: The key of its lobby.
    """

    def __init__(self, host: str, key: str) -> None:
        self.host = host
        self.key = key
        self._touches = itertools.count()

    @property
    def address(self) -> str:
        return f"http://{self.host}"

    @property
    def cookie(self) -> dict[str, str]:
        return {"Cookie": f"{cookie_of(self.key)}={self.key}"}

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        *,
        own: bool = True,
    ) -> http.client.HTTPResponse:
        """The answer to a request; with the headers of a page of this server, unless not."""
        connection = http.client.HTTPConnection(self.host, timeout=PATIENCE)
        usual = {"Origin": self.address, "Sec-Fetch-Site": "same-origin"} if own else {}
        connection.request(method, path, body, {**usual, **(headers or {})})
        return connection.getresponse()

    def connected(self) -> socket.socket:
        """A connection over which nothing was said."""
        name, _, port = self.host.rpartition(":")
        return socket.create_connection((name, int(port)), timeout=PATIENCE)

    def text(self, path: str) -> str:
        return self.ask("GET", path, headers=self.cookie).read().decode()

    def say(
        self,
        address: str,
        line: str,
        blanks: Mapping[str, str] | None = None,
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

    def insist(self, address: str, line: str, blanks: Mapping[str, str], touch: str) -> Any:
        """Say a line again and again until the server has heard it, as pages do."""
        end = time.monotonic() + 3 * PATIENCE
        while True:
            try:
                return self.say(address, line, blanks, touch)
            except (OSError, http.client.HTTPException, ValueError):
                if time.monotonic() > end:
                    raise
                time.sleep(0.02)

    def begin(self, kind: str, game: str) -> str:
        """The address of a new table's first seat."""
        said = self.say("/lobby", f"new {kind} {game}")
        if said["refused"]:
            raise ValueError(said["refused"])
        return said["go"]

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
        self.wait_until(lambda: self._shows(text, panel), text)

    def wait_until(self, true: Callable[[], bool], words: str = "this") -> None:
        """Read until something is true of what is shown."""
        end = time.monotonic() + PATIENCE
        while not true():
            assert time.monotonic() < end, f"{words!r} does not come: {self.panels}"
            self.read()

    def read(self) -> str:
        """Read one event; its name, empty at the end of the stream."""
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
        return event

    def _shows(self, text: str, panel: str | None) -> bool:
        shown = self.panels.values() if panel is None else [self.panels.get(panel, "")]
        return any(text in each for each in shown)


class Watch:
    """A page whose stream is read all the time, and which comes back when the server is gone.

    Args:
        client: The server.
        address: The address of the page.

    Attributes:
        panels: What it shows.
        returns: How often it had to connect again.
    """

    def __init__(self, client: Client, address: str) -> None:
        self.panels: dict[str, str] = {}
        self.returns = -1
        self._client, self._address = client, address
        self._changed = threading.Condition()
        self._over = False
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def wait(self, true: Callable[[Mapping[str, str]], bool], words: str = "this") -> float:
        """Wait until something is true of what is shown; when it was seen to be, by the clock."""
        with self._changed:
            if not self._changed.wait_for(lambda: true(self.panels), PATIENCE):
                raise AssertionError(f"{words!r} does not come: {[*self.panels]}")
            return time.perf_counter()

    def close(self) -> None:
        """Leave."""
        self._over = True

    def _listen(self) -> None:
        while not self._over:
            with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
                self._follow()
            time.sleep(0.02)

    def _follow(self) -> None:
        with self._client.listening(self._address) as page:
            self.returns += 1
            while not self._over and page.read():
                with self._changed:
                    self.panels = dict(page.panels)
                    self._changed.notify_all()


class TableProcess(Client):
    """`sleuth table` in a process of its own, on a free port unless one is named.

    Args:
        folder: Where its tables are kept.
        port: Where it listens; 0 for any.
        options: What else stands on its command line.
        environment: Variables of its environment that are not ours.
        program: What it is run by, such as another program with its options.

    Attributes:
        port: Where it listens.
        seconds: Seconds from the command until it said its address.
        printed: What it has printed so far.
        errors: What it wrote to standard error so far.
    """

    def __init__(
        self,
        folder: Path,
        port: int = 0,
        options: tuple[str, ...] = (),
        environment: Mapping[str, str] | None = None,
        program: tuple[str, ...] = (),
    ) -> None:
        begun = time.perf_counter()
        command = [*COMMAND, "--no-browser", "--folder", str(folder), "--port", str(port)]
        self.process = subprocess.Popen(
            [*program, *command, *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **(environment or {})},
            start_new_session=True,
        )
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self.printed: list[str] = []
        self.errors: list[str] = []
        self._open = threading.Event()
        self._readers = [
            threading.Thread(target=self._keep, args=(stream, kept), daemon=True)
            for stream, kept in (
                (self.process.stdout, self.printed),
                (self.process.stderr, self.errors),
            )
        ]
        for reader in self._readers:
            reader.start()
        end = time.monotonic() + 3 * PATIENCE
        while not self._open.wait(0.002):
            if self.process.poll() is not None or time.monotonic() > end:
                self.kill()
                raise RuntimeError(f"no table is open: {self.errors}")
        self.seconds = time.perf_counter() - begun
        (found,) = (
            re.search(r"127\.0\.0\.1:(\d+)/\?key=(\S+)", each) for each in self.printed[1:2]
        )
        assert found is not None
        self.port = int(found[1])
        super().__init__(f"127.0.0.1:{self.port}", found[2])

    def _keep(self, stream: IO[str], kept: list[str]) -> None:
        for line in stream:
            kept.append(line)
            if "?key=" in line:
                self._open.set()

    def kill(self) -> None:
        """End it without a word, as a machine that loses its power."""
        self.process.kill()
        self._ended()

    def interrupt(self, sent: int = signal.SIGINT) -> int:
        """Ctrl-C, which reaches its workers too; its exit code."""
        os.killpg(self.process.pid, sent)
        return self._ended()

    def workers(self) -> list[int]:
        """The processes that it started and that still run."""
        found: list[int] = []
        for each in Path("/proc").glob("[0-9]*"):
            try:
                said = (each / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
            except OSError:
                continue
            if (
                int(said[2]) == self.process.pid
                and said[0] != "Z"
                and each.name != str(self.process.pid)
            ):
                found.append(int(each.name))
        return found

    def resident(self) -> int:
        """Bytes of memory that it has now."""
        pages = Path(f"/proc/{self.process.pid}/statm").read_text("utf-8").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def cpu(self) -> float:
        """Seconds of the processor that it has had so far."""
        said = Path(f"/proc/{self.process.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        return (int(said[11]) + int(said[12])) / os.sysconf("SC_CLK_TCK")

    def _ended(self) -> int:
        code = self.process.wait(PATIENCE)
        for reader in self._readers:
            reader.join(PATIENCE)
        return code


@dataclass
class Offer:
    """A line that a page offers.

    Attributes:
        line: The line.
        text: What stands at it.
        blanks: What stands in the blanks of a form before somebody fills them in.
        choices: What may be filled in where it is chosen.
    """

    line: str
    text: str = ""
    blanks: dict[str, str] = field(default_factory=dict[str, str])
    choices: dict[str, list[str]] = field(default_factory=dict[str, list[str]])


class _Offers(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[Offer] = []
        self._form: Offer | None = None
        self._select = ""
        self._naming: Offer | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if "data-line" in given and "disabled" not in given:
            self._naming = Offer(given["data-line"])
            self.found.append(self._naming)
            if tag == "form":
                self._form = self._naming
        form, name = self._form, given.get("name", "")
        if form is None:
            return
        if tag in ("input", "textarea") and name:
            if given.get("type") not in ("checkbox", "radio") or "checked" in given:
                form.blanks[name] = given.get("value", "on" if "type" in given else "")
            if given.get("type") == "text":
                form.blanks[name] = given.get("value", "")
        elif tag == "select":
            self._select = name
            form.choices[name] = []
        elif tag == "option":
            value = given.get("value", "")
            form.choices[self._select].append(value)
            if "selected" in given or self._select not in form.blanks:
                form.blanks[self._select] = value

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None

    def handle_data(self, data: str) -> None:
        if self._naming is not None and data.strip():
            self._naming.text += data.strip()
            self._naming = None


def offers(markup: str) -> list[Offer]:
    """Everything that the markup of a page or a panel offers to be touched or filled in."""
    parser = _Offers()
    parser.feed(markup)
    return parser.found


def free_port() -> int:
    """A port on which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def until(true: Callable[[], Any]) -> None:
    """Wait for something."""
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, "this does not come true"
        time.sleep(0.01)
