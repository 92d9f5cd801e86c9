"""Features are read off worlds as they are meant; conditions are features with two values."""

from __future__ import annotations

import pickle
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sleuth import Choice, Condition, Deal, Model, Question, Questions, calibrate, infer, together
from sleuth.errors import EvidenceError

from ..by_hand import value_in, worlds
from ..strategies import Case, cases

CARDS = Deal(["a", "b", "c", "d"], holders={"me": 2, "you": 1, "table": 1}, name="cards")


@given(case=cases(most=0))
@settings(max_examples=100)
def test_every_value_a_world_can_have_is_among_the_values(case: Case) -> None:
    listed = worlds(*case.model.variables)  # pyright: ignore[reportArgumentType]
    for feature in case.features:
        assert len(set(feature.values)) == len(feature.values) == feature.value_count
        assert {value_in(feature, world) for world, _ in listed} <= set(feature.values)


@given(case=cases(most=0), seed=st.integers(0, 2**32))
@settings(max_examples=60)
def test_simulated_worlds_have_the_value_that_is_read_off_them(case: Case, seed: int) -> None:
    simulation = case.model.simulate(20, np.random.default_rng(seed))
    belief = infer(case.model)
    shares = [belief.marginal(feature) for feature in case.features]
    for feature, marginal in zip(case.features, shares, strict=True):
        assert set(simulation.value(feature)) <= set(marginal)


@given(case=cases(most=0), data=st.data())
@settings(max_examples=60)
def test_conditions_combine_like_sentences(case: Case, data: st.DataObject) -> None:
    belief = infer(case.model)
    first, second = (
        feature.satisfies(lambda value, lucky=lucky: len(str(value)) % 2 == lucky)
        for feature, lucky in zip(case.features, (0, 1), strict=True)
    )
    both, either = belief.probability(first & second), belief.probability(first | second)
    one, other = belief.probability(first), belief.probability(second)
    assert both + either == pytest.approx(one + other, abs=1e-12)
    assert belief.probability(~first) == pytest.approx(1.0 - one, abs=1e-12)
    assert belief.probability(~(first & second)) == pytest.approx(1.0 - both, abs=1e-12)
    assert belief.probability(first & ~first) == 0.0
    assert belief.probability(first | ~first) == pytest.approx(1.0)
    assert belief.probability((~~first).equals(True)) == pytest.approx(one, abs=1e-15)


def test_a_tuple_of_features_has_tuples_as_values() -> None:
    pair = together(CARDS.holder_of("a"), CARDS.count("me", ["b", "c"]))
    assert pair.values[0] == ("me", 0)
    assert pair.values[1] == ("me", 1)
    belief = infer(Model(CARDS))
    # Two of the other three cards... a is mine and so is one of b, c, d.
    assert belief.joint(CARDS.holder_of("a"), CARDS.count("me", ["b", "c"]))[("me", 1)] == (
        pytest.approx(1 / 2 * 2 / 3)
    )
    nested = (CARDS.holder_of("a"), (CARDS.holder_of("b"), CARDS.count("me", "c")))
    marginal = belief.marginal(nested)
    assert marginal[("me", ("you", 0))] == pytest.approx(1 / 2 * 1 / 3 * 1 / 2)
    assert sum(marginal.values()) == pytest.approx(1.0)


def test_a_tuple_is_consistent_with_its_parts() -> None:
    belief = infer(Model(CARDS), [CARDS.count("me", ["a", "b"]).weigh([1.0, 3.0, 2.0])])
    parts = (CARDS.which("me", ["a", "b"]), CARDS.holder_of("c"), CARDS.lacks("me", "d").feature)
    joint = belief.joint(*parts)
    for place, part in enumerate(parts):
        shares: dict[Any, float] = {}
        for values, chance in joint.items():
            shares[values[place]] = shares.get(values[place], 0.0) + chance
        assert shares == pytest.approx(belief.marginal(part), abs=1e-14)


def test_repeated_features_in_a_tuple_are_always_equal() -> None:
    belief = infer(Model(CARDS))
    for values in belief.joint(CARDS.holder_of("a"), CARDS.holder_of("a")):
        assert values[0] == values[1]


def test_single_names_the_one_card_of_a_category() -> None:
    cards = Deal(
        ["a", "b", "x", "y", "z"],
        holders={"file": 2, "me": 3},
        categories={"letters": ["a", "b"], "others": ["x", "y", "z"]},
        counts={"file": {"letters": 1, "others": 1}},
    )
    belief = infer(Model(cards), [cards.holds("me", "x")])
    assert belief.marginal(cards.single("file", "letters")) == pytest.approx({"a": 0.5, "b": 0.5})
    assert belief.marginal(cards.single("file", "others")) == pytest.approx({"y": 0.5, "z": 0.5})


