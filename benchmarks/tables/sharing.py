"""Work of a script in several processes, or on a cluster: the same two options for all scripts."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sleuth.jobs import cluster, run_jobs


def add_workers(parser: argparse.ArgumentParser) -> None:
    """Add ``--workers N`` and ``--cluster ADDRESS``."""
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="processes")
    parser.add_argument("--cluster", metavar="ADDRESS", help="such as dask://HOST:PORT")


def jobs_there(
    asked: argparse.Namespace, function: Callable[..., Any], calls: Sequence[tuple[Any, ...]]
) -> Iterator[Any]:
    """The results of calls, in their order, by those that were asked for."""
    with cluster(asked.cluster):
        yield from run_jobs(function, calls, workers=asked.workers, things="pieces of the table")
