"""The games that are known by name: those that come with sleuth, installed ones, a reader's own.

The face lists those that come with sleuth, since it alone may know all floors. An installed package
registers a game by an entry point of the group ``sleuth.games``, and wherever a game is named,
``FILE.py:NAME`` names a `GameEntry` in a file. In Python whoever takes a game takes its entry in
its place, and a game whose entry was made is known by it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module, metadata
from pathlib import Path, PurePath
from string import capwords
from types import ModuleType
from typing import Any, Final
from weakref import WeakKeyDictionary

from ..data.disk.contents import MadeOfFiles, digest_of
from ..data.disk.sent import known_as, located
from ..data.errors import SettingsError, SleuthError, join_hints, nearest
from ..data.tables import html_shown, html_table
from .game import Game
from .shipped import GROUP, shipped_games

Part = str | Callable[..., Any]
"""A part of a game: what makes it, or where in sleuth that is, as ``"module.path:name"``."""

#: Parts that only somebody who has chosen the game asks for: a list of games need not name them.
OF_THE_FILE: Final = ("belief", "display")


@dataclass(frozen=True)
class GameEntry:
    """Everything that is declared for one game.

    Attributes:
        name: The name of the game, which is that of its `Game`.
        rules: The game, or what makes it from its settings; or, in a list, the entry in the game's
            own file, as ``"module.path:GAME"``, which then has its belief and display as well.
        belief: What makes its `GameBelief`; None where nothing is hidden.
        display: What makes its `Display` from the game: its words and its picture in a terminal;
            None where the names of its actions say enough.
        records: What reads and analyses records in a notation of its own; None where the records
            of plays are enough.
        files: What reads and writes files of many of its records (see
            `RecordFiles` of the kit); None where each file holds one.
        unnamed: Whether a record that names no game is one of its.
        options: The options of the commands that it alone has, an `OwnOption` each; None for none.
        rows: What makes its `Subject`, which says what can be learned from its records (see
            `sleuth.kit.RowMaker`); or a function of its own with the options of ``sleuth train``.
            None where nothing is learned.
        adviser: What makes its `Adviser`, for `sleuth advise` beside a real game (see
            `sleuth.kit.Adviser`); None where there is no advice.
        agents: The agents that it alone has, by name (see `sleuth.agents`), and
            those of any game that have more options in it; None for none.
        summary: What the analysis of its records says that others do not, for the help; empty for
            nothing.
        title: What it is called for people; empty for its name, with capitals.
        source: What another process can be told to find the same game.
        digest: Of the files that it was opened from; empty where it came with sleuth.
        earlier: What makes the game as an earlier version of its rules had it, for records of it: a
            function of the version and the settings, which may give None; None where there is none.
        written: The class of the records that people write of it, a `WrittenRecord`, which are
            learned from like those of plays; None where there is none.

    A `Game` in ``rules`` is known by this entry from now on, in this process: to whoever asks for
    its belief, such as an agent by name in a match.

    >>> import sleuth
    >>> from sleuth.games.small import KuhnPokerBelief, kuhn_poker
    >>> mine = sleuth.GameEntry("kuhn_poker", rules=kuhn_poker, belief=KuhnPokerBelief)
    >>> mine.game().roles, list(mine.settings)
    (('first', 'second'), ['players'])
    >>> mine.part("belief").__name__, mine.part("display")
    ('KuhnPokerBelief', None)
    """

    name: str
    rules: Game | Part
    belief: Part | None = None
    display: Part | None = None
    records: Part | None = None
    files: Part | None = None
    unnamed: bool = False
    options: str | tuple[Any, ...] | None = None
    rows: Part | None = None
    adviser: Part | None = None
    agents: str | Mapping[str, Any] | None = None
    summary: str = ""
    title: str = ""
    source: str = ""
    digest: str = ""
    earlier: Part | None = None
    written: Part | None = None

    def __post_init__(self) -> None:
        if isinstance(self.rules, Game):
            _declared[self.rules] = self

    @property
    def called(self) -> str:
        """The words for it that people read.

        >>> import sleuth
        >>> sleuth.GameEntry("scotland_yard", "models.scotland_yard:scotland_yard").called
        'Scotland Yard'
        """
        return self.title or capwords(self.name.replace("_", " "))

    def _repr_html_(self) -> str:
        """The game's title, and its settings."""
        meanings = self.setting_meanings
        rows = [(name, meanings.get(name, "")) for name in self.settings] or [("no settings", "")]
        return html_shown(html_table(("", ""), rows, caption=f"{self.called} ({self.name})"))

    def part(self, which: str) -> Any:
        """A part, such as ``"options"``, or what makes it, such as ``"belief"``; None for none."""
        found = resolved(getattr(self, which))
        if found is None and which in OF_THE_FILE:
            found = resolved(self.rules)
            if not isinstance(found, GameEntry):
                return None
        return found.part(which) if isinstance(found, GameEntry) else found

    @property
    def settings(self) -> Mapping[str, inspect.Parameter]:
        """The settings the game can be told, such as the number of players, by name."""
        rules = self.part("rules")
        return {} if isinstance(rules, Game) else inspect.signature(rules).parameters

    @property
    def setting_meanings(self) -> Mapping[str, str]:
        """A sentence about each setting, from the docstring of what makes the game.

        Settings of which its ``Args:`` say nothing are left out.

        >>> import sleuth
        >>> sleuth.kit.GAMES["clue"].setting_meanings["turns"]
        'Turns after which the game ends without a winner; None for 200.'
        """
        listed = (inspect.getdoc(self.part("rules")) or "").partition("Args:\n")[2]
        known, found, names = self.settings, dict[str, str](), list[str]()
        for line in listed.partition("\n\n")[0].splitlines():
            words, colon, rest = line.partition(":")
            listed_here = [each.strip() for each in words.split(",")]
            if colon and line[:4].isspace() and all(each in known for each in listed_here):
                names, line = listed_here, rest
            for name in names:
                found[name] = f"{found.get(name, '')} {line.strip()}".strip()
        return found

    def game(self, **settings: Any) -> Game:
        """The game with these settings.

        Raises:
            SettingsError: It has no such setting, or the setting has an impossible value.
        """
        known = self.settings
        for setting in settings:
            if setting not in known:
                raise SettingsError(
                    "no such setting",
                    where=f"game {self.name!r}",
                    value=setting,
                    hint=nearest(setting, known) if known else "it has none",
                )
        rules = self.part("rules")
        made: Game = rules if isinstance(rules, Game) else rules(**settings)
        _declared[made] = self
        return made

    def game_of_version(self, version: int, settings: Mapping[str, Any]) -> Game:
        """The game with these settings as a version of its rules had it, as far as it is known.

        Raises:
            SettingsError: See :meth:`game`.

        >>> import sleuth
        >>> from sleuth.games.scotland_yard import scotland_yard
        >>> yard = sleuth.GameEntry(
        ...     "scotland_yard", scotland_yard, earlier="models.scotland_yard.game:earlier"
        ... )
        >>> [yard.game_of_version(each, {"edition": "later"}).version for each in (1, 2, 3)]
        [1, 2, 2]
        """
        made, make = self.game(**settings), self.part("earlier")
        if made.version == version or make is None:
            return made
        found: Game | None = make(version, settings)
        if found is None:
            return made
        _declared[found] = self
        return found


