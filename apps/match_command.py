"""The options of `sleuth match`; its work is in `matching`, imported when it is called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..data.errors import SettingsError
from .console import complain, out, print_json, progress
from .options import Json, Seed


def match(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME", help="Such as 'kuhn_poker', or with settings 'clue_table:players=4'."
        ),
    ],
    more: Annotated[
        list[str] | None, typer.Argument(metavar="AGENT", help="Words that follow --agents.")
    ] = None,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[ROLE=]NAME[:key=value,...] ...",
            help="Who plays: one agent for each role or team, such as 'first=random second=mcts' "
            "or 'hider=mcts seekers=random'; without roles in their order.",
        ),
    ] = None,
    hider: Annotated[
        str | None, typer.Option(metavar="AGENT", help="The same as --agents hider=AGENT.")
    ] = None,
    seekers: Annotated[
        str | None, typer.Option(metavar="AGENT", help="The same as --agents seekers=AGENT.")
    ] = None,
    playouts: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, help="Simulations of all agents that make any and say not how many."
        ),
    ] = None,
    games: Annotated[int, typer.Option(metavar="N", min=1, help="Number of games.")] = 100,
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=-1,
            help="Processes; -1 for all cores. By default one, or all of a cluster.",
        ),
    ] = None,
    seed: Seed = 0,
    swap: Annotated[
        bool | None,
        typer.Option(
            "--swap/--no-swap",
            help="Play every deal with each agent in each role, or not. By default, only where "
            "there are no teams.",
            show_default=False,
        ),
    ] = None,
    series: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            help="Games in a row that the same agents play, who are told of the earlier ones: "
            "simulated people stay who they are.",
        ),
    ] = 1,
    stop: Annotated[
        str | None,
        typer.Option(
            metavar="DELTA|delta=X,alpha=X,beta=X",
            help="Two agents: end as soon as it is clear that one wins more than its half of the "
            "decided rounds, by this much, or that neither does.",
        ),
    ] = None,
    kept: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE.jsonl",
            help="Keep every finished game. A match that was interrupted goes on when it is "
            "started again.",
        ),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT", help="Play on the Dask cluster with this scheduler."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Who plays better? Many games between agents, with confidence intervals.

    The same seed gives the same games, whatever the number of workers.
    """
    from . import matching

    named = [word for text in agents or () for word in text.split()]
    if more:
        if len(agents or ()) != 1:
            raise SettingsError(
                "this belongs to no option",
                value=" ".join(more),
                hint="write --agents FIRST SECOND",
            )
        named += more
    chosen = matching.asked_game(game)
    named += matching.asked_of_teams({"hider": hider, "seekers": seekers}, chosen)
    players = matching.with_playouts(matching.asked_agents(named, chosen), playouts)
    test = matching.asked_stop(stop)
    try:
        with progress(wanted=not as_json) as tell:
            result = matching.match(
                chosen,
                players,
                games=games,
                seed=seed,
                workers=workers,
                swap=swap,
                series=series,
                stop=test,
                out=kept,
                cluster=cluster,
                progress=lambda done, total: tell("playing games", done, total),
            )
    except KeyboardInterrupt as interruption:
        # Said when the progress bar is gone.
        complain(str(interruption) or "nothing is kept")
        raise
    if as_json:
        print_json(result.to_json())
        return
    console = out()
    console.print(matching.render(result, console.width))
