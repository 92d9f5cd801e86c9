"""A sitting as the server has it: one thing at a time, seen by any number of pages."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import pickle
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, TypeVar

from ....data.errors import SleuthError
from ...kit.answers.values import Paragraph
from ..sitting import Download, Job, Line, Panel, Sitting
from .markup import panel_html
from .texts import WORK_FAILED
from .workers import Workers

_Made = TypeVar("_Made")
#: Pages of one seat that may be open: one that is gone without a word is not known to be gone.
MOST_OF_A_SEAT: Final = 12
#: Answers of jobs that are kept.
MOST_ANSWERS: Final = 200
#: Seconds until what could not be kept is tried again.
PAUSE: Final = 1.0
#: What is worked out for a touch, and what an agent thinks about.
FOR_A_PERSON: Final = 0
FOR_AN_AGENT: Final = 1

Shown = Mapping[str, str]
"""The panels of a page: name -> markup, in order."""


@dataclass(frozen=True)
class Heard:
    """The answer to a line.

    Attributes:
        refused: Why it was refused; empty where it was taken.
        hint: What to write instead.
        go: Where the page is led; empty where it stays.
    """

    refused: str = ""
    hint: str = ""
    go: str = ""


class Served:
    """One sitting, its pages, and its jobs.

    Args:
        sitting: The sitting.
        workers: Who does what takes long.
        trouble: Told of every error that nobody expected.
    """

    def __init__(
        self, sitting: Sitting, workers: Workers, trouble: Callable[[BaseException], None]
    ) -> None:
        self.sitting = sitting
        self._workers = workers
        self._trouble = trouble
        self._lock = asyncio.Lock()
        self._changed: dict[asyncio.Event, int] = {}
        self._answers: OrderedDict[bytes, Panel] = OrderedDict()
        self._running: dict[bytes, asyncio.Task[None]] = {}
        #: What each seat waits for.
        self._wanted: dict[int, set[bytes]] = {}
        self._due: asyncio.Task[None] | None = None
        self._ticking: asyncio.Task[None] | None = None
        self._shown: dict[int, Shown] = {}
        self._left = False

    @property
    def watched(self) -> int:
        """The number of open pages."""
        return len(self._changed)

    async def hear(self, seat: int, line: Line) -> Heard:
        """Take a line of a seat, once."""
        async with self._lock:
            if line.touch and self.sitting.known(line.touch):
                return Heard()
            try:
                go = await asyncio.to_thread(self.sitting.take, seat, line)
            except SleuthError as error:
                return Heard(str(error), error.hint)
            finally:
                self._publish()
            return Heard(go=go)

    async def download(self, seat: int, name: str) -> tuple[Download, bytes]:
        """A file that a seat may have, and its content; a SleuthError where there is none."""
        async with self._lock:
            file = await asyncio.to_thread(self.sitting.download, seat, name)
        if isinstance(file.content, bytes):
            return file, file.content
        return file, await self._workers.run(file.content, urgency=FOR_A_PERSON)

    async def shown(self, seat: int) -> Shown:
        """The panels that a seat sees now; what takes longer is begun."""
        async with self._lock:
            if seat not in self._shown:
                panels, jobs = await asyncio.to_thread(self._seen, seat)
                self._wanted[seat] = {key for key, _ in jobs}
                self._end_unwanted()
                self._shown[seat] = self._with(panels, jobs)
            found = self._shown[seat]
        self.go_on()
        return found

    async def changes(self, seat: int) -> AsyncGenerator[tuple[Shown, list[str]]]:
        """The changes of a page since the last time: first everything, then whenever it does.

        It ends when a seat has too many pages that are newer.

        Yields:
            The panels that changed, and the names of all in order.
        """
        changed = asyncio.Event()
        alike = [each for each, other in self._changed.items() if other == seat]
        for oldest in alike[: max(0, len(alike) + 1 - MOST_OF_A_SEAT)]:
            del self._changed[oldest]
            oldest.set()
        self._changed[changed] = seat
        before: Shown = {}
        try:
            while not self._left and changed in self._changed:
                changed.clear()
                now = await self.shown(seat)
                if now != before:
                    new = {name: html for name, html in now.items() if before.get(name) != html}
                    yield new, list(now)
                    before = now
                await changed.wait()
        finally:
            self._changed.pop(changed, None)

    def go_on(self) -> None:
        """Begin what has to be done before it goes on, if it has not been begun."""
        if self._due is None or self._due.done():
            self._due = asyncio.create_task(self._quietly(self._do_what_is_due()))
        if self._ticking is None or self._ticking.done():
            self._ticking = asyncio.create_task(self._quietly(self._tick()))

    async def leave(self) -> None:
        """End all that is being worked on, and all streams."""
        self._left = True
        for changed in self._changed:
            changed.set()
        tasks = [*self._running.values(), self._due, self._ticking]
        for task in tasks:
            if task is not None:
                task.cancel()
        for task in tasks:
            if task is not None:
                with contextlib.suppress(asyncio.CancelledError, Exception):
                    await task

    # -- parts

    def _publish(self) -> None:
        self._shown.clear()
        for changed in self._changed:
            changed.set()

    def _seen(self, seat: int) -> tuple[list[Panel], list[tuple[bytes, Job]]]:
        panels = list(self.sitting.panels(seat))
        return panels, [(_key(job), job) for job in self.sitting.jobs(seat)]

    def _with(self, panels: list[Panel], jobs: list[tuple[bytes, Job]]) -> Shown:
        """The panels as markup, with the answers that are there; the other jobs are begun."""
        found = {panel.name: panel_html(panel) for panel in panels}
        for key, job in jobs:
            assert job.panel is not None
            answer = self._answers.get(key)
            if answer is None:
                found[job.panel.name] = panel_html(job.panel, busy=True)
                if key not in self._running:
                    self._running[key] = asyncio.create_task(self._work(key, job))
            else:
                self._answers.move_to_end(key)
                found[job.panel.name] = panel_html(answer)
        return found

    def _end_unwanted(self) -> None:
        """End work that nobody waits for any more: what is touched next need not wait for it."""
        wanted = set[bytes]().union(*self._wanted.values())
        for key in [key for key in self._running if key not in wanted]:
            self._running.pop(key).cancel()

    async def _work(self, key: bytes, job: Job) -> None:
        assert job.panel is not None
        try:
            parts = tuple(await self._workers.run(job, urgency=FOR_A_PERSON))
        except asyncio.CancelledError:
            raise
        except Exception as error:
            if not isinstance(error, SleuthError):
                self._trouble(error)
            parts = (Paragraph(WORK_FAILED.format(error), "soft"),)
        finally:
            if self._running.get(key) is asyncio.current_task():
                del self._running[key]
        self._answers[key] = replace(job.panel, parts=parts)
        while len(self._answers) > MOST_ANSWERS:
            self._answers.popitem(last=False)
        self._publish()

    async def _do_what_is_due(self) -> None:
        while (job := await self._locked(self.sitting.due, publish=False)) is not None:
            try:
                answer = await self._workers.run(job, urgency=FOR_AN_AGENT)
            except asyncio.CancelledError:
                raise
            except Exception as error:
                if not isinstance(error, SleuthError):
                    self._trouble(error)
                await self._locked(partial(self._if_due, job, self.sitting.failed, error))
                return
            try:
                await self._locked(partial(self._if_due, job, self.sitting.done, answer))
            except SleuthError as error:
                # It cannot be kept, such as on a full disk.
                await self._locked(partial(self._if_due, job, self.sitting.failed, error))
                return

    async def _quietly(self, work: Coroutine[Any, Any, None]) -> None:
        """Keep what nobody expected: no page waits for this."""
        try:
            await work
        except SleuthError:
            # Not even that it failed can be kept, such as on a full disk: there may be room later.
            await asyncio.sleep(PAUSE)
            self._publish()
        except Exception as error:
            self._trouble(error)

    def _if_due(self, job: Job, take: Callable[[Job, Any], None], answer: Any) -> None:
        # It may have gone another way, such as back.
        if self.sitting.due() == job:
            take(job, answer)

    async def _tick(self) -> None:
        while (seconds := await self._locked(self.sitting.later, publish=False)) is not None:
            await asyncio.sleep(seconds)
            if not self._changed:
                return
            await self._locked(self.sitting.tick)

    async def _locked(self, call: Callable[[], _Made], *, publish: bool = True) -> _Made:
        async with self._lock:
            try:
                return await asyncio.to_thread(call)
            finally:
                if publish:
                    self._publish()


def _key(job: Job) -> bytes:
    """A key that tells jobs apart whose arguments cannot be hashed."""
    said = (job.make.__module__, job.make.__qualname__, job.arguments)
    return hashlib.blake2b(pickle.dumps(said), digest_size=16).digest()