#: The entries of games by the games themselves, as long as somebody has them.
_declared: WeakKeyDictionary[Game, GameEntry] = WeakKeyDictionary()


class _ShippedGames(Mapping[str, GameEntry]):
    """The games that come with sleuth, listed when they are first asked for."""

    @cached_property
    def _entries(self) -> dict[str, GameEntry]:
        return {each.name: each for each in shipped_games()}

    def __getitem__(self, name: str) -> GameEntry:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def _repr_html_(self) -> str:
        """The games by their names, and what each can be told."""
        rows = [
            (name, entry.called, ", ".join(entry.settings) or "-") for name, entry in self.items()
        ]
        return html_shown(html_table(("name", "game", "settings"), rows, caption="Games"))


#: The games that come with sleuth, by their names.
GAMES: Final[Mapping[str, GameEntry]] = _ShippedGames()

#: Games that were opened from files or packages in this process, by their names.
_opened: dict[str, GameEntry] = {}


def game(name: str, **settings: Any) -> Game:
    """The game of a name.

    Args:
        name: Such as ``"kuhn_poker"``; ``-``, ``_`` and blanks are the same. Or ``FILE.py:NAME``.
        settings: What the game can be told, such as the number of players.

    Raises:
        SettingsError: No game has this name, or it has no such setting.

    >>> import sleuth
    >>> sleuth.game("clue", players=4).roles
    ('p1', 'p2', 'p3', 'p4')
    """
    return entry(name).game(**settings)


