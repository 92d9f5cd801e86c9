"""The tables of the Scotland Yard paper, played again: how often the seekers win.

    python benchmarks/scotland_yard_tables.py --state DIR [--workers N] [--games N] [--cells WORD]
    python benchmarks/scotland_yard_tables.py --state DIR --report

"The paper" is Nijssen and Winands, "Monte Carlo Tree Search for the Hide-and-Seek Game Scotland
Yard", 2012. Every cell is a match of two agents, with the same deals in all cells. Finished games
are kept in DIR, a file for each match, so an interrupted run goes on where it was, game by game.
All cells get a few games first and then more, in rounds. After every round the page is written, and
who won each game is kept beside it, so that another machine goes on with the games that follow.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import outcomes
import table_runs
from outcomes import Outcomes
from scotland_yard_cells import COALITION, SEED, Cell, Table
from scotland_yard_lists import LIST_TABLES
from scotland_yard_minimax import MINIMAX_TABLES
from scotland_yard_readings import READING_TABLES

from sleuth.models.scotland_yard import scotland_yard
from sleuth.planners.matches.match_file import read_games
from sleuth.planners.matches.match_statistics import wilson
from sleuth.planners.search.decision import NINETY_FIVE

#: In the order of the page.
TABLES = (*LIST_TABLES, *READING_TABLES, *MINIMAX_TABLES)
STATE = table_runs.HERE / "reports" / "scotland_yard_tables"
PAGE = table_runs.HERE / "docs" / "results" / "scotland_yard.md"
KEPT = table_runs.kept_beside(PAGE)
NOTHING: Mapping[str, Outcomes] = {}
#: The column of outcomes: 1 where the seekers won.
WON = "won"
#: With fewer games nothing is said of whether a row agrees.
FEWEST = 20
#: Readings of the hider's playouts, and the tables that have Table X by them.
READINGS = {
    "captures, list of the root": ("X", "X2", "IX"),
    "list of the leaf": ("leaf", "leaf25", "leaf10"),
    "list of the moment, the text's": ("text", "text25", "text10"),
    "the same, twice the playouts for seekers": ("twice", "twice25", "twice10"),
}
#: The names of the rows of Table X.
ROWS = {f"r = {r:g}" for r, *_ in COALITION}
#: Every cell gets its first so many of all its games, in this order of rounds.
ROUNDS = (0.1, 0.25, 0.5, 0.75, 1.0)


def play(cell: Cell, games: int, state: Path, workers: int, kept: Path = KEPT) -> None:
    """Play a cell up to so many games."""
    before = len(finished(cell, state, outcomes.read(kept)))
    path = state / cell.file
    table_runs.play_on(
        "scotland_yard", cell.agents, path, before=before, games=games, seed=SEED, workers=workers
    )


def finished(cell: Cell, state: Path, kept: Mapping[str, Outcomes] = NOTHING) -> Outcomes:
    """For every finished game in its order, as far as there is no gap, whether seekers won."""
    games = read_games(state / cell.file, scotland_yard(), agents=2)
    won = {number: {WON: float(g.returns[1] > g.returns[0])} for number, g in games.items()}
    before = kept.get(cell.file) or outcomes.nothing(cell.file, cell.agents, [WON])
    return before.continued(won, table_runs.played_by(state).get(cell.file, ()))


def percent(wins: float, games: int) -> tuple[str, str]:
    """A win rate and its interval, in per cent."""
    low, high = wilson(round(wins), games)
    return f"{100 * wins / games:.1f}", f"{100 * low:.1f} to {100 * high:.1f}"


def difference(first: Outcomes, second: Outcomes) -> tuple[float, float, float, int]:
    """How much more often the first wins than the second, of games with the same deals.

    Returns:
        The difference of the win rates, the ends of its 95 % interval, and the number of games.
    """
    one, other = first.column(WON), second.column(WON)
    each = np.array([one[number] - other[number] for number in one if number in other])
    if len(each) < 2:
        return math.nan, math.nan, math.nan, len(each)
    half = NINETY_FIVE * float(each.std(ddof=1)) / math.sqrt(len(each))
    return float(each.mean()), float(each.mean()) - half, float(each.mean()) + half, len(each)


def page(found: Mapping[str, Outcomes]) -> str:
    """The page of results, as far as there are any, from the outcomes by the files of the cells."""
    lines = [
        "# Scotland Yard: the paper's tables",
        "",
        "How often the seekers win, in per cent, beside the numbers of Nijssen and Winands, "
        '"Monte Carlo Tree Search for the Hide-and-Seek Game Scotland Yard" (2012), which are from '
        "1,000 games each (± 3). Ours are followed by a 95 % interval and the number of games; if "
        "fewer games were played than planned, the planned number follows in brackets. Repeats "
        'of one setting inside the paper differ by up to 6 points. In the last column, "agrees" '
        'means that the paper\'s number lies in our interval, otherwise our number is "higher" or '
        f'"lower"; with fewer than {FEWEST} games the cell is empty. If the paper\'s own '
        "uncertainty changes how many rows agree, a line below the table says so (by Newcombe's "
        "interval for the difference of two rates). A difference that is measured deal by deal is "
        "one between games with the same deals.",
        "",
        f"All cells are played with the same deals (seed {SEED}). Written by "
        "`benchmarks/scotland_yard_tables.py`, which goes on where it was interrupted. What was "
        "played by [our first readings](scotland_yard_first_readings.md) is on a page of its own.",
        "",
        "**The readings of this page.** In the hider's playouts detectives minimise the sum of "
        "the distances to all stations of a list. By the text the list changes with every move. "
        "We call this *the list of the moment* (`playouts=total_now`); it is the agents' default. "
        "(The text says so of the game's list only. That it holds in playouts, too, is our "
        "reading, called *the text's* below.) Most tables use *the list of the root*, which stays "
        "as it was at the root of the search. In these tables detectives also capture the hider "
        "if they can (`total_capture`); the text says nothing of that. *The list of the leaf* "
        "(`total_leaf`) stays as it was when the playout began. If a table names no reading, its "
        "reading is captures with the list of the root.",
        "",
        *_summary(found),
    ]
    waiting = table_runs.waiting(TABLES, lambda file: len(found[file]) > 0)
    for table in TABLES:
        if table in waiting:
            continue
        won = {cell: found[cell.file].cut(cell.games) for cell in table.cells}
        lines += [f"## {table.title}", "", table.about, ""]
        lines += ["| setting | paper | here | 95 % interval | games | |", f"|{6 * '---|'}"]
        lines += [_line(cell, won[cell]) for cell in table.cells if len(won[cell])]
        unplayed = [cell.name for cell in table.cells if not len(won[cell])]
        lines += ["", f"Not played yet: {'; '.join(unplayed)}."] if unplayed else []
        lines += ["", *_agreement(table, won)]
        if table.against_first:
            lines += [*_compared(table, found), ""]
        lines += [table.note, ""] if table.note else []
        lines += _agents(table)
    if waiting:
        lines += ["## Not played yet", "", *(f"- {table.title}" for table in waiting), ""]
    return "\n".join(lines + table_runs.sources_line(found.values()))


def _agents(table: Table) -> list[str]:
    """Which agents play each row, folded until a reader opens it."""
    lines = ["<details>", "<summary>Agents of each row</summary>", ""]
    for cell in table.cells:
        hider, seekers = cell.agents
        lines.append(f"- {cell.name}: `--hider {hider} --seekers {seekers}`")
    return [*lines, "", "</details>", ""]


def _summary(found: Mapping[str, Outcomes]) -> list[str]:
    """How many rows of Table X agree by each reading, and by how much seekers win more."""
    lines: list[str] = []
    for reading, words in READINGS.items():
        columns: list[str] = []
        for word in words:
            cells = [cell for table in TABLES if table.word == word for cell in table.cells]
            rows = [(cell, found[cell.file].cut(cell.games)) for cell in cells]
            rows = [(cell, won) for cell, won in rows if cell.name in ROWS and verdict(cell, won)]
            agree = sum(verdict(cell, won) == "agrees" for cell, won in rows)
            more = [100 * won.total(WON) / len(won) - (cell.paper or 0.0) for cell, won in rows]
            mean = f" ({np.mean(more):+.1f})" if rows else ""
            columns.append(f"{agree} of {len(rows)}{mean}" if rows else "")
        if any(columns):
            lines.append(f"| {reading} | {' | '.join(columns)} |")
    if not lines:
        return []
    return [
        "No reading explains all tables. This table counts in how many rows of Table X the "
        "paper's number lies in our interval. In brackets it gives the mean difference in points, "
        "ours minus the paper's:",
        "",
        "| reading | 1,000 playouts | 2,500 | 10,000 |",
        "|---|---|---|---|",
        *lines,
        "",
        "Rows of 100 games have wider intervals, and so agree more easily. Only captures with "
        "1,000 and 2,500 playouts have rows of 400. With 1,000 playouts two readings come near "
        "the paper's numbers: captures with the list of the root, and the list of the leaf. With "
        "10,000 the text's list comes nearest. If seekers have twice the hider's playouts, the "
        "text's list comes near with few playouts, but not with 10,000. The text says nothing of "
        "such an advantage, so this measures the gap; it is not a reading of the text.",
        "",
    ]


def _line(cell: Cell, won: Outcomes) -> str:
    """What the page says of a cell with games."""
    paper = "" if cell.paper is None else f"{cell.paper:.1f}"
    count = str(len(won)) if len(won) == cell.games else f"{len(won)} ({cell.games})"
    rate, interval = percent(won.total(WON), len(won))
    return f"| {cell.name} | {paper} | {rate} | {interval} | {count} | {verdict(cell, won)} |"


def verdict(cell: Cell, won: Outcomes) -> str:
    """Whether a cell agrees with the paper; empty if there is nothing to compare, or too little."""
    if cell.paper is None or len(won) < FEWEST:
        return ""
    low, high = wilson(round(won.total(WON)), len(won))
    # As the page rounds them, so that readers find what they see.
    low, high = round(100 * low, 1), round(100 * high, 1)
    return "higher" if cell.paper < low else "lower" if cell.paper > high else "agrees"


def newcombe(first: float, of_first: int, second: float, of_second: int) -> tuple[float, float]:
    """The 95 % interval of the difference of two rates, from wins and games of each.

    Source: R. G. Newcombe, "Interval estimation for the difference between independent
    proportions", Statistics in Medicine 17 (1998), method 10: from the ends of Wilson's intervals.
    """
    one, other = first / of_first, second / of_second
    (low, high), (other_low, other_high) = (
        wilson(round(wins), games) for wins, games in ((first, of_first), (second, of_second))
    )
    down, up = math.hypot(one - low, other_high - other), math.hypot(high - one, other - other_low)
    return one - other - down, one - other + up


def _agreement(table: Table, won: Mapping[Cell, Outcomes]) -> list[str]:
    """How many of the paper's numbers agree, if there are some."""
    verdicts = {cell: verdict(cell, won[cell]) for cell in table.cells}
    compared = [cell for cell, said in verdicts.items() if said]
    if len(compared) < 2:
        return []
    agree = list(verdicts.values()).count("agrees")
    found = f"The paper's number lies in our interval in {agree} of {len(compared)} rows"
    if (of := table.paper_games) is None:
        return [f"{found}.", ""]
    ends = [
        newcombe(won[cell].total(WON), len(won[cell]), (cell.paper or 0.0) * of / 100, of)
        for cell in compared
    ]
    alike = sum(low <= 0 <= high for low, high in ends)
    counted = f"; with the paper's own uncertainty {alike} rows cannot be told apart from it"
    more = "" if alike == agree else counted
    return [f"{found}{more}.", ""]


