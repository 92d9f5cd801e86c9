"""The answers to assistants: plain values, whose schemas the tools say.

``said`` has the statements that a terminal would print, as `to_json` writes them; their own schema
is that of a reply. An assistant that shows only text gets the same in words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

from pydantic import Field

from ..kit.answers.forms import DecisionForm, GameCheck

StatementForm = Annotated[
    Mapping[str, Any],
    Field(
        description="A statement: its 'kind' (paragraph, sheet, bars, grid, map, section, ...) and "
        "its fields. The resource sleuth://schemas/reply has the whole schema."
    ),
]


@dataclass(frozen=True)
class MoreForm:
    """An answer that is too long for one call.

    Attributes:
        answer: What it is called for 'read_more'.
        part: Which part this is, from 1.
        parts: How many there are.
        says: The same in words.
    """

    answer: str
    part: int
    parts: int
    says: str


@dataclass(frozen=True, kw_only=True)
class SaidForm:
    """An answer in statements.

    Attributes:
        covered: Fields that the words of the answer need not repeat.
        said: What a terminal would print.
        more: Where the rest is, if this is but a part.
    """

    covered: ClassVar[tuple[str, ...]] = ()

    said: tuple[StatementForm, ...] = ()
    more: MoreForm | None = None

    @property
    def words(self) -> Mapping[str, str]:
        """Fields that are said in other words than the JSON of their values."""
        return {}


@dataclass(frozen=True)
class SettingForm:
    """A setting of a game.

    Attributes:
        name: What it is called.
        usual: Its value where nobody says; null where it follows from others.
        meaning: What it is.
    """

    name: str
    usual: Any
    meaning: str


@dataclass(frozen=True)
class GameForm:
    """A game that there is.

    Attributes:
        name: What tools call it.
        title: What people call it.
        hidden: Whether anything is hidden from anybody.
        advice: Whether sleuth can stand beside a real game of it ('open_advice').
        settings: What it can be told.
    """

    name: str
    title: str
    hidden: bool
    advice: bool
    settings: tuple[SettingForm, ...]


@dataclass(frozen=True, kw_only=True)
class GamesForm(SaidForm):
    """All games.

    Attributes:
        games: They.
    """

    covered: ClassVar[tuple[str, ...]] = ("games",)

    games: tuple[GameForm, ...]


@dataclass(frozen=True)
class AdviceGuide:
    """Words at a table of advice.

    Attributes:
        set_up: What is asked before the first line, in order: key -> the first question of it.
        writing: How lines are written.
        questions: What can be asked by 'ask': word -> what it answers.
    """

    set_up: tuple[str, ...]
    writing: str
    questions: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class GuideForm(SaidForm):
    """A game in detail.

    Attributes:
        game: The game.
        roles: Who plays, in turn order, with the usual settings.
        sides: Roles that one player may take together, by their word.
        rules: The rules in short; empty where nobody wrote them down.
        agents: Agents that can play it: name -> what they do.
        beside: Words at a table of advice; null where there is none.
    """

    game: GameForm
    roles: tuple[str, ...]
    sides: Mapping[str, tuple[str, ...]]
    rules: str
    agents: Mapping[str, str]
    beside: AdviceGuide | None


@dataclass(frozen=True)
class QuestionForm:
    """Something that is asked before the first line.

    Attributes:
        key: What it is called for 'set_up'.
        text: The question.
        usual: What an empty line answers; null where something has to be said.
    """

    key: str
    text: str
    usual: Any


@dataclass(frozen=True)
class ConflictForm:
    """Entries that cannot all be true.

    Attributes:
        entries: Their numbers; none where nobody knows which.
        says: Which, and why, in sentences.
        hint: How to correct them.
    """

    entries: tuple[int, ...]
    says: str
    hint: str


@dataclass(frozen=True, kw_only=True)
class AdviceForm(SaidForm):
    """A table of advice after something was told; ``said`` is what is known now and was not.

    Attributes:
        table: What tools call it.
        game: The game.
        question: What is asked next; null when all is set up, and lines are events of the game.
        prompt: Whose turn it is, or what the next line is about.
        entries: How many entries there are.
        taken: How many lines of this call were taken.
        passed: Whose turns before the last entry were not entered.
        conflict: Why nothing can be worked out until something is corrected; null where all is
            well.
    """

    table: str
    game: str
    question: QuestionForm | None
    prompt: str
    entries: int
    taken: int = 0
    passed: tuple[str, ...] = ()
    conflict: ConflictForm | None = None


@dataclass(frozen=True)
class SeatForm:
    """A seat of a game.

    Attributes:
        table: What tools call this seat; with it one sees what the seat sees, no more.
        roles: The roles that are played from it.
    """

    table: str
    roles: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class SeatsForm(SaidForm):
    """A game that was opened.

    Attributes:
        game: The game.
        settings: Its settings.
        seats: Its seats; hand each to its player.
        agents: Who plays the other roles: role -> agent.
        first: The first role to move.
    """

    game: str
    settings: Mapping[str, Any]
    seats: tuple[SeatForm, ...]
    agents: Mapping[str, str]
    first: str


@dataclass(frozen=True)
class MoveForm:
    """A legal move.

    Attributes:
        code: Its number.
        name: The words for it.
    """

    code: int
    name: str


@dataclass(frozen=True, kw_only=True)
class PositionForm(SaidForm):
    """A game as one seat sees it.

    Attributes:
        table: The seat.
        game: The game.
        roles: The roles that are played from it.
        to_move: The role that moves; null when the game is over.
        yours: Whether it is this seat's move.
        over: Whether the game is over.
        events: How many events this seat has seen.
        moves: The legal moves, if it is this seat's.
        left_out: How many more moves there are.
        view: The state as the seat knows it; null stands for what it cannot know.
    """

    covered: ClassVar[tuple[str, ...]] = ("view",)

    table: str
    game: str
    roles: tuple[str, ...]
    to_move: str | None
    yours: bool
    over: bool
    events: int
    moves: tuple[MoveForm, ...] = ()
    left_out: int = 0
    view: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def words(self) -> Mapping[str, str]:
        """Moves by their names alone, by which they are made, too."""
        return {"moves": "; ".join(each.name for each in self.moves)}


@dataclass(frozen=True)
class BeliefForm:
    """Something hidden.

    Attributes:
        name: What it is called.
        bits: Its entropy.
        values: Its possible values, the likeliest first, with their probabilities.
        left_out: How many more values are possible.
    """

    name: str
    bits: float
    values: Mapping[str, float]
    left_out: int = 0


@dataclass(frozen=True, kw_only=True)
class BeliefsForm(SaidForm):
    """The exact marginals of what is hidden, from what one player has seen.

    Attributes:
        table: The table.
        beliefs: They, by name.
        others: Names of hidden things that are not listed.
        exact: Whether the numbers are exact.
    """

    table: str
    beliefs: tuple[BeliefForm, ...]
    others: tuple[str, ...]
    exact: bool


@dataclass(frozen=True, kw_only=True)
class ProofForm(SaidForm):
    """The reasons for which something is certain.

    Attributes:
        table: The table.
        claim: What is certain, or impossible, in words; empty where ``said`` says it.
        because: The fewest observations that prove it, in words; none where it followed from the
            start, or ``said`` names them.
        shortest: Whether no fewer do; null where ``said`` says it.
    """

    table: str
    claim: str = ""
    because: tuple[str, ...] = ()
    shortest: bool | None = None


@dataclass(frozen=True)
class WorthForm:
    """The worth of a question.

    Attributes:
        move: The move that asks it.
        bits: What it tells in expectation.
    """

    move: str
    bits: float


@dataclass(frozen=True, kw_only=True)
class WorthsForm(SaidForm):
    """The expected information of what can be asked, the best first.

    Attributes:
        table: The table.
        about: What it is information about.
        questions: The questions; none where ``said`` says it.
    """

    table: str
    about: tuple[str, ...] = ()
    questions: tuple[WorthForm, ...] = ()


@dataclass(frozen=True, kw_only=True)
class TableAnswer(SaidForm):
    """An answer at a table.

    Attributes:
        table: The table.
    """

    table: str


@dataclass(frozen=True, kw_only=True)
class AgentDecision(SaidForm):
    """The decision of an agent.

    Attributes:
        agent: The agent.
        role: Whose move it is.
        move: What it would do.
        decision: Its search; null for an agent that does not search.
    """

    covered: ClassVar[tuple[str, ...]] = ("decision",)

    agent: str
    role: str
    move: MoveForm
    decision: DecisionForm | None


@dataclass(frozen=True, kw_only=True)
class ClosedForm(SaidForm):
    """A table that was closed.

    Attributes:
        table: What it was called.
        kept: Whether it can be opened again by that.
    """

    table: str
    kept: bool


@dataclass(frozen=True, kw_only=True)
class CheckedForm(SaidForm):
    """A game's file that was checked.

    Attributes:
        passed: Whether no fault was found.
        check: What was checked, and each fault with its place and what to write instead.
    """

    covered: ClassVar[tuple[str, ...]] = ("check",)

    passed: bool
    check: GameCheck
