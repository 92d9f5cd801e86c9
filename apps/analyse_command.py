"""The options of `sleuth analyse`; the work is the recorded game's own, see `analyses`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..data.errors import RecordError, SettingsError
from .analyses import Asked, named, open_record
from .console import complain, out, print_json, progress
from .options import BAD_INPUT, Choice, Game, Json, Likelihood, Observer, Preference, Samples, Seed


def analyse(
    record: Annotated[
        Path,
        typer.Argument(
            metavar="RECORD",
            help="A recorded game (JSON; Cheat also JSON Lines or CSV, with several); or, with "
            "--out, a folder of them.",
        ),
    ],
    observer: Observer = None,
    method: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="The inference method, such as 'card_by_card' or 'metropolis'; 'auto' takes the "
            "cheapest exact one.",
        ),
    ] = "auto",
    choice: Choice = None,
    preference: Preference = None,
    suggestions: Annotated[
        str | None,
        typer.Option(
            metavar="N|all",
            help="Clue: how many suggestions to recommend after the game; 10 by default.",
        ),
    ] = None,
    likelihood: Likelihood = None,
    number: Game = None,
    predictor: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|none",
            help="Cheat: what says whether a claim is true, as 'sleuth train cheat' writes it; by "
            "default the predictor that comes with sleuth, 'none' for counting alone.",
        ),
    ] = None,
    agent: Annotated[
        str | None,
        typer.Option(
            metavar="NAME[:key=value,...]|none",
            help="Cheat: who values what could be done; 'players:simulations=2000' by default.",
        ),
    ] = None,
    samples: Samples = 10_000,
    seed: Seed = 0,
    as_json: Json = False,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a report with pictures as well.")
    ] = None,
    table: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE.csv|.jsonl",
            help="Write one long table of all probabilities instead. Made for folders; a run "
            "that was interrupted goes on when it is started again.",
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, max=1024, help="Processes for --out; all cores by default."
        ),
    ] = None,
) -> None:
    """What could a player have known, and when? What was worth asking, and why?

    Clue: how much every event told about the case file; then who has which card, what is certain
    and which events prove it, and the best suggestions. Scotland Yard: where Mr. X could be after
    every move, and what the detectives missed. Cheat: how likely every claim was, what a search
    would have done, and which cards the other one held.
    """
    asked = Asked(
        observer=observer,
        method=method,
        choice=choice,
        preference=preference,
        suggestions=suggestions,
        likelihood=likelihood,
        number=number,
        predictor=predictor,
        agent=agent,
        samples=samples,
        seed=seed,
        brief=as_json and html is None,
    )
    given = {
        "--choice": choice is not None,
        "--preference": preference is not None,
        "--suggestions": suggestions is not None,
        "--likelihood": likelihood is not None,
        "--game": number is not None,
        "--predictor": predictor is not None,
        "--agent": agent is not None,
    }
    if table is not None:
        others = {"--json": as_json, "--html": html is not None}
        own = ("--suggestions", "--game", "--predictor", "--agent")
        _refuse("--out", {**others, **{option: given[option] for option in own}})
        _analyse_folder(record, table, asked, jobs)
        return
    if jobs is not None:
        raise SettingsError("--jobs is of use only with --out", value=jobs, hint="leave it out")
    hint = "name one record in it, or a table for all of them with --out FILE.csv"
    game, value = open_record(record, asked, instead=hint, given=given)
    if html is not None:
        from .writing import refuse_unwritable

        refuse_unwritable(html, option="--html", sources=(record,))
    with progress(wanted=not as_json) as tell, named(record):
        found = game.analysed(value, asked, tell)
        if html is not None:
            from ..data.writing import write_whole

            write_whole(html, found.html(), where="--html")
    if as_json:
        print_json(found.to_json())
        return
    console = out()
    console.print(found.render(console.width))
    if html is not None:
        console.print(f"\nThe report is in {html}", soft_wrap=True)


def _analyse_folder(folder: Path, table: Path, asked: Asked, jobs: int | None) -> None:
    from .clue_game import choice_of
    from .folder import Options, analyse_folder
    from .writing import refuse_unwritable

    if asked.method != "auto":
        from ..beliefs.engines import engine

        engine(asked.method)
    options = Options(
        observer=asked.observer,
        method=asked.method,
        choice=choice_of(asked),
        samples=asked.samples,
        seed=asked.seed,
        likelihood=asked.likelihood,
    )
    if not folder.exists():
        raise RecordError("there is no such file or folder", value=str(folder))
    refuse_unwritable(table, option="--out", sources=(folder,) if folder.is_file() else ())
    with progress() as tell:
        summary = analyse_folder(
            folder, table, options, jobs=jobs or -1, complain=complain, progress=tell
        )
    known = f", {summary.known} were there already" if summary.known else ""
    print(f"{summary.added} records added to {table}{known}, {summary.refused} refused")
    if summary.refused:
        raise typer.Exit(BAD_INPUT)


def _refuse(option: str, others: dict[str, bool]) -> None:
    for other, given in others.items():
        if given:
            raise SettingsError(f"{option} and {other} do not go together", hint="leave one out")
