"""A small sitting of the tests: a sum that two seats see, and a secret of each."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from sleuth.apps.kit.answers.values import BlankForm, FormField, Paragraph, Touch, Touches
from sleuth.apps.table.kept import SittingLog
from sleuth.apps.table.lobby import Lobby
from sleuth.apps.table.sitting import Download, Job, Line, Panel
from sleuth.data.errors import RecordError, SettingsError


def squared(number: int, delay: float) -> list[Paragraph]:
    time.sleep(delay)
    return [Paragraph(f"its square is {number * number}")]


def squared_at_last(number: int, folder: str) -> list[Paragraph]:
    """Its worker is ended the first time."""
    mark = Path(folder) / "was here"
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return squared(number, 0.0)


def doubled(number: int) -> int:
    return 2 * number


def failing(number: int) -> int:
    raise SettingsError("this cannot be doubled", value=number)


def breaking(number: int) -> int:
    raise ZeroDivisionError(number)


class Counter:
    """Lines: ``add N``, ``secret`` with a blank, ``double``, ``fail``, ``break``."""

    kind: ClassVar[str] = "counter"
    title = "Counter"

    def __init__(self, file: SittingLog) -> None:
        self.file = file
        self.total = 0
        self.secrets = dict.fromkeys(range(len(file.tokens)), "")
        self.doubling = ""
        self.problem = ""
        self.running = 0
        for step in file.steps:
            self._apply(step)

    @property
    def seats(self) -> Sequence[str]:
        return [f"seat {place}" for place in range(len(self.file.tokens))]

    def panels(self, seat: int) -> Sequence[Panel]:
        return [
            Panel("sum", (Paragraph(f"the sum is {self.total}{self.problem}"),), "Sum", live=True),
            Panel("own", (Paragraph(f"your secret is {self.secrets[seat]}"),), place="side"),
            Panel(
                "touch",
                (
                    Touches("Add", tuple(Touch(str(n), f"add {n}") for n in (1, 2, 5))),
                    Touches("", (Touch("Run", "run", key="r"),)),
                    BlankForm("secret", (FormField("word", "A word"),), "Keep it"),
                ),
                place="touch",
            ),
        ]

    def jobs(self, seat: int) -> Sequence[Job]:
        panel = Panel("square", (), "Square", folded=False)
        if (mark := self.file.made.get("ended")) is not None:
            return [Job(squared_at_last, (self.total, mark), panel)]
        return [Job(squared, (self.total, self.file.made.get("delay", 0.0)), panel)]

    def known(self, touch: str) -> bool:
        return self.file.known(touch)

    def take(self, seat: int, line: Line) -> str:
        word, _, rest = line.text.partition(" ")
        if word == "add" and rest.lstrip("-").isdecimal() and rest.isascii():
            self._keep({"add": int(rest[:6])}, line.touch)
        elif word == "secret":
            self._keep({"secret": line.blanks.get("word", ""), "seat": seat}, line.touch)
        elif word in ("double", "fail", "break"):
            self._keep({"due": word}, line.touch)
        elif word == "run":
            self.running = 3
        elif word == "go":
            return "/elsewhere"
        else:
            raise RecordError("the counter does not know this", value=line.text, hint="write add 1")
        return ""

    def download(self, seat: int, name: str) -> Download:
        if name != "sum.txt":
            raise SettingsError("there is no such file", value=name)
        return Download(name, "text/plain", str(self.total).encode())

    def due(self) -> Job | None:
        makes: Mapping[str, Any] = {"double": doubled, "fail": failing, "break": breaking}
        return Job(makes[self.doubling], (self.total,)) if self.doubling else None

    def done(self, job: Job, answer: int) -> None:
        self._keep({"total": answer})

    def failed(self, job: Job, error: Exception) -> None:
        self._keep({"problem": str(error)})

    def later(self) -> float | None:
        return 0.01 if self.running else None

    def tick(self) -> None:
        self.running -= 1
        self._keep({"add": 1})

    def close(self) -> None:
        self.file.close()

    def _keep(self, step: Mapping[str, Any], touch: str = "") -> None:
        self.file.keep(step, touch)
        self._apply(step)

    def _apply(self, step: Mapping[str, Any]) -> None:
        self.total += step.get("add", 0)
        if "secret" in step:
            self.secrets[step["seat"]] = step["secret"]
        self.doubling = step.get("due", self.doubling)
        if "total" in step:
            self.total, self.doubling = step["total"], ""
        if "problem" in step:
            self.problem, self.doubling = f"; {step['problem']}", ""


class CounterKind:
    def made(self, blanks: Mapping[str, str]) -> tuple[Mapping[str, Any], int]:
        made: dict[str, Any] = {"delay": float(blanks.get("delay") or 0.0)}
        if "ended" in blanks:
            made["ended"] = blanks["ended"]
        return made, int(blanks.get("seats", "2"))

    def opened(self, file: SittingLog, lobby: Lobby | None) -> Counter:
        return Counter(file)

    def name(self, made: Mapping[str, Any]) -> str:
        return "Counter"
