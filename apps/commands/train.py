"""The options of `sleuth train GAME`; its work is in a module of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ...data.errors import SettingsError, nearest
from ..kit import completing
from ..kit.console import progress
from ..kit.showing import show
from ..kit.sleuth_command import SleuthCommand
from .named_commands import NamedCommands
from .options import MOST_GAMES, Cluster, Json, ManyWorkers, Seed


class GamesToLearn(NamedCommands):
    """A command for each game of which something can be learned; a game in a file is one, too."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Those of the games that come with sleuth."""
        return completing.learned()

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The game's own command, or the one of all others.

        Raises:
            SettingsError: There is no such game, or nothing is learned from its records.
        """
        if ctx is not None and ctx.resilient_parsing:  # a shell waits for a word
            return _command(cmd_name)
        from ...models.games import entry

        try:
            found = entry(cmd_name)
        except SettingsError as error:
            if cmd_name.rpartition(":")[0].endswith(".py"):
                raise
            hint = nearest(cmd_name.replace("_", "-"), self.list_commands(ctx))
            raise SettingsError(error.message, value=cmd_name, hint=hint) from None
        make = found.part("rows")
        if make is None:
            raise SettingsError(
                "nothing says what can be learned from records of this game",
                value=found.name,
                hint="declare a RowMaker and name it in the GameEntry as rows=...; see "
                "docs/your-own-game.md",
            )
        command = _command(cmd_name)
        predicted = next(each for each in command.params if each.name == "target")
        labels = getattr(make(), "labels", {}).items()
        predicted.help += "".join(f" '{label}': {said}." for label, said in labels)
        return command


def _command(name: str) -> Any:
    """The command for a game, without what the game says of it."""
    one = typer.Typer(rich_markup_mode="markdown", add_completion=False)
    one.command(name, cls=SleuthCommand)(any_game)
    return typer.main.get_command(one)


train = typer.Typer(
    name="train",
    cls=GamesToLearn,
    rich_markup_mode="markdown",
    help="Learn how players of a GAME behave, and write what was learned to files. A game of your "
    "own is FILE.py:NAME.",
    no_args_is_help=True,
)


@train.callback()
def games() -> None:
    """Learn how players of a GAME behave, and write what was learned to files."""


def any_game(
    context: typer.Context,
    records: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="RECORDS",
            help="Records of games, or folders of them; files of many games where the game has "
            "such files.",
        ),
    ] = None,
    simulate: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=2,
            max=MOST_GAMES,
            help="So many simulated people, where the game has some, or games between programs, "
            "in place of records.",
        ),
    ] = None,
    seed: Seed = 0,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="NAME",
            help="Write NAME.npz and NAME.json, the predictor, and NAME.report.html and .json; "
            "games that agents played into NAME.games.jsonl. The same command resumes an "
            "interrupted run.",
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            "--predict",
            metavar="LABEL",
            help="What is predicted, of what the game declares; the first by default.",
            show_default=False,
        ),
    ] = None,
    protocols: Annotated[
        str | None,
        typer.Option(
            metavar="cold,warm,random,later|all",
            help="How it is judged: on strangers (the default); on players of whom earlier games "
            "are known; on any rows, to find leaks; or later games by the first ones (the default "
            "where all players have met).",
            show_default=False,
        ),
    ] = None,
    models: Annotated[
        str | None,
        typer.Option(
            metavar="forest,...|all",
            help="The models to train: forest (the default), logistic, boosting, svm, network, "
            "tree. Where one of several is chosen also choice, then the default. The first one is "
            "written.",
            show_default=False,
        ),
    ] = None,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[ROLE=]NAME[:key=value,...] ...",
            help="Who plays with --simulate, as in 'sleuth match': 'hider=paranoid'. The usual "
            "agent plays for everybody else.",
            autocompletion=completing.agents,
        ),
    ] = None,
    columns: Annotated[
        str | None,
        typer.Option(
            metavar="NAME=YOURS,...|FILE.json",
            help="What the columns of your tables (CSV) are called, where the game's records stand "
            "in tables: the name that sleuth gives a column, then yours.",
            show_default=False,
        ),
    ] = None,
    ceilings: Annotated[
        bool,
        typer.Option(
            help="Compute anew how well simulated people can be predicted at all, where the game "
            "knows how; takes minutes.",
        ),
    ] = False,
    workers: ManyWorkers = -1,
    cluster: Cluster = None,
    as_json: Json = False,
) -> None:
    """Train a predictor on recorded games, and judge it honestly."""
    from ...data.jobs.clusters import cluster as on_cluster
    from ...models.games import entry
    from ..train import any_game as work

    found = entry(str(context.info_name))
    make = found.part("rows")
    assert make is not None
    left = "" if out is None else "finished parts are kept; the same command resumes"
    with (
        progress(wanted=not as_json, interrupted=left) as tell,
        on_cluster(cluster, workers=workers),
    ):
        value, said = work.train(
            found,
            make(),
            records=records or [],
            simulated=simulate,
            seed=seed,
            out=out,
            target=target,
            protocols=protocols,
            models=models,
            agents=[word for words in agents or () for word in words.split()],
            anew=ceilings,
            columns=columns,
            workers=workers,
            progress=tell,
        )
    show(lambda: value, lambda: said, as_json=as_json)
