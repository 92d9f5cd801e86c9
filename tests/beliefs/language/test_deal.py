"""A deal is declared with names and sizes that fit, or refused at once."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleuth import Deal, Model, Question, infer, together
from sleuth.errors import DeclarationError, EvidenceError

from ..strategies import copied_deals, distinct_deals

ITEMS = ["ace", "king", "queen", "jack"]


def pack(**more: Any) -> Deal:
    return Deal(ITEMS, holders={"me": 2, "you": 2}, **more)


@given(deal=st.one_of(distinct_deals(), copied_deals()))
def test_every_item_has_a_holder_and_sizes_add_up(deal: Deal) -> None:
    assert sum(deal.items.values()) == sum(deal.holders.values())
    table = infer(Model(deal)).table(deal)
    for item, copies in deal.items.items():
        assert sum(table[item].values()) == pytest.approx(copies, abs=1e-12)
    for holder, size in deal.holders.items():
        assert sum(table[item][holder] for item in deal.items) == pytest.approx(size, abs=1e-12)


def test_sizes_that_do_not_add_up_are_refused_with_both_numbers() -> None:
    with pytest.raises(DeclarationError, match=r"4 items, but the holders take 5.*holder of their"):
        Deal(ITEMS, holders={"me": 2, "you": 3})


@pytest.mark.parametrize(
    "items, holders, words",
    [
        ({}, {"me": 0}, "needs items"),
        ({"ace": 0}, {"me": 0}, "at least 1"),
        ({"ace": -1}, {"me": 1}, "at least 1"),
        ({"ace": 1.0}, {"me": 1}, "whole number"),
        ({"ace": True}, {"me": 1}, "whole number"),
        ({"ace": 1}, {"me": -1, "you": 2}, "at least 0"),
        ({"ace": 1}, {"me": 0.5, "you": 0.5}, "whole number"),
        ({"": 1}, {"me": 1}, "every item is named by a string"),
        ({3: 1}, {"me": 1}, "every item is named by a string"),
        ({"ace": 1}, {"": 1}, "every holder is named by a string"),
        ({"ace": 1}, {}, "1 to 100 holders"),
        (["ace", "ace"], {"me": 2}, "named twice.*mapping, {item: copies}"),
        ("ace", {"me": 3}, "a list of names"),
        (3, {"me": 3}, r"a list of names \(got 3\)"),
        ([["ace"]], {"me": 1}, r"every item is named by a string \(got \['ace'\]\)"),
        ({"ace", "king"}, {"me": 2}, r"a set has no order of its own.*sorted"),
        (["ace"], ["me"], r"holders must be a mapping \(got \['me'\]\); write"),
    ],
)
def test_wrong_items_and_holders_are_refused(items: Any, holders: Any, words: str) -> None:
    with pytest.raises(DeclarationError, match=words):
        Deal(items, holders=holders)


@pytest.mark.parametrize(
    "more, words",
    [
        ({"categories": {"low": ["jak"]}}, "category 'low' has an unknown item.*'jak'.*'jack'"),
        ({"categories": {"low": ["jack", "jack"]}}, "names an item twice"),
        ({"categories": ["low"]}, r"categories must be a mapping \(got \['low'\]\); write"),
        ({"categories": {"low": {"jack", "ace"}}}, r"category 'low'.*a set has no order.*sorted"),
        ({"categories": {"low": [["ace"]]}}, "unknown item"),
        ({"counts": ["me"]}, "counts must be a mapping"),
        ({"counts": {"me": 1}}, "counts of 'me' must be a mapping"),
        ({"known": ["ace"]}, "known must be a mapping"),
        ({"known": {"me": 1}}, "give a list of names"),
        ({"counts": {"mee": {}}}, "unknown holder.*'mee'.*did you mean 'me'"),
        ({"counts": {"me": {"lo": 1}}}, "unknown category"),
        ({"categories": {"low": ["jack"]}, "counts": {"me": {"low": 2}}}, "this many of 'low'"),
        ({"categories": {"low": ["jack"]}, "counts": {"me": {"low": -1}}}, "whole number"),
        ({"categories": {"low": ["jack"]}, "counts": {"me": {"low": 0.5}}}, "whole number"),
        (
            {
                "categories": {"low": ["jack", "ace"], "red": ["ace", "king"]},
                "counts": {"me": {"low": 1, "red": 1}},
            },
            "share an item.*'ace'",
        ),
        (
            {"categories": {"most": ITEMS[:3]}, "counts": {"me": {"most": 0}}},
            "do not fit its size 2",
        ),
        (
            {"categories": {"most": ITEMS[:3]}, "counts": {"me": {"most": 3}}},
            "do not fit its size 2",
        ),
        ({"known": {"me": ["ice"]}}, "unknown item.*'ice'.*did you mean 'ace'"),
        ({"known": {"men": ["ace"]}}, "unknown holder.*did you mean 'me'"),
        ({"known": {"me": ITEMS[:3]}}, "known to have more than its 2"),
        ({"known": {"me": {"ace": 1}, "you": {"ace": 1}}}, "more copies of an item are known"),
        ({"known": {"me": {"ace": -1}}}, "whole number"),
        ({"known": {"me": {"ace": 0.5}}}, "whole number"),
    ],
)
def test_wrong_categories_counts_and_known_items_are_refused(
    more: dict[str, Any], words: str
) -> None:
    with pytest.raises(DeclarationError, match=words):
        pack(**more)


def test_counts_that_exclude_each_other_are_found_when_the_model_is_made() -> None:
    # Each fits its own holder, but together they ask for three low cards of two.
    deal = Deal(
        ITEMS,
        holders={"me": 2, "you": 2},
        categories={"low": ["jack", "queen"]},
        counts={"me": {"low": 2}, "you": {"low": 1}},
    )
    with pytest.raises(DeclarationError, match="nothing can be dealt as declared"):
        Model(deal)


@pytest.mark.parametrize(
    "ask, words",
    [
        (lambda d: d.count("you", "aces"), "unknown item.*'aces'.*did you mean 'ace'"),
        (lambda d: d.count([], "ace"), "at least one holder"),
        (lambda d: d.count("you", []), "at least one item"),
        (lambda d: d.count(["you", "you"], "ace"), "holder is named twice"),
        (lambda d: d.count("you", ["ace", "ace"]), "item is named twice"),
        (lambda d: d.holder_of("qeen"), "did you mean 'queen'"),
        (lambda d: d.single("me", "low"), "not declared to have exactly one"),
        (lambda d: d.holds("me", "ace", 2), "at most 1 of these"),
        (lambda d: d.holds("me", "ace", 0), "n is 1 to 1"),
        (lambda d: d.split("me", "you", 1), "new holder needs a new name"),
        (lambda d: d.split("me", "", 1), "new holder needs a new name"),
        (lambda d: d.split("me", "claim", 0), "at least one item"),
        (lambda d: d.split("me", "claim", 1.5), r"whole number \(got 1\.5\)"),
        (lambda d: d.count(3, "ace"), r"named by a string \(got 3\)"),
        (lambda d: d.count("me", [["ace"]]), r"named by a string \(got \['ace'\]\)"),
        (lambda d: d.reveal("me", ["ace", "ice"]), "did you mean 'ace'"),
    ],
)
def test_wrong_names_and_numbers_are_refused_when_asked(ask: Any, words: str) -> None:
    with pytest.raises(EvidenceError, match=words):
        ask(pack())


@pytest.mark.parametrize(
    "given, words",
    [
        (lambda d: d.lacks("yu", "ace"), "no such holder now.*'yu'.*did you mean 'you'.*Present"),
        (lambda d: d.split("yu", "claim", 1), "no such holder now.*'yu'.*did you mean 'you'"),
        (lambda d: d.merge(["me", "nobody"], into="us"), "no such holder now.*present.*me, you"),
        (lambda d: d.holds("me", ITEMS), "can never be true as the holders are now.*0 to 2"),
        (lambda d: d.all_of("me", ITEMS), "can never be true as the holders are now.*0 to 2"),
    ],
)
def test_wrong_holders_and_numbers_are_refused_when_observed(given: Any, words: str) -> None:
    deal = pack()
    with pytest.raises(EvidenceError, match=words):
        infer(Model(deal), [given(deal)])


def test_identical_copies_cannot_be_asked_for_one_by_one() -> None:
    deal = Deal({"ace": 2, "king": 1}, holders={"me": 2, "you": 1})
    for ask in (lambda: deal.which("me", ["king", "ace"]), lambda: deal.holder_of("ace")):
        with pytest.raises(EvidenceError, match=r"2 identical copies of 'ace'.*ask for count"):
            ask()
    with pytest.raises(EvidenceError, match="say how many copies"):
        deal.holds("me", ["ace", "king"])


def test_subsets_of_more_than_twelve_items_are_not_written_down() -> None:
    cards = Deal([f"c{n}" for n in range(70)], holders={"a": 35, "b": 35})
    assert len(cards.which("a", [f"c{n}" for n in range(12)]).values) == 4096
    with pytest.raises(EvidenceError, match=r"too many values to be written down.*8192"):
        print(cards.which("a", [f"c{n}" for n in range(13)]).values)
    with pytest.raises(EvidenceError, match=r"at most 62 items.*ask for count"):
        cards.which("a", [f"c{n}" for n in range(63)])


def test_values_of_a_count_end_where_nobody_can_have_more() -> None:
    deal = Deal({"ace": 4, "king": 4}, holders={"me": 3, "you": 5})
    assert deal.count("me", "ace").values == (0, 1, 2, 3)
    assert deal.count("you", "ace").values == (0, 1, 2, 3, 4)
    assert deal.count(["me", "you"], "ace").values == (0, 1, 2, 3, 4)


def test_all_of_is_all_that_a_holder_has_or_all_of_a_list() -> None:
    deal = Deal({"ace": 2, "king": 2, "joker": 1}, holders={"me": 2, "you": 3})
    belief = infer(Model(deal))
    # Two of five cards are the two aces, or the two kings.
    assert belief.probability(deal.all_of("me", "ace")) == pytest.approx(1 / 10)
    assert belief.probability(deal.all_of("me", "joker")) == 0.0
    distinct = pack()
    belief = infer(Model(distinct))
    assert belief.probability(distinct.all_of("me", ["ace"])) == pytest.approx(1 / 2)
    assert belief.probability(distinct.all_of("me", ["ace", "jack"])) == pytest.approx(1 / 6)


def test_all_of_a_holder_means_all_it_has_now() -> None:
    deal = Deal({"ace": 2, "king": 2}, holders={"me": 2, "you": 2})
    yours = deal.all_of("you", "ace")
    before = infer(Model(deal))
    after = before.observe(deal.split("you", "claim", 1))
    assert before.probability(yours) == pytest.approx(1 / 6)
    assert after.probability(yours) == pytest.approx(1 / 2)
    assert after.probability(~yours) == pytest.approx(1 / 2)
    claim = deal.all_of("claim", "ace")
    assert after.probability(claim) == pytest.approx(1 / 2)
    assert after.probability(yours & claim) == pytest.approx(1 / 6)
    assert after.joint(yours, claim)[True, False] == pytest.approx(1 / 3)
    merged = after.observe(deal.merge(["you", "claim", "me"], into="you"))
    assert merged.probability(yours) == 0.0
    known = after.observe(claim)
    assert known.probability(yours) == pytest.approx(1 / 3)
    assert known.explain(deal.count("claim", "ace").equals(1)) == ["evidence 2"]
    question = Question(yours, [[1.0, 0.0], [0.0, 1.0]], ["no", "yes"])
    assert after.information_gain(question, about=yours) == pytest.approx(1.0)
    [(best, gain)] = after.best_questions([question], about=claim, n=1)
    assert best is question
    assert gain == pytest.approx(1.0 - after.observe(yours).entropy(claim))
    with pytest.raises(EvidenceError, match="no such holder now"):
        before.probability(claim)


def test_weights_for_a_holder_that_a_split_made_are_checked_against_its_size() -> None:
    deal = Deal({"ace": 3, "king": 3}, holders={"me": 3, "you": 3})
    belief = infer(Model(deal), [deal.split("you", "claim", 2)])
    weighed = belief.observe(deal.count("claim", "ace").weigh([1.0, 1.0, 4.0]))
    longer = belief.observe(deal.count("claim", "ace").weigh([1.0, 1.0, 4.0, 9.0]))
    assert weighed.marginal(deal.count("claim", "ace")) == pytest.approx(
        {0: 0.125, 1: 0.375, 2: 0.5}
    )
    assert longer.marginal(deal.count("claim", "ace")) == pytest.approx(
        {0: 0.125, 1: 0.375, 2: 0.5}
    )
    with pytest.raises(EvidenceError, match="made when there could be 1 at most"):
        belief.observe(deal.count("claim", "ace").weigh([1.0, 2.0]))
    with pytest.raises(EvidenceError, match=r"one weight for each of its 4 values \(got 5\)"):
        deal.count("claim", "ace").weigh([1.0] * 5)


def test_branches_from_one_posterior_do_not_disturb_each_other() -> None:
    def branch(deal: Deal, size: int) -> list[object]:
        belief = infer(Model(deal), [deal.split("you", "claim", size)])
        belief = belief.observe(deal.all_of("claim", "ace").predicted(0.8, given=0.5))
        grown = belief.observe(deal.merge(["claim", "table"], into="table"))
        return [
            belief.probability(deal.all_of("claim", "ace")),
            belief.probability(deal.all_of("you", "ace")),
            belief.marginal(deal.count("claim", ["ace", "king"])),
            belief.marginal(deal.count(["you", "claim"], "ace")),
            belief.marginal(deal.holder_of("queen")),
            grown.probability(deal.all_of("table", "king")),
            grown.marginal(deal.count("table", "king")),
            belief.digest,
        ]

    def fresh() -> Deal:
        return Deal({"ace": 3, "king": 3, "queen": 1}, holders={"me": 2, "you": 3, "table": 2})

    alone = {size: branch(fresh(), size) for size in (1, 2, 3)}
    shared = fresh()
    for size in (2, 1, 3, 1, 2):
        assert branch(shared, size) == alone[size]


def test_deals_that_say_the_same_are_equal() -> None:
    assert pack() == pack()
    assert hash(pack()) == hash(pack())
    turned = Deal(ITEMS[::-1], holders={"you": 2, "me": 2})
    assert turned == pack()
    assert hash(turned) == hash(pack())
    assert pack(known={"me": ["ace"]}) != pack()


SUITS = {"red": ["r1", "r2", "r3"], "blue": ["b1", "b2"], "r1": ["b1"]}
TILES = Deal(
    [*SUITS["red"], *SUITS["blue"]], holders={"me": 2, "you": 2, "bag": 1}, categories=SUITS
)


def test_a_category_stands_for_its_items() -> None:
    red, blue = SUITS["red"], SUITS["blue"]
    assert TILES.count("me", "red") == TILES.count("me", red)
    assert TILES.count("me", ["blue", "r1"]) == TILES.count("me", [*blue, "r1"])
    assert TILES.which("me", "blue") == TILES.which("me", blue)
    assert TILES.all_of("me", "blue") == TILES.all_of("me", blue)
    assert TILES.holds("me", "blue") == TILES.holds("me", blue)
    assert TILES.holds(["me", "you"], "red", 2) == TILES.holds(["me", "you"], red, 2)
    assert TILES.lacks("me", "red") == TILES.lacks("me", red)
    assert TILES.holds_any("me", "red") == TILES.holds_any("me", red)
    # An item that has the name of a category is meant before it.
    assert TILES.count("me", "r1").items == ("r1",)


def test_a_category_is_no_item_where_one_is_asked_for() -> None:
    for ask in (TILES.holder_of, lambda name: TILES.reveal("bag", [name])):
        with pytest.raises(EvidenceError, match=r"unknown item \(got 'red'\)"):
            ask("red")
    with pytest.raises(EvidenceError, match=r"'bleu'.*did you mean 'blue'"):
        TILES.count("me", "bleu")
    with pytest.raises(EvidenceError, match="an item is named twice"):
        TILES.count("me", ["red", "r2"])


def test_a_hand_that_cannot_be_weighed_says_what_can() -> None:
    pack = [f"{rank}{suit}" for rank in range(1, 6) for suit in "cdhs"]
    cards = Deal(pack, holders={"v1": 1, "v2": 1, "stub": 18})
    with pytest.raises(EvidenceError, match=r"too many values to weigh.*together\(deal\.item_of"):
        cards.which(["v1", "v2"], pack).weigh(lambda hand: float(len(hand)))
    belief = infer(
        Model(cards),
        together(cards.item_of("v1"), cards.item_of("v2")).weigh(
            lambda hand: 1.0 + 2.0 * (hand[0][:-1] == hand[1][:-1])
        ),
    )
    pair = cards.count(["v1", "v2"], ["1c", "1d"]).equals(2)
    # Of 190 hands 30 are pairs, which weigh three times as much.
    assert belief.probability(pair) == pytest.approx(3 / (3 * 30 + 160))
