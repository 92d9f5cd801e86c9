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
import hashlib
import json
import math
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sleuth.data.version import version
from sleuth.planners.decision import NINETY_FIVE
from sleuth.planners.match import play_match
from sleuth.planners.match_statistics import wilson

HERE = Path(__file__).resolve().parent.parent
STATE = HERE / "reports" / "scotland_yard_tables"
PAGE = HERE / "docs" / "results" / "scotland_yard.md"
SEED = 2012
#: Every cell gets its first so many of all its games, in this order of rounds.
ROUNDS = (0.1, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True)
class Cell:
    """One number of the paper, or a setting of ours.

    Attributes:
        name: What it is called.
        seekers, hider: The agents, with what differs from their usual options.
        paper: The seekers' win rate in the paper in per cent; None where it has none.
        games: How many are wanted.
        playouts: Of both, where they make any.
    """

    name: str
    seekers: str
    hider: str
    paper: float | None = None
    games: int = 400
    playouts: int = 1_000

    @property
    def agents(self) -> tuple[str, str]:
        """Hider and seekers, as a match takes them."""
        return _with(self.hider, self.playouts), _with(self.seekers, self.playouts)

    @property
    def file(self) -> str:
        """Cells with equal agents share their games."""
        digest = hashlib.sha256(json.dumps([*self.agents, SEED]).encode()).hexdigest()
        return f"{digest[:16]}.jsonl"


@dataclass(frozen=True)
class Table:
    """Some cells with a heading, what they show, and what is to be said of the result.

    Attributes:
        word: Short name for the command line.
        title: Heading.
        about: One sentence on the setting.
        cells: In the order in which they are played.
        against_first: Whether the others are compared with the first, deal by deal.
        note: Where and why our numbers differ.
    """

    word: str
    title: str
    about: str
    cells: tuple[Cell, ...]
    against_first: bool = False
    note: str = ""


def _with(agent: str, playouts: int) -> str:
    name, colon, options = agent.partition(":")
    if name not in ("mcts", "vote", "average"):
        return agent
    return f"{name}:simulations={playouts}" + (f",{options}" if colon else "")


LIST = "belief=uniform"
#: The weights of the paper's own Table I, so that no other training changes a cell.
LC = "belief=paper_table"
PARANOID = "paranoid:cpu_seconds=0.05"
EXPECTIMAX = f"expectimax:cpu_seconds=0.05,{LC}"
ALL_DOUBLES = "mcts:filter=no,imagined=doubles"

