"""The application: addresses, and what is answered at each."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import json
import traceback
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Final, cast

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from ....data.errors import SleuthError
from ...kit.pages.document import style_sheet
from ..home import Home
from ..lobby import Lobby
from ..sitting import Line, Sitting
from .guard import UPLOAD, Guard, Rates
from .markup import notice, page
from .serving import Served, Shown
from .texts import (
    FAILED,
    FAILED_TITLE,
    LOCKED,
    LOCKED_TITLE,
    NOWHERE,
    NOWHERE_TITLE,
    TOO_MANY,
    UNREADABLE,
)
from .workers import Workers

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import ASGIApp

#: The name of the cookie with the key: a browser sends it to all ports of a machine, so that it
#: is another for each key.
COOKIE: Final = "sleuth_key_{}"
#: Seconds that a browser keeps the key.
KEPT: Final = 365 * 24 * 3600
#: Pages that may be open at the same time.
MOST_PAGES: Final = 400
#: Letters of a line, of what is filled in, and of the number of a touch.
MOST_LETTERS: Final = 4_000
MOST_BLANKS: Final = 40
MOST_OF_A_TOUCH: Final = 64
#: Seconds between signs of life, by which a page notices that the network is gone.
SIGN: Final = 10
#: Seconds in which a page has to take what it is sent.
MOST_DEAF: Final = 60
#: Bytes of the file of errors, beyond which nothing is added.
MOST_ERRORS: Final = 2**20
TYPES: Final = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


def cookie_of(key: str) -> str:
    """The name of the cookie that a browser keeps a key in."""
    return COOKIE.format(hashlib.blake2b(key.encode(), digest_size=4).hexdigest())


class TableServer:
    """The application of a lobby.

    Args:
        lobby: All sittings.
        hosts: The hosts that this server is called by, with their port.
        workers: Who does what takes long.
        rates: How often an address may ask; None for the usual.
        addresses: How the server is reached from other machines; none where it is not.
        game: The game that the lobby shows first; None for none.
    """

    def __init__(
        self,
        lobby: Lobby,
        hosts: Iterable[str],
        *,
        workers: Workers | None = None,
        rates: Rates | None = None,
        addresses: Iterable[str] = (),
        game: str | None = None,
    ) -> None:
        self.lobby = lobby
        lobby.closing = self._close
        self.workers = Workers() if workers is None else workers
        self._served: dict[int, Served] = {}
        hosts = tuple(hosts)
        lobby.addresses = (*addresses, *(f"http://{host}" for host in hosts))
        self._home = Home(lobby, tuple(addresses), game)
        self._stop = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        routes = [
            Route("/", self._lobby_page),
            Route("/static/{name}", self._static),
            Route("/lobby/say", self._say, methods=["POST"]),
            Route("/lobby/events", self._events),
            Route(UPLOAD, self._upload, methods=["POST"]),
            Route("/s/{token}", self._seat_page),
            Route("/s/{token}/say", self._say, methods=["POST"]),
            Route("/s/{token}/events", self._events),
            Route("/s/{token}/get/{name}", self._download),
        ]
        self._starlette = Starlette(
            routes=routes,
            lifespan=self._lifespan,
            exception_handlers={
                Exception: self._failed,
                SleuthError: self._refused,
                ClientDisconnect: self._gone,
            },
        )
        self.app: ASGIApp = Guard(self._starlette, hosts, rates or Rates())

    def stop_soon(self) -> None:
        """End all streams, from any thread: the server is about to stop, and they have no end."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._stop.set)

    def trouble(self, error: BaseException) -> None:
        """Keep an error that nobody expected in a file of the lobby's folder."""
        path = self.lobby.folder / "errors.log"
        with contextlib.suppress(OSError):
            if not path.exists() or path.stat().st_size < MOST_ERRORS:
                with path.open("a", encoding="utf-8") as file:
                    file.write("".join(traceback.format_exception(error)))

    # -- pages

    async def _lobby_page(self, request: Request) -> Response:
        given = request.query_params.get("key")
        if given is not None and self._is_key(given):
            response = RedirectResponse("/", status_code=303)
            response.set_cookie(
                cookie_of(given), given, max_age=KEPT, httponly=True, samesite="lax"
            )
            return response
        if not self._holds_key(request):
            return HTMLResponse(notice(LOCKED_TITLE, LOCKED), status_code=403)
        return await self._page(self._home, 0, "/lobby", lobby=False)

    async def _seat_page(self, request: Request) -> Response:
        found = await self._found(request)
        if found is None:
            return self._nowhere(request)
        sitting, seat = found
        address = f"/s/{request.path_params['token']}"
        return await self._page(sitting, seat, address, lobby=self._holds_key(request))

    async def _page(self, sitting: Sitting, seat: int, address: str, *, lobby: bool) -> Response:
        shown = await self._serving(sitting).shown(seat)
        html = page(sitting.title, shown, address=address, lobby=lobby)
        return HTMLResponse(html, headers={"cache-control": "no-store"})

    async def _static(self, request: Request) -> Response:
        name = request.path_params["name"]
        kind = TYPES.get(Path(name).suffix)
        if name == "report.css":
            content = style_sheet().encode()
        elif kind is None or name not in {each.name for each in _statics().iterdir()}:
            return Response(status_code=404)
        else:
            content = _statics().joinpath(name).read_bytes()
        return Response(content, media_type=kind, headers={"cache-control": "no-cache"})

    # -- what pages say and hear

    async def _say(self, request: Request) -> Response:
        found = await self._found(request)
        if found is None:
            return JSONResponse({"error": NOWHERE}, status_code=404)
        line = _line(await request.body())
        if line is None:
            return JSONResponse({"error": UNREADABLE}, status_code=400)
        sitting, seat = found
        heard = await self._serving(sitting).hear(seat, line)
        return JSONResponse({"refused": heard.refused, "hint": heard.hint, "go": heard.go})

    async def _upload(self, request: Request) -> Response:
        """A record in a file, which becomes a replay."""
        found = await self._found(request)
        if found is None:
            return JSONResponse({"error": NOWHERE}, status_code=404)
        name = request.query_params.get("name", "")[:MOST_OF_A_TOUCH]
        content = (await request.body()).decode("utf-8", "replace")
        if not name.isprintable():
            return JSONResponse({"error": UNREADABLE}, status_code=400)
        touch = request.query_params.get("touch", "")[:MOST_OF_A_TOUCH]
        line = Line("new replay", {"record": content, "file": name}, touch or token_hex())
        sitting, seat = found
        heard = await self._serving(sitting).hear(seat, line)
        return JSONResponse({"refused": heard.refused, "hint": heard.hint, "go": heard.go})

    async def _events(self, request: Request) -> Response:
        from sse_starlette import EventSourceResponse, ServerSentEvent

        found = await self._found(request)
        if found is None:
            # 204 tells an EventSource to ask no more.
            return Response(status_code=204)
        sitting, seat = found
        served = self._serving(sitting)
        if sum(each.watched for each in self._served.values()) >= MOST_PAGES:
            return Response(TOO_MANY, status_code=429, headers={"retry-after": "5"})
        return EventSourceResponse(
            self._messages(served, seat),
            ping=SIGN,
            send_timeout=MOST_DEAF,
            ping_message_factory=lambda: ServerSentEvent("1", event="ping"),
            headers={"cache-control": "no-store"},
        )

    async def _messages(self, served: Served, seat: int) -> AsyncGenerator[dict[str, Any]]:
        yield {"event": "hello", "data": "1", "retry": 1000}
        changes = served.changes(seat)
        stopped = asyncio.create_task(self._stop.wait())
        following: asyncio.Future[tuple[Shown, list[str]]] | None = None
        try:
            while True:
                following = asyncio.ensure_future(anext(changes))
                await asyncio.wait({following, stopped}, return_when=asyncio.FIRST_COMPLETED)
                if not following.done():
                    return
                new, order = following.result()
                yield {"event": "panels", "data": json.dumps({"panels": new, "order": order})}
        except StopAsyncIteration:
            return
        except SleuthError as error:
            yield {"event": "trouble", "data": str(error)}
        finally:
            stopped.cancel()
            if following is not None:
                following.cancel()
                with contextlib.suppress(BaseException):
                    await following
            with contextlib.suppress(BaseException):
                await changes.aclose()

    async def _download(self, request: Request) -> Response:
        found = await self._found(request)
        if found is None:
            return self._nowhere(request)
        sitting, seat = found
        try:
            file, content = await self._serving(sitting).download(seat, request.path_params["name"])
        except SleuthError as error:
            return HTMLResponse(notice(NOWHERE_TITLE, str(error)), status_code=404)
        headers = {
            "content-disposition": f'attachment; filename="{file.name}"',
            "cache-control": "no-store",
        }
        return Response(content, media_type=file.kind, headers=headers)

    # -- parts

    def _is_key(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self.lobby.key.encode())

    def _holds_key(self, request: Request) -> bool:
        return self._is_key(request.cookies.get(cookie_of(self.lobby.key), ""))

    async def _found(self, request: Request) -> tuple[Sitting, int] | None:
        """The sitting and the seat that a request is about; None where there is none for it."""
        token = request.path_params.get("token")
        if token is None:
            return (self._home, 0) if self._holds_key(request) else None
        place = await asyncio.to_thread(self.lobby.place, token)
        return None if place is None else (place.sitting, place.seat)

    def _serving(self, sitting: Sitting) -> Served:
        found = self._served.get(id(sitting))
        if found is None or found.sitting is not sitting:
            found = self._served[id(sitting)] = Served(sitting, self.workers, self.trouble)
        return found

    def _close(self, sitting: Sitting) -> None:
        """End all that is worked on for a sitting that is closed, from any thread."""
        served = self._served.pop(id(sitting), None)
        if served is not None and self._loop is not None:
            asyncio.run_coroutine_threadsafe(served.leave(), self._loop)

    def _nowhere(self, request: Request) -> Response:
        text = notice(NOWHERE_TITLE, NOWHERE, lobby=self._holds_key(request))
        return HTMLResponse(text, status_code=404)

    async def _refused(self, request: Request, error: Exception) -> Response:
        return HTMLResponse(notice(FAILED_TITLE, str(error)), status_code=409)

    async def _failed(self, request: Request, error: Exception) -> Response:
        self.trouble(error)
        return HTMLResponse(notice(FAILED_TITLE, FAILED), status_code=500)

    async def _gone(self, request: Request, error: Exception) -> Response:
        return Response(status_code=400)

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncGenerator[None]:
        self._loop = asyncio.get_running_loop()
        yield
        for served in list(self._served.values()):
            await served.leave()
        self.workers.close()
        self.lobby.close()


def _statics() -> Any:
    return files(__package__ or "").joinpath("static")


def _line(body: bytes) -> Line | None:
    """The line in what a page sent; None where it is none."""
    try:
        found: object = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, Mapping):
        return None
    said = cast("Mapping[str, object]", found)
    text, blanks, touch = said.get("line"), said.get("blanks", {}), said.get("touch", "")
    if not isinstance(text, str) or not isinstance(touch, str) or not isinstance(blanks, Mapping):
        return None
    filled = cast("Mapping[str, object]", blanks)
    if len(text) > MOST_LETTERS or len(touch) > MOST_OF_A_TOUCH or len(filled) > MOST_BLANKS:
        return None
    if not all(isinstance(each, str) and len(each) <= MOST_LETTERS for each in filled.values()):
        return None
    words = cast("Mapping[str, str]", filled)
    # Nothing is kept that no page could be made of, such as half a letter of two.
    if not all(each.isprintable() for each in (text, touch, *words)):
        return None
    if not all(each.isprintable() or _is_text(each) for each in words.values()):
        return None
    return Line(text, words, touch)


def _is_text(words: str) -> bool:
    """True if words are printable but for their breaks, as in something that was copied."""
    return "".join(words.split()).isprintable()
