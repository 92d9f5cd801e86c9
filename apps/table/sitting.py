"""The contract between what goes on at a table and the server that shows it.

A sitting is shown as panels, which are values: the same statements that a terminal prints. Whatever
is touched on a page says a line. Nothing of the web is known here, and nothing of what another
seat may see: a seat is asked for its own panels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol

if TYPE_CHECKING:
    from ..kit.answers.values import Statements


@dataclass(frozen=True)
class Panel:
    """A part of a page, which is replaced whole when it changes.

    Attributes:
        name: The name of its place, in letters, digits and hyphens; each stands once on a page.
        parts: What stands in it; nothing for a place that is empty now.
        title: Its heading; empty for none.
        place: The part of the page where it stands: what is looked at, what stands beside it
            where a page is wide, or what is touched, near the thumb.
        folded: Whether only its heading is shown until it is touched; None where it cannot be.
        live: Whether a screen reader says how it begins, whenever it has changed.
    """

    name: str
    parts: Statements
    title: str = ""
    place: Literal["main", "side", "touch"] = "main"
    folded: bool | None = None
    live: bool = False


@dataclass(frozen=True)
class Job:
    """Work that is too long for a touch: a worker does it, in a process of its own.

    Two jobs that compare equal have the same answer, so that it is worked out once.

    Attributes:
        make: A function of a module, which a worker can import.
        arguments: Its arguments, which compare and can be pickled.
        panel: The panel that its answer, `Statements`, stands in; None where it is for the
            sitting alone (see `Sitting.due`).
        heavy: Whether it takes seconds although it is compiled, so that it is left out where
            nothing is.
    """

    make: Callable[..., Any]
    arguments: tuple[Any, ...]
    panel: Panel | None = None
    heavy: bool = False


@dataclass(frozen=True)
class Line:
    """A line that a page says.

    Attributes:
        text: The line that stands at what was touched.
        blanks: What was filled in, where it was a form: name -> words.
        touch: The number of the touch, which no other has: a page that does not know whether a
            line arrived says it again.
    """

    text: str
    blanks: Mapping[str, str]
    touch: str


@dataclass(frozen=True)
class Download:
    """A file that a page offers.

    Attributes:
        name: The name that it is saved under.
        kind: The media type, such as ``"application/json"``.
        content: The file; or a job whose answer it is.
    """

    name: str
    kind: str
    content: bytes | Job

    def here(self) -> bytes:
        """The file, worked out in this process."""
        if isinstance(self.content, bytes):
            return self.content
        return self.content.make(*self.content.arguments)


class Sitting(Protocol):
    """Something that goes on at the server.

    It is asked by one thread at a time. What it was told is on the disk when `take` comes back,
    with the number of the touch, so that a server that is killed and started again goes on, and a
    line that is said twice counts once.

    Attributes:
        kind: The word for what it is, as in addresses: ``"advice"``, ``"replay"`` or ``"game"``.
        title: What it is called.
        seats: The names of its seats. Each has an address of its own.
    """

    kind: ClassVar[str]
    title: str

    @property
    def seats(self) -> Sequence[str]:
        """The names of the seats."""
        ...

    def panels(self, seat: int) -> Sequence[Panel]:
        """Everything that a seat sees now, but for what takes long.

        It takes at most a fifth of a second.
        """
        ...

    def jobs(self, seat: int) -> Sequence[Job]:
        """The jobs for what a seat should see besides, those worth most first.

        Each has a panel, whose parts stand there until the answer is known.
        """
        return ()

    def known(self, touch: str) -> bool:
        """True if the line of this touch was taken already."""
        ...

    def take(self, seat: int, line: Line) -> str:
        """Take what a seat says; the address where it leads, empty where the page stays.

        Raises:
            SleuthError: It cannot be; nothing has changed.
        """
        ...

    def download(self, seat: int, name: str) -> Download:
        """A file that a seat may have, such as the record of its game.

        Raises:
            SleuthError: There is none of this name for this seat.
        """
        ...

    def due(self) -> Job | None:
        """Work that has to be done before it goes on, such as an agent's move; None for none."""
        return None

    def done(self, job: Job, answer: Any) -> None:
        """Take the answer of what was due."""

    def failed(self, job: Job, error: Exception) -> None:
        """Take it that what was due cannot be done."""

    def later(self) -> float | None:
        """Seconds until `tick` is to be called, such as of a replay that runs; None for never."""
        return None

    def tick(self) -> None:
        """Go on by itself."""

    def close(self) -> None:
        """Let go of its file; everything is on the disk already."""
        ...
