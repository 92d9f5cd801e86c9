"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import socket
import tempfile
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import Final

from ..errors import SettingsError
from .holding import runs
from .reading import refuse_special

#: Temporary files and folders: of which machine and process.
_TEMPORARY: Final = re.compile(r"\.?sleuth-([0-9a-f]{8})-(\d{1,9})-\w+(\.\w+)?")
_cleared: Final[set[str]] = set()
#: Bytes of a file that are looked at for what kind it is.
MARKED: Final = 2**16


class _TakenError(Exception):
    """Another file has the name."""


def write_whole(path: Path, content: str, *, where: str | None = None) -> None:
    """Writes a file of text; an interruption or an error leaves what was there before.

    Args:
        path: The file.
        content: Its text.
        where: Where the file was named, such as ``"html"``.

    Raises:
        SettingsError: It cannot be written.
    """
    with whole(path, where=where) as draft:
        draft.write_text(content, encoding="utf-8")


def write_new(
    names: Iterable[Path], content: str, *, where: str | None = None, alone: bool = False
) -> Path:
    """Writes a file of text whose name nobody typed: nothing that is there is replaced.

    Args:
        names: Names to try, without end; see `numbered`.
        content: Its text.
        where: Where the folder was named, such as ``"records"``.
        alone: Whether a file that holds this very text already is another's, too.

    Returns:
        The first of them that was free, or, if it is not to be alone, that holds this text already.

    Raises:
        SettingsError: It cannot be written.
    """
    text = content.encode()
    for path in names:
        if not alone and _holds(path, text):
            return path
        if os.path.lexists(path):
            continue
        try:
            with _draft(path, ".part", where) as draft:
                draft.write_bytes(text)
                _flush(draft)
                draft.chmod(_mode(path))
                _link(draft, path)
        except _TakenError:
            continue  # somebody was quicker
        return path
    raise AssertionError("names without end are needed")


def numbered(path: Path) -> Iterator[Path]:
    """A name, and then the same with the numbers from 2 on: ``NAME-2.json``."""
    yield path
    for number in count(2):
        yield path.with_name(f"{path.stem}-{number}{path.suffix}")


def refuse_others(path: Path, mark: bytes, *, where: str | None = None) -> None:
    """Refuse to replace a file whose name nobody typed, unless it is of the kind that is written.

    Args:
        path: The file to be.
        mark: What every file of the kind has near its beginning.
        where: Where the name that this one was made of was typed, such as ``"out"``.

    Raises:
        SettingsError: Something else is there.
    """
    try:
        with path.open("rb") as stream:
            known = mark in stream.read(MARKED)
    except FileNotFoundError:
        return
    except OSError:
        known = False
    if not known:
        raise SettingsError(
            "this file is there already, and would be replaced",
            where=where,
            value=str(path),
            hint="name another, or move it away",
        )


def make_folder(folder: Path, *, where: str | None = None) -> None:
    """Makes a folder, and those it is in, if they are not there.

    Args:
        folder: The folder.
        where: Where it was named, such as ``"out"``.

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
        where: Where the file was named, such as ``"plot"``.
        suffix: Ending of the draft's name, for writers to whom it says the form.

    Raises:
        SettingsError: It cannot be written.
    """
    refuse_special(path, where=where)
    with _draft(path, suffix, where) as draft:
        yield draft
        _flush(draft)
        draft.chmod(_mode(path))
        os.replace(draft, path)


@contextmanager
def _draft(path: Path, suffix: str, where: str | None) -> Generator[Path, None, None]:
    """A file beside the one to be, gone at the end."""
    try:
        # Beside its goal, since only there the last step is one step.
        _clear(path.parent)
        handle, name = tempfile.mkstemp(prefix=f".{_prefix()}", suffix=suffix, dir=path.parent)
        os.close(handle)
        draft = Path(name)
        try:
            yield draft
        finally:
            draft.unlink(missing_ok=True)
    except OSError as problem:
        raise SettingsError(
            f"this cannot be written: {(problem.strerror or str(problem)).lower()}",
            where=where,
            value=str(path),
            hint="name a file in a folder that is there and open to you",
        ) from None


@contextmanager
def scratch() -> Generator[Path, None, None]:
    """A folder for as long as the block runs; what processes that are gone left goes, too."""
    _clear(Path(tempfile.gettempdir()))
    with tempfile.TemporaryDirectory(prefix=_prefix()) as folder:
        yield Path(folder)


def scratch_folder() -> Path:
    """A folder for this process, which removes it; what processes that are gone left goes, too."""
    _clear(Path(tempfile.gettempdir()))
    return Path(tempfile.mkdtemp(prefix=_prefix()))


def _prefix() -> str:
    """The beginning of this process's temporary names."""
    return f"sleuth-{_machine()}-{os.getpid()}-"


@cache
def _machine() -> str:
    # Where a folder is shared, others have processes of the same numbers.
    return hashlib.sha256(socket.gethostname().encode()).hexdigest()[:8]


def _clear(folder: Path) -> None:
    """Removes temporary files and folders of processes that are gone; looks once in a process."""
    key = os.path.realpath(folder)
    if key in _cleared or os.name != "posix":
        return
    _cleared.add(key)
    with contextlib.suppress(OSError), os.scandir(folder) as found:
        for each in found:
            left = _TEMPORARY.match(each.name)
            if left is None or left[1] != _machine() or runs(int(left[2])):
                continue
            with contextlib.suppress(OSError):
                # Only ours can be removed.
                if each.is_dir(follow_symlinks=False):
                    shutil.rmtree(each.path, ignore_errors=True)
                else:
                    os.unlink(each.path)


def _link(draft: Path, path: Path) -> None:
    """Gives a file a second name, which must be free; a copy where there is one name a file."""
    try:
        try:
            os.link(draft, path)
        except FileExistsError:
            raise
        except OSError:
            with path.open("xb") as stream:
                stream.write(draft.read_bytes())
    except FileExistsError:
        raise _TakenError from None


def _holds(path: Path, text: bytes) -> bool:
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size != len(text):
            return False
        return path.read_bytes() == text
    except OSError:
        return False


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
