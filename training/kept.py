"""What a long training has finished, kept in a folder to go on from after an interruption."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.errors import SettingsError
from ..data.writing import whole


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

    def get(
        self, name: str, length: int, make: Callable[[], NDArray[np.float64]]
    ) -> NDArray[np.float64]:
        """The array of a name: kept, or made and then kept."""
        if self.folder is None:
            return make()
        key = hashlib.sha256(f"{self.digest} {name}".encode()).hexdigest()[:32]
        path = self.folder / f"{key}.npy"
        try:
            found: Any = np.load(path, allow_pickle=False)
            if found.dtype == np.float64 and found.shape == (length,) and np.isfinite(found).all():
                return found
        except (OSError, ValueError, EOFError):
            pass
        made = np.asarray(make(), dtype=np.float64)
        with whole(path, suffix=".npy") as draft:
            np.save(draft, made, allow_pickle=False)
        return made

    def clear(self) -> None:
        """Forget everything: the training is finished."""
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
