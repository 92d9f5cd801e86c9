"""What all reports have in common: one HTML file without scripts that loads nothing."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from typing import Final

from .markup import Html, element

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
        element("style", Html(_style() + style)),
    )
    return f"<!doctype html>\n{element('html', head, body, lang='en')}\n"


def heading(kicker: str, title: object) -> Html:
    """What stands at the top."""
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


def _style() -> str:
    return files(__package__ or "").joinpath("style.css").read_text("utf-8")
