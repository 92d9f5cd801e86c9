"""`infer` takes the cheapest exact engine, says which, and never falls back silently."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sleuth import Deal, Model, infer
from sleuth.beliefs.engines import APPROXIMATE, EXACT, NAMES, engine
from sleuth.beliefs.engines.base import Cost
from sleuth.errors import ContradictionError, CostError, SettingsError, UnsupportedError

from .strategies import Case, cases

CARDS = Deal({"ace": 2, "king": 4}, holders={"me": 2, "you": 2, "table": 2})


def entangled() -> tuple[Model, list[Any]]:
    """Many holders and evidence that ties them all together: nothing exact can do it."""
    names = [f"card {n}" for n in range(90)]
    holders = [f"holder {n}" for n in range(45)]
    cards = Deal(names, holders=dict.fromkeys(holders, 2))
    rng = np.random.default_rng(1)
    hints = [
        cards.count(holders[n % 45], rng.choice(names, 9, replace=False).tolist())
        for n in range(60)
    ]
    return Model(cards), [hint.weigh([1.0, 2.0, 1.5]) for hint in hints]


@given(case=cases())
@settings(max_examples=60)
def test_auto_takes_an_exact_engine_that_agrees_with_enumeration(case: Case) -> None:
    try:
        belief = infer(case.model, case.given)
    except ContradictionError:
        with pytest.raises(ContradictionError):
            infer(case.model, case.given, method="enumeration")
        return
    assert belief.exact
    assert belief.method in EXACT
    assert belief.automatic
    oracle = infer(case.model, case.given, method="enumeration")
    for feature in case.features:
        np.testing.assert_allclose(
            belief.distribution(feature), oracle.distribution(feature), rtol=0, atol=1e-12
        )


@given(case=cases(most=5))
@settings(max_examples=80)
def test_every_exact_engine_that_can_gives_the_same_answers(case: Case) -> None:
    try:
        oracle = infer(case.model, case.given, method="enumeration")
    except ContradictionError:
        oracle = None
    for name in ("card_by_card", "type_counting"):
        try:
            belief = infer(case.model, case.given, method=name)
        except ContradictionError:
            assert oracle is None
            continue
        except UnsupportedError:
            continue
        assert oracle is not None
        assert belief.log_evidence == pytest.approx(oracle.log_evidence, abs=1e-11)
        np.testing.assert_allclose(
            belief.solution.expected(), oracle.solution.expected(), rtol=0, atol=1e-12
        )
        for feature in case.features:
            try:
                shares = belief.distribution(feature)
            except UnsupportedError as refusal:
                assert "card_by_card" in str(refusal)  # noqa: PT017
                continue
            np.testing.assert_allclose(shares, oracle.distribution(feature), rtol=0, atol=1e-12)


def test_auto_counts_by_type_where_many_claims_are_open() -> None:
    ranks = [f"rank {n}" for n in range(13)]
    deal = Deal(dict.fromkeys(ranks, 4), holders={"you": 26, "deck": 26})
    steps: list[Any] = []
    for n in range(12):
        steps.append(deal.split("you", f"claim {n}", 2))
        steps.append(deal.all_of(f"claim {n}", ranks[n]).predicted(0.6, given=0.5))
    belief = infer(Model(deal), steps)
    assert belief.method == "type_counting"
    assert belief.exact


@pytest.mark.parametrize("name", ["card_by_card", "card-by-card"])
def test_a_method_can_be_named_either_way(name: str) -> None:
    assert infer(Model(CARDS), method=name).method == "card_by_card"


@pytest.mark.parametrize("method", [None, 3, ["auto"], ""])
def test_a_method_is_named_by_a_string(method: Any) -> None:
    with pytest.raises(SettingsError, match=r"unknown method \(got .*\); "):
        infer(Model(CARDS), method=method)


@pytest.mark.parametrize(
    "options, words",
    [
        ({"seed": -1}, r"seed is out of range \(got -1\); write seed as a whole number from 0"),
        ({"seed": 0.5}, r"seed must be a whole number \(got 0\.5\)"),
        ({"samples": 0}, r"samples is out of range \(got 0\).*from 1 to 100000000"),
        ({"samples": 1e4}, r"samples must be a whole number \(got 10000\.0\)"),
        ({"samples": True}, "samples must be a whole number"),
        ({"samples": None}, "samples must be a whole number"),
        ({"chains": 0}, "chains is out of range"),
        ({"limit": 0}, "limit must be a positive number"),
        ({"limit": math.nan}, "limit must be a positive number"),
        ({"limit": "all"}, r"limit must be a positive number .*2e9"),
    ],
)
def test_options_that_cannot_be_are_refused_before_any_work(
    options: dict[str, Any], words: str
) -> None:
    with pytest.raises(SettingsError, match=words):
        infer(Model(CARDS), **options)


def test_whole_numbers_of_numpy_are_whole_numbers() -> None:
    belief = infer(Model(CARDS), seed=np.int64(3), samples=np.int32(7))  # pyright: ignore[reportArgumentType]
    assert (type(belief.options.seed), belief.options.samples) == (int, 7)


def test_an_unknown_method_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(SettingsError, match=r"'hand-families'.*it is gone; 'card_by_card'"):
        infer(Model(CARDS), method="hand-families")
    with pytest.raises(SettingsError, match=r"unknown method.*'card_by_cart'.*'card_by_card'"):
        infer(Model(CARDS), method="card_by_cart")


def test_a_named_method_that_cannot_is_refused_with_the_reason() -> None:
    cards = Deal({"a": 2, "b": 1}, holders={"x": 2, "y": 1})
    pair = cards.count("x", ["a", "b"]).weigh([1.0, 2.0, 5.0])
    with pytest.raises(UnsupportedError, match=r"type_counting cannot solve this: it takes"):
        infer(Model(cards), [pair], method="type_counting")


def test_what_no_exact_engine_can_afford_is_refused_and_approximations_are_named() -> None:
    model, hints = entangled()
    with pytest.raises(CostError, match="no exact engine is affordable") as caught:
        infer(model, hints, limit=1e6)
    message = str(caught.value)
    for name in ("enumeration", "card_by_card", "type_counting"):
        assert f"{name}: " in message
    for name in APPROXIMATE:
        assert name in message
    assert "approximate=True" in message


def test_sixty_copies_in_small_hands_are_placed_without_trying_what_cannot_be_completed() -> None:
    deal = Deal({"card": 60, "x": 2}, holders={f"hand {number}": 2 for number in range(31)})
    both = deal.count("hand 0", "x").equals(2)
    for method in ("auto", "card_by_card"):
        posterior = infer(Model(deal), method=method)
        assert posterior.probability(both) == pytest.approx(1 / math.comb(62, 2), rel=1e-12)


@pytest.mark.parametrize("items", [{"a": 30, "b": 30}, {"a": 20, "b": 20, "c": 20}])
def test_placements_too_many_to_be_listed_are_refused_at_once(items: dict[str, int]) -> None:
    names = [f"hand {number}" for number in range(20)]
    deal = Deal(items, holders=dict.fromkeys(names, 3))
    given = [deal.count(names[:2], ["a", "b"]).at_least(3), deal.count(names[1:3], "a").at_least(1)]
    with pytest.raises(CostError, match=r"more than .* edges"):
        infer(Model(deal), given, method="card_by_card")
    # The hands that nobody spoke of are one.
    first = deal.count(names[0], "a")
    assert infer(Model(deal), given).method == "symmetry"
    groups, counts = {"first": ["a"]}, {names[0]: {"first": 1}}
    counted = Deal(items, holders=dict.fromkeys(names, 3), categories=groups, counts=counts)
    assert infer(Model(counted)).marginal(first) == {1: 1.0}


def test_known_items_need_no_listing_of_the_others() -> None:
    holders = {f"hand {number}": 3 for number in range(20)}
    deal = Deal({"a": 30, "b": 30}, holders=holders, known={"hand 0": {"a": 2}})
    # One of the 58 others, 28 of which are alike, is the third.
    third = infer(Model(deal)).marginal(deal.count("hand 0", "a"))
    assert third == pytest.approx({2: 30 / 58, 3: 28 / 58})


def test_an_approximation_is_taken_only_where_it_is_allowed() -> None:
    model, hints = entangled()
    belief = infer(model, hints, limit=1e6, approximate=True, samples=200)
    assert not belief.exact
    assert belief.method in APPROXIMATE
    # Where something exact is affordable, it is taken all the same.
    assert infer(Model(CARDS), approximate=True).exact


def test_auto_changes_engines_when_evidence_makes_it_necessary() -> None:
    cards = Deal({"a": 2, "b": 2, "c": 2}, holders={"x": 3, "y": 3})
    belief = infer(Model(cards), method="type_counting")
    with pytest.raises(UnsupportedError):
        belief.observe(cards.count("x", ["a", "b"]).weigh([1.0, 2.0, 1.0, 3.0]))
    automatic = infer(Model(cards))
    after = automatic.observe(cards.count("x", ["a", "b"]).weigh([1.0, 2.0, 1.0, 3.0]))
    assert after.exact


def test_every_engine_says_what_it_is_for_and_what_it_costs() -> None:
    problem = infer(Model(CARDS)).problem
    for name in NAMES:
        one = engine(name)
        assert one.name == name
        assert one.exact == (name in EXACT)
        assert one.summary
        cost = one.cost(problem)
        if isinstance(cost, Cost):
            assert cost.operations >= 0.0
        else:
            assert cost.reason
    assert set(EXACT) | set(APPROXIMATE) == set(NAMES)


@given(data=st.data())
@settings(max_examples=20)
def test_given_may_be_any_iterable(data: st.DataObject) -> None:
    facts = [CARDS.holds("me", "king"), CARDS.count("you", "ace").weigh([1.0, 2.0, 3.0])]
    kind = data.draw(st.sampled_from([list, tuple, iter]))
    assert infer(Model(CARDS), kind(facts)) == infer(Model(CARDS)).observe(*facts)
