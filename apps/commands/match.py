"""The options of `sleuth match`; its work is in `kit.matches`, imported when it is called."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from ...data.errors import SettingsError
from ..kit import completing
from ..kit.console import progress
from ..kit.showing import show
from ..kit.sleuth_command import given
from .options import MOST_FIRST, MOST_GAMES, Cluster, Json, Playouts, Seed, Workers


def match(
    context: typer.Context,
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help="Such as 'kuhn_poker', or with settings 'clue_table:players=4'.",
            autocompletion=completing.games,
        ),
    ],
    more: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="AGENT",
            help="Words that follow --agents.",
            autocompletion=completing.agents,
        ),
    ] = None,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[ROLE=]NAME[:key=value,...] ...",
            help="The agents: one for each role or team, such as 'first=random second=mcts' or "
            "'hider=mcts seekers=random'; without role names, in the order of the roles.",
            autocompletion=completing.agents,
        ),
    ] = None,
    playouts: Playouts = None,
    games: Annotated[
        int, typer.Option(metavar="N", min=1, max=MOST_GAMES, help="Number of games.")
    ] = 100,
    first: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=0,
            max=MOST_FIRST,
            help="Number of the first game, for a match that is played in parts.",
        ),
    ] = 0,
    workers: Workers = None,
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
            max=MOST_GAMES,
            help="Games in a row that the same agents play. They are told about the earlier "
            "ones, and simulated people stay the same.",
        ),
    ] = 1,
    stop: Annotated[
        str | None,
        typer.Option(
            metavar="DELTA|delta=X,alpha=X,beta=X",
            help="Two agents: end as soon as it is clear that one wins at least this much more "
            "than half of the decided rounds, or that neither does.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.jsonl",
            help="Keep every finished game. The same command resumes an interrupted match.",
        ),
    ] = None,
    records: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Write every game as a record that 'sleuth analyse' reads.",
        ),
    ] = None,
    cluster: Cluster = None,
    as_json: Json = False,
) -> None:
    """Who plays better? Many games between agents, with confidence intervals.

    The same seed gives the same games, whatever the number of workers.
    """
    from ...data.jobs.clusters import cluster as on_cluster
    from ...planners.agents import COMMANDS, agents_in
    from ..kit.matches import asked, playing
    from ..kit.matches.summary import match_summary

    named = [each for text in agents or () for each in agents_in(text, COMMANDS)]
    if more:
        if len(agents or ()) != 1:
            raise SettingsError(
                "this belongs to no option",
                value=" ".join(more),
                hint="write --agents FIRST SECOND",
            )
        named += more
    chosen = asked.asked_game(game)
    named += asked.asked_of_teams(given(context), chosen)
    players = asked.with_playouts(asked.asked_agents(named, chosen), playouts)
    test = asked.asked_stop(stop)
    with (
        progress(wanted=not as_json, interrupted="nothing is kept") as tell,
        on_cluster(cluster, workers=workers),
    ):
        result = playing.match(
            chosen,
            players,
            games=games,
            first=first,
            seed=seed,
            workers=1 if workers is None else workers,
            swap=swap,
            series=series,
            stop=test,
            out=out,
            progress=tell,
        )
    renamed = [] if records is None else playing.write_records(result, chosen, records)
    said = partial(match_summary, result, tested=test is not None)
    show(result.to_json, said, as_json=as_json, records=records)
    if renamed and not as_json:
        print(f"Records of another match stay; {len(renamed)} got a number: {renamed[0].name}")
