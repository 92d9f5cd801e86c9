"""The lobby as a page: what can be begun, what goes on, and how a phone comes to it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from ...data.errors import SettingsError
from ...models.games import called, entries, entry
from ..kit.answers.values import (
    AddressCode,
    BlankForm,
    Command,
    FormField,
    Paragraph,
    Statement,
    Statements,
    Touch,
    Touches,
)
from . import texts
from .kept import LastTouches
from .sitting import Download, Line, Panel, Sitting

if TYPE_CHECKING:
    from .lobby import Kept, Lobby

#: Sittings that are listed, and those of them that are not folded away.
MOST_LISTED: Final = 50
LATEST: Final = 3
#: Letters of a record that is pasted, and the line of one that is handed in as a file.
PASTED: Final = 4_000
UPLOAD: Final = "upload"
#: The kind of the page on what people played, of which a lobby needs one.
PEOPLE: Final = "people"
DAY: Final = 24 * 3600
#: The ways to use the table: the word for each, what it is called, and what it is.
WAYS: Final = (
    ("advice", texts.ADVISED, texts.ADVISED_LEAD),
    ("game", texts.PLAYED, texts.PLAYED_LEAD),
    ("replay", texts.WATCHED, texts.WATCHED_LEAD),
)


class Home(Sitting):
    """The lobby; see `Sitting`.

    Args:
        lobby: All sittings.
        addresses: How the server is reached from other machines; none where it is not.
        game: The game that the server was started for; None for none.
    """

    kind: ClassVar[str] = "lobby"
    title = "sleuth"

    def __init__(
        self, lobby: Lobby, addresses: tuple[str, ...] = (), game: str | None = None
    ) -> None:
        self._lobby = lobby
        self._addresses = addresses
        self._game = game
        #: Where touches have led already: a page may not know, and say them again.
        self._touches = LastTouches()
        #: The sitting of which more is shown, by the secret of its first seat.
        self._open = ""

    @property
    def seats(self) -> Sequence[str]:
        return ("the host",)

    def panels(self, seat: int) -> Sequence[Panel]:
        every = list(self._lobby.kept())
        kept = [each for each in every if each.kind != PEOPLE][:MOST_LISTED]
        latest, earlier = kept[:LATEST], kept[LATEST:]
        going_on = Panel("goes-on", tuple(self._listed(latest)), texts.GOES_ON)
        ways = [Panel(kind, self._way(kind, lead), title) for kind, title, lead in WAYS]
        ways.append(Panel("records", tuple(self._records()), texts.REPLAYED, folded=True))
        return [
            *([going_on, *ways] if kept else [*ways, going_on]),
            Panel("earlier", tuple(self._listed(earlier)), texts.EARLIER, folded=True)
            if earlier
            else Panel("earlier", ()),
            Panel("join", tuple(self._join()), texts.JOIN, "side"),
            Panel("people", (self._people(every),), "", "side"),
        ]

    def known(self, touch: str) -> bool:
        return False

    def take(self, seat: int, line: Line) -> str:
        if (led := self._touches.led(line.touch)) is not None:
            return led
        word, _, rest = line.text.partition(" ")
        led = ""
        if word == "new":
            kind, _, game = rest.partition(" ")
            led = f"/s/{self._lobby.make(kind, {**line.blanks, 'game': game}).tokens[0]}"
        elif word == "more":
            self._open = "" if rest == self._open else rest
        elif word == "delete":
            found = next((kept for kept in self._lobby.kept() if kept.tokens[0] == rest), None)
            if found is None:
                raise SettingsError(texts.NO_TABLE)
            self._lobby.remove(found.path)
        else:
            raise SettingsError(texts.NOT_UNDERSTOOD, value=line.text)
        return self._touches.keep(line.touch, led)

    def download(self, seat: int, name: str) -> Download:
        raise SettingsError("the lobby has no such file", value=name)

    def close(self) -> None:
        """There is nothing to let go of."""

    # -- parts

    def _way(self, kind: str, lead: str) -> Statements:
        """One way to use the table, for each game; first for the one that was asked for."""
        # A reader's own game is listed as soon as its file was read.
        wanted = None if self._game is None else entry(self._game).name
        found = [each.name for each in entries() if kind != "advice" or each.adviser is not None]
        first: list[Touch] = []
        if wanted in found:
            found.remove(wanted)
            first = [Touch(called(wanted), f"new {kind} {self._game}", "strong")]
        others = (Touch(called(name), f"new {kind} {name}") for name in found)
        return Paragraph(lead, "soft"), Touches("", (*first, *others))

    def _records(self) -> Sequence[Statement]:
        """Records to be replayed: those that come with sleuth, or somebody's own."""
        from .replay.sources import example_names

        examples = FormField("example", texts.EXAMPLE, input="choice", choices=example_names())
        pasted = FormField("record", texts.PASTED_RECORD, most=PASTED)
        return [
            Paragraph(texts.REPLAYED_LEAD, "soft"),
            BlankForm("new replay", (examples,), texts.REPLAY),
            BlankForm(UPLOAD, (FormField("file", texts.OWN_RECORD, input="file"),), texts.REPLAY),
            BlankForm("new replay", (pasted,), texts.REPLAY),
        ]

    def _people(self, every: Sequence[Kept]) -> Statement:
        """The way to what people played; the page is made when it is first wanted."""
        page = next((each for each in every if each.kind == PEOPLE), None)
        line = f"new {PEOPLE}" if page is None else f"/s/{page.tokens[0]}"
        return Touches("", (Touch(texts.PEOPLE, line, "aside"),), "list")

    def _listed(self, found: Sequence[Kept]) -> Sequence[Statement]:
        if not found:
            return [Paragraph(texts.NOTHING_GOES_ON, "soft")]
        return [part for kept in found for part in self._row(kept)]

    def _row(self, kept: Kept) -> Sequence[Statement]:
        """A sitting: the way to it, and what else can be done with it."""
        token = kept.tokens[0]
        shown = token == self._open
        way = Touch(kept.name, f"/s/{token}", note=texts.LAST.format(_when(kept.last)))
        more = Touch(
            texts.LESS if shown else texts.MORE,
            f"more {token}",
            "aside",
            label=(texts.LESS_OF if shown else texts.MORE_OF).format(kept.name),
        )
        row = Touches("", (way, more), "row")
        if not shown:
            return [row]
        delete = Touch(
            texts.DELETE, f"delete {token}", "new", label=texts.DELETE_OF.format(kept.name)
        )
        begun = Paragraph(texts.BEGUN.format(_when(kept.begun)), "soft")
        seats = [Paragraph(texts.SEVERAL_SEATS, "soft")] if len(kept.tokens) > 1 else []
        return [row, begun, *seats, Touches(texts.DELETE_NOTE, (delete,))]

    def _join(self) -> Sequence[Statement]:
        """The way for a phone to come to this page."""
        if not self._addresses:
            return [Paragraph(texts.ALONE, "soft"), Command(texts.ALONE_COMMAND)]
        key = self._lobby.key
        codes = (AddressCode(texts.JOIN_CODE, f"{each}/?key={key}") for each in self._addresses)
        return [Paragraph(texts.JOIN_LEAD, "soft"), *codes]


def _when(seconds: float) -> str:
    """A time in words, by the clock of this machine."""
    then, now = time.localtime(seconds), time.localtime()
    clock = time.strftime("%H:%M", then)
    for words, day in ((texts.TODAY, now), (texts.YESTERDAY, time.localtime(time.time() - DAY))):
        if (then.tm_year, then.tm_yday) == (day.tm_year, day.tm_yday):
            return words.format(clock)
    return f"{time.strftime('%Y-%m-%d', then)}, {clock}"
