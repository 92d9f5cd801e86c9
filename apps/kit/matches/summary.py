"""A match in a few statements: the agents with their wins and returns, and what was found out."""

from __future__ import annotations

from typing import Final

from ....data.intervals import plus_minus, wilson
from ....planners.matches.match_result import MatchResult
from ..answers.values import Column, Paragraph, Sheet, Statements
from ..number_words import counted

#: From this width on a terminal shows scores.
WIDE: Final = 80
#: From this width on it shows intervals; below it, the agents' names could not be read.
BROAD: Final = 64


def match_summary(result: MatchResult, *, tested: bool = False) -> Statements:
    """The result of a match.

    Args:
        result: The result.
        tested: Whether a test could have ended the match.
    """
    swapped = "seats swapped" if result.swap else "seats fixed"
    if result.series > 1:
        swapped += f", the same agents for {result.series} games"
    played = f"{counted(len(result.games), 'game')}, {swapped}, seed {result.seed}"
    return (
        Paragraph(result.game, "strong"),
        Paragraph(played, blank="below"),
        _agents(result),
        Paragraph("\n".join(_findings(result, tested=tested)), blank="above"),
    )


def _agents(result: MatchResult) -> Sheet:
    columns = (
        Column("agent", joints=True),
        Column("wins", "right", whole=True),
        Column("rate", "right", whole=True),
        Column("95 % interval", "right", whole=True, room=BROAD),
        Column("score", "right", whole=True, room=WIDE),
        Column("mean return", "right", whole=True, room=BROAD),
        Column("mean return", "right", whole=True, until=BROAD),
    )
    rows: list[tuple[str, ...]] = []
    for place, agent in enumerate(result.agents):
        low, high = result.intervals[place]
        mean, half = result.mean_returns[place], result.return_errors[place]
        rows.append(
            (
                agent,
                str(result.wins[place]),
                f"{result.win_rates[place]:.3f}",
                f"{low:.3f} to {high:.3f}",
                f"{result.scores[place]:.3f}",
                plus_minus(mean, half),
                f"{mean:+.3f}",
            )
        )
    if result.together:
        # All win or lose at once: only their return says how well they played.
        columns = (columns[0], *columns[-2:])
        rows = [(row[0], *row[-2:]) for row in rows]
    return Sheet(columns, tuple(rows), close=0)


def _findings(result: MatchResult, *, tested: bool) -> list[str]:
    count = len(result.games)
    lines: list[str] = []
    if result.shared:
        was = "was" if result.shared == 1 else "were"
        alone = "by no team alone" if result.teams else "by nobody alone"
        lines.append(f"{counted(result.shared, 'game')} {was} won {alone}.")
    lines += [f"{note}." for note in result.fault_notes]
    teams = {} if result.together else result.team_wins
    for team, wins in teams.items():
        low, high = wilson(wins, count)
        lines.append(
            f"{team}: {counted(wins, 'game')}, {wins / count:.3f} ({low:.3f} to {high:.3f})"
        )
    if result.verdict is not None:
        lines.append(
            "Neither is better by as much as was asked."
            if result.verdict == "equal"
            else f"{result.verdict} is better: the match ended when that was clear."
        )
    elif tested:
        lines.append("The test cannot tell yet which is better, or that neither is.")
    kept = ""
    if result.resumed:
        were = "was" if result.resumed == 1 else "were"
        kept = f", {counted(result.resumed, 'game')} {were} there already"
    return [*lines, f"{result.seconds:.1f} s{kept}"]
