"""How many of some conditions hold is what counting in every world says."""

from __future__ import annotations

import itertools
from collections import defaultdict
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleuth.beliefs import Choice, Condition, Deal, Model, Walk, all_of, any_of, count_of, infer
from sleuth.beliefs.counting import CountEach, CountOf
from sleuth.beliefs.features import Feature
from sleuth.data.errors import EvidenceError

from .by_hand import by_hand, value_in
from .strategies import Case, cases

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
    for short, long in ((any_of(one, other), one | other), (all_of(one, other), one & other)):
        assert belief.probability(short) == pytest.approx(belief.probability(long), abs=1e-12)


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
    ["enumeration", "card_by_card", "hand_families", "pgmpy", "rejection", "metropolis",
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
    with pytest.raises(EvidenceError, match=r"'you' has 2 items, not one.*holder of its own"):
        CARDS.item_of("you")
    with pytest.raises(EvidenceError, match="unknown holder"):
        CARDS.item_of("yuo")
    deal = Deal({"ace": 2, "king": 3}, holders={"you": 3, "table": 2})
    belief = infer(Model(deal)).observe(deal.split("you", "claim", 2))
    feature: Feature = deal.item_of("claim")
    with pytest.raises(EvidenceError, match="has 2 items now"):
        belief.marginal(feature)
    assert belief.marginal(deal.item_of("you")) == pytest.approx({"ace": 0.4, "king": 0.6})
