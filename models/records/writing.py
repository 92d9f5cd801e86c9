"""Writing of record files that people write and read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...data.disk.writing import write_whole


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
