"""Options of the commands that Scotland Yard alone has."""

from __future__ import annotations

from typing import Final

from ..kit.own_options import OwnOption, one_of

OPTIONS: Final = (
    *(
        OwnOption(
            name=team,
            metavar="AGENT",
            help=f"the same as --agents {team}=AGENT.",
            commands=("match",),
        )
        for team in ("hider", "seekers")
    ),
    OwnOption(
        name="likelihood",
        metavar="NAME",
        help="what says how likely each possible station is; 'moves' by default, which follows "
        "Mr. X by a learned model; 'steps', 'categories' or 'uniform'.",
        read=one_of("likelihood", "beliefs.games.scotland_yard.play:LIKELIHOODS"),
    ),
)
