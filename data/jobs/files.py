"""Files that jobs read, sent along with them: no disk is shared with workers."""

from __future__ import annotations

import atexit
import hashlib
import shutil
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePath
from typing import Final

from ..disk.sent import standing
from ..disk.writing import scratch_folder
from ..errors import WorkerError

#: Most bytes of all files that are sent with one piece of work.
MOST_BYTES: Final = 2**28


@dataclass(frozen=True, eq=False)
class SentFiles:
    """Files as their sender has them.

    Attributes:
        home: The sender's current folder.
        contents: The content of each file, by its whole name.
    """

    home: str = ""
    contents: Mapping[str, bytes] = field(default_factory=dict[str, bytes])

    @classmethod
    def of(cls, files: Iterable[Path]) -> SentFiles:
        """The files as they are now.

        Raises:
            WorkerError: They are too large to be sent.
        """
        read = {str(file.absolute()): file.read_bytes() for file in files}
        total = sum(map(len, read.values()))
        if total > MOST_BYTES:
            raise WorkerError(
                f"files of at most {MOST_BYTES:,} bytes are sent to workers",
                value=total,
                hint="a match in parts, one on each machine, sends none",
            )
        return cls(str(Path.cwd()), read)

    @cached_property
    def digest(self) -> str:
        """A digest, by which a process knows files again that were sent already."""
        text = repr((self.home, sorted(self.contents.items())))
        return hashlib.sha256(text.encode()).hexdigest()

    def standing(self) -> AbstractContextManager[None]:
        """While the block runs, copies in a folder of this process stand for the files.

        The folder is removed when the process ends.
        """
        return standing(self.home, self._copies()) if self.contents else nullcontext()

    def _copies(self) -> Mapping[PurePath, Path]:
        if self.digest not in _copied:
            folder = scratch_folder()
            atexit.register(shutil.rmtree, folder, ignore_errors=True)
            found: dict[PurePath, Path] = {}
            for name, content in self.contents.items():
                path = PurePath(name)
                found[path] = folder.joinpath(*path.parts[1:])
                found[path].parent.mkdir(parents=True, exist_ok=True)
                found[path].write_bytes(content)
            _copied[self.digest] = found
        return _copied[self.digest]


_copied: Final[dict[str, Mapping[PurePath, Path]]] = {}
