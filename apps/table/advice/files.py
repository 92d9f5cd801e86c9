"""The files that a page of advice offers: what was entered, its record, and the report."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from ....data.errors import SettingsError
from ....data.progress import silent
from ...kit.advising.book import EntryLog, first_line
from ...kit.advising.contract import Adviser
from ...kit.advising.entries import Entry, Settings
from ...kit.advising.known import adviser_of
from ...kit.records.contract import AnalysisRequest
from ...kit.records.opening import open_record
from ..kept import SittingLog
from ..sitting import Download, Job

ADVICE, RECORD, REPORT = "advice", "record", "report"
FILES: Final = (ADVICE, RECORD, REPORT)


def file_of(name: str, adviser: Adviser, log: EntryLog, kept: SittingLog) -> Download:
    """A file of a game beside which somebody is advised.

    Args:
        name: One of `FILES`.
        adviser: The game.
        log: What was set up and entered.
        kept: The file of the sitting.

    Raises:
        SettingsError: There is no such file.
        SleuthError: There is nothing yet that it could have in it.
    """
    if name == ADVICE:
        steps = [each for step in kept.steps for each in step["did"]]
        lines = [first_line(adviser), *steps]
        text = "".join(f"{json.dumps(each)}\n" for each in lines)
        return Download(f"{adviser.name}-advice.jsonl", "application/jsonl", text.encode())
    if name not in FILES:
        raise SettingsError("there is no such file", value=name)
    if name == REPORT:
        told = json.dumps(log.settings), json.dumps(log.entries)
        job = Job(report, (str(kept.made["game"]), *told))
        return Download(f"{adviser.name}.html", "text/html", job)
    with TemporaryDirectory() as folder:
        path = _record(Path(folder), adviser, log.settings, log.entries)
        return Download(path.name, "application/json", path.read_bytes())


def report(game: str, settings: str, entries: str) -> bytes:
    """The page of `sleuth analyse` on a game.

    Args:
        game: The game's name.
        settings, entries: What was set up and entered, as JSON.

    Raises:
        SleuthError: It cannot be analysed.
    """
    with TemporaryDirectory() as folder:
        path = _record(Path(folder), adviser_of(game), json.loads(settings), json.loads(entries))
        found, value = open_record(path, AnalysisRequest(), instead="")
        return str(found.analysed(value, AnalysisRequest(), silent).html()).encode()


def _record(folder: Path, adviser: Adviser, settings: Settings, entries: Sequence[Entry]) -> Path:
    path = folder / f"{adviser.name}.json"
    adviser.write(settings, entries, path)
    return path
