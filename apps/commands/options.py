"""Options that several commands have."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Final

import typer

BAD_INPUT: Final = 2
"""The exit code for what the caller can put right."""
INTERRUPTED: Final = 130
"""The exit code of what Ctrl-C has ended."""
MOST_SAMPLES: Final = 10_000_000
MOST_GAMES: Final = 1_000_000
MOST_WORKERS: Final = 1024
MOST_FIRST: Final = 2**53
MOST_PLAYOUTS: Final = 2**31 - 2

Seed = Annotated[
    int,
    typer.Option(
        metavar="N", min=0, max=2**63 - 1, help="Seed of the methods that draw at random."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]

_workers = partial(
    typer.Option,
    metavar="N",
    min=-1,
    max=MOST_WORKERS,
    help="Processes; -1 for all cores. On a cluster, at most so many workers.",
)
Workers = Annotated[int | None, _workers(show_default="1, or all of a cluster")]
ManyWorkers = Annotated[int, _workers()]
Cluster = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Work on a cluster: 'dask://HOST:PORT' of a Dask scheduler, 'ray://HOST:PORT', "
        "'ray://auto', or 'local' for all cores. Use only one that you trust.",
    ),
]
Playouts = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=1,
        max=MOST_PLAYOUTS,
        help="Simulations of all agents whose options do not give a number.",
    ),
]

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
        help="Whose view to take: a player, 'spectator', or 'all' where the record says "
        "everything. By default the player who wrote the record, or the first.",
    ),
]
Rules = Annotated[
    str | None,
    typer.Option(
        metavar="FILE.py:NAME",
        help="The game of the record, where it is one of your own: its file, and the name it has "
        "there.",
    ),
]
JsonLines = Annotated[
    bool,
    typer.Option(
        "--json",
        help="Speak JSON with a program: for each line an object with what is said, and what is "
        "asked next.",
    ),
]
