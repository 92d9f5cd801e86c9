"""The folders in which a system keeps what programs of a user keep."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final, Literal

NAME: Final = "sleuth"
#: Below a home, where no variable says otherwise (XDG Base Directory Specification 0.8).
_AT_HOME: Final = {"cache": ".cache", "data": ".local/share"}


def user_folder(kind: Literal["cache", "data"], *, system: str = sys.platform) -> Path | None:
    """The folder of ours for what can be made again, or for what is to last.

    ``$XDG_CACHE_HOME`` or ``$XDG_DATA_HOME`` where it is an absolute path, as their specification
    says. Else by the rules of Windows and macOS there, and elsewhere below the home.

    Args:
        kind: What is kept.
        system: The system, as ``sys.platform`` names it.

    Returns:
        The folder, which may not be there yet; None where nobody's home is known.
    """
    given = os.environ.get(f"XDG_{kind.upper()}_HOME", "")
    if os.path.isabs(given):
        return Path(given) / NAME
    if system == "win32":
        from platformdirs.windows import Windows as Places
    elif system == "darwin":
        from platformdirs.macos import MacOS as Places
    else:
        home = os.path.expanduser("~")
        return Path(home) / _AT_HOME[kind] / NAME if os.path.isabs(home) else None
    places = Places(NAME, appauthor=False)
    return places.user_cache_path if kind == "cache" else places.user_data_path
