"""The options of `sleuth table`; its work is in `table`, imported when it is called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def table(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            help="The game that is shown first, such as 'clue'; one of your own is FILE.py:NAME.",
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
) -> None:
    """Be advised, watch, and play in a browser, on this machine or on phones beside you."""
    from ..table.web.run import Opening, serve, usual_folder

    serve(Opening(folder or usual_folder(), port, network, browser))
