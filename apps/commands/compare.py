"""The options of `sleuth compare`; its work is in `kit.records`, or the game's own."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from ...data.errors import SettingsError
from ..kit import completing
from ..kit.console import progress
from ..kit.option_names import option_of
from ..kit.showing import show
from ..kit.sleuth_command import given
from .options import Cluster, Json, Observer, Rules, Samples, Seed, Workers


def compare(
    context: typer.Context,
    record: Annotated[
        Path,
        typer.Argument(
            metavar="RECORD|NETWORK",
            help="A recorded game (JSON), or a network (.bif, .xml, .net or .uai); or one that "
            "came along, such as clue/neller_main or networks/asia.",
            autocompletion=completing.records,
        ),
    ],
    methods: Annotated[
        str | None,
        typer.Option(
            metavar="NAME,NAME,...",
            help="The methods to compare; all by default.",
            autocompletion=completing.methods,
        ),
    ] = None,
    samples: Samples = 10_000,
    seed: Seed = 0,
    workers: Workers = None,
    cluster: Cluster = None,
    as_json: Json = False,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.png|.svg|.pdf",
            help="Draw error against time. Methods that draw samples run with several numbers of "
            "samples.",
        ),
    ] = None,
    observer: Observer = None,
    rules: Rules = None,
    event: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            max=1_000_000,
            help="After which event to compare; by default where most was open.",
        ),
    ] = None,
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
    observed: Annotated[
        bool | None,
        typer.Option(
            "--observed",
            help="For a network: values that its file marks as observed count, whoever did so.",
        ),
    ] = None,
) -> None:
    """How far off is each inference method, and how long does it take?

    All methods get the same evidence and are measured against the exact answer. The evidence of a
    recorded game is all that a player had seen until an event. Of a network it is the values given.
    """
    from ...beliefs.networks.files import format_of, read_network
    from ..kit.records.opening import at_hand

    record = at_hand(record)
    is_network = format_of(record) is not None
    for_games = {
        "--observer": observer,
        "--event": event,
        **{option_of(name): value for name, value in given(context).items()},
    }
    for_networks = {"--evidence": evidence, "--query": query, "--observed": observed}
    for option, value in (for_games if is_network else for_networks).items():
        if value is not None:
            kind = "a recorded game" if is_network else "a network (a file that ends in .bif, say)"
            raise SettingsError(f"{option} is for {kind}", value=value, hint="leave it out")

    from ...data.jobs.clusters import cluster as on_cluster
    from ..kit.records import comparing
    from ..kit.records.contract import AnalysisRequest
    from ..kit.records.opening import named, open_record

    asked = AnalysisRequest(
        observer=observer,
        rules=rules,
        event=event,
        samples=samples,
        seed=seed,
        workers=1 if workers is None else workers,
        own=given(context),
    )
    game, content = None, None
    if is_network:
        names = comparing.method_names(methods)
    else:
        game, content = open_record(record, asked, instead="name one record in it")
        names = list(game.methods)
        if methods is not None:
            names = comparing.method_names(methods, more=game.methods)
    if plot is not None:
        comparing.refuse_picture(plot, record)
    # Every method starts a process of its own, so this takes a while wherever its output goes.
    with progress(wanted=not as_json, lines=True) as tell, on_cluster(cluster, workers=workers):
        if game is None:
            network = read_network(record, observed=observed)
            title = network.name
            result = comparing.compare_on_network(
                network,
                evidence,
                query,
                methods=names,
                samples=samples,
                seed=seed,
                curves=plot is not None,
                workers=asked.workers,
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
    said = partial(comparing.comparison_summary, result, title)
    show(result.to_json, said, as_json=as_json, picture=plot)
