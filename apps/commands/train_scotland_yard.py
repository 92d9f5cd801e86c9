"""The options of `sleuth train scotland-yard`; its work is in a module of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..kit.console import progress, show
from .options import MOST_GAMES, Json, Seed, Workers


def scotland_yard(
    games: Annotated[
        int, typer.Option(metavar="N", min=10, max=MOST_GAMES, help="Games to play.")
    ] = 1_000,
    seed: Seed = 0,
    folder: Annotated[
        Path,
        typer.Option(
            "--out",
            metavar="FOLDER",
            help="Where games.jsonl, categories.json and moves.json go. Started again, it goes on "
            "with the games that are there.",
        ),
    ] = Path("scotland-yard-trained"),
    workers: Workers = 1,
    hider: Annotated[str, typer.Option(metavar="AGENT", help="Who plays Mr. X.")] = "mcts",
    seekers: Annotated[str, typer.Option(metavar="AGENT", help="Who plays detectives.")] = "mcts",
    as_json: Json = False,
) -> None:
    """Where does Mr. X go? Location Categorization and a model of the moves, from self-play."""
    from ..train import scotland_yard as work

    left = f"finished games are kept in {folder / work.GAMES}; start again to go on"
    with progress(wanted=not as_json, interrupted=left) as tell:
        result = work.train(
            games=games,
            seed=seed,
            folder=folder,
            workers=workers,
            hider=hider,
            seekers=seekers,
            progress=tell,
        )
    show(lambda: result, lambda width: work.render(result), as_json=as_json)
