"""What the scripts that judge models of behaviour on recorded games have in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sleuth import Game, play_match
from sleuth.kit import Played

DRAWS = 2_000
#: Chances below this are counted as this.
LEAST = 1e-9

Array = np.ndarray[Any, np.dtype[Any]]


def interval(values: Array, seed: int) -> tuple[float, float]:
    """95 % of the means of games drawn again."""
    rng = np.random.default_rng(seed)
    drawn = values[rng.integers(len(values), size=(DRAWS, len(values)))].mean(axis=1)
    low, high = np.quantile(drawn, (0.025, 0.975))
    return float(low), float(high)


def self_play(
    game: Game, agent: str, *, games: int, seed: int, name: str, out: Path | None
) -> Iterable[Played]:
    """Games of an agent against itself; kept in a folder, by a name for their rules, if asked."""
    kept = None
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        word = "".join(letter if letter.isalnum() else "_" for letter in agent)
        kept = out / f"{name}_{word}.jsonl"
    result = play_match(game, [agent] * game.players, games=games, seed=seed, swap=False, out=kept)
    return (Played(one.replay(game).record(), game) for one in result.games)


def compared(title: str, losses: Array, base: Array, seed: int) -> dict[str, Any]:
    """A model's log loss of each game, and how much more it is than another's."""
    return {
        "model": title,
        "games": len(losses),
        "log_loss": float(losses.mean()),
        "interval": interval(losses, seed),
        "beyond": float((losses - base).mean()),
        "beyond_interval": interval(losses - base, seed),
    }


def written(rows: Sequence[dict[str, Any]], base: str, parts: str) -> str:
    """The table in Markdown.

    Args:
        rows: As `compared` makes them, with the agent and the losses by moment.
        base: The model that the others are compared with.
        parts: The moments, in words.
    """
    lines = [
        f"| agents | games | model | log loss | 95 % | more than {base} | 95 % | {parts} |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        (low, high), (less, most) = row["interval"], row["beyond_interval"]
        by = ", ".join(f"{each:.2f}" for each in row["by_moment"])
        more = f"{row['beyond']:+.3f} | {less:+.3f} to {most:+.3f}"
        lines.append(
            f"| `{row['agent']}` | {row['games']} | {row['model']} | {row['log_loss']:.3f} "
            f"| {low:.3f} to {high:.3f} | {more} | {by} |"
        )
    return "\n".join(lines)
