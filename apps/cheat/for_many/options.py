"""Options of the commands that Cheat for many has."""

from __future__ import annotations

from typing import Final

from ...kit.own_options import OwnOption
from ..options import OPTIONS as OF_TWO

#: What the game for two is asked as well: which game of a file, and the columns of tables.
_SHARED: Final = ("game", "columns")


def _predictor(text: str) -> str:
    from ....beliefs.games.cheat.for_many.judges import truth_named

    truth_named(text)
    return text


OPTIONS: Final = (
    *(each for each in OF_TWO if each.name in _SHARED),
    OwnOption(
        name="predictor",
        metavar="NAME|none",
        help="what says whether a claim is true, as 'sleuth train cheat-for-many' writes it; by "
        "default the predictor that comes with sleuth, 'none' for counting alone.",
        read=_predictor,
        commands=("analyse",),
        table=False,
    ),
)
