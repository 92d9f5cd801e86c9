"""Whether games are believed to be what they were, to the last digit, beside another checkout.

    python -m benchmarks.whole.same_beliefs BASE [--plays 3] [--records N] [--json]

BASE is a checkout of this repository with the code of before, such as `git worktree add` makes, or
what `belief_digests` printed with it. See there for what is compared. What is known only in one of
the two is counted, not compared: an explanation may ask for other posteriors on its way than it
did. The exit code is 1 where a posterior differs.

With ``--json``: ``{"moments": n, "different": n, "only_before": n, "only_now": n}``.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from .checkouts import HERE, printed

SCRIPT = Path(__file__).with_name("belief_digests.py")


def compared(base: Path, given: list[str]) -> dict[str, int]:
    """How many posteriors there are in both checkouts, and how many of these differ."""
    before = json.loads(base.read_text()) if base.is_file() else printed(base, SCRIPT, given)
    now = printed(HERE, SCRIPT, given)
    both = before.keys() & now.keys()
    return {
        "moments": len(both),
        "different": sum(before[known] != now[known] for known in both),
        "only_before": len(before.keys() - both),
        "only_now": len(now.keys() - both),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("base", type=Path, metavar="BASE", help="before")
    parser.add_argument("--plays", type=int, default=3, metavar="N", help="random plays of a game")
    parser.add_argument("--records", type=int, default=1_000, metavar="N", help="of each game")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    given = ["--plays", str(asked.plays), "--records", str(asked.records)]
    found = compared(asked.base.resolve(), given)
    if asked.json:
        print(json.dumps(found))
    else:
        print(f"{found['moments']:,} posteriors in both, {found['different']:,} of them differ")
        print(f"{found['only_before']:,} only before, {found['only_now']:,} only now")
    return int(found["different"] > 0)


if __name__ == "__main__":
    sys.exit(main())
