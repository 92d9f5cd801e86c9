"""Files beside the user's records are no modules: nothing in the current folder is ever run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sleuth.data.files import shipped

from .processes import PROGRAM

#: What programs import early, what ours and its children import, and what workers import.
NAMES = (
    *("numpy", "joblib", "numba", "scipy", "sklearn", "typer", "rich", "pydantic", "matplotlib"),
    *("sleuth", "json", "pickle", "random", "socket", "threading", "multiprocessing", "signal"),
    *("tempfile", "subprocess", "argparse", "runpy", "sitecustomize", "usercustomize"),
)


@pytest.fixture
def trapped(tmp_path: Path) -> Path:
    """A folder of modules that say so when they are run."""
    folder = tmp_path / "trapped"
    folder.mkdir()
    for name in NAMES:
        (folder / f"{name}.py").write_text(
            f"import os\nopen(os.environ['SLEUTH_TRAP'], 'a').write({name + ' '!r})\n", "utf-8"
        )
    return folder


RECORD = min((file for file in shipped("clue")), key=lambda file: len(file.read_text("utf-8")))
COMMANDS = {
    "help": ["--help"],
    "analyse": ["analyse", str(RECORD), "--json"],
    "compare": ["compare", str(RECORD), "--methods", "metropolis", "--json"],
    "match": [
        *("match", "kuhn_poker", "--agents", "random", "random", "--games", "8"),
        *("--workers", "2"),
    ],
    "train cheat": [
        # Workers of all commands come from one pool: those of a match stand for the others.
        *("train", "cheat", "--simulate", "6", "--models", "logistic", "--workers", "1"),
    ],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_no_module_of_the_current_folder_is_run(
    trapped: Path, tmp_path: Path, command: str
) -> None:
    trap = tmp_path / "run"
    done = subprocess.run(
        [*PROGRAM, *COMMANDS[command]],
        cwd=trapped,
        env={**os.environ, "SLEUTH_TRAP": str(trap)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert not trap.exists(), f"run: {trap.read_text()}"
    assert done.returncode == 0, done.stderr


def test_the_traps_would_be_seen(trapped: Path, tmp_path: Path) -> None:
    trap = tmp_path / "run"
    subprocess.run(
        [sys.executable, "-c", "import numpy"],
        cwd=trapped,
        env={**os.environ, "SLEUTH_TRAP": str(trap)},
        check=True,
    )
    assert "numpy" in trap.read_text().split()
