"""The options of `sleuth advise`; its work is in `kit.advising`, imported when it is called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from ...data.errors import SettingsError
from ..kit import completing
from .options import JsonLines

#: Endings of what was typed, and of the record that it comes to.
TYPED: Final = ".jsonl"
RECORD: Final = ".json"


def advise(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help="The game on the table: {advised}, or one of your own that can advise, as "
            "FILE.py:NAME.",
            autocompletion=completing.advised,
        ),
    ],
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FILE.jsonl]",
            help="Where everything that you type is saved at once; if the file is already there, "
            "its game goes on. The record of the game is kept beside it, as FILE.json.",
            show_default=False,
        ),
    ] = None,
    as_json: JsonLines = False,
) -> None:
    """Advise a player at a real game, who types what happens.

    'help' explains what can be typed and asked. Everything is saved at once; you can leave and
    go on at any moment.
    """
    from ..kit.advising.book import Book
    from ..kit.advising.known import adviser_of
    from ..kit.advising.session import Advising
    from ..kit.conversation import converse, speak
    from ..kit.leaving import kept
    from ..kit.terminal import Terminal
    from ..kit.writing import refuse_unwritable

    adviser = adviser_of(game)
    path = _free_name(adviser.name) if file is None else file
    if path.suffix != TYPED:
        raise SettingsError(
            "what you type is kept in JSON Lines",
            where="FILE",
            value=str(path),
            hint=f"write {path.with_suffix(TYPED)}",
        )
    record = path.with_suffix(RECORD)
    if record.exists() and not path.exists():
        raise SettingsError(
            "the record of the game would replace this file",
            where="FILE",
            value=str(record),
            hint="name another FILE.jsonl",
        )
    refuse_unwritable(record, where="FILE")
    with kept(), Book(path, adviser) as book:
        if as_json:
            speak(lambda hearer: Advising(adviser, book, record, hearer, called=game).steps())
            return
        terminal = Terminal()
        converse(Advising(adviser, book, record, terminal, called=game).steps(), terminal)


def _free_name(game: str) -> Path:
    number = 1
    while True:
        path = Path(f"{game}-advice-{number}{TYPED}")
        if not path.exists() and not path.with_suffix(RECORD).exists():
            return path
        number += 1
