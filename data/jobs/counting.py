"""The number of workers that are of use."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any, Final

from .clusters import ALL, active_cluster

#: More processes than this for a core of this machine only wait for each other.
MOST_PER_CORE: Final = 4

_said: set[str] = set()


def worker_count(asked: int | None, work: int, things: str = "pieces of work") -> int:
    """The number of processes that are of use; `ALL` for all workers of a cluster.

    Says on standard error, once, where that is fewer than were asked for.

    Args:
        asked: A number; or as joblib takes it: -1 for all cores, None for what its context says.
        work: How many things there are to do.
        things: What they are called.
    """
    cluster = active_cluster()
    if cluster is not None:
        if cluster.take is not None:
            # Its one worker is not this process.
            return ALL if asked in (None, 1) else asked
        asked = cluster.limited(asked) or ALL
    if asked == 1:
        return 1
    joblib: Any = import_module("joblib")
    if asked is None or asked < 0:
        # Those of a cluster, inside its backend.
        return max(1, min(int(joblib.effective_n_jobs(asked)), work))
    most, why = max(1, work), f"there are only {work} {things}"
    if is_local(active_backend()) and MOST_PER_CORE * joblib.cpu_count() < most:
        most = MOST_PER_CORE * int(joblib.cpu_count())
        why = f"{MOST_PER_CORE} for each core are of use"
    if asked > most > 0 and work:
        text = f"{most} of {asked} workers are started: {why}"
        if text not in _said:
            _said.add(text)
            print(text, file=sys.stderr, flush=True)
    return min(asked, most)


def active_backend() -> Any:
    """The backend of joblib's that work goes to here."""
    return import_module("joblib.parallel").get_active_backend()[0]


def is_local(backend: Any) -> bool:
    """True if work goes to processes of this machine, and not to a cluster."""
    return type(backend).__name__ == "LokyBackend"
