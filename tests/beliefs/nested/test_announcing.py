"""Announcements: puzzles with published answers, and what is known after them by another way."""

from __future__ import annotations

from functools import reduce
from itertools import product
from operator import and_
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleuth import HIDDEN, Choice, Deal, Model, infer
from sleuth.beliefs.nested.kripke import HALF, MOST_WORLDS
from sleuth.errors import ContradictionError, CostError, SettingsError
from sleuth.games.small import KuhnPokerBelief
from sleuth.nested import (
    Believes,
    Fact,
    Knows,
    KnowsValue,
    KripkeModel,
    Nesting,
    absolute,
    relative,
)


def muddy(children: int) -> KripkeModel:
    """Everybody sees all heads but their own, and heard that somebody is muddy."""
    views = {f"child {i}": lambda heads, i=i: heads[:i] + heads[i + 1 :] for i in range(children)}
    model = KripkeModel.of_views(product([0, 1], repeat=children), views)
    return model.after(Fact("somebody is muddy", any))


@pytest.mark.parametrize("children", [2, 3, 5])
def test_muddy_children_know_after_as_many_silences_as_they_see_others(children: int) -> None:
    # Fagin, Halpern, Moses and Vardi (1995), section 1.1: k muddy ones know in the k-th round.
    start = muddy(children)
    silence = reduce(and_, [~KnowsValue(child) for child in start.players])
    for count in range(1, children + 1):
        heads = (1,) * count + (0,) * (children - count)
        model, rounds = start, 1
        while not any(model.holds(KnowsValue(child), heads) for child in start.players):
            model, rounds = model.after(silence), rounds + 1
        know = [model.holds(KnowsValue(child), heads) for child in start.players]
        assert (rounds, know) == (count, [bool(head) for head in heads])


def test_nobody_is_left_when_they_are_silent_too_often() -> None:
    start = muddy(3)
    silence = reduce(and_, [~KnowsValue(child) for child in start.players])
    with pytest.raises(ContradictionError, match="announcement 3 of 3 is true in none"):
        start.after(silence, silence, silence)


def test_a_sum_and_a_product_are_four_and_thirteen() -> None:
    # Freudenthal (1969): 1 < x < y, x + y <= 100. By sets: the sums that Sum may say it of.
    pairs = [(x, y) for x in range(2, 50) for y in range(x + 1, 101 - x)]
    model = KripkeModel.of_views(pairs, {"sum": sum, "product": np.prod})
    total, times = KnowsValue("sum"), KnowsValue("product")
    # Sum knew it before Product said anything.
    knew = model.after(~times & Knows("sum", ~times))
    assert {sum(pair) for pair in knew.worlds} == {*(11, 17, 23, 27, 29, 35, 37, 41, 47, 53)}
    assert knew.after(times, total).worlds == ((4, 13),)


NUMBERS = [1, 2, 3, 4]


@st.composite
def models(draw: st.DrawFn) -> KripkeModel:
    """A few worlds with weights, of which two players see something."""
    weights = draw(st.dictionaries(st.integers(0, 9), st.sampled_from(NUMBERS), min_size=2))
    seen = st.lists(st.integers(0, 2), min_size=10, max_size=10)
    one, two = draw(seen), draw(seen)
    rule = draw(st.sampled_from([HALF, relative(1.0), absolute(0.6)]))
    views: dict[str, Any] = {"one": one.__getitem__, "two": two.__getitem__}
    return KripkeModel.of_views(weights, views, rule=rule)


FACTS = st.sets(st.integers(0, 9), min_size=1).map(
    lambda held: Fact("one of some", lambda world: world in held)
)


@given(model=models(), said=FACTS, other=FACTS)
def test_what_is_announced_is_known_as_if_everybody_had_seen_it_too(
    model: KripkeModel, said: Fact, other: Fact
) -> None:
    true = said.truth(model)
    if not true.any():
        with pytest.raises(ContradictionError):
            model.after(said)
        return
    after = model.after(said)
    assert after.worlds == tuple(w for w, holds in zip(model.worlds, true, strict=True) if holds)
    assert after.plausibility.sum(axis=-1) == pytest.approx(1.0)
    for player in model.players:
        assert Knows(player, said).truth(after).all()
        # A player who learns it by themselves holds the same possible.
        number = model.player(player)
        learned = model.plausibility[number][np.ix_(true, true)]
        assert (after.possible[number] == (learned > 0.0)).all()
        if model.rule.relative:
            assert (
                Believes(player, other).truth(after)
                == Believes(player, other, given=said).truth(model)[true]
            ).all()


