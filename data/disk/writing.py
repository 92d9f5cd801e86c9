"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from ..errors import SettingsError
from .reading import refuse_special


def write_whole(path: Path, content: str, *, where: str | None = None) -> None:
    """Writes a file of text; an interruption or an error leaves what was there before.

    Args:
        path: The file.
        content: Its text.
        where: Where the file was named, such as ``"--html"``.

    Raises:
        SettingsError: It cannot be written.
    """
    with whole(path, where=where) as draft:
        draft.write_text(content, encoding="utf-8")


def make_folder(folder: Path, *, where: str | None = None) -> None:
    """Makes a folder, and those it is in, if they are not there.

    Args:
        folder: The folder.
        where: Where it was named, such as ``"--out"``.

    Raises:
        SettingsError: It cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise SettingsError(
            f"this folder cannot be made: {(problem.strerror or str(problem)).lower()}",
            where=where,
            value=str(folder),
        ) from None


@contextmanager
def whole(
    path: Path, *, where: str | None = None, suffix: str = ".part"
) -> Generator[Path, None, None]:
    """A file to write that becomes ``path`` when the block ends without an error.

    Args:
        path: The file to be.
        where: Where the file was named, such as ``"--plot"``.
        suffix: Ending of the draft's name, for writers to whom it says the form.

    Raises:
        SettingsError: It cannot be written.
    """
    refuse_special(path, where=where)
    try:
        # Beside its goal, since only there the last step is one step.
        handle, name = tempfile.mkstemp(prefix=".sleuth-", suffix=suffix, dir=path.parent)
        os.close(handle)
        draft = Path(name)
        try:
            yield draft
            _flush(draft)
            draft.chmod(_mode(path))
            os.replace(draft, path)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
    except OSError as problem:
        raise SettingsError(
            f"this cannot be written: {(problem.strerror or str(problem)).lower()}",
            where=where,
            value=str(path),
            hint="name a file in a folder that is there and open to you",
        ) from None


def _flush(draft: Path) -> None:
    """Puts the content on the disk before the name: a crash must not leave an empty file."""
    with draft.open("r+b") as stream:
        os.fsync(stream.fileno())


def _mode(path: Path) -> int:
    """Permissions of the file that is replaced, or those of a new one."""
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
