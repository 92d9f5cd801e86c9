"""`sleuth check`: whether a game keeps the contract, and its belief says what is so."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Final

import typer

from ..kit import completing
from ..kit.console import progress
from ..kit.showing import show
from .options import Json, Seed

MOST_PLAYS: Final = 100_000

if TYPE_CHECKING:
    from ..kit.answers.forms import GameCheck
    from ..kit.answers.values import Statements


def check(
    game: Annotated[
        str,
        typer.Argument(
            metavar="FILE.py:NAME",
            help="A game of your own, such as 'my_game.py:GAME'; or a name.",
            autocompletion=completing.games,
        ),
    ],
    plays: Annotated[
        int,
        typer.Option(
            metavar="N", min=1, max=MOST_PLAYS, help="Random games to check the rules by."
        ),
    ] = 20,
    belief_plays: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=0,
            max=MOST_PLAYS,
            help="Random games to compare the belief with; 0 to leave that out.",
        ),
    ] = 60,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Does a game keep the contract, leak nothing, and does its belief say what is so?

    Random games are played. The first fault is named with its place and a hint.
    """
    from ...data.version import version
    from ...planners.checking.belief_checks import check_belief
    from ...planners.checking.conformance import check_game
    from ..kit.answers.forms import game_check
    from ..kit.answers.schema import to_json
    from ..kit.matches.asked import asked_game

    made = asked_game(game)
    with progress(wanted=not as_json) as tell:
        rules = check_game(made, plays=plays, seed=seed, progress=tell)
        believed = None
        if made.hides and belief_plays:
            believed = check_belief(made, plays=belief_plays, seed=seed, progress=tell)
    checked = game_check(rules, believed, version())
    show(partial(to_json, checked), partial(check_summary, checked), as_json=as_json)


def check_summary(check: GameCheck) -> Statements:
    """The checks that were made, in sentences."""
    from ..kit.answers.values import Paragraph

    said = [
        Paragraph(check.game, "strong"),
        Paragraph(
            f"{len(check.checks)} checks passed in {check.plays} random games of {check.moves} "
            f"moves; the longest had {check.longest}."
        ),
    ]
    belief = check.belief
    if belief is not None:
        agrees = (
            f"The belief agrees with {belief.plays} random games: what is hidden, and what "
            f"{belief.events:,} events told of it, {belief.comparisons:,} comparisons."
        )
        said.append(Paragraph(agrees))
        if belief.skipped:
            few = (
                f"{belief.skipped:,} more events are left out: too few of the imagined states lead "
                "to them."
            )
            said.append(Paragraph(few, "soft"))
    return said
