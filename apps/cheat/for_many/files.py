"""Files of many records of Cheat for many, as the commands read and write them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....models.play import Play
from ....models.records.game_files import GameFiles
from ...kit.records.many_games import ManyGameFiles


class ManyCheatFiles(ManyGameFiles):
    """JSON Lines with a game on each line, or CSV with a claim on each."""

    game = "cheat_for_many"

    @property
    def files(self) -> GameFiles[Any]:
        """See `ManyGameFiles`."""
        from ....models.cheat.for_many.record.files import FILES

        return FILES

    @property
    def others(self) -> tuple[str, ...]:
        """Names that no player has in a record."""
        from ....models.cheat.for_many.record.record import LOOKER_ON

        return (LOOKER_ON,)

    def line(
        self, play: Play, *, players: Sequence[str], match: str, seconds: Sequence[float | None]
    ) -> dict[str, Any]:
        """A game that is over, as it stands on its line."""
        from ....models.cheat.for_many.record.record import ManyCheatRecord

        return ManyCheatRecord.from_play(
            play, players=players, match=match, seconds=seconds
        ).to_json()
