"""Finished games that a person played, added to a file of records to train with."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from pydantic import TypeAdapter, ValidationError

from ...data.disk.growing import PATIENCE, append_to
from ...data.disk.holding import HeldFile, hold
from ...data.errors import SettingsError, shorten
from ...models.game import Game
from ...models.play import Play
from ...models.records.forms import Name
from ..kit.prompting import Hearer, Steps, ask_yes
from ..kit.records.contract import RecordFiles
from ..kit.records.opening import files_of, with_files
from ..kit.writing import refuse_unwritable
from .saved import YOU

WHERE: Final = "--record"
NAMED: Final = "--name"
#: Letters that a name in a record may have.
LONGEST: Final = 80


@dataclass(eq=False)
class Recording:
    """A file of records to which this person's games are added.

    The person is asked once, before their first game in it; a game of theirs that is there says
    that they were.

    Attributes:
        path: The file, with a record on each line.
        files: How records stand there.
        name: What they are called in it.
        allowed: Whether they have agreed.
    """

    path: Path
    files: RecordFiles
    name: str = YOU
    allowed: bool = False

    @staticmethod
    def to(path: Path, game: Game, seats: Sequence[str], name: str = YOU) -> Recording:
        """A recording to a file.

        Args:
            path: The file.
            game: What is played.
            seats: For every role the agent's text, or ``YOU``.
            name: What the person is called in it.

        Raises:
            SettingsError: Nothing is trained on this game, the file cannot be written, or records
                refuse the name.
        """
        if game.name not in with_files():
            named = " and ".join(name.replace("_", " ").capitalize() for name in with_files())
            raise SettingsError(
                f"games are recorded for training in {named} only",
                where=WHERE,
                value=game.name,
                hint="write --save to keep this one",
            )
        files = files_of(game.name)
        ending = path.suffix.lower()
        if ending in files.endings and ending != files.appended:
            raise SettingsError("games are added in JSON Lines", where=WHERE, value=str(path))
        refuse_name(name, [*files.others, *(text for text in seats if text != YOU)])
        refuse_unwritable(path, where=WHERE)
        return Recording(path, files, name)

    def begin(self, hearer: Hearer) -> Steps[None]:
        """Ask, if this person was not asked yet; only a yes is one."""
        players = {player for game in self._games() for player in _players(game)}
        # A file without games was begun by a person who has agreed, and who has no name yet.
        if self.name in players or (self.path.exists() and not players and self.name == YOU):
            self.allowed = True
            return
        called = "" if self.name == YOU else f"as {self.name}'s "
        about = what_is_kept(f"{called}to {self.path}")
        hearer.say(about)
        self.allowed = yield from ask_yes(
            hearer,
            "Is that all right? yes or no",
            lambda: hearer.say(about),
            f"Games are recorded in {self.path} as {self.name}'s.",
        )
        if not self.allowed:
            hearer.say("Nothing is recorded.")
            return
        self._held().close(keep_empty=True)

    @property
    def options(self) -> list[str]:
        """The options that a command needs to record the rest of a game that was left."""
        if not self.allowed:
            return []
        named = [] if self.name == YOU else [NAMED, self.name]
        return [WHERE, str(self.path), *named]

    def add(
        self,
        play: Play,
        seats: Sequence[str],
        seconds: Sequence[float | None],
        hearer: Hearer,
    ) -> None:
        """Add a game that is over.

        Args:
            play: The game.
            seats: For every role the agent's text, or ``YOU``.
            seconds: How long each action took, as far as anybody knows.
            hearer: Who is told.
        """
        if not self.allowed:
            return
        # Records have shorter names than some agents.
        players = [self.name if text == YOU else shorten(text, LONGEST) for text in seats]
        # The name of the match must not be taken by another process meanwhile, which is waited for.
        with self._held() as held:
            line = self.files.line(
                play,
                players=players,
                match=self._match(play.seed),
                seconds=[None if took is None else round(took, 2) for took in seconds],
            )
            append_to(held, json.dumps(line, ensure_ascii=False), where=WHERE)
        hearer.say(f"The game is added to {self.path}")

    def _match(self, seed: int) -> str:
        """A name that no match of the file has: a deal can be played more than once."""
        taken = [game.get("match") for game in self._games()]
        name, again = f"seed {seed}", 1
        while name in taken:
            again += 1
            name = f"seed {seed}, {again}"
        return name

    def _games(self) -> list[Mapping[str, object]]:
        """The content of the file, as far as it can be read."""
        return list(self.files.lines(self.path))

    def _held(self) -> HeldFile:
        return hold(self.path, where=WHERE, wait=PATIENCE)


def what_is_kept(where: str) -> str:
    """The words about what is kept of a game, and what for; ``where`` says to what it is added."""
    return (
        "When the game is over, all its cards, your moves and how long each took you are added "
        f"{where}, which predictors can be trained on. Nothing is sent anywhere."
    )


def _players(game: Mapping[str, object]) -> list[str]:
    names = game.get("players")
    if not isinstance(names, list):
        return []
    return [name for name in cast("list[object]", names) if isinstance(name, str)]


def refuse_name(name: str, others: Sequence[str]) -> None:
    """Refuse a name that a record of a game could not have.

    Args:
        name: The name.
        others: Names that others have in it.

    Raises:
        SettingsError: The file is refused.
    """
    if name in others:
        raise SettingsError(
            "another player has this name in the record",
            where=NAMED,
            value=name,
            hint=f"write another name than {' and '.join(map(repr, others))}",
        )
    try:
        TypeAdapter(Name).validate_python(name, strict=True)
    except ValidationError:
        raise SettingsError(
            "records refuse this name",
            where=NAMED,
            value=name,
            hint="write 1 to 80 printable characters, no space at either end",
        ) from None
