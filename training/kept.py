"""What a long training has finished, kept in a folder to go on from after an interruption."""

from __future__ import annotations

import contextlib
import hashlib
import re
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..data.errors import SettingsError
from ..data.writing import whole

#: Names of the files: of arrays, and of drafts of them that an interruption left.
OWN: Final = re.compile(r"([0-9a-f]{32}|\.sleuth-\w+)\.npy")


class Kept:
    """Arrays of predictions by name, for one set of rows.

    Args:
        folder: Where; made if it is not there. None: nothing is kept.
        digest: Of all that the predictions depend on but their names.
    """

    def __init__(self, folder: str | Path | None, digest: str) -> None:
        self.digest = digest
        self.folder = None if folder is None else Path(folder)
        if self.folder is not None:
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
            except OSError as problem:
                raise SettingsError(
                    f"this folder cannot be made: {(problem.strerror or '').lower()}",
                    value=str(folder),
                ) from None

    def find(self, name: str, length: int) -> NDArray[np.float64] | None:
        """The array of a name, if it is kept and whole."""
        path = self._path(name)
        if path is None:
            return None
        try:
            found: Any = np.load(path, allow_pickle=False)
        except (OSError, ValueError, EOFError):
            return None
        if found.dtype != np.float64 or found.shape != (length,) or not np.isfinite(found).all():
            return None
        return found

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
            self.folder.rmdir()
