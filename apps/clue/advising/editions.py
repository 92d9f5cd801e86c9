"""The edition that is played at a table: its name, or the cards of somebody's own box."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from difflib import get_close_matches
from functools import cache
from typing import Any, Final

from pydantic import ValidationError

from ....data.disk.json_text import parse_json
from ....data.errors import RecordError, shorten
from ....models.clue.edition import KINDS, ClueEdition, made_edition
from ....models.clue.editions import (
    CLASSIC,
    EditionFile,
    edition_names,
    load_edition,
    shipped_edition,
)
from ....models.clue.record.reader import OWN_EDITION
from ....models.records.reading import refused, what_is_wrong
from ...kit.advising.entries import Settings
from ...kit.advising.words import begins, items, only
from ...kit.number_words import listed

#: What is so near to the name of an edition is meant as one.
ALIKE: Final = 0.75
#: The ending of files with an edition.
FILE: Final = ".json"
#: A kind of cards before the cards of it.
KIND: Final = re.compile(r"(\w+?)s?\s*:\s*(.*)", re.DOTALL)
WRITTEN: Final = "suspect: ann, ben, cid; weapon: rope, poison; room: attic, cellar"


def edition_of(settings: Settings) -> ClueEdition:
    """The edition that was set up; the classic one where nothing was."""
    chosen: str | Mapping[str, Any] = settings.get("edition", CLASSIC.name)
    return shipped_edition(chosen) if isinstance(chosen, str) else _own(json.dumps(chosen))


def in_record(settings: Settings) -> dict[str, Any]:
    """The fields of a record that say which edition it is of."""
    chosen: str | Mapping[str, Any] = settings.get("edition", CLASSIC.name)
    if isinstance(chosen, str):
        return {"edition": chosen}
    return {
        "edition": chosen["name"], "cards": chosen["cards"], "aliases": chosen.get("aliases", {})
    }  # fmt: skip


@cache
def _own(fields: str) -> ClueEdition:
    return made(json.loads(fields))


def made(fields: object) -> ClueEdition:
    """The edition of the fields of its file.

    Raises:
        RecordError: They describe none.
    """
    try:
        form = EditionFile.model_validate(fields)
    except ValidationError as problem:
        wrong = problem.errors(include_url=False)[0]
        place = " ".join(map(str, wrong["loc"])) or None
        if wrong["type"] == "missing":
            raise RecordError("this is missing", where=place, hint=f"write '{WRITTEN}'") from None
        raise refused(
            what_is_wrong(wrong), where=place, value=wrong["input"], hint=f"write '{WRITTEN}'"
        ) from None
    return made_edition(
        form.name,
        form.cards.model_dump(),
        title=form.title or "",
        aliases=form.aliases,
        players=form.players,
        board=form.board,
        error=RecordError,
    )


def set_up(line: str) -> str | dict[str, Any]:
    """The value of a line: the name of an edition that comes with sleuth, or a file's fields.

    Args:
        line: A name, which may be shortened; the text of an edition's file; or the cards.

    Raises:
        RecordError: It is none of these.
    """
    if line.lstrip().startswith("{"):
        return made(parse_json(line.encode())).to_json()
    if _lists_cards(line):
        return made({"name": OWN_EDITION, "title": "your own box", "cards": _cards(line)}).to_json()
    typed, called = line.replace("_", " "), _called()
    with suppress(RecordError):
        return called[only(typed, words_for_editions(), "edition")]
    try:
        return called[only(typed, [*called], "edition")]
    except RecordError as error:
        hint = f"write {listed(words_for_editions(), 'or')}; or the cards: '{WRITTEN}'"
        raise refused(error.message, value=shorten(line), hint=hint) from None


def words_for_editions() -> list[str]:
    """The editions that come with sleuth, as people write them."""
    return [name.replace("_", " ") for name in edition_names()]


def is_edition(line: str) -> bool:
    """True if a line is, or seems to be meant as, an answer to which edition is played.

    Who writes the names of the players at once plays the classic one.
    """
    if line.endswith(FILE) or _lists_cards(line) or line.lstrip().startswith("{"):
        return True
    known = [*_called()]
    typed = line.replace("_", " ")
    if len(items(line)) < 2 or get_close_matches(typed.casefold(), known, cutoff=ALIKE):
        return True
    return any(begins(typed, name) for name in known)


@cache
def _called() -> dict[str, str]:
    """The names of the editions that come with sleuth, by what people call them."""
    every = edition_names()
    titles = {shipped_edition(name).title.casefold(): name for name in every}
    return dict(zip(words_for_editions(), every, strict=True)) | titles


def opened(line: str) -> str:
    """A line with the content of the file that it names, if it names one.

    Raises:
        SettingsError: The file cannot be read, or describes no edition.
    """
    return json.dumps(load_edition(line).to_json()) if line.endswith(FILE) else line


def _lists_cards(line: str) -> bool:
    kind = line.partition(":")[0].strip().casefold().removesuffix("s")
    return ":" in line and kind in KINDS


def _cards(line: str) -> dict[str, list[str]]:
    """The cards by category, as a person lists them."""
    found: dict[str, list[str]] = {}
    for part in line.split(";"):
        named = KIND.fullmatch(part.strip())
        if named is None or named[1].casefold() not in KINDS:
            hint = f"write '{WRITTEN}'"
            raise refused("these are no cards of a kind", value=shorten(part.strip()), hint=hint)
        found[named[1].casefold()] = [card.casefold() for card in items(named[2])]
    return found