def anything() -> Any:
    """A posterior that no type checker guards."""
    return infer(Model(CARDS))


@pytest.mark.parametrize(
    "ask, words",
    [
        (lambda: CARDS.count("me", "a").equals(2), r"count\(me, a\) cannot have this value.*0, 1"),
        (
            lambda: anything().probability(CARDS.holder_of("a").among(["me", "yu"])),
            "no such holder now.*'yu'.*did you mean 'you'",
        ),
        (lambda: CARDS.count("me", ["a", "b"]).between(2, 1), "ends before it begins"),
        (lambda: CARDS.holder_of("a").at_least(1), "are no numbers.*equals"),
        (lambda: together(*[CARDS.which("me", [*"abcd"])] * 6).satisfies(any), "too many values"),
        (lambda: anything().marginal("a"), "no variable has this name"),
        (lambda: together(*cast("Any", "ab")), "not a feature.*pass the Choice itself"),
        (lambda: anything().marginal(()), "not a feature"),
        (lambda: anything().probability(CARDS.holder_of("a")), "asked of a condition"),
    ],
)
def test_what_cannot_be_asked_is_refused(ask: Any, words: str) -> None:
    with pytest.raises(EvidenceError, match=words):
        ask()


def test_another_deal_with_other_names_is_refused() -> None:
    belief = infer(Model(CARDS))
    other = Deal(["a", "e"], holders={"me": 1, "her": 1}, name="cards")
    with pytest.raises(EvidenceError, match=r"there is no such holder now.*'her'.*me, you, table"):
        belief.marginal(other.count("her", "a"))
    with pytest.raises(EvidenceError, match=r"unknown item.*'e'"):
        belief.marginal(other.count("me", "e"))


def test_features_that_say_the_same_are_equal_and_can_be_sent_away() -> None:
    habit = Choice("habit", ["p", "q"])
    model = Model(CARDS, habit)
    made = [
        CARDS.count("me", ["a", "b"]),
        CARDS.which(["me", "you"], ["a", "b"]),
        CARDS.holder_of("a"),
        CARDS.all_of("you", "c"),
        habit.value(),
        together(habit.value(), CARDS.holder_of("a")),
        CARDS.holder_of("a").equals("me") | habit.equals("p"),
    ]
    belief = infer(model)
    for feature in made:
        belief.marginal(feature)
        again = pickle.loads(pickle.dumps(feature))
        assert again == feature
        assert hash(again) == hash(feature)
        assert belief.marginal(again) == belief.marginal(feature)
        assert len(pickle.dumps(feature)) < 2_000
    assert CARDS.count("me", "a") != CARDS.count("you", "a")


def test_features_say_what_they_are() -> None:
    condition = CARDS.count("me", ["a", "b", "c"]).at_least(1)
    assert isinstance(condition, Condition)
    assert condition.describe() == "count(me, a, b, c) not in 0"
    assert CARDS.holder_of("a").equals("me").describe() == "holder_of(a) in me"
    assert together(CARDS.holder_of("a"), CARDS.which("me", "b")).describe() == (
        "(holder_of(a), which(me, b))"
    )


def test_a_count_grows_with_its_holder_whenever_it_was_made() -> None:
    deal = Deal({"ace": 4, "king": 4}, holders={"me": 1, "pile": 3, "you": 4})
    before = deal.count("me", "ace")
    none, all_four = before.equals(0), before.equals(4)
    start = infer(Model(deal))
    belief = start.observe(deal.merge(["me", "pile"], into="me"))
    for aces in (before, deal.count("me", "ace")):
        assert aces.values == (0, 1)
        assert belief.marginal(aces)[4] == pytest.approx(1 / 70)
        assert belief.distribution(aces).shape == (5,)
    assert belief.probability(all_four) == pytest.approx(1 / 70)
    assert belief.probability(~none & ~all_four) == pytest.approx(68 / 70)
    assert start.probability(all_four) == 0.0
    # What was written down before says what larger hands mean, where it can.
    even = before.weigh(lambda n: 1.0 if n % 2 == 0 else 0.0, exact=True)
    assert start.observe(even).marginal(before) == {0: 1.0}
    assert sorted(belief.observe(even).marginal(before)) == [0, 2, 4]
    assert sorted(belief.observe(deal.holds("me", "ace", 3)).marginal(before)) == [3, 4]
    assert sorted(belief.observe(deal.lacks("me", "ace")).marginal(before)) == [0]
    weighed = before.weigh({0: 1.0, 1: 1.0, 2: 1.0, 3: 1.0, 4: 34.0})
    assert belief.observe(weighed).marginal(before)[4] == pytest.approx(34 / 103)
    with pytest.raises(EvidenceError, match=r"does not say it for this value.*\(got 2\).*function"):
        belief.observe(before.weigh([1.0, 2.0]))
    with pytest.raises(EvidenceError, match=r"can never be true.*is 0 to 1.*merge"):
        start.observe(deal.holds("me", "ace", 3))
    asked = Question(before, {0: {0: 1.0}, 1: {1: 1.0}})
    with pytest.raises(EvidenceError, match=r"no answer for a value.*by a function of the value"):
        belief.information_gain(asked, about=before)
    told = belief.information_gain(Question(before, lambda n: {n: 1.0}), about=before)
    assert told == pytest.approx(belief.entropy(before))


