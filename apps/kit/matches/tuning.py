"""`sleuth tune`: a tournament of an agent with different options, and what came out."""

from __future__ import annotations

from pathlib import Path
from typing import Final, cast

from ....data.errors import SettingsError
from ....planners.agents import NamedAgent, parse_agent
from ....planners.tuning.options import candidates
from ....planners.tuning.pairings import Method
from ....planners.tuning.scores import By
from ....planners.tuning.tournament import TuningResult
from ....planners.tuning.tournament import tune as play
from ..answers.values import Cell, Column, Paragraph, Sheet, Statements
from ..console import Tell
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
    other = None if against == NOBODY else _with(parse_agent(against or agent, chosen), playouts)
    if folder is not None and not folder.exists():
        refuse_unwritable(folder, where="out")
    if workers == 0:
        raise SettingsError("one process is needed, or -1 for all cores", where="workers")
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


def tuning_summary(found: TuningResult) -> Statements:
    """The tournament: its candidates by rank, and what the final games say of the best one."""
    stages = f"{len(found.stages)} stages" if len(found.stages) > 1 else "one stage"
    played = (
        f"{len(found.candidates)} candidates, {found.method}, {stages}, {found.games} games, "
        f"seed {found.seed}"
    )
    scored = "won games, and halves" if found.by == "wins" else "returns; one half is even"
    lines = [f"Scores are of the last stage that a candidate played in: {scored}."]
    if found.final is not None and found.against is not None:
        low, high = found.final.interval
        verdict = {
            "better": "the best one is better",
            "worse": "the best one is worse",
            "not apart": "they cannot be told apart",
        }[found.verdict or "not apart"]
        lines.append(
            f"Against {found.against.text}, in {found.final.games} games that chose nobody: "
            f"{found.final.rate:.3f} ({low:.3f} to {high:.3f}); {verdict}."
        )
    lines.append(f"{found.seconds:.1f} s")
    return (
        Paragraph(found.game, "strong"),
        Paragraph(played, blank="below"),
        _candidates(found),
        Paragraph("\n".join(lines), blank="above"),
    )


def _candidates(found: TuningResult) -> Sheet:
    numbers = ("stage", "score", "95 % interval", "games")
    columns = (
        Column("candidate", joints=True),
        *(Column(each, "right", whole=True) for each in numbers),
    )
    rows: list[tuple[Cell, ...]] = []
    for number in found.order():
        stage, score = found.last(number)
        low, high = score.interval
        name = found.candidates[number].text
        rows.append(
            (
                Paragraph(name, "strong" if number == found.best else "plain"),
                str(stage),
                f"{score.rate:.3f}",
                f"{low:.3f} to {high:.3f}",
                str(score.games),
            )
        )
    return Sheet(columns, tuple(rows), close=0)
