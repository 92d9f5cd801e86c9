"""What is given up keeps nobody waiting, and what cannot be done keeps no machine busy."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from sleuth.apps.table.game.sitting import GameSitting
from sleuth.apps.table.lobby import Lobby
from sleuth.apps.table.sitting import Job, Line
from sleuth.apps.table.web import serving
from sleuth.apps.table.web.serving import Served
from sleuth.apps.table.web.workers import Workers
from sleuth.errors import SettingsError, WorkerError

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


def test_what_takes_too_long_is_ended_and_what_else_was_done_is_begun_again() -> None:
    async def worked() -> list[Any]:
        workers = Workers(2)
        other = asyncio.create_task(workers.run(Job(time.sleep, (SLOW,))))
        with pytest.raises(WorkerError, match="this was ended after"):
            await workers.run(Job(time.sleep, (60.0,)), seconds=0.2)
        found = [await other, await workers.run(Job(abs, (-3,)), seconds=60.0)]
        workers.close()
        return found

    assert asyncio.run(asyncio.wait_for(worked(), 60)) == [None, 3]


def test_a_search_leaves_room_for_what_is_touched() -> None:
    async def touched() -> None:
        workers = Workers(2)
        searches = [asyncio.create_task(workers.run(Job(time.sleep, (60.0,)), urgency=1))]
        searches.append(asyncio.create_task(workers.run(Job(time.sleep, (0,)), urgency=1)))
        await asyncio.sleep(0.1)
        await workers.run(Job(time.sleep, (0,)))
        await workers.run(Job(time.sleep, (0,)))
        assert not any(each.done() for each in searches)
        searches[1].cancel()
        workers.close()
        with pytest.raises(WorkerError):
            await searches[0]

    asyncio.run(asyncio.wait_for(touched(), 30))


def test_what_cannot_be_kept_is_tried_again_after_a_pause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk does not keep the machine busy, and the game begins as soon as there is room."""
    lobby = Lobby(tmp_path)
    place = lobby.place(lobby.make("game", {"game": "kuhn_poker"}).tokens[0])
    assert place is not None
    assert isinstance(place.sitting, GameSitting)
    game, worked = place.sitting, list[Job]()

    class NearWorkers(Workers):
        async def run(self, job: Job, *, urgency: int = 0) -> Any:
            worked.append(job)
            return job.make(*job.arguments)

    def full(_: object) -> None:
        raise SettingsError("the disk is full")

    async def watched() -> int:
        served = Served(game, NearWorkers(1), lambda _: None)
        line = Line("begin", {"seat 0": "a person here", "seat 1": "random"}, "a")
        await served.hear(0, line)
        shown = served.changes(0)
        with monkeypatch.context() as now:
            now.setattr(game.file, "write", full)
            page = asyncio.create_task(_read(shown))
            await asyncio.sleep(0.3)
            tried = len(worked)
        while not game.course.begun:
            await asyncio.sleep(0.01)
        page.cancel()
        await served.leave()
        return tried

    monkeypatch.setattr(serving, "PAUSE", 0.1)
    assert 0 < asyncio.run(asyncio.wait_for(watched(), 20)) < 10
    lobby.close()


async def _read(pages: AsyncGenerator[object]) -> None:
    async for _ in pages:
        pass
