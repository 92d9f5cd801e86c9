"""Finished games of Cheat that a person played, added to a file of records to train with."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from ...data.errors import SettingsError
from ...models.cheat.record import Record
from ...models.game import Game
from ...models.play import Play
from ..writing import refuse_unwritable
from .terminal import Terminal

#: The game whose records predictors are trained on.
RECORDED: Final = "cheat"
WHERE: Final = "--record"


@dataclass(eq=False)
class Recording:
    """A file of records to which this person's games are added.

    Whoever plays is asked once, before the file is begun; a file that is there says that he was.

    Attributes:
        path: The file, in JSON Lines.
        allowed: Whether he has agreed.
    """

    path: Path
    allowed: bool = False
    _seconds: dict[int, float] = field(default_factory=dict[int, float])

    @staticmethod
    def to(path: Path, game: Game) -> Recording:
        """A recording to a file.

        Raises:
            SettingsError: Nothing is trained on this game, or the file cannot be written.
        """
        if game.name != RECORDED:
            raise SettingsError(
                "games are recorded for training in Cheat only",
                where=WHERE,
                value=game.name,
                hint="write --save to keep this one",
            )
        if path.suffix.lower() == ".csv":
            raise SettingsError("games are added in JSON Lines", where=WHERE, value=str(path))
        refuse_unwritable(path, option=WHERE)
        return Recording(path)

    def begin(self, terminal: Terminal) -> None:
        """Ask, if nobody was asked yet; what is no yes is a no."""
        if self.path.exists():
            self.allowed = True
            return
        terminal.say(
            "When the game is over, all its cards, your moves and how long each took you are added "
            f"to {self.path}, which predictors can be trained on. Nothing is sent anywhere."
        )
        answer = terminal.ask("Is that all right? yes or no", ("yes", "no"))
        self.allowed = answer is not None and answer.strip().lower() in ("y", "yes")
        if not self.allowed:
            terminal.say("Nothing is recorded.")
            return
        self._append("")

    def took(self, move: int, seconds: float) -> None:
        """Note how long a move of the person took.

        Args:
            move: Its number, from 0.
            seconds: How long.
        """
        self._seconds[move] = seconds

    def add(self, play: Play, players: Sequence[str], terminal: Terminal) -> None:
        """Add a game that is over."""
        if not self.allowed:
            return
        first, second = players
        seconds = [self._seconds.get(move) for move in range(len(play.actions))]
        record = Record.from_play(
            play,
            players=(first, second),
            match=self._match(play.seed),
            seconds=[None if took is None else round(took, 2) for took in seconds],
        )
        self._append(json.dumps(record.to_json(), ensure_ascii=False) + "\n")
        terminal.say(f"The game is added to {self.path}")

    def _match(self, seed: int) -> str:
        """A name that no match of the file has: a deal can be played more than once."""
        taken: set[object] = set()
        with contextlib.suppress(OSError, UnicodeDecodeError):
            for line in self.path.read_text("utf-8").splitlines():
                with contextlib.suppress(ValueError, AttributeError, RecursionError):
                    taken.add(json.loads(line).get("match"))
        name, again = f"seed {seed}", 1
        while name in taken:
            again += 1
            name = f"seed {seed}, {again}"
        return name

    def _append(self, line: str) -> None:
        try:
            with self.path.open("a", encoding="utf-8") as stream:
                stream.write(line)
        except OSError as problem:
            raise SettingsError(
                f"the game cannot be recorded: {(problem.strerror or str(problem)).lower()}",
                where=WHERE,
                value=str(self.path),
            ) from None
