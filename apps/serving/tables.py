"""Tables that are open at a desk, each seat known by a word that nobody can guess."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from ...data.errors import SettingsError, SleuthError
from ..table.advice.sitting import AdviceSitting
from ..table.game.sitting import GameSitting
from ..table.kept import SECRET, SittingLog, new_head
from ..table.lobby import Lobby, kind_of
from .limits import DeskLimits

TableSitting = AdviceSitting | GameSitting
"""What goes on at a table."""
#: Kinds of sittings that an assistant knows.
KNOWN: Final = ("advice", "game")


class UnkeptLog(SittingLog):
    """Everything that was done at a table that nobody keeps."""

    def write(self, value: Mapping[str, Any]) -> None:
        """It stands nowhere else."""

    def close(self) -> None:
        """There is nothing to let go of."""


@dataclass(frozen=True)
class SeatPlace:
    """A seat of a table.

    Attributes:
        sitting: The table.
        seat: The number of the seat, from 0.
        token: The word for it.
    """

    sitting: TableSitting
    seat: int
    token: str

    @property
    def log(self) -> SittingLog:
        """Everything that was done there."""
        return self.sitting.file


class Tables:
    """All tables of a desk.

    Args:
        limits: How many there may be.
        folder: Where those are kept that are to be, as `sleuth table` does it; None for nowhere.

    Raises:
        SettingsError: The folder cannot be used.
    """

    def __init__(self, limits: DeskLimits, folder: Path | None) -> None:
        self._limits = limits
        self._lobby = None if folder is None else Lobby(folder)
        self._seats: dict[str, SeatPlace] = {}

    @property
    def words(self) -> Sequence[str]:
        """The words for all seats of open tables; nobody but the server's own may see them."""
        return tuple(self._seats)

    @property
    def count(self) -> int:
        """The number of tables that are open."""
        return len({id(place.sitting) for place in self._seats.values()})

    def make(self, kind: str, blanks: Mapping[str, str], *, keep: bool) -> SeatPlace:
        """A new table; its first seat.

        Raises:
            SettingsError: There are too many, it cannot be kept, or there is no such game.
        """
        self._refuse_full()
        if not keep:
            made, seats = kind_of(kind).made(blanks)
            tokens = [secrets.token_urlsafe(SECRET) for _ in range(seats)]
            log = UnkeptLog(new_head(kind, made, tokens, time.time()))
            return self._remember(cast("TableSitting", kind_of(kind).opened(log, None)), tokens)
        if self._lobby is None:
            raise SettingsError(
                "this server keeps no tables",
                where="keep",
                value=keep,
                hint="its user can add --folder DIR",
            )
        return self._kept(self._lobby.make(kind, blanks).tokens[0])

    def place(self, token: str) -> SeatPlace:
        """The seat that a word stands for.

        Raises:
            SettingsError: It stands for none.
        """
        if token in self._seats:
            return self._seats[token]
        if self._lobby is not None and token:
            return self._kept(token)
        raise _nowhere(token)

    def close_table(self, place: SeatPlace) -> bool:
        """Close a table; whether it can be opened again."""
        self.forget(place)
        return not isinstance(place.log, UnkeptLog)

    def forget(self, place: SeatPlace) -> None:
        """Let go of a table."""
        sitting = place.sitting
        self._seats = {token: at for token, at in self._seats.items() if at.sitting is not sitting}
        if self._lobby is not None:
            self._lobby.let_go(place.token)
        sitting.close()

    def close(self) -> None:
        """Let go of all."""
        for place in [each for each in self._seats.values() if not each.seat]:
            self.forget(place)

    def _kept(self, token: str) -> SeatPlace:
        """A table of the folder, opened if it is not."""
        assert self._lobby is not None
        try:
            found = self._lobby.place(token)
        except SleuthError as error:
            error.reword(where="table")
            raise
        if found is None or found.sitting.kind not in KNOWN:
            raise _nowhere(token)
        if not any(at.sitting is found.sitting for at in self._seats.values()):
            self._refuse_full()
        sitting = cast("TableSitting", found.sitting)
        self._remember(sitting, sitting.file.tokens)
        return self._seats[token]

    def _remember(self, sitting: TableSitting, tokens: Sequence[str]) -> SeatPlace:
        for seat, token in enumerate(tokens):
            self._seats[token] = SeatPlace(sitting, seat, token)
        return self._seats[tokens[0]]

    def _refuse_full(self) -> None:
        if self.count >= self._limits.tables:
            raise SettingsError(
                "there are too many tables open",
                value=self._limits.tables,
                hint="close one by 'close_table'",
            )


def _nowhere(token: str) -> SettingsError:
    return SettingsError(
        "no such table is open",
        where="table",
        value=token,
        hint="'open_advice' and 'open_game' say what a table is called",
    )