def game_from(given: Game | GameEntry | str) -> Game:
    """The game itself, of whatever stands for it: the game, its entry, or its name.

    An entry's game is made without settings, and known by the entry's name from now on.

    Raises:
        SettingsError: No game has this name, the entry cannot be used, or it is something else.
    """
    if isinstance(given, Game):
        return given
    if isinstance(given, str):
        return game(given)
    if not isinstance(given, GameEntry):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise SettingsError(
            "a game is needed", value=given, hint="hand over a Game, a GameEntry, or a name"
        )
    shipped = GAMES.get(given.name)
    if shipped is None or given not in (shipped, resolved(shipped.rules)):
        _remembered(_checked(given, f"GameEntry {given.name!r}", given.source))
    return given.game()


def entry(name: str) -> GameEntry:
    """Everything that is declared for the game of a name.

    Raises:
        SettingsError: No game has this name, or its file cannot be used.
    """
    if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise SettingsError(
            "the name of a game is needed", value=name, hint="write a name such as 'clue'"
        )
    path, _, variable = name.rpartition(":")
    if path.endswith(".py"):
        return _remembered(_from_file(path, variable))
    word = name.replace("-", "_").replace(" ", "_")
    if word in GAMES:
        return GAMES[word]
    if word in _opened:
        return _opened[word]
    for point in _points():
        if point.name.replace("-", "_") == word:
            found = _checked(_loaded(point), f"entry point {point.name!r}", point.name)
            return _remembered(replace(found, digest=_digest(sys.modules.get(point.module))))
    if name.endswith(".py"):
        raise SettingsError(
            "this is a file, and what it calls its game is missing",
            value=name,
            hint=f"write {name}:GAME",
        )
    known = (*GAMES, *_opened, *(point.name for point in _points()))
    raise SettingsError(
        "no such game",
        value=name,
        hint=join_hints(nearest(word, known), "a game of your own is FILE.py:NAME"),
    )


def called(name: str) -> str:
    """The words for a game that people read, by its name; also of one that is not known here."""
    found = next((each for each in entries() if each.name == name), None)
    return GameEntry(name, "").called if found is None else found.called


def entry_of(game: Game) -> GameEntry | None:
    """The entry that a game was made from; None for a game that nobody has made an entry of."""
    return GAMES.get(game.name) or _declared.get(game) or _opened.get(game.name)


def files_of(entry: GameEntry) -> list[Path]:
    """The files that an entry was opened from: its own, and those beside it that it imports.

    None for a game that comes with sleuth, or is installed.
    """
    path = Path(entry.source.rpartition(":")[0])
    if path.suffix != ".py":
        return []
    module, _ = _modules.get((path,), lambda: _run(path, path))
    return _files(module)


def names() -> tuple[str, ...]:
    """The names of all games that are known without a file.

    >>> import sleuth
    >>> sleuth.games.names()[:4]
    ('cheat', 'cheat_for_many', 'clue', 'clue_table')
    """
    return (*GAMES, *(point.name for point in _points() if point.name not in GAMES))


def entries() -> Iterator[GameEntry]:
    """The entries of all games that are known: installed ones, and those that were opened, too."""
    yield from GAMES.values()
    for point in _points():
        if point.name not in GAMES:
            try:
                yield entry(point.name)
            except SettingsError:
                continue  # what cannot be loaded says so where it is named
    installed = {point.name.replace("-", "_") for point in _points()}
    yield from (each for name, each in _opened.items() if name not in installed)


def _from_file(path: str, variable: str) -> GameEntry:
    named = Path(path).expanduser()
    file = located(named).resolve()
    where = f"{path}:{variable}"
    if not file.is_file():
        raise SettingsError("there is no such file", where=where, value=path)
    module, digest = _modules.get((file,), lambda: _run(file, known_as(named, file)))
    found = getattr(module, variable, None)
    if found is None:
        raise SettingsError(
            "the file has no such name",
            where=path,
            value=variable,
            hint=_candidates(module),
        )
    return replace(_checked(found, where, f"{file}:{variable}"), digest=digest)


