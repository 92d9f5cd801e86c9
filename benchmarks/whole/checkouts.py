"""Runs one script with the code of several checkouts of this repository, and reads what it prints.

The dependencies are those of the Python that runs this, and only the code of sleuth differs.
"""

from __future__ import annotations

import configparser
import json
import os
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

HERE: Final = Path(__file__).resolve().parents[2]


@contextmanager
def importable(checkout: Path) -> Generator[Path]:
    """A folder in which `sleuth` is the code of a checkout, as its setup.cfg says."""
    declared = configparser.ConfigParser()
    if not declared.read(checkout / "setup.cfg"):
        raise SystemExit(f"{checkout} is no checkout of sleuth: it has no setup.cfg")
    folders: dict[str, str] = {}
    for line in declared["options"]["package_dir"].splitlines():
        name, _, folder = line.partition("=")
        folders[name.strip()] = folder.strip()
    folders.pop("")
    with TemporaryDirectory(prefix="sleuth-checkout-") as made:
        package = Path(made) / "sleuth"
        package.mkdir()
        for entry in (checkout / folders["sleuth"]).iterdir():
            (package / entry.name).symlink_to(entry)
        for name, folder in folders.items():
            inside = package / name.partition(".")[2]
            if name.count(".") == 1 and not inside.exists():
                inside.symlink_to(checkout / folder)
        yield Path(made)


def printed(checkout: Path, script: Path, arguments: Sequence[str] = ()) -> Any:
    """What a script prints as JSON, run with the code of a checkout."""
    with importable(checkout) as folder:
        run = subprocess.run(
            [sys.executable, str(script), *arguments],
            env={
                **os.environ,
                "PYTHONPATH": str(folder),
                "SLEUTH_COMPILE": "wait",
                "OPENBLAS_NUM_THREADS": "1",
                "NUMBA_NUM_THREADS": "1",
            },
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
    if run.returncode:
        raise SystemExit(f"{script.name} failed with the code of {checkout}")
    return json.loads(run.stdout)
