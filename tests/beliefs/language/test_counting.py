"""How many of some conditions hold is what counting in every world says."""

from __future__ import annotations

import functools
import itertools
import json
import operator
import os
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from sleuth import (
    Choice,
    Condition,
    Deal,
    Feature,
    Model,
    Posterior,
    Walk,
    all_of,
    any_of,
    count_of,
    infer,
    together,
)
from sleuth.beliefs.language.features import CountEach, CountOf
from sleuth.beliefs.saving.files import from_json, to_json
from sleuth.errors import DeclarationError, EvidenceError

from ..by_hand import by_hand, value_in
from ..strategies import Case, cases, copied_deals, features, models, sampled, subsets

CARDS = Deal({"ace": 2, "king": 2, "jack": 1}, holders={"me": 1, "you": 2, "table": 2})
STYLE = Choice("style", {"bold": 0.5, "shy": 0.3, "odd": 0.2})
TYPES = [STYLE.equals("bold"), STYLE.value().among(["bold", "odd"])]
PLACES = [CARDS.holder_of("jack").equals("you"), CARDS.holder_of("jack").among(["me", "you"])]
ALONE = [CARDS.item_of("me").equals("ace"), CARDS.count("me", "king").equals(1)]
COUNTS = [CARDS.count("you", "ace").at_least(1), CARDS.count("table", "king").equals(0)]


@pytest.mark.parametrize("method", ["enumeration", "card_by_card", "type_counting"])
@pytest.mark.parametrize(
    "conditions",
    [TYPES, PLACES, ALONE, COUNTS, [*PLACES, *ALONE], [*TYPES, *PLACES, *ALONE, *COUNTS]],
)
def test_conditions_of_every_kind_are_counted(conditions: list[Condition], method: str) -> None:
    model = Model(CARDS, STYLE) if any(each in TYPES for each in conditions) else Model(CARDS)
    if method == "type_counting" and len(model.variables) > 1:
        pytest.skip("this engine takes one deal alone")
    oracle = by_hand(model)
    belief = infer(model, method=method)
    for feature in (count_of(conditions), any_of(*conditions), all_of(conditions)):
        assert belief.distribution(feature) == pytest.approx(
            oracle.distribution(feature), abs=1e-12
        )
    either, every = any_of(conditions), all_of(conditions)
    holds = [[value_in(each, world) for each in conditions] for world in oracle.worlds]
    said = sum(w for each, w in zip(holds, oracle.weights, strict=True) if any(each))
    assert belief.probability(either) == pytest.approx(said, abs=1e-12)
    said = sum(w for each, w in zip(holds, oracle.weights, strict=True) if all(each))
    assert belief.probability(every) == pytest.approx(said, abs=1e-12)


def test_what_adds_up_needs_no_table_of_combinations() -> None:
    assert isinstance(count_of(TYPES, PLACES, ALONE[1]), CountEach)
    assert isinstance(count_of(TYPES, COUNTS), CountOf)
    doors = [Choice(f"door {number}", ["goat", "car"]) for number in range(40)]
    cars = count_of(door.equals("car") for door in doors)
    belief = infer(Model(*doors), cars.equals(1))
    assert belief.probability(doors[7].equals("car")) == pytest.approx(1 / 40, abs=1e-12)


@given(case=cases())
def test_any_and_all_are_or_and_and(case: Case) -> None:
    conditions = [
        each if isinstance(each, Condition) else each.among(each.values[:1])
        for each in case.features
    ]
    belief = infer(case.model)
    one, other = conditions
    pair = together(one, other)
    for short, long in ((one | other, pair.satisfies(any)), (one & other, pair.satisfies(all))):
        assert belief.probability(short) == pytest.approx(belief.probability(long), abs=1e-12)


# -- conditions made of other conditions


def again(belief: Posterior) -> Posterior:
    """A posterior that was written and read."""
    return Posterior.restored(from_json(json.loads(json.dumps(to_json(belief.pieces())))))


