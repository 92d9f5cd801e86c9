"""The options of `sleuth tune`; its work is in `tuning`, imported when it is called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .console import complain, out, print_json, progress
from .options import Json, Seed


def tune(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="Such as 'cheat', or 'cheat:rounds=50'.")
    ],
    agent: Annotated[
        str,
        typer.Option(
            metavar="NAME[:key=value,...]",
            help="The agent, with the options that all candidates have.",
        ),
    ],
    options: Annotated[
        str,
        typer.Option(
            metavar="key=A/B/...,key=LOW..HIGH,...",
            help="What to try: values, all combinations of them; or ranges, from which candidates "
            "are drawn.",
        ),
    ],
    count: Annotated[
        int | None,
        typer.Option(
            "--candidates",
            metavar="N",
            min=2,
            help="How many candidates to draw; by default all combinations of listed values, and "
            "16 where there is a range.",
        ),
    ] = None,
    games: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=2,
            help="Games of each candidate in the first stage, twice as many in each that follows; "
            "in a knockout, of every match.",
        ),
    ] = 20,
    method: Annotated[
        str,
        typer.Option(
            metavar="halving|knockout",
            help="Whether the better half goes on, or who wins a match.",
        ),
    ] = "halving",
    by: Annotated[
        str,
        typer.Option(
            metavar="wins|returns",
            help="What is scored: won games, or returns, where wins say little, as in poker.",
        ),
    ] = "wins",
    against: Annotated[
        str | None,
        typer.Option(
            metavar="AGENT|none",
            help="Whom the best one plays in the end; by default the agent as it usually is.",
        ),
    ] = None,
    final: Annotated[
        int, typer.Option(metavar="N", min=2, help="Games of the end, which choose nobody.")
    ] = 100,
    playouts: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Simulations of all agents, where nothing says it."),
    ] = None,
    workers: Annotated[
        int, typer.Option(metavar="N", min=-1, help="Processes; -1 for all cores.")
    ] = 1,
    seed: Seed = 0,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FOLDER",
            help="Keep every finished game. A tournament that was interrupted goes on when it is "
            "started again.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Which options play best? A tournament of an agent with different ones against itself.

    The same seed gives the same tournament, whatever the number of workers.
    """
    from . import tuning

    try:
        with progress(wanted=not as_json) as tell:
            found = tuning.tune(
                game=game,
                agent=agent,
                options=options,
                count=count,
                games=games,
                method=method,
                by=by,
                against=against,
                final=final,
                playouts=playouts,
                workers=workers,
                seed=seed,
                folder=folder,
                progress=tell,
            )
    except KeyboardInterrupt:
        complain(
            "nothing is kept; with --out FOLDER a tournament that is interrupted can go on"
            if folder is None
            else f"finished games are in {folder}; the same command goes on from there"
        )
        raise
    if as_json:
        print_json(found.to_json())
        return
    console = out()
    console.print(tuning.render(found, console.width))
