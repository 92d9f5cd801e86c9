"""Saboteur's agents against each other: for each side one kind of agents, and how often miners win.

    python -m benchmarks.saboteur.matches [--rounds N] [--cell WORD] [--gains] [--out FILE]
        [--report] [--json]

A cell is the game's rules, what all miners play, and what all saboteurs play; all cells have the
same deals. The agents of the paper play by its rules on its board of 13 x 13 cells, the public
program by those of the card game on the 9 x 5 cells it is made for. With ``--out`` finished rounds
are kept, and a run that was interrupted goes on from there. ``--cell`` plays only the cells whose
name has this word in it; ``--gains`` those in which our agents weigh what an action tells them
about roles and gold, and those that they are compared with. ``--report`` plays nothing.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sleuth import Play
from sleuth.agents import parse_agent
from sleuth.data.disk.growing import append_line, read_lines
from sleuth.data.intervals import NINETY_FIVE, wilson
from sleuth.models.saboteur.state import MINERS_WIN
from sleuth.planners.agents.agent import seed_of

from ..tables.runs import sources
from ..tables.sharing import add_workers, jobs_there
from .setups import played_game

#: Rounds that a worker plays at a time.
CHUNK = 25
#: What a bit about roles and gold may be worth; 0 is ours.
GAINS = {
    f"gain {weight:g}": f"mcts:simulations=600,gain={weight:g}" for weight in (0.02, 0.05, 0.1, 0.2)
}
#: The search with our belief, the same with roles and gold drawn evenly, the paper's agents with
#: the factor that leaves them some worlds, and the public program.
MINERS = {
    "ours": "mcts:simulations=600",
    "uniform": "mcts:simulations=600,belief=uniform",
    "paper": "dwarf:factor=1.5",
    "trust": "trust",
    **GAINS,
}
SABOTEURS = {
    "ours": "mcts:simulations=600",
    "uniform": "mcts:simulations=600,belief=uniform",
    "hiding": "mcts:simulations=600,hiding=0.05",
    "explicit": "dwarf:factor=1.5,saboteurs=explicit",
    "switching": "dwarf:factor=1.5,saboteurs=switching",
    "hidden": "dwarf:factor=1.5,saboteurs=hidden",
    "trust": "trust",
    "random": "random",
    **GAINS,
}


class Cell(NamedTuple):
    """What plays whom.

    Attributes:
        rules: A preset of the game.
        miners: A name in `MINERS`.
        saboteurs: A name in `SABOTEURS`.
    """

    rules: str
    miners: str
    saboteurs: str

    @property
    def name(self) -> str:
        """What it is called."""
        return "/".join(self)


OTHERS = ("ours", "uniform", "paper", "trust")
CELLS = (
    *(
        Cell("paper", miners, saboteurs)
        for saboteurs in ("explicit", "switching", "hidden")
        for miners in OTHERS
    ),
    *(Cell("tight", miners, saboteurs) for saboteurs in ("trust", "random") for miners in OTHERS),
    *(Cell("paper", "paper", saboteurs) for saboteurs in ("ours", "uniform", "trust", "hiding")),
    *(Cell("tight", "trust", saboteurs) for saboteurs in ("ours", "uniform", "explicit", "hidden")),
    *(Cell(rules, "ours", "ours") for rules in ("paper", "tight")),
)
GAIN_CELLS = tuple(
    cell
    for gain in ("ours", *GAINS)
    for cell in (
        Cell("paper", gain, "explicit"),
        Cell("paper", gain, "switching"),
        Cell("tight", gain, "trust"),
        Cell("paper", "paper", gain),
        Cell("tight", "trust", gain),
    )
)
ALL = tuple(dict.fromkeys((*CELLS, *GAIN_CELLS)))


def play_rounds(cell: Cell, numbers: Sequence[int], version: str) -> list[dict[str, Any]]:
    """Play rounds of a cell by sources of this name; what became of each."""
    played = played_game(cell.rules)
    texts = MINERS[cell.miners], SABOTEURS[cell.saboteurs]
    makes = [parse_agent(text).prepare(played) for text in texts]
    found: list[dict[str, Any]] = []
    for number in numbers:
        start = time.process_time()
        play = Play.new(played, seed=seed_of(1, number))
        roles = play.truth()[0].roles.tolist()
        agents = [
            makes[roles[player]](seed_of(3, number, player)) for player in range(played.players)
        ]
        while not play.over:
            player = play.player
            play.apply(agents[player].decide(play.view(player), play.seen_by(player)))
        found.append(
            {
                "cell": cell.name,
                "round": number,
                "miners_win": bool(play.truth()[0].winner == MINERS_WIN),
                "seconds": round(time.process_time() - start, 3),
                "sources": version,
            }
        )
    return found


def table(rounds: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the rounds of each cell say."""
    found: list[dict[str, Any]] = []
    for cell in ALL:
        own = [each for each in rounds if each["cell"] == cell.name]
        if own:
            wins = sum(each["miners_win"] for each in own)
            found.append(
                {
                    **cell._asdict(),
                    "rounds": len(own),
                    "miners_win": wins / len(own),
                    "interval": list(wilson(wins, len(own))),
                    "seconds": sum(each["seconds"] for each in own) / len(own),
                }
            )
    return found


