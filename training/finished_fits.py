"""Finished parts of a long training, kept in a folder to go on from after an interruption."""

from __future__ import annotations

import contextlib
import hashlib
import io
import re
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..data.disk.holding import Closes, HeldFile, hold
from ..data.disk.reading import FileKind
from ..data.disk.writing import make_folder, whole
from ..data.errors import RecordError

#: The file of a folder that says who writes to it.
LOCK: Final = "in-use"
#: Names of the files: of arrays, and of drafts of them that an interruption left.
OWN: Final = re.compile(r"([0-9a-f]{32}|\.sleuth-[\w-]+)\.npy")


class FinishedFits(Closes):
    """Arrays of predictions by name, for one set of rows; no other process has their folder.

    Close it, or use it in a ``with``.

    Args:
        folder: Where; made if it is not there. None: nothing is kept.
        digest: Of all that the predictions depend on but their names.

    Raises:
        SettingsError: The folder cannot be made, or another process has it.
    """

    def __init__(self, folder: str | Path | None, digest: str) -> None:
        self.digest = digest
        self.folder = None if folder is None else Path(folder)
        self._held: HeldFile | None = None
        if self.folder is not None:
            make_folder(self.folder)
            self._held = hold(self.folder / LOCK)

    def close(self) -> None:
        """Lets the folder go."""
        if self._held is not None:
            self._held.close()

    def find(self, name: str, length: int) -> NDArray[np.float64] | None:
        """The array of a name, if it is kept and whole."""
        path = self._path(name)
        if path is None:
            return None
        # A damaged file must not be interpreted, only be told from a whole one.
        stream = io.BytesIO()
        np.save(stream, np.zeros(length), allow_pickle=False)
        head = stream.getvalue()[: len(stream.getvalue()) - 8 * length]
        try:
            content = FileKind(what="the array", most=len(head) + 8 * length).bytes(path)
        except RecordError:
            return None
        if not content.startswith(head) or len(content) != len(head) + 8 * length:
            return None
        found = np.frombuffer(content, dtype=np.float64, offset=len(head)).copy()
        return found if ((found >= 0) & (found <= 1)).all() else None

    def put(self, name: str, made: NDArray[np.float64]) -> None:
        """Keep an array."""
        path = self._path(name)
        if path is not None:
            with whole(path, suffix=".npy") as draft:
                np.save(draft, made, allow_pickle=False)

    def _path(self, name: str) -> Path | None:
        if self.folder is None:
            return None
        key = hashlib.sha256(f"{self.digest} {name}".encode()).hexdigest()[:32]
        return self.folder / f"{key}.npy"

    def clear(self) -> None:
        """Forget everything: the training is finished. What others put there stays."""
        if self.folder is None:
            return
        with contextlib.suppress(OSError):
            for path in self.folder.iterdir():
                if OWN.fullmatch(path.name):
                    path.unlink(missing_ok=True)
            with contextlib.suppress(OSError):
                # It was there already where an earlier training was killed.
                (self.folder / LOCK).unlink(missing_ok=True)
            self.close()
            self.folder.rmdir()
