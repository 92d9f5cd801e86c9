"""The pairings in a stage of a tournament."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Method = Literal["halving", "knockout"]


@dataclass(frozen=True)
class Pairing:
    """Two places of the list of who is left, and how many games they play."""

    one: int
    other: int
    games: int


def pairings(left: int, games: int, method: Method) -> list[Pairing]:
    """The pairings in a stage.

    In a knockout neighbours do; of an odd number the last one goes on without a match. Else each
    plays with as many others as its games allow, all of them the same number.
    """
    if method == "knockout":
        return [Pairing(place, place + 1, games) for place in range(0, left - 1, 2)]
    found: list[tuple[int, int]] = []
    others = 0
    for shift in range(1, left // 2 + 1):
        meets = 1 if 2 * shift == left else 2
        if others and (others + meets) * 2 > games:
            break
        others += meets
        count = left // 2 if meets == 1 else left
        found += [(place, (place + shift) % left) for place in range(count)]
    share = max(games // others // 2 * 2, 2)
    return [Pairing(one, other, share) for one, other in found]


def expected(count: int, games: int, method: Method) -> Iterator[list[Pairing]]:
    """The pairings of all stages."""
    stage = 0
    while count > 1:
        yield pairings(count, games * (2**stage if method == "halving" else 1), method)
        count, stage = (count + 1) // 2, stage + 1
