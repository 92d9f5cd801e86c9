"""The door by which values of lower floors are drawn in a notebook by what stands above them.

What stands above hands over what draws them, by the kind of value, when sleuth is imported; it is
read when the first value is shown. No floor below has to name one above.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .markup import Html

Drawer = Callable[[Any], Html]
"""What draws a value of one kind."""

_lists: list[Callable[[], Mapping[str, Drawer]]] = []


def show_by(listed: Callable[[], Mapping[str, Drawer]]) -> None:
    """Hand over what lists the drawers, by the kinds of values that they draw."""
    _lists.append(listed)


def shown(kind: str, value: Any) -> Html:
    """A value as a notebook shows it.

    Raises:
        KeyError: Nothing draws values of this kind.
    """
    drawers = {name: drawer for listed in _lists for name, drawer in listed().items()}
    return drawers[kind](value)
