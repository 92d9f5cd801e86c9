"""Options that are one game's own: declared by it, known to the commands by its entry alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ...data.checks import known_name
from ...data.errors import SleuthError
from .option_names import option_of


@dataclass(frozen=True, kw_only=True)
class OwnOption:
    """An option of a command, which one game has.

    Attributes:
        name: Such as ``"likelihood"``, which is written ``--likelihood``.
        metavar: What stands after it, in the help.
        help: What it says, without the game's name.
        read: Its value from what was written; raises `SettingsError`.
        commands: Names of the commands that have it. In `sleuth match` it is the agent of the team
            or role of that name.
        table: Whether it goes with the table of a folder, where records are analysed.
    """

    name: str
    metavar: str
    help: str
    read: Callable[[str], Any] = str
    commands: tuple[str, ...] = ("analyse", "compare")
    table: bool = True

    @property
    def written(self) -> str:
        """As it is written."""
        return option_of(self.name)


def one_of(kind: str, names: str) -> Callable[[str], str]:
    """Reads a name that there has to be.

    Args:
        kind: What it is the name of, and the option's name.
        names: Where those stand that there are, as ``module:name``; opened when one was written.
    """

    def read(text: str) -> str:
        from ...models.games import resolved

        return known_name(text, resolved(names), kind, where=kind)

    return read


def declared() -> Iterator[tuple[str, OwnOption]]:
    """The options of all games that are known, each with the name of its game."""
    from ...models.games import entries

    for found in entries():
        try:
            options: Sequence[OwnOption] = found.part("options") or ()
        except SleuthError:
            continue  # An installed game that cannot be loaded says so where it is named.
        for option in options:
            yield found.name, option
