"""Editions of Clue as data: those that come with sleuth, files, and what a record lists."""

from __future__ import annotations

import json
from collections.abc import Collection
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field, ValidationError

from ...data.disk.json_text import parse_json
from ...data.disk.reading import FileKind
from ...data.errors import RecordError, SettingsError, nearest
from ...data.files import resource
from ..records.forms import Name, RecordPart, Text
from ..records.reading import what_is_wrong
from .edition import (
    FEWEST_OF_A_KIND,
    FEWEST_PLAYERS,
    MOST_OF_A_KIND,
    MOST_PLAYERS,
    ClueEdition,
    made_edition,
)

_FILE: Final = FileKind(what="the edition", most=100_000, error=SettingsError, where="edition")

CardName = Annotated[str, Field(max_length=80)]
Cards = Annotated[list[CardName], Field(min_length=FEWEST_OF_A_KIND, max_length=MOST_OF_A_KIND)]
Aliases = dict[Name, CardName]
NumbersOfPlayers = Annotated[list[int], Field(min_length=2, max_length=2)]


class EditionCards(RecordPart):
    """The cards of an edition, by category."""

    suspect: Cards
    weapon: Cards
    room: Cards


class EditionFile(RecordPart):
    """An edition of Clue, as a file holds it."""

    name: Name
    title: Name | None = None
    cards: EditionCards
    aliases: Aliases = Field(default_factory=dict)
    players: NumbersOfPlayers = Field(default=[FEWEST_PLAYERS, MOST_PLAYERS])
    board: str | None = None
    source: Text | None = None


def load_edition(path: str | Path) -> ClueEdition:
    """The edition in a JSON file; see `read_edition`."""
    return read_edition(_FILE.bytes(path), where=Path(path).name)


def is_edition(path: Path) -> bool:
    """True if a file holds an edition, right or wrong: it has cards, and is of no game."""
    try:
        value = parse_json(_FILE.bytes(path))
    except (RecordError, SettingsError):
        return False
    return isinstance(value, dict) and "cards" in value and "game" not in value


def read_edition(content: bytes, *, where: str) -> ClueEdition:
    """The edition in JSON text.

    Args:
        content: The text.
        where: The place to name in an error.

    Raises:
        SettingsError: It is no JSON, a field is missing or wrong, or a name
            stands twice.
    """
    try:
        form = EditionFile.model_validate(parse_json(content))
    except RecordError as problem:
        place = f"{where}, {problem.where}" if problem.where else where
        raise SettingsError(problem.message, where=place, hint=problem.hint) from None
    except ValidationError as problem:
        wrong = problem.errors(include_url=False)[0]
        # Of the cards of a kind the kind says enough.
        parts = [part for part in wrong["loc"] if part != "cards"] or wrong["loc"]
        place = where + "".join(f", field {part!r}" for part in parts)
        hint = 'write {"name": ..., "cards": {"suspect": [...], "weapon": [...], "room": [...]}}'
        if wrong["type"] == "missing":
            raise SettingsError("it is missing", where=place, hint=hint) from None
        message = what_is_wrong(wrong)
        raise SettingsError(message, where=place, value=wrong["input"], hint=hint) from None
    return made_edition(
        form.name,
        form.cards.model_dump(),
        title=form.title or "",
        aliases=form.aliases,
        players=form.players,
        board=form.board,
        where=where,
    )


@cache
def shipped_edition(name: str) -> ClueEdition:
    """The edition that comes with sleuth under this name."""
    fields = json.loads(resource("clue", "editions", f"{name}.json").read_text(encoding="utf-8"))
    known = {key: fields[key] for key in ("title", "aliases", "players", "board") if key in fields}
    return made_edition(name, fields["cards"], where=f"edition {name}", **known)


@cache
def edition_names() -> tuple[str, ...]:
    """The editions that come with sleuth, by name: the classic one, then the others."""
    files = resource("clue", "editions").iterdir()
    names = {each.name.removesuffix(".json") for each in files if each.name.endswith(".json")}
    return ("classic", *sorted(names - {"classic"}))


def edition(name: str | ClueEdition) -> ClueEdition:
    """The edition of a name, or in a file.

    Args:
        name: One that comes with sleuth, where capitals do not matter and ``-``, ``_`` and blanks
            are the same; or the path of a JSON file, which ends in ``.json``.

    Raises:
        SettingsError: There is none of this name, or the file describes none.

    >>> from sleuth.games.clue import edition
    >>> edition("classic").suspects
    ('scarlet', 'mustard', 'white', 'green', 'peacock', 'plum')
    """
    if isinstance(name, ClueEdition):
        return name
    if name.endswith(".json"):
        return load_edition(name)
    known = edition_names()
    plain = name.strip().casefold().replace("-", "_").replace(" ", "_")
    if plain not in known:
        hint = f"{nearest(plain, known)}; a file of your own ends in .json"
        raise SettingsError("no such edition", where="edition", value=name, hint=hint)
    return shipped_edition(plain)


@lru_cache(maxsize=64)
def edition_of_text(text: str) -> ClueEdition:
    """The edition of a setting: a name, a file, or what `text_of` made."""
    if not text.startswith("{"):
        return edition(text)
    return read_edition(text.encode(), where="edition")


def text_of(box: ClueEdition) -> str:
    """An edition as a setting of a game: its name if it comes with sleuth, else all of it."""
    if box.name in edition_names() and box == shipped_edition(box.name):
        return box.name
    return json.dumps(box.to_json())


CLASSIC: Final = shipped_edition("classic")


def recognised(names: Collection[str], cards: int | None) -> ClueEdition:
    """The edition of a game that names none: the first in which all names are cards.

    Args:
        names: The cards that were written down.
        cards: How many cards there are, as far as hand sizes say; None where they do not.

    An edition with just so many cards goes before one with more. Where none fits, it is the classic
    one, whose errors say what is wrong.
    """
    fitting = [
        each
        for each in map(shipped_edition, edition_names())
        if all(each.find(name) is not None for name in names)
    ]
    exact = [each for each in fitting if len(each.cards) == cards]
    larger = [each for each in fitting if cards is None or len(each.cards) > cards]
    return [*exact, *larger, CLASSIC][0]
