"""A shortest set of numbers that fails a test, where every set around one that fails does, too.

The numbers are those of observations, and a set fails when it leaves nothing possible. What has to
be left out of all of them for something to be possible is a *correction*; a set fails just when it
has a member in common with every correction. So a smallest set that meets the corrections that are
known is never too large. If it fails, it is the answer. Else it is grown until nothing more can be
added, and what is missing then is one more correction (Ignatiev, Previti, Liffiton and
Marques-Silva, "Smallest MUS Extraction with Minimal Hitting Set Dualization", CP 2015). The search
begins with an irreducible set, from QuickXplain (Junker, AAAI 2004).

A set is a whole number, whose bits say which numbers it has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ...data.errors import CostError, UnsupportedError

#: Most steps of the search for a set that meets all corrections: some milliseconds.
MOST_STEPS = 10_000


@dataclass(frozen=True)
class FailingSet:
    """A set that fails, and that passes without any one of its members.

    Attributes:
        members: The numbers in it, ascending.
        shortest: Whether no set with fewer members fails; False where that is not known.
        last: With all numbers up to this one the test fails, and without it they pass; -1 where
            the empty set fails.
    """

    members: tuple[int, ...]
    shortest: bool
    last: int


class SubsetSearch:
    """The search for one set.

    Args:
        passes: The test.
        count: The numbers are 0 to this, less one; all of them together fail.
        affordable: Asked before every test that an irreducible set does not need. When it says no,
            the smallest set so far is the answer.
    """

    def __init__(
        self, passes: Callable[[int], bool], count: int, affordable: Callable[[], bool]
    ) -> None:
        self.test = passes
        self.numbers = range(count)
        self.affordable = affordable
        self.passed: list[int] = []
        self.failed = [set_of(self.numbers)]

    def irreducible(self) -> FailingSet:
        """A set of which no member can be left out; early numbers are preferred."""
        found = self._irreducible(self.numbers)
        return FailingSet(numbers_in(found), found.bit_count() < 2, found.bit_length() - 1)

    def shortest(self) -> FailingSet:
        """A set with as few members as can be; of several, the one with the earliest."""
        early = best = self._irreducible(self.numbers)
        size = min(best.bit_count(), 1)
        corrections: list[int] = []
        try:
            if early.bit_count() > 2 and self.affordable():
                # Late observations tell more at once, after all that was told before.
                best = min(best, self._irreducible(self.numbers[::-1]), key=int.bit_count)
            while early.bit_count() > 1 and self.affordable():
                trial = smallest_hitting_set(corrections, size)
                size = max(size, trial.bit_count())
                if not self.passes(trial):
                    best = trial
                    break
                corrections.append(self._correction(trial))
        except (CostError, UnsupportedError):
            # Few observations may be too costly to look at, where more of them are not.
            pass
        return FailingSet(numbers_in(best), best.bit_count() == size, early.bit_length() - 1)

    def passes(self, numbers: int) -> bool:
        """True if a set passes; the test is asked only where no answer so far tells."""
        if any(not numbers & ~larger for larger in self.passed):
            return True
        if any(not smaller & ~numbers for smaller in self.failed):
            return False
        passes = self.test(numbers)
        (self.passed if passes else self.failed).append(numbers)
        return passes

    def _irreducible(self, order: Sequence[int]) -> int:
        found = self._needed(0, order, fresh=True)
        self.failed.append(found)
        return found

    def _needed(self, given: int, order: Sequence[int], *, fresh: bool) -> int:
        """Those of some numbers that it takes to fail beside what is given."""
        if fresh and not self.passes(given):
            return 0
        if len(order) <= 1:
            return set_of(order)
        half = len(order) // 2
        first, second = order[:half], order[half:]
        late = self._needed(given | set_of(first), second, fresh=True)
        return late | self._needed(given | late, first, fresh=bool(late))

    def _correction(self, numbers: int) -> int:
        """The numbers that cannot be added to a set that passes, one after the other.

        Raises:
            CostError: It takes more tests than are affordable.
        """
        todo = [[number for number in self.numbers if not numbers >> number & 1]]
        while todo:
            if not self.affordable():
                raise CostError("too many tests")
            some = todo.pop()
            if self.passes(numbers | set_of(some)):
                numbers |= set_of(some)
            elif len(some) > 1:
                half = len(some) // 2
                todo += [some[half:], some[:half]]
        return set_of(self.numbers) & ~numbers


def smallest_hitting_set(sets: Sequence[int], least: int) -> int:
    """The smallest set with a member in each of some sets; of several, the one with the earliest.

    Args:
        sets: None of them is empty.
        least: It is known to have so many members, if there are sets at all.

    Raises:
        CostError: It takes too many steps.
    """
    hitting, size = _HittingSets(), least
    while not hitting.possible(sets, size):
        size += 1
    found, start = 0, 0
    while sets:
        bit = 1 << start
        rest = [each & -(bit << 1) for each in sets if not each & bit]
        if len(rest) < len(sets) and hitting.possible(rest, size - 1):
            found, sets, size = found | bit, rest, size - 1
        start += 1
    return found


class _HittingSets:
    """Tells whether so many members can meet some sets, and counts the steps."""

    def __init__(self) -> None:
        self.steps = 0

    def possible(self, sets: Sequence[int], size: int) -> bool:
        """True if some ``size`` numbers have one in each of the sets."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise CostError("too many sets")
        taken, apart = 0, 0
        for each in sorted(sets, key=int.bit_count):
            if not each & taken:
                taken, apart = taken | each, apart + 1
        # Sets that have nothing in common need a member each.
        if apart > size or not all(sets):
            return False
        if not sets:
            return True
        refused = 0
        for number in numbers_in(min(sets, key=int.bit_count)):
            bit = 1 << number
            if self.possible([each & ~refused for each in sets if not each & bit], size - 1):
                return True
            refused |= bit
        return False


def set_of(numbers: Sequence[int]) -> int:
    """Some numbers as a set."""
    return sum(1 << number for number in numbers)


def numbers_in(numbers: int) -> tuple[int, ...]:
    """The members of a set, ascending."""
    return tuple(_members(numbers))


def _members(numbers: int) -> Iterator[int]:
    while numbers:
        low = numbers & -numbers
        yield low.bit_length() - 1
        numbers ^= low
