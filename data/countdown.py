"""The time that is left for some work, by the clock on the wall and by the processor's."""

from __future__ import annotations

import math
import time
from collections.abc import Callable


def countdown(
    seconds: float | None, cpu_seconds: float | None, *, start: float | None = None
) -> Callable[[], float]:
    """The seconds that are left of both limits; infinitely many without a limit.

    Args:
        seconds: Most wall-clock seconds since the start; None for no limit.
        cpu_seconds: Most seconds of this thread's processor time from now on; None for no limit.
        start: When the work began, by `time.perf_counter`; None for now.

    Returns:
        A function for this thread, since processor time is each thread's own. What it returns is
        zero or negative when the time is over.
    """
    wall, cpu = (math.inf if limit is None else limit for limit in (seconds, cpu_seconds))
    began = time.perf_counter() if start is None else start
    cpu_began = time.thread_time()
    return lambda: min(wall - (time.perf_counter() - began), cpu - (time.thread_time() - cpu_began))
