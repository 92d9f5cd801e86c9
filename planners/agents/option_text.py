"""Options as text: ``NAME:key=value,key=value``."""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

from ...data.errors import SettingsError, nearest

#: The next part of an option list: a value with commas stands between quotation marks.
_PART: Final = re.compile(r"""(?:[^,'"=]*=)?\s*(?:'[^']*'|"[^"]*")\s*(?=,|$)|[^,]*""")
#: The beginning of a part that has a name.
_NAMED: Final = re.compile(r"\s*[A-Za-z_][\w-]*\s*=")
#: An agent whose first option is quoted, up to the next blank.
_WHOLE: Final = re.compile(r"""[^:\s]*:(?:\w+=)?(?:'[^']*'|"[^"]*\")[^\s]*""")
_QUOTED: Final = re.compile(r"""'[^']*'|"[^"]*\"""")


def parse_named(text: str, unnamed: Mapping[str, str] = {}) -> tuple[str, Mapping[str, str]]:
    """Name and options of ``NAME[:key=value,...]``; in names ``-`` becomes ``_``.

    A value in quotation marks may have commas.

    Args:
        text: The text.
        unnamed: By its name, the option of a thing that may stand first without its own name.

    Raises:
        SettingsError: It is written in another way.
    """
    if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise SettingsError(
            "the name of an agent is needed", value=text, hint="write NAME:key=value,..."
        )
    name, colon, listed = text.strip().partition(":")
    given: dict[str, str] = {}
    first = unnamed.get(name.strip().replace("-", "_"), "") if colon else ""
    parts = list(_parts(listed)) if colon else []
    if first and parts and not _NAMED.match(parts[0]):
        parts[0] = f"{first}={parts[0]}"
    for part in parts:
        option, sign, value = (piece.strip() for piece in part.partition("="))
        option = option.replace("-", "_")
        if _QUOTED.fullmatch(value):
            value = value[1:-1]
        if not (option and sign and value):
            hint = "write NAME:key=value,..."
            if first:
                hint = f"write NAME:{first.upper()},key=value,..., and {first} with commas as '...'"
            raise SettingsError("this is no option", where=repr(text), value=part, hint=hint)
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
    """The text of an option's value, as `parse_named` and `value_of` read it."""
    if isinstance(value, bool):
        return ("no", "yes")[value]
    text = str(value)
    if "," not in text and not _QUOTED.fullmatch(text):
        return text
    return f'"{text}"' if "'" in text else f"'{text}'"


def unnamed_first(value: str) -> str:
    """A value that stands first without its name, as `parse_named` reads it."""
    text = written(value)
    return f"'{text}'" if _NAMED.match(text) else text


def agents_in(text: str, commands: Mapping[str, str]) -> Iterator[str]:
    """The agents of a text that has blanks between them.

    One that runs a command has all that follows, unless that is in quotation marks: a command
    has blanks.

    Args:
        text: The text.
        commands: By the names of agents that run commands, the option that is one.
    """
    while text := text.strip():
        word = text.split()[0]
        name = word.partition(":")[0].rpartition("=")[2].replace("-", "_")
        if name in commands and ":" in word:
            found = _WHOLE.match(text)
            length = found.end() if found else len(text)
        else:
            length = len(word)
        yield text[:length]
        text = text[length:]


def _parts(listed: str) -> Iterator[str]:
    """The parts of an option list, with commas between them."""
    place = 0
    while place <= len(listed):
        found = _PART.match(listed, place)
        assert found is not None
        yield found[0]
        place = found.end() + 1
