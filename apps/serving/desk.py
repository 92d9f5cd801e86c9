"""The desk: all tables of an assistant, and the work that is done for them."""

from __future__ import annotations

import asyncio
import json
import random
import secrets
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...data.errors import ContradictionError, RecordError, SettingsError, SleuthError, nearest
from ...models.games import entries
from ...models.parcel import ViewParcel
from ..commands.check import check_summary
from ..kit.advising.entering import Entering
from ..kit.advising.entries import Entry
from ..kit.advising.questions import SetupQuestions
from ..kit.answers.values import Paragraph, Statement, Statements
from ..table.advice.sitting import AdviceSitting
from ..table.game.offered import OPPONENT
from ..table.game.setting_up import asked_agent
from ..table.game.sitting import GameSitting
from ..table.known import known_entry
from ..table.sitting import Job, Line
from ..table.web.workers import Workers
from . import arguments as a
from . import beside, work
from .checking import checked
from .described import game_form, guide, listing
from .forms import (
    AdviceForm,
    AgentDecision,
    BeliefsForm,
    CheckedForm,
    ClosedForm,
    GamesForm,
    GuideForm,
    PositionForm,
    ProofForm,
    SaidForm,
    SeatsForm,
    TableAnswer,
    WorthsForm,
)
from .limits import USUAL, DeskLimits
from .paging import Pages
from .playing import GameSeat, rules_of, seating_of, seats_of
from .tables import SeatPlace, Tables


