"""The tables of the Scotland Yard paper, played again: how often the seekers win.

    python benchmarks/scotland_yard_tables.py --state DIR [--workers N] [--games N] [--cells WORD]
    python benchmarks/scotland_yard_tables.py --state DIR --report

"The paper" is Nijssen and Winands, "Monte Carlo Tree Search for the Hide-and-Seek Game Scotland
Yard", 2012. Every cell is a match of two agents, with the same deals in all cells. Finished games
are kept in DIR, a file for each match, so an interrupted run goes on where it was, game by game.
All cells get a few games first and then more, in rounds. The page is written after every round.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from scotland_yard_cells import SEED, TABLES, Cell, Table

from sleuth.data.version import version
from sleuth.planners.decision import NINETY_FIVE
from sleuth.planners.match import play_match
from sleuth.planners.match_statistics import wilson

HERE = Path(__file__).resolve().parent.parent
STATE = HERE / "reports" / "scotland_yard_tables"
PAGE = HERE / "docs" / "results" / "scotland_yard.md"
#: Every cell gets its first so many of all its games, in this order of rounds.
ROUNDS = (0.1, 0.25, 0.5, 0.75, 1.0)


def play(cell: Cell, games: int, state: Path, workers: int) -> None:
    """Play a cell up to so many games, and keep account of which sources played them."""
    state.mkdir(parents=True, exist_ok=True)
    path = state / cell.file
    before = len(finished(path))
    if before >= games:
        return
    start = time.time()
    result = play_match(
        "scotland_yard", cell.agents, games=games, seed=SEED, workers=workers, out=path
    )
    entry = {
        "hider": cell.agents[0],
        "seekers": cell.agents[1],
        "file": cell.file,
        "from": before,
        "to": len(result.games),
        "workers": workers,
        "seconds": round(time.time() - start, 1),
        "version": version(),
        "sources": sources(),
    }
    with (state / "runs.jsonl").open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(entry) + "\n")


def sources() -> str:
    """Which sources are being run: git's name of them, if it knows them."""
    asked = ["git", "-C", str(HERE), "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def finished(path: Path) -> list[bool]:
    """For every finished game in its order, as far as there is no gap, whether seekers won."""
    if not path.exists():
        return []
    won: dict[int, bool] = {}
    for line in path.read_bytes().split(b"\n")[1:-1]:
        try:
            game = json.loads(line)
            won[int(game["number"])] = game["returns"][1] > game["returns"][0]
        except (ValueError, KeyError):
            continue
    return [won[number] for number in range(len(won)) if number in won]


def percent(wins: int, games: int) -> tuple[str, str]:
    """A win rate and its interval, in per cent."""
    low, high = wilson(wins, games)
    return f"{100 * wins / games:.1f}", f"{100 * low:.1f} to {100 * high:.1f}"


def difference(first: Sequence[bool], second: Sequence[bool]) -> tuple[float, float, float]:
    """How much more often the first wins than the second, of games with the same deals.

    Returns:
        The difference of the win rates, and the ends of its 95 % interval.
    """
    games = min(len(first), len(second))
    each = np.array(first[:games], float) - np.array(second[:games], float)
    half = NINETY_FIVE * float(each.std(ddof=1)) / math.sqrt(games)
    return float(each.mean()), float(each.mean()) - half, float(each.mean()) + half


def page(state: Path) -> str:
    """The page of results, as far as there are any."""
    lines = [
        "# Scotland Yard: the paper's tables",
        "",
        "How often the seekers win, in per cent, beside the numbers of Nijssen and Winands, "
        '"Monte Carlo Tree Search for the Hide-and-Seek Game Scotland Yard" (2012), which are from '
        "1,000 games each (± 3). Ours are followed by a 95 % interval and the number of games; "
        "where there are fewer games than were planned, that number stands in brackets. Repeats "
        "of one setting inside the paper differ by up to 5 points.",
        "",
        f"All cells are played with the same deals (seed {SEED}). Written by "
        "`benchmarks/scotland_yard_tables.py`, which goes on where it was interrupted.",
        "",
    ]
    for table in TABLES:
        lines += [f"## {table.title}", "", table.about, ""]
        lines += ["| setting | paper | here | 95 % interval | games |", "|---|---|---|---|---|"]
        for cell in table.cells:
            paper = "" if cell.paper is None else f"{cell.paper:.1f}"
            won = finished(state / cell.file)[: cell.games]
            rate, interval = percent(sum(won), len(won)) if won else ("", "")
            count = str(len(won)) if len(won) == cell.games else f"{len(won)} ({cell.games})"
            lines.append(f"| {cell.name} | {paper} | {rate} | {interval} | {count} |")
        lines.append("")
        if table.against_first:
            lines += [*_compared(table, state), ""]
        lines += [table.note, ""] if table.note else []
        lines += ["Agents:", ""]
        for cell in table.cells:
            hider, seekers = cell.agents
            lines.append(f"- {cell.name}: `--hider {hider} --seekers {seekers}`")
        lines.append("")
    used = _sources(state)
    if used:
        lines += [f"Played by the sources {', '.join(f'`{one}`' for one in used)}.", ""]
    return "\n".join(lines)


def _compared(table: Table, state: Path) -> list[str]:
    baseline = finished(state / table.cells[0].file)
    lines = [f"| compared with {table.cells[0].name} | difference | 95 % interval | pairs |"]
    lines.append("|---|---|---|---|")
    for cell in table.cells[1:]:
        won = finished(state / cell.file)
        if min(len(won), len(baseline)) < 2:
            continue
        mean, low, high = (100 * value for value in difference(won, baseline))
        count = min(len(won), len(baseline))
        lines.append(f"| {cell.name} | {mean:+.1f} | {low:+.1f} to {high:+.1f} | {count} |")
    return lines


def _sources(state: Path) -> list[str]:
    path = state / "runs.jsonl"
    if not path.exists():
        return []
    runs = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return list(dict.fromkeys(str(run["sources"]) for run in runs))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--state", type=Path, default=STATE, help="folder of the games played")
    parser.add_argument("--page", type=Path, default=PAGE, help="where the page is written")
    parser.add_argument("--workers", type=int, default=1, help="processes")
    parser.add_argument("--games", type=int, default=None, help="at most so many for each cell")
    parser.add_argument("--cells", default="", help="only tables of these words, by commas")
    parser.add_argument("--report", action="store_true", help="only write the page")
    options = parser.parse_args(arguments)
    words = [word for word in options.cells.split(",") if word]
    unknown = [word for word in words if word not in {table.word for table in TABLES}]
    if unknown:
        parser.error(f"no such table: {unknown[0]}; known: {', '.join(t.word for t in TABLES)}")
    cells = [cell for table in TABLES if not words or table.word in words for cell in table.cells]
    for part in () if options.report else ROUNDS:
        for cell in cells:
            wanted = min(round(part * cell.games), options.games or cell.games)
            play(cell, wanted, options.state, options.workers)
            won = finished(options.state / cell.file)[: cell.games]
            rate, interval = percent(sum(won), len(won))
            print(f"{cell.name:32} {cell.playouts:6} {len(won):5} games {rate} ({interval})")
            sys.stdout.flush()
            write(options.page, options.state)
    write(options.page, options.state)
    return 0


def write(path: Path, state: Path) -> None:
    """Write the page."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page(state), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
