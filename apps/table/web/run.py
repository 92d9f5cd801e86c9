"""Starting the server, and telling people where it is."""

from __future__ import annotations

import contextlib
import os
import shlex
import socket
import sys
import threading
import webbrowser
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ....data.disk.holding import HeldFile, hold
from ....data.disk.places import user_folder
from ....data.errors import SettingsError
from ..lobby import Lobby

if TYPE_CHECKING:
    import uvicorn
    from starlette.types import ASGIApp

#: Where the server listens unless another port is named; the next ones if that is taken.
PORT: Final = 8642
MOST_PORTS: Final = 20
#: Seconds that open pages have to let go when the server stops.
PATIENCE: Final = 2
#: Any address of the network behind which this machine is; nothing is sent to it.
ELSEWHERE: Final = ("192.0.2.1", 9)


@dataclass(frozen=True)
class ServerStart:
    """The options with which a server is started.

    Attributes:
        folder: Where its sittings are kept.
        port: Where it listens; None for the first of a few that is free.
        network: Whether other machines may reach it.
        browser: Whether to open a browser.
        game: The game that the lobby shows first; None for none.
    """

    folder: Path
    port: int | None = None
    network: bool = False
    browser: bool = True
    game: str | None = None


def usual_folder() -> Path:
    """The folder of this user's sittings, by the rules of the system.

    Raises:
        SettingsError: The user has no home.
    """
    folder = user_folder("data")
    if folder is None:
        raise SettingsError("nobody's home is known", where="folder", hint="name a folder")
    return folder / "table"


def serve(opening: ServerStart) -> None:
    """Serve until Ctrl-C.

    Raises:
        SettingsError: The port is taken, or the folder cannot be used.
    """
    import uvicorn

    from .app import TableServer

    lobby = Lobby(opening.folder)
    held = _held(opening.folder)
    key = lobby.key
    host = "0.0.0.0" if opening.network else "127.0.0.1"
    listening = listen_at(host, opening.port)
    port = listening.getsockname()[1]
    outside = _outside() if opening.network else None
    names = ["127.0.0.1", "localhost", *([outside] if outside else [])]
    outer = [f"http://{outside}:{port}"] if outside else []
    table = TableServer(
        lobby, [f"{name}:{port}" for name in names], addresses=outer, game=opening.game
    )
    held.stream.write(f"http://127.0.0.1:{port}\n".encode())
    held.stream.flush()

    class Stopping(uvicorn.Server):
        """A server that ends its streams first, since they would never end."""

        def handle_exit(self, sig: int, frame: Any) -> None:
            """Ctrl-C."""
            table.stop_soon()
            super().handle_exit(sig, frame)

    here = f"http://127.0.0.1:{port}/?key={key}"
    tell(here, f"{outer[0]}/?key={key}" if outer else None)
    if opening.network and not outside:
        print("This machine is in no network, so no other can reach it.", file=sys.stderr)
    if opening.browser:
        threading.Timer(0.3, _browse, (here,)).start()
    with contextlib.suppress(KeyboardInterrupt):
        Stopping(configured(table.app)).run(sockets=[listening])
    held.close()
    again = "sleuth table" + (
        "" if opening.folder == usual_folder() else f" --folder {shlex.quote(str(opening.folder))}"
    )
    print(f"The table is closed. Everything is kept; '{again}' goes on with it.")


def configured(app: ASGIApp) -> uvicorn.Config:
    """The server of an application: nothing is printed, and nobody keeps others waiting."""
    import uvicorn

    from .patience import PatientProtocol

    return uvicorn.Config(
        app,
        http=PatientProtocol,
        ws="none",
        log_level="critical",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=PATIENCE,
        timeout_keep_alive=30,
        limit_concurrency=1000,
        h11_max_incomplete_event_size=16 * 1024,
        lifespan="on",
    )


def tell(here: str, outside: str | None) -> None:
    """Print where the server is, and how a phone reaches it."""
    print(f"The table is open at\n  {here}")
    if outside is None:
        print("Only this machine can reach it; --network lets phones in. Ctrl-C closes it.")
    else:
        print(
            f"and, for every machine in your network, at\n  {outside}\n"
            "Anyone with the whole address, with its key, can see and change every table here. The "
            "address\nof a single seat shows that seat alone. What is sent is not encrypted."
        )
        print(qr_code(outside))
        print("Ctrl-C closes it.")
    sys.stdout.flush()


def qr_code(address: str) -> str:
    """An address as a code for a phone's camera, in letters of a terminal."""
    import segno

    page = StringIO()
    segno.make(address, error="l", micro=False).terminal(out=page, border=1, compact=True)
    return page.getvalue().rstrip("\n")


def _browse(address: str) -> None:
    with contextlib.suppress(Exception):
        webbrowser.open(address)


def _held(folder: Path) -> HeldFile:
    """A file that says where the server of a folder is: two would not know what the other did."""
    path = folder / "server"
    try:
        held = hold(path, where="folder")
    except SettingsError as error:
        there = path.read_text("utf-8", "replace").strip() if path.is_file() else ""
        if there.startswith("http"):
            raise SettingsError(
                f"these tables are open already, at {there}",
                where="folder",
                value=str(folder),
                hint="close that server by Ctrl-C, or name another folder",
            ) from None
        raise error from None
    if not held.writable:
        held.close()
        raise SettingsError(
            "this folder can only be read", where="folder", value=str(folder), hint="name another"
        )
    held.stream.truncate(0)
    return held


def listen_at(host: str, port: int | None) -> socket.socket:
    """A socket that listens; on the first free one of the usual ports where none is named.

    Raises:
        SettingsError: It cannot.
    """
    ports = range(PORT, PORT + MOST_PORTS) if port is None else (port,)
    for each in ports:
        found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if os.name != "nt":
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host, each))
            found.listen(128)
        except OSError as error:
            found.close()
            if port is not None:
                raise SettingsError(
                    f"this port cannot be used: {(error.strerror or str(error)).lower()}",
                    where="port",
                    value=port,
                    hint="name another, or none",
                ) from None
            continue
        return found
    raise SettingsError(
        "none of the usual ports is free",
        where="port",
        value=f"{PORT} to {PORT + MOST_PORTS - 1}",
        hint="name one that is",
    )


def _outside() -> str | None:
    """The address of this machine in its network; None where it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
            found = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if found.startswith("127.") or found == "0.0.0.0" else found
