"""The options of `sleuth solve`; its work is in `solving`, imported when it is called."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from ..kit import completing
from ..kit.console import progress
from ..kit.showing import show
from .options import INTERRUPTED, MOST_PLAYOUTS, Json, Seed

MOST_THREADS = 256


def solve(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help="Such as 'leduc_poker', or with settings 'cheat:rounds=50'.",
            autocompletion=completing.games,
        ),
    ],
    method: Annotated[
        str,
        typer.Option(
            metavar="external|outcome|smooth|uct",
            help="How games are sampled: all actions of the player who improves, one line of "
            "play, or by bandits.",
        ),
    ] = "external",
    simulations: Annotated[
        float | None,
        typer.Option(
            metavar="N",
            min=1,
            max=MOST_PLAYOUTS,
            help="Iterations in all, such as 1e6; those in the file count.",
            show_default="100000 unless --seconds is given",
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(metavar="S", min=0.001, max=1e9, help="Seconds from now on, at most."),
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            max=MOST_PLAYOUTS,
            help="Most information sets in memory.",
            show_default="1000000",
        ),
    ] = None,
    workers: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            max=MOST_THREADS,
            help="Threads, each with statistics of its own that are added up.",
        ),
    ] = 1,
    seed: Seed = 0,
    measured: Annotated[
        bool,
        typer.Option(
            "--exploitability/--no-exploitability",
            help="Work out what a best response wins, where the game can be written out, or not.",
        ),
    ] = True,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.npz",
            help="Keep what was learned. The same command goes on after an interruption, and "
            "the agent 'policy:FILE.npz' plays by it.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """How is a game played if nobody may gain by playing otherwise? Learns it by playing itself.

    Every game begins with the deal, and what was done on average is the answer.
    """
    from ..kit.matches import solving

    left = (
        "nothing is kept; with --out FILE a run that is interrupted can go on"
        if out is None
        else f"what was kept is in {out}; the same command goes on"
    )
    with progress(wanted=not as_json, interrupted=left) as tell:
        found = solving.solve(
            game=game,
            method=method,
            simulations=simulations,
            seconds=seconds,
            nodes=nodes,
            workers=workers,
            seed=seed,
            measured=measured,
            out=out,
            progress=tell,
        )
    said = partial(solving.solution_summary, found)
    file = None if found.file is None else Path(found.file)
    show(partial(asdict, found), said, as_json=as_json, policy=file)
    if found.interrupted:
        raise typer.Exit(INTERRUPTED)
