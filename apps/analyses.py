"""The games whose records can be analysed and compared on, and what a command asks of each.

A game's own `GameAnalysis` reads its records, knows which options are its own, and computes. What
all games share (files, progress, JSON, refusals) is in the commands.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, cast

from ..data.errors import ContradictionError, RecordError, SettingsError
from ..models.reading import parse_json, read_bytes
from .console import Tell

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ..beliefs.compare import Comparison

#: One row of a folder's table: event, variable, value, probability.
Row = tuple[int, str, str, float]
#: Endings of files of many games, which are Cheat's.
MANY: Final = (".jsonl", ".csv")
#: What stands in a record under the key ``game`` if nothing does.
USUAL: Final = "clue"


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What was asked for, besides the record; None where nothing was.

    Attributes:
        observer: Whose view.
        method: The inference method.
        choice, preference, suggestions: Clue's.
        likelihood, event: Scotland Yard's.
        number, predictor, agent: Cheat's; the first is which game of a file.
        samples, seed: For approximate methods.
        brief: Whether what only a report shows can be left out.
    """

    observer: str | None = None
    method: str = "auto"
    choice: str | None = None
    preference: str | None = None
    suggestions: str | None = None
    likelihood: str | None = None
    event: int | None = None
    number: int | None = None
    predictor: str | None = None
    agent: str | None = None
    samples: int = 10_000
    seed: int = 0
    brief: bool = False


class Analysed(Protocol):
    """A game that was analysed, to be shown."""

    def to_json(self) -> Mapping[str, object]:
        """As ``--json`` prints it."""
        ...

    def render(self, width: int) -> RenderableType:
        """For a terminal of this many columns."""
        ...

    def html(self) -> str:
        """The report."""
        ...


@dataclass(frozen=True)
class Rows:
    """What a record adds to a folder's table.

    Attributes:
        viewer: Whose view it is.
        sha256: Digest of what the viewer saw.
        rows: Computed as they are taken.
    """

    viewer: str
    sha256: str
    rows: Iterator[Row]


class GameAnalysis(Protocol):
    """What one game's records can be asked."""

    @property
    def options(self) -> frozenset[str]:
        """Options that are for this game and not for all."""
        ...

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods that are compared if none is named."""
        ...

    def check(self, asked: Asked) -> None:
        """Refuse options before anything is read.

        Raises:
            SettingsError: An option has an impossible value.
        """
        ...

    def analysed(self, value: object, asked: Asked, tell: Tell) -> Analysed:
        """Analyse a record that was read from JSON."""
        ...

    def rows(self, value: object, asked: Asked) -> Rows:
        """The rows of a record that was read from JSON."""
        ...

    def compared(
        self, value: object, asked: Asked, methods: Sequence[str], *, curves: bool, tell: Tell
    ) -> tuple[str | None, Comparison]:
        """The record's name, and the methods on what its viewer saw."""
        ...


def _cheat() -> GameAnalysis:
    from .cheat.game import CheatGame

    return CheatGame()


def _clue() -> GameAnalysis:
    from .clue_game import ClueGame

    return ClueGame()


def _scotland_yard() -> GameAnalysis:
    from .scotland_yard.game import ScotlandYardGame

    return ScotlandYardGame()


#: By the word that stands in a record under the key ``game``.
ANALYSES: Final[dict[str, Callable[[], GameAnalysis]]] = {
    "cheat": _cheat,
    "clue": _clue,
    "scotland_yard": _scotland_yard,
}


def analysis_of(value: object) -> GameAnalysis:
    """The game of what was read from a file; what is no record is taken for Clue's.

    Raises:
        RecordError: It is a record of a game that cannot be analysed.
    """
    from ..models.games import GAMES

    if isinstance(value, tuple):
        return ANALYSES["cheat"]()
    name: object = USUAL
    if isinstance(value, dict):
        name = cast("dict[str, object]", value).get("game", USUAL)
    if isinstance(name, str) and name in GAMES and name not in ANALYSES:
        raise RecordError(
            "records of this game cannot be analysed",
            where="field 'game'",
            value=name,
            hint=f"known: {', '.join(ANALYSES)}",
        )
    return ANALYSES[name if isinstance(name, str) and name in ANALYSES else USUAL]()


def read_value(path: Path) -> object:
    """What a file holds: JSON, or the games of Cheat of a file of many.

    Raises:
        RecordError: It cannot be read, or what is written there is neither.
    """
    if path.suffix.lower() in MANY:
        return _games(path)
    content = read_bytes(path)
    try:
        return parse_json(content)
    except RecordError:
        # JSON Lines by another name: every line alone is a record.
        if not _is_first_of_many(content):
            raise
    return _games(path)


def _is_first_of_many(content: bytes) -> bool:
    try:
        first = parse_json(content.partition(b"\n")[0])
    except RecordError:
        return False
    return isinstance(first, dict) and cast("dict[str, object]", first).get("game") == "cheat"


def _games(path: Path) -> object:
    from ..models.cheat.files import read_records

    return read_records(path)


def _by_ending(path: Path) -> GameAnalysis:
    """The game of a file that cannot be read."""
    return ANALYSES["cheat" if path.suffix.lower() in MANY else USUAL]()


def open_record(
    path: Path, asked: Asked, *, instead: str, given: Mapping[str, bool]
) -> tuple[GameAnalysis, object]:
    """A record's game and its content, after a look at the options.

    Args:
        path: The file.
        asked: The options.
        instead: What to write instead of a folder.
        given: For options that are some game's own, whether they were given.

    Raises:
        RecordError: It is a folder, cannot be read, or is no JSON.
        SettingsError: An option is another game's, or has an impossible value.
    """
    if path.is_dir():
        raise RecordError("this is a folder", value=str(path), hint=instead)
    value, problem = None, None
    try:
        value = read_value(path)
    except RecordError as error:
        problem = error
    with named(path):
        found = analysis_of(value) if value is not None else _by_ending(path)
    for option, is_given in given.items():
        if is_given and option not in found.options:
            raise SettingsError(
                f"{option} is not for this game", where=str(path), hint="leave it out"
            )
    found.check(asked)
    if problem is not None:
        with named(path):
            raise problem
    return found, value


@contextmanager
def named(path: Path) -> Generator[None]:
    """What is wrong with a record says which file it is in."""
    try:
        yield
    except ContradictionError as error:
        raise ContradictionError(str(error), evidence=error.evidence, where=str(path)) from None
    except RecordError as error:
        if str(path) in str(error):
            raise
        raise RecordError(str(error), where=str(path)) from None
