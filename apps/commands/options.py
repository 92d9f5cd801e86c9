"""Options that several commands have."""

from __future__ import annotations

from typing import Annotated, Final

import typer

BAD_INPUT: Final = 2
"""The exit code for what the caller can put right."""
MOST_SAMPLES: Final = 10_000_000

Seed = Annotated[
    int,
    typer.Option(
        metavar="N", min=0, max=2**63 - 1, help="Seed of the methods that draw at random."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]

Workers = Annotated[int, typer.Option(metavar="N", min=-1, help="Processes; -1 for all cores.")]

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
