"""The options of `sleuth tune`; its work is in `tuning`, imported when it is called."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from ..kit import completing
from ..kit.console import progress
from ..kit.showing import show
from .options import MOST_GAMES, Cluster, Json, Playouts, Seed, Workers


def tune(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help="Such as 'cheat', or 'cheat:rounds=50'.",
            autocompletion=completing.games,
        ),
    ],
    agent: Annotated[
        str,
        typer.Option(
            metavar="NAME[:key=value,...]",
            help="The agent to tune, with the options that every candidate has.",
            autocompletion=completing.agents,
        ),
    ],
    options: Annotated[
        str,
        typer.Option(
            metavar="key=A/B/...,key=LOW..HIGH,...",
            help="The options to try, each with a list of values or a range. All combinations of "
            "listed values are tried; from ranges candidates are drawn.",
        ),
    ],
    count: Annotated[
        int | None,
        typer.Option(
            "--candidates",
            metavar="N",
            min=2,
            max=100_000,
            help="How many candidates to draw. By default all combinations of the listed values; "
            "16 if there is a range.",
        ),
    ] = None,
    games: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=2,
            max=MOST_GAMES,
            help="Halving: games of each candidate in the first stage; each later stage has twice "
            "as many. Knockout: games of every match.",
        ),
    ] = 20,
    method: Annotated[
        str,
        typer.Option(
            metavar="halving|knockout",
            help="Who goes on to the next stage: the better half, or the winner of each match.",
        ),
    ] = "halving",
    by: Annotated[
        str,
        typer.Option(
            metavar="wins|returns",
            help="What counts: games won, or returns. Returns say more where single wins say "
            "little, as in poker.",
        ),
    ] = "wins",
    against: Annotated[
        str | None,
        typer.Option(
            metavar="AGENT|none",
            help="The opponent of the best candidate in the final games: by default the agent "
            "with its default options; 'none' for no final games.",
            autocompletion=completing.agents,
        ),
    ] = None,
    final: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=2,
            max=MOST_GAMES,
            help="Number of final games. They have new deals, so luck in the tournament does not "
            "count in them.",
        ),
    ] = 100,
    playouts: Playouts = None,
    workers: Workers = None,
    cluster: Cluster = None,
    seed: Seed = 0,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Keep every finished game. The same command resumes an interrupted tournament.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Which options play best? Copies of one agent with different options play a tournament.

    The same seed gives the same tournament, whatever the number of workers.
    """
    from ...data.jobs.clusters import cluster as on_cluster
    from ..kit.matches import tuning

    left = (
        "nothing is kept; with --out FOLDER a tournament that is interrupted can be resumed"
        if out is None
        else f"finished games are in {out}; the same command resumes"
    )
    with (
        progress(wanted=not as_json, interrupted=left) as tell,
        on_cluster(cluster, workers=workers),
    ):
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
            workers=1 if workers is None else workers,
            seed=seed,
            folder=out,
            progress=tell,
        )
    show(found.to_json, partial(tuning.tuning_summary, found), as_json=as_json)
