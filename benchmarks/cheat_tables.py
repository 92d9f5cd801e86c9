"""The table of the Cheat paper, played again: agents against simulated people and each other.

    python benchmarks/cheat_tables.py --state DIR [--workers N] [--games N] [--cells WORD]
    python benchmarks/cheat_tables.py --state DIR --report

"The paper" is Bitan and Kraus, "Combining prediction of human decisions with ISMCTS in imperfect
information games", 2018. Every cell is a number of matches of four games between two agents, with
the same deals and the same people in all cells. Finished games are kept in DIR, a file for each
cell, so an interrupted run goes on where it was. All cells get a few matches first and then more,
in rounds. The page is written after every one.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
import table_runs
from cheat_cells import SEED, SERIES, TABLES, Cell, Table
from cheat_counts import Counts, counts_of
from cheat_curve import Point, draw_curve
from numpy.typing import NDArray
from scipy import stats

from sleuth.data.disk.growing import append_line, read_lines
from sleuth.data.errors import RecordError
from sleuth.models.games import game as game_by_name
from sleuth.planners.matches.match_file import read_games
from sleuth.planners.matches.match_statistics import wilson
from sleuth.planners.search.decision import NINETY_FIVE

STATE = table_runs.HERE / "reports" / "cheat_tables"
PAGE = table_runs.HERE / "docs" / "results" / "cheat.md"
#: The picture beside it.
CURVE = Path("cheat_quality.png")
#: Every cell gets its first so many of all its matches, in this order of rounds.
ROUNDS = (0.05, 0.2, 0.5, 1.0)

Games = list[tuple[Counts, Counts]]
Floats = NDArray[np.float64]


def play(cell: Cell, games: int, state: Path, workers: int) -> None:
    """Play a cell up to so many games."""
    table_runs.play_on(
        "cheat",
        [cell.agent, cell.opponent],
        state / cell.file,
        before=len(finished(cell, state)),
        games=games,
        seed=SEED,
        series=SERIES,
        workers=workers,
    )


def finished(cell: Cell, state: Path) -> Games:
    """What was counted in the finished games in their order, as far as there is no gap.

    It is kept beside the games, so that each has to be replayed but once.
    """
    path = state / cell.file
    kept = path.with_suffix(".counts.jsonl")
    counted: dict[int, tuple[Counts, Counts]] = {}
    for place, line in enumerate(read_lines(kept), start=1):
        try:
            number, one, other = line
            counted[int(number)] = Counts(**one), Counts(**other)
        except (TypeError, ValueError, OverflowError):
            raise RecordError(
                "these are no counts of a game",
                where=f"{kept}, line {place}",
                hint="delete the file, and the games are counted again",
            ) from None
    game = game_by_name("cheat")
    fresh: list[str] = []
    for number, played in read_games(path, game, agents=2).items():
        if number not in counted:
            counted[number] = counts_of(
                game, played.seed, played.actions, played.returns, played.seats
            )
            fresh.append(json.dumps([number, *map(asdict, counted[number])]))
    if fresh:
        append_line(kept, "\n".join(fresh))
    found = [counted[number] for number in range(len(counted)) if number in counted]
    return found[: cell.games]


def by_match(games: Games, agent: int, word: str) -> Floats:
    """Sums of a count over the games of each whole match."""
    whole = len(games) // SERIES * SERIES
    values = np.array([getattr(each[agent], word) for each in games[:whole]], dtype=float)
    return values.reshape(-1, SERIES).sum(axis=1)


def share(part: Floats, of: Floats) -> tuple[float, float]:
    """A ratio of two sums, and half of its 95 % interval: matches are independent."""
    if len(of) < 2 or of.sum() == 0:
        return math.nan, math.nan
    ratio = float(part.sum() / of.sum())
    rest = part - ratio * of
    error = math.sqrt(float(rest.var(ddof=1)) / len(of)) / float(of.mean())
    return ratio, NINETY_FIVE * error


def difference(first: Games, second: Games, word: str = "won") -> tuple[float, float, int]:
    """How much more the first has of something than the second, of matches with the same deals.

    Returns:
        The difference of means of games, half of its 95 % interval, and the number of matches.
    """
    one, other = (by_match(games, 0, word) / SERIES for games in (first, second))
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


COLUMNS = (
    "agent",
    "win ratio",
    "calls that were right",
    "rounds",
    "card difference",
    "opponent's lies, of their claims",
    "opponent's takes, of their moves",
    "won of the first two games",
    "of the last two",
    "matches",
)


def row(cell: Cell, games: Games) -> list[str]:
    """A line of the table."""
    count = len(games) // SERIES * SERIES
    if not count:
        return [cell.name, *[""] * (len(COLUMNS) - 2), f"0 ({cell.matches})"]
    each = np.full(count // SERIES, float(SERIES))
    won = np.array([one.won for one, _ in games[:count]])
    low, high = wilson(round(float(won.sum())), count)
    parts = (won.reshape(-1, SERIES)[:, half].sum(axis=1) for half in (slice(0, 2), slice(2, 4)))
    halves = [percent(*share(part, each / 2)) for part in parts]
    matches = count // SERIES
    return [
        cell.name,
        f"{100 * won.mean():.1f} % ({100 * low:.1f} to {100 * high:.1f})",
        percent(*share(by_match(games, 0, "caught"), by_match(games, 0, "calls"))),
        number(*share(by_match(games, 0, "rounds"), each)),
        number(*share(by_match(games, 0, "cards"), each), sign="+"),
        percent(*share(by_match(games, 1, "lies"), by_match(games, 1, "claims"))),
        percent(*share(by_match(games, 1, "takes"), by_match(games, 1, "actions"))),
        *halves,
        str(matches) if matches == cell.matches else f"{matches} ({cell.matches})",
    ]


def percent(value: float, half: float) -> str:
    """A share and half of its interval."""
    return f"{100 * value:.1f} % ± {100 * half:.1f}"


def number(value: float, half: float, sign: str = "") -> str:
    """A mean and half of its interval."""
    return f"{value:{sign}.2f} ± {half:.2f}"


def page(state: Path, before: str = "") -> str:
    """The page of results, as far as there are any.

    Args:
        state: The folder of the games.
        before: The page as it stands: of tables without games in the folder its text stays.
    """
    text, _, played = before.partition("\nPlayed by the sources ")
    kept = {part.partition("\n")[0]: part.strip() for part in text.split("\n## ")[1:]}
    lines = [
        "# Cheat: the paper's table",
        "",
        '"The paper" is M. Bitan and S. Kraus, "Combining prediction of human decisions with '
        'ISMCTS in imperfect information games" (2018). Its agents, and '
        "[ours](../cheat-agents.md), play matches of four games; seats are swapped from game to "
        "game, and two games have the same deal. "
        f"All cells have the same deals, and those against people the same simulated "
        f"people (seed {SEED}). 95 % "
        "intervals: Wilson's for win ratios, else over matches. Where there are fewer matches than "
        "were planned, that number stands in brackets. Written by `benchmarks/cheat_tables.py`, "
        "which goes on where it was interrupted. What was played by "
        "[our first readings](cheat_first_readings.md) of the paper is on a page of its own.",
        "",
    ]
    files = {cell.file: cell for table in TABLES for cell in table.cells}
    waiting = table_runs.waiting(TABLES, lambda file: bool(finished(files[file], state)))
    for table in TABLES:
        found = {cell.name: finished(cell, state) for cell in table.cells}
        if table in waiting:
            lines += [f"## {kept[table.title]}", ""] if table.title in kept else []
            continue
        lines += [f"## {table.title}", "", table.about, ""]
        lines += ["| " + " | ".join(COLUMNS) + " |", "|---" * len(COLUMNS) + "|"]
        lines += ["| " + " | ".join(row(cell, found[cell.name])) + " |" for cell in table.cells]
        lines += ["", *_compared(table, found)]
        lines += _variance(table, found)
        listed = ", ".join(f"{cell.name}: {_agents(cell)}" for cell in table.cells)
        lines += [f"Agents: {listed}.", ""]
        lines += [table.note, ""] if table.note else []
        if table.word == "quality" and len(points(found)) > 1:
            lines += [f"![Win ratio and card difference by quality]({CURVE.name})", ""]
    missing = [table.title for table in waiting if table.title not in kept]
    if missing and len(missing) < len(TABLES):
        lines += ["## Not played yet", "", *(f"- {title}" for title in missing), ""]
    sources = dict.fromkeys(re.findall("`.*?`", played + "".join(table_runs.played_by(state))))
    lines += [f"Played by the sources {', '.join(sources)}.", ""] if sources else []
    return "\n".join(lines)


def _agents(cell: Cell) -> str:
    against = "" if cell.opponent.startswith("people") else f" against `{cell.opponent}`"
    return f"`{cell.agent}`{against}"


def points(found: Mapping[str, Games]) -> list[Point]:
    """What was found for each quality of a predictor, by the names of the cells."""
    made: list[Point] = []
    for name, games in found.items():
        count = len(games) // SERIES * SERIES
        if count > SERIES:
            won = sum(one.won for one, _ in games[:count])
            low, high = wilson(round(won), count)
            each = np.full(count // SERIES, float(SERIES))
            cards = share(by_match(games, 0, "cards"), each)
            made.append(Point(float(name), (100 * won / count, 100 * low, 100 * high), cards))
    return made


def _compared(table: Table, found: dict[str, Games]) -> list[str]:
    if not table.compared:
        return []
    lines = ["| compared, match by match | win ratio | card difference | rounds | matches |"]
    lines.append("|---|---|---|---|---|")
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
        cells = [f"{first} less {second}", f"{100 * mean:+.2f} ({ends})", *apart, str(count)]
        lines.append(f"| {' | '.join(cells)} |")
    return [*lines, ""]


def _variance(table: Table, found: Mapping[str, Games]) -> list[str]:
    if not table.variance or min(len(found[name]) for name in table.variance) < 2 * SERIES:
        return []
    said: list[str] = []
    for word, name in (("won", "games won"), ("cards", "card difference"), ("rounds", "rounds")):
        groups = [by_match(found[cell], 0, word) / SERIES for cell in table.variance]
        f, p, between, within = analysis_of_variance(groups)
        said.append(f"{name} F({between}, {within:,}) = {f:.2f}, p = {p:.2g}")
    return [f"One-way analysis of variance over matches of {', '.join(table.variance)}: "
            f"{'; '.join(said)}.", ""]  # fmt: skip


def play_share(cell: Cell, share: float, options: argparse.Namespace) -> str:
    """Play a cell up to a share of its matches, and say how it stands."""
    wanted = SERIES * max(1, round(share * cell.matches))
    play(cell, min(wanted, options.games or wanted), options.state, options.workers)
    return " | ".join(row(cell, finished(cell, options.state)))


def main(arguments: Sequence[str] | None = None) -> int:
    return table_runs.run(
        TABLES,
        arguments,
        doc=__doc__ or "",
        state=STATE,
        page=PAGE,
        rounds=ROUNDS,
        play=play_share,
        write=write,
    )


def write(path: Path, state: Path) -> None:
    """Write the page."""
    path.parent.mkdir(parents=True, exist_ok=True)
    before = path.read_text("utf-8") if path.exists() else ""
    path.write_text(page(state, before), encoding="utf-8")
    for table in TABLES:
        if table.word == "quality":
            made = points({cell.name: finished(cell, state) for cell in table.cells})
            if len(made) > 1:
                draw_curve(made, path.parent / CURVE)


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    sys.exit(main())
