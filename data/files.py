"""The files that come with the package: tables of facts and recorded games."""

from __future__ import annotations

import csv
from importlib.resources import files
from importlib.resources.abc import Traversable

from .errors import SettingsError, nearest

GAMES_FOLDER = "games"
#: A file of many records, where a game comes with one.
MANY = "example.jsonl"


def resource(*path: str) -> Traversable:
    """A shipped file or folder, such as ``resource("clue", "doors.csv")``.

    Works from an installed wheel as well as from a checkout.
    """
    found = files(__package__ or "sleuth.data")
    for part in path:
        found = found.joinpath(part)
    return found


def read_table(*path: str) -> list[dict[str, str]]:
    """The rows of a shipped CSV file, each as a mapping from its column's name to the text."""
    return list(csv.DictReader(resource(*path).read_text(encoding="utf-8").splitlines()))


def games_with_records() -> tuple[str, ...]:
    """The games that come with recorded games, by name."""
    return tuple(
        sorted(
            folder.name
            for folder in resource().iterdir()
            if folder.is_dir() and folder.joinpath(GAMES_FOLDER).is_dir()
        )
    )


def shipped(game: str) -> list[Traversable]:
    """The recorded games that come with the package, sorted by file name.

    Args:
        game: The game's module name, such as ``"clue"``; ``-`` and ``_`` are the same.

    Raises:
        SettingsError: If no recorded game of that name is shipped.
    """
    known = games_with_records()
    name = game.replace("-", "_")
    if name not in known:
        raise SettingsError("no recorded games are shipped", value=game, hint=nearest(name, known))
    records = (file for file in resource(name, GAMES_FOLDER).iterdir() if file.is_file())
    return sorted(
        (file for file in records if file.name.endswith(".json")), key=lambda file: file.name
    )


def records() -> dict[str, Traversable]:
    """The recorded games that come with the package, by folder and file.

    They are called such as ``"clue/ledford_02.json"``; a file of many games is among them.
    """
    found = {f"{game}/{each.name}": each for game in games_with_records() for each in shipped(game)}
    return found | {
        f"{folder.name}/{MANY}": folder.joinpath(MANY)
        for folder in sorted(resource().iterdir(), key=lambda folder: folder.name)
        if folder.is_dir() and folder.joinpath(MANY).is_file()
    }


def examples() -> dict[str, Traversable]:
    """The recorded games that come with the package, by name, such as ``"clue/ledford_02"``.

    The name of a game stands for its first record, or for its file of many records; the folder in
    front of a record's own name may be left out.
    """
    whole = {name.rpartition(".")[0]: file for name, file in records().items()}
    first: dict[str, Traversable] = {}
    short: dict[str, Traversable] = {}
    for name, file in whole.items():
        game, _, record = name.partition("/")
        if file.name == MANY:
            first[game] = file
        else:
            first.setdefault(game, file)
            short[record] = file
    return dict(sorted(first.items())) | short | whole
