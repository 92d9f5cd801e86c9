"""The common base of all reports: one HTML file without scripts that loads nothing."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from typing import Final

from .markup import Html, element

#: What every report has near its beginning.
MARK: Final = b'name="generator" content="sleuth '
#: Nothing may be loaded or run, whatever a record holds.
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


def document(body: Html, *, title: str, version: str, style: str = "") -> str:
    """A whole report.

    Args:
        body: Its body.
        title: Of the window.
        version: Of sleuth.
        style: Rules that follow those of all reports.
    """
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="generator", content=f"sleuth {version}"),
        element("title", title),
        element("style", Html(style_sheet() + style)),
    )
    return f"<!doctype html>\n{element('html', head, body, lang='en')}\n"


def report(
    kicker: str,
    title: object,
    sections: Iterable[object],
    foot: Html,
    *,
    plain: str,
    version: str,
    room: str | None = None,
    style: str = "",
    class_: str | None = None,
) -> str:
    """A report of one game.

    Args:
        kicker, title: What stands at the top.
        sections: Its parts.
        foot: What stands at the bottom.
        plain: The title of the window.
        version: Of sleuth.
        room: The package with a style sheet of the game's own.
        style: Rules that follow all others.
        class_: Of the body.
    """
    main = element("main", *sections)
    body = element("body", heading(kicker, title), main, foot, class_=class_)
    own = style_sheet(room) if room is not None else ""
    return document(body, title=plain, version=version, style=own + style)


def footer(version: str, said: str, source: str | None = None) -> Html:
    """The meaning of numbers, the origin of the record, and what made the report."""
    return element(
        "footer",
        element("p", said),
        element("p", "Record: ", source) if source else Html(""),
        element("p", f"Made by sleuth {version}."),
    )


def made_by(version: str, seed: int, digest: str) -> list[tuple[str, object]]:
    """The facts anybody needs to get the same report again."""
    return [
        ("Version, seed", f"sleuth {version}, {seed}"),
        ("Record as seen", element("code", digest)),
    ]


def heading(kicker: str, title: object) -> Html:
    """The heading of a report."""
    return element("header", element("p", kicker, class_="kicker"), element("h1", title))


def section(title: object, lead: object, *content: Html) -> Html:
    """A part of a report, with what there is to say of it first."""
    said = element("p", lead, class_="lead") if lead else Html("")
    return element("section", element("h2", title), said, *content)


def terms(facts: Iterable[tuple[str, object]]) -> Html:
    """A list of terms, each with what it is."""
    return element(
        "dl", *(element("div", element("dt", term), element("dd", text)) for term, text in facts)
    )


def style_sheet(room: str = __package__ or "") -> str:
    """The rules of all reports, or those of a package with more."""
    return files(room).joinpath("style.css").read_text("utf-8")
