"""The command `sleuth`.

This module reads options and says what went wrong; each command's work is in modules of its own,
which are imported only when it is called, so that ``sleuth --help`` answers at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from ..data.errors import ContradictionError, RecordError, SettingsError, SleuthError, nearest
from ..data.version import version
from .console import complain, out, print_json, progress
from .match_command import match
from .options import Json, Seed
from .play_command import play

if TYPE_CHECKING:
    from ..models.clue.choice import ChoiceModel
    from ..models.clue.record import Record
    from ..models.clue.seen import SeenGame

BAD_INPUT: Final = 2
INTERRUPTED: Final = 130
CLOSED_PIPE: Final = 1
MOST_SAMPLES: Final = 10_000_000

app = typer.Typer(
    name="sleuth",
    help="What could a player have known? Exact beliefs for games with hidden information.",
    epilog="'sleuth COMMAND --help' explains a command and its options.",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Samples = Annotated[
    int,
    typer.Option(
        metavar="N",
        min=1,
        max=MOST_SAMPLES,
        help="Number of worlds the approximate methods draw or keep.",
    ),
]
Observer = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Whose view to take: a player, or 'spectator'. By default the one who wrote the "
        "record.",
    ),
]
Choice = Annotated[
    str | None,
    typer.Option(
        metavar="random|ignored|preference",
        help="How a player chooses which of several cards to show: at random (the default), by "
        "an order of preference, or not looked at, which is plain counting of deals.",
        show_default=False,
    ),
]
Preference = Annotated[
    str | None,
    typer.Option(
        metavar="CARD,CARD,...",
        help="Cards a player would rather show, first the likeliest. The rest follow as rooms, "
        "weapons, suspects.",
    ),
]


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    show_version: Annotated[
        bool, typer.Option("--version", help="Print the version and leave.")
    ] = False,
) -> None:
    """What could a player have known? Exact beliefs for games with hidden information."""
    if show_version:
        print(f"sleuth {version()}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command(no_args_is_help=True)
def analyse(
    record: Annotated[
        Path,
        typer.Argument(
            metavar="RECORD", help="A recorded game (JSON); or, with --out, a folder of them."
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
            help="How many suggestions to recommend after the game; 10 by default.",
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

    Shows how much every event of a recorded game told about the case file; then who has which
    card, what is certain and which events prove it, and the best suggestions.
    """
    _known_method(method)
    model = _choice(choice, preference)
    if table is not None:
        others = {"--json": as_json, "--html": html is not None}
        _refuse("--out", {**others, "--suggestions": suggestions is not None})
        _analyse_folder(record, table, observer, method, model, samples, seed, jobs)
        return
    _refuse_jobs(jobs)
    count = _count("10" if suggestions is None else suggestions)
    hint = "name one record in it, or a table for all of them with --out FILE.csv"
    name, source, game = _read(record, observer, hint)

    from .clue_analysis import ADVICE
    from .clue_analysis import analyse as analysed

    if html is not None:
        from .writing import refuse_unwritable

        refuse_unwritable(html, option="--html", sources=(record,))
    quick = as_json and html is None
    with progress(wanted=not as_json) as tell, _named(record):
        analysis = analysed(
            game,
            method=method,
            choice=model,
            suggestions=count,
            advice=0 if quick else ADVICE,
            samples=samples,
            seed=seed,
            name=name,
            source=source,
            progress=tell,
        )
        if html is not None:
            from ..data.writing import write_whole
            from .report import html_report

            write_whole(html, html_report(analysis), where="--html")
    if as_json:
        print_json(analysis.to_json())
        return
    from .clue_text import render

    console = out()
    console.print(render(analysis, console.width))
    if html is not None:
        console.print(f"\nThe report is in {html}", soft_wrap=True)


