"""`sleuth check`: whether a game keeps the contract, and its belief says what is so."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from ..kit.console import printable, progress, show
from .options import Json, Seed

MOST_PLAYS: Final = 100_000

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ...planners.checking.belief_checks import BeliefConformance
    from ...planners.checking.conformance import Conformance


def check(
    game: Annotated[
        str,
        typer.Argument(
            metavar="FILE.py:NAME", help="A game of your own, such as 'my_game.py:GAME'; or a name."
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
    from ...planners.checking.belief_checks import check_belief
    from ...planners.checking.conformance import check_game
    from ..kit.matches.asked import asked_game

    made = asked_game(game)
    with progress(wanted=not as_json) as tell:
        rules = check_game(made, plays=plays, seed=seed, progress=tell)
        believed = None
        if made.hides and belief_plays:
            believed = check_belief(made, plays=belief_plays, seed=seed, progress=tell)
    checked = Checked(rules, believed)
    show(checked.to_json, partial(render, checked), as_json=as_json)


@dataclass(frozen=True)
class Checked:
    """The checks that were made.

    Attributes:
        rules: Of the game.
        belief: Of its belief; None where nothing is hidden, or it was left out.
    """

    rules: Conformance
    belief: BeliefConformance | None

    def to_json(self) -> dict[str, Any]:
        """As ``sleuth check --json`` prints it."""
        from ...data.version import version

        rules, belief = self.rules, self.belief
        return {
            "game": rules.game,
            "plays": rules.plays,
            "moves": rules.moves,
            "longest": rules.longest,
            "checks": sorted(rules.checks),
            "belief": None
            if belief is None
            else {
                "plays": belief.plays,
                "events": belief.events,
                "comparisons": belief.comparisons,
                "skipped": belief.skipped,
                "checks": sorted(belief.checks),
            },
            "version": version(),
        }


def render(checked: Checked, width: int) -> RenderableType:
    """The same for people, on a terminal of this many columns."""
    from rich.text import Text

    rules, belief = checked.rules, checked.belief
    text = Text(printable(rules.game), style="bold")
    text.append(
        f"\n{len(rules.checks)} checks passed in {rules.plays} random games of {rules.moves} moves;"
        f" the longest had {rules.longest}.",
        style="not bold",
    )
    if belief is not None:
        text.append(
            f"\nThe belief agrees with {belief.plays} random games: what is hidden, and what"
            f" {belief.events:,} events told of it, {belief.comparisons:,} comparisons.",
            style="not bold",
        )
        if belief.skipped:
            text.append(
                f"\n{belief.skipped:,} more events are left out: too few of the imagined states"
                " lead to them.",
                style="not bold dim",
            )
    return text
