"""Files that could not be written are refused before any work is done."""

from __future__ import annotations

import os
from pathlib import Path

from ...data.disk.reading import refuse_special
from ...data.errors import SettingsError


def refuse_unwritable(path: Path, *, where: str, sources: tuple[Path, ...] = ()) -> None:
    """Refuses, before any work is done, a file that could not be written.

    Args:
        path: The file to be.
        where: Where its name was given.
        sources: Files that are read and must not be overwritten.

    Raises:
        SettingsError: It is a folder, a device or a pipe, its folder is missing or closed, or it
            is a source.
    """
    if path.is_dir():
        raise SettingsError("this is a folder", where=where, value=str(path), hint="name a file")
    refuse_special(path, where=where)
    if not path.parent.is_dir():
        raise SettingsError(
            "there is no such folder to write to",
            where=where,
            value=str(path.parent),
            hint="make the folder, or name another file",
        )
    if not os.access(path.parent, os.W_OK) or (path.exists() and not os.access(path, os.W_OK)):
        raise SettingsError("this cannot be written", where=where, value=str(path))
    if any(path.exists() and source.exists() and path.samefile(source) for source in sources):
        raise SettingsError(
            "this would overwrite what is read", where=where, value=str(path), hint="name another"
        )
