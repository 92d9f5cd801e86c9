"""What the scripts that play a paper's tables again have in common.

A table has cells; each is a match that goes on where it was interrupted. All cells get a few games
first and then more, in rounds. After every round the page is written, and what came out of the
games is kept beside it (`outcomes`). Which sources played is kept in `runs.jsonl`, beside the
games.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sleuth import play_match
from sleuth.data.disk.growing import append_line, read_lines
from sleuth.data.disk.json_text import Fields
from sleuth.data.version import version
from sleuth.errors import RecordError
from sleuth.jobs import cluster

from . import outcomes
from .outcomes import Outcomes
from .sharing import add_workers

#: What came out of a cell's games: those in a folder, and those that were kept.
Finished = Callable[[Any, Path, Mapping[str, Outcomes]], Outcomes]

HERE = Path(__file__).resolve().parents[2]
RUNS = "runs.jsonl"
#: The fields of its lines.
RUN = ("agents", "file", "from", "to", "workers", "seconds", "version", "sources")


def kept_beside(page: Path) -> Path:
    """Where the outcomes of a page's games are kept."""
    return page.parent / "games" / f"{page.stem}.jsonl"


def waiting(tables: Sequence[Any], played: Callable[[str], bool]) -> list[Any]:
    """The tables that have no games yet, but for cells that an earlier table has too."""
    found: list[Any] = []
    others: set[str] = set()
    for table in tables:
        own = {cell.file for cell in table.cells} - others
        if not any(map(played, own)):
            found.append(table)
        others |= own
    return found


def play_on(
    game: str,
    agents: Sequence[str],
    path: Path,
    *,
    before: int,
    games: int,
    seed: int,
    workers: int,
    series: int = 1,
) -> None:
    """Play a match up to so many games, and keep account of which sources played them.

    Args:
        game: Its name.
        agents: As `play_match` takes them.
        path: The file of the match.
        before: How many of its games are finished, here or elsewhere.
        games: How many there shall be.
        seed: Of the match.
        workers: Processes.
        series: Games of the same agents in a row.
    """
    if before >= games:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    start = time.time()
    result = play_match(
        game,
        agents,
        first=before,
        games=games - before,
        seed=seed,
        series=series,
        workers=workers,
        out=path,
    )
    entry = {
        "agents": list(agents),
        "file": path.name,
        "from": before,
        "to": before + len(result.games),
        "workers": workers,
        "seconds": round(time.time() - start, 1),
        "version": version(),
        "sources": sources(),
    }
    append_line(path.parent / RUNS, json.dumps(entry))


def sources() -> str:
    """Which sources are being run: git's name of them, if it knows them."""
    asked = ["git", "-C", str(HERE), "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def played_by(state: Path) -> dict[str, list[str]]:
    """Which sources played the games of each file of a folder."""
    used: dict[str, list[str]] = {}
    for place, run in enumerate(read_lines(state / RUNS), start=1):
        try:
            fields = Fields(run, RUN, optional=RUN)
            name, of = fields.text("sources"), used.setdefault(fields.text("file"), [])
            of += [name] if name not in of else []
        except (RecordError, KeyError) as error:
            where = f"{state / RUNS}, line {place}"
            raise RecordError(f"this is no run: {error}", where=where) from None
    return used


def sources_line(found: Iterable[Outcomes]) -> list[str]:
    """The last lines of a page: where it is kept which sources played."""
    used = dict.fromkeys(name for one in found for name in one.sources)
    dirty = sum(name.endswith("-dirty") for name in used)
    changes = f", {dirty} of them with changes that were not committed" if dirty else ""
    count = f"{len(used)} version{'s' if len(used) > 1 else ''} of the sources"
    said = f"Played by {count}{changes}. The file of outcomes names those of each row."
    return [said, ""] if used else []


def run(
    tables: Sequence[Any],
    arguments: Sequence[str] | None,
    *,
    doc: str,
    state: Path,
    page: Path,
    rounds: Sequence[float],
    play: Callable[[Any, float, argparse.Namespace], str],
    finished: Finished,
    write: Callable[[Path, Mapping[str, Outcomes]], None],
    said: Callable[[Sequence[Any], Mapping[str, Outcomes]], Any] | None = None,
) -> int:
    """What a script does on the command line.

    Args:
        tables: All there are; each has a word and cells.
        arguments: Those of the command line, or None for the process's own.
        doc: What the script is for.
        state: The usual folder of the games.
        page: The usual place of the page.
        rounds: Shares of all games that every cell gets, one after the other.
        play: Plays a cell up to a share of its games, and says how it stands.
        finished: What came out of a cell's games, those in a folder and those that were kept.
        write: Writes the page to a place from the outcomes of all cells, by their files.
        said: What ``--json`` prints at the end, of some of the tables; None for a script without.
    """
    parser = argparse.ArgumentParser(description=doc.split("\n")[0])
    parser.add_argument("--state", type=Path, default=state, help="folder of the games played")
    parser.add_argument("--page", type=Path, default=page, help="where the page is written")
    parser.add_argument(
        "--kept", type=Path, help="file of the outcomes of all games (default: beside the page)"
    )
    add_workers(parser)
    parser.add_argument("--games", type=int, default=None, help="at most so many for each cell")
    parser.add_argument("--cells", default="", help="only tables of these words, by commas")
    parser.add_argument("--report", action="store_true", help="only write the page")
    if said is not None:
        parser.add_argument("--json", action="store_true", help="print the tables as JSON")
    options = parser.parse_args(arguments)
    options.kept = options.kept or kept_beside(options.page)
    words = [word for word in options.cells.split(",") if word]
    unknown = [word for word in words if word not in {table.word for table in tables}]
    if unknown:
        parser.error(f"no such table: {unknown[0]}; known: {', '.join(t.word for t in tables)}")
    asked = [table for table in tables if not words or table.word in words]
    cells = [cell for table in asked for cell in table.cells]
    as_json = said is not None and options.json
    for share in () if options.report else rounds:
        for cell in cells:
            with cluster(options.cluster):
                said_of_it = play(cell, share, options)
            print(said_of_it, file=sys.stderr if as_json else sys.stdout, flush=True)
        # To read all games takes longer than to play a few.
        report(tables, options, finished, write)
    found = report(tables, options, finished, write)
    if said is not None and as_json:
        print(json.dumps({"tables": said(asked, found), "version": version()}))
    return 0


def report(
    tables: Sequence[Any],
    options: argparse.Namespace,
    finished: Finished,
    write: Callable[[Path, Mapping[str, Outcomes]], None],
) -> dict[str, Outcomes]:
    """Keeps what came out of all games, and writes the page; arguments are those of `run`.

    Returns:
        The outcomes of all cells, by their files.
    """
    found = all_finished(tables, finished, options.state, outcomes.read(options.kept))
    outcomes.keep(options.kept, found.values())
    options.page.parent.mkdir(parents=True, exist_ok=True)
    write(options.page, found)
    return found


def all_finished(
    tables: Sequence[Any], finished: Finished, state: Path, kept: Mapping[str, Outcomes]
) -> dict[str, Outcomes]:
    """The outcomes of all cells, by their files; cells with equal agents share theirs."""
    cells = {cell.file: cell for table in tables for cell in table.cells}
    return {file: finished(cell, state, kept) for file, cell in cells.items()}
