"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from ..data.errors import SettingsError


def refuse_unwritable(path: Path, *, option: str, sources: tuple[Path, ...] = ()) -> None:
    """Refuses, before any work is done, a file that could not be written.

    Args:
        path: The file to be.
        option: Where its name was given.
        sources: Files that are read and must not be overwritten.

    Raises:
        SettingsError: It is a folder, its folder is missing or closed, or it is a source.
    """
    if path.is_dir():
        raise SettingsError("this is a folder", where=option, value=str(path), hint="name a file")
    if not path.parent.is_dir():
        raise SettingsError(
            "there is no such folder to write to",
            where=option,
            value=str(path.parent),
            hint="make the folder, or name another file",
        )
    if not os.access(path.parent, os.W_OK) or (path.exists() and not os.access(path, os.W_OK)):
        raise SettingsError("this cannot be written", where=option, value=str(path))
    if any(path.exists() and source.exists() and path.samefile(source) for source in sources):
        raise SettingsError(
            "this would overwrite what is read", where=option, value=str(path), hint="name another"
        )


def write_whole(path: Path, content: str, *, option: str) -> None:
    """Writes a file of text; an interruption or an error leaves what was there before.

    Raises:
        SettingsError: It cannot be written.
    """
    with whole(path, option=option) as draft:
        draft.write_text(content, encoding="utf-8")


@contextmanager
def whole(path: Path, *, option: str) -> Generator[Path, None, None]:
    """A file to write that becomes ``path`` when the block ends without an error.

    Raises:
        SettingsError: It cannot be written.
    """
    try:
        # Beside its goal, since only there the last step is one step; and with its ending,
        # which can decide the form.
        handle, name = tempfile.mkstemp(prefix=".sleuth-", suffix=path.suffix, dir=path.parent)
        os.close(handle)
        draft = Path(name)
        try:
            yield draft
            draft.chmod(_mode(path))
            draft.replace(path)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
    except OSError as problem:
        raise SettingsError(
            f"this cannot be written: {(problem.strerror or str(problem)).lower()}",
            where=option,
            value=str(path),
        ) from None


def _mode(path: Path) -> int:
    """Permissions of the file that is replaced, or those of a new one."""
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
