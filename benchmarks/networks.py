"""All networks of the public repository that pgmpy ships: how long all marginals take, and where.

    python -m benchmarks.networks [--only asia,grid] [--keep FOLDER] [--json] [--write]

Each network is read, and asked for the marginals of all its variables under three evidences:
nothing seen; three leaves; a tenth of all variables, at the values of a world that is drawn from
the network. The same is asked of pyAgrum (LazyPropagation) and of pgmpy (VariableElimination). Each
library works in a process of its own, which is stopped after some seconds; means of many runs
where those are short. What was measured is kept in a folder and not measured again. Then, without
``--no-approximate``, approximate methods on some of them, a grid and a chain.

With ``--json``: for every network its variables, the width of our elimination order (variables of
its largest clique, less one) and the numbers in the tables of all its cliques; seconds to read it;
seconds for all marginals under all evidences, ours, pyAgrum's and pgmpy's (null where it did not
finish or cannot); and the largest absolute difference between ours and pyAgrum's, ``error``. It
reads the numbers of a file as floats of 32 bits; ``error_exact`` is the difference where pyAgrum is
given them with all digits. It reads no values such as ``Asy/Patch`` or ``<5``: for it the file is
respelt. Under ``approximate`` the numbers of `sleuth.compare` for every method.
"""

from __future__ import annotations

import argparse
import datetime
import gzip
import json
import os
import platform
import re
import signal
import subprocess
import sys
import textwrap
from collections.abc import Mapping
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

from sleuth.data.version import version

from . import networks_approximate
from .beliefs.network_runs import Shares, names, path_of
from .tables.in_short import in_front

RESULTS = Path(__file__).parents[1] / "docs" / "results" / "networks.md"
KEEP = Path("networks")
#: Seconds of work after which a library's process is stopped, and how many times as long by the
#: clock, on a machine that does other things.
LIMIT = 300.0
PGMPY_LIMIT = 20.0
PATIENCE = 20.0
#: The goal: what pyAgrum solves in so many seconds takes at most so many times as long, reading
#: included.
SOLVED, TIMES = 10.0, 3.0
ABOUT = """
    All networks of bnlearn's repository that pgmpy ships. Each is read, and asked for the marginals
    of all its variables under three evidences: nothing seen; three leaves; a tenth of all
    variables, at the values of a world that is drawn from the network. Reading is once; the other
    seconds are for all marginals under all three, on one core. `width` is that of our elimination
    order, `numbers` what the tables of all its cliques hold. `times` is our time beside pyAgrum's,
    reading included. `difference` is the largest between our marginals and pyAgrum's, which reads
    the numbers of a file as floats of 32 bits; the last column is the difference where it is given
    all digits of them. For pyAgrum values such as `Asy/Patch` and `<5` are respelt. Made by
    `python -m benchmarks.networks --write`.
"""
ERRORS = ("error", "error_exact")
ONE_CORE = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS")


def measure(name: str, keep: Path, limits: dict[str, float]) -> dict[str, Any]:
    """One row: what every library needed for a network."""
    if not (keep / f"{name}.evidence.json").exists():
        run("evidence", name, keep, LIMIT)
    found = {library: kept(library, name, keep, limits[library]) for library in limits}
    us, agrum, pgmpy = found["ours"], found["pyagrum"], found["pgmpy"]
    refused = {library: run["refused"] for library, run in found.items() if "refused" in run}
    return {
        "nodes": nodes(name),
        "width": us.get("width"),
        "numbers": us.get("numbers"),
        "read": us.get("read"),
        "ours": us.get("seconds"),
        "pyagrum": agrum.get("seconds"),
        "pgmpy": pgmpy.get("seconds"),
        "error": largest_difference(us.get("shares"), agrum.get("shares")),
        "error_exact": largest_difference(us.get("shares"), agrum.get("exact")),
        "pyagrum_read": agrum.get("read"),
        "pgmpy_read": pgmpy.get("read"),
        "pgmpy_error": largest_difference(pgmpy.get("shares"), agrum.get("shares")),
        "refused": refused,
    }


def kept(library: str, name: str, keep: Path, limit: float) -> dict[str, Any]:
    """The run of a library, made where it was not kept."""
    path = keep / f"{name}.{library}.json"
    if not path.exists():
        print(f"{name}: {library} ...", file=sys.stderr, flush=True)
        ended = run(library, name, keep, limit)
        if ended:
            part = keep / f"{name}.{library}.part"
            known = json.loads(part.read_text("utf-8")) if part.exists() else {}
            path.write_text(json.dumps({**known, "refused": ended}), encoding="utf-8")
    return json.loads(path.read_text("utf-8"))


