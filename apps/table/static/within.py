"""A sitting inside a browser: it is told lines and says what a page shows, all as JSON.

The browser keeps what was done, a line each, as the file of a server does. What takes long is done
between two touches, since there is but one thread.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ....data.errors import SleuthError
from ...kit.answers.values import Paragraph
from .. import lobby
from ..kept import SittingLog, new_head
from ..sitting import Job, Line, Panel
from ..web.markup import panel_html
from ..web.texts import WORK_FAILED

#: The secret of a seat that no other machine can ask for.
HERE = "here"


class BrowserLog(SittingLog):
    """All that was done, kept by the browser.

    Args:
        head: See `SittingLog`.
        lines: What it kept, as it was told.
        keep: Keeps one line more; it raises if it cannot.
    """

    def __init__(
        self, head: Mapping[str, Any], lines: Sequence[str], keep: Callable[[str], object]
    ) -> None:
        super().__init__(head)
        self._keep = keep
        for line in lines:
            self.take(json.loads(line))

    def write(self, value: Mapping[str, Any]) -> None:
        self._keep(json.dumps(value))

    def close(self) -> None:
        """There is nothing to let go of."""


class BrowserSitting:
    """One sitting with one seat, for a page that calls it.

    Args:
        kind: What it is; see `Sitting`.
        made: What it is made of, as JSON.
        lines: What the browser kept of it.
        keep: Keeps one line more.
    """

    def __init__(
        self, kind: str, made: str, lines: Sequence[str], keep: Callable[[str], object]
    ) -> None:
        head = new_head(kind, json.loads(made), [HERE], 0.0)
        self._sitting = lobby.kind_of(kind).opened(BrowserLog(head, lines, keep), None)
        self._answers: dict[str, Panel] = {}

    def shown(self) -> str:
        """Everything that the page shows, as JSON: panels and their order."""
        sitting = self._sitting
        found = {panel.name: panel_html(panel) for panel in sitting.panels(0)}
        for job in self._jobs():
            assert job.panel is not None
            answer = self._answers.get(_key(job))
            found[job.panel.name] = panel_html(answer or job.panel, busy=answer is None)
        return json.dumps({"panels": found, "order": [*found]})

    def say(self, line: str) -> str:
        """Take what the page says, as JSON; why it was refused, as JSON."""
        said = json.loads(line)
        taken = Line(said["line"], said["blanks"], said["touch"])
        if not self._sitting.known(taken.touch):
            try:
                self._sitting.take(0, taken)
            except SleuthError as error:
                return json.dumps({"refused": str(error), "hint": error.hint})
        return json.dumps({"refused": "", "hint": ""})

    def work(self) -> bool:
        """Work out the next thing that takes long; False if there is nothing left."""
        jobs = self._jobs()
        keys = [_key(job) for job in jobs]
        self._answers = {key: each for key, each in self._answers.items() if key in keys}
        for job, key in zip(jobs, keys, strict=True):
            if key in self._answers:
                continue
            assert job.panel is not None
            try:
                parts = tuple(job.make(*job.arguments))
            except SleuthError as error:
                parts = (Paragraph(WORK_FAILED.format(error), "soft"),)
            panel = job.panel
            self._answers[key] = Panel(panel.name, parts, panel.title, panel.place, panel.folded)
            return True
        return False

    def download(self, name: str) -> str:
        """A file, as JSON: its name, its media type and its bytes in base 64; or the refusal."""
        try:
            file = self._sitting.download(0, name)
        except SleuthError as error:
            return json.dumps({"refused": str(error)})
        content = base64.b64encode(file.here()).decode()
        return json.dumps({"name": file.name, "kind": file.kind, "content": content})

    def _jobs(self) -> list[Job]:
        return [job for job in self._sitting.jobs(0) if not job.heavy]


def _key(job: Job) -> str:
    return repr((job.make.__module__, job.make.__qualname__, job.arguments))
