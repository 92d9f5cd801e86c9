"""Files of many records of Cheat, as the commands read and write them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from ...data.errors import RecordError
from ...models.play import Play
from ...models.records.reading import parse_json


class CheatFiles:
    """JSON Lines with a game on each line, or CSV with a turn on each."""

    endings = (".jsonl", ".csv")
    appended = ".jsonl"

    def read(self, path: Path, *, most: int) -> tuple[object, ...]:
        """The games of a file.

        Raises:
            RecordError: The file cannot be read, has more games, or one of them cannot be used.
        """
        from ...models.cheat.record.files import read_records

        return read_records(path, most=most)

    def begins(self, value: object) -> bool:
        """True if the first line of a file is one of these games."""
        return isinstance(value, dict) and cast("dict[str, object]", value).get("game") == "cheat"

    def lines(self, path: Path) -> Iterator[Mapping[str, object]]:
        """The entries on the lines of a file, as far as it can be read."""
        from ...models.cheat.record.files import FILE, MOST_BYTES_OF_A_LINE

        with contextlib.suppress(RecordError):
            for _, line in FILE.lines(path, longest=MOST_BYTES_OF_A_LINE):
                with contextlib.suppress(RecordError):
                    found = parse_json(line.rstrip())
                    if isinstance(found, dict):
                        yield cast("dict[str, object]", found)

    @property
    def others(self) -> tuple[str, ...]:
        """Names that no player has in a record."""
        from ...models.cheat.record.record import LOOKER_ON

        return (LOOKER_ON,)

    def line(
        self, play: Play, *, players: Sequence[str], match: str, seconds: Sequence[float | None]
    ) -> dict[str, Any]:
        """A game that is over, as it stands on its line."""
        from ...models.cheat.record.record import CheatRecord

        first, second = players
        record = CheatRecord.from_play(play, players=(first, second), match=match, seconds=seconds)
        return record.to_json()
