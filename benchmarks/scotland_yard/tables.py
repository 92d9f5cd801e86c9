"""The tables of the Scotland Yard paper, played again: how often the seekers win.

    python -m benchmarks.scotland_yard.tables --state DIR [--workers N] [--games N] [--cells WORD]
    python -m benchmarks.scotland_yard.tables --state DIR --report [--json]

"The paper" is Nijssen and Winands, "Monte Carlo Tree Search for the Hide-and-Seek Game Scotland
Yard", 2012. Every cell is a match of two agents, with the same deals in all cells. Finished games
are kept in DIR, a file for each match, so an interrupted run goes on where it was, game by game.
All cells get a few games first and then more, in rounds. After every round the page is written, and
who won each game is kept beside it, so that another machine goes on with the games that follow.
``--json`` prints the tables of ``--cells`` (all by default):

    {"tables": {WORD: [{"setting": str, "hider": agent, "seekers": agent, "paper": rate or null,
                        "games": n, "rate": r, "interval": [low, high],
                        "against_first": {"difference": d, "interval": [low, high], "pairs": n}
                                         or null}]},
     "version": str}

Rates are those of the seekers' wins, with 95 % intervals; null without games.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from sleuth.data.intervals import NINETY_FIVE, wilson
from sleuth.games.scotland_yard import scotland_yard
from sleuth.planners.matches.match_file import read_games

from ..tables import outcomes
from ..tables import runs as table_runs
from ..tables import tests as table_tests
from ..tables.conclusions import conclusions
from ..tables.in_short import in_front
from ..tables.outcomes import Outcomes
from ..tables.tests import Together
from .cells import COALITION, SEED, Cell, Table
from .hiders import HIDER_TABLES
from .holes import holes
from .lists import LIST_TABLES
from .minimax import MINIMAX_TABLES
from .readings import READING_TABLES

#: In the order of the page.
TABLES = (*LIST_TABLES, *READING_TABLES, *HIDER_TABLES, *MINIMAX_TABLES)
STATE = table_runs.HERE / "reports" / "scotland_yard_tables"
PAGE = table_runs.HERE / "docs" / "results" / "scotland_yard.md"
KEPT = table_runs.kept_beside(PAGE)
NOTHING: Mapping[str, Outcomes] = {}
#: What is said of the tables.
CONCLUSIONS = Path(__file__).with_name("conclusions.md")
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


def rate(found: Mapping[str, Outcomes], cell: Cell) -> tuple[float, tuple[float, float]]:
    """How often the seekers of a cell win, and its interval; not a number without games."""
    won = found[cell.file].cut(cell.games)
    if not len(won):
        return math.nan, (math.nan, math.nan)
    return won.total(WON) / len(won), wilson(round(won.total(WON)), len(won))


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
    every = [[row.won for row in rows_of(table, found)] for table in TABLES]
    alike = table_tests.likeness(every, WON)
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
        "`benchmarks/scotland_yard/tables.py`, which goes on where it was interrupted. What was "
        "played by [our first readings](first_readings.md) is on a page of its own.",
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
        *_summary(found, alike),
    ]
    tests = tests_of(TABLES, found, alike)
    lines += _all_tests(tests, found) if len(tests) > 1 else []
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
        lines += ["", *_agreement(table, won, tests.get(table.word))]
        if table.against_first:
            lines += [*_compared(table, found), ""]
        lines += conclusion(table, found)
        lines += _agents(table)
    if waiting:
        lines += ["## Not played yet", "", *(f"- {table.title}" for table in waiting), ""]
    lines += table_runs.sources_line(found.values())
    return in_front("\n".join(lines), "scotland_yard")


def conclusion(table: Table, found: Mapping[str, Outcomes]) -> list[str]:
    """What is said of a table, if something is."""
    there = table.word in conclusions(CONCLUSIONS)
    return [_filled(table.word, table, found), ""] if there else []


def _filled(word: str, table: Table, found: Mapping[str, Outcomes]) -> str:
    """A section of the conclusions, with the numbers of a table's outcomes."""
    filled = holes(table, TABLES, found, partial(rate, found), difference)
    return conclusions(CONCLUSIONS)[word].format_map(filled)


