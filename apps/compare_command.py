"""The options of `sleuth compare`; the work is in `comparing` and the recorded game's own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..data.errors import SettingsError
from .analyses import Asked, named, open_record
from .console import out, print_json, progress
from .options import Choice, Game, Json, Likelihood, Observer, Preference, Samples, Seed


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
    likelihood: Likelihood = None,
    event: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            help="Scotland Yard: after which event to compare; by default when most stations were "
            "possible. Cheat: the turn of the claim; by default the one with most below it.",
        ),
    ] = None,
    number: Game = None,
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

    Runs them on the same evidence and measures them against the exact answer: on a recorded game
    of Clue, all a player had seen at its end (for three players, enumeration of all deals is one of
    them); of Scotland Yard, all that was seen until an event; on a network, the values given.
    """
    is_network = record.name.lower().endswith((".bif", ".bif.gz"))
    for_games = {
        "--observer": observer,
        "--choice": choice,
        "--preference": preference,
        "--likelihood": likelihood,
        "--event": event,
        "--game": number,
    }
    for_networks = {"--evidence": evidence, "--query": query}
    for option, value in (for_games if is_network else for_networks).items():
        if value is not None:
            kind = "a recorded game" if is_network else "a network (a file that ends in .bif)"
            raise SettingsError(f"{option} is for {kind}", value=value, hint="leave it out")

    from . import comparing

    asked = Asked(
        observer=observer,
        choice=choice,
        preference=preference,
        likelihood=likelihood,
        event=event,
        number=number,
        samples=samples,
        seed=seed,
    )
    own = {name: value is not None for name, value in for_games.items() if name != "--observer"}
    game, content = None, None
    if is_network:
        names = comparing.method_names(methods)
    else:
        instead = "name one record in it"
        game, content = open_record(record, asked, instead=instead, given=own)
        names = list(game.methods)
        if methods is not None:
            names = comparing.method_names(methods, more=game.methods)
    if plot is not None:
        comparing.refuse_picture(plot, record)
    # Every method starts a process of its own, so this takes a while wherever its output goes.
    with progress(wanted=not as_json, lines=True) as tell:
        if game is None:
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
            with named(record):
                name, result = game.compared(
                    content, asked, names, curves=plot is not None, tell=tell
                )
            title = name or record.name
        if plot is not None:
            comparing.save_picture(result, plot)
    if as_json:
        print_json(result.to_json())
        return
    console = out()
    console.print(comparing.render(result, console.width, title))
    if plot is not None:
        console.print(f"\nThe picture is in {plot}", soft_wrap=True)
