"""Options as text: ``NAME:key=value,key=value``."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from typing import Any, cast

from ...data.errors import SettingsError, nearest


def parse_named(text: str) -> tuple[str, Mapping[str, str]]:
    """Name and options of ``NAME[:key=value,...]``; in names ``-`` becomes ``_``.

    Raises:
        SettingsError: It is written in another way.
    """
    if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise SettingsError(
            "the name of an agent is needed", value=text, hint="write NAME:key=value,..."
        )
    name, colon, listed = text.strip().partition(":")
    given: dict[str, str] = {}
    parts = listed.split(",") if colon else []
    for part in parts:
        option, sign, value = (piece.strip() for piece in part.partition("="))
        option = option.replace("-", "_")
        if not (option and sign and value):
            raise SettingsError(
                "this is no option", where=repr(text), value=part, hint="write NAME:key=value,..."
            )
        if option in given:
            raise SettingsError("an option stands here twice", where=repr(text), value=option)
        given[option] = value
    if not name:
        raise SettingsError("a name is missing", value=text, hint="write NAME[:key=value,...]")
    return name.strip().replace("-", "_"), given


def value_of(text: str, kind: Any, where: str) -> Any:
    """The value of a text for an option of this type: yes or no, a number, one of a few, or itself.

    Raises:
        SettingsError: It is no value of the type.
    """
    if typing.get_origin(kind) is typing.Literal:
        few = {str(value): value for value in typing.get_args(kind)}
        if text not in few:
            raise SettingsError("no such choice", where=where, value=text, hint=nearest(text, few))
        return few[text]
    wanted = cast(
        tuple[Any, ...], typing.get_args(kind) if isinstance(kind, types.UnionType) else (kind,)
    )
    try:
        if bool in wanted:
            return {"true": True, "yes": True, "false": False, "no": False}[text.lower()]
        if int in wanted:
            return int(text)
        if float in wanted:
            return float(text)
    except (KeyError, ValueError):
        needed = (
            "yes or no" if bool in wanted else "a whole number" if int in wanted else "a number"
        )
        raise SettingsError(f"{needed} is needed", where=where, value=text) from None
    return text


def written(value: Any) -> str:
    """The text of an option's value, as `value_of` reads it."""
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)
