"""Options of the commands that Scotland Yard alone has."""

from __future__ import annotations

from typing import Final

from ...data.errors import SettingsError, nearest
from ..kit.own_options import OwnOption


def _likelihood(text: str) -> str:
    from ...beliefs.games.scotland_yard.play import LIKELIHOODS

    if text not in LIKELIHOODS:
        raise SettingsError(
            "no such likelihood",
            where="--likelihood",
            value=text,
            hint=nearest(text, LIKELIHOODS),
        )
    return text


OPTIONS: Final = (
    OwnOption(
        name="likelihood",
        metavar="NAME",
        help="what says how likely each possible station is; 'moves' by default, which follows "
        "Mr. X by a learned model; 'steps', 'categories' or 'uniform'.",
        read=_likelihood,
    ),
)