def _compared(table: Table, found: Mapping[str, Outcomes]) -> list[str]:
    baseline = found[table.cells[0].file]
    lines = [f'| compared with "{table.cells[0].name}" | difference | 95 % interval | pairs |']
    lines.append("|---|---|---|---|")
    for cell in table.cells[1:]:
        *ends, count = difference(found[cell.file], baseline)
        if count > 1:
            mean, low, high = (100 * value for value in ends)
            lines.append(f"| {cell.name} | {mean:+.1f} | {low:+.1f} to {high:+.1f} | {count} |")
    return lines


def play_share(cell: Cell, share: float, options: argparse.Namespace) -> str:
    """Play a cell up to a share of its games, and say how it stands."""
    wanted = round(share * cell.games)
    most = min(wanted, options.games or wanted)
    play(cell, most, options.state, options.workers, options.kept)
    won = finished(cell, options.state, outcomes.read(options.kept)).cut(cell.games)
    rate, interval = percent(won.total(WON), len(won))
    return f"{cell.name:32} {cell.playouts:6} {len(won):5} games {rate} ({interval})"


def main(arguments: Sequence[str] | None = None) -> int:
    return table_runs.run(
        TABLES,
        arguments,
        doc=__doc__ or "",
        state=STATE,
        page=PAGE,
        rounds=ROUNDS,
        play=play_share,
        finished=finished,
        write=write,
    )


def write(path: Path, found: Mapping[str, Outcomes]) -> None:
    """Write the page."""
    path.write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    sys.exit(main())
