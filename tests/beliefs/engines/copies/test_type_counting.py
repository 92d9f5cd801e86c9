"""Counting by type: identical copies, splits and claims, exact however many claims are open."""

from __future__ import annotations

import itertools
import math
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from sleuth import Choice, Deal, Model, Posterior, infer, together
from sleuth.beliefs.engines import engine
from sleuth.beliefs.engines.base import Cost, Unsupported, card_sites
from sleuth.beliefs.engines.copies import counting
from sleuth.beliefs.engines.copies.counting import CellCounts
from sleuth.beliefs.engines.copies.lumping import lump
from sleuth.errors import ContradictionError, UnsupportedError
from sleuth.models.kernels.plain.twins import twin

from ...strategies import claims

RANKS = tuple("A23456789TJQK")


def solved(deal: Deal, given: list[Any], method: str) -> Posterior | None:
    try:
        return infer(Model(deal), given, method=method)
    except ContradictionError:
        return None


def agree(deal: Deal, given: list[Any], oracle: Posterior, posterior: Posterior) -> None:
    assert posterior.log_evidence == pytest.approx(oracle.log_evidence, rel=1e-12, abs=1e-12)
    np.testing.assert_allclose(
        posterior.solution.expected(), oracle.solution.expected(), rtol=0, atol=1e-12
    )
    holders, items = oracle.holders(deal), tuple(deal.items)
    asked = [
        *(deal.count(holder, item) for holder in holders for item in items),
        deal.count(holders[-1], items[:2]),
        deal.count(holders[:2], items[0]),
        together(deal.count(holders[0], items[0]), deal.count(holders[-1], items[-1])),
        together(deal.count(holders[0], items[0]), deal.count(holders[0], items[1])),
    ]
    for feature in asked:
        np.testing.assert_allclose(
            posterior.distribution(feature), oracle.distribution(feature), rtol=0, atol=1e-12
        )


@given(drawn=claims())
@settings(max_examples=120)
def test_it_agrees_with_enumeration_and_card_by_card(drawn: tuple[Deal, list[Any]]) -> None:
    deal, given = drawn
    try:
        posterior = solved(deal, given, "type_counting")
    except UnsupportedError:
        # Items that are there once, or copies that two holders were seen to have.
        assert max(deal.items.values()) == 1 or len(deal.known) > 1
        return
    for method in ("enumeration", "card_by_card"):
        oracle = solved(deal, given, method)
        assert (oracle is None) == (posterior is None)
        if oracle is not None and posterior is not None:
            agree(deal, given, oracle, posterior)


@given(drawn=claims(most=3), data=st.data())
@settings(max_examples=80)
def test_copies_that_were_seen_stay_known_in_a_hand_and_its_new_claims(
    drawn: tuple[Deal, list[Any]], data: st.DataObject
) -> None:
    deal, given = drawn
    start = solved(deal, given, "card_by_card")
    assume(start is not None)
    assert start is not None
    holders = [
        holder
        for holder in start.holders(deal)
        if any(start.table(deal)[item][holder] > 0 for item in deal.items)
    ]
    assume(len(holders) > 1)
    seen = data.draw(st.sampled_from(holders[1:]))
    # What is turned up is what that holder has in some possible deal.
    world = start.sample(1, np.random.default_rng(data.draw(st.integers(0, 99))))[0]
    contents: dict[str, int] = {}
    for item in world[deal.name][seen]:
        contents[item] = contents.get(item, 0) + 1
    moves = [
        deal.reveal(seen, contents),
        deal.merge([holders[0], seen], into="grown"),
        deal.split("grown", "again", data.draw(st.integers(1, len(world[deal.name][seen])))),
    ]
    item = data.draw(st.sampled_from(tuple(deal.items)))
    feature = deal.count("again", item)
    weights = [data.draw(st.sampled_from([0.5, 1.0, 3.0])) for _ in feature.values]
    steps = [*given, *moves, feature.weigh(weights)]
    try:
        oracle = solved(deal, steps, "card_by_card")
        posterior = solved(deal, steps, "type_counting")
    except UnsupportedError:
        assume(False)
        return
    assert (oracle is None) == (posterior is None)
    if oracle is not None and posterior is not None:
        agree(deal, steps, oracle, posterior)


