"""Workers of a Dask cluster.

The scheduler gives the work of a worker that was lost to others, and to those that join. A worker
is first asked what it works with: one that is another than the sender gets no work.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Generator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final

from ..errors import SettingsError, WorkerError
from .batches import AHEAD, BatchOutcome, EndedError, SharedWork, run_sent_batch
from .likeness import Likeness, differences, likeness

#: Seconds that are waited for a scheduler to answer, and for a first worker.
PATIENCE: Final = 10
#: Seconds without any worker after which the work is given up.
NOBODY: Final = 60.0
#: How often the scheduler gives work to others whose worker was ended, if it does not say.
MOST_ENDS: Final = 3
#: Seconds between looks at who is there.
LOOK: Final = 1.0
#: Seconds of work that are handed over at once: at least, and for each worker. One sender hands
#: over some hundred batches a second.
BATCH: Final = 0.5
BATCH_PER_WORKER: Final = 0.01


@contextmanager
def dask_cluster(
    address: str, place: str
) -> Generator[Callable[[SharedWork, int | None], DaskWorkers], None, None]:
    """A connection to a scheduler; gives what takes its workers for a piece of work.

    Raises:
        SettingsError: Nobody answers, no worker can be used, or the library is missing.
    """
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise SettingsError(
            "a cluster needs the library distributed",
            where="cluster",
            value=address,
            hint="install it with pip install 'sleuth[cluster]'",
        ) from None
    try:
        client = distributed.Client(place, timeout=f"{PATIENCE}s", set_as_default=False)
    except (OSError, ValueError):
        raise SettingsError(
            "no cluster answers there",
            where="cluster",
            value=address,
            hint="write dask://HOST:PORT of a scheduler that runs",
        ) from None
    with client:
        staff = _Staff(client)
        end = time.monotonic() + PATIENCE
        while not staff.fitting() and not staff.refused and time.monotonic() < end:
            time.sleep(0.1)
        if not staff.fitting():
            raise SettingsError(
                "no worker of this cluster can be used",
                where="cluster",
                value=address,
                hint="; ".join(staff.refused.values())
                or f"start one: dask worker {place} --nthreads 1",
            )
        yield lambda work, most: DaskWorkers(client, staff, work, most)


class _Staff:
    """The workers of a cluster: who is there, and who is like the sender."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.refused: dict[str, str] = {}
        self._fitting: list[str] = []
        self._looked = 0.0

    def fitting(self, *, anew: bool = False) -> list[str]:
        """The addresses of workers that can be used."""
        if not anew and time.monotonic() < self._looked + LOOK:
            return self._fitting
        there: list[str] = list(self.client.nthreads())
        known = [*self._fitting, *self.refused]
        if new := [each for each in there if each not in known]:
            for each, theirs in self._asked(new).items():
                self._judge(each, theirs)
        self._fitting = [each for each in there if each in {*self._fitting}]
        self._looked = time.monotonic()
        return self._fitting

    def refuse(self, worker: str, theirs: Likeness | None) -> None:
        """Give no more work to a worker."""
        if worker in self.refused:
            return
        told = differences(theirs or {}, likeness()) if theirs else "another sleuth, or none"
        self.refused[worker] = f"worker {worker} has {told}: it gets no work"
        self._fitting = [each for each in self._fitting if each != worker]
        print(self.refused[worker], file=sys.stderr, flush=True)

    def _judge(self, worker: str, theirs: object) -> None:
        if theirs == likeness():
            self._fitting.append(worker)
        elif isinstance(theirs, dict):
            self.refuse(worker, theirs)  # pyright: ignore[reportUnknownArgumentType]
        # One that could not be asked has gone, or is asked again.

    def _asked(self, workers: list[str]) -> dict[str, object]:
        def asked() -> dict[str, str]:
            """Sent as code, for a worker that does not have this module."""
            from importlib import import_module, metadata

            try:
                return dict(import_module("sleuth.data.jobs.likeness").likeness())
            except ImportError:
                try:
                    return {"sleuth": metadata.version("sleuth")}
                except metadata.PackageNotFoundError:
                    return {"sleuth": "none"}

        return self.client.run(asked, workers=workers, on_error="return")


