"""The command as tests call it: in this process, which costs no start."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest


@dataclass(frozen=True)
class Ran:
    """How a call of the command ended, and what it said."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)


Sleuth = Callable[..., Ran]


@pytest.fixture
def sleuth(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Sleuth:
    from sleuth.kit import main

    monkeypatch.setenv("COLUMNS", "200")

    def run(*arguments: object) -> Ran:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return Ran(code, said.out, said.err)

    return run


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Writes a record and says where it is."""

    def written(record: object, name: str = "game.json") -> Path:
        path = tmp_path / name
        path.write_text(record if isinstance(record, str) else json.dumps(record), "utf-8")
        return path

    return written


@pytest.fixture
def advise(sleuth: Sleuth, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Calls `sleuth advise` with what a person types."""

    def called(*arguments: object, typed: Sequence[str] = ()) -> Ran:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        return sleuth("advise", *arguments)

    return called
