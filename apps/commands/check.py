"""`sleuth check`: whether a game keeps the contract, and its belief says what is so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from ..kit.console import progress
from ..kit.showing import show
from .options import Json, Seed

MOST_PLAYS: Final = 100_000

if TYPE_CHECKING:
    from ...planners.checking.belief_checks import BeliefConformance
    from ...planners.checking.conformance import Conformance
    from ..kit.answers.values import Statements


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
    show(checked.to_json, checked.summary, as_json=as_json)


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

    def summary(self) -> Statements:
        """The same for people."""
        from ..kit.answers.values import Paragraph

        rules, belief = self.rules, self.belief
        said = [
            Paragraph(rules.game, "strong"),
            Paragraph(
                f"{len(rules.checks)} checks passed in {rules.plays} random games of {rules.moves} "
                f"moves; the longest had {rules.longest}."
            ),
        ]
        if belief is None:
            return said
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
