"""Options of the commands that Cheat alone has."""

from __future__ import annotations

from typing import Final

from ...data.errors import SettingsError
from ..kit.own_options import OwnOption
from ..kit.records.many_games import COLUMNS


def _place(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 0 < int(text[:10])):
        raise SettingsError(
            "this is no place in a file",
            where="game",
            value=text,
            hint="write a whole number, 1 for the first game",
        )
    return int(text[:10])


OPTIONS: Final = (
    OwnOption(
        name="game",
        metavar="N",
        help="which game of a file with several; the first by default.",
        read=_place,
        table=False,
    ),
    OwnOption(
        name="predictor",
        metavar="NAME|none",
        help="what says whether a claim is true, as 'sleuth train cheat' writes it; by default "
        "the predictor that comes with sleuth, 'none' for counting alone.",
        commands=("analyse",),
        table=False,
    ),
    COLUMNS,
)
