"""Versions by which results may differ: a worker has to have those of the sender."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from ..version import version

Likeness = Mapping[str, str]
"""What is compared, by its name."""

#: Libraries that results depend on, to the second number of their versions.
LIBRARIES: Final = ("numba", "numpy", "scikit-learn", "scipy")
#: The packages whose sources results depend on, and the kinds of files in them.
PACKAGES: Final = (
    *("data", "models", "beliefs", "planners", "training", "adapters", "apps", "shelf"),
)
ENDINGS: Final = (".py", ".json", ".npz", ".csv", ".txt")
#: How much of a digest is shown, and compared.
SHOWN: Final = 12


@cache
def likeness() -> Likeness:
    """The versions that this process works with."""
    found = {
        "sleuth": f"{version()} ({sources()})",
        "Python": ".".join(map(str, sys.version_info[:2])),
    }
    for name in LIBRARIES:
        try:
            found[name] = ".".join(metadata.version(name).split(".")[:2])
        except metadata.PackageNotFoundError:
            found[name] = "none"
    return found


def differences(theirs: Likeness, ours: Likeness) -> str:
    """The versions that differ, in words: theirs, then ours."""
    differing = [name for name in {**ours, **theirs} if theirs.get(name) != ours.get(name)]
    return ", ".join(
        f"{name} {theirs.get(name, 'none')} in place of {ours.get(name, 'none')}"
        for name in differing
    )


@cache
def sources() -> str:
    """A digest of the package's sources: versions in development have one number."""
    digest = hashlib.sha256()
    for name, file in sorted(_files()):
        digest.update(f"{name}\0".encode() + file.read_bytes() + b"\0")
    return digest.hexdigest()[:SHOWN]


def _files() -> Iterator[tuple[str, Path]]:
    top = __name__.partition(".")[0]
    for package in PACKAGES:
        found = find_spec(f"{top}.{package}")
        for folder in (found and found.submodule_search_locations) or ():
            for file in Path(folder).rglob("*"):
                if file.suffix in ENDINGS and file.is_file():
                    yield f"{package}/{file.relative_to(folder).as_posix()}", file
