"""Records of Saboteur that people write, as the commands ask for them."""

from __future__ import annotations

from ...models.saboteur.record.record import SaboteurRecord
from ..kit.analysis.written_game import WrittenGame
from .options import OPTIONS


class SaboteurGame(WrittenGame):
    """Saboteur: who was a saboteur, where the gold was, and what moves were worth."""

    own = OPTIONS

    def read(self, value: object) -> SaboteurRecord:
        """The record, checked by the rules."""
        return SaboteurRecord.from_json(value)
