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
Likelihood = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Scotland Yard: what says how likely each possible station is; 'moves' by default, "
        "which follows him by a learned model; 'steps', 'categories' or 'uniform'.",
        show_default=False,
    ),
]
Game = Annotated[
    int | None,
    typer.Option(
        "--game",
        metavar="N",
        min=1,
        help="Cheat: which game of a file with several; the first by default.",
    ),
]
