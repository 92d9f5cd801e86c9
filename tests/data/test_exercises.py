"""A check says whether an answer is right, and knows only digests of the right one."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleuth.teaching import check, reveal, seal


@given(st.floats(-1000, 1000), st.integers(0, 4))
def test_a_number_is_right_as_it_was_sealed_or_rounded(number: float, digits: int) -> None:
    sealed = seal(number, digits=digits)
    assert check(number, sealed, digits=digits).right
    assert check(number + 3 / 10**digits, sealed, digits=digits).right is False


@pytest.mark.parametrize("near", [0.667, 0.67, 0.6667, 2 / 3, np.float64(2 / 3)])
def test_a_number_may_be_rounded(near: float) -> None:
    assert check(near, seal(2 / 3)).right


def test_large_numbers_may_be_rounded_to_hundreds() -> None:
    assert [check(each, seal(2284, digits=-2), digits=-2).right for each in (2300, 2284, 2400)] == [
        True,
        True,
        False,
    ]


def test_whole_numbers_have_no_neighbours() -> None:
    sealed = seal(5, digits=0)
    assert [number for number in range(10) if check(number, sealed, digits=0).right] == [5]


def test_words_sets_and_parts_are_compared_one_by_one() -> None:
    assert check({"Bob", "ann"}, seal({"Ann", "bob"})).right
    assert check(np.array([0.1, math.inf]), seal([0.1, math.inf])).right
    assert check({"b": 2.0, "a": 1.0}, seal({"a": 1.0, "b": 2.0})).right
    assert check([0.1], seal([0.1, 0.2])).right is False
    assert check([0.2, 0.1], seal([0.1, 0.2])).right is False
    assert check(True, seal(True)).right
    assert check(False, seal(True)).right is False


def test_what_is_not_filled_in_is_neither_right_nor_wrong() -> None:
    for open_answer in (..., [0.5, ...], {"a": ...}, ("x", (1, ...))):
        verdict = check(open_answer, seal([0.5, 0.5]), hint="never said")
        assert verdict.right is None
        assert str(verdict).startswith("Still to do")


def test_a_wrong_answer_gets_the_hint_and_nothing_of_the_right_one() -> None:
    verdict = check("stay", seal("switch"), hint="Count the <doors>.")
    assert str(verdict) == "Not yet. Count the <doors>."
    assert "switch" not in verdict._repr_html_()
    assert "&lt;doors&gt;" in verdict._repr_html_()


def test_of_several_parts_it_says_how_many_are_right() -> None:
    sealed = seal([0.5, 0.25, "ann"])
    said = [str(check(each, sealed)) for each in ([0.5, 0, "bob"], [0.5, 0, "Ann"], [1, 0, "x"])]
    assert said == ["Not yet: 1 of 3 is right.", "Not yet: 2 of 3 are right.", "Not yet."]
    assert str(check([0.5, 0.25], sealed, hint="Three.")) == "Not yet. Three."


@pytest.mark.parametrize(
    "predicted, said",
    [(4.5, "4.5"), (4, "4"), (1 / 3, "0.333333"), ("none", "none"), ([1, 2], "[1, 2]")],
)
def test_a_prediction_of_any_kind_is_told_as_it_was_made(predicted: object, said: str) -> None:
    assert str(reveal(4, predicted, digits=0)) == f"The answer is 4. You said {said}."


def test_an_answer_stands_beside_its_prediction() -> None:
    assert str(reveal("middle", "left")) == "The answer is middle. You said left."
    assert str(reveal(682, 5, digits=0)) == "The answer is 682. You said 5."
    assert "no prediction" in str(reveal(0.5))
    assert "no prediction" in str(reveal(0.5, None))
