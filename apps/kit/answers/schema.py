"""Answers as JSON, and the schema that says so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, cast

from .values import Reply, Statement

if TYPE_CHECKING:
    from pydantic import TypeAdapter

Kind = Literal[
    "reply",
    "decision",
    "check",
    "match",
    "solution",
    "comparison",
    "training",
    "judgement",
    "stated",
]


def to_json(value: Any) -> Any:
    """A value as plain data; what is as it usually is, is left out.

    Args:
        value: A `Statement`, or anything made of data classes, sequences and plain values.

    >>> from sleuth.answers import Paragraph, Refusal, to_json
    >>> to_json([Paragraph("Your move."), Refusal("no such move")])
    [{'kind': 'paragraph', 'text': 'Your move.'}, {'kind': 'refusal', 'text': 'no such move'}]
    """
    if is_dataclass(value):
        made = {"kind": kind} if (kind := getattr(value, "kind", "")) else {}
        return made | {
            field.name: to_json(getattr(value, field.name))
            for field in fields(value)
            if field.name != "kind" and not _is_usual(getattr(value, field.name), field.default)
        }
    if isinstance(value, Mapping):
        named = cast("Mapping[str, object]", value)
        return {name: to_json(each) for name, each in named.items()}
    if isinstance(value, list | tuple):
        return [to_json(each) for each in cast("Sequence[object]", value)]
    return value


def _is_usual(value: object, usual: object) -> bool:
    return usual is not MISSING and value == usual


def statement(value: object) -> Statement:
    """The statement that `to_json` wrote.

    Raises:
        ValueError: The value is not the JSON of one.

    >>> from sleuth.answers import statement
    >>> statement({"kind": "bars", "title": "card", "rows": [["queen", 1.0]]}).rows
    (('queen', 1.0),)
    """
    return _adapter().validate_python(value)


def reply(value: object) -> Reply:
    """The reply of a session that `to_json` wrote.

    Raises:
        ValueError: The value is not the JSON of one.

    >>> from sleuth.answers import Paragraph, Prompt, Reply, reply, to_json
    >>> said = Reply((Paragraph("Your move."),), prompt=Prompt("first"))
    >>> reply(to_json(said)) == said
    True
    """
    return _replies().validate_python(value)


def schema(of: Kind = "reply") -> dict[str, Any]:
    """The JSON schema of an answer.

    Args:
        of: A reply of a session, and so every statement in it; the decision of a search; the check
            of a game; the result of a match, of learning a game (``solution``), a comparison of
            methods, or a training; beliefs that were judged; or a file of stated ones.

    >>> from sleuth.answers import schema
    >>> sorted(schema()["properties"])
    ['error', 'prompt', 'said']
    """
    if of == "reply":
        return _replies().json_schema()
    from pydantic import TypeAdapter

    from .forms import FORMS

    made: TypeAdapter[Any] = TypeAdapter(FORMS[of])
    return made.json_schema()


@cache
def _adapter() -> TypeAdapter[Statement]:
    from typing import Annotated

    from pydantic import Field, TypeAdapter

    return TypeAdapter(Annotated[Statement, Field(discriminator="kind")])


@cache
def _replies() -> TypeAdapter[Reply]:
    from pydantic import TypeAdapter

    return TypeAdapter(Reply)
