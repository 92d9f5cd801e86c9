"""Names that are imported when they are first used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any


def attach(
    page: str, modules: Mapping[str, Sequence[str]], *more: str
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """``__getattr__``, ``__dir__`` and ``__all__`` of a module that only hands on names.

    Args:
        page: The module's own name.
        modules: The names it hands on, by the modules of the package that they come from.
        more: Modules of the page itself, which are public, too.
    """
    root = page.partition(".")[0]
    where = {name: module for module, names in modules.items() for name in names}
    public = sorted([*where, *more])

    def found(name: str) -> Any:
        if name in more:
            return import_module(f"{page}.{name}")
        if name not in where:
            message = f"module {page!r} has no attribute {name!r}"
            if not name.startswith("_"):
                from sleuth.data.errors import nearest

                message += f"; {nearest(name, public)}"
            raise AttributeError(message, name=name)
        value = getattr(import_module(f"{root}.{where[name]}"), name)
        setattr(sys.modules[page], name, value)  # looked up once
        return value

    return found, lambda: public, public