def cheat(claims: int, weight: float, *, ranks: int, copies: int, hand: int, mixed: bool) -> Any:
    """Two hands and a deck; every claim takes cards from a hand, honest with weight ``weight``."""
    names = RANKS[:ranks]
    deal = Deal(
        dict.fromkeys(names, copies),
        holders={"me": hand, "you": hand, "deck": ranks * copies - 2 * hand},
    )
    own = dict.fromkeys(names, 0)
    for card in range(hand):
        own[names[card % ranks]] += 1
    given: list[Any] = [deal.reveal("me", {name: n for name, n in own.items() if n})]
    for number in range(claims):
        size = 1 + number % 2
        source = "you" if number % 3 else "deck"
        given.append(deal.split(source, f"claim {number}", size))
        claim = deal.count(f"claim {number}", names[number % ranks])
        if mixed:  # at least one false: 1 + (weight - 1) [all]
            given.append(claim.weigh([*[1.0] * size, weight]))
        else:  # none true: weight [all] + 1 [none]
            given.append(claim.weigh([1.0, *[0.0] * (size - 1), weight], exact=True))
    return deal, given


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_claims_of_a_small_pack_agree_with_enumeration(count: int, mixed: bool) -> None:
    deal, given = cheat(count, 1.7, ranks=4, copies=3, hand=3, mixed=mixed)
    oracle = solved(deal, given, "enumeration")
    posterior = solved(deal, given, "type_counting")
    assert oracle is not None
    assert posterior is not None
    agree(deal, given, oracle, posterior)


@pytest.mark.parametrize("mixed", [False, True])
def test_claims_of_a_whole_pack_agree_with_card_by_card(mixed: bool) -> None:
    deal, given = cheat(4, 0.3, ranks=13, copies=4, hand=8, mixed=mixed)
    oracle = solved(deal, given, "card_by_card")
    posterior = solved(deal, given, "type_counting")
    assert oracle is not None
    assert posterior is not None
    agree(deal, given, oracle, posterior)


@pytest.mark.parametrize("mixed", [False, True])
def test_twelve_open_claims_are_exact_within_a_second(mixed: bool) -> None:
    deal, given = cheat(12, 0.37, ranks=13, copies=4, hand=12, mixed=mixed)
    begun = time.perf_counter()
    posterior = infer(Model(deal), given, method="type_counting")
    truths = [posterior.probability(deal.all_of(f"claim {n}", RANKS[n])) for n in range(12)]
    assert time.perf_counter() - begun < 1.0
    table = posterior.table(deal)
    assert all(0.0 < truth < 1.0 for truth in truths)
    # Rows and columns add up, which no cancellation would leave standing.
    for item in deal.items:
        assert math.fsum(table[item].values()) == pytest.approx(4.0, abs=1e-12)
    for number in range(12):
        size = sum(table[item][f"claim {number}"] for item in deal.items)
        assert size == pytest.approx(1 + number % 2, abs=1e-12)


def test_many_open_claims_are_the_sum_over_which_of_them_are_honest() -> None:
    # Under w [all] + 1 [none], claims of one card are independent weights on its rank: 2**m terms
    # of deals, listed here with factorials.
    ranks, copies, number, weight = 5, 2, 4, 2.5
    deal = Deal(
        dict.fromkeys(RANKS[:ranks], copies), holders={"you": number + 2, "deck": ranks * 2 - 6}
    )
    given: list[Any] = []
    for claim in range(number):
        given.append(deal.split("you", f"claim {claim}", 1))
        given.append(deal.count(f"claim {claim}", RANKS[claim]).weigh([1.0, weight]))
    posterior = infer(Model(deal), given, method="type_counting")
    cards = ranks * copies
    terms = [
        # (w - 1) for every marked claim: its card is one of two, the rest is dealt anyhow.
        math.prod([(weight - 1.0) * copies] * marked)
        * math.comb(number, marked)
        * math.perm(cards - marked, number - marked)
        for marked in range(number + 1)
    ]
    total = math.fsum(terms) / math.perm(cards, number)
    assert posterior.log_evidence == pytest.approx(math.log(total), abs=1e-13)


def test_impossible_claims_have_no_weight_left() -> None:
    deal = Deal({"A": 2, "K": 4}, holders={"me": 2, "you": 3, "deck": 1})
    mine = deal.reveal("me", {"A": 2}, because="my hand")
    posterior = infer(Model(deal), [mine, deal.split("you", "claim", 2)], method="type_counting")
    truth = deal.all_of("claim", "A")
    assert posterior.probability(truth) == 0.0
    with pytest.raises(ContradictionError, match="my hand"):
        posterior.observe(truth.observed(because="he says"))


def test_where_no_deal_is_left_nothing_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    # Compiled code would read the first of no numbers; plain Python says so.
    monkeypatch.setattr(counting, "count_deals", twin(counting.count_deals))
    deal = Deal({"a": 3, "b": 2}, holders={"x": 3, "y": 2})
    none, two = deal.count("y", "a").equals(0), deal.count("y", "a").weigh([0, 0, 1], exact=True)
    more = deal.count("y", "b").weigh([1.0, 2.0, 3.0])
    with pytest.raises(ContradictionError):
        infer(Model(deal), [none, two, more], method="type_counting")


