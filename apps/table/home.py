"""The lobby as a page: what can be begun, what goes on, and the addresses of its seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from ...data.errors import SettingsError
from ...models.games import entries
from ..kit.answers.values import Paragraph, Statement, Touch, Touches
from .sitting import Download, Job, Line, Panel
from .texts import ADVISE, BEGIN, DELETE, GOES_ON, NOTHING_GOES_ON, PLAY, WATCH

if TYPE_CHECKING:
    from .lobby import Kept, Lobby

#: Sittings that are listed.
MOST_LISTED = 50


class Home:
    """The lobby; see `Sitting`.

    Args:
        lobby: All sittings.
        addresses: How the server is reached from other machines; none where it is not.
    """

    kind: ClassVar[str] = "lobby"
    title = "sleuth"
    seats: Sequence[str] = ("the host",)

    def __init__(self, lobby: Lobby, addresses: tuple[str, ...] = ()) -> None:
        self._lobby = lobby
        self._addresses = addresses

    def panels(self, seat: int) -> Sequence[Panel]:
        return [
            Panel("begin", (*self._begin(),), BEGIN),
            Panel("goes-on", (*self._going_on(),), GOES_ON),
        ]

    def jobs(self, seat: int) -> Sequence[Job]:
        return ()

    def known(self, touch: str) -> bool:
        return False

    def take(self, seat: int, line: Line) -> str:
        word, _, rest = line.text.partition(" ")
        if word == "new":
            kind, _, game = rest.partition(" ")
            file = self._lobby.make(kind, {**line.blanks, "game": game})
            return f"/s/{file.tokens[0]}"
        if word == "delete":
            found = next((kept for kept in self._lobby.kept() if kept.tokens[0] == rest), None)
            if found is None:
                raise SettingsError("there is no such table any more")
            self._lobby.remove(found.path)
            return ""
        raise SettingsError("the lobby does not know this", value=line.text)

    def download(self, seat: int, name: str) -> Download:
        raise SettingsError("the lobby has no such file", value=name)

    def due(self) -> Job | None:
        return None

    def done(self, job: Job, answer: object) -> None:
        """Nothing is ever due."""

    def failed(self, job: Job, error: Exception) -> None:
        """Nothing is ever due."""

    def later(self) -> float | None:
        return None

    def tick(self) -> None:
        """Nothing goes on by itself."""

    def close(self) -> None:
        """There is nothing to let go of."""

    # -- parts

    def _begin(self) -> Sequence[Statement]:
        advised = [each.name for each in entries() if each.adviser is not None]
        games = [each.name for each in entries()]
        return [
            Touches(ADVISE, tuple(_new("advice", game) for game in advised)),
            Touches(PLAY, tuple(_new("game", game) for game in games)),
            Touches(WATCH, tuple(_new("replay", game) for game in games)),
        ]

    def _going_on(self) -> Sequence[Statement]:
        found = list(self._lobby.kept())[:MOST_LISTED]
        if not found:
            return [Paragraph(NOTHING_GOES_ON, "soft")]
        return [
            Touches("", (Touch(kept.name, f"/s/{kept.tokens[0]}"), _delete(kept)), "row")
            for kept in found
        ]


def _new(kind: str, game: str) -> Touch:
    return Touch(game.replace("_", " ").capitalize(), f"new {kind} {game}")


def _delete(kept: Kept) -> Touch:
    return Touch(DELETE, f"delete {kept.tokens[0]}", "aside", label=f"{DELETE}: {kept.name}")


def made_of(blanks: Mapping[str, str], name: str) -> str:
    """What was filled in under a name.

    Raises:
        SettingsError: Nothing was.
    """
    found = blanks.get(name, "").strip()
    if not found:
        raise SettingsError("something has to be filled in here", where=name)
    return found
