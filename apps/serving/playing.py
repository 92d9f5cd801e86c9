"""A game that is played here, as one seat sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ...data.errors import RecordError, SettingsError, nearest
from ..kit.answers.text import sentence
from ..kit.answers.values import Paragraph, Statement, Statements
from ..kit.display import Display, Sight, roles_named
from ..play.verdict import verdict
from ..table.game import texts
from ..table.game.course import GameCourse
from ..table.game.jobs import GameName
from ..table.game.offered import OPPONENT
from ..table.game.seating import TablePerson
from ..table.game.setting_up import MOST_DEVICES, SEAT, SETTING, asked_agent
from ..table.game.sitting import GameSitting
from ..table.parcels import SightParcel
from ..table.sitting import Line
from .described import plain
from .forms import MoveForm, PositionForm, SeatForm, SeatsForm


@dataclass(frozen=True, eq=False)
class GameSeat:
    """A seat of a game, at one moment.

    Attributes:
        sitting: The game.
        seat: The number of the seat, from 0.
        token: The word for it.
    """

    sitting: GameSitting
    seat: int
    token: str

    @property
    def course(self) -> GameCourse:
        """The course of the game."""
        return self.sitting.course

    @property
    def display(self) -> Display:
        """The words of the game."""
        return self.course.name.display()

    @cached_property
    def person(self) -> TablePerson:
        """The player of this seat.

        Raises:
            SettingsError: Nobody does.
        """
        found = next((each for each in self.course.persons if each.device == self.seat), None)
        if found is None or not self.course.begun:
            raise SettingsError("nobody plays from this seat", where="table", value=self.token)
        return found

    @cached_property
    def sight(self) -> Sight:
        """All that they may see now."""
        return self.course.sight(self.person)

    @property
    def packed(self) -> tuple[GameName, SightParcel]:
        """The game, and all that they may see, as a worker takes them."""
        return self.course.name, SightParcel.of(self.sight)

    @property
    def yours(self) -> bool:
        """True where it is their move."""
        return not self.course.over and self.course.playing.player in self.person.roles

    def refuse_idle(self) -> None:
        """A SettingsError, unless it is their move."""
        if self.course.over:
            raise SettingsError("the game is over", hint="'record' hands it over")
        if not self.yours:
            game = self.course.playing.game
            mover = game.roles[self.course.playing.player]
            raise SettingsError("it is not your move", value=mover, hint="'look' says whose it is")

    def happened(self, first: int) -> list[Statement]:
        """The events that they have seen from this place on."""
        lines = [sentence(each) for each in self.display.happened(self.sight, first)]
        return [Paragraph("\n".join(lines))] if lines else []

    def line(self, move: str | int) -> Line:
        """The line that makes a move.

        Raises:
            SettingsError: It is not theirs to move.
            RecordError: There is no such code; words are understood when the line is taken.
        """
        self.refuse_idle()
        at = self.course.at
        if isinstance(move, str):
            return Line(f"say {at}", {"move": move}, "")
        if move not in self.sight.view.legal().tolist():
            hint = "'look' lists the legal moves with their codes"
            raise RecordError("no legal move has this code", where="move", value=move, hint=hint)
        return Line(f"move {move} {at}", {}, "")

    def statements(self) -> Statements:
        """The game as it stands, and how it ended."""
        shown, sight = self.display, self.sight
        said = [*shown.situation(sight)]
        if self.yours:
            said += shown.at_a_move(sight)
        if self.course.over:
            if ending := shown.ending(sight):
                said.append(Paragraph(ending))
            said.append(Paragraph(verdict(shown, self.course.playing, self.person.roles), "strong"))
        return said

    def position(self, most: int) -> PositionForm:
        """The same in fields.

        Args:
            most: Most moves that are listed.
        """
        play, sight = self.course.playing, self.sight
        names = self.display.said_names(sight.view) if self.yours else {}
        moves = tuple(MoveForm(code, name) for code, name in names.items())[:most]
        return PositionForm(
            table=self.token,
            game=play.game.name,
            roles=tuple(play.game.roles[role] for role in self.person.roles),
            to_move=None if self.course.over else play.game.roles[play.player],
            yours=self.yours,
            over=self.course.over,
            events=len(sight.seen.events),
            moves=moves,
            left_out=len(names) - len(moves),
            view=sight.view.to_json(),
        )


def rules_of(known: Mapping[str, object], settings: Mapping[str, object]) -> Line:
    """The line that says the settings of a game.

    Args:
        known: The settings that it has.
        settings: Those that were given.

    Raises:
        SettingsError: It has no such setting.
    """
    for name in settings:
        if name not in known:
            hint = nearest(name, known) if known else "it has none"
            raise SettingsError("no such setting", where="settings", value=name, hint=hint)
    words = {True: texts.YES, False: texts.NO}
    blanks = {
        f"{SETTING}{name}": words[value] if isinstance(value, bool) else str(value)
        for name, value in settings.items()
        if value is not None
    }
    return Line("rules", blanks, "")


def seating_of(
    name: GameName, seats: Sequence[str], agents: Mapping[str, str], seed: int, *, take_back: bool
) -> Line:
    """The line that says who plays.

    Raises:
        SettingsError: It cannot be so.
    """
    game, shown = name.game(), name.display()
    chosen = list(seats) or [next(iter(shown.teams))]
    most = min(MOST_DEVICES, game.players)
    if len(chosen) > most:
        hint = f"it has at most {most}"
        raise SettingsError("the game has not so many", where="seats", value=len(chosen), hint=hint)
    players: dict[int, str] = {}
    for device, word in enumerate(chosen):
        for role in roles_named(shown, word, where="seats"):
            if role in players:
                raise SettingsError("a role has two seats", where="seats", value=word)
            players[role] = texts.ELSEWHERE.format(device + 1) if device else texts.HERE
    for word, agent in agents.items():
        for role in roles_named(shown, word, where="agents"):
            if role in players:
                raise SettingsError("a role is played already", where="agents", value=word)
            players[role] = asked_agent(agent, game)
    blanks = {f"{SEAT}{role}": players.get(role, OPPONENT) for role in range(game.players)}
    back = texts.YES if take_back else texts.NO
    return Line("begin", blanks | {"back": back, "seed": str(seed)}, "")


def seats_of(sitting: GameSitting) -> SeatsForm:
    """The seats of a game, each with the word for it."""
    course = sitting.course
    game, tokens = course.playing.game, sitting.file.tokens
    persons = course.persons
    taken = {role for each in persons for role in each.roles}
    agents = enumerate(course.seats.agents)
    return SeatsForm(
        game=game.name,
        settings=plain(game.settings),
        seats=tuple(
            SeatForm(tokens[each.device], tuple(game.roles[role] for role in each.roles))
            for each in persons
        ),
        agents={game.roles[role]: agent for role, agent in agents if role not in taken},
        first=game.roles[course.until(0).player],
    )
