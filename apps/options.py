"""Options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

Seed = Annotated[
    int,
    typer.Option(
        metavar="N", min=0, max=2**63 - 1, help="Seed of the methods that draw at random."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
