"""Finished games of people, kept in the folder of the tables if all who played have agreed.

Each game is a file of its own in ``played/GAME``, in the form that ``sleuth train`` takes.
``played/people.json`` says who has agreed, who has not, who played which game, and which were
deleted, so that no table that is opened again brings them back.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, Final, cast
from zipfile import ZIP_DEFLATED, ZipFile

from ....data.disk.growing import PATIENCE
from ....data.disk.holding import hold
from ....data.disk.writing import write_whole
from ....data.errors import SettingsError, shorten
from ....models.game import Game
from ....models.play import PERSON, Play, PlayRecord, person_of
from ....models.recorded import played_again
from ....models.records.events import digest
from ...kit.answers.values import Paragraph, Statements, Touch, Touches
from ...kit.records.opening import files_of, with_files
from ...play.recording import LONGEST, refuse_name, what_is_kept
from ...play.saved import MOST_SECONDS, written
from ..texts import AGREE, ASK_TO_KEEP, HERE, NOT_KEPT, REFUSE

FOLDER: Final = "played"
PEOPLE: Final = "people.json"
DELETED: Final = "deleted"
#: Digits of a game's digest that name its file.
DIGITS: Final = 16


@dataclass(frozen=True, order=True)
class KeptGame:
    """A game of people in the folder.

    Attributes:
        game: Its name.
        path: Its file.
        people: The names of the people who played it.
    """

    game: str
    path: Path
    people: tuple[str, ...]


def agreed(folder: Path, name: str) -> bool | None:
    """True if a person lets their games be kept, False if not; None if nobody has asked them.

    Args:
        folder: The folder of the tables.
        name: What the person is called.
    """
    return _read(folder)["agreed"].get(name)


def consent(line: str = "keep") -> Statements:
    """The question before a person's first game; ``line`` begins the lines of its answers."""
    return [
        Paragraph(what_is_kept(HERE)),
        Touches(ASK_TO_KEEP, (Touch(AGREE, f"{line} yes"), Touch(REFUSE, f"{line} no")), "row"),
        Paragraph(NOT_KEPT, "soft"),
    ]


def answer(folder: Path, name: str, agrees: bool) -> None:
    """Keep what a person answered to the question; they are not asked again.

    Raises:
        SettingsError: Records refuse the name, or it cannot be written.
    """
    refuse_name(name, ())
    with _changed(folder) as known:
        known["agreed"][name] = agrees


def keep(
    folder: Path,
    record: PlayRecord,
    seconds: Sequence[float | None],
    seats: Sequence[str],
    *,
    table: str = "",
) -> Path | None:
    """Keep a game that is over, if all people who played it have agreed.

    The same game is kept once, however often this is asked, also where somebody says later who
    they are; one that was deleted is not kept again.

    Args:
        folder: The folder of the tables.
        record: The game.
        seconds: How long each action took; None where nobody knows, such as of an agent's.
        seats: Who played each role: an agent's text, or what `person_named` says of a person.
        table: Words that tell this game from all others; empty for the seats.

    Returns:
        Its file; None if it is not kept.

    Raises:
        RecordError: The record breaks the rules of its game.
        SettingsError: It cannot be written.
    """
    people = list(dict.fromkeys(each for each in map(person_of, seats) if each is not None))
    play = played_again(record)
    if not people or not play.over:
        return None
    took = [None if each is None else round(min(each, MOST_SECONDS), 2) for each in seconds]
    name = digest([record.to_json(), table or list(seats)])[:DIGITS]
    ending, text = _text(play, took, seats, name)
    path = _games(folder) / play.game.name / f"{name}{ending}"
    key = _key(path)
    with _changed(folder) as known:
        # Whoever is forgotten at this moment has not agreed.
        if key in known[DELETED] or not all(known["agreed"].get(each) for each in people):
            return None
        if not path.exists() or known["games"].get(key) != people:
            path.parent.mkdir(mode=0o700, exist_ok=True, parents=True)
            write_whole(path, text)
            path.chmod(0o600)
        known["games"][key] = people
    return path


