"""Parts of pages as markup: drawings, names and lists."""

from __future__ import annotations

from collections.abc import Sequence

from ....data.markup import Html as Html
from ....data.markup import element as element
from ....data.markup import escape as escape
from ....data.markup import join as join
from ....data.markup import plain as plain


def drawing(
    title: str,
    view_box: str,
    class_: str,
    *parts: object,
    width: int | None = None,
    role: str = "img",
) -> Html:
    """A drawing as one SVG element, with a title for those who do not see it.

    One with the role of a group has parts with names of their own.
    """
    return element(
        "svg",
        element("title", title),
        *parts,
        viewBox=view_box,
        role=role,
        class_=class_,
        width=width,
    )


def listed(parts: Sequence[object], last: str = "and") -> Html:
    """``a``, ``a and b``, ``a, b and c``: what `numbers.listed` is for text."""
    if len(parts) < 2:
        return join(parts)
    return join([join(parts[:-1], ", "), f" {last} ", parts[-1]])


def name(player: str) -> Html:
    """A player's name, set apart so that its direction of writing stays its own."""
    return element("bdi", player, class_="name")
