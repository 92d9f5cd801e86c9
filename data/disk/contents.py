"""Contents of files, by which results and things made of files are told apart.

A name says nothing of what is in a file: it may be written anew, be gone, or stand in another
folder. What was made of files is kept here as long as they hold the same, and what results depend
on is said in digests.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Generic, TypeVar

from .sent import located

Made = TypeVar("Made")

#: Endings of files that belong together, such as a predictor's, and are named without.
ENDINGS: Final = (".npz", ".json")
#: Nanoseconds within which a file can be written again without another time of change.
YOUNG: Final = 2_000_000_000

_Stamp = tuple[int, int, int]


def digest_of(files: Iterable[Path]) -> str | None:
    """SHA-256 of what is in files, in their order; None if one of them cannot be read."""
    hashed = hashlib.sha256()
    for file in files:
        try:
            with located(file).open("rb") as stream:
                hashed.update(hashlib.file_digest(stream, "sha256").digest())
        except (OSError, ValueError):
            return None
    return hashed.hexdigest()


def named_files(text: str) -> tuple[Path, ...]:
    """The files that are there for a text: one of this name, or those with one of `ENDINGS`."""
    base = next((text.removesuffix(each) for each in ENDINGS if text.endswith(each)), text)
    return tuple(file for ending in ("", *ENDINGS) if _is_file(file := Path(base + ending)))


def contents(values: Iterable[object]) -> dict[str, str]:
    """Of texts that name files, the digest of what is in them, by the text; others are left out."""
    found: dict[str, str] = {}
    for value in values:
        if isinstance(value, str) and (files := named_files(value)):
            found[value] = digest_of(files) or "cannot be read"
    return found


@dataclass(frozen=True)
class _MadeValue(Generic[Made]):
    made: Made
    digest: str
    stamps: tuple[_Stamp | None, ...]
    settled: bool


class MadeOfFiles(Generic[Made]):
    """The things made of files, as long as the files hold the same.

    Files are known by path, size and time of change; where these tell nothing, by their digest.

    Args:
        most: How many things are kept; the oldest goes first.
    """

    def __init__(self, most: int = 32) -> None:
        self.most = most
        self._kept: dict[tuple[Hashable, ...], _MadeValue[Made]] = {}

    def get(self, files: Sequence[Path], make: Callable[[], Made], *more: Hashable) -> Made:
        """The thing made of these files, or made now; errors of ``make`` keep nothing.

        Args:
            files: All that it is made of.
            make: Makes it.
            more: What it depends on besides.
        """
        files = tuple(file.absolute() for file in files)
        key = (files, *more)
        kept = self._kept.get(key)
        # The time first: whatever is written from now on is young then.
        now = time.time_ns()
        stamps = tuple(map(_stamp, files))
        if kept is not None and kept.settled and kept.stamps == stamps:
            return kept.made
        digest = digest_of(files)
        if kept is None or digest != kept.digest:
            self._kept.pop(key, None)
            made = make()
        else:
            made = kept.made
        # What was written while it was made is read again the next time.
        if digest is not None and digest_of(files) == digest:
            settled = all(stamp is not None and stamp[1] < now - YOUNG for stamp in stamps)
            self._kept[key] = _MadeValue(made, digest, stamps, settled)
            while len(self._kept) > self.most:
                del self._kept[next(iter(self._kept))]
        return made


def _stamp(file: Path) -> _Stamp | None:
    try:
        status = located(file).stat()
    except (OSError, ValueError):
        return None
    return status.st_size, max(status.st_mtime_ns, status.st_ctime_ns), status.st_ino


def _is_file(file: Path) -> bool:
    try:
        return located(file).is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False
