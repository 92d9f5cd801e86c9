"""`sleuth check`: whether a game keeps the contract, and its belief says what is so."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from ..kit import completing
from ..kit.console import complain, out, progress
from ..kit.number_words import counted
from ..kit.showing import show
from .options import BAD_INPUT, Json, Seed

MOST_PLAYS: Final = 100_000
MOST_SECONDS: Final = 1_000_000.0

if TYPE_CHECKING:
    from ..kit.answers.forms import FindingForm, GameCheck
    from ..kit.answers.values import Statement, Statements


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
    seconds: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            min=0.1,
            max=MOST_SECONDS,
            help="Time for all checks: a kernel that runs for ever is a fault, too.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Does a game keep the contract, leak nothing, and does its belief say what is so?

    It runs the code of the game's file, which may do whatever a program of yours may do. Random
    games are played. Every fault is named once with its place and a hint. The exit code is 2 if
    there are any.
    """
    from ...data.version import version
    from ...planners.checking.fault_report import report_of
    from ..kit.answers.forms import game_check
    from ..kit.answers.schema import to_json
    from ..kit.answers.text import put
    from ..kit.answers.values import Paragraph
    from ..kit.matches.asked import asked_game

    file, ending, _ = game.partition(".py:")
    if ending and not as_json:
        warning = (
            f"This runs the code of {file}.py, which may do whatever a program of yours may do."
        )
        put(out(), Paragraph(warning, "soft"))
    with progress(wanted=not as_json) as tell:
        report = report_of(
            partial(asked_game, game),
            game,
            plays=plays,
            belief_plays=belief_plays,
            seed=seed,
            seconds=seconds,
            progress=tell,
        )
    checked = game_check(report, version())
    show(partial(to_json, checked), partial(check_summary, checked), as_json=as_json)
    if checked.findings:
        first, *others = checked.findings
        more = f" ({len(others)} more)" if others else ""
        complain(f"[{first.check}] {place_in_words(first)}: {first.message}{more}")
        raise typer.Exit(BAD_INPUT)


def check_summary(check: GameCheck) -> Statements:
    """The checks that were made, in sentences."""
    from ..kit.answers.values import Paragraph

    said: list[Statement] = [Paragraph(check.game, "strong")]
    if check.findings:
        said += _found(check)
        return said
    said.append(
        Paragraph(
            f"{len(check.checks)} checks passed in {check.plays} random games of {check.moves} "
            f"moves; the longest had {check.longest}."
        )
    )
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


def _found(check: GameCheck) -> Iterator[Statement]:
    from ..kit.answers.values import Facts, Paragraph

    causes = [each for each in check.findings if each.follows is None]
    more = len(check.findings) - len(causes)
    played = f" in {counted(check.plays, 'random game')}" if check.plays else ""
    follow = f", and {more} that may follow from {'it' if len(causes) == 1 else 'them'}"
    yield Paragraph(f"{counted(len(causes), 'fault')}{played}{follow if more else ''}.")
    for number, found in enumerate(check.findings, start=1):
        said = f"{number}. [{found.check}] {found.message}"
        again = f", {found.times} times" if found.times > 1 else ""
        rows = [("where", place_in_words(found) + again)]
        rows += [("moment", found.place.moment)] if found.place.moment else []
        rows += [("got", str(found.value))] if found.value is not None else []
        rows += [("write", found.hint)] if found.hint else []
        rows += [("mend first", f"[{found.follows}]")] if found.follows else []
        yield Paragraph(said, "soft" if found.follows else "strong", blank="above")
        yield Facts(tuple(rows), column=14, wide=14)


def place_in_words(found: FindingForm) -> str:
    """The place of a fault: file and line, kernel, field; the moment where none is known."""
    at = found.place
    file = Path(at.file).name if at.file else ""
    parts = [f"{file}, line {at.line}" if at.line else file, at.kernel or ""]
    parts.append(f"field {at.field!r}" if at.field else "")
    return ", ".join(filter(None, parts)) or at.moment or "the game"
