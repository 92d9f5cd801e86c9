"""`sleuth tune`: a tournament of an agent with different options, as a table or JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Final, cast

from rich.console import Group, RenderableType
from rich.text import Text

from ....data.errors import SettingsError
from ....planners.agents import NamedAgent, parse_agent
from ....planners.tuning.options import candidates
from ....planners.tuning.pairings import Method
from ....planners.tuning.scores import By
from ....planners.tuning.tournament import TuningResult
from ....planners.tuning.tournament import tune as play
from .. import plain_text
from ..console import Tell, printable
from ..writing import refuse_unwritable
from .asked import asked_game

NOBODY: Final = "none"


def tune(
    *,
    game: str,
    agent: str,
    options: str,
    count: int | None,
    games: int,
    method: str,
    by: str,
    against: str | None,
    final: int,
    playouts: int | None,
    workers: int,
    seed: int,
    folder: Path | None,
    progress: Tell,
) -> TuningResult:
    """Plays a tournament.

    Raises:
        SettingsError: Something does not fit.
    """
    chosen = asked_game(game)
    found = [_with(each, playouts) for each in candidates(agent, options, count=count, seed=seed)]
    other = None if against == NOBODY else _with(parse_agent(against or agent), playouts)
    if folder is not None and not folder.exists():
        refuse_unwritable(folder, option="--out")
    if workers == 0:
        raise SettingsError("one process is needed, or -1 for all cores", where="--workers")
    return play(
        chosen,
        found,
        games=games,
        method=cast(Method, method),
        by=cast(By, by),
        against=other,
        final=final,
        seed=seed,
        workers=workers,
        out=folder,
        progress=progress,
    )


def _with(agent: NamedAgent, playouts: int | None) -> NamedAgent:
    return agent if playouts is None else agent.with_simulations(playouts)


def render(found: TuningResult, width: int) -> RenderableType:
    """The tournament for a terminal of this many columns."""
    heading = Text(printable(found.game), style="bold")
    stages = f"{len(found.stages)} stages" if len(found.stages) > 1 else "one stage"
    heading.append(
        f"\n{len(found.candidates)} candidates, {found.method}, {stages}, {found.games} games, "
        f"seed {found.seed}\n",
        style="not bold",
    )
    table = plain_text.table()
    table.add_column(Text("candidate", style="dim"), overflow="fold")
    for name in ("stage", "score", "95 % interval", "games"):
        table.add_column(Text(name, style="dim"), justify="right", no_wrap=True)
    for number in found.order():
        stage, score = found.last(number)
        low, high = score.interval
        table.add_row(
            plain_text.BreakableName(
                printable(found.candidates[number].text),
                style="bold" if number == found.best else "",
            ),
            str(stage),
            f"{score.rate:.3f}",
            f"{low:.3f} to {high:.3f}",
            str(score.games),
        )
    scored = "won games, and halves" if found.by == "wins" else "returns; one half is even"
    lines = [f"\nScores are of the last stage that a candidate played in: {scored}."]
    if found.final is not None and found.against is not None:
        low, high = found.final.interval
        verdict = {
            "better": "the best one is better",
            "worse": "the best one is worse",
            "not apart": "they cannot be told apart",
        }[found.verdict or "not apart"]
        lines.append(
            f"Against {printable(found.against.text)}, in {found.final.games} games that chose "
            f"nobody: {found.final.rate:.3f} ({low:.3f} to {high:.3f}); {verdict}."
        )
    lines.append(f"{found.seconds:.1f} s")
    return Group(heading, table, Text("\n".join(lines)))
