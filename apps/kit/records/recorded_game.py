"""What games with pages and notations of their own have in common when they are analysed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ....data.errors import SettingsError
from ..own_options import OwnOption

if TYPE_CHECKING:
    from rich.console import RenderableType

    from .contract import Asked


@dataclass(frozen=True)
class AnalysedGame:
    """An analysed game, shown by ``report.text`` and ``report.page`` of its room.

    Attributes:
        analysis: What was found.
        room: The package.
    """

    analysis: Any
    room: str

    def to_json(self) -> Mapping[str, object]:
        """As ``--json`` prints it."""
        return self.analysis.to_json()

    def render(self, width: int) -> RenderableType:
        """For a terminal of this many columns, below the game's `heading`."""
        return import_module(f"{self.room}.report.text").render(self.analysis, width)

    def html(self) -> str:
        """The report."""
        return import_module(f"{self.room}.report.page").html_report(self.analysis)


class RecordedGame:
    """What one game's records can be asked; a game overrides the rest.

    Attributes:
        own: Its own options.
        shared: Options that some games have, of which it is one.
        only: The one method that analyses it; None for all engines.
        only_said: What to say of others.
    """

    own: tuple[OwnOption, ...] = ()
    shared: frozenset[str] = frozenset()
    only: str | None = None
    only_said: str = ""

    @property
    def options(self) -> frozenset[str]:
        """Options that are for this game and not for all."""
        return self.shared | {each.written for each in self.own}

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods that are compared if none is named: all engines."""
        from ....beliefs.engines import NAMES

        return tuple(NAMES)

    def values(self, asked: Asked) -> dict[str, Any]:
        """The values of those of its own options that were given.

        Raises:
            SettingsError: One of them has an impossible value.
        """
        given = (each for each in self.own if each.name in asked.own)
        return {each.name: each.read(asked.own[each.name]) for each in given}

    def check(self, asked: Asked) -> None:
        """Refuses a method that is not for this game, and impossible values of its own options."""
        if self.only is not None and asked.method.replace("-", "_") not in ("auto", self.only):
            raise SettingsError(
                self.only_said,
                where="--method",
                value=asked.method,
                hint="leave it out; 'sleuth compare' sets other methods beside it",
            )
        if asked.method != "auto":
            from ....beliefs.engines import engine

            engine(asked.method)
        self.values(asked)

    def heading(self, value: object, asked: Asked) -> RenderableType | None:
        """Nothing: the text says all when the analysis is there."""
        return None

    def analysed_as(self, analysis: Any) -> AnalysedGame:
        """An analysis, to be shown by this game's room."""
        return AnalysedGame(analysis, type(self).__module__.rpartition(".")[0])
