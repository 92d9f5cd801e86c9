"""The facts a player is told beside what they see of a game: by the runner of the match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from .view import View


@dataclass(frozen=True)
class Briefing:
    """The facts a match tells a player, as a part of what they have seen.

    Attributes:
        seconds: How long each action of this game took, in their order; None where nobody knows,
            and nothing at all where no clock runs.
        earlier: The ends of the earlier games of the same match, as they saw them.
        hint: What somebody says who knows the truth and is not always right (a noisy oracle);
            None for nothing. What it is about is the game's to say, see `Advice.secret`.

    >>> import sleuth
    >>> from dataclasses import replace
    >>> from sleuth.kit import Briefing
    >>> seen = sleuth.Play.new("kuhn_poker", seed=1).seen_by(0)
    >>> seen.told.hint is None, replace(seen, told=Briefing(hint=True)).told.hint
    (True, True)
    """

    seconds: tuple[float | None, ...] = ()
    earlier: tuple[View, ...] = ()
    hint: bool | None = None


NOTHING: Final = Briefing()
