"""The form of what stands in a file beside a game, which somebody may have edited by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ....data.errors import RecordError
from ....models.records.reading import refused, what_is_wrong

if TYPE_CHECKING:
    from pydantic import TypeAdapter


def check_setting(forms: Mapping[str, TypeAdapter[Any]], key: str, value: object) -> None:
    """Refuses what can not be set up.

    Args:
        forms: What can: key -> the type of its plain values.
        key: What it stands under.
        value: What stands there.

    Raises:
        RecordError: It has not the form; with the field.
    """
    from pydantic import ValidationError

    if key not in forms:
        raise refused(
            "nothing of this name is set up", value=key, hint=f"known: {', '.join(forms)}"
        )
    try:
        forms[key].validate_python(value, strict=True)
    except ValidationError as problem:
        error = problem.errors(include_url=False)[0]
        items = [f"item {each + 1}" for each in error["loc"] if isinstance(each, int)]
        raise refused(
            what_is_wrong(error),
            where=", ".join([f"field {key!r}", *items]),
            value=error["input"],
        ) from None


def plainly(check: Callable[[], object], *, within: str | None = None) -> None:
    """Checks something that stands in a record that nobody sees.

    Args:
        check: Looks at that record.
        within: The only place in it that somebody does see: what is in it is named.

    Raises:
        RecordError: As ``check`` does, without the place in that record.
    """
    try:
        check()
    except RecordError as error:
        where: str | None = None
        if within is not None:
            where = (error.where or "").removeprefix(within).removeprefix(", ") or None
        if error.value is None:
            raise RecordError(error.message, where=where, hint=error.hint) from None
        raise refused(error.message, where=where, value=error.value, hint=error.hint) from None
