"""Games that are over, kept to train on: people say who they are, and whether they agree."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from ....data.errors import SettingsError, SleuthError
from ....models.play import PERSON
from ...kit.answers.values import BlankForm, FormField, Paragraph, Refusal, Statement
from ..people.keeping import agreed, answer, consent, keep, name_of
from ..sitting import Panel
from . import texts
from .course import GameCourse
from .seating import TablePerson


def panel(course: GameCourse, person: TablePerson, folder: Path) -> Panel:
    """Questions to a person about their games: who they are, where several play, and then once."""
    name, parts = course.called(person), list[Statement]()
    if name != PERSON:
        parts.append(Paragraph(texts.NAMED.format(name)))
    # A yes of somebody without a name would count for the next person here.
    told = name != PERSON
    try:
        said = agreed(folder, name) if told else None
    except SettingsError as error:
        # The game goes on.
        parts.append(Refusal(str(error), hint=error.hint))
        return Panel("keeping", tuple(parts), texts.KEEPING, "side", folded=True)
    if said is not None:
        parts.append(Paragraph(texts.KEPT if said else texts.NOT_KEPT, "soft"))
    elif told:
        parts += consent()
    if name == PERSON:
        parts.append(Paragraph(texts.NAMELESS, "soft"))
        field = FormField("name", texts.YOUR_NAME)
        parts.append(BlankForm("name", (field,), texts.TAKE_NAME))
    asked = said is None and told
    return Panel("keeping", tuple(parts), texts.KEEPING, "side", folded=not asked)


def named(course: GameCourse, person: TablePerson, written: str) -> str:
    """The name that a person has given themselves.

    Raises:
        SettingsError: It is none, or another person here has it.
    """
    name = name_of(written)
    if name == PERSON:
        raise SettingsError("a name is needed", where=texts.YOUR_NAME, value=written)
    if any(name == course.called(each) for each in course.persons if each != person):
        raise SettingsError("another person at this table has this name", value=name)
    return name


def answered(course: GameCourse, person: TablePerson, word: str, folder: Path) -> None:
    """Keep what a person answered.

    Raises:
        SettingsError: It is no answer, they have not said who they are, or have answered otherwise.
    """
    name = course.called(person)
    if word not in ("yes", "no"):
        raise SettingsError("this is no answer", value=word, hint="say yes or no")
    if name == PERSON:
        raise SettingsError("say first who you are", where=texts.YOUR_NAME)
    # No page asks again: a person who gives another's name must not answer for them.
    if agreed(folder, name) not in (None, word == "yes"):
        raise SettingsError(
            "this was answered otherwise already",
            value=name,
            hint="who is forgotten on the page of what people played is asked anew",
        )
    answer(folder, name, word == "yes")


def keep_game(course: GameCourse, folder: Path, table: str) -> None:
    """Keep the game if it is over, was played without taking moves back, and all have agreed.

    Args:
        course: The games.
        folder: The folder of the tables.
        table: Words that no other table has.
    """
    if not course.over or course.taken_back:
        return
    if any(course.called(each) == PERSON for each in course.persons):
        return
    # The game counts in any case; it is tried again when the table is opened.
    with suppress(SleuthError):
        record, told = course.playing.record(), f"{table} {course.number}"
        keep(folder, record, course.seconds, course.players, table=told)
