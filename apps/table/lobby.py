"""All sittings of a server: made, kept in a folder, found again by the address of a seat."""

from __future__ import annotations

import os
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol

from ...data.errors import SettingsError, SleuthError
from .kept import KIND, SittingFile, SittingLog, head_of
from .sitting import Sitting

#: Where the kinds of sittings are, by the word for each.
KINDS: Final = {
    "advice": "advice.sitting:AdviceKind",
    "replay": "replay.sitting:ReplayKind",
    "game": "game.sitting:GameKind",
    "people": "people.sitting:PeopleKind",
}
#: Sittings that are open at the same time; the one that was longest left alone is closed first.
MOST_OPEN: Final = 200
#: Letters that a key has at least.
FEWEST_OF_A_KEY: Final = 16
#: Sittings that a folder may have.
MOST_KEPT: Final = 5_000


class SittingKind(Protocol):
    """A kind of sitting: what is asked before one is made, and what opens it."""

    def made(self, blanks: Mapping[str, str]) -> tuple[Mapping[str, Any], int]:
        """Plain values of JSON that say what to make, and how many seats it has.

        Args:
            blanks: What was filled in at the lobby.

        Raises:
            SleuthError: It cannot be made of this.
        """
        ...

    def opened(self, file: SittingLog, lobby: Lobby | None) -> Sitting:
        """The sitting of a file, as far as it has come.

        Args:
            file: What was done at it.
            lobby: Where it is; None where there is no server, and so no other sitting.
        """
        ...

    def name(self, made: Mapping[str, Any]) -> str:
        """The words for it in a list."""
        ...


@dataclass(frozen=True)
class Kept:
    """A sitting in the folder, as a list shows it.

    Attributes:
        path: Its file.
        kind: What it is.
        name: The words for it.
        tokens: The secret part of each seat's address.
        begun: When it was begun, in seconds of the clock.
        last: When something was done last, in seconds of the clock.
    """

    path: Path
    kind: str
    name: str
    tokens: tuple[str, ...]
    begun: float
    last: float


@dataclass(frozen=True)
class Place:
    """A seat of a sitting.

    Attributes:
        sitting: The sitting.
        seat: The number of the seat, from 0.
        token: The secret part of its address.
    """

    sitting: Sitting
    seat: int
    token: str


