"""Records as they are opened: of which game a file is, and what analyses it."""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final, cast

from ....data.errors import (
    ContradictionError,
    RecordError,
    SettingsError,
    join_hints,
    meant,
    nearest,
    plain_name,
)
from ....data.files import examples
from ....models.games import GAMES, GameEntry, entry, names
from ....models.play import kept_record
from ....models.recorded import check_start, game_of_record
from ....models.records.game_files import FILE, MOST_BYTES_OF_A_LINE, TABLE, Columns, head_of
from ....models.records.reading import parse_json, parse_record, read_bytes, refused
from ..option_names import option_of
from ..own_options import declared
from .contract import AnalysisRequest, GameAnalysis, ManyGames, RecordFiles
from .many_games import COLUMNS, ManyGameFiles

#: Most games of such a file: each takes milliseconds to be read, and one is looked at.
MOST_LOOKED_AT: Final = 2_000
#: The field that only the record of a play has.
ACTIONS: Final = "actions"
#: The ending of files that hold one record.
ONE: Final = ".json"


def at_hand(written: Path) -> Path:
    """The file that was written, or, where there is none, the one that comes along by that name.

    Args:
        written: Such as ``clue/neller_main`` or ``networks/asia``. A file of that name, and what
            has an ending, is itself.

    Raises:
        RecordError: There is no such file, and nothing of that name comes along.
    """
    folder = written.parent
    if written.suffix or folder == Path() or os.path.lexists(folder):
        return written
    name, known = plain_name(written.as_posix()), examples()
    if name in known:
        return Path(str(known[name]))
    if name.startswith("networks/"):
        from ....beliefs.networks.examples import network_file

        return network_file(written.name)
    if near := meant(name, [each for each in known if "/" in each]):
        raise RecordError("there is no such file", value=str(written), hint=near)
    return written


def game_of(value: object) -> str:
    """The name of the game that what was read from a file is of.

    Args:
        value: What was read.

    Raises:
        RecordError: It does not say it.
    """
    if isinstance(value, ManyGames):
        return value.game
    if not isinstance(value, dict):
        raise refused("a record is a JSON object", value=value)
    name = cast("dict[str, object]", value).get("game")
    if name is None:
        raise RecordError(
            "this is no record of a game: the field 'game' is missing",
            hint="it names the game, such as 'clue'",
        )
    if not isinstance(name, str):
        raise refused("the name of a game is needed", where="field 'game'", value=name)
    return name


def analysis_of(value: object, rules: str | None = None) -> GameAnalysis:
    """The analyser of what was read from a file.

    What is no record is taken for one of the game whose records need not name it.

    Args:
        value: What was read.
        rules: The game as ``FILE.py:NAME``, where it does not come with sleuth.

    Raises:
        RecordError: It is a record of a game that there is not.
        SettingsError: The game's file cannot be used.
    """
    if isinstance(value, ManyGames):
        return _own(value.game, value)
    usual = next(name for name, each in GAMES.items() if each.unnamed)
    name: object = usual
    if isinstance(value, dict):
        name = cast("dict[str, object]", value).get("game", usual)
    if not isinstance(name, str):
        return _own(usual, cast("object", value))
    if rules is None and name in GAMES and GAMES[name].records is not None:
        return _own(name, cast("object", value))
    if rules is None and name not in names():
        raise RecordError(
            "no such game",
            where="field 'game'",
            value=name,
            hint=join_hints(
                nearest(name, names()),
                "for a game of your own, say where its rules are with `rules=FILE.py:NAME`",
            ),
        )
    return _any(cast("object", value), entry(rules or name))


def _own(name: str, value: object) -> GameAnalysis:
    """The game's means to analyse records in its own notation, and plays if these take others."""
    make = GAMES[name].part("records")
    assert make is not None
    made = make()
    if made.plays_apart and isinstance(value, dict) and ACTIONS in value:
        return _any(cast("object", value), GAMES[name])
    return made


def _any(value: object, found: GameEntry) -> GameAnalysis:
    """The analysis that every game has."""
    from ....beliefs.games.registry import belief_or_none
    from ..analysis.any_game import AnyGame
    from ..display import display

    record = kept_record(value)
    made = game_of_record(record, found)
    check_start(record, made)
    return AnyGame(made, belief_or_none(made), display(made), tuple(found.part("options") or ()))


def check_own(asked: AnalysisRequest) -> None:
    """Refuses values of games' own options that no game takes, before any record is read.

    Raises:
        SettingsError, RecordError: No game takes the value of an option.
    """
    problems: dict[str, list[SettingsError | RecordError | None]] = {}
    for name, option in declared():
        if option.name in asked.own:
            found = problems.setdefault(option.name, [])
            try:
                if (make := entry(name).part("records")) is not None:
                    make().check(replace(asked, method="auto"))
                else:
                    option.read(asked.own[option.name])
                found.append(None)
            except (SettingsError, RecordError) as problem:
                found.append(problem)
    for first, *others in problems.values():
        if first is not None and None not in others:
            raise first


