"""A desk served by HTTP, to this machine alone."""

from __future__ import annotations

import contextlib
import secrets
import sys
from typing import Final

import uvicorn

from ..table.web.run import listen_at
from .desk import Desk
from .server import AssistantServer, be_quiet

HERE: Final = "127.0.0.1"
#: Bytes of what nobody can guess in the address.
SECRET: Final = 16


def listen(desk: Desk, port: int | None) -> None:
    """Serve a desk by streamable HTTP until Ctrl-C.

    Only this machine can reach it, and only by the whole address, which is printed: it
    has a key that is new each time. Requests that name another host are refused, so that no page
    of the web gets there by way of a browser.

    Args:
        desk: The desk.
        port: Where it listens; None for the first free one of the usual ports.

    Raises:
        SettingsError: The port cannot be used.
    """
    be_quiet()
    held = listen_at(HERE, port)
    path = f"/{secrets.token_urlsafe(SECRET)}/mcp"
    app = AssistantServer(desk).server.streamable_http_app(streamable_http_path=path, host=HERE)
    print(f"The tools are at\n  http://{HERE}:{held.getsockname()[1]}{path}")
    print("Only this machine can reach them. Ctrl-C ends it.")
    sys.stdout.flush()
    configured = uvicorn.Config(
        app, ws="none", log_level="critical", access_log=False, server_header=False, lifespan="on",
        timeout_graceful_shutdown=1,
    )  # fmt: skip
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(configured).run(sockets=[held])