def _agents(table: Table) -> list[str]:
    """Which agents play each row, folded until a reader opens it."""
    lines = ["<details>", "<summary>Agents of each row</summary>", ""]
    for cell in table.cells:
        hider, seekers = cell.agents
        lines.append(f"- {cell.name}: `--hider {hider} --seekers {seekers}`")
    return [*lines, "", "</details>", ""]


def _summary(found: Mapping[str, Outcomes], alike: float) -> list[str]:
    """How many rows of Table X agree by each reading, and by how much seekers win more."""
    lines: list[str] = []
    for reading, words in READINGS.items():
        columns: list[str] = []
        for word in words:
            table = next((each for each in TABLES if each.word == word), None)
            if table is None:
                continue
            cells = [cell for cell in table.cells if cell.name in ROWS]
            said = [verdict(cell, found[cell.file].cut(cell.games)) for cell in cells]
            agree, count = said.count("agrees"), len(list(filter(None, said)))
            test = tests_of([replace(table, cells=tuple(cells))], found, alike).get(word)
            mean = (
                f" ({100 * test.mean:+.1f} ± {100 * NINETY_FIVE * test.error:.1f})" if test else ""
            )
            columns.append(f"{agree} of {count}{mean}" if count else "")
        if any(columns):
            lines.append(f"| {reading} | {' | '.join(columns)} |")
    if not lines:
        return []
    of = next(table for table in TABLES if table.word == "X")
    before, after = _filled("summary", of, found).split("\n\nTABLE\n\n")
    head = ["| reading | 1,000 playouts | 2,500 | 10,000 |", "|---|---|---|---|"]
    return [before, "", *head, *lines, "", after, ""]


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


def rows_of(table: Table, found: Mapping[str, Outcomes]) -> list[table_tests.Row]:
    """The rows of a table that are compared with the paper's."""
    rows: list[table_tests.Row] = []
    for cell in table.cells:
        won = found[cell.file].cut(cell.games)
        if cell.paper is not None and verdict(cell, won):
            rows.append(table_tests.Row(cell.name, won, cell.paper / 100))
    return rows


def tests_of(
    tables: Sequence[Table], found: Mapping[str, Outcomes], alike: float
) -> dict[str, Together]:
    """One test of the mean difference for each table with two rows to compare, by its word."""
    rows = {table: rows_of(table, found) for table in tables}
    return {
        table.word: table_tests.compare(own, WON, of=table.paper_games, alike=alike, seed=SEED)
        for table, own in rows.items()
        if len(own) > 1
    }


def _agreement(table: Table, won: Mapping[Cell, Outcomes], test: Together | None) -> list[str]:
    """How many of the paper's numbers agree, and what all rows say together, if there are some."""
    verdicts = {cell: verdict(cell, won[cell]) for cell in table.cells}
    compared = [cell for cell, said in verdicts.items() if said]
    if test is None:
        return []
    agree = list(verdicts.values()).count("agrees")
    counted = f"The paper's number lies in our interval in {agree} of {len(compared)} rows"
    if (of := table.paper_games) is not None:
        ends = [
            newcombe(won[cell].total(WON), len(won[cell]), (cell.paper or 0.0) * of / 100, of)
            for cell in compared
        ]
        alike = sum(low <= 0 <= high for low, high in ends)
        more = f"; with the paper's own uncertainty {alike} rows do not differ from it measurably"
        counted += "" if alike == agree else more
    return [f"{counted}. {_together(test)}", ""]


def _together(test: Together) -> str:
    """What all rows of a table say together, in words."""
    low, high = (100 * end for end in test.interval)
    chance = _chance(test.p)
    count = len(test.apart)
    apart = f"{count or 'no'} row{'s' * (count > 1)} differ{'s' * (count < 2)} from the paper's"
    named = ", ".join(f'"{name}"' for name in test.apart)
    names = f": {named}" if 0 < count < test.rows else ""
    return (
        f"{_sides(test)}, on average by "
        f"{100 * test.mean:+.1f} points ({low:+.1f} to {high:+.1f}, "
        f"p {chance if chance[0] == '<' else f'= {chance}'}). With Holm's correction for "
        f"{test.rows} rows {apart}{names}."
    )


