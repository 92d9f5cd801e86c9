"""The shortest set that fails a test, against all sets tried one by one."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from sleuth.beliefs.explaining.shortest import (
    SubsetSearch,
    numbers_in,
    set_of,
    smallest_hitting_set,
)

Sets = list[frozenset[int]]


@st.composite
def causes(draw: st.DrawFn, count: int = 9) -> Sets:
    """Sets each of which is enough to fail."""
    some = st.frozensets(st.integers(0, count - 1), min_size=1, max_size=5)
    return draw(st.lists(some, min_size=1, max_size=7))


def passes(found: Sets) -> Callable[[int], bool]:
    return lambda some: not any(each <= {*numbers_in(some)} for each in found)


def first(count: int, fits: Callable[[int], bool]) -> tuple[int, ...]:
    """The first of the smallest sets that fit, in the order of their members."""
    for size in range(count + 1):
        for members in itertools.combinations(range(count), size):
            if fits(set_of(members)):
                return members
    raise AssertionError


@given(found=causes())
@settings(max_examples=200)
def test_it_is_the_earliest_of_the_smallest_sets(found: Sets) -> None:
    test = passes(found)
    answer = SubsetSearch(test, 9, lambda: True).shortest()
    assert answer.members == first(9, lambda some: not test(some))
    assert answer.shortest
    assert answer.last == min(max(each) for each in found)


@given(found=causes(), most=st.integers(0, 25))
@settings(max_examples=200)
def test_a_search_that_ends_early_has_a_set_of_which_every_member_counts(
    found: Sets, most: int
) -> None:
    test, asked = passes(found), 0

    def affordable() -> bool:
        nonlocal asked
        asked += 1
        return asked <= most

    answer = SubsetSearch(test, 9, affordable).shortest()
    assert not test(set_of(answer.members))
    for member in answer.members:
        assert test(set_of(answer.members) & ~(1 << member))
    if answer.shortest:
        assert len(answer.members) == min(map(len, found))


def test_what_fails_from_the_start_needs_nothing() -> None:
    answer = SubsetSearch(lambda _: False, 3, lambda: True).shortest()
    assert (answer.members, answer.shortest, answer.last) == ((), True, -1)


@given(sets=causes())
@settings(max_examples=200)
def test_a_smallest_set_meets_all(sets: Sets) -> None:
    found = smallest_hitting_set([set_of([*each]) for each in sets], 1)
    assert numbers_in(found) == first(
        9, lambda some: all(each & {*numbers_in(some)} for each in sets)
    )


def test_few_questions_are_asked() -> None:
    # One of 200 proves it, and so do the first ten together: it was certain by then.
    asked = 0

    def test(some: int) -> bool:
        nonlocal asked
        asked += 1
        return some & 1023 != 1023 and not some >> 150 & 1

    assert SubsetSearch(test, 200, lambda: True).shortest().members == (150,)
    assert asked < 150
