"""The table of the Cheat paper, played again: agents against simulated people and each other.

    python -m benchmarks.cheat.tables --state DIR [--workers N] [--games N] [--cells WORD]
    python -m benchmarks.cheat.tables --state DIR --report

"The paper" is Bitan and Kraus, "Combining prediction of human decisions with ISMCTS in imperfect
information games", 2018. Every cell is a number of matches of four games between two agents, with
the same deals and the same people in all cells. Finished games are kept in DIR, a file for each
cell, so an interrupted run goes on where it was. All cells get a few matches first and then more,
in rounds. After every round the page is written, and what happened in each match is kept beside it,
so that another machine goes on with the matches that follow.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from sleuth import game as game_by_name
from sleuth.data.disk.growing import append_line, read_lines
from sleuth.data.intervals import NINETY_FIVE, wilson
from sleuth.errors import RecordError
from sleuth.planners.matches.match_file import read_games

from ..tables import outcomes
from ..tables import runs as table_runs
from ..tables.conclusions import Hole, Points, conclusions
from ..tables.in_short import in_front
from ..tables.outcomes import Outcomes
from .cells import SEED, SERIES, TABLES, Cell, Table
from .counts import Counts, counts_of
from .curve import Point, draw_curve

STATE = table_runs.HERE / "reports" / "cheat_tables"
PAGE = table_runs.HERE / "docs" / "results" / "cheat.md"
KEPT = table_runs.kept_beside(PAGE)
NOTHING: Mapping[str, Outcomes] = {}
#: The picture beside it.
CURVE = Path("cheat_quality.png")
#: Every cell gets its first so many of all its matches, in this order of rounds.
ROUNDS = (0.05, 0.2, 0.5, 1.0)

Floats = NDArray[np.float64]
#: The columns of outcomes, of matches: wins in halves, since people may learn, and counts of the
#: agent (0) and of the opponent (1).
HALVES = {"won_first": slice(0, SERIES // 2), "won_last": slice(SERIES // 2, SERIES)}
COUNTED = {
    **dict.fromkeys(("rounds", "cards", "calls", "caught"), 0),
    **dict.fromkeys(("claims", "lies", "takes", "actions"), 1),
}


def play(cell: Cell, matches: int, state: Path, workers: int, kept: Path = KEPT) -> None:
    """Play a cell up to so many matches."""
    table_runs.play_on(
        "cheat",
        cell.agents,
        state / cell.file,
        before=SERIES * len(finished(cell, state, outcomes.read(kept))),
        games=SERIES * matches,
        seed=SEED,
        series=SERIES,
        workers=workers,
    )


def finished(cell: Cell, state: Path, kept: Mapping[str, Outcomes] = NOTHING) -> Outcomes:
    """What happened in the finished matches in their order, as far as there is no gap."""
    before = kept.get(cell.file) or nothing(cell)
    if before.earlier:
        raise RecordError("intervals need every match, not sums", where=cell.file)
    rows = rows_of(counted(cell, state))
    return before.continued(rows, table_runs.played_by(state).get(cell.file, ()))


def nothing(cell: Cell) -> Outcomes:
    """The outcomes of a cell that was not played yet."""
    return outcomes.nothing(cell.file, cell.agents, [*HALVES, *COUNTED])


def rows_of(games: Mapping[int, tuple[Counts, Counts]]) -> dict[int, dict[str, float]]:
    """The rows of whole matches by number, from the counts of their games."""
    rows: dict[int, dict[str, float]] = {}
    for match in {number // SERIES for number in games}:
        numbers = range(SERIES * match, SERIES * (match + 1))
        if all(number in games for number in numbers):
            rows[match] = _match([games[number] for number in numbers])
    return rows


def _match(games: Sequence[tuple[Counts, Counts]]) -> dict[str, float]:
    """A row of outcomes."""
    row = {name: sum(one.won for one, _ in games[half]) for name, half in HALVES.items()}
    for word, agent in COUNTED.items():
        row[word] = round(sum(getattr(game[agent], word) for game in games), 4)
    return row


def counted(cell: Cell, state: Path) -> dict[int, tuple[Counts, Counts]]:
    """What was counted in the games of a folder, by number.

    It is kept beside the games, so that each has to be replayed but once.
    """
    path = state / cell.file
    beside = path.with_suffix(".counts.jsonl")
    found: dict[int, tuple[Counts, Counts]] = {}
    for place, line in enumerate(read_lines(beside), start=1):
        try:
            number, one, other = line
            found[int(number)] = Counts(**one), Counts(**other)
        except (TypeError, ValueError, OverflowError):
            raise RecordError(
                "these are no counts of a game",
                where=f"{beside}, line {place}",
                hint="delete the file, and the games are counted again",
            ) from None
    game = game_by_name("cheat")
    fresh: list[str] = []
    for number, played in read_games(path, game, agents=2).items():
        if number not in found:
            found[number] = counts_of(
                game, played.seed, played.actions, played.returns, played.seats
            )
            fresh.append(json.dumps([number, *map(asdict, found[number])]))
    if fresh:
        append_line(beside, "\n".join(fresh))
    return found


def by_match(found: Outcomes, word: str) -> Floats:
    """A count of each match."""
    if word == "won":
        return by_match(found, "won_first") + by_match(found, "won_last")
    return np.array(found.columns[word], dtype=float)


def own_moves(found: Outcomes) -> Floats:
    """The agent's moves of each match: the opponent's are counted, and a round is a move."""
    return by_match(found, "rounds") - by_match(found, "actions")


def share(part: Floats, of: Floats) -> tuple[float, float]:
    """A ratio of two sums, and half of its 95 % interval: matches are independent."""
    if len(of) < 2 or of.sum() == 0:
        return math.nan, math.nan
    ratio = float(part.sum() / of.sum())
    rest = part - ratio * of
    error = math.sqrt(float(rest.var(ddof=1)) / len(of)) / float(of.mean())
    return ratio, NINETY_FIVE * error


def difference(first: Outcomes, second: Outcomes, word: str = "won") -> tuple[float, float, int]:
    """How much more the first has of something than the second, of matches with the same deals.

    Returns:
        The difference of means of games, half of its 95 % interval, and the number of matches.
    """
    one, other = (by_match(each, word) / SERIES for each in (first, second))
    count = min(len(one), len(other))
    apart = one[:count] - other[:count]
    if count < 2:
        return math.nan, math.nan, count
    return float(apart.mean()), NINETY_FIVE * float(apart.std(ddof=1)) / math.sqrt(count), count


def analysis_of_variance(groups: Sequence[Floats]) -> tuple[float, float, int, int]:
    """The paper's test of several agents, a one-way analysis of variance over matches.

    It takes groups for independent. Ours have met the same people with the same deals, so it finds
    less than differences match by match do.

    Returns:
        F, p, and the degrees of freedom between groups and within them.
    """
    found = stats.f_oneway(*groups)
    count = sum(map(len, groups))
    return float(found.statistic), float(found.pvalue), len(groups) - 1, count - len(groups)


#: What is said of the tables.
CONCLUSIONS = Path(__file__).with_name("conclusions.md")
COLUMNS = (
    "agent",
    "win ratio",
    "calls, of its moves",
    "calls that were right",
    "rounds",
    "card difference",
    "opponent's lies, of their claims",
    "opponent's takes, of their moves",
    "won of the first two games",
    "of the last two",
    "matches",
)


def row(cell: Cell, found: Outcomes) -> list[str]:
    """A line of the table."""
    matches = len(found)
    if not matches:
        return [cell.name, *[""] * (len(COLUMNS) - 2), f"0 ({cell.matches})"]
    each = np.full(matches, float(SERIES))
    won = float(by_match(found, "won").sum())
    low, high = wilson(round(won), SERIES * matches)
    halves = [percent(*share(by_match(found, half), each / 2)) for half in HALVES]
    return [
        cell.name,
        f"{100 * won / (SERIES * matches):.1f} % ({100 * low:.1f} to {100 * high:.1f})",
        percent(*share(by_match(found, "calls"), own_moves(found))),
        percent(*share(by_match(found, "caught"), by_match(found, "calls"))),
        number(*share(by_match(found, "rounds"), each)),
        number(*share(by_match(found, "cards"), each), sign="+"),
        percent(*share(by_match(found, "lies"), by_match(found, "claims"))),
        percent(*share(by_match(found, "takes"), by_match(found, "actions"))),
        *halves,
        str(matches) if matches == cell.matches else f"{matches} ({cell.matches})",
    ]


def percent(value: float, half: float) -> str:
    """A share and half of its interval."""
    return f"{100 * value:.1f} % ± {100 * half:.1f}"


def number(value: float, half: float, sign: str = "") -> str:
    """A mean and half of its interval."""
    return f"{value:{sign}.2f} ± {half:.2f}"


def page(kept: Mapping[str, Outcomes]) -> str:
    """The page of results, as far as there are any, from the outcomes by the files of the cells."""
    lines = [
        "# Cheat: the paper's table",
        "",
        '"The paper" is M. Bitan and S. Kraus, "Combining prediction of human decisions with '
        'ISMCTS in imperfect information games" (2018). Its agents, and '
        "[ours](../cheat/agents.md), play matches of four games; seats are swapped from game to "
        "game, and two games have the same deal. "
        f"All cells have the same deals, and those against people the same simulated "
        f"people (seed {SEED}). 95 % "
        "intervals: Wilson's for win ratios, else over matches. If fewer matches were played than "
        "planned, the planned number follows in brackets. Written by "
        "`benchmarks/cheat/tables.py`, which goes on where it was interrupted. Games under [our "
        "first readings](first_readings.md) of the paper are on another page.",
        "",
    ]
    waiting = table_runs.waiting(TABLES, lambda file: len(kept[file]) > 0)
    for table in TABLES:
        if table in waiting:
            continue
        found = _planned(table, kept)
        lines += [f"## {table.title}", "", table.about, ""]
        lines += ["| " + " | ".join(COLUMNS) + " |", "|---" * len(COLUMNS) + "|"]
        lines += ["| " + " | ".join(row(cell, found[cell.name])) + " |" for cell in table.cells]
        lines += ["", *_compared(table, found)]
        lines += _variance(table, found)
        listed = ", ".join(f"{cell.name}: {_agents(cell)}" for cell in table.cells)
        lines += [f"Agents: {listed}.", ""]
        lines += conclusion(table, kept)
        if table.word == "quality" and len(points(found)) > 1:
            lines += [f"![Win ratio and card difference by quality]({CURVE.name})", ""]
    if waiting:
        lines += ["## Not played yet", "", *(f"- {table.title}" for table in waiting), ""]
    lines += table_runs.sources_line(kept.values())
    return in_front("\n".join(lines), "cheat")


def conclusion(table: Table, kept: Mapping[str, Outcomes]) -> list[str]:
    """What is said of a table, if something is."""
    said = conclusions(CONCLUSIONS).get(table.word)
    return [] if said is None else [said.format_map(holes(table, kept)), ""]


def holes(table: Table, kept: Mapping[str, Outcomes]) -> dict[str, Hole]:
    """The holes of a table's conclusion: rows are named as in it, of others as ``WORD: ROW``.

    ``rate[ROW]`` is how often its agent wins, in per cent. ``won[ROW / OTHER]`` is how many points
    more than another's, ``cards`` and ``rounds`` how many more it has of them, match by match.
    """

    def row_of(name: str) -> Outcomes:
        word, colon, rest = name.partition(": ")
        of = next((each for each in TABLES if colon and each.word == word), None)
        return _planned(table, kept)[name] if of is None else _planned(of, kept)[rest]

    def rate(name: str) -> float:
        found = row_of(name)
        return 100 * float(by_match(found, "won").sum()) / (SERIES * max(len(found), 1))

    def more(word: str, pair: str) -> Points:
        first, second = map(row_of, pair.split(" / "))
        mean, half, _ = difference(first, second, word)
        unit = 100 if word == "won" else 1
        return Points(unit * mean, unit * (mean - half), unit * (mean + half))

    compared = {word: Hole(partial(more, word)) for word in ("won", "cards", "rounds")}
    return {"rate": Hole(rate), **compared}


def _agents(cell: Cell) -> str:
    against = "" if cell.opponent.startswith("people") else f" against `{cell.opponent}`"
    return f"`{cell.agent}`{against}"


def _planned(table: Table, kept: Mapping[str, Outcomes]) -> dict[str, Outcomes]:
    """What a table shows, by the names of its cells: of cells that others share, its own part."""
    return {cell.name: kept[cell.file].cut(cell.matches) for cell in table.cells}


def points(found: Mapping[str, Outcomes]) -> list[Point]:
    """What was found for each quality of a predictor, by the names of the cells."""
    made: list[Point] = []
    for name, one in found.items():
        count = SERIES * len(one)
        if len(one) > 1:
            won = float(by_match(one, "won").sum())
            low, high = wilson(round(won), count)
            cards = share(by_match(one, "cards"), np.full(len(one), float(SERIES)))
            made.append(Point(float(name), (100 * won / count, 100 * low, 100 * high), cards))
    return made


def _compared(table: Table, found: Mapping[str, Outcomes]) -> list[str]:
    lines: list[str] = []
    for first, second in table.compared:
        pair = found[first], found[second]
        mean, half, count = difference(*pair)
        if math.isnan(mean):
            continue
        ends = f"{100 * (mean - half):+.2f} to {100 * (mean + half):+.2f}"
        apart = [
            f"{value:+.2f} ({value - off:+.2f} to {value + off:+.2f})"
            for value, off, _ in (difference(*pair, word) for word in ("cards", "rounds"))
        ]
        cells = [f"{first} minus {second}", f"{100 * mean:+.2f} ({ends})", *apart, str(count)]
        lines.append(f"| {' | '.join(cells)} |")
    if not lines:
        return []
    head = "| compared, match by match | win ratio | card difference | rounds | matches |"
    return [head, "|---|---|---|---|---|", *lines, ""]


def _variance(table: Table, found: Mapping[str, Outcomes]) -> list[str]:
    if not table.variance or min(len(found[name]) for name in table.variance) < 2:
        return []
    said: list[str] = []
    for word, name in (("won", "games won"), ("cards", "card difference"), ("rounds", "rounds")):
        groups = [by_match(found[cell], word) / SERIES for cell in table.variance]
        f, p, between, within = analysis_of_variance(groups)
        said.append(f"{name} F({between}, {within:,}) = {f:.2f}, p = {p:.2g}")
    return [f"One-way analysis of variance over matches of {', '.join(table.variance)}: "
            f"{'; '.join(said)}.", ""]  # fmt: skip


def play_share(cell: Cell, share: float, options: argparse.Namespace) -> str:
    """Play a cell up to a share of its matches, and say how it stands."""
    matches = max(1, round(share * cell.matches))
    if options.games is not None:
        matches = min(matches, max(1, options.games // SERIES))
    play(cell, matches, options.state, options.workers, options.kept)
    return " | ".join(row(cell, finished(cell, options.state, outcomes.read(options.kept))))


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
    for table in TABLES:
        if table.word == "quality":
            made = points(_planned(table, found))
            if len(made) > 1:
                draw_curve(made, path.parent / CURVE)


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    sys.exit(main())
