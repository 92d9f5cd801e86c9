"""Libraries that only some work needs, which extras of sleuth install."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .errors import SettingsError


def library(name: str, extra: str, *, where: str) -> Any:
    """A library that an extra installs, imported.

    Args:
        name: The name that it, or a module of it, is imported by.
        extra: The extra of sleuth that brings it.
        where: The place that an error names.

    Raises:
        SettingsError: It is not installed.
    """
    try:
        return import_module(name)
    except ImportError:
        raise SettingsError(
            f"the library {name.partition('.')[0]} is not installed",
            where=where,
            hint=f"install it with pip install 'sleuth[{extra}]'",
        ) from None