@st.composite
def nested(draw: st.DrawFn, model: Model, depth: int = 2) -> Condition:
    """A condition on a feature, or on other conditions; counts of one holder are the commonest."""
    kinds = ["plain", "plain", "and", "or", "not", "any_of", "all_of", "count_of"]
    kind = draw(sampled(kinds)) if depth else "plain"
    if kind == "plain":
        deal = model.variables[0]
        assert isinstance(deal, Deal)
        counts = st.builds(deal.count, sampled(deal.holders), subsets(tuple(deal.items)))
        pairs = st.builds(together, counts, counts)
        feature = draw(st.one_of(counts, pairs, features(model)))
        values = cast(Sequence[Any], feature.values)
        few = st.lists(sampled(values), min_size=1, max_size=len(values), unique=True)
        return feature.equals(values[-1]) if len(values) <= 2 else feature.among(draw(few))
    parts = [draw(nested(model, depth - 1)) for _ in range(draw(st.integers(1, 2)))]
    if kind in ("and", "or", "not"):
        both = {"and": operator.and_, "or": operator.or_, "not": lambda one, _: ~one}[kind]
        return both(parts[0], parts[-1])
    if kind == "count_of":
        return count_of(parts).equals(draw(st.integers(0, len(parts))))
    return (any_of if kind == "any_of" else all_of)(parts)


@st.composite
def deals_with_empty_hands(draw: st.DrawFn) -> Model:
    """A few items, of which a holder may have none."""
    deal = draw(copied_deals(most=5))
    return Model(Deal(deal.items, holders={**deal.holders, "nobody": 0}, known=deal.known))


