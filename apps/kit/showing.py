"""Findings of a command on standard output: as text, or as JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .console import out, print_json

if TYPE_CHECKING:
    from pathlib import Path

    from .answers.values import Statements


def show(
    value: Callable[[], object],
    said: Callable[[], Statements],
    *,
    as_json: bool,
    **written: Path | None,
) -> None:
    """Shows a command's findings, on standard output.

    Args:
        value: Makes them for ``--json``.
        said: Makes them for a person.
        as_json: Whether JSON is wanted, and nothing else.
        written: Files that were written besides, by what they are; None for none.
    """
    if as_json:
        print_json(value())
        return
    from .answers.text import put

    console = out()
    put(console, *said())
    for what, path in written.items():
        if path is not None:
            are = "are" if what.endswith("s") else "is"
            console.print(f"\nThe {what} {are} in {path}", soft_wrap=True)