class DaskWorkers:
    """The workers of a cluster for one piece of work.

    Args:
        client: The connection.
        staff: Who is there.
        work: What is to be done.
        most: Most workers at once; None for all.
    """

    ahead = AHEAD

    def __init__(self, client: Any, staff: _Staff, work: SharedWork, most: int | None) -> None:
        self.client = client
        self.staff = staff
        self.most = most
        packed = work.packed("cloudpickle")
        self._digest = packed.digest
        # A task of its own, which each worker fetches once, and no data in the memory of one
        # worker: it is done again where that is lost. Any worker knows how.
        self._packed: Any = client.submit(bytes, packed.content, pure=False)
        self._futures: dict[Future[Any], tuple[Any, list[str]]] = {}
        self._killed: type[Exception] = import_module("distributed").KilledWorker
        self._alone: float | None = None

    @property
    def capacity(self) -> int:
        """The number of workers that can be used now.

        Raises:
            WorkerError: There has been none for a while.
        """
        found = len(self.staff.fitting())
        if found:
            self._alone = None
        elif self._alone is None:
            self._alone = time.monotonic()
        elif time.monotonic() > self._alone + NOBODY:
            why = list(self.staff.refused.values())
            raise WorkerError(
                f"the cluster has had no worker for {NOBODY:.0f} seconds",
                hint=why[-1] if why else "start some: what was finished is kept",
            )
        return found if self.most is None else min(found, self.most)

    def batch_seconds(self, capacity: int) -> float:
        """The work that is handed over at once: more for many workers, who wait for one sender."""
        return max(BATCH, BATCH_PER_WORKER * capacity)

    def submit(self, work: SharedWork, calls: list[tuple[Any, ...]]) -> Future[Any]:
        """Hands out a batch."""
        fitting = self.staff.fitting()
        chosen = fitting if self.staff.refused or self.most is not None else []
        chosen = chosen[: self.most]
        executor: Any = self.client.get_executor(pure=False, workers=chosen or None)
        found: Future[Any] = executor.submit(
            run_sent_batch, self._digest, self._packed, likeness(), calls
        )
        self._futures[found] = executor, chosen
        return found

    def outcome(self, future: Future[Any]) -> BatchOutcome | None:
        """The outcome of a batch that is done; None where a worker is another, or was lost.

        Raises:
            EndedError: Workers were ended while they did it, again and again.
        """
        del self._futures[future]
        try:
            found: BatchOutcome = future.result()
        except self._killed as error:
            # The scheduler has given it to others, as often as it is told to.
            raise EndedError(getattr(error, "allowed_failures", MOST_ENDS) + 1) from error
        except CancelledError:
            return None
        except ImportError as error:
            if (error.name or "").partition(".")[0] != __name__.partition(".")[0]:
                raise WorkerError(
                    f"a worker cannot import what the work needs: {error}",
                    hint="install it on all workers",
                ) from error
            self.staff.fitting(anew=True)
            return None
        except AttributeError:
            self.staff.fitting(anew=True)
            return None
        if found.other is not None:
            self.staff.fitting(anew=True)
            return None
        return found

    def is_stuck(self) -> bool:
        """True if a batch waits for workers that are all gone."""
        there = set(self.staff.fitting())
        return any(chosen and not there & set(chosen) for _, chosen in self._futures.values())

    def let_go(self, *, end: bool) -> None:
        """Forgets what was sent; what is being done is cancelled."""
        with contextlib.suppress(Exception):  # the connection may be what was lost
            for executor, _ in self._futures.values():
                executor.shutdown(wait=not end)
        self._futures.clear()
        self._packed = None
