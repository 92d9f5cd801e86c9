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


def examples() -> dict[str, Traversable]:
    """The recorded games that come with the package, by name.

    The name of a game stands for its first record, or for its file of many records.
    """
    records = {game: shipped(game) for game in games_with_records()}
    found = {game: each[0] for game, each in records.items()}
    found |= {
        folder.name: folder.joinpath(MANY)
        for folder in resource().iterdir()
        if folder.is_dir() and folder.joinpath(MANY).is_file()
    }
    named = {file.name.removesuffix(".json"): file for each in records.values() for file in each}
    return dict(sorted(found.items())) | named
