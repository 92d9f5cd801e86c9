"""Names that are imported when they are first used."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import resolve_name
from typing import Any


def attach(page: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """``__getattr__``, ``__dir__`` and ``__all__`` of a module that only hands on names.

    The names stand once: in the imports of its block ``if TYPE_CHECKING:``, which editors and type
    checkers read. A module of the page itself is public, too.

    Args:
        page: The module's own name.
    """
    where = _imports(page)
    public = sorted(where)

    def found(name: str) -> Any:
        if name not in where:
            message = f"module {page!r} has no attribute {name!r}"
            if not name.startswith("_"):
                from .errors import nearest

                rooms = [f"{page}.{each}" for each, (module, _) in where.items() if module == page]
                there = [room for room in rooms if name in dir(import_module(room))]
                message += "; " + (f"it is {there[0]}.{name}" if there else nearest(name, public))
            raise AttributeError(message, name=name)
        module, there = where[name]
        if module == page:
            return import_module(f"{page}.{name}")
        value = getattr(import_module(module), there)
        setattr(sys.modules[page], name, value)  # looked up once
        return value

    return found, lambda: public, public


def _imports(page: str) -> dict[str, tuple[str, str]]:
    """The modules that a page's names come from, and what they are called there, by the names."""
    spec: Any = sys.modules[page].__spec__
    package = page if spec.submodule_search_locations is not None else spec.parent
    block = next(
        node
        for node in ast.parse(spec.loader.get_source(page)).body
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
    )
    return {
        alias.asname or alias.name: (
            resolve_name("." * line.level + (line.module or ""), package),
            alias.name,
        )
        for line in block.body
        if isinstance(line, ast.ImportFrom)
        for alias in line.names
    }
