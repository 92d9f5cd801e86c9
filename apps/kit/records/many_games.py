"""Files of many records of a game in the notation of `models.records.game_files`."""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

from ....data.errors import RecordError
from ....models.records.reading import parse_json
from ..own_options import OwnOption

if TYPE_CHECKING:
    from ....models.play import Play
    from ....models.records.game_files import Columns, GameFiles


def _columns(text: str) -> Columns:
    from ....models.records.game_files import named_columns

    return named_columns(text)


#: The option of a game whose records stand in tables, too: names of somebody else's columns.
COLUMNS: Final = OwnOption(
    name="columns",
    metavar="NAME=YOURS,...|FILE.json",
    help="what the columns of your table (CSV) are called: the name that sleuth gives a column, "
    "then yours.",
    read=_columns,
    table=False,
)


class ManyGameFiles(ABC):
    """JSON Lines with a game on each line, or CSV with a turn on each; see `RecordFiles`.

    Attributes:
        game: The game's name.
    """

    game: ClassVar[str]
    endings = (".jsonl", ".csv")
    appended = ".jsonl"

    @property
    @abstractmethod
    def files(self) -> GameFiles[Any]:
        """The reader and writer of such files."""

    @property
    def others(self) -> tuple[str, ...]:
        """Names that no player has in a record."""
        return ()

    @abstractmethod
    def line(
        self, play: Play, *, players: Sequence[str], match: str, seconds: Sequence[float | None]
    ) -> dict[str, Any]:
        """A game that is over, as it stands on its line."""

    def read(self, path: Path, *, most: int, columns: Columns | None = None) -> tuple[object, ...]:
        """The games of a file.

        Raises:
            RecordError: The file cannot be read, has more games, or one of them cannot be used.
        """
        return self.files.read(path, most=most, columns=columns)

    def begins(self, value: object) -> bool:
        """True if the first line of a file is one of these games."""
        return isinstance(value, dict) and cast("dict[str, object]", value).get("game") == self.game

    def has_columns(self, head: Sequence[str]) -> bool:
        """True if a table with these columns can be one of these games."""
        return set(self.files.table.needed) <= set(head)

    def lines(self, path: Path) -> Iterator[Mapping[str, object]]:
        """The entries on the lines of a file, as far as it can be read."""
        from ....models.records.game_files import FILE, MOST_BYTES_OF_A_LINE

        with contextlib.suppress(RecordError):
            for _, line in FILE.lines(path, longest=MOST_BYTES_OF_A_LINE):
                with contextlib.suppress(RecordError):
                    found = parse_json(line.rstrip())
                    if isinstance(found, dict):
                        yield cast("dict[str, object]", found)
