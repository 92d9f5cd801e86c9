"""The view of a device: kept as long as the server runs, and not worth more."""

from __future__ import annotations

from dataclasses import dataclass

from .choosing import BETWEEN

Moment = tuple[int, int]
"""The number of the game, and how many actions were made."""


@dataclass(eq=False)
class SeatEyes:
    """The state of a device's page that may be lost.

    Attributes:
        roles: The roles of the person who has the device, where several share it.
        picked: The words of a move that were touched, and when.
        advised: When advice was asked for, and of which agent; empty for the usual one.
        unguessed: When what can be known was asked for without a guess, and by whom.
        about: What is being guessed, by its place, and when.
        extra: What else of the game is shown.
    """

    roles: tuple[int, ...] = ()
    picked: tuple[Moment, tuple[str, ...]] = ((0, 0), ())
    advised: tuple[Moment, str] | None = None
    unguessed: tuple[Moment, tuple[int, ...]] | None = None
    about: tuple[Moment, int] = ((0, 0), 0)
    extra: str = ""

    def take(self, word: str, rest: str, now: Moment, roles: tuple[int, ...]) -> bool:
        """Look at something else; False if this is nothing to look at.

        Args:
            word: What to do.
            rest: What follows it.
            now: The moment.
            roles: The roles of the person who looks.
        """
        if word == "i-am":
            self.roles = tuple(int(each) for each in rest.split(",") if each.isdigit())
            return True
        if word == "extra":
            self.extra = "" if rest == self.extra else rest
            return True
        at, _, more = rest.partition(" ")
        if at != str(now[1]):
            # What was touched on an older page counts no more.
            return word in ("pick", "advice", "skip", "about")
        if word == "pick":
            self.picked = (now, tuple(each for each in more.split(BETWEEN) if each))
        elif word == "advice":
            self.advised = (now, more)
        elif word == "skip":
            self.unguessed = (now, roles)
        elif word == "about" and more.isdigit():
            self.about = (now, int(more))
        else:
            return False
        return True