@pytest.mark.usefixtures("plain_python")
@settings(
    max_examples=int(os.environ.get("SLEUTH_FUZZ", "60")),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_conditions_of_conditions_are_what_every_world_says(data: st.DataObject) -> None:
    model = data.draw(st.one_of(deals_with_empty_hands(), models()))
    parts = [data.draw(nested(model)) for _ in range(data.draw(st.integers(1, 3)))]
    asked = data.draw(sampled([count_of, any_of, all_of]))(parts)
    method = data.draw(sampled(["enumeration", "card_by_card", "auto"]))
    belief, oracle = infer(model, method=method), by_hand(model)
    found = belief.marginal(asked)
    wanted = dict(zip(asked.values, oracle.distribution(asked).tolist(), strict=True))
    assert found == pytest.approx({value: p for value, p in wanted.items() if p}, abs=1e-12)
    seen = asked if isinstance(asked, Condition) else asked.at_least(1)
    if oracle.distribution(seen)[1] > 0.0 and not seen.on(belief.problem.layout).large:
        given_that = by_hand(model, [seen.observed()]).distribution(parts[0])[1]
        belief = belief.observe(seen)
        assert belief.probability(parts[0]) == pytest.approx(given_that, abs=1e-12)


def test_a_holder_without_items_has_none_of_them() -> None:
    cards = Deal([*"abc"], holders={"out": 0, "me": 1, "you": 2})
    mine = cards.count("out", ["a", "b"]).equals(0) & cards.count("me", "a").equals(1)
    pair = together(cards.count("out", ["a", "b"]), cards.count("me", "a")).equals((0, 1))
    belief = infer(Model(cards))
    for asked in (mine, pair, any_of(mine), any_of(pair), all_of(pair), count_of(pair).equals(1)):
        assert belief.probability(asked) == pytest.approx(1 / 3, abs=1e-12)


def test_and_is_all_of_and_or_is_any_of() -> None:
    doors = [Choice(f"door {number}", ["goat", "car"]) for number in range(40)]
    cars = [door.equals("car") for door in doors]
    assert functools.reduce(operator.and_, cars) == all_of(cars)
    assert functools.reduce(operator.or_, cars) == any_of(cars)
    assert all_of(all_of(cars[:3]), cars[3] & cars[4], cars[5]) == all_of(cars[:6])
    assert any_of(any_of(cars[:3]), cars[3] | cars[4], cars[5]) == any_of(cars[:6])
    either = (cars[0] & cars[1]) | (cars[2] & cars[3])
    belief = infer(Model(*doors))
    assert belief.probability(all_of(cars)) == pytest.approx(0.5**40)
    assert belief.probability(either) == pytest.approx(7 / 16)
    assert (cars[0] & cars[1]).describe() == "all_of(value(door 0) in car; value(door 1) in car)"


def test_a_prior_may_depend_on_conditions_together() -> None:
    one, other = Choice("one", [0, 1]), Choice("other", [0, 1])
    rows = {True: {"loud": 1}, False: {"loud": 1, "soft": 1}}
    for both in (one.equals(1) & other.equals(1), all_of(one.equals(1), other.equals(1))):
        sound = Choice("sound", rows, given=both)
        belief = infer(Model(sound, one, other))
        for asked in (belief, again(belief)):
            assert asked.probability(sound.equals("loud")) == pytest.approx(1 / 4 + 3 / 8)
        with pytest.raises(DeclarationError, match="a variable that the model does not have"):
            Model(sound, one)


COIN = Choice("coin", ["heads", "tails"])
HEADS, TAILS = COIN.equals("heads"), COIN.equals("tails")


def nest(feature: Any, step: Callable[[Any], Any], times: int = 1_500) -> Any:
    """What is made of what was made before, and so on."""
    return functools.reduce(lambda made, _: step(made), range(times), feature)


@pytest.mark.parametrize(
    "step",
    [
        lambda made: (made & HEADS) | TAILS,
        lambda made: count_of(made).equals(1).equals(False),
        lambda made: together(made).equals((True,)),
        lambda made: Condition(made, (False, True)),
    ],
)
def test_conditions_that_are_nested_too_deep_are_refused(step: Callable[[Any], Any]) -> None:
    with pytest.raises(EvidenceError, match=r"nested 50 deep at most.*side by side"):
        nest(HEADS, step)
    deep = nest(HEADS, step, 6)
    assert again(infer(Model(COIN), [deep])).probability(deep) == 1.0


def test_tuples_that_are_nested_too_deep_are_refused() -> None:
    with pytest.raises(EvidenceError, match="nested 50 deep"):
        infer(Model(COIN)).marginal(nest(COIN.value(), lambda made: (made,)))


def test_conditions_that_are_made_of_too_much_are_refused() -> None:
    with pytest.raises(EvidenceError, match="made of 100,000 conditions"):
        nest(HEADS, lambda made: (made & HEADS) | (made & TAILS), 40)


def test_what_says_no_more_is_no_deeper() -> None:
    same = nest(HEADS, lambda made: (~made.equals(False)).equals(True) & HEADS)
    assert infer(Model(COIN)).probability(same) == 0.5
    assert HEADS.equals(True) == HEADS
    assert HEADS.equals(False) == ~HEADS


def test_conditions_on_later_holders_are_counted_when_they_are_there() -> None:
    deal = Deal({"ace": 2, "king": 3}, holders={"you": 4, "table": 1})
    belief = infer(Model(deal)).observe(deal.split("you", "one", 1), deal.split("you", "two", 1))
    counted = count_of(deal.all_of("one", "ace"), deal.all_of("two", "ace"))
    assert belief.marginal(counted) == pytest.approx({0: 0.3, 1: 0.6, 2: 0.1}, abs=1e-12)
    seen = belief.observe(counted.equals(1))
    assert seen.marginal(deal.item_of("one")) == pytest.approx({"ace": 0.5, "king": 0.5}, abs=1e-12)


def test_positions_are_counted() -> None:
    walk = Walk("walk", ["a", "b"], start=["a"])
    step = walk.step({"a": {"a": 0.75, "b": 0.25}, "b": ["b"]})
    belief = infer(Model(walk), [step, step])
    away = count_of(walk.at(step=1).equals("b"), walk.at().equals("b"))
    assert belief.marginal(away) == pytest.approx({0: 9 / 16, 1: 3 / 16, 2: 4 / 16}, abs=1e-12)


@pytest.mark.parametrize(
    "wrong, words",
    [
        (lambda: count_of(), "at least one condition"),
        (lambda: count_of([]), "at least one condition"),
        (lambda: any_of(*cast(Any, ["ace"])), "only conditions.*'a'.*equals"),
        (lambda: all_of(cast(Any, CARDS.holder_of("jack"))), "only conditions.*equals"),
        (lambda: count_of(cast(Any, 3)), "only conditions"),
        (lambda: count_of(TYPES[0], cast(Any, True)), "only conditions"),
    ],
)
def test_what_is_no_condition_is_refused(wrong: Any, words: str) -> None:
    with pytest.raises(EvidenceError, match=words):
        wrong()


def test_a_choice_with_other_values_is_refused() -> None:
    other = Choice("style", ["bold", "shy"])
    with pytest.raises(EvidenceError, match="has other values"):
        infer(Model(STYLE)).probability(any_of(other.equals("bold"), other.equals("shy")))


# -- which item a holder has


@given(
    numbers=st.lists(st.integers(1, 3), min_size=2, max_size=4),
    places=st.integers(1, 3),
    method=st.sampled_from(["enumeration", "card_by_card", "type_counting", "pgmpy", "auto"]),
)
def test_the_item_of_a_place_is_a_draw_without_replacement(
    numbers: list[int], places: int, method: str
) -> None:
    assume(method != "type_counting" or max(numbers) > 1)
    items = dict(zip("abcd", numbers, strict=False))
    total = sum(numbers)
    names = [f"slot {number}" for number in range(min(places, total - 1))]
    deal = Deal(items, holders={**dict.fromkeys(names, 1), "rest": total - len(names)})
    seen = deal.count("rest", "a").weigh(lambda number: 1.0 + number)
    wanted: defaultdict[tuple[str, ...], float] = defaultdict(float)
    cards = [item for item, copies in items.items() for _ in range(copies)]
    for drawn in itertools.permutations(cards, len(names)):
        wanted[drawn] += 1.0 + numbers[0] - drawn.count("a")
    whole = sum(wanted.values())
    belief = infer(Model(deal), [seen], method=method)
    found = belief.joint(*(deal.item_of(name) for name in names))
    assert found == pytest.approx({drawn: w / whole for drawn, w in wanted.items()}, abs=1e-9)


@pytest.mark.parametrize(
    "method",
    ["enumeration", "card_by_card", "pgmpy", "rejection", "metropolis",
     "likelihood_weighting", "particles", "loopy_bp"],
)  # fmt: skip
def test_every_engine_knows_the_item_of_a_place(method: str) -> None:
    deal = Deal([*"abcd"], holders={"slot": 1, "rest": 3})
    given = [deal.holder_of("b").weigh([3.0, 1.0]), deal.item_of("slot").among([*"abc"])]
    belief = infer(Model(deal), given, method=method, samples=4_000)
    slack = 1e-9 if belief.exact else {"loopy_bp": 0.15}.get(method, 0.05)
    found = belief.marginal(deal.item_of("slot"))
    assert found == pytest.approx({"a": 0.2, "b": 0.6, "c": 0.2}, abs=slack)


def test_a_holder_of_more_items_is_refused() -> None:
    with pytest.raises(EvidenceError, match=r"has 2 items, not one.*'you'.*holder of its own"):
        infer(Model(CARDS)).marginal(CARDS.item_of("you"))
    with pytest.raises(
        EvidenceError, match=r"no such holder now \(got 'yuo'\); did you mean 'you'"
    ):
        infer(Model(CARDS)).marginal(CARDS.item_of("yuo"))
    deal = Deal({"ace": 2, "king": 3}, holders={"you": 3, "table": 2})
    belief = infer(Model(deal)).observe(deal.split("you", "claim", 2))
    feature: Feature = deal.item_of("claim")
    with pytest.raises(EvidenceError, match="has 2 items, not one"):
        belief.marginal(feature)
    assert belief.marginal(deal.item_of("you")) == pytest.approx({"ace": 0.4, "king": 0.6})