def differences(rounds: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """How much more often our side wins than another on its side, with the same deals."""
    won = {(each["cell"], each["round"]): float(each["miners_win"]) for each in rounds}
    found: list[dict[str, Any]] = []
    for side, sign in (("miners", 1.0), ("saboteurs", -1.0)):
        for cell in ALL:
            ours = cell._replace(**{side: "ours"})
            both = [number for name, number in won if name == ours.name]
            both = [number for number in both if (cell.name, number) in won]
            if ours == cell or len(both) < 2:
                continue
            apart = [sign * (won[ours.name, n] - won[cell.name, n]) for n in both]
            half = NINETY_FIVE * float(np.std(apart, ddof=1)) / len(apart) ** 0.5
            found.append(
                {
                    "ours": ours.name,
                    "other": cell.name,
                    "more": float(np.mean(apart)),
                    "half": half,
                    "rounds": len(apart),
                }
            )
    return found


def written(rows: Sequence[dict[str, Any]]) -> str:
    """The table in Markdown."""
    lines = [
        "| rules | miners | saboteurs | rounds | miners win | 95 % | CPU s a round |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        low, high = row["interval"]
        lines.append(
            f"| {row['rules']} | {row['miners']} | {row['saboteurs']} | {row['rounds']} "
            f"| {row['miners_win']:.3f} | {low:.3f} to {high:.3f} | {row['seconds']:.2f} |"
        )
    return "\n".join(lines)


def compared(apart: Sequence[dict[str, Any]]) -> str:
    """The differences, a line for each."""
    lines = [
        f"{row['ours']} wins {100 * row['more']:.0f} ± {100 * row['half']:.0f} points more than "
        f"{row['other']} ({row['rounds']} deals)"
        for row in apart
    ]
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=1_000, help="of each cell")
    parser.add_argument("--cell", default="", help="only cells with this word in their name")
    parser.add_argument("--gains", action="store_true", help="what a bit is worth")
    add_workers(parser)
    parser.add_argument("--out", type=Path, default=None, help="where finished rounds are kept")
    parser.add_argument("--report", action="store_true", help="only what is there already")
    parser.add_argument("--json", action="store_true", help="print JSON")
    asked: Any = parser.parse_args(arguments)
    cells = [cell for cell in (GAIN_CELLS if asked.gains else CELLS) if asked.cell in cell.name]
    if not cells:
        parser.error(f"no such cell: {asked.cell}; known: {', '.join(c.name for c in ALL)}")
    kept = read_lines(asked.out) if asked.out is not None and asked.out.exists() else []
    done = {(each["cell"], each["round"]) for each in kept}
    rounds = [each for each in kept if each["round"] < asked.rounds]
    # Every cell gets some rounds first and then more.
    chunks = [
        (cell, todo)
        for first in range(0, 0 if asked.report else asked.rounds, CHUNK)
        for cell in cells
        if (
            todo := [
                number
                for number in range(first, min(first + CHUNK, asked.rounds))
                if (cell.name, number) not in done
            ]
        )
    ]
    version = sources()
    jobs = [(cell, todo, version) for cell, todo in chunks]
    for played in jobs_there(asked, play_rounds, jobs):
        rounds.extend(played)
        if asked.out is not None:
            for each in played:
                append_line(asked.out, json.dumps(each))
        print(f"\r{len(rounds)} rounds", end="", file=sys.stderr)
    print(file=sys.stderr)
    rows, apart = table(rounds), differences(rounds)
    if asked.json:
        print(json.dumps({"cells": rows, "differences": apart}))
    else:
        print(f"{written(rows)}\n\n{compared(apart)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
