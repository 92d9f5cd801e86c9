"""The form of records that people write: numbered entries of several types, each with its fields.

pydantic says which fields there are, and of which types; what is common to the games is how a
record is read by such models, and what a reader is told that can mend it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Generic, TypeVar, cast

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from .reading import MOST_EVENTS, place_of, readable, refuse_long, refuse_slips, refused


def _printable(name: str) -> str:
    if not name.isprintable() or name != name.strip():
        raise ValueError("only printable characters, no space at either end")
    return name


Name = Annotated[str, Field(min_length=1, max_length=80), AfterValidator(_printable)]


class Entry(BaseModel):
    """What all parts of records have in common: strict types; further fields are let be."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


File = TypeVar("File", bound=BaseModel)


@dataclass(frozen=True, kw_only=True)
class Form(Generic[File]):
    """How the records of one game are written.

    Attributes:
        file: A whole record.
        entry: What one of its numbered entries is called; their field is called so with an s.
        article: That goes before it.
        kinds: The types of entries.
        parts: Other fields that are objects with fields of their own.
        expected: What to write in a field.
        alone: Where a record stands, for somebody who wrote something else there.
        most: How many entries there may be.
        ignored: Fields that say nothing about the game; a slip may be one of theirs.
        wrong_type: What is wrong with a value, by pydantic's name for it.
    """

    file: type[File]
    entry: str
    article: str
    kinds: Mapping[str, type[BaseModel]]
    parts: Mapping[str, type[BaseModel]]
    expected: Mapping[str, str]
    alone: str
    most: int = MOST_EVENTS
    ignored: frozenset[str] = frozenset()
    wrong_type: Mapping[str, str]

    def json_schema(self) -> dict[str, Any]:
        """The published JSON Schema of a record (draft 2020-12)."""
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            **self.file.model_json_schema(by_alias=True),
        }

    def place(self, number: int | None, field: str | None = None, item: object = None) -> str:
        """Where something stands in a record: ``turn 3, field 'cards', item 2``."""
        return place_of(self.entry, number, field, item)

    def read(self, value: object) -> File:
        """``value``, which was read from JSON, as the fields of a record.

        Raises:
            RecordError: A field is missing, of the wrong type, or probably misspelt.
        """
        if not isinstance(value, dict):
            raise refused("a record is a JSON object", value=type(value).__name__, hint=self.alone)
        fields = cast("dict[object, object]", value)
        self._refuse_slips_in(fields, self.file, where="the record")
        for name, model in self.parts.items():
            self._refuse_slips_in(fields.get(name), model, where=name)
        entries = fields.get(f"{self.entry}s")
        refuse_long(entries, name=f"{self.entry}s", most=self.most)
        if isinstance(entries, list):
            for number, entry in enumerate(cast("list[object]", entries), start=1):
                self._refuse_slips_in(entry, self.kinds, where=self.place(number))
        try:
            return self.file.model_validate(fields)
        except ValidationError as problem:
            raise readable(
                problem,
                entry=self.entry,
                article=self.article,
                kinds=self.kinds,
                expected=lambda field: self.expected.get(field, ""),
                wrong_type=self.wrong_type,
            ) from None

    def _refuse_slips_in(
        self, value: object, model: type[BaseModel] | Mapping[str, type[BaseModel]], *, where: str
    ) -> None:
        """Refuses slips in an object of a model, or of that of its type; others refuse the rest."""
        if not isinstance(value, dict):
            return
        fields = cast("dict[object, object]", value)
        if isinstance(model, Mapping):
            kind = fields.get("type")
            if not isinstance(kind, str) or kind not in model:
                return
            model = model[kind]
        refuse_slips(fields, known=_known(model) | self.ignored, where=where)


@cache
def _known(model: type[BaseModel]) -> frozenset[str]:
    return frozenset(field.alias or name for name, field in model.model_fields.items())
