"""All worlds of a declaration and their weights, in plain Python and without any rounding.

A world is a dictionary: of a choice its value, of a walk the positions so far, of a deal who holds
each physical card. Nothing here knows the package's features or arrays: what something means in a
world is a function of the world. Weights are whole numbers times a power of two, as floats are, so
that products of any number of them are exact. What is independent is listed apart.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

World = dict[str, Any]
#: What something is in a world.
Meaning = Callable[[World], Any]
#: The values that a variable can have or take next in a world, each with its weight.
Ways = Callable[[World], Iterable[tuple[Any, float]]]


def whole(weights: Sequence[float]) -> tuple[list[int], int]:
    """Weights as whole numbers, and the power of one half that they are multiples of."""
    ratios = [weight.as_integer_ratio() for weight in map(float, weights)]
    power = max((below.bit_length() - 1 for _, below in ratios), default=0)
    return [above << power - below.bit_length() + 1 for above, below in ratios], power


@dataclass(eq=False)
class Part:
    """Variables that hang together.

    Attributes:
        names: Of the variables.
        worlds: Every world that is possible, as far as it is about them.
        weights: The weight of each, in units of ``2 ** -power / divisor``.
        plain: The same where evidence only says what is possible.
    """

    names: frozenset[str]
    worlds: list[World]
    weights: list[int]
    plain: list[int]
    power: int = 0
    divisor: int = 1

    def keep(self, rows: Iterable[tuple[World, int, int]]) -> None:
        """Have these worlds, with the same ones taken together."""
        found: dict[tuple[Any, ...], list[Any]] = {}
        for world, weight, plain in rows:
            if weight:
                known = found.setdefault(tuple(world.values()), [world, 0, 0])
                known[1] += weight
                known[2] += plain
        self.worlds = [world for world, _, _ in found.values()]
        self.weights = [weight for _, weight, _ in found.values()]
        self.plain = [plain for _, _, plain in found.values()]


@dataclass(eq=False)
class Listing:
    """The worlds of some variables after what was observed."""

    parts: list[Part] = field(default_factory=list[Part])

    def size(self, about: Iterable[str]) -> int:
        """Number of worlds of all that hangs together with some variables."""
        return math.prod(len(part.worlds) for part in self.touched(about))

    def touched(self, about: Iterable[str]) -> list[Part]:
        return [part for part in self.parts if not part.names.isdisjoint(about)]

    def part(self, about: Iterable[str]) -> Part:
        """The one part of some variables; those that had several are one from now on."""
        several = self.touched(about)
        one = several[0] if len(several) == 1 else product(several)
        self.parts = [*(part for part in self.parts if part not in several), one]
        return one

    def spread(self, name: str, ways: Ways, about: Iterable[str], *, divisor: int = 1) -> None:
        """Give a variable its values, or its next ones, in each world.

        Args:
            name: The variable.
            ways: Its values in a world, with their weights.
            about: The variables that these depend on; itself, if it is there already.
            divisor: All weights are divided by it.
        """
        part = self.part(about)
        ahead = [[*ways(world)] for world in part.worlds]
        factors, power = whole([weight for row in ahead for _, weight in row])
        left = iter(factors)
        rows: list[tuple[World, int, int]] = []
        for world, weight, plain, row in zip(
            part.worlds, part.weights, part.plain, ahead, strict=True
        ):
            for value, _ in row:
                factor = next(left)
                rows.append(({**world, name: value}, weight * factor, plain * factor))
        part.names |= {name}
        part.power += power
        part.divisor *= divisor
        part.keep(rows)

    def weigh(self, meaning: Meaning, about: Iterable[str], table: Mapping[Any, float]) -> None:
        """Multiply the weight of each world by that of the value which something has in it."""
        part = self.part(about)
        numbers, power = whole([*table.values()])
        factor = dict(zip(table, numbers, strict=True))
        part.power += power
        part.keep(
            (world, weight * factor[meaning(world)], plain * (factor[meaning(world)] > 0))
            for world, weight, plain in zip(part.worlds, part.weights, part.plain, strict=True)
        )

    def counting(self, meaning: Meaning, about: Iterable[str]) -> float:
        """Probability that something is true by what is possible alone."""
        part = self.part(about)
        true = sum(
            plain for world, plain in zip(part.worlds, part.plain, strict=True) if meaning(world)
        )
        return true / sum(part.plain)

    @property
    def possible(self) -> bool:
        return all(part.worlds for part in self.parts)

    @property
    def log_evidence(self) -> float:
        """Natural log of the weight that is left."""
        return math.fsum(
            log_of(Fraction(sum(part.weights), part.divisor << part.power)) for part in self.parts
        )

    def rows(self, about: Iterable[str]) -> list[tuple[World, int]]:
        """The worlds of some variables with their weights, as far as these compare."""
        several = self.touched(about)
        one = several[0] if len(several) == 1 else product(several)
        return [*zip(one.worlds, one.weights, strict=True)]

    def distribution(self, meaning: Meaning, about: Iterable[str]) -> dict[Any, float]:
        """Probability of each value that something can have."""
        found: dict[Any, int] = {}
        for world, weight in self.rows(about):
            value = meaning(world)
            found[value] = found.get(value, 0) + weight
        total = sum(found.values())
        return {value: weight / total for value, weight in found.items()}


def product(parts: Sequence[Part]) -> Part:
    """Independent parts as one."""
    worlds: list[World] = []
    weights: list[int] = []
    plain: list[int] = []
    for rows in itertools.product(
        *(zip(part.worlds, part.weights, part.plain, strict=True) for part in parts)
    ):
        worlds.append({name: value for world, _, _ in rows for name, value in world.items()})
        weights.append(math.prod(weight for _, weight, _ in rows))
        plain.append(math.prod(number for _, _, number in rows))
    names = frozenset[str]().union(*(part.names for part in parts))
    power = sum(part.power for part in parts)
    return Part(names, worlds, weights, plain, power, math.prod(part.divisor for part in parts))


def log_of(share: Fraction) -> float:
    """Natural log, also of what no float can hold."""
    above, below = share.numerator, share.denominator
    power = above.bit_length() - below.bit_length()
    scaled = Fraction(above << max(-power, 0), below << max(power, 0))
    return math.log(scaled) + power * math.log(2.0)


def entropy(shares: Iterable[float]) -> float:
    """Entropy in bits."""
    return -math.fsum(share * math.log2(share) for share in shares if share > 0.0)


def taken(held: Sequence[tuple[str, str]], source: str, count: int) -> Counter[tuple[int, ...]]:
    """Which of the cards of a holder can leave it, by their places; all are alike."""
    there = [card for card, (_, who) in enumerate(held) if who == source]
    return Counter(itertools.combinations(there, count))
