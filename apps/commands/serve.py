"""The options of `sleuth serve`; its work is in `serving`, imported when it is called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ...data.errors import SettingsError
from .options import Json

MOST_SECONDS = 3600.0


def serve(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[FILE.py:NAME]",
            help="A game of your own that assistants may name, beside those that come with sleuth.",
            show_default=False,
        ),
    ] = None,
    mcp: Annotated[
        bool, typer.Option("--mcp", help="Speak the Model Context Protocol, as assistants do.")
    ] = False,
    http: Annotated[
        bool,
        typer.Option(
            "--http",
            help="Listen on this machine instead of speaking on standard input and output; the "
            "address is printed.",
        ),
    ] = False,
    port: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=0, max=65535, help="With --http: where; 0 for any free port."
        ),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Where tables are kept that assistants ask to keep, as those of 'sleuth table' "
            "are; without it none is.",
        ),
    ] = None,
    run_code: Annotated[
        bool,
        typer.Option(
            "--run-code",
            help="Let assistants check games of their own, which runs the code of files that they "
            "name, with all your rights.",
        ),
    ] = False,
    seconds: Annotated[
        float,
        typer.Option(metavar="S", min=1.0, max=MOST_SECONDS, help="How long one call may work."),
    ] = 60.0,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            max=2**63 - 1,
            help="Deal the same games again; by default nobody knows the chance of a game.",
            show_default=False,
        ),
    ] = None,
    listed: Annotated[
        bool, typer.Option("--list", help="Print the tools and leave; with --json their schemas.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Serve sleuth to an assistant: tables, beliefs, proofs, advice, analyses.

    An assistant's program starts 'sleuth serve --mcp' itself and speaks with it; see the page on
    assistants. It needs the extra mcp: pip install 'sleuth[mcp]'.
    """
    if listed:
        from ..kit.showing import show
        from ..serving.listing import tools_as_json, tools_in_words

        show(tools_as_json, tools_in_words, as_json=as_json)
        return
    if as_json:
        raise SettingsError("the protocol is JSON already", where="--json", hint="add --list")
    if not mcp:
        raise SettingsError("say what to speak", where="serve", hint="write sleuth serve --mcp")
    if port is not None and not http:
        raise SettingsError("no port is needed", where="--port", value=port, hint="add --http")
    if run_code and http:
        raise SettingsError(
            "code is only run for the parent of the server",
            where="--run-code",
            hint="leave out --http",
        )
    from ...data.libraries import library

    library("mcp", "mcp", where="serve")
    from dataclasses import replace

    from ...models.games import entry
    from ..serving.desk import Desk
    from ..serving.limits import USUAL

    if game is not None:
        entry(game)
    desk = Desk(
        limits=replace(USUAL, seconds=seconds), folder=folder, runs_code=run_code, seed=seed
    )
    try:
        if http:
            from ..serving.listening import listen

            listen(desk, port)
        else:
            from ..serving.server import speak

            speak(desk)
    finally:
        desk.close()