class Desk:
    """All that an assistant can ask for: each public method but `close` is a tool.

    Arguments are checked before (see `tools`). Every method raises a SleuthError where something
    cannot be; nothing has changed then.

    Args:
        limits: The most of everything.
        folder: Where tables are kept that are to be; None for nowhere.
        runs_code: Whether files with code may be run.
        seed: Where the chance of games comes from; None for chance that nobody knows.
        workers: Who works; None for processes of its own.

    Raises:
        SettingsError: The folder cannot be used.
    """

    def __init__(
        self,
        *,
        limits: DeskLimits = USUAL,
        folder: Path | None = None,
        runs_code: bool = False,
        seed: int | None = None,
        workers: Workers | None = None,
    ) -> None:
        self.limits = limits
        self.runs_code = runs_code
        self.tables = Tables(limits, folder)
        self._pages = Pages(limits)
        self._workers = Workers() if workers is None else workers
        self._chance = secrets.SystemRandom() if seed is None else random.Random(seed)
        self._locks: dict[str, asyncio.Lock] = {}

    def close(self) -> None:
        """Let go of all tables and processes; what is kept is on the disk already."""
        self.tables.close()
        self._workers.close()

    # -- games

    async def list_games(self) -> GamesForm:
        """All games, with what they can be told."""
        found = tuple(map(game_form, entries()))
        return self._pages.said(GamesForm(games=found), [listing(found)])

    async def describe_game(self, game: a.Game) -> GuideForm:
        """A game in detail."""
        return guide(known_entry(game))

    # -- beside a real game

    async def open_advice(self, game: a.Game, keep: a.Keep = False) -> AdviceForm:
        """A new table beside a real game."""
        place = self.tables.make("advice", {"game": game}, keep=keep)
        assert isinstance(place.sitting, AdviceSitting)
        return self._pages.said(beside.state(place.sitting, place.token, 0), ())

    async def tell(self, table: a.Table, lines: a.Lines) -> AdviceForm:
        """Take lines, one after the other."""
        sitting = self._beside(table)
        before, said = sitting.log.entries, list[Statement]()
        for number, line in enumerate(lines, 1):
            try:
                said += beside.say(sitting, line)
            except SleuthError as error:
                taken = f", after {number - 1} that were taken" if number > 1 else ""
                error.reword(where=f"line {number}{taken}")
                raise
        return await self._news(sitting, table, len(lines), before, said)

    async def set_up(self, table: a.Table, key: a.Key, answer: a.Answer = "") -> AdviceForm:
        """Answer a question of the beginning anew."""
        sitting = self._beside(table)
        before, word = sitting.log.entries, SetupQuestions(sitting.adviser, sitting.log).key(key)
        said = beside.answer(sitting, word, answer)
        return await self._news(sitting, table, 1, before, said)

    async def correct_entry(
        self, table: a.Table, entry: a.Entry, how: a.How, line: a.Amended = ""
    ) -> AdviceForm:
        """Correct an entry, or count it no longer."""
        sitting = self._beside(table)
        before = sitting.log.entries
        if entry > len(before):
            hint = f"there are {len(before)}"
            raise RecordError("no entry has this number", where="entry", value=entry, hint=hint)
        change = sitting.enter(lambda entering: beside.corrected(entering, entry, how, line))
        said: Statements = [Paragraph(f"Entry {entry} is removed.")]
        if how != "remove":
            said = beside.kept(sitting, change)
        return await self._news(sitting, table, 1, before, said)

    async def undo(self, table: a.Table) -> AdviceForm:
        """Take back the last step."""
        sitting = self._beside(table)
        before = sitting.log.entries
        sitting.enter(Entering.undo)
        words = "Taken back."
        if before != sitting.log.entries:
            back = Entering(sitting.adviser, sitting.log).taken_back(before)
            words = f"Taken back: {back}."
        return await self._news(sitting, table, 1, before, [Paragraph(words)])

    async def ask(self, table: a.Table, question: a.Question) -> TableAnswer:
        """Answer a question in the game's own words."""
        sitting = self._beside(table)
        word, _, rest = question.strip().partition(" ")
        if word not in sitting.adviser.commands:
            hint = nearest(word, [*sitting.adviser.commands])
            raise SettingsError("no such question", where="question", value=word, hint=hint)
        said = await self._asked(sitting, word, rest.strip())
        return self._pages.said(TableAnswer(table=table), said)

    # -- at a game

    async def open_game(
        self,
        game: a.Game,
        settings: a.Settings = a.Unnamed,
        seats: a.Seats = a.Empty,
        agents: a.Agents = a.Unnamed,
        take_back: a.TakeBack = False,
        keep: a.Keep = False,
    ) -> SeatsForm:
        """A new game against agents, or between several seats."""
        rules = rules_of(known_entry(game).settings, dict(settings))
        place = self.tables.make("game", {"game": game}, keep=keep)
        sitting, seed = place.sitting, self._chance.randrange(2**63)
        assert isinstance(sitting, GameSitting)
        try:
            sitting.take(0, rules)
            name, given = sitting.course.name, dict(agents)
            sitting.take(0, seating_of(name, list(seats), given, seed, take_back=take_back))
            await self._go_on(sitting)
        except BaseException:
            self.tables.forget(place)
            raise
        return seats_of(sitting)

    async def look(self, table: a.Table) -> PositionForm:
        """A game as a seat sees it now."""
        seat = self._seat(table)
        async with self._lock(seat):
            await self._go_on(seat.sitting)
        return self._position(table, ())

    async def play(self, table: a.Table, move: a.Move) -> PositionForm:
        """Make a move, and let agents move until it is a seat's turn again."""
        async with self._lock(self._seat(table)):
            seat = self._seat(table)
            await self._go_on(seat.sitting)
            first = len(seat.sight.seen.events)
            seat.sitting.take(seat.seat, seat.line(move))
            await self._go_on(seat.sitting)
        return self._position(table, self._seat(table).happened(first))

    async def take_back(self, table: a.Table) -> PositionForm:
        """Take a seat's last move back."""
        async with self._lock(self._seat(table)):
            seat = self._seat(table)
            seat.sitting.take(seat.seat, Line(f"back {seat.course.at}", {}, ""))
            await self._go_on(seat.sitting)
        return self._position(table, ())

    async def decide(self, table: a.Table, agent: a.Agent = "") -> AgentDecision:
        """The decision of an agent in a seat's place, with its search."""
        seat = self._seat(table)
        seat.refuse_idle()
        name = seat.course.name
        text = asked_agent(agent or OPPONENT, name.game())
        parcel = ViewParcel.of(seat.sight.view, seat.sight.seen)
        return await self._run(Job(work.decision, (name, text, self._seed(seat), parcel)))

    # -- at both

    async def log(self, table: a.Table) -> TableAnswer:
        """Everything that was entered, or that a seat has seen."""
        sitting = self.tables.place(table).sitting
        if isinstance(sitting, AdviceSitting):
            entering = Entering(sitting.adviser, sitting.log)
            words = enumerate(map(entering.words, sitting.log.entries), 1)
            text = "\n".join(f"{number}: {each}" for number, each in words)
            said: Statements = [Paragraph(text)] if text else []
        else:
            said = self._seat(table).happened(0)
        nothing = [Paragraph("Nothing has happened yet.")]
        return self._pages.said(TableAnswer(table=table), said or nothing)

    async def beliefs(self, table: a.Table, names: a.Names = a.Empty) -> BeliefsForm:
        """The marginals of what is hidden."""
        sitting, wanted, most = self.tables.place(table).sitting, tuple(names), self.limits.moves
        if isinstance(sitting, AdviceSitting):
            told = beside.told(sitting)
            return await self._or_conflict(
                sitting, Job(work.told_beliefs, (table, *told, wanted, most))
            )
        packed = self._seat(table).packed
        return await self._run(Job(work.beliefs, (table, *packed, wanted, most)))

    async def explain(self, table: a.Table, name: a.Name, value: a.Value = "") -> ProofForm:
        """The observations that make something certain, or impossible."""
        sitting = self.tables.place(table).sitting
        if isinstance(sitting, AdviceSitting):
            said = await self._why(sitting, name, value)
            return self._pages.said(ProofForm(table=table), said)
        packed = self._seat(table).packed
        return await self._run(Job(work.proof, (table, *packed, name, value)))

    async def worth(self, table: a.Table, about: a.About = "") -> WorthsForm:
        """The expected information of all that can be asked, the best first."""
        sitting = self.tables.place(table).sitting
        if isinstance(sitting, AdviceSitting):
            said = await self._asked(sitting, "best", about)
            return self._pages.said(WorthsForm(table=table), said)
        seat = self._seat(table)
        seat.refuse_idle()
        return await self._run(Job(work.worths, (table, *seat.packed, about, self.limits.moves)))

    async def advise(self, table: a.Table, agent: a.Agent = "") -> TableAnswer:
        """Words on what to do now, and why."""
        sitting = self.tables.place(table).sitting
        if isinstance(sitting, AdviceSitting):
            if agent:
                hint = "leave it out: beside a real game it is the game's own advice"
                raise SettingsError("no agent is asked", where="agent", value=agent, hint=hint)
            said = await self._asked(sitting, "best", "")
        else:
            seat = self._seat(table)
            seat.refuse_idle()
            name, parcel = seat.packed
            text = asked_agent(agent or OPPONENT, name.game())
            said = await self._run(Job(work.advice, (name, text, self._seed(seat), parcel)))
        return self._pages.said(TableAnswer(table=table), said)

    async def record(self, table: a.Table) -> TableAnswer:
        """The record as JSON: of what was told, or of a game that is over."""
        place = self.tables.place(table)
        if isinstance(place.sitting, AdviceSitting):
            text = await self._run(Job(work.told_record, beside.told(place.sitting)))
        else:
            assert isinstance(place.sitting, GameSitting)
            if not place.sitting.course.over:
                hint = "its record shows all that was hidden; 'log' lists what the seat has seen"
                raise SettingsError("the game is not over", where="table", hint=hint)
            text = place.sitting.download(place.seat, "record.json").here().decode()
        return self._pages.said(TableAnswer(table=table), [Paragraph(text.rstrip())])

    async def close_table(self, table: a.Table) -> ClosedForm:
        """Close a table."""
        place = self.tables.place(table)
        if place.seat:
            hint = "the others may still play"
            raise SettingsError("only the first seat closes a game", where="table", hint=hint)
        kept = self.tables.close_table(place)
        self._locks.pop(place.log.tokens[0], None)
        return ClosedForm(table=table, kept=kept)

    # -- records and files

    async def analyse_record(
        self,
        record: a.Record,
        name: a.FileName = "",
        observer: a.Observer = "",
        number: a.GameNumber = 1,
        as_json: a.AsJson = False,
    ) -> SaidForm:
        """The analysis of a record: what a player could have known at every moment."""
        make = work.analysed_as_json if as_json else work.analysed
        said = await self._run(Job(make, (record, name, observer or None, number)))
        return self._pages.said(SaidForm(), said)

    async def decide_in_record(
        self, record: a.Record, event: a.Moment, agent: a.Agent = ""
    ) -> AgentDecision:
        """The decision of an agent at a moment of a recorded play, in the place of who moves."""
        return await self._run(Job(work.recorded_decision, (record, event, agent or OPPONENT)))

    async def check_game(
        self, game: a.OwnGame, plays: a.Plays = 20, belief_plays: a.BeliefPlays = 60
    ) -> CheckedForm:
        """The checks of a game of the caller's own, whose code is run."""
        if not self.runs_code:
            raise SettingsError(
                "this runs the code of a file, and the server was not started for that",
                where="check_game",
                value=game,
                hint="its user can add --run-code, or write 'sleuth check' in a shell",
            )
        made = await checked(game, plays, belief_plays, self.limits.seconds)
        form = CheckedForm(passed=not made.findings, check=made)
        return self._pages.said(form, check_summary(made))

    async def read_more(self, answer: a.LongAnswer, part: a.Part) -> SaidForm:
        """A part of an answer that was too long."""
        return self._pages.read(answer, part)

    # -- parts

    async def _run(self, job: Job) -> Any:
        return await self._workers.run(job, seconds=self.limits.seconds)

    def _beside(self, table: str) -> AdviceSitting:
        sitting = self.tables.place(table).sitting
        if not isinstance(sitting, AdviceSitting):
            hint = "'look', 'play' and 'take_back' are for it"
            raise SettingsError("a game is played at this table", where="table", hint=hint)
        return sitting

    def _seat(self, table: str) -> GameSeat:
        place: SeatPlace = self.tables.place(table)
        if not isinstance(place.sitting, GameSitting):
            hint = "'tell', 'ask' and 'undo' are for it"
            raise SettingsError("this table is beside a real game", where="table", hint=hint)
        return GameSeat(place.sitting, place.seat, place.token)

    # -- parts: advice

    async def _news(
        self,
        sitting: AdviceSitting,
        table: str,
        taken: int,
        before: Sequence[Entry],
        said: Statements,
    ) -> AdviceForm:
        """A table after something was told, with what is known now and was not."""
        log, conflict = sitting.log, None
        if log.entries and SetupQuestions(sitting.adviser, log).complete:
            job = Job(work.news, (*beside.told(sitting), json.dumps(before)))
            try:
                said = [*said, *await self._run(job)]
            except ContradictionError as error:
                conflict = beside.conflict(sitting, error)
        state = replace(beside.state(sitting, table, taken), conflict=conflict)
        return self._pages.said(state, said)

    async def _asked(self, sitting: AdviceSitting, word: str, rest: str) -> Statements:
        if word not in sitting.adviser.commands:
            hint = f"'ask' has {', '.join(sitting.adviser.commands)}"
            raise SettingsError(f"this game has no {word!r}", where=sitting.adviser.name, hint=hint)
        game, *told = beside.told(sitting)
        return await self._or_conflict(sitting, Job(work.answered, (game, word, rest, *told)))

    async def _why(self, sitting: AdviceSitting, name: str, value: str) -> Statements:
        """The answer to the game's 'why', which takes a name, a value, or both."""
        refused: SleuthError | None = None
        for words in dict.fromkeys((f"{name} {value}".strip(), name, value)):
            try:
                return await self._asked(sitting, "why", words)
            except (RecordError, SettingsError) as error:
                refused = refused or error
        assert refused is not None
        raise refused

    async def _or_conflict(self, sitting: AdviceSitting, job: Job) -> Any:
        try:
            return await self._run(job)
        except ContradictionError as error:
            found = beside.conflict(sitting, error)
            raise RecordError(found.says.rstrip("."), hint=found.hint) from None

    # -- parts: games

    def _lock(self, seat: GameSeat) -> asyncio.Lock:
        return self._locks.setdefault(seat.sitting.file.tokens[0], asyncio.Lock())

    def _seed(self, seat: GameSeat) -> int:
        """The same for the same moment, so that the same question has the same answer."""
        return seat.course.at

    def _position(self, table: str, said: Statements) -> PositionForm:
        seat = self._seat(table)
        form = seat.position(self.limits.moves)
        return self._pages.said(form, [*said, *seat.statements()])

    async def _go_on(self, sitting: GameSitting) -> None:
        """Let agents move as long as it is theirs to.

        Raises:
            SleuthError: One of them cannot.
        """
        if sitting.course.begun:
            sitting.take(0, Line("again", {}, ""))
        while (job := sitting.due()) is not None:
            try:
                answer = await self._run(job)
            except SleuthError as error:
                sitting.failed(job, error)
                raise
            sitting.done(job, answer)
        if sitting.course.refused:
            raise SettingsError(sitting.course.refused)
