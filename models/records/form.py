"""What record files that people write have in common: their texts, and how they are written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict

from ...data.writing import write_whole


def _encodable(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("half of a surrogate pair is no character") from None
    return text


Text = Annotated[str, AfterValidator(_encodable)]
"""Free text."""


class Form(BaseModel):
    """Fields of a record: no type is taken for another, and fields of others are left alone."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


def dump(value: Mapping[str, Any], path: str | Path) -> None:
    """Writes a record as a JSON file, whole or not at all.

    Args:
        value: The record; its last field is a list, of which each entry gets a line.
        path: The file.

    Raises:
        SettingsError: If it cannot be written.
    """
    *fields, (name, entries) = value.items()
    head = "".join(f" {_in_one_line(key)}: {_in_one_line(field)},\n" for key, field in fields)
    lines = ",\n  ".join(map(_in_one_line, entries))
    write_whole(Path(path), f'{{\n{head} "{name}": [\n  {lines}\n ]\n}}\n')


def _in_one_line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