TABLES = (
    Table(
        "III",
        "Playouts (Table III)",
        "Seekers without Location Categorization. The paper's players had 1 second, ours 1,000 "
        "playouts.",
        (
            Cell("seekers MC, hider MM", f"mcts:{LIST}", "mcts", 73.5),
            Cell("seekers MC, hider random", f"mcts:{LIST}", "mcts:playouts=random", 78.1),
            Cell("seekers random, hider MM", f"mcts:{LIST},playouts=random", "mcts", 39.7),
            Cell(
                "seekers random, hider random",
                f"mcts:{LIST},playouts=random",
                "mcts:playouts=random",
                49.0,
            ),
        ),
        note=(
            "At 1,000 playouts the seekers win far less often than in the paper's second, which "
            "is as its Table X shows for fewer playouts; the order is the same: greedy playouts "
            "help both sides, and the seekers more. Random playouts of the seekers suffer most "
            "from their small number."
        ),
    ),
    Table(
        "IV",
        "Determinization (Table IV)",
        "Without Location Categorization, greedy playouts. The paper's numbers are for 10,000 "
        "playouts, ours for 1,000.",
        (
            Cell("single tree", f"mcts:{LIST}", "mcts", 63.6),
            Cell("separate trees, average score", f"average:{LIST}", "mcts", 31.3),
            Cell("separate trees, majority vote", f"vote:{LIST}", "mcts", 35.1),
        ),
        note=(
            "With 1,000 playouts there is little to choose between one tree and averaged trees: "
            "each separate tree gets some dozens of playouts, which is enough for averages and "
            "too few for votes. The paper's distance between one tree and many is that of ten "
            "times the playouts."
        ),
    ),
    Table(
        "V",
        "Location Categorization (Table V)",
        "General table, one-step selection. The paper's numbers are for 10,000 playouts, ours for "
        "1,000.",
        (
            Cell("none", f"mcts:{LIST}", "mcts", 63.6),
            Cell("minimum distance", f"mcts:{LC}", "mcts", 67.7),
            Cell("average distance", "mcts:belief=average_distance_general_1", "mcts", 61.7),
            Cell("station type", "mcts:belief=station_general_1", "mcts", 58.6),
        ),
        note=(
            "With so few playouts and no Coalition Reduction, where the hider is thought to be "
            "changes less than chance does with these numbers of games. Minimum distance takes "
            "the weights of the paper's own Table I; the other two are counted in games of "
            "sleuth's agents."
        ),
    ),
    Table(
        "X",
        "Coalition Reduction (Table X)",
        "1,000 playouts, with Location Categorization, as in the paper.",
        (
            Cell("r = 0", f"mcts:{LC}", "mcts", 34.5),
            Cell("r = 0.1", f"mcts:{LC},r=0.1", "mcts", 43.0),
            Cell("r = 0.2", f"mcts:{LC},r=0.2", "mcts", 49.6),
            Cell("r = 0.4", f"mcts:{LC},r=0.4", "mcts", 55.6),
            Cell("r = 0.7", f"mcts:{LC},r=0.7", "mcts", 44.1),
            Cell("r = 1", f"mcts:{LC},r=1", "mcts", 26.0),
        ),
        note=(
            "At r = 0 our seekers win less often than the paper's, at r = 0.2 and more they win "
            "as often or more often; the best r is the same. Early in the game nearly every "
            "playout ends with the hider caught (97 of 100 at the first moves), so that with r = "
            "0 the moves of one seeker hardly differ in value; with r > 0 they do. How members "
            "and hider are credited then matters most where r is large, see the readings below: "
            "the paper says only that the result is backed up as in negamax."
        ),
    ),
    Table(
        "filter",
        "Move filtering",
        "1,000 playouts, with Location Categorization, r = 0. The paper's program of 2011: the "
        "hider wins 34.0 % with and 19.4 % without filtering. Without it the hider considers all "
        "legal moves, double moves below the root too.",
        (
            Cell("with filtering", f"mcts:{LC}", "mcts", 66.0),
            Cell("without filtering", f"mcts:{LC}", ALL_DOUBLES, 80.6),
        ),
        note=(
            "Filtering is worth more here than in the program of 2011. Without it the hider of "
            "ours also considers every move a second time as the first half of a double move, at "
            "every ply, which costs him most of his playouts."
        ),
    ),
    Table(
        "paranoid",
        "Against the paranoid hider (Table VI)",
        "Seekers with 1,000 playouts (the paper's: 10,000); the hider looks ahead for 0.05 seconds "
        "of processor time (the paper's: 1 second).",
        (
            Cell("without categorization", f"mcts:{LIST}", PARANOID, 83.4),
            Cell("with categorization", f"mcts:{LC}", PARANOID, 86.4),
        ),
        note=(
            "Against the paranoid hider too the seekers win less often with a tenth of the "
            "paper's playouts; in the paper as here he is easier to catch than the hider with "
            "playouts."
        ),
    ),
    Table(
        "XI",
        "Search with playouts against minimax (Table XI)",
        "Seekers with categorization, those with playouts with r = 0.1. 2,000 playouts, or 0.05 "
        "seconds of processor time (the paper's: 1 second for all).",
        (
            Cell("MCTS, hider MCTS", f"mcts:{LC},r=0.1", "mcts", 81.2, 200, 2_000),
            Cell("MCTS, hider paranoid", f"mcts:{LC},r=0.1", PARANOID, 94.9, 200, 2_000),
            Cell("expectimax, hider MCTS", EXPECTIMAX, "mcts", 45.0, 200, 2_000),
            Cell("expectimax, hider paranoid", EXPECTIMAX, PARANOID, 76.2, 200, 2_000),
        ),
    ),
    Table(
        "IX",
        "The paper's conclusions at its 10,000 playouts (Table IX)",
        "What the two techniques bring, alone and together.",
        (
            Cell("plain", f"mcts:{LIST}", "mcts", 63.6, 200, 10_000),
            Cell("with categorization", f"mcts:{LC}", "mcts", 67.7, 200, 10_000),
            Cell("with r = 0.1", f"mcts:{LIST},r=0.1", "mcts", 70.1, 200, 10_000),
            Cell("with both", f"mcts:{LC},r=0.1", "mcts", 76.2, 200, 10_000),
        ),
    ),
    Table(
        "beyond",
        "Beyond the paper",
        "1,000 playouts. The paper's best seekers with so few (categorization, r = 0.4), the same "
        "with worlds drawn from the exact filter with the learned model of the hider's moves, and "
        "with what a move would tell of where he is as a part of the objective (0.1 of a point, "
        "of two between a win and a loss, for a bit).",
        (
            Cell("the paper's best", f"mcts:{LC},r=0.4", "mcts", 55.6, 1_000),
            Cell("exact filter, learned moves", "mcts:belief=moves,r=0.4", "mcts", None, 1_000),
            Cell("and gain", "mcts:belief=moves,r=0.4,gain=0.1", "mcts", None, 1_000),
        ),
        against_first=True,
    ),
    Table(
        "readings",
        "What our readings matter",
        "Seekers with categorization, 1,000 playouts, each point that the paper leaves open read "
        "in another way. The first three are to be compared with r = 0 and r = 0.4 and r = 1 of "
        "Table X above.",
        (
            Cell(
                "r = 0.4, credited from the root's side", f"mcts:{LC},r=0.4,credited=root", "mcts"
            ),
            Cell(
                "r = 0.4, the hider gets the rest of it",
                f"mcts:{LC},r=0.4,credited=negamax",
                "mcts",
                55.6,
            ),
            Cell(
                "r = 1, the hider gets the rest of it",
                f"mcts:{LC},r=1,credited=negamax",
                "mcts",
                26.0,
            ),
            Cell("r = 0, n by availability", f"mcts:{LC},by_availability=yes", "mcts", 34.5),
            Cell("r = 0, observer's tree", f"mcts:{LC},information=observer", "mcts", 34.5),
            Cell("r = 0, double moves in the tree", f"mcts:{LC},imagined=doubles", "mcts", 34.5),
            Cell("r = 0, hider with a list of the moment", f"mcts:{LC}", "mcts:playouts=total_now"),
        ),
    ),
)


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
