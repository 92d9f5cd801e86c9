"""The words for a kernel that cannot be compiled, above all one that names no field of its game."""

from __future__ import annotations

import dis
import re
from typing import Any

from ...data.errors import SettingsError, nearest
from ...models.game import Game
from ...models.kernels.plain.twins import called_by

#: How numba and Python say that a record, or a named tuple, has no such field.
_UNKNOWN = (
    re.compile(r"Field '(?P<name>\w+)' was not found in (?P<of>record)"),
    re.compile(r"Unknown attribute '(?P<name>\w+)' of type (?P<of>\w+)"),
    re.compile(r"'(?P<of>\w+)' object has no attribute '(?P<name>\w+)'"),
    re.compile(r"no field of name (?P<name>\w+)"),
    re.compile(r"name '(?P<name>\w+)' is not (?P<of>defined)"),
)
_RECORDS = ("record", "recarray", None)


def misspelt(game: Game, kernel: str, error: BaseException) -> SettingsError | None:
    """The error, if a kernel names a field that its state, or its tables, do not have.

    Args:
        game: The game.
        kernel: The kernel's name in the contract.
        error: What was raised when it was compiled or called.
    """
    name, of = _unknown(error)
    fields = game.state.names or ()
    tables = type(game.tables).__name__
    if name is None or of not in (*_RECORDS, "defined", tables):
        return None
    users = [each.__name__ for each in called_by(getattr(game, kernel)) if _names(each, name)]
    if not users:
        return None
    own = getattr(getattr(game, kernel), "__name__", kernel)
    via = repr(kernel) if users[0] == own else f"{kernel!r} calls {users[0]!r}, which"
    if of == "defined":
        return SettingsError(f"{via} names {name!r}, which is not defined")
    if of == tables:
        parts: tuple[str, ...] = getattr(game.tables, "_fields", ())
        return SettingsError(
            f"{via} uses {name!r}: the tables have no such field", hint=nearest(name, parts)
        )
    if name in fields:
        return None
    return SettingsError(
        f"{via} uses {name!r}: the state has no such field", hint=nearest(name, fields)
    )


def uncompiled(game: Game, kernel: str, error: BaseException) -> SettingsError:
    """The error of a kernel that cannot be compiled."""
    found = misspelt(game, kernel, error)
    if found is not None:
        return found
    said = compiler_words(error)
    place = re.search(r'File "([^"]+)", line (\d+)', str(error))
    at = f" ({place[1].rsplit('/', 1)[-1]}, line {place[2]})" if place else ""
    hint = "compare its arguments with those in docs/your-own-game.md, 'The rules'"
    named = re.search(r"Untyped global name '(\w+)'", said)
    if named:
        hint = (
            f"write @kernel above 'def {named[1]}'"
            if "<class 'function'>" in said
            else f"a kernel names only numbers, tuples of numbers and kernels: give it {named[1]!r}"
            " in tables"
        )
    return SettingsError(f"{kernel!r} cannot be compiled: {said}{at}", hint=hint)


def compiler_words(error: BaseException) -> str:
    """The line of the compiler's words that says what was wrong."""
    lines = [line.strip() for line in str(error).strip().splitlines()] or [repr(error)]
    # numba's first lines say at which step it failed, the next one what was wrong.
    return next((line for line in lines if line and not line.startswith("Failed in")), lines[0])


def _unknown(error: BaseException) -> tuple[str | None, str | None]:
    """The name that is not known, and of what kind it would be: None for a record."""
    if isinstance(error, KeyError) and error.args and isinstance(error.args[0], str):
        return error.args[0], None
    for pattern in _UNKNOWN:
        found = pattern.search(str(error))
        if found:
            return found["name"], found.groupdict().get("of")
    return None, None


def _names(function: Any, name: str) -> bool:
    """True if a function uses something of this name: an attribute, a global, or a string."""
    return any(step.argval == name for step in dis.get_instructions(function))