class Lobby:
    """The sittings of a folder.

    Args:
        folder: Where their files are; it is made, readable for this user alone.

    Attributes:
        closing: Called with a sitting before it is closed.

    Raises:
        SettingsError: The folder cannot be used.
    """

    def __init__(self, folder: Path) -> None:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            (folder / "sittings").mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise _unusable(folder, error) from None
        self.folder = folder
        #: How the server is reached, the widest way first; empty where there is none.
        self.addresses: tuple[str, ...] = ()
        self.closing: Callable[[Sitting], None] = lambda _: None
        self._open: OrderedDict[Path, Sitting] = OrderedDict()
        self._paths: dict[str, tuple[Path, int]] = {}
        #: What was read of files, as a list shows it.
        self._listed: dict[Path, Kept] = {}
        #: What is open is looked up by many threads; each file is opened by one of them.
        self._lock = threading.RLock()
        self._opening: dict[Path, threading.Lock] = {}
        for kept in self.kept():
            self._remember(kept.path, kept.tokens)

    @cached_property
    def key(self) -> str:
        """The key of the lobby, which stays the same for a folder.

        Raises:
            SettingsError: It cannot be read, or not be written.
        """
        path = self.folder / "key"
        try:
            found = path.read_text("utf-8").strip() if path.exists() else ""
            # One that was cut off, such as by a full disk, would let everybody in.
            if len(found) < FEWEST_OF_A_KEY:
                found = secrets.token_urlsafe(16)
                written = self.folder / f"key.{os.getpid()}"
                written.touch(0o600)
                written.write_text(found, "utf-8")
                written.replace(path)
        except (OSError, UnicodeDecodeError) as error:
            raise _unusable(self.folder, error) from None
        return found

    def make(self, kind: str, blanks: Mapping[str, str]) -> SittingFile:
        """A new sitting's file; its first seat leads to it.

        Raises:
            SleuthError: It cannot be made of what was filled in.
        """
        maker = kind_of(kind)
        with self._lock:
            count = len({path for path, _ in self._paths.values()})
        if count >= MOST_KEPT:
            raise SettingsError(
                "there are too many tables already", value=MOST_KEPT, hint="delete some"
            )
        made, seats = maker.made(blanks)
        with SittingFile.new(self.folder / "sittings", kind, made, seats, time.time()) as file:
            self._remember(file.path, file.tokens)
            return file

    def place(self, token: str) -> Place | None:
        """The seat of an address; None for an address that leads nowhere.

        Raises:
            SleuthError: Its file cannot be read, or another process has it.
        """
        found = self._paths.get(token)
        if found is None:
            return None
        path, seat = found
        sitting = self._found(path)
        if sitting is None:
            with self._lock:
                opening = self._opening.setdefault(path, threading.Lock())
            with opening:
                sitting = self._found(path) or self._opened(path)
            self._close_oldest()
        return Place(sitting, seat, token)

    def kept(self) -> Iterator[Kept]:
        """The sittings of the folder, the last first; files of something else are passed over."""
        found: list[Kept] = []
        for path in (self.folder / "sittings").glob("*.jsonl"):
            try:
                last = path.stat().st_mtime
                # A first line never changes, and one with a record in it is long.
                kept = self._listed.get(path) or _kept(path)
            except (SleuthError, OSError, KeyError):
                continue
            self._listed[path] = kept
            found.append(replace(kept, last=last))
        yield from sorted(found, key=lambda each: -each.last)

    def let_go(self, token: str) -> None:
        """Close a sitting, which the address of a seat opens again."""
        found = self._paths.get(token)
        with self._lock:
            sitting = None if found is None else self._open.pop(found[0], None)
        if sitting is not None:
            self.closing(sitting)
            sitting.close()

    def remove(self, path: Path) -> None:
        """Delete a sitting with everything that was done at it."""
        with self._lock:
            sitting = self._open.pop(path, None)
            self._paths = {token: at for token, at in self._paths.items() if at[0] != path}
            self._opening.pop(path, None)
            self._listed.pop(path, None)
        if sitting is not None:
            self.closing(sitting)
            sitting.close()
        path.unlink(missing_ok=True)

    def close(self) -> None:
        """Close all."""
        while self._open:
            _, sitting = self._open.popitem()
            sitting.close()

    def _remember(self, path: Path, tokens: tuple[str, ...] | Any) -> None:
        with self._lock:
            for seat, token in enumerate(tokens):
                self._paths[token] = (path, seat)

    def _found(self, path: Path) -> Sitting | None:
        """The sitting of a file, if it is open."""
        with self._lock:
            sitting = self._open.get(path)
            if sitting is not None:
                self._open.move_to_end(path)
            return sitting

    def _opened(self, path: Path) -> Sitting:
        file = SittingFile(path)
        try:
            sitting = kind_of(file.kind).opened(file, self)
        except BaseException:
            file.close()
            raise
        with self._lock:
            self._open[path] = sitting
        return sitting

    def _close_oldest(self) -> None:
        """Close what was longest left alone, where too many are open."""
        while True:
            with self._lock:
                if len(self._open) <= MOST_OPEN:
                    return
                path = next(iter(self._open))
                opening = self._opening.setdefault(path, threading.Lock())
            # Who comes back to it at this moment waits, and finds its file let go.
            with opening:
                with self._lock:
                    sitting = self._open.pop(path, None)
                if sitting is not None:
                    self.closing(sitting)
                    sitting.close()


def _kept(path: Path) -> Kept:
    """A file as a list shows it, but for when something was done last.

    Raises:
        SleuthError: It is of something else.
        KeyError: It does not say all that its kind has to.
    """
    head = head_of(path)
    name = kind_of(head[KIND]).name(head["made"])
    return Kept(path, head[KIND], name, tuple(head["seats"]), head["begun"], head["begun"])


def _unusable(folder: Path, error: OSError | UnicodeDecodeError) -> SettingsError:
    said = getattr(error, "strerror", None) or str(error)
    return SettingsError(
        f"this folder cannot be used: {said.lower()}",
        where="folder",
        value=str(folder),
        hint="name another",
    )


def kind_of(word: str) -> SittingKind:
    """A kind of sitting by the word for it.

    Raises:
        SettingsError: There is none.
    """
    if word not in KINDS:
        raise SettingsError("no such kind of table", value=word)
    module, _, name = KINDS[word].partition(":")
    return getattr(import_module(f".{module}", __package__), name)()