def run(library: str, name: str, keep: Path, limit: float) -> str:
    """Let a process do it; empty, or why there is no answer."""
    command = [sys.executable, "-m", "benchmarks.beliefs.network_runs"]
    command += [library, name, str(keep), str(limit)]
    environment = {**os.environ, **dict.fromkeys(ONE_CORE, "1"), "SLEUTH_COMPILE": "wait"}
    root = Path(__file__).parents[1]
    try:
        done = subprocess.run(
            command,
            cwd=root,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=PATIENCE * limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"no answer within {limit:g} seconds"
    if done.returncode == 0:
        return ""
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return f"no answer within {limit:g} seconds"
    last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
    return f"its process ended with {done.returncode} ({' '.join(last)})"


def nodes(name: str) -> int:
    """The number of variables in a network's file."""
    text = gzip.decompress(path_of(name).read_bytes()).decode("utf-8")
    return len(re.findall(r"^variable ", text, re.MULTILINE))


def largest_difference(one: Shares | None, other: Shares | None) -> float | None:
    """The largest absolute difference between two libraries' marginals; None without both."""
    if one is None or other is None:
        return None
    return max(
        abs(a - b)
        for rows, beside in zip(one, other, strict=True)
        for row, its in zip(rows, beside, strict=True)
        if row is not None and its is not None
        for a, b in zip(row, its, strict=True)
    )


def ratio(row: dict[str, Any]) -> float | None:
    """Our time beside pyAgrum's, reading included; None without both."""
    if row["ours"] is None or row["pyagrum"] is None:
        return None
    return (row["read"] + row["ours"]) / (row["pyagrum_read"] + row["pyagrum"])


def wanted(row: dict[str, Any]) -> bool:
    """Whether the goal is about this network: pyAgrum solves it quickly."""
    return row["pyagrum"] is not None and row["pyagrum_read"] + row["pyagrum"] <= SOLVED


def seconds(value: float | None) -> str:
    """A number of seconds with its unit."""
    if value is None:
        return "-"
    return f"{value * 1e3:.3g} ms" if value < 1.0 else f"{value:.3g} s"


def text_table(rows: dict[str, dict[str, Any]]) -> list[list[str]]:
    """The table, with its head."""
    head = ["network", "variables", "width", "numbers", "read", "ours", "pyAgrum reads"]
    head += ["pyAgrum", "times", "pgmpy reads", "pgmpy", "difference", "with all digits"]
    lines = [head]
    for name, row in rows.items():
        times = ratio(row)
        lines.append(
            [
                name,
                f"{row['nodes']:,}",
                "-" if row["width"] is None else str(row["width"]),
                "-" if row["numbers"] is None else f"{row['numbers']:.2g}",
                seconds(row["read"]),
                seconds(row["ours"]),
                seconds(row["pyagrum_read"]),
                seconds(row["pyagrum"]),
                "-" if times is None else f"{times:.2g}",
                seconds(row["pgmpy_read"]),
                seconds(row["pgmpy"]),
                *("-" if row[key] is None else f"{row[key]:.1g}" for key in ERRORS),
            ]
        )
    return lines


def page(
    rows: dict[str, dict[str, Any]], approximate: Mapping[str, dict[str, Any]] | None = None
) -> str:
    """The results as a page of the documentation."""
    head, *lines = text_table(rows)
    aimed = {name: row for name, row in rows.items() if wanted(row)}
    reached = [name for name, row in aimed.items() if (ratio(row) or TIMES + 1) <= TIMES]
    missed = [name for name in aimed if name not in reached]
    errors = [[row[key] for row in rows.values() if row[key] is not None] for key in ERRORS]
    refusals = [
        f"- {name}: {library}: {words}"
        for name, row in rows.items()
        for library, words in row["refused"].items()
    ]
    return in_front(
        "\n".join(
            [
                "# Networks from elsewhere",
                "",
                *textwrap.dedent(ABOUT).strip().splitlines(),
                "",
                "| " + " | ".join(head) + " |",
                "|---|" + "---:|" * (len(head) - 1),
                *("| " + " | ".join(line) + " |" for line in lines),
                "",
                f"The goal was at most {TIMES:g} times the time of pyAgrum, reading included, "
                f"wherever that needs at most {SOLVED:g} seconds.",
                f"Networks that the goal is about: {len(aimed)}. Reached: {len(reached)}."
                + (f" Not reached: {', '.join(missed)}." if missed else ""),
                f"Networks that both answer: {len(errors[0])}. Largest difference: "
                f"{max(errors[0], default=0.0):.1g}; with all digits "
                f"{max(errors[1], default=0.0):.1g}.",
                "",
                *(["Without an answer:", "", *refusals, ""] if refusals else []),
                *networks_approximate.section(approximate or {}),
                f"{datetime.date.today()}, sleuth {version()}, pyAgrum {version_of('pyagrum')}, "
                f"pgmpy {version_of('pgmpy')}, Python {platform.python_version()}, "
                f"{platform.machine()}, one core.",
                "",
            ]
        ),
        "networks",
    )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", help="names of networks, with commas between them")
    parser.add_argument("--keep", type=Path, default=KEEP, help="folder of what was measured")
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds for ours and pyAgrum")
    parser.add_argument(
        "--pgmpy-limit", type=float, default=PGMPY_LIMIT, help="seconds for pgmpy; 0 leaves it out"
    )
    parser.add_argument(
        "--approximate",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="approximate methods too, on " + ", ".join(networks_approximate.NAMES),
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--write", action="store_true", help=f"write {RESULTS.name} too")
    options = parser.parse_args(arguments)
    known = [*dict.fromkeys((*names(), *networks_approximate.NAMES))]
    chosen = options.only.split(",") if options.only else known
    if unknown := [name for name in chosen if name not in known]:
        parser.error(f"pgmpy ships no network {unknown[0]!r}; there are {', '.join(known)}")
    keep = options.keep.resolve()
    keep.mkdir(parents=True, exist_ok=True)
    limits = {"pyagrum": options.limit, "ours": options.limit, "pgmpy": options.pgmpy_limit}
    rows = {name: measure(name, keep, limits) for name in chosen if name in names()}
    approximate = {
        name: kept("approximate", name, keep, options.limit)
        for name in chosen
        if options.approximate and name in networks_approximate.NAMES
    }
    if options.write:
        RESULTS.write_text(page(rows, approximate), encoding="utf-8")
    if options.json:
        print(json.dumps({"networks": rows, "approximate": approximate}, indent=2))
        return 0
    for line in text_table(rows):
        print("  ".join(f"{cell:>13}" for cell in line))
    if approximate:
        print()
        for line in [[*networks_approximate.HEADS], *networks_approximate.text_lines(approximate)]:
            print("  ".join(f"{cell:>20}" for cell in line))
    return 0


if __name__ == "__main__":
    sys.exit(main())
