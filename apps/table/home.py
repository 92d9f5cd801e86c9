"""The lobby as a page: what can be begun, what goes on, and the addresses of its seats."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from string import capwords
from typing import TYPE_CHECKING, ClassVar, Final

from ...data.errors import SettingsError
from ...models.games import entries, entry
from ..kit.answers.values import Paragraph, Statement, Touch, Touches
from .sitting import Download, Job, Line, Panel
from .texts import ADVISE, BEGIN, DELETE, GOES_ON, NOTHING_GOES_ON, OTHERS, PLAY, WATCH

if TYPE_CHECKING:
    from .lobby import Kept, Lobby

#: Sittings that are listed.
MOST_LISTED: Final = 50
#: Touches that are remembered.
MOST_LED: Final = 1_000


class Home:
    """The lobby; see `Sitting`.

    Args:
        lobby: All sittings.
        addresses: How the server is reached from other machines; none where it is not.
        game: The game that the server was started for; None for none.
    """

    kind: ClassVar[str] = "lobby"
    title = "sleuth"
    seats: Sequence[str] = ("the host",)

    def __init__(
        self, lobby: Lobby, addresses: tuple[str, ...] = (), game: str | None = None
    ) -> None:
        self._lobby = lobby
        self._addresses = addresses
        self._game = game
        #: Where touches have led already: a page may not know, and say them again.
        self._led: OrderedDict[str, str] = OrderedDict()

    def panels(self, seat: int) -> Sequence[Panel]:
        named = () if self._game is None else (self._named(self._game),)
        return [
            *named,
            Panel("begin", (*self._begin(),), OTHERS if named else BEGIN),
            Panel("goes-on", (*self._going_on(),), GOES_ON),
        ]

    def jobs(self, seat: int) -> Sequence[Job]:
        return ()

    def known(self, touch: str) -> bool:
        return False

    def take(self, seat: int, line: Line) -> str:
        if line.touch in self._led:
            return self._led[line.touch]
        word, _, rest = line.text.partition(" ")
        if word == "new":
            kind, _, game = rest.partition(" ")
            file = self._lobby.make(kind, {**line.blanks, "game": game})
            self._led[line.touch] = address = f"/s/{file.tokens[0]}"
            while len(self._led) > MOST_LED:
                self._led.popitem(last=False)
            return address
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

    def _named(self, game: str) -> Panel:
        """The game that the server was started for, first of all."""
        title = entry(game).name
        kinds = {"advice": ADVISE, "game": PLAY, "replay": WATCH}
        if entry(game).adviser is None:
            del kinds["advice"]
        choices = tuple(Touch(said, f"new {kind} {game}", "strong") for kind, said in kinds.items())
        return Panel("named", (Touches("", choices, "list"),), _title(title))

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
    return Touch(_title(game), f"new {kind} {game}")


def _title(game: str) -> str:
    return capwords(game.replace("_", " "))


def _delete(kept: Kept) -> Touch:
    return Touch(DELETE, f"delete {kept.tokens[0]}", "aside", label=f"{DELETE}: {kept.name}")
