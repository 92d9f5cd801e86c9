"""HTML and SVG elements as text, escaped by construction.

Whatever is not `Html` is escaped when it becomes part of an element, so a name can hold any
characters. Reports are made of them, and what a notebook shows.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from typing import Final

VOID: Final = frozenset({"meta", "br", "hr", "input", "link"})


class Html(str):
    """Text that is markup already."""

    __slots__ = ()


def escape(content: object) -> Html:
    """``content`` as markup: itself if it is, else its text with special characters escaped."""
    return content if isinstance(content, Html) else Html(html.escape(str(content), quote=True))


def join(parts: Iterable[object], separator: object = "") -> Html:
    """The parts one after the other, each escaped unless it is markup."""
    return Html(escape(separator).join(escape(part) for part in parts))


def plain(markup: Html) -> str:
    """The words of markup, without its tags."""
    return html.unescape(re.sub("<[^>]*>", "", markup))


def element(tag: str, /, *content: object, **attributes: object) -> Html:
    """One element with its content.

    Args:
        tag: Its name.
        content: What is inside; escaped unless it is `Html`.
        attributes: ``_`` at the end of a name is dropped and ``_`` inside becomes ``-``;
            ``None`` and ``False`` leave an attribute out.
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_plain(value))}"'
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if tag in VOID:
        return Html(f"<{tag}{written}>")
    return Html(f"<{tag}{written}>{join(content)}</{tag}>")


def _plain(value: object) -> object:
    """Coordinates without needless digits: they are what makes a picture large."""
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return "" if value is True else value
