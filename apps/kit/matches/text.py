"""A match as a table for the terminal."""

from __future__ import annotations

from typing import Final

from rich.console import Group, RenderableType
from rich.text import Text

from ....data.intervals import plus_minus, wilson
from ....planners.matches.match_result import MatchResult
from .. import plain_text
from ..console import printable
from ..number_words import counted

NARROW: Final = 80
"""Below this width, scores are left out of the table."""
NARROWER: Final = 64
"""Below this width, intervals are left out too, so that the agents' names can be read."""


def render(result: MatchResult, width: int, *, tested: bool = False) -> RenderableType:
    """The result for a terminal of this many columns.

    Args:
        result: The result.
        width: The terminal's columns.
        tested: Whether a test could have ended the match.
    """
    score, intervals = width >= NARROW, width >= NARROWER
    swapped = "seats swapped" if result.swap else "seats fixed"
    heading = Text(printable(result.game), style="bold")
    count = len(result.games)
    if result.series > 1:
        swapped += f", the same agents for {result.series} games"
    heading.append(f"\n{counted(count, 'game')}, {swapped}, seed {result.seed}\n", style="not bold")
    table = plain_text.table()
    table.add_column(Text("agent", style="dim"), overflow="fold")
    headings = {"wins": True, "rate": True, "95 % interval": intervals, "score": score}
    for name in (*(each for each, shown in headings.items() if shown), "mean return"):
        table.add_column(Text(name, style="dim"), justify="right", no_wrap=True)
    for place, agent in enumerate(result.agents):
        low, high = result.intervals[place]
        mean, half = result.mean_returns[place], result.return_errors[place]
        cells = [
            str(result.wins[place]),
            f"{result.win_rates[place]:.3f}",
            *([f"{low:.3f} to {high:.3f}"] if intervals else []),
            *([f"{result.scores[place]:.3f}"] if score else []),
            plus_minus(mean, half) if intervals else f"{mean:+.3f}",
        ]
        table.add_row(plain_text.BreakableName(printable(agent)), *cells)
    lines: list[str] = []
    if result.shared:
        was = "was" if result.shared == 1 else "were"
        alone = "by no team alone" if result.teams else "by nobody alone"
        lines.append(f"{counted(result.shared, 'game')} {was} won {alone}.")
    for team, wins in result.team_wins.items():
        low, high = wilson(wins, count)
        lines.append(
            f"{team}: {counted(wins, 'game')}, {wins / count:.3f} ({low:.3f} to {high:.3f})"
        )
    if result.verdict is not None:
        lines.append(
            "Neither is better by as much as was asked."
            if result.verdict == "equal"
            else f"{printable(result.verdict)} is better: the match ended when that was clear."
        )
    elif tested:
        lines.append("The test cannot tell yet which is better, or that neither is.")
    kept = ""
    if result.resumed:
        were = "was" if result.resumed == 1 else "were"
        kept = f", {counted(result.resumed, 'game')} {were} there already"
    lines.append(f"{result.seconds:.1f} s{kept}")
    return Group(heading, table, Text("\n" + "\n".join(lines)))
