"""What `sleuth train scotland-yard` does: play, learn, look how good it is, write."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, Final

from rich.table import Table

from ...data.disk.writing import make_folder
from ...data.version import version
from ...models.scotland_yard import scotland_yard
from ...training.scotland_yard.training import held_out_scores, refuse_taken, self_play
from ...training.scotland_yard.training import train as learn
from ..kit.console import Tell

GAMES: Final = "games.jsonl"


def train(
    *,
    games: int,
    seed: int,
    folder: Path,
    workers: int,
    hider: str,
    seekers: str,
    progress: Tell,
) -> dict[str, Any]:
    """Play, learn and write; what was learned and how good it is, as plain values.

    Raises:
        SettingsError: An agent is unknown, or the folder cannot be written.
    """
    begin = time.perf_counter()
    make_folder(folder, where="--out")
    refuse_taken(folder, where="--out")
    played = self_play(
        games=games,
        seed=seed,
        workers=workers,
        hider=hider,
        seekers=seekers,
        out=folder / GAMES,
        progress=progress,
    )
    progress("learning", 0, 2)
    game = scotland_yard()
    scores = held_out_scores(played, game)
    progress("learning", 1, 2)
    card = {
        "hider": hider,
        "seekers": seekers,
        "seed": seed,
        "source": "games of programs against each other, by sleuth",
    }
    trained = learn(played, game, card=card)
    files = trained.save(folder)
    return {
        "game": game.name,
        "games": len(played),
        "moves": trained.fitted.choices,
        "files": files | {"games": str(folder / GAMES)},
        "hider": hider,
        "seekers": seekers,
        "seed": seed,
        "move_log_loss": {"fitted": trained.fitted.log_loss, "even": trained.fitted.even_loss},
        "held_out": {
            "unit": "bits",
            "games": scores.games,
            "moments": len(scores.moments),
            "log_loss": {name: list(scores.loss(name)) for name in scores.names},
            "entropy": {name: list(scores.entropy(name)) for name in scores.names},
        },
        "seconds": time.perf_counter() - begin,
        "version": version(),
    }


def render(result: dict[str, Any]) -> Table:
    """The result as a table."""
    held_out = result["held_out"]
    table = Table(
        "belief",
        "log loss in bits",
        "entropy in bits",
        title=f"Where Mr. X is, after {held_out['moments']} moves in {held_out['games']} games "
        "that were held out",
        caption=f"{result['games']} games of {result['hider']} against {result['seekers']}, seed "
        f"{result['seed']}; written: {', '.join(result['files'].values())}",
    )
    for name, (mean, low, high) in held_out["log_loss"].items():
        entropy = held_out["entropy"][name][0]
        table.add_row(name, f"{mean:.2f} [{low:.2f}, {high:.2f}]", f"{entropy:.2f}")
    return table