def _sides(test: Together) -> str:
    """How many rows are lower than the paper's, and how many higher."""
    for count, word in ((test.lower, "lower"), (test.higher, "higher")):
        if count == test.rows:
            return f"{'Both' if count == 2 else f'All {count}'} rows are {word}"
    if test.rows == 2 and test.lower == test.higher == 1:
        return "One row is lower, one higher"
    verb = "is" if test.lower == 1 else "are"
    return f"{test.lower} of the {test.rows} rows {verb} lower and {test.higher} higher"


def _chance(p: float) -> str:
    """A p as the page writes it."""
    return "< 0.001" if p < 0.0005 else f"{p:.3f}"


def _all_tests(tests: Mapping[str, Together], found: Mapping[str, Outcomes]) -> list[str]:
    """One line for each table, corrected for how many tables there are."""
    titles = {table.word: table.title for table in TABLES}
    agree = {
        table.word: sum(
            verdict(cell, found[cell.file].cut(cell.games)) == "agrees" for cell in table.cells
        )
        for table in TABLES
    }
    corrected = table_tests.holm([test.p for test in tests.values()])
    lines = [
        "## One test of each table",
        "",
        'A row "agrees" easily: with 100 games its interval is 20 points wide. So rows that agree '
        "one by one may still be lower than the paper's as a whole. Each table has one test of its "
        "mean difference, ours minus the paper's. Some rows stand in several tables. The columns:",
        "",
        "- agree: rows whose interval holds the paper's number.",
        "- lower, higher: rows below the paper's number, and above it.",
        "- mean: the mean difference in points. Near 0 it says little where some rows are higher "
        "and others lower.",
        "- 95 % interval, p: of the mean. They count that rows share their deals (a bootstrap over "
        "deals) and that the paper's numbers are samples, too; where it does not say of how many "
        "games, they are taken as exact. Of some games we have only the sums: there, rows are "
        "taken to be as much alike as elsewhere.",
        "- for all tables: p by Holm's correction for all tables of this list.",
        "- rows apart: rows that differ from the paper's by themselves, by Holm's correction for "
        "all rows of their table.",
        "",
        "| table | agree | lower, higher | mean | 95 % interval | p | for all tables "
        "| rows apart |",
        f"|{8 * '---|'}",
    ]
    for (word, test), p in zip(tests.items(), corrected, strict=True):
        low, high = (100 * end for end in test.interval)
        lines.append(
            f"| [{titles[word]}](#{_anchor(titles[word])}) | {agree[word]} of {test.rows} "
            f"| {test.lower}, {test.higher} | {100 * test.mean:+.1f} | {low:+.1f} to {high:+.1f} "
            f"| {_chance(test.p)} | {_chance(p)} | {len(test.apart)} |"
        )
    return [*lines, ""]


def _anchor(title: str) -> str:
    """What a heading is linked by."""
    kept = "".join(letter for letter in title.lower() if letter.isalnum() or letter in " -")
    return kept.replace(" ", "-")


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


def as_json(
    tables: Sequence[Table], found: Mapping[str, Outcomes]
) -> dict[str, list[dict[str, Any]]]:
    """What the tables say, as plain values by their words."""
    return {table.word: [_row(table, cell, found) for cell in table.cells] for table in tables}


def _row(table: Table, cell: Cell, found: Mapping[str, Outcomes]) -> dict[str, Any]:
    won = found[cell.file].cut(cell.games)
    games, (hider, seekers) = len(won), cell.agents
    compared = None
    if table.against_first and cell is not table.cells[0]:
        mean, low, high, pairs = difference(found[cell.file], found[table.cells[0].file])
        if pairs > 1:
            compared = {"difference": mean, "interval": [low, high], "pairs": pairs}
    return {
        "setting": cell.name,
        "hider": hider,
        "seekers": seekers,
        "paper": None if cell.paper is None else cell.paper / 100,
        "games": games,
        "rate": won.total(WON) / games if games else None,
        "interval": list(wilson(round(won.total(WON)), games)) if games else None,
        "against_first": compared,
    }


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
        said=as_json,
    )


def write(path: Path, found: Mapping[str, Outcomes]) -> None:
    """Write the page."""
    path.write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    sys.exit(main())
