"""Questions two steps ahead: by hand, against all pairs of questions, and what is refused."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sleuth import Choice, Deal, Model, Posterior, Question, Questions, infer
from sleuth.errors import EvidenceError, SettingsError
from sleuth.planners.look_ahead.later_moments import ByValue
from sleuth.search import AskingAhead

pytestmark = pytest.mark.usefixtures("plain_python")

# -- a question before the question

#: The wanted bit, another one, and in one of four cases the last question tells the wanted one.
CASES = [*product((0, 1), (0, 1), range(4))]
HIDDEN = Choice("hidden", CASES)
WANTED = HIDDEN.value().satisfies(lambda case: case[0] == 1)
NAMES = ("nothing", "the other", "are they alike", "perhaps")
TOY = Questions(
    HIDDEN.value(),
    np.array(
        [
            [0 for _ in CASES],
            [other for _, other, _ in CASES],
            [int(wanted == other) for wanted, other, _ in CASES],
            [0 if case else 1 + wanted for wanted, _, case in CASES],
        ]
    ),
    range(3),
    NAMES,
)


def by_code(asked: Questions) -> dict[int, Question]:
    """The same as a mapping, of which a planner does not know that one value decides all."""
    return dict(enumerate(asked))


@pytest.mark.parametrize("asked", [TOY, by_code(TOY)], ids=["listed", "mapping"])
def test_a_question_that_makes_a_second_one_telling_is_found_by_two_steps(asked: Any) -> None:
    belief = infer(Model(HIDDEN))
    one = AskingAhead(steps=1).choose(belief, asked, about=WANTED)
    assert (NAMES[one.code], one.later, one.cost) == ("perhaps", 0.0, None)
    assert one.gain == pytest.approx(0.25)
    two = AskingAhead(steps=2).choose(belief, asked, about=WANTED)
    assert (NAMES[two.code], two.question.name) == ("the other", "the other")
    assert (two.gain, two.later, two.cost) == (pytest.approx(0.0), pytest.approx(1.0), None)
    # Perhaps twice tells no more than once.
    assert two.values == {0: 0.25, 1: 1.0, 2: 1.0, 3: 0.25}


def test_who_does_not_learn_from_the_answer_does_not_find_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ByValue, "after", lambda self, number: iter([(1.0, self)]))
    two = AskingAhead(steps=2).choose(infer(Model(HIDDEN)), TOY, about=WANTED)
    assert two.code == 3


def test_answers_that_are_drawn_are_followed_too() -> None:
    hidden = Choice("bits", [*product((0, 1), repeat=2)])
    questions = {
        7: Question(hidden.value(), lambda bits: {None: 0.75, bits[0]: 0.25}, name="perhaps"),
        8: Question(hidden.value(), lambda bits: {bits[1]: 1.0}, name="the other"),
        9: Question(hidden.value(), lambda bits: {bits[0] == bits[1]: 1.0}, name="alike"),
    }
    about = hidden.value().satisfies(lambda bits: bits[0] == 1)
    belief = infer(Model(hidden))
    assert AskingAhead(steps=1).choose(belief, questions, about=about).code == 7
    two = AskingAhead().choose(belief, questions, about=about)
    assert two.code == 8
    # Asked twice, it answers each time anew.
    assert two.values == pytest.approx({7: 1 - 0.75**2, 8: 1.0, 9: 1.0})


def test_what_can_be_asked_may_depend_on_the_answer() -> None:
    belief, asked = infer(Model(HIDDEN)), by_code(TOY)

    def following(code: int, answer: Any) -> Mapping[int, Question]:
        # Nobody may ask whether they are alike after they heard of the other one that it is 1.
        return {each: asked[each] for each in asked if (code, answer, each) != (1, 1, 2)}

    two = AskingAhead().choose(belief, asked, about=WANTED, following=following)
    assert two.code == 2
    assert two.values == {0: 0.25, 1: 0.5 * 1.0 + 0.5 * 0.25, 2: 1.0, 3: 0.25}


def test_questions_about_cards_are_those_of_observing_each_answer() -> None:
    cards = Deal(["a", "b", "c", "d", "e"], holders={"p": 2, "q": 2, "file": 1})
    lies = cards.item_of("file")
    questions = {
        code: Question(cards.which(holder, items), shown, name=f"{holder} {items}")
        for code, (holder, items) in enumerate(
            [("p", ("a", "b")), ("q", ("a", "b")), ("q", ("b", "c", "d")), ("p", ("e",))]
        )
    }
    belief = infer(Model(cards), given=[cards.lacks("p", "a")])
    found = AskingAhead().choose(belief, questions, about=lies)
    for code, question in questions.items():
        bits = belief.information_gain(question, about=lies)
        chances = belief.distribution(question.feature) @ question.table
        for outcome, chance in zip(question.outcomes, chances.tolist(), strict=True):
            if chance > 0.0:
                then = belief.observe(question.observed(outcome))
                bits += chance * max(then.information_gain([*questions.values()], about=lies))
        assert found.values[code] == pytest.approx(bits, abs=1e-8)
    assert found.values[found.code] == max(found.values.values())


def shown(held: Any) -> dict[Any, float]:
    """Any of those that they hold is shown, each as likely."""
    return dict.fromkeys(held, 1.0 / len(held)) if held else {None: 1.0}


# -- all pairs


def bits_of(shares: Sequence[float]) -> float:
    return -sum(each * math.log2(each) for each in shares if each > 0.0)


def split(shares: Mapping[int, float], answers: Sequence[int]) -> list[dict[int, float]]:
    """The shares of values by the answer, not scaled."""
    found: dict[int, dict[int, float]] = {}
    for value, share in shares.items():
        if share > 0.0:
            found.setdefault(answers[value], {})[value] = share
    return [*found.values()]


def grouped(shares: Mapping[int, float], group: Sequence[int]) -> list[float]:
    sums = dict.fromkeys(group, 0.0)
    for value, share in shares.items():
        sums[group[value]] += share
    total = sum(shares.values())
    return [each / total for each in sums.values()]


def one_step(
    shares: Mapping[int, float], answers: Sequence[int], group: Sequence[int], guess: int, bit: Any
) -> float:
    """What a question costs, or minus the bits that it tells, if nothing is guessed."""
    total = sum(shares.values())
    left = sum(
        sum(part.values()) / total * bits_of(grouped(part, group))
        for part in split(shares, answers)
    )
    if bit is None:
        return left - bits_of(grouped(shares, group))
    return 2.0 - shares.get(guess, 0.0) / total + bit * left


def two_steps(
    shares: Mapping[int, float], table: Sequence[Sequence[int]], group: Sequence[int], bit: Any
) -> list[float]:
    """The same of each question with the best one after each answer."""
    found: list[float] = []
    count = len(group)
    for number, answers in enumerate(table):
        cost = 1.0 if bit is not None else one_step(shares, answers, group, -1, None)
        for part in split(shares, answers):
            if bit is not None and [*part] == [number] and number < count:
                continue  # it was right
            cost += sum(part.values()) * min(
                one_step(part, second, group, guess, bit) for guess, second in enumerate(table)
            )
        found.append(cost)
    return found


@st.composite
def small_games(draw: st.DrawFn) -> tuple[list[float], list[list[int]], list[int]]:
    """How likely each value is, guesses of all values and other questions, and groups of values."""
    count = draw(st.integers(2, 6))
    weights = draw(st.lists(st.integers(0, 5), min_size=count, max_size=count).filter(any))
    few = st.lists(st.integers(1, 3), min_size=count, max_size=count)
    table = [draw(few) for _ in range(count + draw(st.integers(0, 3)))]
    for value in range(count):
        table[value][value] = 0
    group = draw(st.lists(st.integers(0, 1), min_size=count, max_size=count))
    return [each / sum(weights) for each in weights], table, group


def posterior(shares: Sequence[float], group: Sequence[int]) -> tuple[Choice, Posterior]:
    value = Choice("value", range(len(shares)))
    return value, infer(Model(value), given=[value.value().weigh(shares, exact=True)])


@given(small_games(), st.sampled_from([0.0, 0.3, 1.0]))
@settings(max_examples=60)
def test_two_steps_are_the_best_of_all_pairs(
    game: tuple[list[float], list[list[int]], list[int]], bit: float
) -> None:
    shares, table, group = game
    value, belief = posterior(shares, group)
    asked = Questions(value.value(), np.array(table), range(4), [str(row) for row in table])
    count, every = len(shares), dict(enumerate(shares))
    kind = value.value().satisfies(lambda number: group[number] == 1)
    for questions in (asked, by_code(asked)):
        planner = AskingAhead(bit=bit)
        found = planner.choose(belief, questions, about=value.value(), right=range_of(count, table))
        expected = two_steps(every, table, range(count), bit)
        assert [found.values[code] for code in range(len(table))] == pytest.approx(expected)
        assert found.cost == pytest.approx(min(expected))
        assert expected[found.code] == pytest.approx(min(expected))
        learned = planner.choose(belief, questions, about=kind)
        expected = two_steps(every, table, group, None)
        told = [-learned.values[code] for code in range(len(table))]
        assert told == pytest.approx(expected, abs=1e-8)
        assert learned.gain + learned.later == pytest.approx(-min(expected), abs=1e-8)


def range_of(count: int, table: Sequence[Any]) -> list[int | None]:
    """The first questions guess the values in turn, and the others nothing."""
    return [number if number < count else None for number in range(len(table))]


@given(small_games())
@settings(max_examples=30)
def test_one_step_is_the_cheapest_or_tells_most(
    game: tuple[list[float], list[list[int]], list[int]],
) -> None:
    shares, table, group = game
    value, belief = posterior(shares, group)
    asked = Questions(value.value(), np.array(table), range(4), [str(row) for row in table])
    count, every = len(shares), dict(enumerate(shares))
    right = dict(zip(range(count), range(count), strict=True))
    costs = [one_step(every, row, range(count), at, 0.3) for at, row in enumerate(table)]
    found = AskingAhead(steps=1, bit=0.3).choose(belief, asked, about=value.value(), right=right)
    assert found.cost == pytest.approx(min(costs))
    assert (found.later, costs[found.code]) == (0.0, pytest.approx(min(costs)))
    # By bits alone: of those that tell most one that may be right, if there is one.
    bits = [-one_step(every, row, range(count), -1, None) for row in table]
    greedy = AskingAhead(steps=1, bit=None).choose(belief, asked, about=value.value(), right=right)
    best = [at for at, told in enumerate(bits) if told > max(bits) - 1e-9]
    assert greedy.cost is None
    assert greedy.gain == pytest.approx(max(bits))
    assert greedy.code == next((at for at in best if every.get(at)), best[0])


# -- what is looked into


def test_one_of_those_that_promise_as_much_stands_for_all() -> None:
    belief = infer(Model(HIDDEN))
    found = AskingAhead(one_of_equals=True).choose(belief, TOY, about=WANTED)
    # The first one that tells nothing stands for those that lead somewhere, too: it is for
    # questions that differ in names only.
    assert [*found.values] == [3, 0]
    assert [*AskingAhead(looked_into=3).choose(belief, TOY, about=WANTED).values] == [3, 0, 1]
    blind = AskingAhead(later=1).choose(belief, TOY, about=WANTED)
    assert blind.values == {0: 0.25, 1: 0.25, 2: 0.25, 3: 0.25}


def test_actions_that_ask_the_same_are_looked_into_once() -> None:
    once = by_code(TOY)
    twice = {10 * copy + code: once[code] for copy in (1, 2) for code in once}
    found = AskingAhead().choose(infer(Model(HIDDEN)), twice, about=WANTED)
    assert found.code == 11
    assert sorted(found.values) == [10, 11, 12, 13]


# -- refusals


@pytest.mark.parametrize(
    "options, words",
    [
        ({"steps": 3}, "one step ahead or two.*got 3.*steps=2"),
        ({"steps": 0}, "steps is out of range"),
        ({"steps": True}, "steps must be a whole number"),
        ({"bit": -1.0}, "bit must be a number"),
        ({"bit": "much"}, "bit must be a number"),
        ({"looked_into": 0}, "looked_into is out of range"),
        ({"later": 1.5}, "later must be a whole number"),
    ],
)
def test_settings_that_make_no_sense_are_refused(options: Any, words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        AskingAhead(**options)


VALUE = Choice("value", range(3))
HIGHER = [
    Question(VALUE.value(), lambda value, least=least: {value >= least: 1.0}) for least in (1, 2)
]
EXACTLY = [
    Question(VALUE.value(), lambda value, guess=guess: {value == guess: 1.0}) for guess in range(3)
]


@pytest.mark.parametrize(
    "change, words",
    [
        ({"posterior": VALUE}, "Posterior"),
        ({"questions": {}}, "nothing to ask"),
        ({"questions": HIGHER}, "by the codes of actions"),
        ({"questions": {1: "higher?"}}, "code 1.*no question"),
        ({"right": {9: 0}}, "among the questions.*got 9"),
        ({"right": {0: "four"}}, "code 0.*no such value.*got 'four'"),
        ({"right": {0: [1]}}, "no such value"),
        ({"right": [0]}, "for each of 3 questions"),
        ({"right": 1}, "for each of 3 questions"),
        ({"right": {0: 0, 1: 1}}, "nothing guesses a value that is possible.*got 2"),
        ({"questions": dict(enumerate([*HIGHER, EXACTLY[2]])), "right": [0, 1, 2]}, "has to tell"),
        (
            {
                "questions": Questions(VALUE.value(), np.eye(3, dtype=int)[:2], "ny", "ab"),
                "right": {0: 1, 1: 0},
            },
            "nothing guesses a value that is possible.*got 2",
        ),
        (
            {
                "questions": Questions(VALUE.value(), np.ones((3, 3), int), "ny", "abc"),
                "right": range(3),
            },
            "code 0.*has to tell whether it is right",
        ),
    ],
)
def test_what_cannot_be_asked_is_refused(change: dict[str, Any], words: str) -> None:
    asked: dict[str, Any] = {
        "posterior": infer(Model(VALUE)),
        "questions": dict(enumerate(EXACTLY)),
        **change,
    }
    with pytest.raises(SettingsError, match=words):
        AskingAhead().choose(
            asked.pop("posterior"), asked.pop("questions"), about=VALUE.value(), **asked
        )


def test_nothing_need_be_asked_any_more_unless_a_guess_has_to_end_it() -> None:
    belief, asked, about = infer(Model(VALUE)), dict(enumerate(EXACTLY)), VALUE.value()
    found = AskingAhead().choose(belief, asked, about=about, following=lambda code, answer: {})
    assert (found.code, found.later) == (0, 0.0)
    with pytest.raises(SettingsError, match="nothing guesses a value that is possible"):
        AskingAhead().choose(
            belief,
            asked,
            about=about,
            right=[0, 1, 2],
            following=lambda code, answer: {code: asked[code]},
        )
    # Who guessed wrongly may not guess the same again: it changes nothing.
    for following in (None, lambda code, answer: {each: asked[each] for each in asked}):  # type: ignore[misc]
        found = AskingAhead().choose(
            belief, asked, about=about, right={0: 0, 1: 1, 2: 2}, following=following
        )
        assert found.cost == pytest.approx(2.0)


def test_a_feature_of_another_model_is_refused() -> None:
    other = Choice("value", range(4))
    with pytest.raises(EvidenceError, match="other values"):
        AskingAhead().choose(infer(Model(VALUE)), dict(enumerate(EXACTLY)), about=other.value())