def _checked(found: object, where: str, source: str) -> GameEntry:
    if isinstance(found, Game):
        found = GameEntry(found.name, found)
    if not isinstance(found, GameEntry):
        raise SettingsError(
            "this is neither a GameEntry nor a Game",
            where=where,
            value=type(found).__name__,
            hint="write NAME = GameEntry('my_game', rules=MY_GAME, belief=MyBelief)",
        )
    made = resolved(found.rules)
    if isinstance(made, Game) and made.name != found.name:
        raise SettingsError(
            f"the entry has another name than its game, {made.name!r}",
            where=where,
            value=found.name,
        )
    if found.name in GAMES:
        raise SettingsError(
            "a game that comes with sleuth has this name already",
            where=where,
            value=found.name,
            hint="give yours another",
        )
    return replace(found, source=source)


def _remembered(found: GameEntry) -> GameEntry:
    _opened[found.name] = found
    return found


def _candidates(module: object) -> str:
    found = [name for name, value in vars(module).items() if isinstance(value, GameEntry | Game)]
    return f"it has {', '.join(found)}" if found else "it holds no GameEntry"


#: Modules of files that were run in this process, each with its digest.
_modules: Final = MadeOfFiles[tuple[ModuleType, str]]()


def _run(file: Path, known: PurePath) -> tuple[ModuleType, str]:
    """The module in a file, which is run; and a digest, see `_digest`.

    Kernels are kept by the name of their module, which is made of the one that the file is known
    by: processes that were sent it have copies at different places.
    """
    name = f"sleuth_game_{hashlib.sha256(str(known).encode()).hexdigest()[:16]}"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except SleuthError:
        del sys.modules[name]
        raise
    except Exception as error:  # whatever a reader's file may raise
        del sys.modules[name]
        raise SettingsError(
            f"the file cannot be run: {type(error).__name__}: {error}", where=str(file)
        ) from error
    return module, _digest(module)


def _digest(module: ModuleType | None) -> str:
    """Of the files of a module and of those that it names, as far as they stand in its folder."""
    return digest_of(_files(module)) or ""


def _files(module: ModuleType | None) -> list[Path]:
    """The files of a module and of those that it names, as far as they stand in its folder."""
    if module is None or not module.__file__:
        return []
    top, home = module.__name__.partition(".")[0], Path(module.__file__).parent
    found: set[Path] = set()
    waiting: list[ModuleType | None] = [module]
    while waiting:
        one = waiting.pop()
        file = None if one is None else getattr(one, "__file__", None)
        if one is None or not file or Path(file) in found:
            continue
        if one.__name__.partition(".")[0] != top and not _is_beside(one.__name__, Path(file), home):
            continue
        found.add(Path(file))
        for value in list(vars(one).values()):
            named = getattr(value, "__module__", None)
            if isinstance(value, ModuleType):
                waiting.append(value)
            elif isinstance(named, str):
                waiting.append(sys.modules.get(named))
    return sorted(found)


def _is_beside(name: str, file: Path, home: Path) -> bool:
    """True if a module stands in a folder or below, and is of no library there."""
    libraries = {*sys.stdlib_module_names, __name__.partition(".")[0]}
    return (
        home in file.parents
        and name.partition(".")[0] not in libraries
        and not {"site-packages", "dist-packages"} & set(file.parts)
    )


def _loaded(point: metadata.EntryPoint) -> object:
    try:
        return point.load()
    except Exception as error:  # whatever an installed package may raise
        raise SettingsError(
            f"this installed game cannot be loaded: {type(error).__name__}: {error}",
            value=point.name,
        ) from error


def _points() -> Iterator[metadata.EntryPoint]:
    yield from metadata.entry_points(group=GROUP)


def resolved(part: Any) -> Any:
    """The object a text such as ``"models.clue.game:clue_table"`` names; anything else itself."""
    if not isinstance(part, str):
        return part
    module, _, name = part.partition(":")
    package = __name__.rsplit(".", 2)[0]
    return getattr(import_module(f"{package}.{module}"), name)
