"""Kinds of items in kinds of places give what listing every deal gives."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from sleuth import Choice, Deal, Model, count_of, infer, together
from sleuth.beliefs.engines.base import EngineOptions
from sleuth.beliefs.engines.partial_deals.card_by_card import ENGINE as CARD_BY_CARD
from sleuth.beliefs.engines.symmetry.interchangeable import ENGINE
from sleuth.beliefs.engines.symmetry.turning import Turned, turned
from sleuth.errors import ContradictionError, CostError, UnsupportedError

from ...by_hand import by_hand
from ...strategies import Case, cases

RANKS, SUITS = "23456789TJQKA", "cdhs"
CARDS = [rank + suit for rank in RANKS for suit in SUITS]
PLACES = {f"place {number}": 1 for number in range(52)}


@settings(max_examples=40, deadline=None)
@given(cases())
def test_any_declaration_is_answered_as_by_hand(case: Case) -> None:
    oracle = by_hand(case.model, case.given)
    try:
        belief = infer(case.model, case.given, method="symmetry")
    except UnsupportedError:
        assume(False)
    except ContradictionError:
        assert oracle.total == 0.0
        return
    assert math.exp(belief.log_evidence) == pytest.approx(oracle.total, rel=1e-9)
    for feature in case.features:
        wanted = oracle.distribution(feature)
        assert belief.distribution(feature) == pytest.approx(wanted, abs=1e-12)
    for deal in case.deals:
        table = oracle.table(deal)
        for item, row in belief.table(deal).items():
            assert row == pytest.approx(table[item], abs=1e-12)


@st.composite
def places(draw: st.DrawFn) -> tuple[Deal, list[Any]]:
    """Many alike items in many alike places, and a little evidence on some."""
    copies = {"a": draw(st.integers(1, 2)), "b": draw(st.integers(2, 3)), "c": 1}
    total = sum(copies.values())
    holders = {f"place {number}": 1 for number in range(total - 2)} | {"rest": 2}
    deal = Deal(copies, holders=holders)
    given: list[Any] = []
    for _ in range(draw(st.integers(0, 3))):
        if draw(st.booleans()):
            weights = [draw(st.sampled_from([0.0, 0.5, 0.5, 1.0])) for _ in copies]
            weights[draw(st.integers(0, 2))] = 1.0
            number = draw(st.integers(0, total - 3))
            given.append(deal.item_of(f"place {number}").weigh(weights, exact=True))
        else:
            some = draw(st.lists(st.sampled_from([*holders]), min_size=1, max_size=3, unique=True))
            count = deal.count(some, draw(st.sampled_from("abc")))
            given.append(count.weigh([draw(st.sampled_from([0.2, 1.0])) for _ in count.values]))
    return deal, given


@settings(max_examples=20, deadline=None)
@given(places())
def test_copies_in_alike_places_are_answered_as_by_hand(case: tuple[Deal, list[Any]]) -> None:
    deal, given = case
    oracle = by_hand(Model(deal), given)
    assume(oracle.total > 0.0)
    try:
        belief = infer(Model(deal), given, method="symmetry")
    except UnsupportedError:
        assume(False)
    assert math.exp(belief.log_evidence) == pytest.approx(oracle.total, rel=1e-9)
    for feature in (
        deal.item_of("place 0"),
        together(deal.item_of("place 0"), deal.count("rest", "a")),
        count_of(deal.item_of(f"place {number}").equals("b") for number in range(2)),
    ):
        wanted = oracle.distribution(feature)
        assert belief.distribution(feature) == pytest.approx(wanted, abs=1e-12)
    small = belief.solution.lumps.problem  # pyright: ignore[reportAttributeAccessIssue]
    if small.layout.site_count:
        # The other way round says the same.
        plain = CARD_BY_CARD.solve(small, EngineOptions())
        around = turned(small)
        again = Turned(small, around, CARD_BY_CARD.solve(around, EngineOptions()))
        assert again.log_weight == pytest.approx(plain.log_weight, abs=1e-9)
        assert again.expected() == pytest.approx(plain.expected(), abs=1e-12)


@pytest.mark.parametrize("beside", [False, True])
def test_draws_are_exact_worlds(beside: bool) -> None:
    deal = Deal({"ace": 2, "king": 1, "ten": 2}, holders={"one": 1, "two": 1, "me": 1, "rest": 2})
    mood = Choice("mood", {"bold": 0.7, "shy": 0.3})
    model = Model(deal, mood) if beside else Model(deal)
    given = [deal.count(["one", "two"], "ace").weigh([0.2, 0.5, 1.0])]
    belief = infer(model, given, method="symmetry")
    rows, shares = infer(model, given, method="enumeration").worlds()
    drawn = belief.sample_array(6_000, np.random.default_rng(5))
    # Copies stand in the order of their holders in a list of worlds.
    for columns in ([0, 1], [3, 4]):
        drawn[:, columns] = np.sort(drawn[:, columns], axis=1)
    numbers = {tuple(row): number for number, row in enumerate(rows.tolist())}
    seen = np.bincount([numbers[tuple(row)] for row in drawn.tolist()], minlength=len(rows))
    assert chisquare(seen, shares * len(drawn)).pvalue > 0.001


def test_a_pack_in_52_places_is_answered_at_once() -> None:
    pack = Deal(CARDS, holders=PLACES)
    belief = infer(Model(pack), pack.item_of("place 0").equals("Ac"))
    assert belief.method == "symmetry"
    assert belief.log_evidence == pytest.approx(-math.log(52))
    second = pack.item_of("place 1")
    assert belief.probability(second.equals("Ad")) == pytest.approx(1 / 51, abs=1e-15)
    assert belief.marginal(second) == pytest.approx(dict.fromkeys(set(CARDS) - {"Ac"}, 1 / 51))
    pair = second.equals("Ad") & pack.item_of("place 2").equals("Ah")
    assert belief.probability(pair) == pytest.approx(1 / 51 / 50, abs=1e-15)
    hearts = [rank + "h" for rank in RANKS]
    hand = pack.count([f"place {number}" for number in range(1, 6)], hearts)
    wanted = [math.comb(13, n) * math.comb(38, 5 - n) / math.comb(51, 5) for n in range(6)]
    assert belief.distribution(hand) == pytest.approx(wanted, abs=1e-14)
    after = belief.observe(pack.item_of("place 7").among(hearts).observed())
    assert after.method == "symmetry"
    assert after.probability(second.among(hearts)) == pytest.approx(12 / 50)
    # Every place that is seen is one fewer that is open.
    for number, card in enumerate(CARDS[:40]):
        after = after.observe(pack.item_of(f"place {number + 10}").equals(card))
    assert after.probability(second.among(hearts)) == pytest.approx(2 / 10)


def test_hands_of_a_pack_know_suits_and_single_cards() -> None:
    pack = Deal(CARDS, holders=dict.fromkeys("nesw", 13))
    suits = {suit: [rank + suit for rank in RANKS] for suit in SUITS}
    model = Model(pack)
    given = [pack.count("n", suits["s"]).at_least(5), pack.holder_of("As").equals("e")]
    belief = infer(model, given, method="symmetry")
    ways = {
        (n, e): math.comb(12, n) * math.comb(39, 13 - n) * math.comb(12 - n, e)
        * math.comb(26 + n, 12 - e)
        for n in range(5, 13)
        for e in range(13 - n)
    }  # fmt: skip
    both = together(pack.count("n", suits["s"]), pack.count("e", suits["s"]))
    wanted = {(n, e + 1): way / sum(ways.values()) for (n, e), way in ways.items()}
    assert belief.marginal(both) == pytest.approx(
        {key: share for key, share in wanted.items() if share}, abs=1e-13
    )


def test_one_hundred_items_in_one_hundred_places_and_what_is_too_much() -> None:
    names = [f"item {number}" for number in range(100)]
    deal = Deal(names, holders={f"box {number}": 1 for number in range(100)})
    boxes = [*deal.holders]
    fixed = [deal.item_of(box).equals(item) for box, item in [*zip(boxes, names, strict=True)][:60]]
    belief = infer(Model(deal), fixed)
    assert belief.method == "symmetry"
    assert belief.probability(deal.holder_of("item 70").equals("box 99")) == pytest.approx(1 / 40)
    # Where every place has a wish of its own, nothing is alike.
    wishes = [
        deal.item_of(box).weigh(lambda item, box=box: 1.0 + int(item[5:]) * int(box[4:]) % 101)
        for box in boxes
    ]
    with pytest.raises(CostError, match=r"symmetry: "):
        infer(Model(deal), wishes)
    with pytest.raises(UnsupportedError, match="tells all items and all places apart"):
        infer(Model(deal), wishes, method="symmetry")


def test_a_deal_is_needed() -> None:
    with pytest.raises(UnsupportedError, match="in a deal, and there is none"):
        infer(Model(Choice("coin", ["heads", "tails"])), method="symmetry")
    assert ENGINE.exact
