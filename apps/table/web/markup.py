"""The server's pages as markup: panels, the page around them, and pages that say one thing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from ....data.markup import Html, element, join
from ....data.version import version
from ...kit.answers.html import shown
from ..sitting import Panel
from .texts import FULL, LOST, NO_SCRIPT, PLACES, TITLE, TO_LOBBY, UNABLE

#: The mark of a place's end in the first markup of a page.
STYLES: Final = ("report.css", "table.css")


def panel_html(panel: Panel, *, busy: bool = False) -> str:
    """A panel as markup; busy while its answer is being worked out."""
    body = shown(*panel.parts)
    attributes = {
        "id": f"panel-{panel.name}",
        "data_place": panel.place,
        "aria_busy": "true" if busy else None,
        "hidden": not panel.parts and not busy,
        "data_live": panel.live or None,
    }
    if panel.folded is not None and panel.title:
        head = element("summary", element("h2", panel.title))
        details = element("details", head, body, open=not panel.folded, aria_label=panel.title)
        return element("section", details, **attributes)
    head = element("h2", panel.title) if panel.title else Html("")
    return element("section", head, body, aria_label=panel.title or None, **attributes)


def page(
    title: str,
    panels: Mapping[str, str],
    *,
    address: str,
    lobby: bool,
    worker: str | None = None,
    policy: str | None = None,
) -> str:
    """A whole page of a seat.

    Args:
        title: What it shows.
        panels: Its panels; see `Shown`.
        address: What the addresses of its messages begin with.
        lobby: Whether there is a way back to the lobby.
        worker: The script that stands for the server, where there is none.
        policy: What may be loaded and run, where no server says it.
    """
    # Where a page is narrow, what is touched can be folded away by this.
    sheet = element(
        "button", id="sheet", type="button", aria_label=PLACES["touch"], aria_expanded="true",
        aria_controls="place-touch",
    )  # fmt: skip
    places = [
        element(
            "div",
            sheet if place == "touch" else Html(""),
            *(Html(html) for html in panels.values() if f' data-place="{place}"' in html[:200]),
            id=f"place-{place}",
            role="region",
            aria_label=label,
        )
        for place, label in PLACES.items()
    ]
    home = element("a", TITLE, href="/", class_="home", title=TO_LOBBY) if lobby else Html("")
    body = element(
        "body",
        element("header", home, element("h1", title)),
        element("p", LOST, id="lost", role="status", hidden=True),
        element("p", "", id="refused", role="alert", hidden=True),
        element("p", "", id="news", role="status"),
        element("main", *places),
        element("noscript", element("p", NO_SCRIPT)),
        data_address=address,
        data_worker=worker,
        data_full=FULL if worker else None,
        data_unable=UNABLE if worker else None,
    )
    return _document(title, body, ("table.js",), policy)


def notice(title: str, text: str, *, lobby: bool = False) -> str:
    """A page that says one thing."""
    back = element("p", element("a", TO_LOBBY, href="/")) if lobby else Html("")
    said = element("section", element("h2", title), element("p", text), back)
    return _document(title, element("body", element("main", said)), ())


def _document(title: str, body: Html, scripts: Iterable[str], policy: str | None = None) -> str:
    said = {"http_equiv": "Content-Security-Policy", "content": policy}
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", **said) if policy else Html(""),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="generator", content=f"sleuth {version()}"),
        element("title", title if title == TITLE else f"{title} - {TITLE}"),
        element("link", rel="icon", href="/static/icon.svg"),
        *(element("link", rel="stylesheet", href=f"/static/{name}") for name in STYLES),
        *(element("script", src=f"/static/{name}", defer=True) for name in scripts),
    )
    return f"<!doctype html>\n{join([element('html', head, body, lang='en')])}\n"
