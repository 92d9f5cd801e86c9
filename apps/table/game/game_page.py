"""The page of one device at one moment of a game, and with whose eyes it is seen."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ....models.play import PERSON
from ...kit.display import Display, Sight
from .choosing import MoveChoice
from .course import GameCourse
from .eyes import SeatEyes
from .seating import TablePerson


@dataclass(frozen=True, eq=False)
class GamePage:
    """The page of one device at one moment.

    Attributes:
        course: The games.
        seat: The device.
        eyes: What it looks at.
        tokens: The secret parts of all devices' addresses.
        addresses: How the server is reached.
        failed: Why the game cannot go on; empty where it can.
    """

    course: GameCourse
    seat: int
    eyes: SeatEyes
    tokens: tuple[str, ...]
    addresses: tuple[str, ...]
    failed: str

    @property
    def display(self) -> Display:
        """The words and pictures of the game."""
        return self.course.name.display()

    @property
    def now(self) -> tuple[int, int]:
        """The number of the game, and how many actions were made."""
        return self.course.number, self.course.at

    @cached_property
    def here(self) -> tuple[TablePerson, ...]:
        """Everybody who plays on this device."""
        return tuple(each for each in self.course.persons if each.device == self.seat)

    @cached_property
    def shared(self) -> bool:
        """True where what one person sees here has to be hidden from the next."""
        return len(self.here) > 1 and self.course.playing.game.hides

    @cached_property
    def person(self) -> TablePerson | None:
        """The person with whose eyes this device shows the game now; None for nobody."""
        if not self.here:
            return None
        mover = self.course.mover
        moves = mover if mover in self.here else None
        if not self.shared:
            return moves or next(
                (each for each in self.here if each.roles == self.eyes.roles), self.here[0]
            )
        holds = next((each for each in self.here if each.roles == self.eyes.roles), None)
        return holds if moves is None or holds == moves else None

    @cached_property
    def sight(self) -> Sight:
        """All that this person may see."""
        assert self.person is not None
        return self.course.sight(self.person)

    @property
    def moves(self) -> bool:
        """True where it is the move of the person who looks."""
        return self.person is not None and self.course.playing.player in self.person.roles

    @cached_property
    def choice(self) -> MoveChoice:
        """The moves of the person who looks, as far as they were chosen."""
        at, words = self.eyes.picked
        words = words if at == self.now else ()
        return MoveChoice.of(self.display, self.sight.view, self.course.at, words)

    def who(self, person: TablePerson) -> str:
        """A person's name: their own where they have given it."""
        role, name = self.name(person.roles), self.course.called(person)
        return role if name == PERSON else f"{name} ({role})"

    def name(self, roles: tuple[int, ...]) -> str:
        """Somebody's name."""
        return self.display.names(roles)
