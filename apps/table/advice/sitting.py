"""Advice beside a real game: one person touches what happens, and sees what follows."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from threading import Thread
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar, cast

from ....data.errors import ContradictionError, RecordError, SettingsError
from ....models.games import called
from ...kit.advising.book import EntryLog
from ...kit.advising.contract import Adviser
from ...kit.advising.drafts import AdvicePart, Draft, NextTouches
from ...kit.advising.entering import Conflict, Entering, EntryChange
from ...kit.advising.entries import UNSURE, Entry
from ...kit.advising.known import adviser_of
from ...kit.advising.words import setting_words
from ...kit.answers.values import Paragraph, Statement, Statements, Touch, Touches
from ...kit.number_words import listed
from .. import texts
from ..kept import SittingLog
from ..known import known_entry
from ..sitting import Download, Job, Line, Panel, Sitting
from .addressing import addressed
from .answering import answered, opened
from .files import FILES, file_of

if TYPE_CHECKING:
    from ..lobby import Lobby

Change = TypeVar("Change", EntryChange, None)

#: What is done now: something new, an entry corrected, one put before, something set up.
ADD, CHANGE, INSERT, SETUP = "add", "change", "insert", "setup"
#: Answers that are kept.
KEPT: Final = 32
#: What stands in a step of the file.
DID, NOW = "did", "now"


@dataclass(frozen=True)
class AdviceState:
    """The state of a page, besides what was entered.

    Attributes:
        number: How often something was entered, taken back, or begun: what is touched says which
            of these it goes on from, so that a touch that comes late or twice does no harm.
        doing: What is touched now.
        place: The entry that this is about, from 1; 0 for none.
        key: What is set up anew; empty for nothing.
        draft: What has been touched for it.
        bare: Whether the page is a notebook only.
        passed: The last entry, and whose turns before it were not entered.
    """

    number: int = 0
    doing: str = ADD
    place: int = 0
    key: str = ""
    draft: Draft = field(default_factory=dict[str, Any])
    bare: bool = False
    passed: tuple[int, tuple[str, ...]] = (0, ())

    def after(self, **changes: Any) -> AdviceState:
        """Something new that is begun after this."""
        begun = AdviceState(number=self.number + 1, bare=self.bare)
        return replace(begun, **changes)

    def to_json(self) -> dict[str, Any]:
        """It as plain values."""
        place, names = self.passed
        return {**vars(self), "draft": dict(self.draft), "passed": [place, [*names]]}

    @staticmethod
    def of(value: Mapping[str, Any]) -> AdviceState:
        """That of plain values."""
        place, names = value["passed"]
        fields: dict[str, Any] = {**value, "passed": (place, tuple(names))}
        return AdviceState(**fields)


class TouchLog(EntryLog):
    """A log that remembers the steps of one touch.

    Args:
        checks: The game.
        before: What it goes on from.

    Attributes:
        did: The steps since.
    """

    def __init__(self, checks: Adviser, before: EntryLog) -> None:
        super().__init__(checks)
        self.begin_from(before)
        self.did: list[Mapping[str, Any]] = []

    def step(self, step: Mapping[str, Any]) -> None:
        self.take(step)
        self.did.append(step)


class AdviceKind:
    """Advice as a kind of sitting; see `SittingKind`."""

    def made(self, blanks: Mapping[str, str]) -> tuple[Mapping[str, Any], int]:
        found = known_entry(blanks.get("game", ""))
        game = found.source or found.name
        adviser_of(game)
        return {"game": game, "name": found.name}, 1

    def opened(self, file: SittingLog, lobby: Lobby | None) -> AdviceSitting:
        return AdviceSitting(file)

    def name(self, made: Mapping[str, Any]) -> str:
        return texts.ADVICE.format(called(str(made.get("name", made["game"]))))


class AdviceSitting(Sitting):
    """Advice for one person; see `Sitting`.

    Args:
        file: What was touched so far; it is closed with the sitting.
    """

    kind: ClassVar[str] = "advice"

    def __init__(self, file: SittingLog) -> None:
        self.file = file
        self.game: str = file.made["game"]
        self.adviser = adviser_of(self.game)
        self.title = self.adviser.title
        self.log = EntryLog(self.adviser)
        self.state = AdviceState()
        #: A command whose answer is shown, and what follows it.
        self._open = ("", "")
        self._overview: tuple[object, Sequence[AdvicePart] | Conflict] | None = None
        with suppress(RuntimeError):  # A browser has one thread.
            Thread(target=self.adviser.prepare, daemon=True).start()
        self._presume(self.log)
        for step in file.steps:
            for each in step[DID]:
                self.log.take(each)
            self.state = AdviceState.of(step[NOW])

    # -- what is shown

    @property
    def seats(self) -> Sequence[str]:
        return ("you",)

    def panels(self, seat: int) -> Sequence[Panel]:
        entering = self._entering
        if self._asked is not None:
            return [*self._setup_panels(open_=True), self._form_panel(self._asked)]
        found = self._seen()
        if isinstance(found, Conflict):
            shown = [Panel("conflict", self._conflict(found), texts.CONFLICT)]
        else:
            shown = [self._panel(part) for part in found]
        return [
            *shown,
            self._log_panel(entering),
            *self._setup_panels(open_=False),
            self._view_panel(),
            self._files_panel(),
            *self._answer_panel(),
            self._enter_panel(entering),
        ]

    def jobs(self, seat: int) -> Sequence[Job]:
        if self._asked is not None:
            return ()
        found = self._seen()
        parts = [] if isinstance(found, Conflict) else [part for part in found if part.command]
        command, rest = self._open
        if command and not self.state.bare and command not in self.adviser.prompt_answers:
            parts.insert(0, AdvicePart("answer", texts.ANSWER, command=command, rest=rest))
        return [self._job(part) for part in parts]

    def _job(self, part: AdvicePart) -> Job:
        is_asked = part.name == "answer"
        panel = self._answer_panel()[0] if is_asked else self._panel(part)
        told = json.dumps(self.log.settings), json.dumps([*self.log.entries, *part.more])
        make = opened if is_asked else answered
        return Job(make, (self.game, part.command, part.rest, *told), panel, part.heavy)

    # -- what is taken

    def known(self, touch: str) -> bool:
        return self.file.known(touch)

    def take(self, seat: int, line: Line) -> str:
        head, _, rest = line.text.partition(" ")
        if head.isascii() and head.isdigit():
            if int(head) != self.state.number:
                return ""  # It was touched on a page that has gone on since.
            head, _, rest = rest.partition(" ")
        if head in ("show", "close"):
            self._open = self._shown(rest, line.blanks) if head == "show" else ("", "")
            return ""
        log = TouchLog(self.adviser, self.log)
        state = self._taken(head, rest, line.blanks, Entering(self.adviser, log))
        self._keep(log, state, line.touch)
        return ""

    def enter(self, do: Callable[[Entering], Change]) -> Change:
        """Enter something that nobody touched, such as a line that was typed; the change.

        Args:
            do: What is done to the entries.

        Raises:
            SleuthError: It cannot be; nothing has changed.
        """
        log = TouchLog(self.adviser, self.log)
        change = do(Entering(self.adviser, log))
        passed = (0, ()) if change is None else (change.place, change.passed)
        self._keep(log, self.state.after(passed=passed), "")
        return change

    def _keep(self, log: TouchLog, state: AdviceState, touch: str) -> None:
        self._presume(log)
        # First on the disk: what is shown is never more than what is kept.
        self.file.keep({DID: log.did, NOW: state.to_json()}, touch)
        if state.number != self.state.number:
            self._open = ("", "")
        self.log, self.state = log, state

    def _taken(
        self, head: str, rest: str, blanks: Mapping[str, str], entering: Entering
    ) -> AdviceState:
        """The state after a line; what it enters is taken by the log."""
        state = self.state
        numbered: dict[str, Callable[[int], EntryChange]] = {
            "remove": entering.remove, "unsure": entering.doubt, "sure": entering.trust
        }  # fmt: skip
        if head in numbered:
            place = self._place(rest)
            numbered[head](place)
            if head == "remove" or (state.doing, state.place) != (CHANGE, place):
                return state.after()
            begun = self.adviser.begun(self.log.settings, entering.book.entries, place)
            return state.after(doing=CHANGE, place=place, draft=begun)
        if head == "entry":
            place = self._place(rest)
            draft = self.adviser.begun(self.log.settings, self.log.entries, place)
            return state.after(doing=CHANGE, place=place, draft=draft)
        if head == "insert":
            return state.after(doing=INSERT, place=self._place(rest))
        if head == "setup":
            key = entering.questions.key(rest)
            return state.after(doing=SETUP, key=key, draft={"picked": self._picked(key)})
        if head == "leave":
            return state.after()
        if head == "bare":
            return replace(state, bare=rest == "yes")
        if head == "undo":
            if not state.draft:
                entering.undo()
            return state.after()
        if head in ("set", "pick"):
            return self._set_up(head, rest, blanks, entering)
        if head == "do" and self._asked is None:
            return self._touched(rest, blanks, entering)
        if head == "done" and state.doing == CHANGE:
            return self._entered(self._next(state.draft), entering, done=True) or state
        raise SettingsError("this cannot be touched now", value=head)

    def _touched(self, words: str, blanks: Mapping[str, str], entering: Entering) -> AdviceState:
        state, log = self.state, self.log
        draft = self.adviser.touched(state.draft, words, blanks, log.settings, self._before)
        entered = self._entered(self._next(draft), entering)
        return entered or replace(state, draft=draft)

    def _entered(
        self, offer: NextTouches, entering: Entering, *, done: bool = False
    ) -> AdviceState | None:
        """The state after a draft that is complete; None for one that is not."""
        said, state = offer.meaning, self.state
        if said is None:
            return None
        if state.doing == CHANGE:
            if not (done or offer.at_once):
                return None
            change = entering.correct(state.place, said.entry)
        elif state.doing == INSERT:
            change = entering.put_before(state.place, said.entry)
        else:
            change = entering.enter(said)
        return state.after(passed=(change.place, change.passed))

    def _set_up(
        self, head: str, rest: str, blanks: Mapping[str, str], entering: Entering
    ) -> AdviceState:
        state, asked = self.state, self._asked
        if head == "pick":
            picked: list[str] = list(state.draft.get("picked", ()))
            picked = [*picked, rest] if rest not in picked else [p for p in picked if p != rest]
            return replace(state, draft={"picked": picked})
        key, _, line = rest.partition(" ")
        if key != asked:
            raise SettingsError("this is not asked for now", value=key)
        line = line or ", ".join(each for each in map(str.strip, blanks.values()) if each)
        _, usual = self.adviser.wanted(key, self.log.settings)
        if not line and usual is None:
            raise RecordError("something has to be filled in here")
        value = self.adviser.set_up(key, line, self.log.settings) if line else usual
        entering.questions.keep(key, value)
        return state.after()

    def _presume(self, log: EntryLog) -> None:
        """Set up what can only be so, and what is as usual until somebody changes it."""
        questions = Entering(self.adviser, log).questions
        for _ in self.adviser.keys:
            key = questions.open
            if key is None:
                return
            if not questions.presume(key):
                continue
            if key in log.settings or not self.adviser.presumed(key, log.settings):
                return
            questions.keep(key, self.adviser.wanted(key, log.settings)[1])

    def _shown(self, rest: str, blanks: Mapping[str, str]) -> tuple[str, str]:
        words = rest or blanks.get("line", "")
        command, _, more = words.strip().partition(" ")
        if not command:
            raise RecordError("nothing was asked")
        return command, more.strip()

    # -- parts

    @property
    def _entering(self) -> Entering:
        return Entering(self.adviser, self.log)

    @property
    def _asked(self) -> str | None:
        """The question that is being set up; None for none."""
        if self.state.doing == SETUP:
            return self.state.key
        return self._entering.questions.open

    @property
    def _before(self) -> Sequence[Entry]:
        """The entries before what is touched now; all of them, where one is corrected."""
        entries = self.log.entries
        return entries[: self.state.place - 1] if self.state.doing == INSERT else entries

    def _next(self, draft: Draft) -> NextTouches:
        place = self.state.place if self.state.doing == CHANGE else None
        return self.adviser.offered(draft, self.log.settings, self._before, place)

    def _place(self, word: str) -> int:
        if not (word.isascii() and word.isdigit()) or not 1 <= int(word) <= len(self.log.entries):
            raise SettingsError("no entry has this number", value=word)
        return int(word)

    def _picked(self, key: str) -> list[str]:
        value = self.log.settings.get(key)
        return [str(each) for each in cast("list[Any]", value)] if isinstance(value, list) else []

    def _seen(self) -> Sequence[AdvicePart] | Conflict:
        """The game's overview, or the conflict because of which there is none."""
        log, state = self.log, self.state
        # The draft of a correction is about another moment.
        draft: Draft = state.draft if state.doing == ADD else {}
        key = (state.number, json.dumps(draft), state.bare)
        if self._overview is None or self._overview[0] != key:
            try:
                found = self.adviser.overview(log.settings, log.entries, draft, bare=state.bare)
            except ContradictionError as error:
                found = self._entering.conflict(error)
            self._overview = key, found
        return self._overview[1]

    # -- panels

    def _panel(self, part: AdvicePart) -> Panel:
        place: Final = "side" if part.aside else "main"
        parts = addressed(part.parts, f"{self.state.number} ", "do ")
        return Panel(part.name, parts, part.title, place, part.folded)

    def _enter_panel(self, entering: Entering) -> Panel:
        state, log = self.state, self.log
        offer, number = self._next(state.draft), f"{state.number} "
        parts = list(addressed(offer.parts, f"{number}do "))
        row = list(addressed([Touches("", offer.more)], f"{number}do "))
        more: list[Touch] = [*row[0].choices] if isinstance(row[0], Touches) else []
        if state.doing == ADD:
            title = self.adviser.prompt(log.settings, log.entries)
            if state.draft:
                more.append(Touch(texts.CLEAR, f"{number}undo", key="Backspace"))
            else:
                more.append(self._undo(entering))
            place, names = state.passed
            if names and not state.draft:
                said = texts.PASSED.format(listed([*names]), place)
                insert = Touch(texts.INSERT, f"{number}insert {place}", "soft")
                parts.insert(0, Touches(said, (insert,)))
        else:
            title = (texts.CORRECT if state.doing == CHANGE else texts.BEFORE_ENTRY).format(
                state.place
            )
            more.append(Touch(texts.LEAVE, f"{number}leave", key="Escape"))
            if state.doing == CHANGE:
                more += self._corrections(number)
                done = Touch(
                    texts.DONE, f"{number}done", "strong", enabled=offer.meaning is not None
                )
                more.insert(0, done)
        return Panel("enter", (*parts, Touches("", tuple(more))), title, "touch", live=True)

    def _undo(self, entering: Entering) -> Touch:
        label = ""
        if self.log.can_undo:
            before = self.log.entries
            trial = TouchLog(self.adviser, self.log)
            Entering(self.adviser, trial).undo()
            label = texts.UNDO_OF.format(Entering(self.adviser, trial).taken_back(before))
        return Touch(
            texts.UNDO, f"{self.state.number} undo", enabled=self.log.can_undo, label=label,
            key="Backspace",
        )  # fmt: skip

    def _corrections(self, number: str) -> list[Touch]:
        place = self.state.place
        unsure = bool(self.log.entries[place - 1].get(UNSURE))
        doubt = (texts.TRUST, "sure") if unsure else (texts.DOUBT, "unsure")
        return [
            Touch(texts.REMOVE, f"{number}remove {place}"),
            Touch(doubt[0], f"{number}{doubt[1]} {place}"),
            Touch(texts.INSERT, f"{number}insert {place}"),
        ]

    def _conflict(self, found: Conflict) -> Statements:
        entering, number = self._entering, f"{self.state.number} "
        if not found.places:
            return [Paragraph(found.says, "strong")]
        said = texts.BY_THE_RULES.format(found.says)
        parts: list[Statement] = [Paragraph(f"{said} {found.because}".strip(), "strong")]
        for place in found.places:
            mend = (
                Touch(texts.MEND, f"entry {place}"),
                Touch(texts.REMOVE, f"{number}remove {place}"),
                Touch(texts.DOUBT, f"{number}unsure {place}"),
            )
            words = entering.words(self.log.entries[place - 1])
            parts.append(Touches(f"{place}: {words}", mend))
        settings = self.log.settings
        keys = tuple(
            Touch(self.adviser.summary(key, settings).partition(":")[0] or key, f"setup {key}")
            for key in self.adviser.keys
        )
        return [*parts, Touches(texts.SETUP_WRONG, keys), Paragraph(texts.UNTIL_THEN, "soft")]

    def _log_panel(self, entering: Entering) -> Panel:
        entries = list(enumerate(self.log.entries, 1))
        listed_ = tuple(
            Touch(
                f"{place}: {entering.words(entry)}", f"entry {place}", "soft",
                pressed=True if self.state.doing == CHANGE and self.state.place == place else None,
            )
            for place, entry in reversed(entries)
        )  # fmt: skip
        parts: Statements = (
            [Touches("", listed_, "list", texts.ENTERED)]
            if entries
            else [Paragraph(texts.NOTHING_ENTERED, "soft")]
        )
        return Panel("log", tuple(parts), texts.ENTERED, "side")

    def _setup_panels(self, *, open_: bool) -> list[Panel]:
        settings = self.log.settings
        keys = [key for key in self.adviser.keys if key in settings]
        if open_ and not keys:
            return []
        touches = tuple(
            Touch(
                self.adviser.summary(key, settings) or f"{key}: {setting_words(settings[key])}",
                f"setup {key}",
                "soft",
            )
            for key in keys
        )
        part = Touches("", touches, "list", texts.SET_UP)
        return [Panel("setup", (part,), texts.SET_UP, "side", None if open_ else True)]

    def _form_panel(self, key: str) -> Panel:
        state = self.state
        picked: list[str] = list(state.draft.get("picked", ()))
        parts = addressed(self.adviser.form(key, self.log.settings, picked), f"{state.number} ")
        if state.doing == SETUP:
            leave = Touch(texts.LEAVE, f"{state.number} leave", "soft", key="Escape")
            parts = (*parts, Touches("", (leave,)))
        elif self._entering.questions.mended:
            parts = (*parts, Touches("", (self._undo(self._entering),)))
        return Panel("form", parts, texts.SETTING, "touch")

    def _view_panel(self) -> Panel:
        choice = (texts.REVEAL, "bare no") if self.state.bare else (texts.HIDE, "bare yes")
        return Panel("view", (Touches("", (Touch(*choice),)),), texts.PAGE_FOR, "side", True)

    def _files_panel(self) -> Panel:
        at = f"/s/{self.file.tokens[0]}/get"
        links = tuple(Touch(texts.FILE_NAMES[name], f"{at}/{name}") for name in FILES)
        return Panel("files", (Touches("", links, "list"),), texts.FILES, "side", True)

    def _answer_panel(self) -> list[Panel]:
        command, rest = self._open
        if not command or self.state.bare:
            return []
        if command in self.adviser.prompt_answers:
            told = json.dumps(self.log.settings), json.dumps(self.log.entries)
            parts = _opened(self.game, command, rest, *told)
            return [Panel("answer", tuple(parts), texts.ANSWER, "touch")]
        close = Touches("", (Touch(texts.CLOSE, "close", "soft"),))
        return [Panel("answer", (Paragraph(texts.WAIT), close), texts.ANSWER, "touch")]

    # -- the rest

    def download(self, seat: int, name: str) -> Download:
        return file_of(name, self.adviser, self.log, self.file)

    def close(self) -> None:
        self.file.close()


#: The same answer is shown until something is entered.
_opened = lru_cache(maxsize=KEPT)(opened)
