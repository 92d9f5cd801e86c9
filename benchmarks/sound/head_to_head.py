"""Sound play against the search, head to head, in games too large to be written out.

    python -m benchmarks.sound.head_to_head [--cells WORD ...] [--agents AGENT AGENT]
        [--games N] [--keep FOLDER] [--workers N] [--json]

Each deal is played twice, with seats swapped. A cell is a game and the seconds of a decision, of
both agents alike; those that take least are played first. `--cells` are words of which all stand
in a cell's name, as `leduc` or `0.1`. With `--agents sound:least=0.3 mcts` others play, and cells
are named after them, too. Finished games are kept in `--keep FOLDER`, and the same
command goes on from there; with fewer `--games` every cell stops earlier. ``--json`` prints

    {"cells": {CELL: {"settings": {...}, "pace": seconds of a decision, MATCH}}}

where MATCH is what ``sleuth match --json`` prints: win rates, mean returns and their intervals.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sleuth import game, play_match

from .asked import timed

AGENTS = ("sound", "mcts")
KEEP = Path("soundness-matches")
SEED = 1


@dataclass(frozen=True)
class Cell:
    """Matches of one game at one pace.

    Attributes:
        game: The game.
        seconds: Of a decision.
        games: How many games there are.
        settings: Those of the game that are not usual.
    """

    game: str
    seconds: float
    games: int
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def name(self) -> str:
        return f"{self.game}-{self.seconds:g}s"


DICE = ("liars_dice_for_many", {"players": 2, "dice": 2, "wild": True})
CARDS = ("goofspiel", {"cards": 13, "order": "descending"})
ALL = (("leduc_poker", {}), DICE, CARDS, ("cheat", {}))
CELLS = (
    *(Cell(name, seconds, 400, chosen) for seconds in (0.01, 0.1) for name, chosen in ALL),
    *(Cell(name, 1.0, 100, chosen) for name, chosen in (DICE, CARDS)),
)


def name_of(cell: Cell, agents: Sequence[str]) -> str:
    """The name of a cell, with those of the agents unless they are the usual ones."""
    return " ".join((cell.name, *(() if tuple(agents) == AGENTS else agents)))


def played(
    cell: Cell, agents: Sequence[str], *, games: int, keep: Path, workers: int
) -> dict[str, Any]:
    """What came out of a cell, after so many games, at most all of its own."""
    keep.mkdir(parents=True, exist_ok=True)
    result = play_match(
        game(cell.game, **cell.settings),
        [timed(agent, cell.seconds) for agent in agents],
        games=min(games, cell.games),
        seed=SEED,
        workers=workers,
        out=keep / f"{re.sub(r'[^a-z0-9_.=-]+', '-', name_of(cell, agents))}.jsonl",
    )
    return {"settings": dict(cell.settings), "pace": cell.seconds, **result.to_json()}


def row(name: str, found: dict[str, Any]) -> str:
    """A cell as a line of text."""
    agent = found["agents"][0]
    low, high = found["intervals"][agent]
    mean, interval = found["mean_return"][agent], found["return_intervals"][agent]
    half = f"±{(interval[1] - interval[0]) / 2:.3f}" if interval else ""
    return (
        f"{name:<24}{found['games']:>6}{found['win_rate'][agent]:>8.3f} "
        f"({low:.3f} to {high:.3f}){mean:>9.3f} {half}"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cells", nargs="+", default=[], help="words in the names of cells")
    parser.add_argument("--agents", nargs=2, default=AGENTS, help="who plays; sound and mcts")
    parser.add_argument("--games", type=int, default=400, help="of each cell, at most")
    parser.add_argument("--keep", type=Path, default=KEEP, help="folder of finished games")
    parser.add_argument("--workers", type=int, default=1, help="processes")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    chosen = parser.parse_args(arguments)
    cells = [cell for cell in CELLS if all(word in cell.name for word in chosen.cells)]
    if not cells:
        parser.error(f"no such cell; there are {', '.join(cell.name for cell in CELLS)}")
    found: dict[str, dict[str, Any]] = {}
    head = f"{'cell':<24}{'games':>6}{'won':>8}{'a game':>25}"
    print(head, file=sys.stderr)
    for cell in cells:
        name = name_of(cell, chosen.agents)
        found[name] = played(
            cell, chosen.agents, games=chosen.games, keep=chosen.keep, workers=chosen.workers
        )
        print(row(name, found[name]), file=sys.stderr, flush=True)
    if chosen.json:
        print(json.dumps({"cells": found}, indent=1))
    else:
        print(head, *(row(name, each) for name, each in found.items()), sep="\n")
    return 0


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    raise SystemExit(main())
