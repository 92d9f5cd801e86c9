"""The version: written here, read when the package is built, asked of the installed package."""

from __future__ import annotations

import functools
from importlib import metadata
from typing import Final

VERSION: Final = "0.1.0"


@functools.cache
def version() -> str:
    """The installed version of sleuth; the one in the sources when it is not installed."""
    try:
        return metadata.version("sleuth")
    except metadata.PackageNotFoundError:
        return VERSION
