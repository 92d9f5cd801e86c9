"""All states that a game can start from, found by following every draw of its ``start`` kernel.

The kernel runs in plain Python, with draws that do as they are told: at first each takes its first
value, then the last draw that has another value left takes that, until all were taken. So nobody
has to list what can be dealt.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from ..data.errors import CostError, UnsupportedError
from .kernels.plain.plain_call import as_plain
from .kernels.plain.twins import called_by, replaced
from .kernels.randomness import below, uniform, word

#: Deals that are followed, each a run of the kernel.
MOST_DEALS: Final = 100_000
#: Draws of one deal.
_MOST_DRAWS: Final = 1_000


@dataclass(frozen=True, eq=False)
class GameStarts:
    """The different states that a game can start from.

    Attributes:
        states: The states, in the order in which they were found.
        probabilities: How likely each is; shape (n,), sums to 1.

    >>> import sleuth
    >>> starts = sleuth.game("leduc_poker").starts()
    >>> len(starts), starts.states[0].cards.tolist(), round(float(starts.probabilities[0]), 4)
    (24, [0, 0], 0.0333)
    """

    states: Any
    probabilities: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.states)


class _Script:
    """In place of a generator: draws that were decided before, and then the first value of each."""

    def __init__(self, decided: list[int]) -> None:
        self.drawn = decided
        self.counts: list[int] = []

    def take(self, count: int) -> int:
        """The next draw, of so many equally likely values."""
        place = len(self.counts)
        if place == _MOST_DRAWS:
            raise CostError(
                f"a deal has more than {_MOST_DRAWS:,} draws",
                where="kernel 'start'",
                hint="one that draws again until something fits cannot be followed",
            )
        if count < 1:
            raise UnsupportedError(
                "a draw has no values", where="kernel 'start'", value=f"below(random, {count})"
            )
        self.counts.append(int(count))
        if place == len(self.drawn):
            self.drawn.append(0)
        return self.drawn[place]

    def following(self) -> list[int]:
        """The draws of the next deal, as far as they are decided; none after the last."""
        decided = self.drawn[: len(self.counts)]
        while decided and decided[-1] + 1 >= self.counts[len(decided) - 1]:
            decided.pop()
        return [*decided[:-1], decided[-1] + 1] if decided else []

    def __getitem__(self, place: int) -> int:
        raise _not_listed("it makes numbers of its own from the generator")


def _below(random: Any, count: int) -> int:
    return cast(_Script, random).take(count)


def _uniform(random: Any) -> float:
    raise _not_listed("it draws a number between 0 and 1")


def _word(random: Any) -> Any:
    raise _not_listed("it draws the bits of a number")


def _not_listed(reason: str) -> UnsupportedError:
    return UnsupportedError(
        f"the starts of this game cannot be listed: {reason}",
        where="kernel 'start'",
        hint="draw with below(random, count), whose values can be followed",
    )


def starts(game: Any, most: int = MOST_DEALS) -> GameStarts:
    """All different starts of a game, with their probabilities; see :meth:`Game.starts`."""
    start = replaced(game.start, {below: _below, uniform: _uniform, word: _word})
    found: dict[bytes, float] = {}
    decided: list[int] = []
    deals = 0
    while True:
        script = _Script(decided)
        states = game.states(1)
        start(as_plain(states)[0], game.tables, script)
        count = math.prod(script.counts)
        if deals == 0 and count > most:
            # It may be larger than any float.
            said = f"{count:,}" if count < 10**9 else f"about {Decimal(count):.1e}"
            raise _too_many(game, said, most)
        data = states.tobytes()
        found[data] = found.get(data, 0.0) + 1 / count
        decided = script.following()
        deals += 1
        if not decided:
            break
        if deals == most:
            raise _too_many(game, f"more than {most:,}", most)
    shares = np.array(list(found.values()))
    return GameStarts(game.states_of(b"".join(found)), shares / shares.sum())


def _too_many(game: Any, count: str, most: int) -> CostError:
    return CostError(
        f"there are {count} deals, too many to list",
        where=f"game {game.name!r}",
        hint=f"at most {most:,} are followed; a start is drawn by game.initial(seed)",
    )


def draws(kernel: Any) -> bool:
    """True if a kernel, or one that it calls, can draw from a generator."""
    chance = {getattr(each, "py_func", each).__code__ for each in (below, uniform, word)}
    return any(each.__code__ in chance for each in called_by(kernel))