def test_weights_of_all_sizes_lose_no_digit() -> None:
    deal = Deal({"A": 3, "B": 3, "C": 3}, holders={"x": 3, "y": 3, "z": 3})
    tiny = [deal.count(h, i).weigh([1.0, 1e-9, 1e9, 1e-40]) for h in "xy" for i in "AB"]
    posterior = infer(Model(deal), tiny, method="type_counting")
    oracle = infer(Model(deal), tiny, method="enumeration")
    assert posterior.log_evidence == pytest.approx(oracle.log_evidence, abs=1e-12)
    many = [deal.count("x", "A").weigh([1e-3, 2e-3, 1e-3, 1e-3], id=f"{n}") for n in range(300)]
    posterior = posterior.observe(many)
    assert posterior.probability(deal.count("x", "A").equals(1)) == pytest.approx(1.0)


# -- draws


def cards_of(posterior: Posterior, deal: Deal, holders: list[str], worlds: np.ndarray) -> Any:
    """Copies of every item with each of some holders in each world, as one number."""
    layout = posterior.problem.layout
    sites = card_sites(posterior.problem)
    code = np.zeros(worlds.shape[0], dtype=np.int64)
    for holder in holders:
        slots = layout.slots[(deal.name, holder)]
        there = np.isin(worlds, slots)
        for item in deal.items:
            mine = np.isin(sites, layout.sites[(deal.name, item)])
            code = code * 10 + (there & mine[None, :]).sum(axis=1)
    return code


def chances(posterior: Posterior, deal: Deal, holders: list[str]) -> dict[int, float]:
    """Exact probability of every such number, from card by card."""
    oracle = infer(Model(deal), posterior.history, method="card_by_card")
    about = together(*(deal.count(holder, item) for holder in holders for item in deal.items))
    result: dict[int, float] = {}
    for counts, chance in oracle.marginal(about).items():
        result[int("".join(str(n) for n in counts))] = chance
    return result


def follows(drawn: Any, wanted: dict[int, float]) -> bool:
    """Chi-square of drawn numbers against their chances; rare ones are pooled."""
    values, counts = np.unique(drawn, return_counts=True)
    counted = dict(zip(values.tolist(), counts.tolist(), strict=True))
    assert set(counted) <= set(wanted), "something impossible was drawn"
    pairs = sorted(((p * len(drawn), counted.get(v, 0)) for v, p in wanted.items()), reverse=True)
    common = [pair for pair in pairs if pair[0] >= 5.0]
    rare = [pair for pair in pairs if pair[0] < 5.0]
    if rare:
        common.append((sum(pair[0] for pair in rare), sum(pair[1] for pair in rare)))
    expected = np.array([pair[0] for pair in common])
    observed = np.array([pair[1] for pair in common], dtype=np.float64)
    return bool(chisquare(observed, expected * observed.sum() / expected.sum()).pvalue > 1e-4)


SMALL = cheat(3, 1.7, ranks=4, copies=3, hand=3, mixed=False)
TALLIED = ["claim 0", "claim 1", "you"]


def test_draws_follow_the_posterior_exactly() -> None:
    deal, given = SMALL
    posterior = infer(Model(deal), given, method="type_counting")
    worlds = posterior.solution.draw(20_000, np.random.default_rng(11))
    wanted = chances(posterior, deal, TALLIED)
    assert follows(cards_of(posterior, deal, TALLIED, worlds), wanted)


def test_a_biased_sampler_would_be_noticed() -> None:
    deal, given = SMALL
    posterior = infer(Model(deal), given, method="type_counting")
    wanted = chances(posterior, deal, TALLIED)
    # Draws that forget the claims' weights.
    moves = [step for step in given if not hasattr(step, "table")]
    careless = infer(Model(deal), moves, method="type_counting")
    worlds = careless.solution.draw(20_000, np.random.default_rng(11))
    drawn = cards_of(careless, deal, TALLIED, worlds)
    kept = drawn[np.isin(drawn, [*wanted])]
    assert not follows(kept, wanted)


@pytest.mark.parametrize("way", ["kernels", "graph"])
def test_draws_know_what_was_seen(way: str) -> None:
    deal = Deal({"A": 3, "B": 3, "C": 2}, holders={"me": 3, "you": 3, "deck": 2})
    given = [
        deal.split("you", "pile", 2),
        deal.count("pile", "A").weigh([1.0, 2.0, 5.0]),
        deal.reveal("pile", {"A": 1, "B": 1}),
        deal.merge(["me", "pile"], into="me"),
        deal.split("me", "claim", 2),
        deal.count("claim", "A").weigh([1.0, 1.0, 4.0]),
    ]
    posterior = infer(Model(deal), given, method="type_counting")
    rng = np.random.default_rng(5)
    if way == "kernels":
        assert isinstance(posterior.solution, CellCounts)
        worlds = posterior.solution.draw(20_000, rng)
    else:
        lumped = lump(posterior.problem)
        assert lumped.graph is not None
        worlds = lumped.worlds(lumped.graph, 4_000, rng)
    holders = ["me", "claim", "you"]
    wanted = chances(posterior, deal, holders)
    assert follows(cards_of(posterior, deal, holders, worlds), wanted)