def _analyse_folder(
    folder: Path,
    table: Path,
    observer: str | None,
    method: str,
    choice: ChoiceModel,
    samples: int,
    seed: int,
    jobs: int | None,
) -> None:
    from .clue_folder import Options, analyse_folder
    from .writing import refuse_unwritable

    if not folder.exists():
        raise RecordError("there is no such file or folder", value=str(folder))
    refuse_unwritable(table, option="--out", sources=(folder,) if folder.is_file() else ())
    options = Options(observer=observer, method=method, choice=choice, samples=samples, seed=seed)
    with progress() as tell:
        summary = analyse_folder(
            folder, table, options, jobs=jobs or -1, complain=complain, progress=tell
        )
    known = f", {summary.known} were there already" if summary.known else ""
    print(f"{summary.added} records added to {table}{known}, {summary.refused} refused")
    if summary.refused:
        raise typer.Exit(BAD_INPUT)


@app.command(no_args_is_help=True)
def compare(
    record: Annotated[
        Path,
        typer.Argument(
            metavar="RECORD|NETWORK.bif",
            help="A recorded game (JSON), or a Bayesian network in the format BIF.",
        ),
    ],
    methods: Annotated[
        str | None,
        typer.Option(metavar="NAME,NAME,...", help="The methods to compare; all by default."),
    ] = None,
    samples: Samples = 10_000,
    seed: Seed = 0,
    as_json: Json = False,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.png|.svg|.pdf",
            help="Draw error against time; methods that draw samples are run with several numbers "
            "of them.",
        ),
    ] = None,
    observer: Observer = None,
    choice: Choice = None,
    preference: Preference = None,
    evidence: Annotated[
        str | None,
        typer.Option(metavar="X=x,Y=y,...", help="For a network: values that are observed."),
    ] = None,
    query: Annotated[
        str | None,
        typer.Option(
            metavar="X,Y,...",
            help="For a network: the variables to ask about; by default the most uncertain.",
        ),
    ] = None,
) -> None:
    """How far off is each inference method, and how long does it take?

    Runs them on the same evidence and measures them against the exact answer: on a recorded
    game, all a player had seen at its end; on a network, the values given. For three players,
    enumeration of all deals is one of them.
    """
    is_network = record.name.lower().endswith((".bif", ".bif.gz"))
    for_games = {"--observer": observer, "--choice": choice, "--preference": preference}
    for_networks = {"--evidence": evidence, "--query": query}
    for option, value in (for_games if is_network else for_networks).items():
        if value is not None:
            kind = "a recorded game" if is_network else "a network (a file that ends in .bif)"
            raise SettingsError(f"{option} is for {kind}", value=value, hint="leave it out")
    model = _choice(choice, preference)

    from . import comparing

    names = comparing.method_names(methods)
    if plot is not None:
        comparing.refuse_picture(plot, record)
    # Every method starts a process of its own, so this takes a while wherever its output goes.
    with progress(wanted=not as_json, lines=True) as tell:
        if is_network:
            from ..beliefs.network import read_bif

            network = read_bif(record)
            title = network.name
            result = comparing.compare_on_network(
                network,
                evidence,
                query,
                methods=names,
                samples=samples,
                seed=seed,
                curves=plot is not None,
                progress=tell,
            )
        else:
            name, _, game = _read(record, observer, "name one record in it")
            title = name or record.name
            with _named(record):
                result = comparing.compare_on_game(
                    game,
                    model,
                    methods=names,
                    samples=samples,
                    seed=seed,
                    curves=plot is not None,
                    progress=tell,
                )
        if plot is not None:
            comparing.save_picture(result, plot)
    if as_json:
        print_json(result.to_json())
        return
    console = out()
    console.print(comparing.render(result, console.width, title))
    if plot is not None:
        console.print(f"\nThe picture is in {plot}", soft_wrap=True)


app.command(no_args_is_help=True)(match)
app.command(no_args_is_help=True)(play)


def _known_method(method: str) -> None:
    if method != "auto":
        from ..beliefs.engines import engine

        engine(method)


