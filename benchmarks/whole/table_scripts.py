"""What a person says to `sleuth table` in a whole game, line by line, and what they see then.

A script is made without a server; said to one over HTTP, it must show the same.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from sleuth.apps.table.web.markup import panel_html
from sleuth.models.clue.record.record import ClueRecord
from sleuth.models.clue.simulate import simulate

from .table_phone import GAMES, Phone, seen_of

#: Recorded games by the number of players; of others none is whole, so one is simulated.
RECORDED: Final = {4: ("ledford_05", "Player1"), 6: ("neller_main", "scarlet")}


@dataclass(frozen=True)
class ScriptLine:
    """What is said, and what the page shows then.

    Attributes:
        text: The line.
        blanks: What is filled in.
        panels: The panels that are there at once: name -> markup.
        enters: Whether an event is complete by it, or something that is set up.
    """

    text: str
    blanks: Mapping[str, str]
    panels: Mapping[str, str]
    enters: bool

    def is_shown(self, panels: Mapping[str, str]) -> bool:
        """True if a page shows what it has to, after this."""
        return all(panels.get(name) == html for name, html in self.panels.items())


class _Writer(Phone):
    def __init__(self, folder: Path) -> None:
        self.lines: list[ScriptLine] = []
        super().__init__(folder)

    def say(self, line: str, blanks: Mapping[str, str] | None = None) -> str:
        number = self.sitting.state.number
        said = super().say(line, blanks)
        later = {job.panel.name for job in self.sitting.jobs(0) if job.panel is not None}
        shown = {panel.name: panel_html(panel) for panel in self.sitting.panels(0)}
        # The address of another page stands in a few.
        panels = {
            name: html for name, html in shown.items() if name not in later and "/s/" not in html
        }
        enters = self.sitting.state.number != number
        self.lines.append(ScriptLine(line, blanks or {}, panels, enters))
        return said


def clue_script(
    players: int, *, seed: int = 1, events: int | None = None, bare: bool = False
) -> list[ScriptLine]:
    """A whole game of Clue, entered on the page of advice by one who plays.

    Args:
        players: How many play.
        seed: Of a game that is simulated.
        events: How many events are entered; None for all.
        bare: Whether the page is a notebook only, for which nobody has to work.
    """
    if players in RECORDED:
        name, viewer = RECORDED[players]
        record = ClueRecord.load(GAMES / f"{name}.json")
    else:
        record = simulate(players, np.random.default_rng(seed), turns=30)
        viewer = record.players[0]
    settings, seen = seen_of(record, viewer)
    with tempfile.TemporaryDirectory() as folder:
        phone = _Writer(Path(folder))
        if bare:
            phone.say("bare yes")
        phone.set_up(settings)
        for event in seen[:events]:
            phone.enter(event)
        phone.close()
    return phone.lines
