"""Options of the commands that Saboteur alone has."""

from __future__ import annotations

from typing import Final

from ..kit.own_options import OwnOption

OPTIONS: Final = (
    OwnOption(
        name="likelihood",
        metavar="NAME",
        help="what says how likely actions are; 'table' by default, 'learned', 'additive' or "
        "'uniform'.",
    ),
    OwnOption(
        name="predictor",
        metavar="NAME",
        help="the same as 'sleuth train saboteur' has learned it, by its file.",
    ),
)
