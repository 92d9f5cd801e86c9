"""The panels that ask a person to guess, and that say how their guesses did."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from ...kit.answers.values import Column, Paragraph, Statement, Touch, Touches, right, sheet
from ...kit.number_words import bits, percent
from ..sitting import Panel
from . import guess_forms, texts
from .course import GameCourse, PersonGuess
from .game_page import GamePage
from .guessing import dealt_values, subjects
from .seating import TablePerson

#: Tenths of what was said that have a row of their own.
BINS = 10


def asked(page: GamePage) -> list[Panel]:
    """The panel that asks who looks to guess now, and says how their last guess did."""
    course, person = page.course, page.person
    assert person is not None
    found = subjects(page.display, page.sight.view)
    parts: list[Statement] = []
    now = [
        each
        for each in course.guesses
        if each.game == course.number and each.at == course.at and each.roles == person.roles
    ]
    for each in now:
        parts.append(Paragraph(_said(each)))
    done = {each.about for each in now}
    left = {
        place: (name, feature)
        for place, (name, feature) in enumerate(found.items())
        if name not in done
    }
    if left and not (course.mover is None and now):
        at, place = page.eyes.about
        place = place if at == page.now and place in left else next(iter(left))
        if len(left) > 1:
            touches = tuple(
                Touch(name, f"about {course.at} {number}", pressed=number == place)
                for number, (name, _) in left.items()
            )
            parts.append(Touches(texts.GUESS_ABOUT, touches))
        name, feature = left[place]
        parts.append(Paragraph(name, "strong"))
        line = f"guess {course.at} {place}"
        values = dealt_values(page.display, page.sight.view, page.sight.seen, name)
        parts += guess_forms.form(line, values, page.display, feature)
    return [Panel("guess", tuple(parts), texts.GUESSING, "side")]


def scores(course: GameCourse, here: Sequence[TablePerson], *, over: bool) -> list[Panel]:
    """The scores of a device's guesses so far, and everybody's in the end."""
    found: list[Panel] = []
    if not over and len(here) > 1 and course.playing.game.hides:
        # The next person on this device would see how sure the last one could be.
        return found
    own = [each for each in _scored(course) if any(each.roles == one.roles for one in here)]
    if own:
        found.append(Panel("scores", (*calibration(own),), texts.SCORES, "side", folded=not over))
    if over and (everybody := _scored(course)):
        found.append(Panel("class", (_class(course, everybody),), texts.CLASS, "side"))
    return found


def calibration(guesses: Sequence[PersonGuess]) -> list[Statement]:
    """Of what was said to have some chance: how likely it was, and how often it was so."""
    bins: dict[int, list[tuple[float, float, bool | None]]] = {}
    for guess in guesses:
        assert guess.score is not None
        for value, said, exact in guess.score.rows:
            true = None if guess.truth is None else guess.truth == value
            bins.setdefault(min(int(said * BINS), BINS - 1), []).append((said, exact, true))
    rows: list[tuple[str | float, ...]] = []
    for _, each in sorted(bins.items()):
        known = [true for _, _, true in each if true is not None]
        exact = fmean(row[1] for row in each)
        rows.append(
            (
                f"{percent(fmean(row[0] for row in each))} %",
                f"{percent(exact)} %",
                exact,
                f"{percent(fmean(known))} %" if known else "",
                str(len(each)),
            )
        )
    heads = (
        right(texts.YOU_SAID),
        right(texts.EXACTLY),
        Column(bar=10),
        right(texts.IN_THE_END),
        right(texts.GUESSES),
    )
    return [sheet(*heads, rows=rows), Paragraph(texts.CALIBRATED, "soft")]


def _class(course: GameCourse, guesses: Sequence[PersonGuess]) -> Statement:
    """Everybody's guesses: how many bits they lost to what could be known."""
    rows: list[tuple[str, ...]] = []
    display = course.name.display()
    for roles in dict.fromkeys(each.roles for each in guesses):
        own = [each.score for each in guesses if each.roles == roles and each.score is not None]
        said, exact = fmean(each.bits for each in own), fmean(each.exact for each in own)
        rows.append(
            (display.names(roles), str(len(own)), bits(said), bits(exact), bits(said - exact))
        )
    rows.sort(key=lambda row: float(row[-1]))
    heads = ("", *map(right, (texts.GUESSES, texts.YOUR_BITS, texts.EXACT_BITS, texts.LOST_BITS)))
    return sheet(*heads, rows=rows)


def _scored(course: GameCourse) -> list[PersonGuess]:
    return [each for each in course.guesses if each.score is not None]


def _said(guess: PersonGuess) -> str:
    if guess.score is None:
        return texts.SCORING
    return texts.SCORED.format(guess.about, bits(guess.score.bits), bits(guess.score.exact))
