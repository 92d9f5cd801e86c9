"""The options of `sleuth table`; its work is in `table`, imported when it is called."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from ...data.errors import SettingsError
from ..kit import completing


def table(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            help="The game that is shown first, such as 'clue'; one of your own is FILE.py:NAME.",
            autocompletion=completing.games,
            show_default=False,
        ),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Where everything is kept that happens at the tables; by default a folder of "
            "yours that the system names.",
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=0, max=65535, help="Where the server listens; 0 for any free port."
        ),
    ] = None,
    network: Annotated[
        bool,
        typer.Option(
            "--network",
            help="Let other machines in your network in, such as phones; it prints a code for "
            "their cameras.",
        ),
    ] = False,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser.")] = True,
    static: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Start no server, but write the page of advice for GAME there, as files that any "
            "web server can hand out; the browser then computes.",
        ),
    ] = None,
    pyodide: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="With --static: a folder with Pyodide's release, which is copied beside the page.",
        ),
    ] = None,
) -> None:
    """Be advised, watch, and play in a browser, on this machine or on phones beside you.

    Everything is kept in a folder of yours, so that a game goes on where it was left, whatever
    ended the server.
    """
    if static is not None:
        _refuse_with_static({"--folder": folder, "--port": port, "--network": network or None})
        if game is None:
            raise SettingsError(
                "the page without a server is for one game",
                where="--static",
                value=str(static),
                hint="name it first, such as sleuth table clue --static DIR",
            )
        _write(static, game, pyodide)
        return
    if pyodide is not None:
        raise SettingsError(
            "Pyodide is for the page without a server",
            where="--pyodide",
            value=str(pyodide),
            hint="add --static DIR",
        )
    from ...models.games import entry
    from ..table.web.run import ServerStart, serve, usual_folder

    if game is not None:
        entry(game)
    serve(ServerStart(folder or usual_folder(), port, network, browser, game))


def _write(folder: Path, game: str, pyodide: Path | None) -> None:
    from ..kit.advising.known import adviser_of
    from ..table.static.writing import write_static

    missing = write_static(folder, adviser_of(game).name, pyodide)
    print(f"The page is written in {folder}. Any web server can hand it out, such as")
    print(f"  python -m http.server --directory {shlex.quote(str(folder))}")
    if missing:
        print(
            f"It does not run yet: put the files of Pyodide into {folder / 'pyodide'}, or name "
            f"their folder by --pyodide (there is no {missing[0]})."
        )


def _refuse_with_static(given: Mapping[str, object]) -> None:
    for option, value in given.items():
        if value is not None:
            raise SettingsError(
                "with --static there is no server",
                where=option,
                value=str(value),
                hint="leave it out",
            )