def test_holder_of_knows_the_holders_there_are_whenever_it_was_made() -> None:
    before = CARDS.holder_of("a")
    pocket, mine = before.equals("pocket"), before.equals("me")
    belief = infer(Model(CARDS), [CARDS.split("me", "pocket", 1)])
    for where in (before, CARDS.holder_of("a")):
        assert "pocket" not in where.values
        assert belief.marginal(where)["pocket"] == pytest.approx(1 / 4)
    assert belief.probability(pocket) == pytest.approx(1 / 4)
    assert belief.probability(pocket | mine) == pytest.approx(1 / 2)
    assert belief.probability(~mine) == pytest.approx(3 / 4)
    with pytest.raises(EvidenceError, match=r"no such holder now \(got 'pocket'\); present"):
        infer(Model(CARDS)).probability(pocket)
    with pytest.raises(EvidenceError, match=r"does not say it for this value.*\(got 'pocket'\)"):
        belief.probability(before.satisfies(lambda name: name != "me"))


def test_one_item_of_a_category_is_refused_when_there_may_be_several() -> None:
    cards = Deal(
        ["a", "b", "c"],
        holders={"file": 1, "me": 2},
        categories={"all": ["a", "b", "c"]},
        counts={"file": {"all": 1}},
    )
    single = cards.single("file", "all")
    merged = infer(Model(cards), [cards.merge(["file", "me"], into="file")])
    with pytest.raises(EvidenceError, match="may have several"):
        merged.marginal(single)


def test_a_choice_stands_for_its_value_wherever_a_feature_is_wanted() -> None:
    who, motive = Choice("who", {"ann": 0.5, "bert": 0.5}), Choice("motive", ["greed", "love"])
    lied = {"ann": {"yes": 0.9, "no": 0.1}, "bert": {"yes": 0.2, "no": 0.8}}
    by_choice, by_value = (Choice("lied", lied, given=given_) for given_ in (who, who.value()))
    assert by_choice == by_value
    assert together(who, motive) == together(who.value(), motive.value())
    belief = infer(Model(who, motive, by_choice), [by_choice.equals("yes")])
    assert belief.marginal(who) == belief.marginal(who.value())
    assert belief.joint(who, motive) == belief.joint(who.value(), motive.value())
    assert belief.marginal((who, (motive, who))) == belief.marginal(
        (who.value(), (motive.value(), who.value()))
    )
    assert belief.entropy(who) == belief.entropy(who.value())
    assert belief.most_likely(who) == belief.most_likely(who.value())
    question = Question(who, lambda name: {name: 1.0})
    assert question.feature == Question(who.value(), lambda name: {name: 1.0}).feature
    twin = question.about(motive, ["greed", "love"], name="why?")
    assert twin.feature == motive.value()
    many = Questions(who, np.array([[0, 1], [1, 1]]), ["no", "yes"], ["first", "second"])
    assert many.feature == who.value()
    for asked in (question, [question, question], many):
        assert np.array_equal(
            belief.information_gain(asked, about=who),
            belief.information_gain(asked, about=who.value()),
        )
    assert belief.best_questions([question], about=who) == (
        belief.best_questions([question], about=who.value())
    )
    after = belief.after_each([who.equals("ann")], about=who)
    assert after.values == who.options
    judged = calibrate(Model(who), [question], games=5, about=[who])
    assert judged.features == (who.value().describe(),)


@pytest.mark.parametrize("wrong", [None, 3, Deal(["a"], holders={"me": 1})])
def test_what_has_no_one_value_is_still_no_feature(wrong: Any) -> None:
    with pytest.raises(EvidenceError, match=r"not a feature \(got .*choice\.value\(\)"):
        together(wrong)
