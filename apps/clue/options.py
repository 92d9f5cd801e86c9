"""Options of the commands that Clue alone has."""

from __future__ import annotations

from typing import Final

from ...data.errors import SettingsError
from ...models.clue.editions import edition
from ..kit.own_options import OwnOption


def _count(text: str) -> int | None:
    """The number of suggestions that are wanted; None for all."""
    if text.strip().lower() == "all":
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise SettingsError(
            "this is no number of suggestions",
            where="suggestions",
            value=text,
            hint="write a whole number, or all",
        )
    return int(text)


def _predictor(text: str) -> str:
    from ...beliefs.games.clue.learned import learned

    learned(text)
    return text


OPTIONS: Final = (
    OwnOption(
        name="choice",
        metavar="random|ignored|preference",
        help="how a player chooses which of several cards to show: at random (the default), by "
        "an order of preference, or not looked at, which is plain counting of deals.",
    ),
    OwnOption(
        name="preference",
        metavar="CARD,CARD,...",
        help="cards a player would rather show, first the likeliest. The rest follow as rooms, "
        "weapons, suspects.",
    ),
    OwnOption(
        name="edition",
        metavar="NAME|FILE.json",
        help="the cards of a record that does not say which edition it is of: one that comes with "
        "sleuth, or a file of your own.",
        read=edition,
    ),
    OwnOption(
        name="predictor",
        metavar="NAME|usual",
        help="what players ask and show says something, too, as 'sleuth train clue-table' has "
        "learned it, by its file; 'usual' for what comes with sleuth. Not listened to by default.",
        read=_predictor,
        commands=("analyse",),
        table=False,
    ),
    OwnOption(
        name="suggestions",
        metavar="N|all",
        help="how many suggestions to recommend after the game; 10 by default.",
        read=_count,
        commands=("analyse",),
        table=False,
    ),
)
