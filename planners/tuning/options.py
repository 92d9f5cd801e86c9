"""Candidates of a tournament: an agent, and for some of its options the values to try.

``exploration=0.3/0.7/1.4`` lists values; ``mixing_slowing=0.001..0.1`` is a range, from which as
many are drawn as there are candidates: evenly on a logarithmic scale where it lies above 0, since
such numbers are scales, else evenly.
"""

from __future__ import annotations

import itertools
import math
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...data.errors import SettingsError
from ..agents import NamedAgent, option_type, parse_agent, parse_named
from .tournament import MOST_CANDIDATES

#: Candidates that are drawn if nothing says how many.
USUAL: Final = 16
#: Digits of what is drawn.
DIGITS: Final = 3


@dataclass(frozen=True)
class Range:
    """Numbers between two ends.

    Attributes:
        low, high: The ends.
    """

    low: float
    high: float

    def drawn(self, rng: np.random.Generator, *, whole: bool) -> str:
        """A number of the range, as text."""
        if self.low > 0:
            value = math.exp(rng.uniform(math.log(self.low), math.log(self.high)))
        else:
            value = float(rng.uniform(self.low, self.high))
        return str(round(value)) if whole else f"{value:.{DIGITS}g}"


Space = tuple[str, ...] | Range


def spaces_of(text: str) -> dict[str, Space]:
    """The values to try for each option, as ``c=0.3/0.7/1.4,d=0.001..0.1`` says.

    Raises:
        SettingsError: It is written in another way.
    """
    _, given = parse_named(f"options:{text}")
    return {name: _space(name, value) for name, value in given.items()}


def _space(name: str, text: str) -> Space:
    low, dots, high = text.partition("..")
    if not dots:
        values = tuple(dict.fromkeys(part.strip() for part in text.split("/") if part.strip()))
        if not values:
            raise SettingsError("name at least one value", where=f"option {name!r}", value=text)
        return values
    try:
        found = Range(float(low), float(high))
    except ValueError:
        found = Range(math.nan, math.nan)
    if not (math.isfinite(found.low) and math.isfinite(found.high) and found.low < found.high):
        raise SettingsError(
            "this is no range", where=f"option {name!r}", value=text, hint="write LOW..HIGH"
        )
    return found


def candidates(
    agent: str, options: str, *, count: int | None = None, seed: int = 0
) -> tuple[NamedAgent, ...]:
    """The agent with every combination of listed values, or with so many that are drawn.

    Args:
        agent: Its name, and the options that all candidates have.
        options: What to try, see `spaces_of`.
        count: How many to draw; None for all combinations, or 16 where there is a range.
        seed: Of the drawing.

    Raises:
        SettingsError: There is no such agent or option, a value does not fit, or there are fewer
            than two candidates.

    >>> from sleuth.matches import candidates
    >>> [each.text for each in candidates("mcts:simulations=50", "exploration=0.3/0.7")]
    ['mcts:simulations=50,exploration=0.3', 'mcts:simulations=50,exploration=0.7']
    """
    base, spaces = parse_agent(agent), spaces_of(options)
    whole = _whole(base, spaces)
    lists = {name: each for name, each in spaces.items() if not isinstance(each, Range)}
    every = math.prod(len(each) for each in lists.values())
    if len(lists) == len(spaces) and (count is None or count >= every):
        _check_count(every)
        return tuple(_with(base, dict(zip(lists, one, strict=True))) for one in _product(lists))
    wanted = USUAL if count is None else count
    _check_count(wanted)
    rng = np.random.default_rng(seed)
    found: dict[str, NamedAgent] = {}
    for _ in range(100 * wanted):
        if len(found) == wanted:
            break
        values = {
            name: each.drawn(rng, whole=name in whole)
            if isinstance(each, Range)
            else each[int(rng.integers(len(each)))]
            for name, each in spaces.items()
        }
        made = _with(base, values)
        found.setdefault(made.text, made)
    _check_count(len(found))
    return tuple(found.values())


def _product(lists: Mapping[str, tuple[str, ...]]) -> list[tuple[str, ...]]:
    return list(itertools.product(*lists.values()))


def _with(base: NamedAgent, values: Mapping[str, str]) -> NamedAgent:
    given = ",".join(f"{name}={value}" for name, value in values.items())
    return parse_agent(f"{base.text}{',' if base.options else ':'}{given}")


def _whole(base: NamedAgent, spaces: Mapping[str, Space]) -> frozenset[str]:
    """The options that take whole numbers and no others.

    Raises:
        SettingsError: The agent has no such option, or it is fixed.
    """
    found: set[str] = set()
    for name in spaces:
        kind = option_type(base.name, name)
        if name in dict(base.options):
            raise SettingsError(
                "an option is fixed and tuned at once", where=f"agent {base.text!r}", value=name
            )
        types = (kind, *typing.get_args(kind))
        found |= {name} if int in types and float not in types else set()
    return frozenset(found)


def _check_count(count: int) -> None:
    if not 2 <= count <= MOST_CANDIDATES:
        raise SettingsError(
            f"a tournament has 2 to {MOST_CANDIDATES:,} candidates",
            value=count,
            hint="list more values, fewer of them, or say how many to draw",
        )
