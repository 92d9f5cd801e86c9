"""Answers that are too long for one call, in parts."""

from __future__ import annotations

import json
import secrets
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, Final, TypeVar, cast

from ...data.errors import SettingsError
from ..kit.answers.schema import statement, to_json
from ..kit.answers.text import as_text
from ..kit.answers.values import Paragraph, Statement, Statements
from .forms import MoreForm, SaidForm
from .limits import DeskLimits

#: Columns of a text.
WIDTH: Final = 100
#: Digits of a number in words.
DIGITS: Final = 4
REST: Final = "This is part {} of {}. 'read_more' has the others: answer {!r}, parts 1 to {}."

Said = TypeVar("Said", bound=SaidForm)


class Pages:
    """The last long answers, each known by a word that nobody can guess.

    Args:
        limits: How long a part may be, and how many are kept.
    """

    def __init__(self, limits: DeskLimits) -> None:
        self._limits = limits
        self._kept: OrderedDict[str, Sequence[Statements]] = OrderedDict()

    def said(self, form: Said, said: Statements) -> Said:
        """An answer with its statements; the first part of them where they are long."""
        parts = self._parts(said)
        if len(parts) == 1:
            return replace(form, said=tuple(map(to_json, parts[0])))
        answer = secrets.token_urlsafe(9)
        self._kept[answer] = parts
        while len(self._kept) > self._limits.answers:
            self._kept.popitem(last=False)
        return self._part(form, answer, 1)

    def read(self, answer: str, part: int) -> SaidForm:
        """A part of an answer.

        Raises:
            SettingsError: There is none such, or it was forgotten.
        """
        if answer not in self._kept:
            raise SettingsError(
                "no such answer is kept",
                where="answer",
                value=answer,
                hint=f"the last {self._limits.answers} long ones are; ask for it again",
            )
        count = len(self._kept[answer])
        if not 1 <= part <= count:
            hint = f"it has parts 1 to {count}"
            raise SettingsError("this answer has no such part", where="part", value=part, hint=hint)
        return self._part(SaidForm(), answer, part)

    def _part(self, form: Said, answer: str, part: int) -> Said:
        parts = self._kept[answer]
        count = len(parts)
        more = MoreForm(answer, part, count, REST.format(part, count, answer, count))
        return replace(form, said=tuple(map(to_json, parts[part - 1])), more=more)

    def _parts(self, said: Statements) -> Sequence[Statements]:
        """Statements in parts of about the same length; one that is longer than that, as text."""
        most = self._limits.answer
        parts: list[list[Statement]] = [[]]
        room = most
        for each in said:
            for piece in self._pieces(each):
                length = _length(piece)
                if length > room and parts[-1]:
                    parts.append([])
                    room = most
                parts[-1].append(piece)
                room -= length
        if len(parts) > self._limits.parts:
            raise SettingsError(
                "this answer is too long for an assistant",
                value=f"{len(parts)} parts",
                hint="ask for less, or use the command line",
            )
        return parts

    def _pieces(self, statement: Statement) -> Statements:
        most = self._limits.answer
        if _length(statement) <= most:
            return (statement,)
        text = statement.text if isinstance(statement, Paragraph) else as_text(statement)
        # Escapes of JSON make a text longer, by six times at most.
        step = max(1, most * len(text) // (_length(Paragraph(text)) + 1) - 64)
        return [Paragraph(text[at : at + step]) for at in range(0, len(text), step)]


def _length(statement: Statement) -> int:
    return len(json.dumps(to_json(statement)))


def in_words(form: SaidForm) -> str:
    """An answer as text: its fields, a line each, and then what is said."""
    made = fields_of(form)
    said, more = [statement(each) for each in made.pop("said")], made.pop("more")
    lines = [
        f"{name}: {form.words.get(name) or _word(value)}"
        for name, value in made.items()
        if name not in form.covered and value not in (None, "", [], {})
    ]
    lines += [as_text(*said, width=WIDTH)] if said else []
    return "\n".join([*lines, *([more["says"]] if more else [])])


def _word(value: Any) -> str:
    """A field in words; probabilities by a few digits."""
    if isinstance(value, str):
        return value
    return json.dumps(_rounded(value), ensure_ascii=False)


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, dict):
        named = cast("dict[str, Any]", value)
        return {name: _rounded(each) for name, each in named.items()}
    return (
        [_rounded(each) for each in cast("list[Any]", value)] if isinstance(value, list) else value
    )


def fields_of(form: Any) -> Any:
    """An answer as plain values, with all its fields."""
    if is_dataclass(form):
        return {each.name: fields_of(getattr(form, each.name)) for each in fields(form)}
    if isinstance(form, Mapping):
        named = cast("Mapping[object, object]", form)
        return {str(name): fields_of(value) for name, value in named.items()}
    if isinstance(form, list | tuple):
        return [fields_of(each) for each in cast("Sequence[object]", form)]
    return form
