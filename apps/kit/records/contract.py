"""Demands of a command on each game whose records can be analysed and compared on.

All records are analysed by one analyst (`kit.analysis.following`), from whatever notation they
come. A play record of any game needs nothing of its own. A game whose people write records in a
notation of their own, or of whose records there is more to say, does three things:

1. It says what a record is from a viewer's eyes: a `Transcript` (`kit.analysis.transcript`) whose
   `standpoints` give, before the first event and after each, the event in words, the posterior, and
   what is hidden, by name. That alone gives the analysis, its text, its JSON and its report, the
   rows of a folder's table, and the comparison of methods where most is open.
2. It adds findings: plain frozen values with ``to_json``. What a moment alone has stands in
   `Moment.detail` (made by `Standpoint.detail`, when the moment is analysed), what the whole game
   has in `TimelineAnalysis.findings` (made by `Transcript.findings`, once, at the end). Their keys
   join the JSON of the moment and of the analysis. A move of the viewer's that is judged by the
   information it asked for, or by a search, needs none: `Standpoint.turn` gives a `ViewerTurn`.
3. It adds sections: an `AnalysisText` and an `AnalysisPage` of its own, each with the kit's parts
   and its own in the order that suits the game.

A subclass of `RecordedGame` ties them together: `RecordedGame.transcript` reads a record, ``text``
and ``page`` hand over what shows it. Files, progress, refusals and options are the commands' and
those of `opening`.

    class Coins(RecordedGame[None, None]):
        def transcript(self, value, asked):
            return CoinTranscript(value, asked.observer)

    class CoinTranscript(Transcript[None, None]):
        game, title = "coins", "A game of coins"

        def standpoints(self):
            hidden = {"coin": self.belief.coin}
            posterior = infer(self.belief.model)
            yield Standpoint(text="before the first event", posterior=posterior, hidden=hidden)
            for event in self.events_seen:
                posterior = posterior.observe(self.belief.evidence(event))
                yield Standpoint(text=event.words, posterior=posterior, hidden=hidden)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from ..console import Tell

if TYPE_CHECKING:
    from pathlib import Path

    from ....beliefs.judging.compare import Comparison
    from ....models.play import Play
    from ..answers.values import Statements

#: One row of a folder's table: event, variable, value, probability.
Row = tuple[int, str, str, float]


@dataclass(frozen=True, kw_only=True)
class AnalysisRequest:
    """The options that were asked for, besides the record; None where nothing was.

    Attributes:
        observer: Whose view.
        method: The inference method.
        agent: Who values what could be done.
        event: After which event methods are compared.
        rules: The game as ``FILE.py:NAME``, where it does not come with sleuth.
        samples, seed: For approximate methods.
        workers: Processes that methods are compared in at once.
        brief: Whether what only a report shows can be left out.
        own: What was written after options that are one game's own, by their names.
    """

    observer: str | None = None
    method: str = "auto"
    agent: str | None = None
    event: int | None = None
    rules: str | None = None
    samples: int = 10_000
    seed: int = 0
    workers: int = 1
    brief: bool = False
    own: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def not_for_all(self) -> list[str]:
        """The options that were given and that not all games have."""
        shared = (("agent", self.agent), ("event", self.event))
        return [*self.own, *(name for name, value in shared if value is not None)]


Begin = Callable[["Statements"], None]
"""Takes the heading of an analysis that is to come."""


class ShownAnalysis(Protocol):
    """A game that was analysed, to be shown."""

    def to_json(self) -> Mapping[str, object]:
        """As ``--json`` prints it."""
        ...

    @property
    def heading(self) -> Statements:
        """The heading above the text."""
        ...

    @property
    def body(self) -> Statements:
        """All that stands below the `heading`."""
        ...

    def html(self) -> str:
        """The report."""
        ...


@dataclass(frozen=True)
class TableRows:
    """A record's additions to a folder's table.

    Attributes:
        viewer: Whose view it is.
        sha256: Digest of what the viewer saw.
        rows: Computed as they are taken.
    """

    viewer: str
    sha256: str
    rows: Iterator[Row]


@dataclass(frozen=True)
class ManyGames:
    """The content of a file of many games.

    Attributes:
        game: The game, by its name.
        games: The records.
    """

    game: str
    games: tuple[object, ...]


class RecordFiles(Protocol):
    """Files of many records of one game, in a notation of its own."""

    @property
    def endings(self) -> tuple[str, ...]:
        """The endings of such files' names."""
        ...

    @property
    def appended(self) -> str:
        """The ending of files to which a game can be added as a line of JSON."""
        ...

    @property
    def others(self) -> tuple[str, ...]:
        """Names that no player has in a record."""
        ...

    def read(self, path: Path, *, most: int) -> tuple[object, ...]:
        """The games of a file; `ManyGameFiles` of the kit is told names of columns as well.

        Raises:
            RecordError: The file cannot be read, has more games, or one of them cannot be used.
        """
        ...

    def begins(self, value: object) -> bool:
        """True if the first line of a file, read from JSON, is one of these games."""
        ...

    def lines(self, path: Path) -> Iterator[Mapping[str, object]]:
        """The entries on the lines of a file, as far as it can be read."""
        ...

    def line(
        self, play: Play, *, players: Sequence[str], match: str, seconds: Sequence[float | None]
    ) -> dict[str, Any]:
        """A game that is over, as it stands on its line.

        Args:
            play: The game.
            players: What the players are called in it, by role.
            match: The name of the match that it is of.
            seconds: How long each action took; None where nobody knows.
        """
        ...


class GameAnalysis(Protocol):
    """The questions that one game's records can be asked."""

    @property
    def options(self) -> frozenset[str]:
        """Options that are for this game and not for all."""
        ...

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods that are compared if none is named."""
        ...

    def check(self, asked: AnalysisRequest) -> None:
        """Refuse options before anything is read.

        Raises:
            SettingsError: An option has an impossible value.
        """
        ...

    def analysed(
        self, value: object, asked: AnalysisRequest, tell: Tell, begin: Begin | None = None
    ) -> ShownAnalysis:
        """Analyse a record that was read from JSON.

        Args:
            value: What was read.
            asked: The options.
            tell: Told how far the work has come.
            begin: Given the heading, before anything is computed.
        """
        ...

    def rows(self, value: object, asked: AnalysisRequest) -> TableRows:
        """The rows of a record that was read from JSON."""
        ...

    def compared(
        self,
        value: object,
        asked: AnalysisRequest,
        methods: Sequence[str],
        *,
        curves: bool,
        tell: Tell,
    ) -> tuple[str | None, Comparison]:
        """The record's name, and the methods on what its viewer saw."""
        ...
