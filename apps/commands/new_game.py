"""`sleuth new-game`: a commented file from which a reader makes a game of their own."""

from __future__ import annotations

import importlib.util
import keyword
import os
import shutil
import sys
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Final

import typer

from ...data.errors import SettingsError, plain_name

#: Names of files that are run by whoever finds them in a folder, without an import.
LOADED_BY_NAME: Final = frozenset(
    ("__init__", "__main__", "conftest", "noxfile", "setup", "sitecustomize", "usercustomize")
)


def new_game(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="What the game is called, such as 'my-game'.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE.py", help="The file to write; NAME.py here by default."),
    ] = None,
) -> None:
    """Write a file that holds a whole small game, to be changed into your own.

    It has rules, a belief and words, and passes every check as it stands.
    """
    from ...data.disk.writing import write_whole
    from ...models.games import GAMES

    word = plain_name(name)
    if not word.isidentifier() or keyword.iskeyword(word) or not word.isascii():
        raise SettingsError(
            "a game's name is made of letters, digits and '_', and begins with a letter",
            value=name,
            hint="such as my_game",
        )
    if word in GAMES:
        raise SettingsError(
            "a game that comes with sleuth has this name already", value=name, hint="take another"
        )
    path = out or Path(f"{word}.py")
    if path.suffix != ".py":
        raise SettingsError(
            "a game is a Python file", where="out", value=str(path), hint="end its name in .py"
        )
    if path.stem in LOADED_BY_NAME:
        raise SettingsError(
            "Python, or a program for tests or packages, runs a file of this name unasked",
            value=str(path),
            hint=f"take another, such as {path.stem.strip('_')}_game",
        )
    if _is_module(path.stem):
        raise SettingsError(
            "a Python module has this name, and programs in this folder would find yours instead",
            value=str(path),
            hint=f"take another, such as {path.stem}_game",
        )
    if path.exists():
        raise SettingsError(
            "there is such a file already", value=str(path), hint="name another with `out=FILE.py`"
        )
    write_whole(path, source(word, str(path)), where=str(path))
    print(f"{path} is a whole game. Check it, play it, and change it into yours:")
    print(f"  {_called('python')} {path}\n  {_called('sleuth')} play {path}:GAME")


def _is_module(name: str) -> bool:
    """True if programs import something of this name; what stands in this folder is not looked at.

    A library that is not installed is none.
    """
    if name in sys.stdlib_module_names or name in sys.builtin_module_names:
        return True
    here = {"", os.getcwd()}
    before = sys.path[:]
    try:
        sys.path[:] = [entry for entry in before if entry not in here]
        return name in sys.modules or importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False
    finally:
        sys.path[:] = before


def _called(program: str) -> str:
    """The command for a program of this environment from here, activated or not."""
    own = Path(sys.executable).parent / program
    found = shutil.which(program)
    if not own.exists() or (found and Path(found).parent == own.parent):
        return program
    near = os.path.relpath(own)
    return str(own) if near.startswith("..") else near


def source(name: str, file: str) -> str:
    """The text of the file.

    Args:
        name: The game's name, an identifier.
        file: How the file's own comments name it.
    """
    words = name.split("_")
    template = files("sleuth.apps.kit").joinpath("new_game.txt").read_text("utf-8")
    return template.format(
        title=" ".join(words).capitalize(),
        file=file,
        name=name,
        klass="".join(word.capitalize() for word in words),
    )
