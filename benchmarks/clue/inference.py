"""How long the whole posterior of a game of Clue takes after a new event, beside other libraries.

    python -m benchmarks.clue.inference [--quick] [--json] [--write]

Timed is everything somebody needs after an event: who holds which card, and the joint of the
case file. All methods get the same games and do plain counting of deals, which all of them can;
their answers must agree to 1e-9. Methods take turns on every state, so that whatever else the
machine does hits all of them alike; a ratio is the median of the ratios on the single states.
In its turn a method answers twice and the second answer counts; the first, which comes after
the work of other methods and finds the processor's caches cold, is given as well. PySDD and
pyAgrum would take a second answer from a cache, and are prepared anew before each.

What may be kept between answers is what somebody who plays a game has kept: the posterior of the
past, and which arrays a feature such as "p2 has none of these three cards" means (a microsecond
or two for each new one). No answer is kept, and the new event is looked at anew each time.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from sleuth.data.version import version

from ..tables.in_short import in_front
from .peer_numpy import NumpyEnumeration
from .peer_pyagrum import PyAgrum
from .peer_pysdd import PySDD
from .peer_sleuth import Sleuth
from .states import Method, states
from .timing import Budget, Times, ask, measure

RESULTS = Path(__file__).parents[2] / "docs" / "results" / "clue_inference.md"

OURS = Sleuth()
#: All methods; those whose name is a key of the JSON answer first.
METHODS: tuple[Method, ...] = (
    OURS,
    NumpyEnumeration(),
    PySDD("past"),
    PyAgrum(),
    Sleuth(engine="pgmpy"),
    Sleuth(choice="random"),
    NumpyEnumeration(keep=True),
    PySDD("declaration"),
    PySDD("nothing"),
)
JSON_KEYS = ("ours", "numpy_enumeration", "pysdd", "pyagrum", "pgmpy")
PLAYERS: tuple[int, ...] = (3, 4, 5, 6)

#: What the project asks of itself: (players, other method, what that does, how many times as
#: long). Of the three ways to use PySDD only the first goes on from the past as this package does.
TARGETS = (
    (3, "pysdd", "goes on from the past", 20.0),
    (3, "pysdd, from all deals", "reads all events", 20.0),
    (3, "pysdd, from nothing", "compiles deals and events", 20.0),
    (3, "pyagrum", "goes on from the past", 20.0),
    (3, "pgmpy", "eliminates anew", 20.0),
    (3, "numpy_enumeration", "filters a table of all deals", 5.0),
    (6, "pysdd", "goes on from the past", 500.0),
    (6, "pysdd, from all deals", "reads all events", 500.0),
    (6, "pysdd, from nothing", "compiles deals and events", 500.0),
)
#: What the project asks of itself: (question, players, most seconds).
LIMITS = (
    ("gain_all_suggestions", 3, 0.05),
    ("gain_all_suggestions", 6, 5.0),
    ("best_questions", 6, 0.5),
    ("spectator", 6, 1.0),
)


@dataclass(frozen=True)
class Results:
    """All that was measured.

    Attributes:
        posterior: By players and method.
        asked: Seconds of other questions, by question and players.
    """

    posterior: dict[int, dict[str, Times]]
    asked: dict[str, dict[int, float]]

    def as_json(self) -> dict[str, dict[str, float | None]]:
        made: dict[str, dict[str, float | None]] = {
            str(players): {key: times[key].median for key in JSON_KEYS if key in times}
            for players, times in self.posterior.items()
        }
        for question in ("gain_all_suggestions", "best_questions"):
            found = self.asked.get(question, {})
            made[question] = {str(players): found[players] for players in found}
        return made


def run(players: Sequence[int], count: int | None, *, quick: bool, console: Console) -> Results:
    """Measure everything."""
    most = dict(zip(PLAYERS, (10, 3, 2, 3) if quick else (20, 20, 20, 20), strict=True))
    if count is not None:
        most = dict.fromkeys(PLAYERS, count)
    budget = Budget(most, quick)
    posterior: dict[int, dict[str, Times]] = {}
    asked: dict[str, dict[int, float]] = {}
    with Progress(console=console, transient=True) as progress:
        steps = sum(most[number] for number in players) + 3
        bar = progress.add_task("states of games of Clue", total=steps)

        def tick() -> None:
            progress.advance(bar)

        for number in players:
            chosen = states(number, most[number])
            warm_up(number)
            posterior[number] = measure(number, METHODS, chosen, budget, tick)
            if number in (3, 6):
                for name, taken in ask(chosen[: 5 if quick else 20]).items():
                    asked.setdefault(name, {})[number] = statistics.median(taken)
                at_start = states(number, 3, events=1)
                for name, taken in ask(at_start).items():
                    asked.setdefault(f"{name}, at the start", {})[number] = max(taken)
                tick()
            if number == 6:
                watched = states(6, 3 if quick else 20, spectator=True)
                times = measure(6, [OURS], watched, budget, lambda: None)
                slowest = max(times["ours"].seconds.values())
                asked["spectator"] = {6: times["ours"].median or slowest}
                asked["spectator, slowest state"] = {6: slowest}
                tick()
    return Results(posterior, asked)


def warm_up(players: int) -> None:
    """Compile what is compiled at the first call, on a game that is not timed."""
    [state] = states(players, 1, events=4)
    for method in METHODS:
        if method.library.startswith("sleuth"):
            prepared = method.prepare(state)
            prepared.answer(prepared.after(state.event))
    ask([state])


def seconds(value: float | None) -> str:
    if value is None:
        return "-"
    for unit, scale in (("s", 1.0), ("ms", 1e-3)):
        if value >= scale:
            return f"{value / scale:.3g} {unit}"
    return f"{value * 1e6:.3g} µs"


def times_as_long(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}x" if value >= 10 else f"{value:.1f}x"


def rows(results: Results, *, first: bool = False) -> list[list[str]]:
    """A line for every method: seconds and how many times ours, by players.

    Args:
        first: Whether first answers are meant.
    """
    made: list[list[str]] = []
    for method in METHODS:
        line = [method.name]
        for times in results.posterior.values():
            found = times[method.name]
            ratio = found.ratio(times["ours"], first=first)
            shown = seconds(found.median_first if first else found.median)
            told = ratio is not None and method.name != "ours"
            line.append(f"{shown} ({times_as_long(ratio)})" if told else shown)
        made.append(line)
    return made


def targets(results: Results) -> list[list[str]]:
    """What the project asks of itself, what was measured, and whether it holds."""
    made: list[list[str]] = []
    for players, name, does, wanted in TARGETS:
        times = results.posterior.get(players, {})
        ratio = times[name].ratio(times["ours"]) if name in times else None
        if ratio is not None:
            holds = "yes" if ratio >= wanted else "no"
            what = f"{players} players, {name}: {does}"
            line = [what, f"{wanted:.0f}x ours", times_as_long(ratio)]
            cold = times[name].ratio(times["ours"], first=True)
            made.append([*line, times_as_long(cold), holds])
    for name, players, most in LIMITS:
        value = results.asked.get(name, {}).get(players)
        if value is not None:
            holds = "yes" if value <= most else "no"
            line = [f"{players} players, {name}", f"{seconds(most)}", seconds(value), ""]
            made.append([*line, holds])
    return made


def show(results: Results, console: Console) -> None:
    """The tables for people."""
    for title, head, lines in tables(results):
        table = Table(title=title, title_justify="left")
        for place, column in enumerate(head):
            table.add_column(column, justify="left" if place == 0 else "right", no_wrap=True)
        for line in lines:
            table.add_row(*line)
        console.print(table)
    for players, times in results.posterior.items():
        for name, found in times.items():
            if found.refused:
                console.print(f"[dim]{players} players, {name}: {found.refused}[/dim]")
    for method in METHODS:
        console.print(f"{method.name} ({method.library}): {method.note}", highlight=False)


def tables(results: Results) -> list[tuple[str, list[str], list[list[str]]]]:
    """Title, head and lines of every table."""
    players = [f"{number} players" for number in results.posterior]
    asked = [
        [name, *(seconds(found.get(number)) for number in (3, 6))]
        for name, found in results.asked.items()
    ]
    return [
        ("The whole posterior after a new event (times ours)", ["method", *players], rows(results)),
        (
            "First answers, after the work of others (times ours)",
            ["method", *players],
            rows(results, first=True),
        ),
        ("Other questions, ours", ["question", "3 players", "6 players"], asked),
        (
            "Asked of the project",
            ["what", "wanted", "measured", "first", "holds"],
            targets(results),
        ),
    ]


def written(results: Results, *, quick: bool) -> str:
    """The results as a page of the documentation."""
    lines = [
        "# Clue: the whole posterior after a new event",
        "",
        f"Written by sleuth {version()} on {datetime.date.today().isoformat()} "
        f"(Python {platform.python_version()}, {platform.system()} on {platform.machine()}, "
        f"{os.cpu_count()} cores):",
        "",
        "```bash",
        "python -m benchmarks.clue.inference --write" + (" --quick" if quick else ""),
        "```",
        "",
        "Medians over random states after twelve events; every method got the same states, taking "
        "turns, and gave the same numbers to 1e-9. All do plain counting of deals, unless a choice "
        "is named. A turn is two answers, of which the second counts; PySDD and pyAgrum would "
        "take it from a cache and are prepared anew before each.",
        "",
    ]
    for title, head, body in tables(results):
        lines += [f"## {title}", "", "| " + " | ".join(head) + " |"]
        lines.append("|---|" + "---:|" * (len(head) - 1))
        lines += ["| " + " | ".join(line) + " |" for line in body]
        lines.append("")
    lines += ["## What is timed", ""]
    lines += [f"- {method.name} ({method.library}): {method.note}." for method in METHODS]
    left_out = [
        f"- {players} players, {name}: {found.refused}."
        for players, times in results.posterior.items()
        for name, found in times.items()
        if found.refused
    ]
    if left_out:
        lines += ["", "## Left out", "", *left_out]
    return in_front("\n".join(lines) + "\n", "clue_inference")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer states, under ten minutes")
    parser.add_argument("--json", action="store_true", help="print seconds as JSON, nothing else")
    parser.add_argument("--write", action="store_true", help=f"write {RESULTS.name} into the docs")
    parser.add_argument("--players", default="3,4,5,6", help="which games, such as 3,6")
    parser.add_argument("--states", type=int, help="states of each, instead of 20")
    chosen = parser.parse_args(arguments)
    players = [int(number) for number in chosen.players.split(",")]
    if not set(players) <= set(PLAYERS):
        parser.error("players are 3, 4, 5 or 6")
    np.seterr(all="raise", under="ignore")
    results = run(players, chosen.states, quick=chosen.quick, console=Console(stderr=True))
    if chosen.json:
        print(json.dumps(results.as_json()))
    else:
        show(results, Console(width=None if sys.stdout.isatty() else 120))
    if chosen.write:
        RESULTS.parent.mkdir(parents=True, exist_ok=True)
        RESULTS.write_text(written(results, quick=chosen.quick), encoding="utf-8")
    return 0


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    sys.exit(main())
