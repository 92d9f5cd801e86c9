"""A game at a table without a server: lines are said, jobs are done at once."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sleuth.apps.kit.answers.html import shown
from sleuth.apps.kit.answers.values import BlankForm, Grid, Map, Section, Statement, Touch, Touches
from sleuth.apps.table.game.sitting import GameSitting
from sleuth.apps.table.lobby import Lobby
from sleuth.apps.table.sitting import Line, Panel


class PlayedTable:
    """A sitting of one game, in a folder of the test."""

    def __init__(self, folder: Path, game: str) -> None:
        self.folder = folder
        self.lobby = Lobby(folder)
        self.token = self.lobby.make("game", {"game": game}).tokens[0]
        self.numbers = itertools.count()
        self.last: tuple[int, Line] | None = None

    @property
    def sitting(self) -> GameSitting:
        place = self.lobby.place(self.token)
        assert place is not None
        assert isinstance(place.sitting, GameSitting)
        return place.sitting

    def say(self, line: str, seat: int = 0, /, **blanks: str) -> str:
        said = Line(line, blanks, f"touch {next(self.numbers)}")
        self.last = (seat, said)
        return self.sitting.take(seat, said)

    def begin(self, **blanks: str) -> None:
        self.say("begin", **{name.replace("_", " "): text for name, text in blanks.items()})
        self.go_on()

    def go_on(self) -> None:
        """Do everything that is due."""
        while (job := self.sitting.due()) is not None:
            self.sitting.done(job, job.make(*job.arguments))

    def killed(self) -> None:
        """The server is gone, and another one opens the same folder."""
        self.lobby.close()
        self.lobby = Lobby(self.folder)

    def again(self) -> None:
        """A page says its last line once more."""
        assert self.last is not None
        seat, line = self.last
        assert self.sitting.known(line.touch)
        self.sitting.take(seat, line)

    # -- what is seen

    def panel(self, name: str, seat: int = 0) -> Panel:
        return next(each for each in self.sitting.panels(seat) if each.name == name)

    def words(self, seat: int = 0) -> str:
        """Everything that a seat sees, as markup."""
        return "".join(shown(*each.parts) for each in self.sitting.panels(seat))

    def lines(self, name: str, seat: int = 0) -> list[str]:
        """The lines that can be touched in a panel."""
        for panel in self.sitting.panels(seat):
            if panel.name == name:
                return [touch.line for touch in touches(panel.parts)]
        return []


def touches(parts: Any) -> Iterator[Touch]:
    for part in parts:
        if isinstance(part, Touches):
            yield from part.choices
        elif isinstance(part, Section):
            yield from touches(part.parts)


def pointed(parts: Any) -> list[str]:
    """The lines of cells of boards and places of maps."""
    found: list[str] = []
    for part in parts:
        if isinstance(part, Grid):
            found += [getattr(cell, "line", "") for row in part.rows for cell in row]
        elif isinstance(part, Map):
            found += [spot.line for spot in part.spots]
    return [line for line in found if line]


def play_on(table: PlayedTable, seed: int, *, trouble: bool = False, most: int = 10_000) -> None:
    """Touch what can be touched until the game is over; the choice is the same with trouble."""
    hard = random.Random(seed)
    for number in range(most):
        if table.sitting.course.over:
            return
        choose = random.Random(f"{seed} {number}")
        lines = table.lines("moves")
        assert lines, table.words()
        if trouble and hard.random() < 0.3:
            table.killed()
        table.say(choose.choice([line for line in lines if line.count(" ") > 1]))
        moved = table.last is not None and table.last[1].text.startswith("move")
        if trouble and moved and hard.random() < 0.5:
            table.again()
        if trouble and hard.random() < 0.3 and moved:
            table.killed()
            table.again()
        table.go_on()
    raise AssertionError("the game goes on and on")


def statements(parts: Any) -> Iterator[Statement]:
    for part in parts:
        yield part
        if isinstance(part, Section):
            yield from statements(part.parts)


def forms(panel: Panel) -> list[BlankForm]:
    return [each for each in statements(panel.parts) if isinstance(each, BlankForm)]
