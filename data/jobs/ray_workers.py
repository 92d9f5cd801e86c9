"""Workers of a Ray cluster, which get batches of jobs: joblib's backend for Ray is not needed."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Callable, Generator
from concurrent.futures import Future
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final

from ..errors import SettingsError, WorkerError
from .batches import AHEAD, BatchOutcome, EndedError, SharedWork, run_sent_batch
from .likeness import differences, likeness

#: The Ray that this machine is a part of, and one that is started here.
AUTO: Final = "auto"
LOCAL: Final = "local"
#: Ray's variable that says whether it may be reached from other machines.
LOOPBACK: Final = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"
# It writes what becomes of workers; `log_to_driver` is about their own words.
_WRITES: Final = "_worker_logs_enabled"
#: Seconds of work that are handed over at once: at least, and for each core of the cluster.
BATCH: Final = 0.5
BATCH_PER_CORE: Final = 0.01
#: How often a batch is begun again whose worker was ended.
MOST_ENDS: Final = 3


@contextmanager
def ray_cluster(
    address: str, place: str
) -> Generator[Callable[[SharedWork, int | None], RayWorkers], None, None]:
    """A connection to Ray; gives what takes its workers for a piece of work.

    Raises:
        SettingsError: Nobody answers, or the library is missing.
    """
    if place == LOCAL:
        # Read when ray is imported: one that is started here listens on 127.0.0.1 alone.
        os.environ.setdefault(LOOPBACK, "0")
    try:
        ray: Any = import_module("ray")
        if place not in (AUTO, LOCAL):
            import_module("grpc")
    except ImportError:
        raise SettingsError(
            "this cluster needs the library ray",
            where="cluster",
            value=address,
            hint="install it with pip install 'sleuth[ray]'; for ray://HOST:PORT also "
            "pip install 'ray[client]'",
        ) from None
    if ray.is_initialized():  # by the program that called
        yield lambda work, most: RayWorkers(ray, work, most)
        return
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if place == LOCAL:
        options["include_dashboard"] = False
    with _silent():
        try:
            ray.init(address=place if place in (AUTO, LOCAL) else address, **options)
        except (ConnectionError, OSError, RuntimeError, ValueError) as error:
            raise SettingsError(
                f"no Ray answers there: {str(error).splitlines()[0] if str(error) else error!r}",
                where="cluster",
                value=address,
                hint="write ray://HOST:PORT of a client server, or ray://local; one that wants a "
                "token answers where RAY_AUTH_MODE=token is set",
            ) from None
        try:
            yield lambda work, most: RayWorkers(ray, work, most)
        finally:
            ray.shutdown()


@contextmanager
def _silent() -> Generator[None, None, None]:
    """While the block runs, Ray does not write on standard output, where an answer may stand."""
    module: Any = import_module("ray._private.worker")
    before = getattr(module, _WRITES, True)
    setattr(module, _WRITES, False)
    try:
        yield
    finally:
        setattr(module, _WRITES, before)


class RayWorkers:
    """The workers of Ray for one piece of work.

    Args:
        ray: The library, connected.
        work: What is to be done.
        most: Most workers at once; None for one on each core.
    """

    def __init__(self, ray: Any, work: SharedWork, most: int | None) -> None:
        self.ray = ray
        self.most = most
        # Any of its cores takes what is handed out.
        self.ahead = AHEAD if most is None else 1
        packed = work.packed("ray.cloudpickle")
        self._digest = packed.digest
        self._packed: Any = ray.put(packed.content)
        self._run: Any = ray.remote(num_cpus=1, max_retries=MOST_ENDS)(run_sent_batch)
        self._references: dict[Future[Any], Any] = {}

    @property
    def capacity(self) -> int:
        """The number of cores of the cluster now."""
        found = max(1, int(self.ray.cluster_resources().get("CPU", 1)))
        return found if self.most is None else min(found, self.most)

    def batch_seconds(self, capacity: int) -> float:
        """The work that is handed over at once."""
        return max(BATCH, BATCH_PER_CORE * capacity)

    def submit(self, work: SharedWork, calls: list[tuple[Any, ...]]) -> Future[Any]:
        """Hands out a batch."""
        reference = self._run.remote(self._digest, self._packed, likeness(), calls)
        found: Future[Any] = reference.future()
        self._references[found] = reference
        return found

    def outcome(self, future: Future[Any]) -> BatchOutcome:
        """The outcome of a batch that is done.

        Raises:
            EndedError: Its worker was ended, again and again.
            WorkerError: Its worker has another sleuth, or something else could not be done there.
        """
        self._references.pop(future)
        errors: Any = self.ray.exceptions
        try:
            found: BatchOutcome = future.result()
        except errors.RayTaskError as error:
            raise WorkerError(f"a worker could not do its work: {error.cause}") from error
        except errors.RayError as error:
            raise EndedError(MOST_ENDS + 1) from error
        if found.other is not None:
            told = differences(found.other, likeness())
            raise WorkerError(f"a worker has {told}", hint="give all machines the same environment")
        return found

    def is_stuck(self) -> bool:
        """False: Ray begins again what was lost."""
        return False

    def let_go(self, *, end: bool) -> None:
        """Cancels what is being done, and forgets the work."""
        with contextlib.suppress(Exception):  # the connection may be what was lost
            for reference in self._references.values():
                self.ray.cancel(reference, force=True)
        self._references.clear()
        self._packed = None
