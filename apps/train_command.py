"""The options of `sleuth train`: a command for each game; its work is in a module of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .console import complain, out, print_json, progress
from .options import Json, Seed

train = typer.Typer(
    name="train",
    help="Learn how players behave, and write what was learned to files.",
    no_args_is_help=True,
)


@train.command("scotland-yard", no_args_is_help=False)
@train.command("scotland_yard", hidden=True)
def scotland_yard(
    games: Annotated[int, typer.Option(metavar="N", min=10, help="Games to play.")] = 1_000,
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
    workers: Annotated[
        int, typer.Option(metavar="N", min=-1, help="Processes; -1 for all cores.")
    ] = 1,
    hider: Annotated[str, typer.Option(metavar="AGENT", help="Who plays Mr. X.")] = "mcts",
    seekers: Annotated[str, typer.Option(metavar="AGENT", help="Who plays detectives.")] = "mcts",
    as_json: Json = False,
) -> None:
    """Where does Mr. X go? Location Categorization and a model of his moves, from self-play."""
    from . import training_scotland_yard as work

    try:
        with progress(wanted=not as_json) as tell:
            result = work.train(
                games=games,
                seed=seed,
                folder=folder,
                workers=workers,
                hider=hider,
                seekers=seekers,
                progress=tell,
            )
    except KeyboardInterrupt:
        complain(f"finished games are kept in {folder / work.GAMES}; start again to go on")
        raise
    if as_json:
        print_json(result)
    else:
        out().print(work.render(result))
