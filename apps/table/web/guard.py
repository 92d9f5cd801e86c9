"""Checks that every request passes: the right host and origin, not too much, not too often."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from .texts import FOREIGN, TOO_LARGE, TOO_MANY

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: Nothing is loaded or run that does not come from this server, without exceptions.
HEADERS: Final = (
    (b"content-security-policy", b"default-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
     b"form-action 'self'; object-src 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    # An address of a seat is a secret.
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)  # fmt: skip
#: Most bytes of what a page says, and of a file that it hands in where one is asked for.
MOST_BYTES: Final = 64 * 1024
MOST_OF_A_FILE: Final = 2**20
UPLOAD: Final = "/lobby/upload"
#: Seconds in which all of it has to come.
MOST_SECONDS: Final = 10.0
#: Requests a second that one address may make, and how many at once.
RATE: Final = 40.0
BURST: Final = 200.0
#: Addresses that are remembered.
MOST_ADDRESSES: Final = 4096


class Rates:
    """The limit on how often each address may ask.

    Args:
        rate: Requests a second.
        burst: Requests at once.
        now: The clock.
    """

    def __init__(
        self,
        rate: float = RATE,
        burst: float = BURST,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._rate, self._burst, self._now = rate, burst, now
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allow(self, address: str) -> bool:
        """True if this address may make a request now, which is counted."""
        now = self._now()
        left, last = self._left.pop(address, (self._burst, now))
        left = min(self._burst, left + (now - last) * self._rate)
        allowed = left >= 1.0
        self._left[address] = (left - allowed, now)
        while len(self._left) > MOST_ADDRESSES:
            self._left.popitem(last=False)
        return allowed


class Guard:
    """Passes on to an application what may pass.

    Args:
        app: The application.
        hosts: The hosts that this server is called by, with their port.
        rates: How often each address may ask.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str], rates: Rates) -> None:
        self._app = app
        self._hosts = {host.encode("ascii", "replace").lower() for host in hosts}
        self._rates = rates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, or refuse it in one line."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        refused = self._refused(scope, headers)
        if refused is not None:
            await _refuse(send, *refused)
            return
        size, most, whole = 0, _most(scope), False
        end = asyncio.get_running_loop().time() + MOST_SECONDS

        async def limited() -> Message:
            nonlocal size, whole
            if whole:
                return await receive()
            try:
                async with asyncio.timeout_at(end):
                    message = await receive()
            except TimeoutError:
                return {"type": "http.disconnect"}
            size += len(message.get("body", b""))
            whole = not message.get("more_body", False)
            if size > most:
                # What follows is not read; the application sees a request that was broken off.
                return {"type": "http.disconnect"}
            return message

        async def sealed(message: Message) -> None:
            if message["type"] == "http.response.start":
                kept = [pair for pair in message["headers"] if pair[0] != b"server"]
                message = {**message, "headers": [*kept, *HEADERS]}
            await send(message)

        await self._app(scope, limited, sealed)

    def _refused(self, scope: Scope, headers: dict[bytes, bytes]) -> tuple[int, str] | None:
        # A name that leads here from another page's server is not ours (DNS rebinding).
        if headers.get(b"host", b"").lower() not in self._hosts:
            return 421, FOREIGN
        client = scope.get("client") or ("", 0)
        if not self._rates.allow(str(client[0])):
            return 429, TOO_MANY
        if scope["method"] in ("GET", "HEAD"):
            return None
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > _most(scope):
            return 413, TOO_LARGE
        origin = headers.get(b"origin")
        site = headers.get(b"sec-fetch-site", b"same-origin")
        own = origin is not None and origin.split(b"://")[-1].lower() == headers[b"host"].lower()
        if not own or site != b"same-origin":
            return 403, FOREIGN
        return None


def _most(scope: Scope) -> int:
    return MOST_OF_A_FILE if scope["path"] == UPLOAD else MOST_BYTES


async def _refuse(send: Send, status: int, text: str) -> None:
    body = text.encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        *([(b"retry-after", b"1")] if status == 429 else []),
        *HEADERS,
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