def _choice(name: str | None, preference: str | None) -> ChoiceModel:
    from ..models.clue.choice import choice_model

    order = None
    if preference is not None:
        order = [card for part in preference.split(",") if (card := part.strip())]
        if not order:
            raise SettingsError("name at least one card", where="--preference", value=preference)
    return choice_model(name or ("random" if order is None else "preference"), order)


def _count(suggestions: str) -> int | None:
    if suggestions.strip().lower() == "all":
        return None
    if not (suggestions.isascii() and suggestions.isdecimal() and len(suggestions) < 10):
        raise SettingsError(
            "this is no number of suggestions",
            where="--suggestions",
            value=suggestions,
            hint="write a whole number, or all",
        )
    return int(suggestions)


def _refuse(option: str, others: dict[str, bool]) -> None:
    for other, given in others.items():
        if given:
            raise SettingsError(f"{option} and {other} do not go together", hint="leave one out")


def _refuse_jobs(jobs: int | None) -> None:
    if jobs is not None:
        raise SettingsError("--jobs is of use only with --out", value=jobs, hint="leave it out")


@contextmanager
def _named(path: Path) -> Generator[None]:
    """Contradictions in a record say which file they are in."""
    try:
        yield
    except ContradictionError as error:
        raise ContradictionError(str(error), evidence=error.evidence, where=str(path)) from None


def _read(
    path: Path, observer: str | None, instead: str
) -> tuple[str | None, str | None, SeenGame]:
    """A record's name, source, and the game as the observer saw it.

    Args:
        instead: What to write instead of a folder.
    """
    if path.is_dir():
        raise RecordError("this is a folder", value=str(path), hint=instead)
    from ..models.clue.record import load

    try:
        record = load(path)
        return record.name, record.source, _seen(record, observer)
    except RecordError as error:
        if str(path) in str(error):
            raise
        raise RecordError(str(error), where=str(path)) from None


def _seen(record: Record, observer: str | None) -> SeenGame:
    available = record.viewers()
    if observer is None or observer in available or observer in record.players:
        return record.seen_by(observer)
    close = nearest(observer, available)
    hint = f"available: {', '.join(available)}"
    raise RecordError(
        "nobody of this name plays",
        where="--observer",
        value=observer,
        hint=f"{close} {hint}" if close.startswith("did") else hint,
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns the process's exit code.

    Args:
        arguments: What stands after ``sleuth``; by default what the process was given.
    """
    for stream in (sys.stdout, sys.stderr):
        # A terminal that has no ✓ shows a question mark; it is no reason to stop.
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    try:
        code = app(
            args=None if arguments is None else list(arguments),
            prog_name="sleuth",
            standalone_mode=False,
        )
        sys.stdout.flush()
    except SleuthError as error:
        complain(str(error))
        return BAD_INPUT
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except BrokenPipeError:
        return _closed_pipe()
    except OSError as error:
        complain(str(error))
        return BAD_INPUT
    except Exception as error:
        return _usage(error)
    if code == INTERRUPTED:
        complain("interrupted")
    return code if isinstance(code, int) else 0


def _usage(error: Exception) -> int:
    """Says what is wrong with an option; other errors are ours and go on."""
    # typer brings click's exceptions under different names in its different releases.
    message = getattr(error, "format_message", None)
    if message is None:
        raise error
    if type(error).__name__ == "NoArgsIsHelpError":
        print(message())
        return 0
    context = getattr(error, "ctx", None)
    help_of = f"; see {context.command_path} --help" if context is not None else ""
    complain(f"{message().rstrip('.')}{help_of}")
    return BAD_INPUT


def _closed_pipe() -> int:
    """The reader of our output has left: nothing more is said."""
    # Python flushes standard output once more on its way out.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return CLOSED_PIPE


if __name__ == "__main__":
    sys.exit(main())
