"""Files of another machine that were sent here stand for those of their names.

A job that was sent to a worker names files as its sender does: a game's, a predictor's. Copies of
them that were sent along are read in their place.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePath

_here: list[tuple[str, Mapping[PurePath, Path]]] = []


@contextmanager
def standing(home: str, copies: Mapping[PurePath, Path]) -> Generator[None, None, None]:
    """While the block runs, copies stand for files.

    Args:
        home: The sender's current folder, from which names count that begin nowhere.
        copies: By the whole names of the files.
    """
    _here.append((home, copies))
    try:
        yield
    finally:
        _here.pop()


def known_as(path: Path, file: Path) -> PurePath:
    """The whole name of a file on the machine that sent it; the file itself where none did."""
    if not _here or located(path) == path:
        return file
    return PurePath(_here[-1][0], path)


def located(path: Path) -> Path:
    """The place of a file: of its copy, if it was sent here; else its own."""
    if not _here:
        return path
    home, copies = _here[-1]
    return copies.get(PurePath(home, path), path)
