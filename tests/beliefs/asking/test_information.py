"""What asking tells: where a feature decides what is asked, the entropy of the answers says it."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sleuth import (
    Choice,
    Deal,
    Model,
    Question,
    Questions,
    any_of,
    count_of,
    disjoint,
    infer,
    sum_of,
    together,
)
from sleuth.beliefs.asking.information import decides, gains_of_answers
from sleuth.errors import CostError

ONE, OTHER = Choice("one", {1: 0.2, 2: 0.3, 3: 0.5}), Choice("other", [1, 2])
THIRD = Choice("third", lambda value: {0: value, 1: 1, 2: 2}, given=ONE)
CARDS = Deal(["ace", "king", "queen"], holders={"me": 1, "you": 1, "table": 1})
ACE, KING = CARDS.holder_of("ace"), CARDS.holder_of("king")
MODEL = Model(ONE, OTHER, THIRD, CARDS)
ABOUT = together(ONE, (THIRD, OTHER), ACE)
FOLLOWS: list[Any] = [
    ONE.value(),
    THIRD.equals(2),
    ~THIRD.equals(2) & ONE.at_least(2),
    (ONE, OTHER),
    together(OTHER, ACE, ONE.equals(1)),
    count_of([ONE.equals(1), OTHER.equals(1), ACE.equals("me")]),
    any_of([ONE.equals(1) & ACE.equals("me"), OTHER.equals(2)]),
    sum_of({ONE: 2, THIRD: 1, OTHER.equals(1): 5}),
]


def asked(feature: Any, numbers: np.random.Generator | None) -> Question:
    """A question with certain answers, or with answers by chance."""
    if numbers is None:
        return Question(feature, lambda value: {value: 1.0})
    chances = numbers.dirichlet(np.ones(3), size=Question(feature, _anything).feature.value_count)
    return Question(feature, chances, outcomes=["a", "b", "c"])


def _anything(_: object) -> dict[str, float]:
    return {"yes": 1.0}


@given(
    seed=st.integers(0, 1 << 30), places=st.sets(st.sampled_from(range(len(FOLLOWS))), min_size=1)
)
@settings(max_examples=25)
def test_answers_say_what_the_whole_joint_says(seed: int, places: set[int]) -> None:
    numbers = np.random.default_rng(seed)
    weights = numbers.uniform(0.1, 1.0, size=ONE.value_count * OTHER.value_count)
    belief = infer(MODEL, together(ONE, OTHER).weigh(weights.tolist()))
    questions = [asked(FOLLOWS[place], source) for place in places for source in (None, numbers)]
    assert decides(ABOUT, questions)
    whole = belief.information_gain(questions, about=ABOUT)
    found = gains_of_answers(belief.problem, belief.solution, questions)
    np.testing.assert_allclose(found, whole, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    "about, feature",
    [
        (together(ONE, OTHER), THIRD),
        (together(ONE.equals(1), OTHER), ONE),
        (count_of([ONE.equals(1), OTHER.equals(1)]), ONE.equals(1)),
        (together(ACE, ONE), KING),
        (sum_of([ONE, OTHER]), together(ONE, OTHER)),
        (together(ONE, OTHER), any_of([ONE.equals(1), THIRD.equals(1)])),
    ],
)
def test_what_does_not_decide_is_not_taken_for_it(about: Any, feature: Any) -> None:
    assert not decides(about, [asked(feature, None)])


def placements(length: int) -> list[Any]:
    across = [
        tuple((row, first + part) for part in range(length))
        for row, first in product(range(10), range(11 - length))
    ]
    return [*across, *(tuple((column, row) for row, column in place) for place in across)]


SHIPS = [Choice(f"ship {number}", placements(length)) for number, length in enumerate([4, 3, 2])]


def hit(square: tuple[int, int], ships: list[Choice] = SHIPS) -> Any:
    return any_of(ship.satisfies(lambda place: square in place) for ship in ships)


def test_shots_at_a_fleet_are_asked_about_all_of_it() -> None:
    about, fleet = together(*SHIPS), infer(Model(*SHIPS), disjoint(SHIPS))
    squares = [(0, 0), (1, 3), (4, 4)]
    shots = [asked(hit(square), None) for square in squares]
    ((best, bits),) = fleet.best_questions(shots, about=about, n=1)
    assert best is shots[2]
    entropies = [fleet.entropy(hit(square)) for square in squares]
    assert bits == pytest.approx(max(entropies))
    assert fleet.information_gain(shots, about=about) == pytest.approx(entropies)


def test_what_is_too_large_names_what_can_be_asked() -> None:
    fleet = infer(Model(*SHIPS), disjoint(SHIPS))
    shot = asked(hit((4, 4)), None)
    with pytest.raises(CostError, match=r"posterior\.entropy\(feature\)"):
        fleet.information_gain(shot, about=together(*SHIPS[:2]))


def test_the_likeliest_world_of_too_many_says_which_method_finds_some() -> None:
    items = Deal([str(number) for number in range(24)], holders={"a": 8, "b": 8, "c": 8})
    with pytest.raises(CostError, match=r"method='junction_tree'.*posterior\.sample\(n, rng\)"):
        infer(Model(items)).most_likely_world()


def test_many_questions_are_asked_about_what_decides_them() -> None:
    fleet = infer(Model(*SHIPS), disjoint(SHIPS))
    rows = Questions(
        SHIPS[1],
        np.array([[place[0][0] == row for place in SHIPS[1].options] for row in range(3)]).astype(
            int
        ),
        outcomes=("no", "yes"),
        names=["row 0", "row 1", "row 2"],
    )
    found = fleet.information_gain(rows, about=together(*SHIPS))
    assert found == pytest.approx(fleet.information_gain(rows, about=SHIPS[1]))
    with pytest.raises(CostError, match="too many"):
        fleet.information_gain(rows, about=together(*SHIPS[:1], *SHIPS[2:], *SHIPS[2:]))
