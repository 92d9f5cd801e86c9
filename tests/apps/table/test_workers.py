"""Work that nobody waits for any more keeps nobody waiting but for what it is in the middle of."""

from __future__ import annotations

import asyncio
import time

import pytest

from sleuth.apps.table.sitting import Job
from sleuth.apps.table.web.workers import Workers
from sleuth.errors import WorkerError

SLOW = 0.3


def test_what_was_given_up_stands_before_nothing() -> None:
    async def touched() -> float:
        workers = Workers(1)
        await workers.run(Job(time.sleep, (0,)))
        begun = time.monotonic()
        given_up = []
        for _ in range(8):
            given_up.append(asyncio.create_task(workers.run(Job(time.sleep, (SLOW,)))))
            await asyncio.sleep(0.01)
            given_up[-1].cancel()
        await asyncio.gather(*given_up, return_exceptions=True)
        await workers.run(Job(time.sleep, (0,)))
        took = time.monotonic() - begun
        last = asyncio.create_task(workers.run(Job(time.sleep, (60.0,))))
        await asyncio.sleep(0.1)
        workers.close()
        with pytest.raises(WorkerError):
            await last
        return took

    assert asyncio.run(touched()) < 4 * SLOW
