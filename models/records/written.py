"""The common base of the records that people write, whatever the game.

A game's own record is read by its `Form`, checked by its rules, and says who may see what of it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, ClassVar, Generic, Self

from ...data.errors import RecordError, SettingsError, UnsupportedError, nearest
from ..game import Game
from ..play import PlayRecord
from .events import E_co, Seen, digest
from .forms import VERSION
from .reading import parse_record, read_bytes
from .replay import CompletedPlay
from .writing import dump


@dataclass(frozen=True)
class KnownPlay:
    """A written record as a play, as far as it says what happened.

    Attributes:
        record: The play; where the record leaves something open, one of all plays that agree with
            it: what stands there for what is left open says nothing.
        game: Its game.
        known: The numbers of the actions, from 1, that are the same in all plays that agree with
            the record; None where nothing is left open.
    """

    record: PlayRecord | CompletedPlay
    game: Game
    known: frozenset[int] | None = None


@dataclass(frozen=True, kw_only=True)
class WrittenRecord:
    """One recorded game with everything that is known about it.

    What is in here is not for players: code that reasons about the game asks for what a viewer saw.

    Attributes:
        game_name: The word for the game in its records.
        name, source, note: Free text.
    """

    game_name: ClassVar[str]
    name: str | None = None
    source: str | None = None
    note: str | None = None

    @classmethod
    def from_json(cls, value: object) -> Self:
        """The record that ``value``, which was read from JSON, describes.

        Raises:
            RecordError: If it does not follow the schema or the rules of the game; the message
                says where, shows the value, and says what was expected.
        """
        try:
            return cls._read(value)
        except RecursionError:
            raise RecordError("the record is nested too deeply") from None

    @classmethod
    def load(cls, path: str | Path | Traversable) -> Self:
        """The recorded game in a JSON file that holds one record.

        Raises:
            RecordError: If the file cannot be read, is not JSON, or is no record of this game.

        >>> import numpy as np
        >>> from sleuth.games.clue import load, simulate
        >>> simulate(3, np.random.default_rng(1)).dump("game.json")
        >>> load("game.json").players
        ('p1', 'p2', 'p3')
        """
        return cls.from_json(parse_record(read_bytes(path)))

    @classmethod
    @abstractmethod
    def _read(cls, value: object) -> Self:
        """The record that ``value`` describes, checked by the rules."""

    @abstractmethod
    def viewers(self) -> tuple[str, ...]:
        """The viewers who can be asked what they saw."""

    def known_viewer(self, viewer: str, *, where: str, why: str = "", hint: str = "") -> str:
        """A viewer, who can be asked for.

        Args:
            viewer: Their name.
            where: What the name was written in.
            why: Why the record cannot say what they saw, if that is known.
            hint: What to write instead, if something better can be said than the nearest name.

        Raises:
            RecordError: The record does not say what they saw.
        """
        if viewer not in self.viewers():
            raise RecordError(
                f"the record does not say what this viewer saw{why}",
                where=where,
                value=viewer,
                hint=hint or nearest(viewer, self.viewers()),
            )
        return viewer

    def known_play(self) -> KnownPlay:
        """The record as a play.

        Raises:
            UnsupportedError: Records of this notation cannot be played again.
        """
        raise UnsupportedError("records in this notation cannot be played again")

    @property
    def digest(self) -> str:
        """SHA-256 of the record in canonical JSON, as 64 hexadecimal digits."""
        return digest(self.to_json())

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """The record in the form of its schema; :meth:`from_json` gives an equal record back."""

    def head(self) -> dict[str, Any]:
        """The head of a record's JSON: its game, its schema, and free texts."""
        texts = {"name": self.name, "source": self.source, "note": self.note}
        said = {key: text for key, text in texts.items() if text is not None}
        return {"game": self.game_name, "schema": VERSION, **said}

    def dump(self, path: str | Path) -> None:
        """Writes the record as a JSON file with one entry a line, whole or not at all.

        Raises:
            SettingsError: If it cannot be written.
        """
        dump(self.to_json(), path)


@dataclass(frozen=True, kw_only=True)
class SeenRecord(Generic[E_co]):
    """A recorded game as one viewer saw it, made by the record that says who may see what.

    Equal for games that differ only in what the viewer could not see.

    Attributes:
        game_name: The word for the game in its records.
        viewer: Whose view it is.
        events: What they saw happen, numbered from 1.
    """

    game_name: ClassVar[str]
    viewer: str
    events: tuple[Seen[E_co], ...] = ()

    @abstractmethod
    def known(self) -> Mapping[str, object]:
        """The viewer's knowledge from the start, as plain values."""

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the viewer's own view in canonical JSON, as 64 hexadecimal digits."""
        return digest(
            {
                "game": self.game_name,
                "viewer": self.viewer,
                **self.known(),
                "events": [seen.event.to_json() for seen in self.events],
            }
        )

    def until(self, count: int) -> Self:
        """The game as the viewer had seen it after its first ``count`` events.

        Raises:
            SettingsError: If it has fewer events, or ``count`` is negative.
        """
        if not 0 <= count <= len(self.events):
            raise SettingsError(
                "no such moment of the game",
                value=count,
                hint=f"the viewer saw {len(self.events)} events",
            )
        return self if count == len(self.events) else replace(self, events=self.events[:count])
