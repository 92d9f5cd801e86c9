"""The form of records that people write: numbered entries of several types, each with its fields.

pydantic says which fields there are, and of which types; what is common to the games is how a
record is read by such models, and what a reader is told that can mend it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any, Final, Generic, TypeVar, cast

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from ...data.errors import nearest
from .reading import MOST_EVENTS, WRONG_TYPE, place_of, readable, refuse_long, refuse_slips, refused


def _printable(name: str) -> str:
    if not name.isprintable() or name != name.strip():
        raise ValueError("only printable characters, no space at either end")
    return name


def _encodable(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("half of a surrogate pair is no character") from None
    return text


Name = Annotated[str, Field(min_length=1, max_length=80), AfterValidator(_printable)]
Text = Annotated[str, AfterValidator(_encodable)]
"""Free text."""
#: The schema of all records that people write.
VERSION: Final = 1


class RecordPart(BaseModel):
    """The common base of all parts of records: strict types; further fields are let be."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


class RecordFile(RecordPart):
    """A whole record, version 1 of its schema: what stands in those of all games."""

    model_config = ConfigDict(validate_by_name=False)

    version: int = Field(VERSION, alias="schema", ge=VERSION, le=VERSION)
    source: Text | None = None
    note: Text | None = None


File = TypeVar("File", bound=RecordFile)

#: What to write in fields that the records of all games have.
_EXPECTED: Final = {
    "schema": f"this version reads schema {VERSION}",
    "name": "write text, or leave it out",
    "source": "write text, or leave it out",
    "note": "write text, or leave it out",
}


@dataclass(frozen=True, kw_only=True)
class Form(Generic[File]):
    """The written form of one game's records.

    Attributes:
        file: A whole record.
        entry: What one of its numbered entries is called; their field is called so with an s.
        article: That goes before it.
        kinds: The types of entries, or the only one.
        parts: Other fields that are objects with fields of their own.
        closed: Parts in which nothing else may stand, with what to say of what does.
        expected: What to write in a field.
        alone: Where a record stands, for somebody who wrote something else there.
        most: How many entries there may be.
        ignored: Fields that say nothing about the game; a slip may be one of theirs.
        wrong_type: What is wrong with a value, by pydantic's name for it, besides `WRONG_TYPE`.
        words: What can stand in a field that has words, by field.
    """

    file: type[File]
    entry: str
    article: str
    kinds: Mapping[str, type[BaseModel]] | type[BaseModel]
    parts: Mapping[str, type[BaseModel]] = field(default_factory=dict[str, type[BaseModel]])
    closed: Mapping[str, str] = field(default_factory=dict[str, str])
    expected: Mapping[str, str]
    alone: str
    most: int = MOST_EVENTS
    ignored: frozenset[str] = frozenset()
    wrong_type: Mapping[str, str] = field(default_factory=dict[str, str])
    words: Mapping[str, Collection[str]] = field(default_factory=dict[str, Collection[str]])

    def json_schema(self) -> dict[str, Any]:
        """The published JSON Schema of a record (draft 2020-12).

        >>> from sleuth.games import cheat, clue, scotland_yard
        >>> [game.json_schema()["title"] for game in (cheat, clue, scotland_yard)]
        ['Cheat record', 'Clue record', 'Scotland Yard record']
        """
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            **self.file.model_json_schema(by_alias=True),
        }

    def place(self, number: int | None, name: str | None = None, item: object = None) -> str:
        """The place of something in a record: ``turn 3, field 'cards', item 2``."""
        return place_of(self.entry, number, name, item)

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
            if name in self.closed:
                self._refuse_others_in(fields.get(name), model, part=name)
            else:
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
                kinds=self.kinds if isinstance(self.kinds, Mapping) else None,
                expected=lambda name: self.expected.get(name, _EXPECTED.get(name, "")),
                wrong_type={**WRONG_TYPE, **self.wrong_type},
                words=self.words,
                within=self.closed,
            ) from None

    def _refuse_others_in(self, value: object, model: type[BaseModel], *, part: str) -> None:
        """Refuses what does not belong into a closed part; slips are told first."""
        where = self.place(None, part)
        self._refuse_slips_in(value, model, where=where)
        known = _known(model)
        for name in cast("dict[object, object]", value) if isinstance(value, dict) else ():
            if name not in known:
                raise refused(
                    self.closed[part], where=where, value=name, hint=nearest(name, sorted(known))
                )

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
    return frozenset(each.alias or name for name, each in model.model_fields.items())
