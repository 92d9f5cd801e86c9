"""The place where jobs run: processes of this machine, or a cluster that has an address.

`local`
    All cores of this machine.
`dask://HOST:PORT`
    The Dask cluster with this scheduler; also ``HOST:PORT``, ``tcp://HOST:PORT``, or
    ``tls://HOST:PORT``.
`ray://HOST:PORT`
    The Ray cluster that this is the client server of; ``ray://auto`` is the one that this machine
    is a part of, and ``ray://local`` one that is started here for the time being.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

from ..errors import SettingsError
from .batches import JobWorkers, SharedWork

#: So many workers: all that there are.
ALL: Final = -1
LOCAL: Final = "local"
DASK: Final = re.compile(r"(?:dask://|(?P<own>(?:tcp|tls)://))?(?P<place>[^/\s]+:\d+)/?")
RAY: Final = re.compile(r"ray://(?P<place>auto|local|[^/\s]+:\d+)/?")


@dataclass(frozen=True, eq=False)
class Cluster:
    """The place where jobs run while a block does.

    Attributes:
        address: As it was written.
        take: (the work, most workers at once, or None for all) -> the workers for it; None for
            processes of this machine.
        most: Most workers at once, whatever the work; None for all.
    """

    address: str
    take: Callable[[SharedWork, int | None], JobWorkers] | None = None
    most: int | None = None

    def limited(self, asked: int | None) -> int | None:
        """Most workers at once for work that asks for so many; None for all.

        Work that asks for one process has mostly said nothing.
        """
        return self.most if asked in (None, 1, ALL) else min(asked, self.most or asked)


_active: ContextVar[Cluster | None] = ContextVar("cluster", default=None)


def active_cluster() -> Cluster | None:
    """The place where jobs run now; None where nothing was said: `workers` alone counts then."""
    return _active.get()


@contextmanager
def cluster(address: str | None, *, workers: int | None = None) -> Generator[None, None, None]:
    """While the block runs, everything long runs there: matches, trainings, folders, comparisons.

    All of its workers are used, also those that join late, or at most ``workers`` of them. Work
    whose own ``workers`` is 2 or more gets no more than that. Results are the same bytes wherever
    they come from. What jobs need is sent to the workers, and results come back, so no disk is
    shared. A worker with another sleuth, Python, NumPy, numba, SciPy or scikit-learn gets no work,
    and one line on standard error says so. A cluster runs whatever it is sent: use only one that
    you trust, and that trusts you.

    Args:
        address: ``"local"`` for all cores of this machine; ``"dask://HOST:PORT"`` for the scheduler
            of a Dask cluster; ``"ray://HOST:PORT"``, ``"ray://auto"`` or ``"ray://local"`` for Ray.
            None changes nothing.
        workers: Most of its workers at once; None or -1 for all.

    Raises:
        SettingsError: That is no address, nobody answers there, none of the workers has this
            sleuth, or a library is missing.

    >>> import sleuth
    >>> from sleuth.jobs import cluster
    >>> with cluster("local"):
    ...     found = sleuth.play_match("kuhn_poker", ["random", "random"], games=4, seed=1)
    >>> found == sleuth.play_match("kuhn_poker", ["random", "random"], games=4, seed=1)
    True
    """
    most = None if workers == ALL else workers
    if address is None:
        yield
    elif most is not None and most < 1:
        raise SettingsError(
            "a cluster needs one worker or more",
            where="workers",
            value=workers,
            hint="write -1 for all",
        )
    elif address == LOCAL:
        with _set(Cluster(address, most=most)):
            yield
    elif found := RAY.fullmatch(address):
        from .ray_workers import ray_cluster

        with ray_cluster(address, found["place"]) as take, _set(Cluster(address, take, most)):
            yield
    elif found := DASK.fullmatch(address):
        from .dask_workers import dask_cluster

        place = (found["own"] or "tcp://") + found["place"]
        with dask_cluster(address, place) as take, _set(Cluster(address, take, most)):
            yield
    else:
        raise SettingsError(
            "this is no address of a cluster",
            where="cluster",
            value=address,
            hint="write dask://HOST:PORT, ray://HOST:PORT, ray://auto, or local",
        )


@contextmanager
def _set(found: Cluster) -> Generator[None, None, None]:
    token = _active.set(found)
    try:
        yield
    finally:
        _active.reset(token)