@given(model=models(), one=FACTS, other=FACTS)
def test_facts_may_be_announced_in_any_order(model: KripkeModel, one: Fact, other: Fact) -> None:
    if not (one & other).truth(model).any():
        return
    found = [model.after(one, other), model.after(other, one), model.after(one & other)]
    for each in found[1:]:
        assert each.worlds == found[0].worlds
        assert each.plausibility == pytest.approx(found[0].plausibility)


def test_what_was_said_of_knowledge_need_not_be_true_afterwards() -> None:
    # Moore's sentence: "it rains, and you do not know it".
    model = KripkeModel.of_views(["rain", "sun"], {"ann": lambda _: None})
    rains = Fact("it rains", lambda world: world == "rain")
    sentence = rains & ~Knows("ann", rains)
    assert model.holds(sentence, "rain")
    assert not sentence.truth(model.after(sentence)).any()


def test_a_model_is_made_of_a_declaration() -> None:
    cards = Deal(["jack", "queen", "king"], holders={"first": 1, "second": 1, "deck": 1})
    views = {name: cards.item_of(name) for name in ("first", "second")}
    model = KripkeModel.of_views(Model(cards), views)
    kuhn = KripkeModel.of(Nesting(KuhnPokerBelief()), (HIDDEN, HIDDEN), ("first", "second"))
    assert len(model.worlds) == len(kuhn.worlds)
    assert model.possible.sum() == kuhn.possible.sum()
    king = Fact(cards.item_of("first").equals("king"))
    queen = Fact(cards.item_of("second").equals("queen"))
    after = model.after(king)
    assert len(after.worlds) == 2
    assert KnowsValue("first", cards.item_of("second")).truth(after).tolist() == [False, False]
    assert KnowsValue("second", cards.item_of("deck")).truth(after).all()
    assert after.holds(Knows("second", king & queen), after.worlds[0]) is bool(
        queen.truth(after)[0]
    )
    # Worlds are named as they are drawn, and functions of a world see that.
    assert {world["deal"]["first"][0] for world in after.worlds} == {"king"}
    by_function = KripkeModel.of_views(
        infer(Model(cards)), {name: lambda w, n=name: w["deal"][n][0] for name in views}
    )
    assert (by_function.plausibility == model.plausibility).all()


def test_priors_are_kept() -> None:
    coin = Choice("coin", {"heads": 0.75, "tails": 0.25})
    model = KripkeModel.of_views(Model(coin), {"ann": lambda _: 0})
    listed = KripkeModel.of_views({"heads": 3, "edge": 0, "tails": 1}, {"ann": lambda _: 0})
    assert listed.worlds == ("heads", "tails")
    for each in (model, listed):
        assert each.plausibility.tolist() == [[[0.75, 0.25], [0.75, 0.25]]]


TRUE = Fact("it is so", bool)
CONDITION: Any = Choice("a", [1]).equals(1)
MANY: Any = {"ann": lambda _: []}
ONE: Any = {"ann": lambda _: 0}


@pytest.mark.parametrize(
    "made, message",
    [
        (lambda: KripkeModel.of_views([], ONE), "needs a world"),
        (lambda: Fact(lambda world: world > 1), r"needs a name.*Fact\(\"later\", test\)"),  # type: ignore[arg-type]
        (lambda: KripkeModel.of_views({1: 0}, ONE), "needs a world"),
        (lambda: KripkeModel.of_views({1, 2}, ONE), "worlds are a list"),
        (lambda: KripkeModel.of_views([1], {}), "for each player what they see"),
        (lambda: KripkeModel.of_views([1], MANY), "cannot be compared.*a tuple"),
        (lambda: KripkeModel.of_views([1], {"ann": Choice("a", [1])}), "no belief that knows"),
        (lambda: KripkeModel.of_views([1], ONE).holds(Knows("bob", TRUE), 1), "no such player"),
        (lambda: KripkeModel.of_views([1], ONE).holds(Believes(1, TRUE), 1), "no such player"),
        (lambda: KripkeModel.of_views([1], ONE).holds(TRUE, 2), "no such world"),
        (lambda: KripkeModel.of_views([1], ONE).after(CONDITION), r"Fact\(condit"),
    ],
)
def test_slips_are_refused_in_words(made: Any, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        made()


def test_too_many_worlds_are_refused() -> None:
    with pytest.raises(CostError, match=f"at most {MOST_WORLDS:,} worlds"):
        KripkeModel.of_views(iter(int, 1), ONE)
    with pytest.raises(CostError, match=f"at most {MOST_WORLDS:,} worlds"):
        KripkeModel.of_views(Model(Choice("number", range(3_000))), ONE)
    model = KripkeModel.of_views([1, 2], ONE)
    with pytest.raises(SettingsError, match="a function of the world, which also fits"):
        model.after(Fact("one", (True, False)), Fact("one", (True, False)))
