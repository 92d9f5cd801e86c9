"""The options of `sleuth train`: a command for each game; its work is in a module of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .console import complain, out, print_json, progress
from .options import Json, Seed

train = typer.Typer(
    name="train",
    rich_markup_mode="markdown",
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


@train.command("cheat", no_args_is_help=False)
def cheat(
    records: Annotated[
        list[Path] | None,
        typer.Argument(metavar="RECORDS", help="Files of recorded games: JSON Lines or CSV."),
    ] = None,
    players: Annotated[
        int | None,
        typer.Option(
            "--simulate", metavar="PLAYERS", min=2, help="Simulated people in place of records."
        ),
    ] = None,
    seed: Seed = 0,
    base: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="NAME",
            help="Write NAME.npz and NAME.json, the predictor, and NAME.report.html and .json. "
            "What was interrupted goes on when it is started again.",
        ),
    ] = None,
    target: Annotated[
        str,
        typer.Option(
            "--predict",
            metavar="true|called",
            help="Whether a claim is true, or whether it will be called.",
        ),
    ] = "true",
    protocols: Annotated[
        str,
        typer.Option(
            metavar="cold,warm,random|all",
            help="How it is judged: on strangers; on players of whom earlier games are known; or "
            "on any claims, to find leaks.",
        ),
    ] = "cold",
    models: Annotated[
        str,
        typer.Option(
            metavar="forest,...|all",
            help="What is trained: forest, logistic, boosting, svm, network, tree. The first is "
            "written.",
        ),
    ] = "forest",
    anew: Annotated[
        bool,
        typer.Option(
            "--ceilings",
            help="Compute anew how well simulated people can be predicted at all; takes minutes.",
        ),
    ] = False,
    workers: Annotated[
        int, typer.Option(metavar="N", min=-1, help="Processes; -1 for all cores.")
    ] = -1,
    as_json: Json = False,
) -> None:
    """Is the claim true? Train a predictor on recorded games of Cheat, and judge it honestly."""
    from . import training_cheat as work

    try:
        with progress(wanted=not as_json) as tell:
            value, table = work.train(
                records=records or [],
                players=players,
                seed=seed,
                out=base,
                target=target,
                protocols=protocols,
                models=models,
                anew=anew,
                workers=workers,
                progress=tell,
            )
    except KeyboardInterrupt:
        if base is not None:
            complain("what is finished is kept; start again to go on")
        raise
    if as_json:
        print_json(value)
        return
    out().print(table)
    for warning in value["warnings"]:
        out().print(f"warning: {warning}")
