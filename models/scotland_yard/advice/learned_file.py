"""Files of what was learned from games: their form, and a card that says from which games."""

from __future__ import annotations

from typing import Any, cast

from ....data.errors import RecordError


def read_learned(value: object, form: str, version: int, name: str) -> tuple[Any, Any, Any]:
    """The fields of such a file: all of them, its card, and the object that was learned.

    Args:
        value: What was read from JSON.
        form, version: What the file must say of itself.
        name: The field of what was learned.

    Raises:
        RecordError: It is no such file; with the place.
    """
    fields = mapping(value, "the file")
    if (fields.get("format"), fields.get("version")) != (form, version):
        raise RecordError(
            f"this is no file of {form}, version {version}",
            where="field 'format'",
            value=(fields.get("format"), fields.get("version")),
        )
    card, learned = (mapping(fields.get(each), f"field {each!r}") for each in ("card", name))
    return fields, card, learned


def mapping(value: object, where: str) -> dict[str, Any]:
    """A JSON object.

    Raises:
        RecordError: The value is no JSON object.
    """
    if not isinstance(value, dict):
        raise RecordError("a JSON object is needed", where=where, value=type(value).__name__)
    return cast("dict[str, Any]", value)