def read_value(path: Path, columns: Columns | None = None) -> object:
    """The content of a file: JSON, or `ManyGames`.

    Args:
        path: The file.
        columns: Names of columns, if it is a table, by those that they have here.

    Raises:
        RecordError: It cannot be read, or what is written there is neither.
        SettingsError: It has no columns.
    """
    name = _by_ending(path, columns)
    if name is None:
        content = read_bytes(path)
        try:
            return parse_record(content)
        except RecordError:
            # JSON Lines by another name: every line alone is a record.
            name = _of_the_first_line(content)
            if name is None:
                raise
    files = files_of(name)
    if columns is None:
        return ManyGames(name, files.read(path, most=MOST_LOOKED_AT))
    if not isinstance(files, ManyGameFiles):
        raise no_columns(name)
    return ManyGames(name, files.read(path, most=MOST_LOOKED_AT, columns=columns))


def no_columns(name: str) -> SettingsError:
    """The error where columns are named of a game whose records do not stand in such tables."""
    return SettingsError(
        "records of this game are no tables", where="columns", value=name, hint="leave it out"
    )


def files_of(name: str) -> RecordFiles:
    """The reader and writer of files of many records of a game that has such files."""
    make = GAMES[name].part("files")
    assert make is not None
    return make()


def with_files() -> tuple[str, ...]:
    """The games that have files of many records."""
    return tuple(name for name, each in GAMES.items() if each.files is not None)


def _of_the_first_line(content: bytes) -> str | None:
    """The game of a file whose lines are records, by the first one."""
    try:
        first = parse_json(content.partition(b"\n")[0])
    except RecordError:
        return None
    return next((name for name in with_files() if files_of(name).begins(first)), None)


def _by_ending(path: Path, columns: Columns | None = None) -> str | None:
    """The game whose files of many records have such names; None where there is none.

    Where several games have them, what a file begins with says whose it is.
    """
    ending = path.suffix.lower()
    if ending == ONE:
        return None
    found = [name for name in with_files() if ending in files_of(name).endings]
    if len(found) > 1:
        told = _by_beginning(path, found, columns or {})
        return found[0] if told is None else told
    return next(iter(found), None)


def _by_beginning(path: Path, names: Sequence[str], columns: Columns) -> str | None:
    """The game of whose records a file has the first line; None for none of these."""
    try:
        if path.suffix.lower() == TABLE:
            called = {theirs: name for name, theirs in columns.items()}
            head = {*columns, *(called.get(name, name) for name in head_of(path))}
            tables = [(name, files_of(name)) for name in names]
            fits = (
                name
                for name, files in tables
                if isinstance(files, ManyGameFiles) and files.has_columns([*head])
            )
            return next(fits, None)
        for _, line in FILE.lines(path, longest=MOST_BYTES_OF_A_LINE):
            if line.strip():
                return _of_the_first_line(line)
    except RecordError:
        pass
    return None


def open_record(path: Path, asked: AnalysisRequest, *, instead: str) -> tuple[GameAnalysis, object]:
    """A record's game and its content, after a look at the options.

    Args:
        path: The file.
        asked: The options.
        instead: What to write instead of a folder.

    Raises:
        RecordError: It is a folder, cannot be read, or is no JSON.
        SettingsError: An option is another game's, or has an impossible value.
    """
    if path.is_dir():
        raise RecordError("this is a folder", value=str(path), hint=instead)
    value, problem = None, None
    named_so = COLUMNS.read(asked.own[COLUMNS.name]) if COLUMNS.name in asked.own else None
    try:
        value = read_value(path, named_so)
    except RecordError as error:
        problem = error
    with named(path):
        if value is None and (name := _by_ending(path, named_so)) is not None:
            found = _own(name, value)
        else:
            found = analysis_of(value, asked.rules if value is not None else None)
    # What is no record says nothing of its game, so options of other games are not looked for.
    is_record = isinstance(value, dict | ManyGames)
    for name in asked.not_for_all:
        if is_record and name not in found.options:
            raise SettingsError(
                f"{option_of(name)} is not for this game", where=str(path), hint="leave it out"
            )
    found.check(asked)
    if problem is not None:
        with named(path):
            raise problem
    return found, cast("object", value)


@contextmanager
def named(path: Path) -> Generator[None]:
    """Names the file of a record in its errors."""
    try:
        yield
    except (ContradictionError, RecordError) as error:
        if str(path) not in str(error):
            error.reword(where=f"{path}: {error.where}" if error.where else str(path))
        raise
