"""Advice beside a real game, as an assistant asks for it: lines, corrections, contradictions."""

from __future__ import annotations

import json
from typing import Final

from ...data.errors import ContradictionError, RecordError, SettingsError, SleuthError
from ..kit.advising.entering import Entering, EntryChange
from ..kit.advising.questions import SetupQuestions
from ..kit.answers.values import Paragraph, Statement
from ..table.advice.sitting import AdviceSitting
from ..table.sitting import Line
from .forms import AdviceForm, ConflictForm, QuestionForm

CORRECT: Final = "'undo', or correct one of them by 'correct_entry'"


def say(sitting: AdviceSitting, line: str) -> list[Statement]:
    """Take a line: the answer to what is asked, or an event of the game."""
    key = SetupQuestions(sitting.adviser, sitting.log).open
    if key is not None:
        return answer(sitting, key, line)
    if not line.strip():
        raise RecordError("nothing was told")
    return kept(sitting, sitting.enter(lambda entering: entering.read(line.strip())))


def kept(sitting: AdviceSitting, change: EntryChange) -> list[Statement]:
    """An entry as it was understood and is kept."""
    words = Entering(sitting.adviser, sitting.log).words(sitting.log.entries[change.place - 1])
    return [Paragraph(f"{change.place}: {words}.")]


def answer(sitting: AdviceSitting, key: str, line: str) -> list[Statement]:
    """Take the answer to a question of the beginning; how it was understood, if it is not plain."""
    sitting.take(0, Line(f"setup {key}", {}, ""))
    try:
        sitting.take(0, Line(f"set {key} {line.strip()}".rstrip(), {}, ""))
    except SleuthError:
        sitting.take(0, Line("leave", {}, ""))
        raise
    return echo(sitting, key)


def corrected(entering: Entering, place: int, how: str, line: str) -> EntryChange:
    """Correct an entry; see the tool `correct_entry`."""
    alone = {"remove": entering.remove, "unsure": entering.doubt, "sure": entering.trust}
    if how in alone:
        if line:
            raise SettingsError(f"{how!r} needs no line", where="line", value=line)
        return alone[how](place)
    if not line.strip():
        raise SettingsError(f"{how!r} needs a line", where="line")
    make = entering.amend if how == "change" else entering.insert
    return make(place, line.strip())


def echo(sitting: AdviceSitting, key: str) -> list[Statement]:
    """The answer to a question as it was understood, where that is not plain."""
    if key not in sitting.log.settings:
        return []
    said = sitting.adviser.echo(key, sitting.log.settings)
    return [Paragraph(said)] if said else []


def conflict(sitting: AdviceSitting, error: ContradictionError) -> ConflictForm:
    """The entries that cannot all be true, in sentences."""
    entering = Entering(sitting.adviser, sitting.log)
    found = entering.conflict(error)
    if not found.places:
        return ConflictForm((), found.says, CORRECT)
    words = [
        f"{place}: {entering.words(entering.book.entries[place - 1])}" for place in found.places
    ]
    says = f"{found.says}, by what was set up and the rules: {'; '.join(words)}. {found.because}"
    return ConflictForm(found.places, says.strip(), CORRECT)


def told(sitting: AdviceSitting) -> tuple[str, str, str]:
    """The game, what was set up, and what happened, as a worker takes them.

    Raises:
        SettingsError: Something is still asked.
    """
    key = SetupQuestions(sitting.adviser, sitting.log).open
    if key is not None:
        asked = sitting.adviser.wanted(key, sitting.log.settings)[0]
        raise SettingsError(
            "the table is not set up yet", where=key, hint=f"'tell' what is asked: {asked}"
        )
    return sitting.game, json.dumps(sitting.log.settings), json.dumps(sitting.log.entries)


def state(sitting: AdviceSitting, table: str, taken: int) -> AdviceForm:
    """The table as it is now."""
    key, question, prompt = SetupQuestions(sitting.adviser, sitting.log).open, None, ""
    settings, entered = sitting.log.settings, sitting.log.entries
    if key is not None:
        question = QuestionForm(key, *sitting.adviser.wanted(key, settings))
    else:
        prompt = sitting.adviser.prompt(settings, entered)
    return AdviceForm(
        table=table,
        game=sitting.adviser.name,
        question=question,
        prompt=prompt,
        entries=len(entered),
        taken=taken,
        passed=tuple(sitting.state.passed[1]),
    )
