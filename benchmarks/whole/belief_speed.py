"""How fast beliefs of games are, beside another checkout.

    python -m benchmarks.whole.belief_speed BASE [--turns 7] [--json]

BASE is a checkout of this repository with the code of before, such as `git worktree add` makes.
Both take turns, each in a process of its own (`belief_times`), and a ratio is that of the medians
over the turns: 1.05 is a twentieth slower than before.

With ``--json``: ``{"clue, 3 players: infer": {"before": s, "now": s, "ratio": r}, ...}``, where s
are seconds of the processor.
"""

from __future__ import annotations

import argparse
import json
import statistics
from pathlib import Path

from rich.console import Console
from rich.table import Table

from .checkouts import HERE, printed

SCRIPT = Path(__file__).with_name("belief_times.py")


def compared(base: Path, turns: int) -> dict[str, dict[str, float]]:
    """Seconds before and now, and their ratio, for all that is measured in both checkouts."""
    runs: dict[Path, list[dict[str, float]]] = {base: [], HERE: []}
    for turn in range(turns):
        for checkout in (base, HERE) if turn % 2 else (HERE, base):
            runs[checkout].append(printed(checkout, SCRIPT))
    found: dict[str, dict[str, float]] = {}
    for what in runs[HERE][0].keys() & runs[base][0].keys():
        before, now = (statistics.median(run[what] for run in runs[each]) for each in (base, HERE))
        found[what] = {"before": before, "now": now, "ratio": now / before}
    return dict(sorted(found.items()))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("base", type=Path, metavar="BASE", help="the checkout of before")
    parser.add_argument("--turns", type=int, default=7, metavar="N")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    found = compared(asked.base.resolve(), asked.turns)
    if asked.json:
        print(json.dumps(found, indent=1))
        return
    table = Table("", "ms before", "ms now", "ratio", title="beliefs, of the processor")
    for what, row in found.items():
        cells = f"{1e3 * row['before']:.2f}", f"{1e3 * row['now']:.2f}", f"{row['ratio']:.3f}"
        table.add_row(what, *cells)
    Console().print(table)


if __name__ == "__main__":
    main()
