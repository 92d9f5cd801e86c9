"""Arguments as they are written on the command line: an error names one, a command its option."""

from __future__ import annotations

import re
from collections.abc import Mapping


def option_of(name: str) -> str:
    """An argument as it is written on the command line."""
    return f"--{name.replace('_', '-')}"


def place_written(where: str, options: Mapping[str, str]) -> str:
    """The place of an error with an option instead of an argument.

    Args:
        where: The place, such as ``"game.json: observer"`` or ``"stop, alpha"``.
        options: How each argument is written, by its name.
    """
    outer, sign, place = where.rpartition(": ")
    name, comma, inner = place.partition(", ")
    return f"{outer}{sign}{options.get(name, name)}{comma}{inner}"


def hint_written(hint: str, options: Mapping[str, str]) -> str:
    """A hint with options instead of arguments.

    Args:
        hint: The hint; arguments stand in it as in ``"write `simulate=60`"``, or without a value.
        options: How each argument is written, by its name.
    """

    def written(found: re.Match[str]) -> str:
        name, value = found.groups(default="")
        option = options.get(name)
        return found[0] if option is None else f"{option} {value}".rstrip()

    return re.sub(r"`(\w+)(?:=([^`]*))?`", written, hint)
