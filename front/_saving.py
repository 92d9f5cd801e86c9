"""Values of the face in files, in the form that the file's ending says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import pandas as pd


class Savable(Protocol):
    """A value with a page, a JSON form and a table."""

    def html(self) -> str:
        """The page."""
        ...

    def to_json(self) -> Any:
        """The value as plain values."""
        ...

    def to_frame(self) -> pd.DataFrame:
        """The table."""
        ...


def saved(value: Savable, path: str | Path, page: str) -> Path:
    """The file into which a value was written.

    Args:
        value: What is written.
        path: The file.
        page: What its page is called.

    Raises:
        SettingsError: The file has another ending, or cannot be written.
    """
    from sleuth.data.disk.writing import write_whole
    from sleuth.data.errors import SettingsError

    file = Path(path)
    match file.suffix.lower():
        case ".html" | ".htm":
            text = value.html()
        case ".json":
            text = json.dumps(value.to_json(), indent=2, allow_nan=False) + "\n"
        case ".csv":
            text = value.to_frame().to_csv(index=False)
        case _:
            raise SettingsError(
                "the ending says what is written",
                where="path",
                value=str(path),
                hint=f"end the name in .html ({page}), .json, or .csv (the table)",
            )
    write_whole(file, text, where="path")
    return file