def test_every_drawn_world_of_twelve_claims_is_a_deal() -> None:
    deal, given = cheat(12, 0.37, ranks=13, copies=4, hand=12, mixed=False)
    posterior = infer(Model(deal), given, method="type_counting")
    worlds = posterior.solution.draw(5, np.random.default_rng(1))
    layout = posterior.problem.layout
    for world in worlds:
        assert np.bincount(world, minlength=layout.slot_count).tolist() == layout.capacity.tolist()
    for number, name in itertools.product(range(12), RANKS):
        there = np.isin(worlds, layout.slots[("deal", f"claim {number}")])
        mine = np.isin(card_sites(posterior.problem), layout.sites[("deal", name)])
        if name == RANKS[number]:
            assert set((there & mine[None, :]).sum(axis=1)) <= {0, 1 + number % 2}


def test_many_copies_in_many_claims_are_drawn_without_listing_their_placements() -> None:
    deal = Deal({"A": 34, "B": 30}, holders={"deck": 64})
    given: list[Any] = []
    for number in range(16):
        given.append(deal.split("deck", f"claim {number}", 2))
        given.append(deal.count(f"claim {number}", "A").weigh([1.0, 0.5, 2.0]))
    posterior = infer(Model(deal), given, method="type_counting")
    worlds = posterior.solution.draw(2, np.random.default_rng(1))
    sizes = [np.bincount(world, minlength=17).tolist() for world in worlds]
    assert sizes == [[32, *[2] * 16]] * 2


def test_the_same_seed_draws_the_same_worlds() -> None:
    deal, given = SMALL
    posterior = infer(Model(deal), given, method="type_counting")
    first = posterior.sample_array(50, np.random.default_rng(3))
    again = infer(Model(deal), given, method="type_counting")
    assert (first == again.sample_array(50, np.random.default_rng(3))).all()


# -- what it leaves to others


def test_evidence_about_several_counts_at_once_is_left_to_other_engines() -> None:
    deal = Deal({"A": 2, "B": 2, "C": 2}, holders={"x": 3, "y": 3})
    either = deal.count("x", ["A", "B"]).weigh([1.0, 2.0, 1.0, 0.5])
    with pytest.raises(UnsupportedError, match="how many copies of one item are in one place"):
        infer(Model(deal), [either], method="type_counting")
    assert infer(Model(deal), [either]).method != "type_counting"


def test_none_and_all_of_several_items_are_counts_of_each() -> None:
    deal = Deal({"A": 2, "B": 1, "C": 2, "D": 2}, holders={"x": 3, "y": 2, "z": 2})
    for fact in (deal.lacks("x", ["A", "B"]), deal.count(["x", "y"], ["A", "B"]).equals(3)):
        posterior = infer(Model(deal), [fact], method="type_counting")
        agree(deal, [fact], infer(Model(deal), [fact], method="enumeration"), posterior)


def test_a_choice_is_no_count() -> None:
    deal = Deal({"A": 2, "B": 2}, holders={"x": 2, "y": 2})
    reason = engine("type_counting").cost(Model(deal, Choice("habit", ["p", "q"])).problem)
    assert isinstance(reason, Unsupported)
    assert "Choice" in reason.reason


def test_its_cost_hardly_grows_with_open_claims() -> None:
    costs: list[float] = []
    for number in (2, 12):
        deal, given = cheat(number, 0.4, ranks=13, copies=4, hand=12, mixed=True)
        problem = infer(Model(deal), given, method="type_counting").problem
        cost = engine("type_counting").cost(problem)
        assert isinstance(cost, Cost)
        costs.append(cost.operations)
    assert costs[1] < 40 * costs[0]
    assert costs[1] < 1e6


def test_a_feature_of_too_many_counts_names_the_engine_that_can() -> None:
    deal = Deal(dict.fromkeys(RANKS, 4), holders=dict.fromkeys(RANKS, 4))
    posterior = infer(Model(deal), method="type_counting")
    parts = [deal.count(RANKS[:6], rank).at_least(1) for rank in RANKS[:9]]
    with pytest.raises(UnsupportedError, match="card_by_card"):
        posterior.marginal(together(*parts))
