"""Lists in reports: bars, and entries with values."""

from __future__ import annotations

from collections.abc import Sequence

from .markup import Html, element


def bar(label: object, value: str, share: float) -> Html:
    """An entry of a list of bars.

    Args:
        label: What it is about.
        value: How much, in words.
        share: How much of the whole width the bar takes, 0 to 1.
    """
    return element(
        "li",
        element("span", label, class_="label"),
        element("span", track(share), class_="track"),
        element("span", value, class_="value"),
    )


def track(share: float) -> Html:
    """The part of a bar that is full; no style stands in it, which some pages refuse."""
    full = element("rect", width=f"{100 * share:.1f}%", height="100%")
    return element("svg", full, class_="bar", aria_hidden="true")


def panel(title: str, rows: Sequence[tuple[object, object]], most: int) -> Html:
    """A list with a heading: what each entry is about, and its value; at most so many of them."""
    shown = [
        element("li", element("span", what), element("span", value, class_="value"))
        for what, value in rows[:most]
    ]
    more = len(rows) - len(shown)
    rest = element("p", f"and {more} more", class_="out") if more > 0 else Html("")
    return element("div", element("h3", title), element("ul", *shown), rest)