def kept_games(folder: Path, *, game: str = "", person: str = "") -> list[KeptGame]:
    """The games that are kept, by game: all, or those of one game or one person."""
    played = _read(folder)["games"]
    found = [
        KeptGame(path.parent.name, path, tuple(played.get(_key(path), ())))
        for path in sorted(_games(folder).glob("*/*.json*"))
    ]
    return [
        each for each in found if game in ("", each.game) and (not person or person in each.people)
    ]


def people(folder: Path) -> dict[str, bool]:
    """All who were asked, and whether they have agreed."""
    return dict(sorted(_read(folder)["agreed"].items()))


def delete(folder: Path, games: Iterable[KeptGame]) -> None:
    """Delete games for good."""
    with _changed(folder) as known:
        _delete(known, games)


def forget(folder: Path, name: str) -> None:
    """Delete all games that a person played, and what they answered; they are asked anew."""
    with _changed(folder) as known:
        _delete(known, kept_games(folder, person=name))
        known["agreed"].pop(name, None)


def _delete(known: dict[str, dict[str, Any]], games: Iterable[KeptGame]) -> None:
    for each in games:
        key = _key(each.path)
        each.path.unlink(missing_ok=True)
        known["games"].pop(key, None)
        known[DELETED][key] = True


def packed(games: Iterable[KeptGame]) -> bytes:
    """Games in one file: a ZIP archive with a folder for each game, for ``sleuth train``."""
    content = BytesIO()
    with ZipFile(content, "w", ZIP_DEFLATED) as archive:
        for each in games:
            archive.writestr(_key(each.path), each.path.read_bytes())
    return content.getvalue()


def _text(
    play: Play, seconds: Sequence[float | None], seats: Sequence[str], name: str
) -> tuple[str, str]:
    """The ending of a game's file, and what stands there."""
    if not _has_files(play.game):
        return ".json", written(play, seats, seconds)
    files = files_of(play.game.name)
    called = [shorten(person_of(text) or text, LONGEST) for text in seats]
    line = files.line(
        play, players=_told_apart(called, files.others), match=f"table {name}", seconds=seconds
    )
    return files.appended, json.dumps(line, ensure_ascii=False) + "\n"


def _has_files(game: Game) -> bool:
    return game.name in with_files()


def _told_apart(names: Sequence[str], others: Sequence[str]) -> list[str]:
    """Names of which none stands twice: whoever plays two roles has two."""
    found: list[str] = []
    for name in names:
        number, told = 1, name
        while told in (*found, *others):
            number += 1
            told = f"{shorten(name, LONGEST - 4)} {number}"
        found.append(told)
    return found


# -- who has agreed


def _games(folder: Path) -> Path:
    return folder / FOLDER


def _key(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def _read(folder: Path) -> dict[str, dict[str, Any]]:
    path = _games(folder) / PEOPLE
    try:
        found = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {"agreed": {}, "games": {}, DELETED: {}}
    except (OSError, ValueError):
        found = None
    named = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
    named.setdefault(DELETED, {})
    if not all(isinstance(named.get(part), dict) for part in ("agreed", "games", DELETED)):
        raise SettingsError(
            "this does not say who has agreed that games are kept",
            value=str(path),
            hint="take the file away, and everybody is asked anew",
        )
    return named


@contextmanager
def _changed(folder: Path) -> Generator[dict[str, dict[str, Any]]]:
    """All that is known of people, written back whole; one who changes it at a time."""
    games = _games(folder)
    games.mkdir(mode=0o700, exist_ok=True, parents=True)
    with hold(games / f".{PEOPLE}.lock", wait=PATIENCE):
        known = _read(folder)
        yield known
        path = games / PEOPLE
        write_whole(path, json.dumps(known, ensure_ascii=False, indent=1) + "\n")
        path.chmod(0o600)


def name_of(blanks: str) -> str:
    """A person's name as they wrote it, without what nobody sees; ``PERSON`` if they wrote none."""
    return re.sub(r"\s+", " ", blanks).strip()[:LONGEST] or PERSON
