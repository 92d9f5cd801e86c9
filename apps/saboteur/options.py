"""Options of the commands that Saboteur alone has."""

from __future__ import annotations

from typing import Final

from ..kit.own_options import OwnOption, one_of


def _predictor(text: str) -> str:
    from ...beliefs.games.saboteur.learned import learned

    learned(text)
    return text


OPTIONS: Final = (
    OwnOption(
        name="likelihood",
        metavar="NAME",
        help="what says how likely actions are; 'table' by default, 'learned', 'additive' or "
        "'uniform'.",
        read=one_of("likelihood", "beliefs.games.saboteur.play:LIKELIHOODS"),
    ),
    OwnOption(
        name="predictor",
        metavar="NAME",
        help="the same as 'sleuth train saboteur' has learned it, by its file.",
        read=_predictor,
        commands=("analyse",),
        table=False,
    ),
)
