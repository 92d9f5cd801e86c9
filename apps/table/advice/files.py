"""The files that a page of advice offers: what was entered, its record, and the report."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from ....data.errors import SettingsError
from ....data.progress import silent
from ...kit.advising.book import EntryLog, first_line
from ...kit.advising.contract import Adviser
from ...kit.records.contract import AnalysisRequest
from ...kit.records.opening import open_record
from ..kept import SittingFile
from ..sitting import Download

ADVICE, RECORD, REPORT = "advice", "record", "report"
FILES: Final = (ADVICE, RECORD, REPORT)


def file_of(name: str, adviser: Adviser, log: EntryLog, kept: SittingFile) -> Download:
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
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{adviser.name}.json"
        adviser.write(log.settings, log.entries, path)
        if name == RECORD:
            return Download(path.name, "application/json", path.read_bytes())
        game, value = open_record(path, AnalysisRequest(), instead="")
        html = str(game.analysed(value, AnalysisRequest(), silent).html())
    return Download(f"{adviser.name}.html", "text/html", html.encode())
