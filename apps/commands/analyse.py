"""The options of `sleuth analyse`; the work is the game's own, see `contract`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...data.errors import RecordError, SettingsError
from ..kit import completing
from ..kit.console import complain, progress
from ..kit.console import out as terminal
from ..kit.own_options import OwnOption, declared
from ..kit.showing import show
from ..kit.sleuth_command import given
from .options import BAD_INPUT, MOST_WORKERS, Cluster, Json, Observer, Rules, Samples, Seed

if TYPE_CHECKING:
    from ..kit.answers.values import Statements
    from ..kit.console import Tell
    from ..kit.records.contract import AnalysisRequest


def analyse(
    context: typer.Context,
    record: Annotated[
        Path,
        typer.Argument(
            metavar="RECORD",
            help="A recorded game in JSON, or several in a file as some games have them; with "
            "--out, a folder of records. Or one that came with sleuth, such as clue/neller_main.",
            autocompletion=completing.records,
        ),
    ],
    observer: Observer = None,
    rules: Rules = None,
    method: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="The inference method, such as 'card_by_card' or 'metropolis'; 'auto' takes the "
            "cheapest exact one.",
            autocompletion=completing.method,
        ),
    ] = "auto",
    agent: Annotated[
        str | None,
        typer.Option(
            metavar="NAME[:key=value,...]|none",
            help="Who values what could be done, where a game has moves to value; by default "
            "'mcts:simulations=1000', or what suits the game better.",
            autocompletion=completing.agents,
        ),
    ] = None,
    samples: Samples = 10_000,
    seed: Seed = 0,
    as_json: Json = False,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a report with pictures as well.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.csv|.jsonl",
            help="Write one long table of all probabilities instead; for folders. The same command "
            "resumes an interrupted run.",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=-1,
            max=MOST_WORKERS,
            help="Processes for --out; -1 for all cores, which is usual. On a cluster, at most so "
            "many workers.",
        ),
    ] = None,
    cluster: Cluster = None,
    jobs: Annotated[int | None, typer.Option(min=1, max=1024, hidden=True)] = None,
) -> None:
    """What could a player have known, and when? What was worth asking, and why?

    This works for any game with rules and a belief. Some games say more. {summaries}
    """
    from ..kit.records.contract import AnalysisRequest
    from ..kit.records.opening import at_hand, named, open_record

    record = at_hand(record)
    asked = AnalysisRequest(
        observer=observer,
        rules=rules,
        method=method,
        agent=agent,
        samples=samples,
        seed=seed,
        brief=as_json and html is None,
        own=given(context),
    )
    # It was called so before.
    workers = jobs if workers is None else workers
    if out is not None:
        _refuse("--out", {"--json": as_json, "--html": html is not None, "--agent": agent})
        _refuse("--out", {each.written: each.name in asked.own for each in _single()})
        _analyse_folder(record, out, asked, workers, cluster)
        return
    for option, value in (("--workers", workers), ("--cluster", cluster)):
        if value is not None:
            raise SettingsError(f"{option} needs --out", value=value, hint="leave it out")
    hint = "name one record in it, or a table for all of them with --out FILE.csv"
    game, value = open_record(record, asked, instead=hint)
    if html is not None:
        from ..kit.writing import refuse_unwritable

        refuse_unwritable(html, where="html", sources=(record,))
    with progress(wanted=not as_json) as tell, named(record):
        begin = _Beginning(tell)
        found = game.analysed(value, asked, begin.tell, None if as_json else begin.take)
        begin.now()
        if html is not None:
            from ...data.disk.writing import write_whole

            write_whole(html, found.html(), where="html")
    show(found.to_json, lambda: found.body, as_json=as_json, report=html)


@dataclass
class _Beginning:
    """Prints what the text begins with when the work first tells how far it is.

    Nobody waits for it, and where the record or an option is wrong, only the error is printed.
    """

    told: Tell
    heading: Statements = ()

    def take(self, heading: Statements) -> None:
        self.heading = heading

    def tell(self, what: str, done: int, total: int) -> None:
        self.now()
        self.told(what, done, total)

    def now(self) -> None:
        if self.heading:
            from ..kit.answers.text import put

            put(terminal(), *self.heading)
            self.heading = ()


def _analyse_folder(
    folder: Path, table: Path, asked: AnalysisRequest, workers: int | None, cluster: str | None
) -> None:
    from ...data.jobs.clusters import cluster as on_cluster
    from ..kit.records.folder import analyse_folder
    from ..kit.records.opening import check_own
    from ..kit.writing import refuse_unwritable

    if workers == 0:
        raise SettingsError("one process is needed, or -1 for all cores", where="workers")
    if asked.method != "auto":
        from ...beliefs.engines import engine

        engine(asked.method)
    check_own(asked)
    if not folder.exists():
        raise RecordError("there is no such file or folder", value=str(folder))
    refuse_unwritable(table, where="out", sources=(folder,) if folder.is_file() else ())
    with progress() as tell, on_cluster(cluster, workers=workers):
        summary = analyse_folder(
            folder, table, asked, jobs=workers or -1, complain=complain, progress=tell
        )
    known = f", {summary.known} were there already" if summary.known else ""
    print(f"{summary.added} records added to {table}{known}, {summary.refused} refused")
    if summary.refused:
        raise typer.Exit(BAD_INPUT)


def _single() -> list[OwnOption]:
    """Games' own options that are of no use for a table."""
    return [option for _, option in declared() if not option.table]


def _refuse(option: str, others: Mapping[str, object]) -> None:
    for other, value in others.items():
        if value:
            raise SettingsError(f"{option} and {other} do not go together", hint="leave one out")
