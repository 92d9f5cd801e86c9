"""HTML and SVG elements as text, escaped by construction.

Whatever is not `Html` is escaped when it becomes part of an element, so a name can hold any
characters.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
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


def drawing(
    title: str, view_box: str, class_: str, *parts: object, style: str | None = None
) -> Html:
    """A drawing as one SVG element, with a title for those who do not see it."""
    return element(
        "svg",
        element("title", title),
        *parts,
        viewBox=view_box,
        role="img",
        class_=class_,
        style=style,
    )


def listed(parts: Sequence[object], last: str = "and") -> Html:
    """``a``, ``a and b``, ``a, b and c``: what `numbers.listed` is for text."""
    if len(parts) < 2:
        return join(parts)
    return join([join(parts[:-1], ", "), f" {last} ", parts[-1]])


def name(player: str) -> Html:
    """A player's name, set apart so that its direction of writing stays its own."""
    return element("bdi", player, class_="name")


def _plain(value: object) -> object:
    """Coordinates without needless digits: they are what makes a picture large."""
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return "" if value is True else value
